import KeyedArchive
public import SystemCalls
public import SystemPackage

/// What a copy of a remote has put aside, and left there when it ended too early. It waits for the same copy to go on,
/// and nobody needs it when that will not be.
public struct UnfinishedCopy: Sendable, Hashable {
    /// The folder in which it waits.
    public let folder: FilePath
    /// The remote that was copied; nil where that was not written down.
    public let source: FilePath?
    /// When the last file was put there.
    public let modified: FileTime
    /// What was put there.
    public let contents: FileTotals
    /// Whether a process is copying now.
    public let isAtWork: Bool

    static let prefix = "copy-"
    static let lockName: FilePath = "lock"
    static let sourceName: FilePath = "source"
    static let treeName: FilePath = "tree"

    /// Those whose target has the state `state`, the oldest first.
    public static func all(of state: RemoteState) throws(FileProblem) -> [UnfinishedCopy] {
        guard let ground = ground(of: state) else { return [] }
        var found: [UnfinishedCopy] = []
        for entry in try LocalStorage(root: ground).list(.root).listing where entry.kind == .folder {
            guard entry.name.bytes.starts(with: prefix.utf8) else { continue }
            found.append(try UnfinishedCopy(ground.pushing(FilePath(nameBytes: entry.name.bytes))))
        }
        return found.sorted { $0.modified < $1.modified }
    }

    /// Removes those for good that no process is at work on.
    /// - Parameter olderThan: seconds; only those that ended before.
    /// - Returns: which went, or with `isDryRun` would go.
    public static func prune(
        _ state: RemoteState, olderThan: Int64?, isDryRun: Bool
    ) throws(FileProblem) -> [UnfinishedCopy] {
        let now = FileTime.now.seconds
        var gone: [UnfinishedCopy] = []
        for copy in try all(of: state) where !copy.isAtWork {
            if let olderThan, now - copy.modified.seconds <= olderThan { continue }
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
        let source = try? FileBytes.read(folder.pushing(Self.sourceName), limit: 1 << 16)
        self.source = source.map { FilePath(pathBytes: $0.array) }
        modified = try FileStatus.of(folder).modified
        isAtWork = Self.isAtWork(folder)
        let tree = folder.pushing(Self.treeName)
        var contents = FileTotals()
        if (try? FileStatus.of(tree)) != nil {
            try RemoteScanner.scan(LocalStorage(root: tree)).forEachFile(below: .root) {
                contents.add($0.size)
            }
        }
        self.contents = contents
    }

    /// False where a process has begun to go on with it.
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

    /// Removes the folder of a copy, and those around it in which nothing else is.
    static func remove(_ folder: FilePath, _ state: RemoteState) throws(FileProblem) {
        let ground = folder.removingLastComponent()
        if let name = folder.lastComponent {
            try Folders.remove(FilePath(nameBytes: name.bytes), in: try OpenFile.folder(ground))
        }
        if (try? Folders.removeEmpty(ground)) != nil { state.forgetUnused() }
    }

    private static func isAtWork(_ folder: FilePath) -> Bool {
        do throws(FileProblem) {
            _ = try lock(folder)
            return false
        } catch {
            return error.kind == .refused
        }
    }

    private static func lock(_ folder: FilePath) throws(FileProblem) -> FileLock {
        try FileLock(folder.pushing(lockName), wait: 0) { holder in
            FileProblem(.refused, path: folder, "a process is copying", found: holder)
        }
    }

    /// The folder in which copies grow, where there is one.
    private static func ground(of state: RemoteState) -> FilePath? {
        guard let ground = try? StagingGround(state).staging,
            (try? FileStatus.of(ground))?.kind == .folder
        else { return nil }
        return ground
    }
}
