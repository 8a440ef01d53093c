import Base
package import SystemCalls
package import SystemPackage
package import TICDSCore
package import TICDSOperations

/// A remote in a storage that rclone reaches, which plans change. New entries are uploaded to a staging folder beside
/// the remote; then the server moves entries from there into the remote, and out of it.
package struct WritableRclone: WritableStorage {
    let address: RcloneAddress
    let engine: RcloneEngine
    let features: RcloneFeatures

    package var contents: any RemoteStorage { LiveRclone(address, engine) }

    package var hasMovesOnly: Bool { true }

    /// The remote of a plan or a journal.
    /// - Throws: `.refused` if the storage lacks a capability that a change needs.
    package static func at(_ address: RcloneAddress) throws(FileProblem) -> WritableRclone {
        try checkName(address)
        let engine = try RcloneEngine.running()
        let features = try engine.features(of: address)
        try check(features, address)
        return WritableRclone(address: address, engine: engine, features: features)
    }

    /// The reason why a storage cannot be changed; nil if it can be.
    static func refusal(of storage: RcloneStorage) -> FileProblem? {
        do throws(FileProblem) {
            try checkName(storage.address)
            try check(storage.features, storage.address)
            return nil
        } catch {
            return error
        }
    }

    private static func checkName(_ address: RcloneAddress) throws(FileProblem) {
        guard address.isConfigured else {
            throw FileProblem(
                .refused, path: address.root,
                "changes need a storage of the configuration of rclone, by whose name the journal finds it again",
                found: "a connection string", advice: "Describe the storage with: rclone config")
        }
        guard address.parent != nil, !address.remote.contains("]") else {
            throw FileProblem(
                .refused, path: address.root,
                "there is no place beside the remote, where new files are uploaded",
                expected: "rclone:NAME:FOLDER",
                advice: "Name the storage in such a way that the remote is a folder in it")
        }
    }

    private static func check(_ features: RcloneFeatures, _ address: RcloneAddress) throws(FileProblem) {
        let problem: String? =
            if !features.keepsTimes {
                "this storage keeps no modification times, on which the order of change sets rests"
            } else if !features.moves || !features.movesFolders {
                "this storage cannot move files and folders on the server, so that a change could stop in the middle"
            } else {
                nil
            }
        guard let problem else { return }
        throw FileProblem(
            .refused, path: address.root, problem,
            advice: "Copy it to this machine with ticds-remote copy; see ticds-remotes(7)")
    }

    package func lock(
        _ journal: borrowing Journal, command: String, until deadline: Deadline, warn: (String) -> Void
    ) throws(FileProblem) -> any StorageLock {
        // ends: at the deadline
        while true {
            do throws(FileProblem) {
                return try RcloneLock(self, journal, command: command)
            } catch {
                guard error.isBusy, !deadline.isOver else { throw error }
                for _ in 0..<20 { deadline.pause() }
            }
        }
    }

    package func chooseStaging(
        for state: RemoteState
    ) throws(FileProblem) -> (folder: FilePath, trashIsNear: Bool) {
        (state.folder.appending("staging").appending(RandomName.make()), false)
    }

    package func operation(at places: OperationPaths) -> any OperationStorage {
        RcloneOperation(self, places)
    }

    /// A folder beside the remote.
    func beside(_ name: String) -> RcloneAddress { address.parent?.appending(name) ?? address }
}

extension RcloneAddress {
    /// The name of the folder; empty for the top of a storage.
    var name: String { path.split(separator: "/").last.map { String($0) } ?? "" }

    /// The folder around this one; nil for the top of a storage.
    var parent: RcloneAddress? {
        let name = name
        if name.isEmpty { return nil }
        return at(path: String(path.dropLast(name.count + (path.count > name.count + 1 ? 1 : 0))))
    }
}

/// A remote as rclone sees it at this moment, without a cache.
struct LiveRclone: RemoteStorage {
    let root: FilePath
    private let address: RcloneAddress
    private let engine: RcloneEngine

    init(_ address: RcloneAddress, _ engine: RcloneEngine) {
        self.address = address
        self.engine = engine
        root = address.root
    }

    func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents {
        // Rclone gives the same error for a missing folder and for one without access.
        if !folder.names.isEmpty, try engine.status(of: folder, in: address)?.kind != .folder {
            throw .absent(folder, address)
        }
        let listing = try engine.listOnly(folder, of: address, withDigests: false)
        return FolderContents(listing: listing[folder], problems: listing.problems)
    }

    func status(of path: RemotePath) throws(FileProblem) -> FileStatus {
        if path.names.isEmpty {
            _ = try list(.root)
            return FileStatus(kind: .folder, size: 0, modified: FileTime(seconds: 0))
        }
        guard let found = try engine.status(of: path, in: address) else { throw .absent(path, address) }
        return FileStatus(kind: found.kind, size: found.size, modified: found.modified)
    }

    func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes {
        let size = try status(of: file).size
        try limit.check(size, file.filePath(under: root))
        return try read(file, range: 0..<Int(size))
    }

    func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes {
        let size = try Int(status(of: file).size)
        let range = range.clamped(to: 0..<size)
        if range.isEmpty { return SharedBytes([]) }
        var bytes: [UInt8] = []
        // Without a range, an answer that is longer than the listed size is an error.
        let isWhole = range.count == size
        _ = try engine.read(
            file, in: address, range: isWhole ? nil : Int64(range.lowerBound)..<Int64(range.upperBound)
        ) { piece in
            bytes += piece
            return bytes.count <= range.count
        }
        guard bytes.count == range.count else {
            throw FileProblem(
                .changedWhileReading, path: file.filePath(under: root), "has changed while it was read",
                advice: "Try again")
        }
        return SharedBytes(bytes)
    }
}
