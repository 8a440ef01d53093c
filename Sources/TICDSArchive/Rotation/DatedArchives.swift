public import SystemCalls
public import SystemPackage
public import TICDSCore

/// The snapshots in a folder: those of one remote, which retention counts, and all others, which it leaves alone.
public struct DatedArchives: Sendable {
    /// The reason why a snapshot is neither counted nor removed.
    public enum Reason: String, Sendable, CaseIterable {
        /// The name has the identifier of a different remote.
        case otherRemote
        /// The name has no identifier: a user or a different program chose it.
        case unidentified
        /// The time is in the future.
        case future
        /// The entry is a folder, a link or a special file.
        case notAFile
        /// The archive has no manifest, or its manifest belongs to a different remote than its name.
        case misnamed
        /// The archive shares no integrity key with the snapshots of this remote.
        case otherKeys
        /// The archive contains only a part of the remote.
        case incomplete
        /// The archive could not be read, or is damaged.
        case unreadable
    }

    /// A snapshot that is not counted.
    public struct LeftAlone: Sendable, Hashable {
        /// The archive.
        public let archive: DatedArchiveName
        /// The reason.
        public let reason: Reason
        /// The error, if the reason is `unreadable`.
        public let problem: FileProblem?

        /// A snapshot that is not counted.
        public init(_ archive: DatedArchiveName, _ reason: Reason, _ problem: FileProblem? = nil) {
            self.archive = archive
            self.reason = reason
            self.problem = problem
        }
    }

    /// The archives that count, from the oldest to the newest, including the new one if it exists.
    public private(set) var own: [RotationFolder.File] = []
    /// All other archives, in the same order.
    public private(set) var leftAlone: [LeftAlone] = []
    /// The names of archives on which the counted ones depend.
    public private(set) var bases: [DatedArchiveName: Set<RemoteName>] = [:]
    /// The names of archives on which other archives in the folder depend: uncounted and foreign ones.
    public private(set) var basesOfOthers: Set<RemoteName> = []
    /// The reason why ``basesOfOthers`` is unknown: an uncounted archive could not be read. Nothing may be removed
    /// then.
    public private(set) var problemOfOthers: FileProblem?

    /// Lists a folder.
    /// - Parameters:
    ///   - new: the snapshot that was just written, or would be; later ones are in the future.
    ///   - keys: its integrity keys; nil to go by names alone, and open no archive.
    ///   - newBases: the names of the archives on which it depends.
    public init(
        _ folder: RotationFolder, _ identity: RemoteIdentity, new: DatedArchiveName, keys: Set<String>?,
        newBases: Set<RemoteName> = []
    ) throws(FileProblem) {
        bases[new] = newBases
        var found: [(file: RotationFolder.File, keys: Set<String>)] = []
        for entry in try folder.entries(of: new.application) {
            let archive = entry.archive
            let file: RotationFolder.File
            switch entry.status {
            case .success(let status): file = RotationFolder.File(archive: archive, status: status)
            case .failure(.noSuchFileOrDirectory): continue
            case .failure(let number):
                let problem = FileProblem(number, path: folder.path(of: archive))
                leftAlone.append(LeftAlone(archive, .unreadable, problem))
                continue
            }
            if archive == new {
                own.append(file)
            } else if let reason = Self.reason(file, identity, new) {
                leftAlone.append(LeftAlone(archive, reason))
            } else if keys == nil {
                own.append(file)
            } else {
                do throws(FileProblem) {
                    let manifest = try folder.manifest(of: archive)
                    if let reason = manifest.reason(not: archive) {
                        leftAlone.append(LeftAlone(archive, reason))
                    } else if let manifest {
                        found.append((file, manifest.keys))
                        bases[archive] = Set(manifest.bases.map(\.name))
                    }
                } catch {
                    if error.kind == .missing { continue }
                    leftAlone.append(LeftAlone(archive, .unreadable, error))
                }
            }
        }
        add(found, sharing: (keys ?? []).union(identity.adoptedKeys))
        if keys != nil {
            do throws(FileProblem) {
                basesOfOthers = try folder.names(
                    onWhichOthersRest: Set(own.map(\.archive.name) + [new.name]))
            } catch {
                problemOfOthers = error
            }
        }
        own.sort { $0.archive < $1.archive }
        leftAlone.sort { $0.archive < $1.archive }
    }

    /// Adds the archives that share a key with the new one, directly or through other archives.
    private mutating func add(
        _ found: [(file: RotationFolder.File, keys: Set<String>)], sharing keys: Set<String>
    ) {
        var keys = keys
        var rest = found
        // ends: when a round finds none; each takes archives out of the rest
        while true {
            let related = rest.filter { !$0.keys.isDisjoint(with: keys) }
            if related.isEmpty { break }
            rest.removeAll { !$0.keys.isDisjoint(with: keys) }
            own += related.map(\.file)
            for one in related { keys.formUnion(one.keys) }
        }
        leftAlone += rest.map { LeftAlone($0.file.archive, .otherKeys) }
    }

    /// The reason why a file does not count, without opening it; nil if it may count.
    private static func reason(
        _ file: RotationFolder.File, _ identity: RemoteIdentity, _ new: DatedArchiveName
    ) -> Reason? {
        if !identity.claims(file.archive), file.archive.identifier != nil { return .otherRemote }
        if file.status.kind != .file { return .notAFile }
        if file.archive.time > new.time { return .future }
        return identity.claims(file.archive) ? nil : .unidentified
    }
}

extension ArchiveManifest? {
    /// The reason why an archive with this manifest does not count as the snapshot of its name; nil if it does.
    fileprivate func reason(not archive: DatedArchiveName) -> DatedArchives.Reason? {
        guard let manifest = self, manifest.application == archive.application,
            manifest.remote == archive.identifier
        else { return .misnamed }
        return manifest.scope.isEverything && manifest.leftOut.isEmpty ? nil : .incomplete
    }
}

extension RotationFolder {
    /// The manifest of a snapshot; nil if its first member is not a manifest.
    func manifest(of archive: DatedArchiveName) throws(FileProblem) -> ArchiveManifest? {
        let origin = ArchiveOrigin.plainFile(path(of: archive))
        let reader = try origin.open()
        guard let member = try reader.next() else {
            throw FileProblem(
                .damaged, path: origin.path, "the archive is empty",
                advice: "Remove it by hand, or get another copy")
        }
        return try ManifestIndex.read(member, reader, path: origin.path)?.manifest
    }

    /// Reads a snapshot to its end and compares it with its manifest. Returns the first fault; nil if it is undamaged
    /// and has not changed since it was listed.
    public func problem(of file: File, progress: (Int64, Int64?) -> Void) -> FileProblem? {
        let path = path(of: file.archive)
        do throws(FileProblem) {
            // The archives on which it depends are kept, and read separately.
            let check = try ArchiveCheck(.plainFile(path), readsBases: false, progress: progress)
            if let problem = check.problem(of: path) { return problem }
            guard check.manifest != nil else { return .damagedArchive(path, found: "no manifest") }
            guard try FileStatus.of(path) == file.status else {
                return FileProblem(.changedWhileReading, path: path, "the archive changed while it was read")
            }
            return nil
        } catch { return error }
    }

    /// The adoption that makes a snapshot, and others with the same identifier, count for a remote.
    /// - Parameter named: a file in this folder.
    /// - Throws: `.refused` for a file that is not a snapshot of this app in this folder.
    public func adoption(_ named: FilePath, of application: RemoteName) throws(FileProblem)
        -> RemoteIdentity.Adoption
    {
        guard let name = named.lastComponent, try named.parent.resolved() == path,
            let archive = DatedArchiveName(RemoteName(name.bytes), of: application)
        else {
            throw FileProblem(
                .refused, path: named, "not a snapshot of \(application) in \(path)",
                expected: "a name such as \(application)-20261121T030000Z.tar.zst",
                advice: "Name an archive that lies in the folder")
        }
        let manifest = try manifest(of: archive)
        guard manifest.reason(not: archive) != .misnamed, let manifest else {
            throw FileProblem(
                .refused, path: named, "the manifest and the name of the archive belong to different remotes",
                expected: "\(application), \(archive.identifier ?? "no identifier")",
                found: manifest.map { "\($0.application), \($0.remote ?? "no identifier")" } ?? "no manifest",
                advice: "Find out where it comes from, and keep it elsewhere")
        }
        return RemoteIdentity.Adoption(archive: archive, keys: manifest.keys)
    }
}
