import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Waits until a replica may have something to synchronise.
///
/// What programs of this machine do is seen at once, and waited for until it is quiet; beside that everything is looked
/// at again and again, since changes on network drives, and those that were lost, are seen in no other way.
public struct ReplicaWatch {
    /// Where something happened.
    public enum Cause: String, Sendable, Hashable, CaseIterable {
        /// Clients, their sets or the integrity key changed in the remote.
        case remote
        /// The store was written to: by an edit, or by the last synchronisation itself.
        case store
        /// `Replica.json` was edited.
        case configuration
    }

    /// Times of the wait.
    public struct Settings: Sendable {
        /// Between two looks at everything.
        public var interval: Duration = .seconds(60)
        /// How long nothing has to happen before a series of changes counts as ended.
        public var quiet: Duration = .seconds(1)
        /// How long a series of changes is waited for at most.
        public var longest: Duration = .seconds(10)

        /// A minute between looks, a second of quiet, ten seconds at most.
        public init() {}
    }

    /// Folders of which the system cannot tell what happens there; empty before the first ``begin()``.
    public private(set) var unseen: [FilePath] = []
    private let places: WatchedPlaces
    private let watcher: any FolderWatcher
    private let settings: Settings
    /// Nil where the next look finds a change in any case.
    private var last: WatchedPlaces.Observation?
    private var nextLook: ContinuousClock.Instant

    /// How long a signal may go unheard.
    private static let slice: Duration = .milliseconds(500)

    /// Watches for changes of the replica and its remote, from now on.
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

    /// Begins to watch, before the first synchronisation, so that nothing between the two is lost.
    public mutating func begin() { watchFolders() }

    /// Lets the next look at everything count as a change, after a synchronisation that failed.
    public mutating func tryAgain() { last = nil }

    /// Waits for the next series of changes.
    /// - Parameter isInterrupted: asked often, whether to wait no longer.
    /// - Returns: where something happened; nil where the wait was interrupted.
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
        // New folders are watched before they are read, and what is read next counts as seen.
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

    /// Nil for what a synchronisation itself writes into the replica.
    private func cause(_ event: FolderEvents.Event) -> Cause? {
        guard event.folder == places.replica.path else { return .remote }
        guard let name = event.name else { return .configuration }
        if name.bytes.starts(with: places.replica.store.lastComponent?.bytes ?? []) { return .store }
        return name.bytes == places.replica.configuration.lastComponent?.bytes ? .configuration : nil
    }
}
