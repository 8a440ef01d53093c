import Base
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Plans to put a copy of a remote in its place: as a whole, or as an update of an earlier copy.
public struct CopyPlanner {
    /// The tree that is copied: the remote itself, or a copy of it that has been encrypted or decrypted.
    private let tree: RemoteTree
    private let storage: any RemoteStorage
    private let target: FilePath
    private let place: CopyPlace?
    private let comparesBytes: Bool
    /// The earlier copy, to which --max-delete applies; nil if there is none.
    public let existing: RemoteSnapshot?

    /// - Parameters:
    ///   - storage: of the tree.
    ///   - target: the new remote, absolute and without links, or its address in a storage.
    ///   - place: the target if it is not in a local folder.
    ///   - isUpdating: whether an earlier copy may be there.
    ///   - comparesBytes: whether files of the same size and time are read and compared.
    /// - Throws: `.refused` if the target exists and the copy is not an update, or if source and target have different
    ///   encryption.
    public init(
        _ tree: RemoteTree, from storage: any RemoteStorage, to target: FilePath, _ place: CopyPlace? = nil,
        isUpdating: Bool, comparesBytes: Bool = false
    ) throws(FileProblem) {
        self.tree = tree
        self.storage = storage
        self.target = target
        self.place = place
        self.comparesBytes = comparesBytes
        let there: (any RemoteStorage)?
        if let place {
            there = place.storage
            if let set = try tree.setMisplaced(byRoundingTo: place.timeStep) {
                throw FileProblem(
                    .refused, path: set.filePath(under: tree.root),
                    "the storage of the copy rounds times so that this change set would be applied at another place",
                    advice: "Choose a storage with finer times, or make an archive with ticds-archive export")
            }
        } else {
            let isThere = try FileStatus.ifPresent(target) != nil
            there = isThere ? LocalStorage(root: target) : nil
            if !isThere {
                try RemoteLocation.refuseInside(target, "the copy would lie inside another remote")
            }
        }
        guard let there else {
            existing = nil
            return
        }
        let snapshot = try RemoteSnapshot.take(there)
        if let problem = snapshot.problems.first { throw problem }
        existing = snapshot
        let isEmpty = try snapshot.tree.listing(.root).whole.isEmpty
        guard isUpdating || isEmpty else {
            throw FileProblem(
                .refused, path: target, "there is a folder of that name already",
                advice: "Name another place, or update the earlier copy with --update")
        }
        try EncryptionMatch.check(storage, with: snapshot, in: there)
    }

    /// Lists the tree that is copied.
    /// - Parameter allowed: names, or paths inside the remote, of files that are copied as they are although their
    ///   content is not local.
    /// - Throws: an error if an entry cannot be listed or copied, or is not local: a copy is complete.
    public static func tree(
        of storage: any RemoteStorage, allowing allowed: Set<String> = []
    ) throws(FileProblem) -> RemoteTree {
        let root = storage.root
        let tree = try RemoteScanner.scan(storage)
        if let problem = tree.problems.first { throw problem }
        for (folder, listing) in tree.folders {
            for entry in listing where entry.kind != .folder {
                let path = { folder.appending(entry.name).filePath(under: root) }
                guard entry.kind == .file else {
                    throw FileProblem(
                        .unsupported, path: path(),
                        "a symbolic link, a fifo, a socket or a device cannot be copied",
                        advice: "Move it away by hand; clients cannot use it, either")
                }
                try ReadLimit.anyFile.check(entry.size, path())
            }
        }
        try RemoteSnapshot(tree).refuseAbsence(allowing: allowed)
        return tree
    }

    /// - Parameter staged: the staging folder with the entries that the plan moves to the target.
    public func plan(command: String, summary: String, staged: FilePath) throws(FileProblem) -> Plan {
        var plan = Plan(root: target, command: command, summary: summary)
        guard let existing else {
            let entry = StagedEntry(path: staged, seen: try tree.state(of: .root))
            plan.add(.adopt(path: .root, staged: entry))
            plan.addConsequence(
                place?.isPublishedStepwise == true
                    ? "The files appear one by one, those of the clients last; no file is ever replaced"
                    : "The copy appears complete, in one step, with the times of the files")
            return plan
        }
        var counts = Counts()
        try add(.root, existing, staged, &plan, &counts)
        // Storages do not keep the times of folders.
        if place == nil {
            let times = (try storage.status(of: .root).modified, try FileStatus.of(target).modified)
            addTime(.root, times.0, before: times.1, &plan)
            try addTimes(below: .root, existing, &plan)
        }
        if !plan.actions.isEmpty {
            plan.explain(
                "\(counted(counts.new, "new file")), \(counts.changed) changed, \(counts.gone) gone, \(counts.same) unchanged"
            )
            if counts.gone > 0 {
                plan.warn(
                    "Everything that is in the copy but not in the source goes to the trash, even what clients of the copy wrote"
                )
            }
        }
        return plan
    }

    /// The entries that a plan takes from the tree.
    public static func entries(of plan: Plan) -> [RemotePath] {
        plan.actions.compactMap { action in
            switch action.kind {
            case .adopt(let path, _), .replaceFile(let path, .staged, _, _): path
            default: nil
            }
        }
    }

    private struct Counts {
        var new = 0
        var changed = 0
        var gone = 0
        var same = 0
    }

    private func add(
        _ folder: RemotePath, _ existing: RemoteSnapshot, _ staged: FilePath, _ plan: inout Plan,
        _ counts: inout Counts
    ) throws(FileProblem) {
        let entries = try tree.listing(folder).whole
        for old in try existing.tree.listing(folder).whole where entries[old.name] == nil {
            let path = folder.appending(old.name)
            let seen = try existing.tree.state(of: path)
            plan.add(.moveToTrash(path: path, seen: seen), because: "not in the source")
            counts.gone += seen.files ?? 1
        }
        for entry in entries {
            let path = folder.appending(entry.name)
            let new = StagedEntry(path: path.filePath(under: staged), seen: try tree.state(of: path))
            guard let old = try existing.tree[path].whole else {
                plan.add(.adopt(path: path, staged: new))
                counts.new += new.seen.files ?? 1
                continue
            }
            if entry.kind == .folder, old.kind == .folder {
                try add(path, existing, staged, &plan, &counts)
                continue
            }
            let seen = try existing.tree.state(of: path)
            if entry.kind != .file || old.kind != .file {
                plan.add(.moveToTrash(path: path, seen: seen), because: "of another kind in the source")
                plan.add(.adopt(path: path, staged: new))
                counts.changed += new.seen.files ?? 1
            } else if try isSame(path, entry, old) {
                counts.same += 1
            } else {
                plan.add(.replaceFile(path: path, content: .staged(new), modified: nil, seen: seen))
                counts.changed += 1
            }
        }
    }

    /// Adds the times of folders that existed before.
    private func addTimes(
        below folder: RemotePath, _ existing: RemoteSnapshot, _ plan: inout Plan
    ) throws(FileProblem) {
        for entry in try tree.listing(folder).whole where entry.kind == .folder {
            let path = folder.appending(entry.name)
            guard let old = try existing.tree[path].whole, old.kind == .folder else { continue }
            addTime(path, entry.modified, before: old.modified, &plan)
            try addTimes(below: path, existing, &plan)
        }
    }

    private func addTime(
        _ folder: RemotePath, _ modified: FileTime, before: FileTime, _ plan: inout Plan
    ) {
        if modified == before { return }
        plan.add(.setTime(path: folder, modified: modified, seen: .folder(modified: before)))
    }

    private func isSame(
        _ path: RemotePath, _ one: FolderEntry, _ other: FolderEntry
    ) throws(FileProblem) -> Bool {
        guard one.size == other.size else { return false }
        if let place {
            guard other.modified.isRounding(of: one.modified, to: place.timeStep) else { return false }
            if !comparesBytes { return true }
            return try storage.open(path).hasSameBytes(as: place.contents.open(path))
        }
        guard one.modified == other.modified else { return false }
        if !comparesBytes { return true }
        return try storage.open(path)
            .hasSameBytes(as: LocalStorage(root: target).open(path))
    }
}

/// The target of a copy that is not in a local folder.
public struct CopyPlace: Sendable {
    /// The folder as it was listed; nil if it does not exist yet, or if the copy is published stepwise.
    public var storage: (any RemoteStorage)?
    /// The folder at this moment, without a cache.
    public var contents: any RemoteStorage
    /// The smallest difference between two times that the storage keeps, in nanoseconds.
    public var timeStep: Int64
    /// Whether a new copy cannot appear in one step.
    public var isPublishedStepwise: Bool

    /// A place, which may be empty.
    public init(
        storage: (any RemoteStorage)?, contents: any RemoteStorage, timeStep: Int64,
        isPublishedStepwise: Bool = false
    ) {
        self.storage = storage
        self.contents = contents
        self.timeStep = timeStep
        self.isPublishedStepwise = isPublishedStepwise
    }
}
