public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Waits for changes in folders.
public protocol FolderWatcher: AnyObject {
    /// Begins to watch the entries of a folder, but not those of its subfolders. A second call for the same folder is
    /// harmless.
    /// - Returns: false if the system cannot report changes there, or the folder does not exist.
    func watch(_ folder: FilePath) -> Bool

    /// Waits for changes, at most `milliseconds`. A signal ends the wait early.
    func wait(milliseconds: Int32) throws(FileProblem) -> FolderEvents
}

/// Changes in watched folders.
public struct FolderEvents: Sendable, Hashable {
    /// A change of one entry.
    public struct Event: Sendable, Hashable {
        /// The watched folder.
        public var folder: FilePath
        /// The name of the entry; nil if the change concerns the folder itself.
        public var name: FilePath?
    }

    /// The changes, in order.
    public var events: [Event] = []
    /// Whether the system dropped changes because its queue was full.
    public var hasGaps = false
}

/// Makes the watcher of this system.
public enum FolderWatchers {
    /// A watcher for changes by programs of this machine: inotify(7) on Linux, a ``TimerWatcher`` elsewhere.
    public static func make() throws(FileProblem) -> any FolderWatcher {
        #if os(Linux)
            return try InotifyWatcher()
        #else
            return TimerWatcher()
        #endif
    }
}

/// A watcher that reports nothing and only lets time pass; the caller must list the folders again.
public final class TimerWatcher: FolderWatcher {
    /// A watcher without folders.
    public init() {}

    /// Always false: the caller must list the folder again.
    public func watch(_ folder: FilePath) -> Bool { false }

    /// Waits for `milliseconds` and reports nothing.
    public func wait(milliseconds: Int32) throws(FileProblem) -> FolderEvents {
        _ = poll(nil, 0, milliseconds)
        return FolderEvents()
    }
}
