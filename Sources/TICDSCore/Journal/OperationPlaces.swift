import SystemCalls
import SystemPackage

/// Where the new entries of an operation are made, and where the old ones go.
///
/// Each action has a slot in the staging folder, on the remote's volume, where what it makes waits; and a slot for what
/// it takes away, in the trash where that lies on the same volume, else in the staging folder. Entries go from slot to
/// remote and back by a rename. So the slots alone tell, after a crash, which actions had been done.
struct OperationPlaces {
    let number: Int64
    let state: RemoteState
    /// The folder around the staging folder: of this operation alone, with a random name.
    let staging: FilePath
    /// Whether trash and remote lie on one volume.
    let trashIsNear: Bool
    let keepsTrash: Bool

    var stagingFolder: FilePath { staging.appending("\(number)") }
    var trashFolder: FilePath { state.trash(of: number) }

    var isRandom: Bool { StagingLocation.isRandom(staging) }

    /// False where operations of other state homes may have the same staging folder, as with earlier versions.
    var isOwn: Bool { isRandom || staging.starts(with: state.folder) }

    /// Makes the folders, which nobody has made before.
    func make() throws(FileProblem) {
        let parent = staging.removingLastComponent()
        try Folders.make(parent)
        let name = FilePath(nameBytes: staging.lastComponent?.bytes ?? [])
        let open = try OwnedDescriptor.folder(parent)
        try open.makeFolder(name, mode: 0o700)
        try open.folder(name).makeFolder(FilePath("\(number)"), mode: 0o700)
        try open.sync()
        if keepsTrash {
            try OwnedDescriptor.folder(state.trash).makeFolder(FilePath("\(number)"), mode: 0o700)
        }
        try check()
    }

    /// Refuses folders that are not ours, or in which others could have changed something.
    func check() throws(FileProblem) {
        let owners: Set<UInt32> = [Machine.userNumber, try FileStatus.of(state.journal).owner]
        for folder in (isOwn ? [staging] : []) + [stagingFolder, trashFolder] where try Folders.exists(folder)
        {
            try Folders.checkPrivate(folder, owners: owners)
        }
    }

    /// What an action makes, until the remote gets it.
    func new(_ action: Int) -> EntryPlace { EntryPlace(folder: stagingFolder, name: "\(action)") }

    /// What an action took away, until the operation ends.
    func old(_ action: Int) -> EntryPlace {
        trashIsNear && keepsTrash ? trash(action) : EntryPlace(folder: stagingFolder, name: "\(action).old")
    }

    /// What an action took away, for good.
    func trash(_ action: Int) -> EntryPlace { EntryPlace(folder: trashFolder, name: "\(action)") }

    /// True where what was taken away is copied to the trash at the end.
    var copiesToTrash: Bool { keepsTrash && !trashIsNear }

    /// Where a restored entry comes from: the trash itself, or its copy on the remote's volume.
    func source(_ action: Int, _ slot: TrashPlace) -> EntryPlace {
        trashIsNear ? EntryPlace.trash(slot, state) : new(action)
    }
}

/// A place for one entry in a folder of the suite's own.
struct EntryPlace {
    let folder: FilePath
    let name: FilePath

    static func trash(_ slot: TrashPlace, _ state: RemoteState) -> EntryPlace {
        EntryPlace(folder: state.trash(of: slot.operation), name: "\(slot.action)")
    }

    init(folder: FilePath, name: String) {
        self.folder = folder
        self.name = FilePath(name)
    }

    /// Whether an entry waits here. What cannot be looked at throws: recovery would take a change for done.
    var isFull: Bool {
        get throws(FileProblem) {
            guard try FileStatus.ifPresent(folder) != nil else { return false }
            return try OwnedDescriptor.folder(folder).exists(name)
        }
    }

    /// What is in the slot now.
    var contents: EntryState {
        get throws(FileProblem) { try LocalStorage(root: folder).state(of: [RemoteName(name.bytes)]) }
    }

    func clear() throws(FileProblem) {
        guard try FileStatus.ifPresent(folder) != nil else { return }
        try Folders.remove(name, in: OwnedDescriptor.folder(folder))
    }
}
