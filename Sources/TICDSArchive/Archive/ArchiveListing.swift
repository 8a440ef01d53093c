import Base
public import SystemCalls
public import TICDSCore

/// The contents of an archive, as it lists them. With a manifest, only the first member is read.
public struct ArchiveListing: Sendable {
    /// One folder or file.
    public struct Member: Sendable, Hashable {
        /// The path in the remote; without a manifest, the name in the archive.
        public var path: [UInt8]
        /// The role of the file; without a manifest `folder` or `unknown`.
        public var kind: String
        /// The size in bytes; nil for folders, and if the header does not contain the size.
        public var size: Int64?
        /// Modification time.
        public var modified: FileTime
        /// SHA-256 of the bytes; nil without a manifest, and for folders.
        public var digest: [UInt8]?
        /// The earlier archive that contains the file; nil if it is in the archive itself.
        public var base: RemoteName?
    }

    /// "tar" or "zip".
    public private(set) var form: String
    /// The entries, in the order of the archive.
    public var members: Members

    /// The manifest; nil for an archive of a different program.
    public var manifest: ArchiveManifest? { members.manifest }

    /// The entries of an archive. Those of a manifest are made on request.
    public struct Members: RandomAccessCollection, Sendable {
        fileprivate var manifest: ArchiveManifest?
        /// The members of an archive without a manifest.
        fileprivate var others: [Member] = []
        /// The positions of the entries that are left; nil for all.
        private var chosen: [Int]?

        /// Always 0.
        public var startIndex: Int { 0 }
        /// The number of entries.
        public var endIndex: Int { chosen?.count ?? manifest?.entries.count ?? others.count }

        /// The entry at a position.
        public subscript(position: Int) -> Member {
            let position = place(position)
            return manifest.map { Member($0.entries[position], of: $0) } ?? others[position]
        }

        /// The size of an entry in bytes; nil for folders, and if the header does not contain the size.
        public func size(at position: Int) -> Int64? {
            let position = place(position)
            guard let entries = manifest?.entries else { return others[position].size }
            return entries.isFolder(at: position) ? nil : entries.size(at: position)
        }

        /// Modification time of an entry.
        public func modified(at position: Int) -> FileTime {
            let position = place(position)
            return manifest?.entries.modified(at: position) ?? others[position].modified
        }

        /// Leaves only the entries at these positions, in this order.
        public mutating func choose(_ positions: [Int]) {
            if positions.elementsEqual(indices) { return }
            chosen = positions.map(place)
        }

        private func place(_ position: Int) -> Int { chosen?[position] ?? position }
    }

    /// - Parameters:
    ///   - hasDigests: whether the entries get the digests of the manifest.
    ///   - limit: the largest number of members of an archive without a manifest, since all are kept in memory.
    /// - Throws: `.damaged` if it cannot be read, `.unsupported` for a file that is not an archive, `.limit` for too many
    ///   members.
    public init(
        _ origin: ArchiveOrigin, hasDigests: Bool = true, limit: Int = UnpackLimits().entries
    ) throws(FileProblem) {
        let reader = try origin.open()
        form = reader.form
        members = Members()
        var isFirst = true
        while let member = try reader.next() {
            if isFirst,
                let index = try ManifestIndex.read(
                    member, reader, path: origin.path, keepsDigests: hasDigests)
            {
                members.manifest = index.manifest
                return
            }
            isFirst = false
            guard members.others.count < limit else {
                throw FileProblem(
                    .limit, path: origin.path, "the archive contains too many files",
                    expected: "at most \(limit)")
            }
            members.others.append(Member(member))
        }
    }
}

extension ArchiveListing.Member {
    fileprivate init(_ entry: BackupEntry, of manifest: ArchiveManifest) {
        self.init(
            path: entry.path.bytes, kind: entry.role.rawValue, size: entry.isFolder ? nil : entry.size,
            modified: entry.modified, digest: entry.digest, base: entry.base.map { manifest.bases[$0].name })
    }

    fileprivate init(_ member: ArchiveMember) {
        let kind: String
        switch member.kind {
        case .file: kind = "unknown"
        case .folder: kind = "folder"
        case .other(let text): kind = text
        }
        self.init(
            path: member.name, kind: kind, size: member.kind == .file ? member.size : nil,
            modified: member.modified, digest: nil)
    }
}
