import SystemCalls
import SystemPackage
import TICDSCore

/// The entries of a manifest, marked as seen while the members of the archive are read.
struct ManifestIndex {
    let manifest: ArchiveManifest
    /// Positions by path; nil if the entries are sorted by path, as our own manifests are, and binary search finds them.
    private var positions: [RemotePath: Int]?
    private var isSeen: [Bool]
    /// The entry that is expected next.
    private var next = 0

    /// - Parameter path: the archive, for errors.
    /// - Throws: `.damaged` if the manifest names an entry twice.
    init(_ manifest: ArchiveManifest, path: FilePath) throws(FileProblem) {
        self.manifest = manifest
        isSeen = Array(repeating: false, count: manifest.entries.count)
        if zip(manifest.entries, manifest.entries.dropFirst()).allSatisfy({ $0.path < $1.path }) { return }
        var positions: [RemotePath: Int] = [:]
        positions.reserveCapacity(manifest.entries.count)
        for (position, entry) in manifest.entries.enumerated() {
            guard positions.updateValue(position, forKey: entry.path) == nil else {
                throw .damagedArchive(
                    path, expected: "each entry once in the manifest", found: "\(entry.path) twice")
            }
        }
        self.positions = positions
    }

    private func position(of path: RemotePath) -> Int? {
        let entries = manifest.entries
        if next < entries.count, entries[next].path == path { return next }
        if let positions { return positions[path] }
        var range = entries.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if entries[middle].path == path { return middle }
            range =
                entries[middle].path < path
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// Reads the manifest from the first member of an archive; nil if that is an ordinary member.
    static func read(
        _ member: ArchiveMember, _ reader: any MemberReader, path: FilePath
    ) throws(FileProblem) -> ManifestIndex? {
        guard member.kind == .file, member.name.elementsEqual(ArchiveManifest.memberName.utf8) else {
            return nil
        }
        var bytes: [UInt8] = []
        try reader.content { (piece) throws(FileProblem) in
            guard bytes.count + piece.count <= ArchiveManifest.sizeLimit else {
                throw FileProblem(
                    .limit, path: path, "the manifest is too large",
                    expected: "at most \(ArchiveManifest.sizeLimit) bytes")
            }
            bytes += piece
        }
        return try ManifestIndex(try ManifestReader.read(bytes, path: path), path: path)
    }

    /// The entry for a member, which is marked as seen; a failure if the member does not fit.
    mutating func take(_ path: RemotePath, _ member: ArchiveMember) -> Result<
        ArchivedEntry, MemberPath.Refusal
    > {
        guard path.names.first == manifest.application,
            let position = position(of: RemotePath(Array(path.names.dropFirst())))
        else { return .failure(.init("a member that is not in the manifest")) }
        let entry = manifest.entries[position]
        guard !isSeen[position] else { return .failure(.init("a member that occurs twice")) }
        isSeen[position] = true
        next = position + 1
        guard entry.isFolder == (member.kind == .folder) else {
            return .failure(.init("a member of another kind than the manifest says"))
        }
        if let size = member.size, size != entry.size {
            return .failure(.init("a member of another size than the manifest says"))
        }
        return .success(entry)
    }

    /// The entries that were not seen.
    var missing: [ArchivedEntry] { zip(manifest.entries, isSeen).filter { !$0.1 }.map(\.0) }
}
