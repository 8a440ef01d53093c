package import SystemCalls
package import SystemPackage
package import TICDSCore

/// A remote in a local folder, which plans change.
package struct WritableFolder: WritableStorage {
    private let root: FilePath
    package let contents: any RemoteStorage
    package var hasMovesOnly: Bool { false }

    /// The folder of a remote.
    package init(root: FilePath) { self.init(LocalStorage(root: root)) }

    /// The folder that a storage reads.
    package init(_ contents: any RemoteStorage) {
        root = contents.root
        self.contents = contents
    }

    package func lock(
        _ journal: borrowing Journal, command: String, until deadline: Deadline, warn: (String) -> Void
    ) throws(FileProblem) -> any StorageLock {
        try RemoteLock(journal, command: command, until: deadline, warn: warn)
    }

    package func chooseStaging(for state: RemoteState) throws(FileProblem) -> (
        folder: FilePath, trashIsNear: Bool
    ) {
        let location = try StagingLocation(state)
        return (try location.make(), location.trashIsNear)
    }

    package func operation(at places: OperationPaths) -> any OperationStorage {
        FolderOperation(places: places, folders: RemoteFolders(root: root))
    }
}

/// Changes of one operation in local folders: rename(2) and link(2) between the remote and the slots.
struct FolderOperation: OperationStorage {
    let places: OperationPaths
    let folders: RemoteFolders

    var contents: any RemoteStorage { folders.storage }

    func model() throws(FileProblem) -> FileStatus { try FileStatus.model(of: folders.root) }

    func isThere(_ place: StoragePlace) throws(FileProblem) -> Bool {
        switch place {
        case .remote(let path): try folders.exists(path)
        case .slot(let slot): try places.entry(slot).isFull
        }
    }

    func state(of place: StoragePlace) throws(FileProblem) -> EntryState {
        switch place {
        case .remote(let path): try folders.storage.state(of: path)
        case .slot(let slot): try places.entry(slot).contents
        }
    }

    func rehearse(_ actions: PlanActions, _ timedFolders: [RemotePath]) throws(FileProblem) {
        try VolumeProbe(places: places, folders: folders).run(actions, timedFolders)
    }

    // New entries are made in the slots themselves.
    func makeStaging() {}
    func removeStaging() {}
    func stage(_ slot: StagedSlot, made: EntryState) -> EntryState { made }

    func move(_ old: StoragePlace, to new: StoragePlace, seen: EntryState?) throws(FileProblem) {
        let source = try folder(around: old)
        let target = try folder(around: new)
        try source.move(name(of: old), to: target, as: name(of: new))
        // An entry that came into a folder just before the move goes back with it.
        guard let seen, try state(of: new) != seen else { return }
        try target.move(name(of: new), to: source, as: name(of: old))
        throw .changed(source.path.pushing(name(of: old)))
    }

    func replace(
        _ file: RemotePath, by slot: StagedSlot, keeping kept: (slot: StagedSlot, seen: EntryState)?
    ) throws(FileProblem) {
        let folder = try folders.parent(of: file)
        let name = folders.name(of: file)
        if let kept { try keep(places.entry(kept.slot), folder, name, kept.seen) }
        let new = places.entry(slot)
        try OwnedDescriptor.folder(new.folder).replace(name, in: folder, by: new.name)
    }

    func setTime(_ time: FileTime, of path: RemotePath) throws(FileProblem) {
        try folders.parent(of: path).setTime(time, of: folders.name(of: path))
    }

    func fetch(_ slot: StagedSlot, to place: EntryPlace) throws(FileProblem) {
        try TreeCopy.copy(places.entry(slot), to: place)
    }

    func sync(around path: RemotePath) throws(FileProblem) { try folders.parent(of: path).sync() }

    private func folder(around place: StoragePlace) throws(FileProblem) -> OwnedDescriptor {
        switch place {
        case .remote(let path): try folders.parent(of: path)
        case .slot(let slot): try OwnedDescriptor.folder(places.entry(slot).folder)
        }
    }

    private func name(of place: StoragePlace) -> FilePath {
        switch place {
        case .remote(let path): folders.name(of: path)
        case .slot(let slot): places.entry(slot).name
        }
    }

    /// Keeps the file that is about to be replaced, with link(2) if the file system has hard links, otherwise with a
    /// copy.
    private func keep(
        _ slot: EntryPlace, _ folder: borrowing OwnedDescriptor, _ name: FilePath, _ seen: EntryState
    ) throws(FileProblem) {
        // A process that ended between keeping and replacing left it.
        if try slot.isFull { try slot.clear() }
        let target = try OwnedDescriptor.folder(slot.folder)
        if try !folder.link(name, to: target, as: slot.name) {
            try TreeCopy.copy(name, in: folder, to: target, as: slot.name)
        }
        guard try slot.contents == seen else { throw .changed(folder.path.pushing(name)) }
    }
}

/// The folders of a remote, opened name by name so that no link leads out of it.
struct RemoteFolders {
    let root: FilePath

    /// The remote as it is now.
    var storage: LocalStorage { LocalStorage(root: root) }

    /// The folder that contains the entry; for the root itself, the folder that contains the remote.
    func parent(of path: RemotePath) throws(FileProblem) -> OwnedDescriptor {
        let above = try OwnedDescriptor.folder(root.removingLastComponent())
        guard !path.names.isEmpty else { return above }
        return try RemotePath([RemoteName(name(of: .root).bytes)] + path.names.dropLast()).open(below: above)
    }

    /// The name of the entry in that folder.
    func name(of path: RemotePath) -> FilePath {
        FilePath(nameBytes: path.last?.bytes ?? root.lastComponent?.bytes ?? [])
    }

    func exists(_ path: RemotePath) throws(FileProblem) -> Bool {
        try parent(of: path).exists(name(of: path))
    }
}
