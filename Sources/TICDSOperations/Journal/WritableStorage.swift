package import SystemCalls
package import SystemPackage
package import TICDSCore

/// The writing side of a storage, through which plans, recovery and undo change a remote. ``WritableFolder`` is the
/// implementation for a local folder.
package protocol WritableStorage: Sendable {
    /// The remote as it is at this moment, without a cached listing.
    var contents: any RemoteStorage { get }

    /// Whether the storage cannot replace a file in one step, so that a plan must consist of moves
    /// (``Plan/byMovesOnly``).
    var hasMovesOnly: Bool { get }

    /// Takes the lock that every command that changes the remote sees, on any machine; waits for another holder until
    /// the deadline.
    /// - Parameters:
    ///   - journal: the journal of the state home. Its own unfinished operations do not prevent the lock.
    ///   - warn: called if other commands cannot see the lock.
    /// - Throws: `.refused` if another command is at work, or an operation of another state home is unfinished.
    func lock(
        _ journal: borrowing Journal, command: String, until deadline: Deadline, warn: (String) -> Void
    ) throws(FileProblem) -> any StorageLock

    /// A new local place for the staging folder of one operation, with a random name. Makes nothing.
    /// - Returns: the place, and whether the trash is on the storage, so that an entry moves to it at once.
    /// - Throws: `.refused` if no such folder can be made.
    func chooseStaging(for state: RemoteState) throws(FileProblem) -> (folder: FilePath, trashIsNear: Bool)

    /// Access for the operation that has these places.
    func operation(at places: OperationPaths) -> any OperationStorage
}

extension WritableStorage {
    /// The plan as this storage can carry it out.
    package func feasible(_ plan: Plan) -> Plan { hasMovesOnly ? plan.byMovesOnly : plan }
}

/// The lock of a remote. It is released with this value, unless an operation has begun and has not ended.
package protocol StorageLock: AnyObject {
    /// Records which operation is about to change the remote. From now on the lock outlives the process.
    func begin(_ number: Int64, _ summary: String, staging: FilePath) throws(FileProblem)
    /// Records that no operation is unfinished.
    func end()
    /// Gives a sign of life. Called before each step, so that it does nothing most of the time.
    func renew() throws(FileProblem)
}

/// The place where an operation puts or finds an entry.
package enum StoragePlace: Hashable, Sendable {
    /// In the remote.
    case remote(RemotePath)
    /// Outside of the remote, on the same storage.
    case slot(StagedSlot)
}

/// A place for one entry while an operation runs.
package enum StagedSlot: Hashable, Sendable {
    /// In the staging folder of the operation.
    case staged(String)
    /// In the trash. A storage gets such slots only if the trash is near.
    case trash(TrashPlace)
}

/// The access of one operation to a storage.
///
/// A change that returns is done, and stays done in a power failure once `sync` has returned. A change that throws, or
/// is interrupted with the process, was done or not; the slots show which. No entry is ever lost.
package protocol OperationStorage: Sendable {
    /// The remote as it is at this moment.
    var contents: any RemoteStorage { get }

    /// Owner, group and mode of new entries.
    func model() throws(FileProblem) -> FileStatus

    /// Whether there is an entry.
    /// - Throws: every error of looking; `.missing` if there is no folder in the remote around it.
    func isThere(_ place: StoragePlace) throws(FileProblem) -> Bool

    /// The state of an entry; for a folder, from a fresh listing of everything below it.
    /// - Throws: `.missing` if there is no entry.
    func state(of place: StoragePlace) throws(FileProblem) -> EntryState

    /// Tests, before the first action, whether the storage supports what the actions need.
    /// - Parameter timedFolders: the folders whose times are put back after the change.
    /// - Throws: `.refused`, naming what is not possible and the way out.
    func rehearse(_ actions: PlanActions, _ timedFolders: [RemotePath]) throws(FileProblem)

    /// Makes the staging folder on the storage, unless it is the local one.
    func makeStaging() throws(FileProblem)

    /// Removes the staging folder on the storage with everything in it; does nothing if there is none.
    func removeStaging() throws(FileProblem)

    /// Transfers an entry that is on disk at the local place of a slot to the slot itself: complete, with its times as
    /// exact as the storage keeps them, and read back. Completes what an interrupted call left.
    /// - Parameter made: the state of the local entry.
    /// - Returns: the state of the entry on the storage.
    func stage(_ slot: StagedSlot, made: EntryState) throws(FileProblem) -> EntryState

    /// Moves an entry, with its time, to an empty place: into the remote, out of it, or back. Never replaces anything.
    /// - Parameter seen: the state that must arrive; a different entry goes back. Nil if it was checked before.
    /// - Throws: `.refused` if a different entry arrived.
    func move(_ old: StoragePlace, to new: StoragePlace, seen: EntryState?) throws(FileProblem)

    /// Replaces a file of the remote by the entry of a slot, in one step.
    /// - Parameter kept: the slot where the replaced file is kept, and the state that it must have. The remains of an
    ///   earlier call in that slot are removed.
    /// - Throws: `.refused` if the file is a different one.
    func replace(
        _ file: RemotePath, by slot: StagedSlot, keeping kept: (slot: StagedSlot, seen: EntryState)?
    ) throws(FileProblem)

    /// Sets the modification time of a file or folder.
    func setTime(_ time: FileTime, of path: RemotePath) throws(FileProblem)

    /// Copies the entry of a slot to an empty local place, with times, on disk and read back.
    func fetch(_ slot: StagedSlot, to place: EntryPlace) throws(FileProblem)

    /// Forces the names in the folder around an entry to disk.
    func sync(around path: RemotePath) throws(FileProblem)
}
