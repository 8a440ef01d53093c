import KeyedArchive
public import SystemCalls
public import SystemPackage
import TICDSCore

/// Waits until a replica may have something to synchronise.
///
/// inotify(7) reports changes by programs on this machine at once; the watch then waits until the folders are quiet. In
/// addition it lists all folders at an interval, since changes on network drives and lost events show only there.
public struct ReplicaWatch {
    /// What changed.
    public enum Cause: String, Sendable, Hashable, CaseIterable {
        /// Clients, their sets or the integrity key changed in the remote.
        case remote
        /// A program wrote to the store: an edit, or the last synchronisation itself.
        case store
        /// `Replica.json` was edited.
        case configuration
    }

    /// How long to wait.
    public struct Settings: Sendable {
        /// Time between two listings of all folders.
        public var interval: Duration = .seconds(60)
        /// A series of changes ends when nothing has changed for this time.
        public var quiet: Duration = .seconds(1)
        /// The longest wait for the end of a series of changes.
        public var longest: Duration = .seconds(10)

        /// A minute between listings; one second of quiet, or ten seconds in all.
        public init() {}
    }

    /// Folders that the system cannot watch; empty before ``begin()``.
    public private(set) var unseen: [FilePath] = []
    private let places: WatchedPlaces
    private let watcher: any FolderWatcher
    private let settings: Settings
    /// The last listing; nil if the next listing counts as a change in any case.
    private var last: WatchedPlaces.Observation?
    private var nextLook: ContinuousClock.Instant
    private static let slice: Duration = .milliseconds(500)

    /// Lists the folders of the replica and its remote; later changes are reported.
    public init(
        _ replica: ReplicaFolder, _ configuration: ReplicaConfiguration, _ watcher: any FolderWatcher,
        _ settings: Settings = Settings()
    ) {
        places = WatchedPlaces(replica, configuration)
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
    /// - Returns: what changed; nil if the wait was interrupted.
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
        last = places.observe()
        return causes
    }

    private mutating func watchFolders() {
        unseen = (places.remoteFolders + [places.replica.path]).filter { !watcher.watch($0) }
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

    /// Nil for files that a synchronisation itself writes into the replica.
    private func cause(_ event: FolderEvents.Event) -> Cause? {
        guard event.folder == places.replica.path else { return .remote }
        guard let name = event.name else { return .configuration }
        if name.bytes.starts(with: places.replica.store.lastComponent?.bytes ?? []) { return .store }
        return name.bytes == places.replica.configuration.lastComponent?.bytes ? .configuration : nil
    }
}

/// The folders of a replica and its remote whose changes a replica synchronises.
struct WatchedPlaces {
    /// Hashes of names, sizes and times, to be compared within one process, since Swift seeds them for each.
    struct Observation: Hashable {
        var remote: Int
        var store: Int
        var configuration: Int
    }

    let replica: ReplicaFolder
    private let document: FilePath
    private let own: RemoteName

    init(_ replica: ReplicaFolder, _ configuration: ReplicaConfiguration) {
        self.replica = replica
        own = RemoteName(configuration.client)
        document = RemoteLayout.document(RemoteName(configuration.document))
            .filePath(under: FilePath(configuration.remote))
    }

    /// Folders of the remote: `SyncChanges`, `SyncCommands`, the folders of the other clients in them, and `IntegrityKey`.
    var remoteFolders: [FilePath] {
        [RemoteLayout.syncChanges, RemoteLayout.syncCommands].flatMap { name in
            let folder = document.pushing(FilePath(nameBytes: name.bytes))
            return [folder] + clients(in: folder)
        } + [document.pushing(FilePath(nameBytes: RemoteLayout.integrityKey.bytes))]
    }

    private func clients(in folder: FilePath) -> [FilePath] {
        var names: [[UInt8]] = []
        // try?: a folder that cannot be opened is listed again at each interval, and the run reports why
        guard let open = try? OwnedDescriptor.folder(folder) else { return [] }
        try? DirectoryReader.forEachEntry(of: open) { name, status in  // try?: the same
            guard case .success(let status) = status, status.kind == .folder else { return }
            names.append(Array(name))
        }
        return names.filter { $0 != own.bytes }.sorted { $0.lexicographicallyPrecedes($1) }
            .map { folder.pushing(FilePath(nameBytes: $0)) }
    }

    func observe() -> Observation {
        var remote = Hasher()
        for folder in remoteFolders { remote.combine(Self.entries(of: folder)) }
        return Observation(
            remote: remote.finalize(), store: Self.state(of: replica.store),
            configuration: Self.state(of: replica.configuration))
    }

    /// A hash of the entries of a folder, independent of their order.
    private static func entries(of folder: FilePath) -> Int {
        var sum = 0
        // try?: counts as a change; the next run reports the reason
        guard let open = try? OwnedDescriptor.folder(folder) else { return -1 }
        try? DirectoryReader.forEachEntry(of: open) { name, status in  // try?: the same
            var entry = Hasher()
            entry.combine(bytes: name)
            if case .success(let status) = status, status.kind == .file {
                entry.combine(status.size)
                entry.combine(status.modified)
            }
            sum = sum &+ entry.finalize()
        }
        return sum
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
