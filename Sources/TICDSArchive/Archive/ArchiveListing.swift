public import SystemCalls
import SystemPackage
import TICDSCore

/// What an archive says that it holds. With a manifest only its first member is read.
public struct ArchiveListing: Sendable {
    /// One folder or file.
    public struct Member: Sendable, Hashable {
        /// Below the root of the remote; without a manifest, the name in the archive.
        public var path: [UInt8]
        /// What it is for; without a manifest `folder` or `unknown`.
        public var kind: String
        /// Bytes; nil where only reading it tells, and for folders.
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
    /// What is in the archive, in its order.
    public private(set) var members: [Member] = []

    /// - Throws: `.damaged` where it cannot be read so far, `.unsupported` for what is no archive.
    public init(_ origin: ArchiveOrigin) throws(FileProblem) {
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
