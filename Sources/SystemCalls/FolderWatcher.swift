import Glibc
public import SystemPackage

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

/// Watches folders by inotify(7).
public final class InotifyWatcher: FolderWatcher {
    private let descriptor: CInt
    private var folders: [CInt: FilePath] = [:]

    /// Entries that are created, written, renamed or removed; and the folder itself, renamed or removed.
    private static let wanted =
        IN_CREATE | IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
        | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR

    /// A watcher without folders. Throws `.limit` if the system grants no more inotify instances.
    public init() throws(FileProblem) {
        descriptor = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
        guard descriptor >= 0 else {
            throw FileProblem(
                .limit, path: "/proc/sys/fs/inotify/max_user_instances", "no more folders can be watched",
                found: "\(Errno(rawValue: errno))", advice: "Raise the number in that file")
        }
    }

    deinit { _ = close(descriptor) }

    /// Watches a folder; returns false for a network file system, whose remote changes inotify does not report.
    public func watch(_ folder: FilePath) -> Bool {
        if NetworkFileSystem.name(of: folder) != nil { return false }
        let number = folder.withPlatformString {
            inotify_add_watch(descriptor, $0, UInt32(truncatingIfNeeded: Self.wanted))
        }
        guard number >= 0 else { return false }
        folders[number] = folder
        return true
    }

    /// Waits for `milliseconds` and reports nothing.
    public func wait(milliseconds: Int32) throws(FileProblem) -> FolderEvents {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, milliseconds) > 0 else { return FolderEvents() }
        var result = FolderEvents()
        var bytes = [UInt8](repeating: 0, count: 65_536)
        // ends: when nothing is left to read
        while true {
            let count = uninterrupted { read(descriptor, &bytes, bytes.count) }
            guard count > 0 else { return result }
            add(bytes[..<count], to: &result)
        }
    }

    private func add(_ bytes: ArraySlice<UInt8>, to result: inout FolderEvents) {
        let size = MemoryLayout<inotify_event>.size
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset + size <= buffer.count {
                let head = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let end = min(offset + size + Int(head.len), buffer.count)
                let name = buffer[(offset + size)..<end].prefix { $0 != 0 }
                offset = end
                if head.mask & UInt32(IN_Q_OVERFLOW) != 0 {
                    result.hasGaps = true
                    continue
                }
                guard let folder = folders[head.wd] else { continue }
                if head.mask & UInt32(IN_IGNORED) != 0 { folders[head.wd] = nil }
                result.events.append(
                    FolderEvents.Event(
                        folder: folder, name: name.isEmpty ? nil : FilePath(pathBytes: Array(name))))
            }
        }
    }
}
