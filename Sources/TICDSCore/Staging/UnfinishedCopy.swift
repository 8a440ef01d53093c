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
        var found: [UnfinishedCopy] = []
        for location in try locations(of: state) {
            for entry in try LocalStorage(root: location).list(.root).whole() where entry.kind == .folder {
                guard entry.name.bytes.starts(with: prefix.utf8) else { continue }
                found.append(try UnfinishedCopy(location.pushing(FilePath(nameBytes: entry.name.bytes))))
            }
        }
        return found.sorted { $0.modified < $1.modified }
    }

    /// Removes those for good that no process is at work on.
    /// - Parameter olderThan: seconds; only those that ended before.
    /// - Returns: which went, or with `isDryRun` would go.
    public static func prune(
        _ state: RemoteState, olderThan: Int64?, isDryRun: Bool
    ) throws(FileProblem) -> [UnfinishedCopy] {
        let now = FileTime.now
        var gone: [UnfinishedCopy] = []
        for copy in try all(of: state) where !copy.isAtWork {
            if let olderThan, now.seconds(since: copy.modified) <= olderThan { continue }
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
        let location = folder.removingLastComponent()
        if let name = folder.lastComponent {
            try Folders.remove(FilePath(nameBytes: name.bytes), in: try OwnedDescriptor.folder(location))
        }
        // try?: there may be more in it
        if (try? Folders.removeEmpty(location)) != nil { state.forgetUnused() }
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
            FileProblem(.refused, path: folder, "a process is copying", found: holder)
        }
    }

    /// The folders in which copies grow, where there are any of ours.
    private static func locations(of state: RemoteState) throws(FileProblem) -> [FilePath] {
        let known = try unlessMissing { () throws(FileProblem) in try StagingLocation(state) }
        guard let location = known else { return [] }
        var locations: [FilePath] = []
        for folder in [location.shared] + (location.trashIsNear ? [] : StagingLocation.former(state)) {
            let ours = try unlessInvalid { () throws(FileProblem) in
                try Folders.checkPrivate(folder, owners: [Machine.userNumber])
                return folder
            }
            if let ours { locations.append(ours) }
        }
        return locations
    }
}
