public import SystemCalls
import SystemPackage
import TICDSCore

/// The contents of an archive, as it lists them. With a manifest, only the first member is read.
public struct ArchiveListing: Sendable {
    /// One folder or file.
    public struct Member: Sendable, Hashable {
        /// The path in the remote; without a manifest, the name in the archive.
        public var path: [UInt8]
        /// The role of the file; without a manifest `folder` or `unknown`.
        public var kind: String
        /// Bytes; nil for folders, and if the header does not contain the size.
        public var size: Int64?
        /// Modification time.
        public var modified: FileTime
        /// SHA-256 of the bytes; nil without a manifest, and for folders.
        public var digest: [UInt8]?
    }

    /// The manifest; nil for an archive of another program.
    public private(set) var manifest: ArchiveManifest?
    /// "tar" or "zip".
    public private(set) var form: String
    /// The entries, in the order of the archive.
    public private(set) var members: [Member] = []

    /// - Parameter limit: how many members an archive without a manifest may have, since all are kept in memory.
    /// - Throws: `.damaged` if it cannot be read, `.unsupported` for a file that is not an archive, `.limit` for too many
    ///   members.
    public init(_ origin: ArchiveOrigin, limit: Int = UnpackLimits().entries) throws(FileProblem) {
        let reader = try origin.open()
        form = reader.form
        var isFirst = true
        while let member = try reader.next() {
            if isFirst, let index = try ManifestIndex.read(member, reader, path: origin.path) {
                manifest = index.manifest
                members = index.manifest.entries.map(Member.init)
                return
            }
            isFirst = false
            guard members.count < limit else {
                throw FileProblem(
                    .limit, path: origin.path, "the archive contains too many files",
                    expected: "at most \(limit)")
            }
            members.append(Member(member))
        }
    }
}

extension ArchiveListing.Member {
    fileprivate init(_ entry: ArchivedEntry) {
        self.init(
            path: entry.path.bytes, kind: entry.role.rawValue, size: entry.isFolder ? nil : entry.size,
            modified: entry.modified, digest: entry.digest)
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
