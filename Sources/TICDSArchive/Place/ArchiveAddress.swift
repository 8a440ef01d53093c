import Base
package import SystemCalls
package import SystemPackage
package import TICDSCore
package import TICDSOperations

/// An archive in the place of a remote: a file, a snapshot in a folder (`FOLDER:latest`), or the remote in an archive
/// (`app.tar.zst/com.example.app`), which is how commands print it.
package struct ArchiveAddress: StorageAddress {
    /// The archive; for a choice of a snapshot the folder.
    private let place: FilePath
    /// The choice of a snapshot in the folder; nil for an archive.
    private let choice: String?
    /// The path in the archive.
    private var inside: [RemoteName] = []

    /// The archive that a path means; nil for a folder, and for a file that is no archive. A file or folder of this name
    /// comes first, then a path in an archive, then a choice of a snapshot.
    package init?(_ path: FilePath) throws(FileProblem) {
        if let target = try path.resolved() {
            guard try ArchiveOrigin.isArchive(target, named: path) else { return nil }
            self.init(place: path, choice: nil)
            return
        }
        var found = try Self.inside(path)
        if found == nil { found = try Self.choice(path) }
        guard let found else { return nil }
        self = found
    }

    private init(place: FilePath, choice: String?) {
        self.place = place
        self.choice = choice
    }

    /// A path in an archive: one of the paths above is an archive, or the choice of a snapshot.
    private static func inside(_ path: FilePath) throws(FileProblem) -> ArchiveAddress? {
        var outer = path
        var names: [RemoteName] = []
        while let last = outer.lastComponent, names.count < RemoteScanner.deepestFolder {
            names.insert(RemoteName(last.bytes), at: 0)
            outer.removeLastComponent()
            guard !outer.isEmpty else { continue }
            guard let target = try outer.resolved() else {
                guard var chosen = try choice(outer) else { continue }
                chosen.inside = names
                return chosen
            }
            guard try ArchiveOrigin.isArchive(target, named: outer) else { return nil }
            var address = ArchiveAddress(place: outer, choice: nil)
            address.inside = names
            return address
        }
        return nil
    }

    /// `FOLDER:CHOICE` with the longest name of a folder that exists. A folder without snapshots has only choices that
    /// cannot be a part of its name.
    private static func choice(_ path: FilePath) throws(FileProblem) -> ArchiveAddress? {
        let bytes = path.bytes
        let name = bytes.lastIndex(of: UInt8(ascii: "/")) ?? 0
        for colon in bytes.indices.reversed() where bytes[colon] == UInt8(ascii: ":") && colon > name {
            let folder = FilePath(pathBytes: Array(bytes[..<colon]))
            guard let target = try folder.resolved(), try FileStatus.of(target).kind == .folder else {
                continue
            }
            let choice = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
            let hasSnapshots = try !SnapshotFolder(folder).snapshots.isEmpty
            let isChoice = hasSnapshots || SnapshotFolder.isChoice(choice)
            return isChoice ? ArchiveAddress(place: folder, choice: choice) : nil
        }
        return nil
    }

    /// The choices of a snapshot behind `FOLDER:`, each with the folder; none for another text.
    package static func completions(_ typed: String) -> [String] {
        guard let colon = typed.lastIndex(of: ":"), colon != typed.startIndex else { return [] }
        // try?: completion offers what it can
        let folder = try? SnapshotFolder(FilePath(String(typed[..<colon])))
        return (folder?.choices ?? []).map { typed[...colon] + $0 }
    }

    /// The archive. For a choice of a snapshot, the one that it means now.
    package var archive: FilePath {
        get throws(FileProblem) {
            guard let choice else { return place }
            return try SnapshotFolder(place).snapshot(choice)
        }
    }

    /// The remote, and the whole store in it whose path this is, or a folder around that store; nil for another path.
    package var wholeStore: (remote: ArchiveAddress, place: RemotePath)? {
        let folders = [RemoteLayout.wholeStore, RemoteLayout.temporaryFiles]
        let start = inside.indices.first { position in
            let below = inside[position...].prefix(4)
            return below.count == 4 && below[position] == RemoteLayout.documents
                && folders.contains(below[position + 2])  // bounded: there are four
        }
        guard let start else { return nil }
        var remote = self
        remote.inside = Array(inside[..<start])
        return (remote, RemotePath(Array(inside[start...])))
    }

    /// The remote, and the file in it whose path this is, by the names of the folders around it; nil for another path.
    package var file: (remote: ArchiveAddress, place: RemotePath)? {
        if let wholeStore { return wholeStore }
        let start = inside.indices.first { position in
            FileRole(of: RemotePath(Array(inside[position...])), kind: .file) != .unknown
        }
        guard let start else { return nil }
        var remote = self
        remote.inside = Array(inside[..<start])
        return (remote, RemotePath(Array(inside[start...])))
    }

    /// Whether the path leads into the archive.
    package var isInside: Bool { !inside.isEmpty }

    package var root: FilePath {
        let archive = choice.map { FilePath(pathBytes: place.bytes + Array(":\($0)".utf8)) }
        return RemotePath(inside).filePath(under: archive ?? place)
    }

    package var isLasting: Bool { false }

    package func identity(found root: FilePath) -> FilePath { root }

    package func findRemote() throws(FileProblem) -> any RemoteStorage {
        try ArchiveStorage(archive, inside: RemotePath(inside))
    }

    package func recentRemote() throws(FileProblem) -> any RemoteStorage { try findRemote() }

    package func writable() throws(FileProblem) -> any WritableStorage {
        throw ArchiveStorage.refusal(of: try archive)
    }

    package func target(_ application: RemoteName) throws(FileProblem) -> any StorageTarget {
        throw FileProblem(
            .refused, path: root, "is an archive, and no place for a copy",
            advice: "Name a folder, or write an archive with ticds-archive export")
    }

    package func entries() throws(FileProblem) -> FolderListing { try findRemote().list(.root).whole() }

    package func appending(_ name: String) -> ArchiveAddress {
        var inner = self
        inner.inside.append(RemoteName(name))
        return inner
    }
}

extension ArchiveOrigin {
    /// Whether a file is an archive, by its content; a file that begins with nothing known, by its name.
    /// - Parameters:
    ///   - target: the file, without links.
    ///   - named: the name that the user gave it.
    static func isArchive(_ target: FilePath, named: FilePath) throws(FileProblem) -> Bool {
        guard try FileStatus.of(target).kind == .file else { return false }
        let head = try FileBytes.head(target, count: max(TarHeader.size, ForeignContent.headSize)).array
        if isZip(Array(head.prefix(4))) { return try isZipOfRemote(target, head) }
        if ForeignContent(head: head)?.isArchive == true || TarHeader(head) != nil { return true }
        return !foreign.contains { head.starts(with: $0) } && hasEnding(named)
    }

    /// The first bytes of stores, whatever their names end in.
    private static let foreign = ["SQLite format 3\0", "CoreData", "<?xml", "bplist"].map { Array($0.utf8) }

    /// Whether a zip is an archive of a remote, and not a whole store: it has a manifest, or folders of a remote.
    private static func isZipOfRemote(_ target: FilePath, _ head: [UInt8]) throws(FileProblem) -> Bool {
        let manifest = Array(ArchiveManifest.memberName.utf8)
        if head.dropFirst(zipHeader).starts(with: manifest) { return true }
        let file = LocalFile(try OwnedDescriptor.file(target))
        let input = ArchiveInput(file, size: Int(try file.status().size), path: target)
        let folders = [RemoteLayout.clientDevices, RemoteLayout.documents]
        return ZipDirectory(input)?.names.contains { name in
            let names = name.split(separator: UInt8(ascii: "/")).map { RemoteName($0) }
            return names.prefix(2).contains { folders.contains($0) }
                || names.contains(RemoteLayout.clientDevices)
        } ?? hasEnding(target)
    }

    /// The bytes before the name of a member of a zip.
    private static let zipHeader = 30
}
