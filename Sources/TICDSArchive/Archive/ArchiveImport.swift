public import SystemCalls
import SystemPackage
public import TICDSCore
public import TICDSOperations

/// An archive that was unpacked into a private folder and checked, and that will become a remote.
public struct IncomingArchive {
    /// The manifest; nil for an archive of a different program.
    public let manifest: ArchiveManifest?
    /// The unpacked remote.
    public private(set) var staged: StagedRemote
    /// The application identifier; nil if the archive does not contain it.
    public let application: RemoteName?
    /// Files whose times the volume could not keep.
    public let changedTimes: ChangedTimes
    /// Entries beside the remote that are not imported.
    public let others: [RemotePath]
    /// Keeps the files on disk until the plan has been carried out.
    private let place: IncomingFolder

    /// Unpacks and checks an archive. After an error all unpacked files are removed.
    /// - Parameters:
    ///   - check: takes the application identifier once it is known, and throws if the remote cannot be created.
    /// - Throws: `.refused` for a hostile archive, `.damaged` for a damaged one, `.notARemote` for an archive without a
    ///   remote.
    public init(
        _ origin: ArchiveOrigin, for state: RemoteState, limits: UnpackLimits,
        check: (RemoteName) throws(FileProblem) -> Void = { _ in }, progress: (Int64, Int64?) -> Void
    ) throws(FileProblem) {
        let place = try IncomingFolder(state)
        self.place = place
        (manifest, changedTimes) = try Unpacker.unpack(
            origin, into: place.path, model: place.model, limits: limits,
            check: { (manifest) throws(FileProblem) in try check(manifest.application) }, progress: progress)
        let top = try LocalStorage(root: place.path).list(.root).whole()
        if let manifest {
            application = manifest.application
            staged = StagedRemote(
                root: RemotePath([manifest.application]).filePath(under: place.path), model: place.model)
            others = []
            guard top[manifest.application]?.kind == .folder else { throw Self.noRemote(origin) }
            return
        }
        let unpacked = LocalStorage(root: place.path)
        let remotes = try Self.remotes(in: unpacked, top)
        guard let found = remotes.first else { throw Self.noRemote(origin) }
        guard remotes.count == 1 else {
            throw FileProblem(
                .ambiguous, path: origin.path, "contains several remotes", expected: "one remote",
                found: remotes.map(\.description).listed(10), advice: "Unpack it, and name one of them")
        }
        if found.names.isEmpty {
            application = nil
            others = []
            staged = try Self.moved(place)
        } else {
            application = found.names.last
            others = try Self.entries(beside: found, in: unpacked)
            staged = StagedRemote(root: found.filePath(under: place.path), model: place.model)
        }
    }

    /// The remote among unpacked files: the folder itself, or the only one below it; otherwise all that are deeper.
    private static func remotes(
        in unpacked: LocalStorage, _ top: FolderListing
    ) throws(FileProblem) -> [RemotePath] {
        do throws(FileProblem) {
            let found = try RemoteLocation.find(in: unpacked.root, top) { (folder) throws(FileProblem) in
                try unpacked.entriesIfPresent(of: folder)
            }
            return [found]
        } catch {
            if error.isUnread { throw error }
            return try RemoteLocation.remotes(below: .root) { (folder) throws(FileProblem) in
                try unpacked.list(folder).whole()
            }
        }
    }

    /// The entries beside a remote, and beside the folders around it.
    private static func entries(
        beside remote: RemotePath, in unpacked: LocalStorage
    ) throws(FileProblem) -> [RemotePath] {
        var others: [RemotePath] = []
        var folder = RemotePath.root
        for name in remote.names {
            others += try unpacked.list(folder).whole().map(\.name).filter { $0 != name }.map {
                folder.appending($0)
            }
            folder = folder.appending(name)
        }
        return others
    }

    private static func moved(_ place: IncomingFolder) throws(FileProblem) -> StagedRemote {
        let folder = try OwnedDescriptor.folder(place.path)
        let names = try LocalStorage(root: place.path).list(.root).whole().map(\.name)
        let inner = FilePath(".ticds-remote")
        try folder.makeFolder(inner, mode: 0o700)
        let target = try folder.folder(inner)
        for name in names {
            let name = FilePath(nameBytes: name.bytes)
            try folder.move(name, to: target, as: name)
        }
        try target.adopt(like: place.model)
        return StagedRemote(root: place.path.pushing(inner), model: place.model)
    }

    /// Renames documents and clients, then encrypts; see `StagedRemote`.
    /// - Parameters:
    ///   - keyring: decrypts the files that contain identifiers; only called if there are renames.
    public func change(
        _ renames: IdentifierRenames, keyring: () throws(FileProblem) -> RemoteKeyring,
        _ secret: EncryptionSecret?, application: RemoteName
    ) throws(FileProblem) {
        if renames.isEmpty, secret == nil { return }
        if !renames.isEmpty { try staged.rename(renames, keyring: try keyring()) }
        if let secret { try staged.encrypt(secret, application: application) { _, _ in } }
        try OwnedDescriptor.folder(staged.root).syncVolume()
    }

    private static func noRemote(_ origin: ArchiveOrigin) -> FileProblem {
        FileProblem(
            .notARemote, path: origin.path, "there is no remote in the archive",
            expected: "a folder with ClientDevices and Documents in it",
            advice: "ticds-archive list shows what the archive contains")
    }
}

/// Files whose modification times differ from the archive, because the volume rounds them or cannot store them.
public struct ChangedTimes: Sendable, Hashable {
    /// The number of files.
    public private(set) var count = 0
    /// The first one, in words.
    public private(set) var first = ""
    /// Whether one of them has a completely different time, such as a year that the volume cannot store, and not only a
    /// rounded one.
    public private(set) var areWrong = false

    mutating func add(_ member: [UInt8], _ wanted: FileTime, _ found: FileTime) {
        // Volumes round to two seconds at most.
        if !(-2...2).contains(found.seconds(since: wanted)) { areWrong = true }
        if count == 0 { first = "\(RemoteName(member)): \(found.iso) in the place of \(wanted.iso)" }
        count += 1
    }
}
