import Base
import Cryptography
import FoundationEssentials
import SystemCalls
import SystemPackage
import TICDSCore

/// An entry of a storage.
struct RclonePlace {
    var address: RcloneAddress
    var path: RemotePath

    /// The folder at this place.
    var folder: RcloneAddress { path.names.reduce(address) { $0.appending($1.text) } }
}

/// Changes of a storage. They are never retried automatically: after an error the outcome is unknown.
extension RcloneEngine {
    private struct StatusRequest: Encodable {
        var fs: String
        var remote: String
        var opt = ["noMimeType": true]
    }

    /// Whether there is a file now. False also for a folder, and if the storage denies access.
    func hasFile(_ place: RclonePlace) throws(FileProblem) -> Bool {
        let request = StatusRequest(
            fs: place.address.remote, remote: place.path.text,
            opt: ["noMimeType": true, "filesOnly": true])
        let found: StatusAnswer = try repeating { () throws(FileProblem) in
            try call("operations/stat", request, for: place.address, place.path)
        }
        return found.item != nil
    }

    private struct StatusAnswer: Decodable {
        var item: Item?

        struct Item: Decodable {
            var size: Int64
            var time: String
            var isFolder: Bool

            enum CodingKeys: String, CodingKey {
                case size = "Size"
                case time = "ModTime"
                case isFolder = "IsDir"
            }
        }
    }

    /// Kind, size and time of an entry now; nil if there is none.
    func status(of path: RemotePath, in address: RcloneAddress) throws(FileProblem) -> FolderEntry? {
        let found: StatusAnswer = try repeating { () throws(FileProblem) in
            try call(
                "operations/stat", StatusRequest(fs: address.remote, remote: path.text), for: address, path)
        }
        guard let name = path.last else { return nil }
        // Rclone can also give this answer for a place without access. The listing of an existing folder reports its
        // errors.
        guard let item = found.item else {
            let parent = path.parent
            if !parent.names.isEmpty, try status(of: parent, in: address)?.kind != .folder { return nil }
            let around = try listOnly(parent, of: address, withDigests: false)
            if let problem = around.problems.first { throw problem }
            return around[parent][name]
        }
        guard let modified = FileTime(rclone: Array(item.time.utf8)), item.isFolder || item.size >= 0 else {
            throw FileProblem(
                .unreadable, path: path.filePath(under: address.root),
                "the storage does not say how large it is, or when it was changed")
        }
        return FolderEntry(
            name: name, kind: item.isFolder ? .folder : .file, size: max(item.size, 0), modified: modified)
    }

    /// The entries of a folder that ticds made; nil if it does not exist.
    func listIfPresent(_ folder: RcloneAddress) throws(FileProblem) -> FolderListing? {
        guard let parent = folder.parent, try status(of: [RemoteName(folder.name)], in: parent) != nil else {
            return nil
        }
        return try listOnly(.root, of: folder, withDigests: false)[.root]
    }

    /// Makes a folder.
    func makeFolder(_ folder: RcloneAddress) throws(FileProblem) {
        try change(
            "operations/mkdir", ["fs": folder.remote, "remote": ""], RclonePlace(address: folder, path: .root)
        )
    }

    /// Moves a file on the server.
    func moveFile(_ old: RclonePlace, to new: RclonePlace) throws(FileProblem) {
        try change(
            "operations/movefile",
            [
                "srcFs": old.address.remote, "srcRemote": old.path.text, "dstFs": new.address.remote,
                "dstRemote": new.path.text,
            ], new)
    }

    /// Moves a folder on the server, to a name that must be absent.
    func moveFolder(_ old: RclonePlace, to new: RclonePlace) throws(FileProblem) {
        try change("sync/move", ["srcFs": old.folder.remote, "dstFs": new.folder.remote], new)
    }

    /// Uploads a local file, with its time. An existing file is replaced.
    func uploadFile(_ file: FilePath, to new: RclonePlace) throws(FileProblem) {
        try change(
            "operations/copyfile",
            [
                "srcFs": file.removingLastComponent().string, "srcRemote": file.lastComponent?.string ?? "",
                "dstFs": new.address.remote, "dstRemote": new.path.text,
            ], new)
    }

    /// Uploads a local file, with its time, to a bucket, whose server refuses it if anything is there: RFC 9110,
    /// 13.1.2.
    func uploadIfAbsent(_ file: FilePath, to new: RclonePlace) throws(FileProblem) {
        let condition = #"[{"Key": "If-None-Match", "Value": "*"}]"#
        try change(
            "operations/copyfile",
            [
                "srcFs": file.removingLastComponent().string, "srcRemote": file.lastComponent?.string ?? "",
                "dstFs": new.address.remote, "dstRemote": new.path.text,
                "_config": "{\"UploadHeaders\": \(condition), \"NoUpdateModTime\": true}",
            ], new)
    }

    /// Uploads a local folder with everything in it, into a folder that ticds made. Temporary errors are retried:
    /// rclone skips files that have arrived.
    func uploadFolder(_ folder: FilePath, to new: RclonePlace) throws(FileProblem) {
        try repeating { () throws(FileProblem) in
            try change(
                "sync/copy",
                [
                    "srcFs": folder.string, "dstFs": new.folder.remote, "createEmptySrcDirs": "true",
                    "_config": "{\"Transfers\": \(Self.transfers), \"Checkers\": \(Self.transfers)}",
                ], new)
        }
    }

    /// Removes a file.
    func removeFile(_ place: RclonePlace) throws(FileProblem) {
        try change(
            "operations/deletefile", ["fs": place.address.remote, "remote": place.path.text], place)
    }

    /// Removes a folder that ticds made with everything in it.
    func removeFolder(_ place: RclonePlace) throws(FileProblem) {
        try change("operations/purge", ["fs": place.address.remote, "remote": place.path.text], place)
    }

    /// Removes a folder if it is empty.
    func removeEmpty(_ folder: RcloneAddress) throws(FileProblem) {
        try change(
            "operations/rmdir", ["fs": folder.remote, "remote": ""], RclonePlace(address: folder, path: .root)
        )
    }

    /// The SHA-256 of a file as the storage gives it now.
    func digest(of place: RclonePlace, size: Int64) throws(FileProblem) -> [UInt8] {
        var hash = try SHA256(for: place.path.filePath(under: place.address.root))
        var count: Int64 = 0
        if size > 0 {
            _ = try read(place.path, in: place.address) { piece in
                hash.update(piece)
                count = count +| Int64(piece.count)
                return count <= size
            }
        }
        guard count == size else { throw .changedThere(place) }
        return hash.finalize()
    }

    private func change(
        _ call: String, _ request: [String: String], _ place: RclonePlace
    ) throws(FileProblem) {
        do throws(FileProblem) {
            _ = try answer(call, request, for: place.address, place.path)
        } catch {
            guard error.kind == .unreadable else { throw error }
            var problem = error
            problem.kind = .writeFailed
            problem.problem = "cannot be written"
            throw problem
        }
    }
}

extension FileProblem {
    static func absent(_ path: RemotePath, _ address: RcloneAddress) -> FileProblem {
        FileProblem(.missing, path: path.filePath(under: address.root), "no such file or folder")
    }

    static func changedThere(_ place: RclonePlace) -> FileProblem {
        FileProblem(
            .refused, path: place.path.filePath(under: place.address.root),
            "has changed since the plan was made",
            advice: "Another program is changing the remote; look at it, then make the plan again")
    }
}
