import SystemCalls
import SystemPackage

/// Does single actions, undoes them, and finds out on the disk which were done. No other code changes a remote.
struct ActionWorker {
    let places: OperationPlaces
    let folders: RemoteFolders

    /// Whether an action has been done, by what is in its slots.
    func isDone(_ position: Int, _ change: Change) throws(FileProblem) -> Bool {
        switch change {
        case .makeFolder, .writeFile, .writeTree, .adopt, .replaceFile: try !places.new(position).isFull
        case .restore(_, let slot, _): try !places.source(position, slot).isFull
        case .moveToTrash: try places.old(position).isFull
        // The times of folders are set at the end.
        case .setTime(_, _, let seen) where seen.kind == .folder: false
        // Not compared with the time that was wanted: some file systems round it.
        case .setTime(let path, _, let seen): try folders.storage.status(of: path).modified != seen.modified
        }
    }

    /// Checks that the remote is as the action expects it.
    /// - Throws: `.refused` if it is not.
    func check(_ change: Change) throws(FileProblem) {
        switch change {
        case .makeFolder(let path), .writeFile(let path, _, _), .writeTree(let path, _),
            .adopt(let path, _), .restore(let path, _, _):
            if try folders.exists(path) { throw .taken(folders.filePath(path)) }
        case .setTime(let path, _, let seen) where seen.kind == .folder:
            guard try folders.exists(path) else { throw .vanished(folders.filePath(path)) }
            guard try folders.storage.status(of: path).kind == .folder else {
                throw .changed(folders.filePath(path))
            }
        case .replaceFile(let path, _, _, let seen), .setTime(let path, _, let seen),
            .moveToTrash(let path, let seen):
            guard try folders.exists(path) else { throw .vanished(folders.filePath(path)) }
            guard try folders.storage.state(of: path) == seen else { throw .changed(folders.filePath(path)) }
        }
    }

    /// Does an action that has been prepared and has not been done.
    func act(_ position: Int, _ change: Change) throws(FileProblem) {
        let path = change.path
        let name = folders.name(of: path)
        let folder = try folders.parent(of: path)
        switch change {
        case .makeFolder, .writeFile, .writeTree, .adopt:
            try moveIn(places.new(position), folder, name)
        case .restore(_, let slot, _):
            try moveIn(places.source(position, slot), folder, name)
        case .replaceFile(_, _, _, let seen):
            try check(change)
            try keepOld(places.old(position), folder, name, seen)
            let new = places.new(position)
            try OwnedDescriptor.folder(new.folder).replace(name, in: folder, by: new.name)
        case .setTime(_, let modified, let seen):
            try check(change)
            if seen.kind == .folder { return }
            try folder.setTime(modified, of: name)
        case .moveToTrash(_, let seen):
            let old = places.old(position)
            let target = try OwnedDescriptor.folder(old.folder)
            try folder.move(name, to: target, as: old.name)
            // Whatever came into a folder just before it moved goes back with it.
            guard try old.contents == seen else {
                try target.move(old.name, to: folder, as: name)
                throw .changed(folders.filePath(path))
            }
        }
    }

    /// Undoes an action that has been done. `made` is what it put into the remote.
    func revert(_ position: Int, _ change: Change, made: EntryState?) throws(FileProblem) {
        let path = change.path
        let name = folders.name(of: path)
        switch change {
        case .makeFolder, .writeFile, .writeTree, .adopt:
            try moveOut(places.new(position), path, made)
        case .restore(_, let slot, _):
            try moveOut(places.source(position, slot), path, made)
        case .replaceFile(_, _, _, let seen):
            let now = try folders.storage.state(of: path)
            let old = places.old(position)
            if now == seen, try !old.isFull { return }
            guard now == made || now == seen else { throw .changed(folders.filePath(path)) }
            try OwnedDescriptor.folder(old.folder).replace(name, in: folders.parent(of: path), by: old.name)
        case .setTime(_, let modified, let seen):
            guard let before = seen.modified, try folders.storage.status(of: path).modified == modified else {
                return
            }
            try folders.parent(of: path).setTime(before, of: name)
        case .moveToTrash:
            let old = places.old(position)
            try OwnedDescriptor.folder(old.folder).move(old.name, to: folders.parent(of: path), as: name)
        }
    }

    private func moveIn(_ slot: EntryPlace, _ folder: borrowing OwnedDescriptor, _ name: FilePath)
        throws(FileProblem)
    {
        try OwnedDescriptor.folder(slot.folder).move(slot.name, to: folder, as: name)
    }

    private func moveOut(_ slot: EntryPlace, _ path: RemotePath, _ made: EntryState?) throws(FileProblem) {
        guard try folders.storage.state(of: path) == made else { throw .changed(folders.filePath(path)) }
        try folders.parent(of: path).move(
            folders.name(of: path), to: OwnedDescriptor.folder(slot.folder), as: slot.name)
    }

    /// Keeps the file that is about to be replaced: by link(2) if the file system has hard links, otherwise by a copy.
    private func keepOld(
        _ slot: EntryPlace, _ folder: borrowing OwnedDescriptor, _ name: FilePath, _ seen: EntryState
    ) throws(FileProblem) {
        // Left by a process that ended between keeping and replacing.
        if try slot.isFull { try slot.clear() }
        let target = try OwnedDescriptor.folder(slot.folder)
        if try !folder.link(name, to: target, as: slot.name) {
            try TreeCopy.copy(name, in: folder, to: target, as: slot.name)
        }
        guard try slot.contents == seen else { throw .changed(folder.path.pushing(name)) }
    }
}

extension RemoteFolders {
    func filePath(_ path: RemotePath) -> FilePath { path.filePath(under: root) }
}

extension FileProblem {
    private static let advice = "Another program is changing the remote; look at it, then make the plan again"

    static func changed(_ path: FilePath) -> FileProblem {
        FileProblem(.refused, path: path, "has changed since the plan was made", advice: advice)
    }
    static func vanished(_ path: FilePath) -> FileProblem {
        FileProblem(.refused, path: path, "has vanished since the plan was made", advice: advice)
    }
    static func taken(_ path: FilePath) -> FileProblem {
        FileProblem(
            .refused, path: path, "is there already", expected: "nothing of this name", advice: advice)
    }
}
