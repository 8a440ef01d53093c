import Base
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Waits until a replica may have something to synchronise.
///
/// inotify(7) reports changes by local programs at once; the watch then waits until the folders are quiet. In addition
/// it lists all folders at an interval, which is the only way to find changes on network drives and lost events. A
/// remote in a storage is only listed at the interval.
public struct ReplicaWatch {
    /// The cause of a wake-up.
    public enum Cause: String, Sendable, Hashable, CaseIterable {
        /// Clients, their sets or the integrity key changed in the remote.
        case remote
        /// A program wrote to the store: an edit, or the last synchronisation itself.
        case store
        /// `Replica.json` was edited.
        case configuration
    }

    /// The durations of a watch.
    public struct Settings: Sendable {
        /// Time between two listings of all folders.
        public var interval: Duration = .seconds(60)
        /// A series of changes ends when nothing has changed for this time.
        public var quiet: Duration = .seconds(1)
        /// The longest wait for the end of a series of changes.
        public var longest: Duration = .seconds(10)

        /// Settings with a minute between listings; one second of quiet, or ten seconds in all.
        public init() {}
    }

    /// Folders that the system cannot watch; empty before ``begin()``.
    public private(set) var unwatched: [FilePath] = []
    private let places: WatchedPlaces
    private let watcher: any FolderWatcher
    private let settings: Settings
    /// The last listing; nil if the next listing counts as a change in any case.
    private var last: WatchedPlaces.Observation?
    private var nextLook: ContinuousClock.Instant
    private static let slice: Duration = .milliseconds(500)

    /// Lists a remote that is not in a local folder, as it is now.
    public typealias ListRemote = @Sendable () throws(FileProblem) -> any RemoteStorage

    /// Lists the folders of the replica and its remote; the watch reports later changes.
    /// - Parameter elsewhere: lists a remote in a storage; nil for a remote in a local folder.
    public init(
        _ replica: ReplicaFolder, _ configuration: ReplicaConfiguration, _ watcher: any FolderWatcher,
        _ settings: Settings = Settings(), elsewhere: ListRemote? = nil
    ) {
        places = WatchedPlaces(replica, configuration, elsewhere: elsewhere)
        self.watcher = watcher
        self.settings = settings
        last = places.observe()
        nextLook = .now + settings.interval
    }

    /// Starts watching. Call it before the first synchronisation, so that no change in between is lost.
    public mutating func begin() { watchFolders() }

    /// Makes the next listing count as a change. Call it after a synchronisation that failed.
    public mutating func tryAgain() { last = nil }

    /// Waits for the next series of changes.
    /// - Parameter isInterrupted: called twice a second; true ends the wait.
    /// - Returns: the causes; nil if the wait was interrupted.
    public mutating func next(isInterrupted: () -> Bool) throws(FileProblem) -> Set<Cause>? {
        watchFolders()
        var causes: Set<Cause> = []
        while causes.isEmpty {
            if isInterrupted() { return nil }
            causes = try wait(until: min(nextLook, .now + Self.slice))
            if !causes.isEmpty {
                causes.formUnion(try untilQuiet(isInterrupted))
            } else if .now >= nextLook {
                causes = lookAgain()
                watchFolders()
            }
        }
        // Watch new folders before they are listed, so that no change falls between the two.
        watchFolders()
        last = places.observe(remote: places.isElsewhere ? last?.remote : nil)
        return causes
    }

    private mutating func watchFolders() {
        unwatched = (places.remoteFolders + [places.replica.path]).filter { !watcher.watch($0) }
    }

    private mutating func lookAgain() -> Set<Cause> {
        nextLook = .now + settings.interval
        let observation = places.observe()
        defer { self.last = observation }
        guard let last else { return [.remote] }
        var causes: Set<Cause> = []
        if observation.remote != last.remote { causes.insert(.remote) }
        if observation.store != last.store { causes.insert(.store) }
        if observation.configuration != last.configuration { causes.insert(.configuration) }
        return causes
    }

    private func untilQuiet(_ isInterrupted: () -> Bool) throws(FileProblem) -> Set<Cause> {
        var causes: Set<Cause> = []
        let end = ContinuousClock.now + settings.longest
        var quiet = ContinuousClock.now + settings.quiet
        while !isInterrupted(), .now < min(quiet, end) {
            let more = try wait(until: min(quiet, end, .now + Self.slice))
            if !more.isEmpty { quiet = .now + settings.quiet }
            causes.formUnion(more)
        }
        return causes
    }

    private func wait(until moment: ContinuousClock.Instant) throws(FileProblem) -> Set<Cause> {
        let left = ContinuousClock.now.duration(to: moment) / .milliseconds(1)
        let events = try watcher.wait(milliseconds: Int32(saturating: max(1, left.rounded(.up))))
        var causes = Set(events.events.compactMap(cause))
        if events.hasGaps { causes.formUnion([.remote, .store]) }
        return causes
    }

    /// The cause of an event; nil for files that a synchronisation itself writes into the replica.
    private func cause(_ event: FolderEvents.Event) -> Cause? {
        guard event.folder == places.replica.path else { return .remote }
        guard let name = event.name else { return .configuration }
        if name.bytes.starts(with: places.replica.store.lastComponent?.bytes ?? []) { return .store }
        return name.bytes == places.replica.configuration.lastComponent?.bytes ? .configuration : nil
    }
}

/// The folders of a replica and its remote that are watched for changes.
struct WatchedPlaces {
    /// Hashes of names, sizes and times, comparable only within one process, since Swift seeds them in each process.
    struct Observation: Hashable {
        var remote: Int
        var store: Int
        var configuration: Int
    }

    let replica: ReplicaFolder
    /// Whether the remote is not in a local folder, so that no events report its changes.
    let isElsewhere: Bool
    private let document: RemotePath
    private let own: RemoteName
    private let remote: () throws(FileProblem) -> any RemoteStorage

    init(
        _ replica: ReplicaFolder, _ configuration: ReplicaConfiguration, elsewhere: ReplicaWatch.ListRemote?
    ) {
        self.replica = replica
        own = RemoteName(configuration.client)
        document = RemoteLayout.document(RemoteName(configuration.document))
        isElsewhere = elsewhere != nil
        let root = FilePath(configuration.remote)
        remote = elsewhere ?? { LocalStorage(root: root) }
    }

    /// Folders of the remote: `SyncChanges`, `SyncCommands`, the folders of the other clients in them, and `IntegrityKey`.
    private func folders(of storage: any RemoteStorage) -> [RemotePath] {
        [RemoteLayout.syncChanges, RemoteLayout.syncCommands].flatMap { name in
            let folder = document.appending(name)
            // try?: a folder that cannot be listed is listed again at each interval, and the run reports why
            let entries = (try? storage.list(folder))?.listing ?? FolderListing()
            return [folder]
                + entries.filter { $0.kind == .folder && $0.name != own }.map { folder.appending($0.name) }
        } + [document.appending(RemoteLayout.integrityKey)]
    }

    /// The folders that the system can watch.
    var remoteFolders: [FilePath] {
        // try?: a local folder opens nothing
        guard !isElsewhere, let storage = try? remote() else { return [] }
        return folders(of: storage).map { $0.filePath(under: storage.root) }
    }

    /// - Parameter known: the hash of the remote, if it need not be listed again.
    func observe(remote known: Int? = nil) -> Observation {
        Observation(
            remote: known ?? observeRemote(), store: Self.state(of: replica.store),
            configuration: Self.state(of: replica.configuration))
    }

    private func observeRemote() -> Int {
        // try?: counts as a change; the next run reports the reason
        guard let storage = try? remote() else { return -1 }
        var hasher = Hasher()
        for folder in folders(of: storage) { hasher.combine(Self.entries(of: folder, storage)) }
        return hasher.finalize()
    }

    /// A hash of the entries of a folder.
    private static func entries(of folder: RemotePath, _ storage: any RemoteStorage) -> Int {
        // try?: counts as a change; the next run reports the reason
        guard let contents = try? storage.list(folder) else { return -1 }
        var hasher = Hasher()
        hasher.combine(contents.problems.count)
        for entry in contents.listing {
            hasher.combine(entry.name)
            guard entry.kind == .file else { continue }
            hasher.combine(entry.size)
            hasher.combine(entry.modified)
        }
        return hasher.finalize()
    }

    private static func state(of file: FilePath) -> Int {
        // try?: counts as a change; the next run reports the reason
        guard let status = try? FileStatus.of(file) else { return 0 }
        var state = Hasher()
        state.combine(status.inode)
        state.combine(status.size)
        state.combine(status.modified)
        return state.finalize()
    }
}
