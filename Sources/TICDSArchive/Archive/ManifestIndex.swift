import Base
import SystemCalls
import SystemPackage
import TICDSCore

/// The entries of a manifest, marked as seen while the members of the archive are read.
struct ManifestIndex {
    let manifest: ArchiveManifest
    /// SHA-256 of the manifest's text.
    let digest: [UInt8]
    /// Positions by path; nil if the entries are sorted by path, as in manifests that ticds wrote, and binary search
    /// finds them.
    private var positions: [RemotePath: Int]?
    private var isSeen: [Bool]
    /// The position after the entry that was taken last.
    private var next = 0

    /// The position of the entry that was taken last.
    var lastTaken: Int { next - 1 }

    /// - Throws: `.damaged` if the manifest names an entry twice.
    init(_ manifest: ArchiveManifest, digest: [UInt8] = [], path: FilePath) throws(FileProblem) {
        self.manifest = manifest
        self.digest = digest
        isSeen = Array(repeating: false, count: manifest.entries.count)
        if manifest.entries.areSorted { return }
        var positions: [RemotePath: Int] = [:]
        positions.reserveCapacity(manifest.entries.count)
        for position in manifest.entries.indices {
            let entry = manifest.entries.path(at: position)
            guard positions.updateValue(position, forKey: entry) == nil else {
                throw .damagedArchive(
                    path, expected: "each entry once in the manifest", found: "\(entry) twice")
            }
        }
        self.positions = positions
    }

    /// The position of the entry with this path.
    /// - Parameter next: the position that is compared first, since paths usually come in order.
    func position(of path: RemotePath, next: Int) -> Int? {
        let entries = manifest.entries
        if next < entries.count, entries.has(path, at: next) { return next }
        return if let positions { positions[path] } else { entries.sortedPosition(of: path) }
    }

    /// Reads the manifest from the first member of an archive; nil if that is an ordinary member.
    /// - Parameter keepsDigests: whether the entries get their digests.
    static func read(
        _ member: ArchiveMember, _ reader: any MemberReader, path: FilePath, keepsDigests: Bool = true
    ) throws(FileProblem) -> ManifestIndex? {
        guard member.kind == .file, member.name.elementsEqual(ArchiveManifest.memberName.utf8) else {
            return nil
        }
        var text = ManifestReader(keepsDigests: keepsDigests)
        var digest = try ManifestDigest(path: path)
        var count = 0
        try reader.content { (piece) throws(FileProblem) in
            count +|= piece.count
            guard count <= ArchiveManifest.sizeLimit else {
                throw FileProblem(
                    .unsupported, path: path, "the manifest is too large",
                    expected: "at most \(ArchiveManifest.sizeLimit) bytes")
            }
            digest.add(piece)
            text.add(piece)
        }
        let read = try text.finish(digest.value, path: path)
        return try ManifestIndex(read.manifest, digest: read.digest, path: path)
    }

    /// The entry for a member, which is marked as seen; a failure if the member does not match.
    mutating func take(_ path: RemotePath, _ member: ArchiveMember) -> Result<
        BackupEntry, MemberPath.Refusal
    > {
        guard path.names.first == manifest.application,
            let position = position(of: RemotePath(Array(path.names.dropFirst())), next: next)
        else { return .failure(.init("a member that is not in the manifest")) }
        let entry = manifest.entries[position]
        guard entry.base == nil else {
            return .failure(.init("a member that is in an earlier archive, according to the manifest"))
        }
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

    /// The entry for a member of an earlier archive, which is marked as seen; nil if the manifest does not take the
    /// file from that archive.
    mutating func take(_ path: RemotePath, fromBase number: Int) -> BackupEntry? {
        guard path.names.first == manifest.application,
            let position = position(of: RemotePath(Array(path.names.dropFirst())), next: next),
            !isSeen[position], manifest.entries.base(at: position) == number
        else { return nil }
        isSeen[position] = true
        next = position + 1
        return manifest.entries[position]
    }

    /// Entries without a member, except entries of earlier archives.
    var missing: [BackupEntry] { unmatched { manifest.entries.base(at: $0) == nil } }

    /// Entries without a member, including those of earlier archives.
    var unmatched: [BackupEntry] { unmatched { _ in true } }

    private func unmatched(_ isWanted: (Int) -> Bool) -> [BackupEntry] {
        isSeen.indices.filter { !isSeen[$0] && isWanted($0) }.map { manifest.entries[$0] }
    }
}
