package import SystemCalls
package import SystemPackage
import TICDSCore

/// The places where an operation makes its new entries, and where it moves the old ones.
///
/// Each action has a slot in the staging folder, on the remote's volume, for the entry that it makes, and a slot for
/// the entry that it takes away: in the trash if the trash is on the same volume, otherwise in the staging folder.
/// rename(2) moves entries between slot and remote. After a crash, the slots therefore show which actions were done.
package struct OperationPaths: Sendable {
    package let number: Int64
    package let state: RemoteState
    /// The folder around the staging folder: it belongs to this operation alone, and has a random name.
    package let staging: FilePath
    /// Whether trash and remote lie on one volume.
    let trashIsNear: Bool
    let keepsTrash: Bool

    package var stagingFolder: FilePath { staging.appending("\(number)") }
    var trashFolder: FilePath { state.trash(of: number) }

    /// Makes the folders, which must not exist.
    func make() throws(FileProblem) {
        let parent = staging.removingLastComponent()
        try PrivateDirectory.make(parent)
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

    /// Refuses folders of other users, and folders that other users could have changed.
    func check() throws(FileProblem) {
        let owners: Set<UInt32> = [HostIdentity.userNumber, try FileStatus.of(state.journal).owner]
        for folder in [staging, stagingFolder, trashFolder] where try PrivateDirectory.exists(folder) {
            try PrivateDirectory.checkPrivate(folder, owners: owners)
        }
    }

    /// The slot for the entry that an action makes, until it moves into the remote.
    func new(_ action: Int) -> StagedSlot { .staged("\(action)") }

    /// The slot for the entry that an action takes away, until the operation ends.
    func old(_ action: Int) -> StagedSlot {
        trashIsNear && keepsTrash
            ? .trash(TrashPlace(operation: number, action: action)) : .staged("\(action).old")
    }

    /// The place in the trash for the entry that an action takes away.
    func trash(_ action: Int) -> EntryPlace { EntryPlace(folder: trashFolder, name: "\(action)") }

    /// The local place of a slot, if the storage is a local folder.
    package func entry(_ slot: StagedSlot) -> EntryPlace {
        switch slot {
        case .staged(let name): EntryPlace(folder: stagingFolder, name: name)
        case .trash(let place): EntryPlace.trash(place, state)
        }
    }

    /// Whether the entries that were taken away are copied to the trash at the end.
    var copiesToTrash: Bool { keepsTrash && !trashIsNear }

    /// The source of a restored entry: the trash itself, or its copy on the remote's volume.
    func source(_ action: Int, _ trash: TrashPlace) -> StagedSlot {
        trashIsNear ? .trash(trash) : new(action)
    }
}

/// A place for one entry in a private folder of ticds.
package struct EntryPlace: Sendable {
    package let folder: FilePath
    package let name: FilePath

    package static func trash(_ slot: TrashPlace, _ state: RemoteState) -> EntryPlace {
        EntryPlace(folder: state.trash(of: slot.operation), name: "\(slot.action)")
    }

    package init(folder: FilePath, name: String) {
        self.folder = folder
        self.name = FilePath(name)
    }

    package var path: FilePath { folder.pushing(name) }

    /// Whether the slot has an entry.
    /// - Throws: the error of looking, since otherwise recovery would take the action for done.
    package var isFull: Bool {
        get throws(FileProblem) {
            guard try FileStatus.ifPresent(folder) != nil else { return false }
            return try OwnedDescriptor.folder(folder).exists(name)
        }
    }

    /// The present state of the entry in the slot.
    package var contents: EntryState {
        get throws(FileProblem) { try LocalStorage(root: folder).state(of: [RemoteName(name.bytes)]) }
    }

    package func clear() throws(FileProblem) {
        guard try FileStatus.ifPresent(folder) != nil else { return }
        try PrivateDirectory.remove(name, in: OwnedDescriptor.folder(folder))
    }
}
