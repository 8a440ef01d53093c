package import SystemCalls
package import SystemPackage
package import TICDSCore

/// The writing side of a storage: what plans, recovery and undo change a remote with. ``WritableFolder`` is that of a
/// folder of this machine.
package protocol WritableStorage: Sendable {
    /// The remote as it is at this moment, never as an older listing has it.
    var contents: any RemoteStorage { get }

    /// Whether it has no replacement in one step, so that a plan must be one of moves (``Plan/byMovesOnly``).
    var hasMovesOnly: Bool { get }

    /// Takes the lock that every command sees which changes the remote, on any machine; waits for another holder until
    /// the deadline.
    /// - Parameters:
    ///   - journal: the journal of the state home. Its own unfinished operations do not prevent the lock.
    ///   - warn: called if other commands cannot see the lock.
    /// - Throws: `.refused` if another command is at work, or an operation of another state home is unfinished.
    func lock(
        _ journal: borrowing Journal, command: String, until deadline: Deadline, warn: (String) -> Void
    ) throws(FileProblem) -> any StorageLock

    /// A new place on this machine for the staging folder of one operation, with a random name. Makes nothing.
    /// - Returns: also whether the trash lies on the storage, so that an entry moves to it at once.
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

/// Where an operation puts or finds an entry.
package enum StoragePlace: Hashable, Sendable {
    /// In the remote.
    case remote(RemotePath)
    /// Outside of it, on the same storage.
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
/// A change that returns is done, and stays done in a power failure once `sync` has returned. A change that throws, or is
/// cut off with the process, was done or not; the slots show which. An entry is never lost on the way.
package protocol OperationStorage: Sendable {
    /// The remote as it is at this moment.
    var contents: any RemoteStorage { get }

    /// Owner, group and mode of new entries.
    func model() throws(FileProblem) -> FileStatus

    /// Whether there is an entry.
    /// - Throws: every error of looking; `.missing` if there is no folder in the remote around it.
    func isThere(_ place: StoragePlace) throws(FileProblem) -> Bool

    /// The state of an entry; of a folder by a fresh listing of everything below it.
    /// - Throws: `.missing` if there is none.
    func state(of place: StoragePlace) throws(FileProblem) -> EntryState

    /// Tries out, before the first change, whether the storage supports what the actions need.
    /// - Parameter timedFolders: the folders whose times are put back after the change.
    /// - Throws: `.refused`, with what is not possible and the way out.
    func rehearse(_ actions: [PlanAction], _ timedFolders: [RemotePath]) throws(FileProblem)

    /// Makes the staging folder on the storage, if that of this machine is another one.
    func makeStaging() throws(FileProblem)

    /// Removes that folder with everything in it; does nothing if there is none.
    func removeStaging() throws(FileProblem)

    /// Brings an entry, which was made at the place of a slot on this machine and is on disk, to the slot itself: whole,
    /// with its times as exact as the storage keeps them, and read again. Ends what an earlier call left in the middle.
    /// - Parameter made: its state.
    /// - Returns: its state on the storage.
    func stage(_ slot: StagedSlot, made: EntryState) throws(FileProblem) -> EntryState

    /// Moves an entry, with its time, to a place where nothing is: into the remote, out of it, or back. Never replaces
    /// anything.
    /// - Parameter seen: what must arrive; anything else goes back. Nil if it was checked before.
    /// - Throws: `.refused` if something else arrived.
    func move(_ old: StoragePlace, to new: StoragePlace, seen: EntryState?) throws(FileProblem)

    /// Puts the entry of a slot in the place of a file of the remote, in one step.
    /// - Parameter kept: the slot where the replaced file is kept, and the state that it must have. What an earlier call
    ///   left in that slot is removed.
    /// - Throws: `.refused` if the file is another one.
    func replace(
        _ file: RemotePath, by slot: StagedSlot, keeping kept: (slot: StagedSlot, seen: EntryState)?
    ) throws(FileProblem)

    /// Sets the modification time of a file or folder.
    func setTime(_ time: FileTime, of path: RemotePath) throws(FileProblem)

    /// Copies what is in a slot to an empty place of this machine, with times, on disk and read again.
    func fetch(_ slot: StagedSlot, to place: EntryPlace) throws(FileProblem)

    /// Forces the names in the folder around an entry to disk.
    func sync(around path: RemotePath) throws(FileProblem)
}
