import Base
import Cryptography
public import SystemCalls
import SystemPackage
public import TICDSCore

/// The contents of an archive or a remote, path by path, for searching and comparing.
public struct ArchiveContents: Sendable {
    /// A folder or file. A file has a digest only if it was requested.
    public typealias Entry = BackupEntry

    /// The entries, sorted by path.
    public private(set) var entries = BackupEntries()
    /// The members of an archive without a manifest, until all were read.
    private var members: [RemotePath: Entry] = [:]
    /// The manifest of an archive that ticds wrote.
    public private(set) var manifest: ArchiveManifest?
    /// Descriptions of documents by their identifiers, as far as they are unencrypted.
    public private(set) var documents: [RemoteName: String] = [:]
    /// Descriptions of clients by their identifiers, as far as they are unencrypted.
    public private(set) var clients: [RemoteName: String] = [:]
    /// Whether the times are those of an archive of a program that writes no fractions of seconds.
    private(set) var hasWholeSeconds = false
    /// Whether files are encrypted.
    public private(set) var isEncrypted = false
    /// The errors of entries that could not be read; these are not among ``entries``.
    public private(set) var problems: [FileProblem] = []
    /// The paths of the entries that could not be read.
    private(set) var unread: Set<RemotePath> = []

    /// The contents of an archive. With a manifest, only the manifest is read, unless descriptions are wanted.
    /// - Parameters:
    ///   - digests: whether files of an archive without a manifest get a digest, for which the whole archive is read.
    ///   - descriptions: whether to read on for descriptions of documents and clients.
    /// - Throws: `.refused` for a hostile name, `.limit` for too many members, `.damaged` for a damaged archive.
    public init(
        of origin: ArchiveOrigin, digests: Bool, descriptions: Bool, limit: Int = UnpackLimits().entries
    ) throws(FileProblem) {
        let reader = try origin.open()
        var isFirst = true
        var count = 0
        while let member = try reader.next() {
            if isFirst {
                isFirst = false
                manifest = try ManifestIndex.read(member, reader, path: origin.path)?.manifest
                if let manifest {
                    entries = manifest.entries.sortedByPath()
                    isEncrypted = manifest.isEncrypted
                    if !descriptions { return }
                    continue
                }
            }
            count += 1
            guard count <= limit else {
                throw FileProblem(
                    .limit, path: origin.path, "the archive contains too many files",
                    expected: "at most \(limit)")
            }
            try read(member, reader, origin.path, digests && manifest == nil, descriptions)
        }
        if manifest == nil {
            strip()
            isEncrypted = members[RemoteLayout.saltPath] != nil
            entries = BackupEntries(members.values.sorted { $0.path < $1.path })
            members = [:]
            hasWholeSeconds = entries.allSatisfy { $0.modified.nanoseconds == 0 }
        }
        if let manifest, !manifest.bases.isEmpty { try describe(manifest, origin) }
    }

    /// Reads the descriptions that earlier archives contain.
    private mutating func describe(_ manifest: ArchiveManifest, _ origin: ArchiveOrigin) throws(FileProblem) {
        let chain = try ArchiveChain(manifest, of: origin)
        for number in manifest.bases.indices {
            let entries = manifest.entries
            var wanted = Set(
                entries.indices.filter { position in
                    entries.base(at: position) == number
                        && [.documentInfo, .deviceInfo].contains(entries.role(at: position))
                }.map { entries.path(at: $0) })
            if wanted.isEmpty { continue }
            do throws(FileProblem) {
                let opened = try chain.open(number)
                while !wanted.isEmpty, let member = try opened.reader.next() {
                    guard case .success(let path) = MemberPath.path(of: member.name),
                        wanted.remove(Self.withoutApplication(path, manifest)) != nil
                    else { continue }
                    try read(member, opened.reader, opened.path, false, true)
                }
            } catch {
                problems.append(error)
            }
        }
    }

    private mutating func read(
        _ member: ArchiveMember, _ reader: any MemberReader, _ archive: FilePath, _ digests: Bool,
        _ descriptions: Bool
    ) throws(FileProblem) {
        let path: RemotePath
        switch MemberPath.path(of: member.name) {
        case .success(let found): path = found
        case .failure(let refusal): throw .hostile(archive, member.name, refusal.problem)
        }
        let inside = Self.withoutApplication(path, manifest)
        let isFile = member.kind == .file
        let role = FileRole(of: inside, kind: isFile ? .file : member.kind == .folder ? .folder : .special)
        var hash = try SHA256(for: archive)
        var size: Int64 = 0
        var text: [UInt8] = []
        let isDescription = descriptions && (role == .documentInfo || role == .deviceInfo)
        if isFile, digests || isDescription {
            let most = ReadLimit.information.bytes
            try reader.content { piece in
                if digests { hash.update(piece) }
                size += Int64(piece.count)
                if isDescription, text.count <= most { text += piece }
            }
            if isDescription, text.count <= most { describe(inside, role, SharedBytes(text)) }
        }
        guard manifest == nil else { return }
        guard members[path] == nil || member.kind == .folder else {
            throw .hostile(archive, member.name, "a member that occurs twice")
        }
        members[path] = Entry(
            path: path, role: role, size: isFile ? member.size ?? size : 0, modified: member.modified,
            digest: isFile && digests ? hash.finalize() : nil)
    }

    /// The path below the remote: without the application identifier, which is the first name of every member.
    private static func withoutApplication(_ path: RemotePath, _ manifest: ArchiveManifest?) -> RemotePath {
        let first = path.names.first
        let isTop = first.map { RemoteLayout.topNames.contains($0) } ?? true
        return manifest == nil && isTop ? path : RemotePath(Array(path.names.dropFirst()))
    }

    /// The remote among the members, if there is one.
    private var remote: RemotePath? {
        func parents(of part: RemoteName) -> Set<RemotePath> {
            Set(
                members.keys.lazy.flatMap { path in
                    path.names.indices.filter { path.names[$0] == part }.map {
                        RemotePath(Array(path.names[..<$0]))
                    }
                })
        }
        let both = parents(of: RemoteLayout.clientDevices).intersection(parents(of: RemoteLayout.documents))
        return both.count == 1 ? both.first : nil
    }

    /// Gives the members their paths in the remote, if one is among them, and otherwise in their common folder.
    private mutating func strip() {
        let tops = Set(members.keys.lazy.compactMap(\.names.first))
        let isInFolder = tops.count == 1 && tops.isDisjoint(with: RemoteLayout.topNames)
        let place = remote ?? (isInFolder ? RemotePath(Array(tops)) : .root)
        if place.names.isEmpty { return }
        var stripped: [RemotePath: Entry] = [:]
        for var entry in members.values
        where !place.names.starts(with: entry.path.names) || entry.path == place {
            if entry.path.names.starts(with: place.names) {
                entry.path = RemotePath(Array(entry.path.names.dropFirst(place.names.count)))
                if entry.role == .unknown { entry.role = FileRole(of: entry.path, kind: .file) }
            }
            stripped[entry.path] = entry
        }
        members = stripped
    }

    private mutating func describe(_ path: RemotePath, _ role: FileRole, _ bytes: SharedBytes) {
        guard path.names.count > 1 else { return }
        let name = path.names[1]
        if role == .documentInfo {
            // try?: encrypted, or damaged; the identifier replaces it
            documents[name] = (try? DocumentInfo(bytes, path: "-"))?.description
        } else {
            // try?: as above
            clients[name] = (try? DeviceInfo(bytes, path: "-"))?.description
        }
    }
}

extension ArchiveContents {
    /// The contents of a remote.
    /// - Parameter digests: the digests of these files; all other files get none.
    public init(
        of storage: any RemoteStorage, digestsOf isWanted: (Entry) -> Bool,
        progress: (Int64) -> Void = { _ in }
    ) throws(FileProblem) {
        let snapshot = try RemoteSnapshot.take(storage).listed.whole
        isEncrypted = snapshot.isEncrypted
        let source = ExportSource(storage, snapshot, decryptingWith: nil)
        entries.append(Entry(path: .root, role: .folder, size: 0, modified: FileTime(seconds: 0)))
        try add(.root, snapshot.tree, source, isWanted, progress)
        entries = entries.sortedByPath()
    }

    private mutating func add(
        _ folder: RemotePath, _ tree: RemoteTree, _ source: ExportSource, _ isWanted: (Entry) -> Bool,
        _ progress: (Int64) -> Void
    ) throws(FileProblem) {
        for listed in tree.listing(folder).part {
            let path = folder.appending(listed.name)
            var entry = Entry(
                path: path, role: FileRole(of: path, kind: listed.kind),
                size: listed.kind == .file ? listed.size : 0, modified: listed.modified)
            if listed.kind == .file, isWanted(entry) {
                do throws(FileProblem) {
                    var hash = try SHA256(for: path.filePath(under: source.storage.root))
                    _ = try source.read(path, isDecrypted: false) { hash.update($0) }
                    entry.digest = hash.finalize()
                    progress(entry.size)
                } catch {
                    problems.append(error)
                    unread.insert(path)
                    continue
                }
            }
            entries.append(entry)
            if listed.kind == .folder { try add(path, tree, source, isWanted, progress) }
        }
    }
}

extension ArchiveContents {
    /// Whether an entry, or a folder around it, was left out when the archive was made.
    fileprivate func lacks(_ path: RemotePath) -> Bool { manifest?.leftOut(at: path) != nil }
}

/// A difference between two contents.
public struct ArchiveDifference: Sendable, Hashable {
    /// The kind of difference.
    public enum Kind: String, Sendable, CaseIterable {
        /// Only the second contains the entry.
        case added
        /// Only the first contains the entry.
        case removed
        /// The bytes differ.
        case changed
        /// Only the times differ.
        case time
        /// One side has a folder, the other a file.
        case kind
        /// One side has no digest, because the file could not be read.
        case unread
        /// One side lacks the entry, because it was left out when the archive was made.
        case unknown
        /// One side lacks the entry by design: that archive is of a part of the remote to which the entry does not
        /// belong.
        case notPart

        /// Whether the two sides are known to differ.
        public var isDifference: Bool { ![.unread, .unknown, .notPart].contains(self) }
    }

    /// The kind of difference.
    public var kind: Kind
    /// The entry on the first side; nil if it is missing there.
    public var before: ArchiveContents.Entry?
    /// The entry on the second side; nil if it is missing there.
    public var after: ArchiveContents.Entry?

    /// The path below the remote.
    public var path: RemotePath { after?.path ?? before?.path ?? .root }

    /// The differences, by path. Times of folders are left out: every copy changes them.
    public static func between(_ one: ArchiveContents, _ other: ArchiveContents) -> [ArchiveDifference] {
        let unread = one.unread.union(other.unread)
        let wholeSeconds = one.hasWholeSeconds || other.hasWholeSeconds
        let all = [one.entries, other.entries].lazy.flatMap { $0.lazy.map(\.path) }
        let choices = [one, other].map { ExportSelection(of: $0.manifest, all) }
        var differences: [ArchiveDifference] = []
        BackupEntries.forEachPair(one.entries, other.entries) { before, after in
            guard var kind = kind(before, after, wholeSeconds) else { return }
            let path = after?.path ?? before?.path ?? .root
            if unread.contains(path) {
                kind = .unread
            } else if kind == .added && one.lacks(path) || kind == .removed && other.lacks(path) {
                kind = .unknown
            } else if kind == .added && !choices[0].includes(path)
                || kind == .removed && !choices[1].includes(path)
            {
                kind = .notPart
            }
            differences.append(ArchiveDifference(kind: kind, before: before, after: after))
        }
        return differences
    }

    private static func kind(
        _ before: ArchiveContents.Entry?, _ after: ArchiveContents.Entry?, _ wholeSeconds: Bool
    ) -> Kind? {
        guard let before else { return .added }
        guard let after else { return .removed }
        guard (before.role == .folder) == (after.role == .folder) else { return .kind }
        if before.role == .folder { return nil }
        if before.size != after.size { return .changed }
        guard let one = before.digest, let other = after.digest else { return .unread }
        if one != other { return .changed }
        let isSame =
            wholeSeconds
            ? before.modified.seconds == after.modified.seconds : before.modified == after.modified
        return isSame ? nil : .time
    }
}
