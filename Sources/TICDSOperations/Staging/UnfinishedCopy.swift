import Base
import Cryptography
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// The remains of an interrupted copy of a remote. They wait until the same copy continues; otherwise they are not
/// needed.
public struct UnfinishedCopy: Sendable, Hashable {
    /// The folder with the copied entries.
    public let folder: FilePath
    /// The remote that was copied; nil if it was not recorded.
    public let source: FilePath?
    /// The time at which the last file was copied.
    public let modified: FileTime
    /// The totals of the copied entries.
    public let contents: FileTotals
    /// Whether a process is copying now.
    public let isAtWork: Bool

    static let prefix = "copy-"
    static let lockName: FilePath = "lock"
    static let sourceName: FilePath = "source"
    static let treeName: FilePath = "tree"

    /// The unfinished copies whose target has the state `state`, the oldest first.
    public static func all(of state: RemoteState) throws(FileProblem) -> [UnfinishedCopy] {
        guard let location = try location(of: state) else { return [] }
        var found: [UnfinishedCopy] = []
        for entry in try LocalStorage(root: location).list(.root).whole() where entry.kind == .folder {
            guard entry.name.bytes.starts(with: prefix.utf8) else { continue }
            found.append(try UnfinishedCopy(location.pushing(FilePath(nameBytes: entry.name.bytes))))
        }
        return found.sorted { $0.modified < $1.modified }
    }

    /// Permanently removes the unfinished copies that no process is working on.
    /// - Parameter olderThan: seconds; only copies that ended before are removed.
    /// - Returns: the removed copies; with `isDryRun` those that would be removed.
    public static func prune(
        _ state: RemoteState, olderThan: Int64?, isDryRun: Bool
    ) throws(FileProblem) -> [UnfinishedCopy] {
        let now = FileTime.now
        var gone: [UnfinishedCopy] = []
        for copy in try all(of: state) where !copy.isAtWork {
            if let olderThan, now.seconds(since: copy.modified) < olderThan { continue }
            if isDryRun {
                gone.append(copy)
            } else if try copy.remove(state) {
                gone.append(copy)
            }
        }
        return gone
    }

    private init(_ folder: FilePath) throws(FileProblem) {
        self.folder = folder
        let source = try unlessMissing { () throws(FileProblem) in
            try FileBytes.read(folder.pushing(Self.sourceName), limit: .note)
        }
        self.source = source.map { FilePath(pathBytes: $0.array) }
        modified = try FileStatus.of(folder).modified
        isAtWork = try Self.isAtWork(folder)
        let tree = folder.pushing(Self.treeName)
        var contents = FileTotals()
        if try FileStatus.ifPresent(tree) != nil {
            let scanned = try RemoteScanner.scan(LocalStorage(root: tree))
            if let problem = scanned.problems.first(where: \.isUnread) { throw problem }
            scanned.forEachFile(below: .root) {
                contents.add($0.size)
            }
        }
        self.contents = contents
    }

    /// Removes the copy; returns false if a process has begun to continue it.
    private func remove(_ state: RemoteState) throws(FileProblem) -> Bool {
        do throws(FileProblem) {
            let lock = try Self.lock(folder)
            try Self.remove(folder, state)
            _ = consume lock
            return true
        } catch  where error.kind == .refused {
            return false
        }
    }

    /// Removes the folder of a copy, and the folders around it that are otherwise empty.
    static func remove(_ folder: FilePath, _ state: RemoteState) throws(FileProblem) {
        let location = folder.removingLastComponent()
        if let name = folder.lastComponent {
            try PrivateDirectory.remove(
                FilePath(nameBytes: name.bytes), in: try OwnedDescriptor.folder(location))
        }
        // try?: there may be more in it
        if (try? PrivateDirectory.removeEmpty(location)) != nil { state.forgetUnused() }
    }

    private static func isAtWork(_ folder: FilePath) throws(FileProblem) -> Bool {
        do throws(FileProblem) {
            _ = try lock(folder)
            return false
        } catch  where error.kind == .refused {
            return true
        }
    }

    private static func lock(_ folder: FilePath) throws(FileProblem) -> FileLock {
        try FileLock(folder.pushing(lockName), wait: 0) { holder in
            FileProblem(
                .refused, path: folder, "a process is writing this copy", found: holder,
                advice: "Wait until it has finished, or end it")
        }
    }

    /// The folder in which copies grow; nil if there is none that ticds made.
    private static func location(of state: RemoteState) throws(FileProblem) -> FilePath? {
        let known = try unlessMissing { () throws(FileProblem) in try StagingLocation(state) }
        guard let location = known else { return nil }
        let ours = try unlessInvalid { () throws(FileProblem) in
            try PrivateDirectory.checkPrivate(location.shared, owners: [HostIdentity.userNumber])
            return location.shared
        }
        return ours
    }
}

/// A private folder in which the copy of a remote grows, on the volume of the new remote. Unlike an ``IncomingFolder``
/// it stays when the process ends, so that the next process can continue the same copy.
public final class CopyFolder {
    /// Owner, group and mode of copied entries.
    public let model: FileStatus
    /// The folder in which the copy grows. It may contain what an earlier process copied.
    public let tree: FilePath
    private let folder: FilePath
    private let state: RemoteState
    private let lock: FileLock

    /// The file that is being written.
    static let part: FilePath = "part"

    /// - Parameters:
    ///   - state: the state of the new remote.
    ///   - source: the remote that is copied, absolute and without links.
    /// - Throws: `.refused` if another process is copying the same remote to the same place.
    public init(_ state: RemoteState, source: FilePath) throws(FileProblem) {
        model = try state.model()
        try state.makeKnown()
        let digest = hexadecimalDigits(of: SHA256.hash(source.bytes).prefix(6))
        let location = try StagingLocation(state).shared
        let folder = location.appending("\(UnfinishedCopy.prefix)\(digest)")
        try PrivateDirectory.make(folder)
        for folder in [location, folder] {
            try PrivateDirectory.checkPrivate(folder, owners: [HostIdentity.userNumber])
        }
        lock = try FileLock(folder.pushing(UnfinishedCopy.lockName), wait: 0) { holder in
            FileProblem(
                .refused, path: state.root, "another command is making the same copy in this place",
                found: holder,
                advice: "Wait until it has ended")
        }
        lock.write(holder: HostIdentity.holder("ticds-remote copy"))
        let sourceFile = folder.pushing(UnfinishedCopy.sourceName)
        if try FileStatus.ifPresent(sourceFile) == nil {
            try AtomicFile.write(source.bytes, to: sourceFile)
        }
        self.folder = folder
        self.state = state
        tree = folder.pushing(UnfinishedCopy.treeName)
        try PrivateDirectory.make(tree)
    }

    /// The folder around the copy.
    func open() throws(FileProblem) -> OwnedDescriptor { try OwnedDescriptor.folder(folder) }

    /// Moves the copy to a folder that is removed with the process.
    public func move(to place: IncomingFolder) throws(FileProblem) -> FilePath {
        try open().move("tree", to: try OwnedDescriptor.folder(place.path), as: "tree")
        return place.path.appending("tree")
    }

    /// Removes the remains of the copy.
    public func discard() throws(FileProblem) { try UnfinishedCopy.remove(folder, state) }
}
