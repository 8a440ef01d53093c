package import SystemCalls
package import SystemPackage

/// The writing side of a storage: what plans, recovery and undo change a remote with. ``WritableFolder`` is that of a
/// folder of this machine.
///
/// Every answer is that of the storage itself at this moment, never of an older listing. An error is never an absence.
package protocol WritableStorage: Sendable {
    /// What the storage guarantees.
    var capabilities: StorageCapabilities { get }

    /// The remote, for reading contents. Its listings may be older.
    var contents: any RemoteStorage { get }

    /// Kind, size and time of an entry; nil if there is none, or no folder around it.
    func status(of path: RemotePath) throws(FileProblem) -> FileStatus?

    /// Takes the lock that every command sees which changes the remote, on any machine; waits for another holder until
    /// the deadline.
    /// - Parameters:
    ///   - journal: the journal of the state home. Its own unfinished operations do not prevent the lock.
    ///   - warn: called if other machines cannot see the lock.
    /// - Throws: `.refused` if another command is at work, or an operation of another state home is unfinished.
    func lock(
        _ journal: borrowing Journal, command: String, until deadline: Deadline, warn: (String) -> Void
    ) throws(FileProblem) -> any StorageLock

    /// A new place for the staging folder of one operation, with a random name. Makes nothing.
    /// - Throws: `.refused` if no such folder can be made.
    func chooseStaging(for state: RemoteState) throws(FileProblem) -> StagingChoice

    /// Access for the operation that has these places.
    func operation(at places: OperationPlaces) -> any OperationStorage

    /// Owner, group and mode of new entries.
    func model() throws(FileProblem) -> FileStatus

    /// The mode of a file that is replaced, for the file that takes its place.
    func mode(of file: RemotePath) throws(FileProblem) -> UInt32
}

/// Where an operation makes its staging folder.
package struct StagingChoice: Hashable, Sendable {
    /// Recorded in the journal: a path of this machine, or a text by which the storage finds the folder again. Its last
    /// name is unique.
    package var folder: FilePath
    /// Whether the trash lies on the storage too, so that an entry moves to it at once. Elsewhere it never does.
    package var trashIsNear: Bool

    package init(folder: FilePath, trashIsNear: Bool) {
        self.folder = folder
        self.trashIsNear = trashIsNear
    }
}

/// The lock of a remote. It is released with this value, unless an operation has begun and has not ended.
package protocol StorageLock: AnyObject {
    /// Records which operation is about to change the remote. From now on the lock outlives the process.
    func begin(_ number: Int64, _ summary: String, staging: FilePath) throws(FileProblem)
    /// Records that no operation is unfinished.
    func end()
    /// Gives a sign of life. Called before each action, so that it does nothing most of the time.
    /// - Throws: if the lock is lost.
    func renew() throws(FileProblem)
}

/// A place where an operation puts or finds an entry.
package enum StoragePlace: Hashable, Sendable {
    /// In the remote.
    case remote(RemotePath)
    /// Outside of the application's folder, on the storage of the remote.
    case slot(StorageSlot)
}

/// A place for one entry while an operation runs.
package enum StorageSlot: Hashable, Sendable {
    /// In the staging folder of the operation.
    case staged(RemoteName)
    /// In the trash. A storage gets such places only if it says that the trash is near.
    case trash(TrashPlace)
}

/// The access of one operation to a storage.
///
/// A change that returns is done, checked, and stays done in a power failure once `sync` returns. A change that throws,
/// or is cut off with the process, was done, was not done, or can be done again: with the same arguments, each of these
/// functions ends what an earlier call left in the middle. Nothing is ever lost on the way: an entry is at one place
/// whole until it is at the other whole.
package protocol OperationStorage: Sendable {
    /// The storage.
    var storage: any WritableStorage { get }

    /// Whether there is an entry. False, or an error of kind `.missing`, if there is no folder around it.
    func isThere(_ place: StoragePlace) throws(FileProblem) -> Bool

    /// The state of an entry; of a folder by a fresh listing of everything below it.
    /// - Throws: `.missing` if there is none.
    func state(of place: StoragePlace) throws(FileProblem) -> EntryState

    /// Tries out, before the first change, whether the storage supports what the actions need: calls, rights, names.
    /// - Parameter timedFolders: the folders whose times are put back after the change.
    /// - Throws: `.refused`, with what is not possible and the way out.
    func rehearse(_ actions: [PlannedAction], _ timedFolders: [RemotePath]) throws(FileProblem)

    /// Makes the staging folder on the storage, if it is not the local one, where new entries are made.
    func makeStaging() throws(FileProblem)

    /// Removes the staging folder on the storage with everything in it; does nothing if there is none.
    func removeStaging() throws(FileProblem)

    /// Brings an entry of this machine, which is on disk with its time, to a slot, whole and checked: size, time within
    /// the resolution, and content by a digest or by reading it again. The local entry stays unless it is the slot.
    ///
    /// A folder without files is nothing where folders are no entries of their own.
    /// - Parameter seen: the state of the local entry.
    /// - Returns: the state in the slot, by a fresh listing.
    func stage(_ made: EntryPlace, seen: EntryState, in slot: StorageSlot) throws(FileProblem) -> EntryState

    /// Copies what is in a slot to a place of this machine that is empty, with times, checked, and on disk.
    func fetch(_ slot: StorageSlot, to place: EntryPlace) throws(FileProblem)

    /// Moves an entry, with its time, to a place where nothing is: into the remote, out of it, or back. Never replaces
    /// anything.
    ///
    /// Where a move is copies and deletions, an earlier call may have left parts at both places. Both together must then
    /// be what was seen, or the call refuses. It copies the rest, compares the whole, and only then deletes at `old`. It
    /// does nothing if all is at `new` already.
    /// - Parameter seen: what moves. If what arrives is something else, it goes back.
    /// - Throws: `.refused` if another entry is at `new`, or `old` is not as it was seen.
    func move(_ old: StoragePlace, to new: StoragePlace, seen: EntryState) throws(FileProblem)

    /// Copies a file that is about to be replaced to a slot, or links it there. Replaces what an earlier call left in
    /// the slot.
    /// - Throws: `.refused` if the file is not as it was seen.
    func keep(_ file: RemotePath, in slot: StorageSlot, seen: EntryState) throws(FileProblem)

    /// Puts the file of a slot in the place of one in the remote, in one step if the storage can. If it cannot, the file
    /// may be missing for a moment; a copy of it is in another slot then.
    ///
    /// `file` may be missing, or be `new` already, where an earlier call was cut off.
    /// - Parameters:
    ///   - new: the state of the file in the slot.
    ///   - seen: the state of the file that is replaced.
    func replace(
        _ file: RemotePath, by slot: StorageSlot, new: EntryState, seen: EntryState
    ) throws(FileProblem)

    /// Sets the modification time of a file; of a folder, if the storage keeps times of folders.
    func setTime(_ time: FileTime, of path: RemotePath) throws(FileProblem)

    /// Empties a slot, or a place of the trash that is near. Does nothing if it is empty.
    func clear(_ slot: StorageSlot) throws(FileProblem)

    /// Forces the names in the folder around an entry to disk.
    func sync(around path: RemotePath) throws(FileProblem)
}

/// The usual answers of a storage elsewhere.
extension WritableStorage {
    /// This user's, as for every private file.
    package func model() throws(FileProblem) -> FileStatus { Machine.privateModel }

    /// Readable and writable by this user.
    package func mode(of file: RemotePath) throws(FileProblem) -> UInt32 { 0o600 }
}

extension OperationStorage {
    /// Nothing is to be tried out.
    package func rehearse(_ actions: [PlannedAction], _ timedFolders: [RemotePath]) throws(FileProblem) {}

    /// Nothing: a change that has been answered is durable.
    package func sync(around path: RemotePath) throws(FileProblem) {}
}
