public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Waits for something to happen in folders.
public protocol FolderWatcher: AnyObject {
    /// Begins to watch the entries of a folder, not of those below it. Watching it already is no mistake.
    /// - Returns: false where the system cannot tell what happens there, or there is no such folder.
    func watch(_ folder: FilePath) -> Bool

    /// Waits at most so long, less where a signal arrives or something happens.
    func wait(milliseconds: Int32) throws(FileProblem) -> FolderEvents
}

/// What happened in watched folders.
public struct FolderEvents: Sendable, Hashable {
    /// Something that happened to one entry.
    public struct Event: Sendable, Hashable {
        /// The folder that is watched.
        public var folder: FilePath
        /// The entry; nil where something happened to the folder itself.
        public var name: FilePath?

        /// Something that happened in `folder`, to the entry `name`.
        public init(folder: FilePath, name: FilePath?) {
            self.folder = folder
            self.name = name
        }
    }

    /// What happened, in order.
    public var events: [Event]
    /// Whether more happened than the system could keep.
    public var hasGaps: Bool

    /// Events; `hasGaps` where some were lost.
    public init(_ events: [Event] = [], hasGaps: Bool = false) {
        self.events = events
        self.hasGaps = hasGaps
    }
}

/// The watchers of this system.
public enum FolderWatchers {
    /// One that tells what programs of this machine do: on Linux by inotify; elsewhere one that sees nothing.
    public static func make() throws(FileProblem) -> any FolderWatcher {
        #if os(Linux)
            return try InotifyWatcher()
        #else
            return TimerWatcher()
        #endif
    }
}

/// Sees nothing, and only lets time pass: whoever watches has to look again and again.
public final class TimerWatcher: FolderWatcher {
    /// A watcher without folders.
    public init() {}

    /// False: the folder has to be looked at again and again.
    public func watch(_ folder: FilePath) -> Bool { false }

    /// Waits, at most so long; nothing is ever seen.
    public func wait(milliseconds: Int32) throws(FileProblem) -> FolderEvents {
        _ = poll(nil, 0, milliseconds)
        return FolderEvents()
    }
}
