import SystemCalls
import SystemPackage
import TICDSCore

/// One operation that is being staged, carried out or undone.
struct OperationRun {
    let places: OperationPaths
    let storage: any OperationStorage
    let watch: ExecutionWatch
    let lock: any StorageLock

    init(
        _ places: OperationPaths, _ storage: any WritableStorage, _ watch: ExecutionWatch,
        _ lock: any StorageLock
    ) {
        self.places = places
        self.storage = storage.operation(at: places)
        self.watch = watch
        self.lock = lock
    }

    private var worker: ActionWorker { ActionWorker(places: places, storage: storage) }

    /// Checks everything, and stages everything new. The remote does not change.
    /// - Returns: what each action will put into the remote, and the times of the folders around what changes.
    func prepare(
        _ plan: Plan, _ recoder: (any ContentRecoder)?
    ) throws(FileProblem) -> (made: MadeStates, folderTimes: [RemotePath: FileTime]) {
        let actions = plan.actions
        let timed = Self.timedFolders(actions)
        try PlanCheck(worker: worker).checkAll(plan)
        try places.make()
        try storage.makeStaging()
        let staging = try Staging(places, storage, recoder)
        try storage.rehearse(actions, timed)
        var made = MadeStates()
        for (position, action) in actions.enumerated() {
            try stopIfAsked()
            if let state = try staging.prepare(position, action.kind) {
                made[position] = try storage.stage(places.new(position), made: state)
            }
            // Half of an action is its preparation.
            watch.progress((position + 1) / 2, actions.count)
        }
        try syncPlaces()
        for folder in [places.staging, places.state.trash] { try OwnedDescriptor.folder(folder).sync() }
        var times: [RemotePath: FileTime] = [:]
        for folder in timed { times[folder] = try storage.contents.statusIfPresent(of: folder)?.modified }
        return (made, times)
    }

    /// The folders around the entries that change, and the folders that get a different time, sorted by path.
    private static func timedFolders(_ actions: PlanActions) -> [RemotePath] {
        var folders: Set<RemotePath> = []
        for action in actions {
            let path = action.kind.path
            if case .setTime(_, _, let seen) = action.kind, seen.kind == .folder {
                folders.insert(path)
            } else if !path.names.isEmpty {
                folders.insert(path.parent)
            }
        }
        return folders.sorted()
    }

    /// Does every action that has not been done. An action is on disk before the next one of a different kind begins.
    func act(_ steps: JournaledSteps) throws(FileProblem) {
        var unsynced: PlanAction.Kind?
        for (position, step) in steps.enumerated() {
            try stopIfAsked()
            let change = step.action.kind
            if let last = unsynced, !change.canShareSync(with: last) { try sync(around: last.path) }
            if try !worker.isDone(position, change) { try worker.act(position, change) }
            unsynced = change
            watch.progress((steps.count + position + 1) / 2, steps.count)
        }
        if let last = unsynced { try sync(around: last.path) }
    }

    /// Records that the operation is done, and cleans up.
    func finishForward(_ journal: borrowing Journal, _ steps: JournaledSteps) throws(FileProblem) {
        try setFolderTimes(journal, asWantedBy: steps)
        for (position, step) in steps.enumerated() where places.copiesToTrash {
            guard let seen = step.action.kind.takenAway else { continue }
            try copyToTrash(position, seen)
        }
        let trash = steps.indices.lazy.compactMap { [places] position -> (Int, FileTotals)? in
            guard places.keepsTrash, let seen = steps[position].action.kind.takenAway else { return nil }
            return (position, FileTotals(count: seen.files ?? 1, bytes: seen.size))
        }
        try syncPlaces()
        try places.state.noteEncryption(after: steps, areDone: true, storage.contents)
        try places.state.noteKeys(storage.contents)
        try journal.finish(places.number, .done, trash: trash)
        // The operation is done. The next operation removes what the following steps leave behind.
        let restored = steps.compactMap(\.action.kind.restored)
        if !places.trashIsNear {
            for place in restored { try? EntryPlace.trash(place, places.state).clear() }  // try?: it is done
        }
        try? journal.emptyTrash(in: restored)  // try?: it is done
        try? Self.clean(places, storage)  // try?: the next operation cleans up
    }

    /// Copies what an action took away to the trash on another volume.
    private func copyToTrash(_ position: Int, _ seen: EntryState) throws(FileProblem) {
        let trash = places.trash(position)
        try fetch(places.old(position), toTrash: trash)
        guard try trash.contents != seen else { return }
        let old = places.old(position)
        guard try storage.state(of: .slot(old)) == seen else { throw .changed(places.entry(old).path) }
        throw FileProblem(
            .refused, path: trash.folder.pushing(trash.name),
            "the volume of the trash cannot keep the files unchanged, for example because it cannot hold their times",
            advice: "Set XDG_STATE_HOME to a folder on the volume of the remote")
    }

    /// Copies an entry into a place of the trash. An interrupted process may have left a part there.
    func fetch(_ old: StagedSlot, toTrash trash: EntryPlace) throws(FileProblem) {
        try trash.clear()
        try storage.fetch(old, to: trash)
    }

    /// Ends an operation that the journal could not record as prepared, before the remote changed; returns the error to
    /// report.
    ///
    /// SQLite may report an error although the transaction took effect, so the journal may say that the operation runs.
    /// Staged entries are therefore removed only after the journal says that the operation has ended: recovery would
    /// take an empty slot for an action that was done.
    func giveUp(_ journal: borrowing Journal, after problem: FileProblem) -> FileProblem {
        do throws(FileProblem) {
            try journal.finish(places.number, .rolledBack, problem: problem.description)
        } catch {
            return unnoted(problem, journal)
        }
        try? discard()  // try?: what is left over goes with the next operation
        return problem
    }

    private func unnoted(_ problem: FileProblem, _ journal: borrowing Journal) -> FileProblem {
        var report = problem
        report.problem += "; the remote is as it was before, but the journal cannot be written"
        report.advice =
            "Make room for \(journal.state.folder.escaped), then run: ticds-journal recover --back REMOTE"
        return report
    }

    /// Undoes everything after a failure, even if the journal cannot be written; returns the error to report.
    /// - Parameter mayBeDone: whether the operation has tried to record its end. SQLite may report an error although
    ///   the transaction took effect; an operation that is done in the journal stays done.
    func rollBack(
        _ journal: borrowing Journal, _ steps: JournaledSteps, after problem: FileProblem, mayBeDone: Bool
    ) -> FileProblem {
        var isNoted = true
        do throws(FileProblem) {
            do throws(FileProblem) {
                try journal.rollingBack(places.number, because: problem.description)
            } catch {
                isNoted = false
                if mayBeDone, try journal.operation(places.number).state == .done {
                    var report = problem
                    report.problem +=
                        "; everything was done, but a power failure may undo the record of it in the journal"
                    report.advice = "Remove the cause, then run: ticds-journal recover REMOTE"
                    return report
                }
            }
            try revertChanges(journal, steps)
        } catch {
            var report = problem
            let why = error == problem ? "" : " (undoing it failed: \(error.problem), \(error.path.escaped))"
            report.problem += "; the operation is unfinished" + why
            report.advice =
                "Remove the cause, then run: ticds-journal recover REMOTE (or, to keep it as it is now, "
                + "recover --leave)"
            return report
        }
        do throws(FileProblem) {
            if !isNoted { try journal.rollingBack(places.number, because: problem.description) }
            try journal.finish(places.number, .rolledBack)
        } catch {
            return unnoted(problem, journal)
        }
        try? discard()  // try?: what is left over goes with the next operation
        return problem
    }

    /// Undoes every action that has been done, the last one first.
    func revert(_ journal: borrowing Journal, _ steps: JournaledSteps) throws(FileProblem) {
        try revertChanges(journal, steps)
        try journal.finish(places.number, .rolledBack)
        try? discard()  // try?: what is left over goes with the next operation
    }

    private func revertChanges(
        _ journal: borrowing Journal, _ steps: JournaledSteps
    ) throws(FileProblem) {
        for position in steps.indices.reversed() {
            let step = steps[position]
            let change = step.action.kind
            watch.progress(steps.count - position, steps.count)
            guard try worker.isDone(position, change) else { continue }
            try worker.revert(position, change, made: step.made)
            try sync(around: change.path)
        }
        try setFolderTimes(journal, asWantedBy: JournaledSteps())
        try places.state.noteEncryption(after: steps, areDone: false, storage.contents)
    }

    /// Removes the staged entries, and the copies in the trash, of an operation that leaves the remote as it was.
    func discard() throws(FileProblem) {
        try places.check()
        try Self.remove(places.trashFolder)
        try Self.clean(places, storage)
    }

    /// Whether the completed actions took away the entries that the plan names.
    func tookWhatWasSeen(_ steps: JournaledSteps) throws(FileProblem) -> Bool {
        for (position, step) in steps.enumerated() {
            guard case .moveToTrash(_, let seen) = step.action.kind else { continue }
            let old = StoragePlace.slot(places.old(position))
            if try storage.isThere(old), try storage.state(of: old) != seen { return false }
        }
        return true
    }

    /// Removes the staging folder of an operation, and the folder around all staging folders if it is empty.
    static func clean(_ places: OperationPaths, _ storage: any OperationStorage) throws(FileProblem) {
        try storage.removeStaging()
        try remove(places.stagingFolder)
        guard try PrivateDirectory.exists(places.staging) else { return }
        try? PrivateDirectory.removeEmpty(places.staging)  // try?: there may be more in it
        // Never removes the folder around a remote.
        if places.trashIsNear {
            // try?: there may be more in it
            try? PrivateDirectory.removeEmpty(places.state.folder.appending("staging"))
        }
    }

    static func remove(_ folder: FilePath) throws(FileProblem) {
        guard try PrivateDirectory.exists(folder), let name = folder.lastComponent else { return }
        try PrivateDirectory.remove(
            FilePath(nameBytes: name.bytes), in: OwnedDescriptor.folder(folder.removingLastComponent()))
    }

    /// Gives folders the times that the steps set, and all other changed folders their former times.
    private func setFolderTimes(
        _ journal: borrowing Journal, asWantedBy steps: JournaledSteps
    ) throws(FileProblem) {
        var wanted: [RemotePath: FileTime] = [:]
        for step in steps {
            guard case .setTime(let path, let modified, _) = step.action.kind else { continue }
            wanted[path] = modified
        }
        for (path, before) in try journal.folderTimes(of: places.number) {
            let modified = wanted[path] ?? before
            guard let now = try storage.contents.statusIfPresent(of: path), now.kind == .folder,
                now.modified != modified
            else { continue }
            try storage.setTime(modified, of: path)
        }
    }

    /// Forces the names in the slots to disk.
    func syncPlaces() throws(FileProblem) {
        for folder in [places.stagingFolder, places.trashFolder] {
            guard try FileStatus.ifPresent(folder) != nil else { continue }
            try OwnedDescriptor.folder(folder).sync()
        }
    }

    /// Forces a change to disk, in the remote and in the slots.
    private func sync(around path: RemotePath) throws(FileProblem) {
        try storage.sync(around: path)
        try syncPlaces()
    }

    private func stopIfAsked() throws(FileProblem) {
        try lock.renew()
        guard watch.isInterrupted() else { return }
        throw FileProblem(
            .interrupted, path: storage.contents.root, "interrupted; the remote is as it was before",
            advice: "Run the command again")
    }
}

extension PlanAction.Kind {
    /// Whether two changes may reach the disk in either order: changes of one kind in one folder.
    fileprivate func canShareSync(with last: PlanAction.Kind) -> Bool {
        guard path.parent == last.path.parent else { return false }
        return switch (self, last) {
        case (.moveToTrash, .moveToTrash), (.replaceFile, .replaceFile), (.adopt, .adopt),
            (.restore, .restore), (.setTime, .setTime):
            true
        default: false
        }
    }

    /// The place in the trash that the action empties, if any.
    var restored: TrashPlace? {
        guard case .restore(_, let place, _) = self else { return nil }
        return place
    }

    /// The state of what the action moves to the trash; nil if it moves nothing.
    var takenAway: EntryState? {
        switch self {
        case .moveToTrash(_, let seen), .replaceFile(_, _, _, let seen): seen
        case .makeFolder, .writeFile, .writeTree, .adopt, .setTime, .restore: nil
        }
    }
}
