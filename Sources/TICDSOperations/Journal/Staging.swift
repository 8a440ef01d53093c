import SystemCalls
import SystemPackage
import TICDSCore

/// Makes everything that an operation will put into the remote, in the staging folder and on disk, before the remote
/// changes.
struct Staging {
    let places: OperationPaths
    let storage: any OperationStorage
    let recoder: (any ContentRecoder)?
    /// Owner, group and mode of new entries.
    let model: FileStatus

    init(_ places: OperationPaths, _ storage: any OperationStorage, _ recoder: (any ContentRecoder)?)
        throws(FileProblem)
    {
        self.places = places
        self.storage = storage
        self.recoder = recoder
        model = try storage.model()
    }

    /// Makes what an action needs; returns the state of what it will put into the remote.
    func prepare(_ position: Int, _ change: PlanAction.Kind) throws(FileProblem) -> EntryState? {
        let slot = places.entry(places.new(position))
        switch change {
        case .makeFolder:
            try makeTree([], in: slot)
            return try slot.contents
        case .writeTree(_, let entries):
            try makeTree(entries, in: slot)
            return try slot.contents
        case .adopt(_, let staged):
            try take(staged, to: slot)
            return staged.seen
        case .replaceFile(let path, .staged(let staged), _, _):
            try take(staged, to: slot)
            let mode = try storage.contents.status(of: path).mode
            try OwnedDescriptor.folder(slot.folder).file(slot.name).adopt(
                owner: model.owner, group: model.group, mode: mode)
            return try slot.contents
        case .writeFile(_, let content, let modified):
            let folder = try OwnedDescriptor.folder(slot.folder)
            try write(content, modified, mode: model.modeOfFiles, to: folder, slot.name)
            return try slot.contents
        case .replaceFile(let path, let content, let modified, _):
            let mode = try storage.contents.status(of: path).mode
            try write(content, modified, mode: mode, to: OwnedDescriptor.folder(slot.folder), slot.name)
            return try slot.contents
        case .restore(_, let trash, let seen):
            let source = try Self.trashed(trash, seen, places.state)
            if !places.trashIsNear { try TreeCopy.copy(source, to: slot) }
            return seen
        case .moveToTrash, .setTime: return nil
        }
    }

    /// Makes a folder and everything in it. The time of a folder is set after its last entry was made.
    private func makeTree(_ entries: [TreeEntry], in slot: EntryPlace) throws(FileProblem) {
        try makeFolder(slot.name, in: OwnedDescriptor.folder(slot.folder))
        let made = RemoteFolders(root: slot.folder.pushing(slot.name))
        for entry in entries {
            let folder = try made.parent(of: entry.path)
            let name = made.name(of: entry.path)
            if let content = entry.content {
                try write(content, entry.modified, mode: model.modeOfFiles, to: folder, name)
            } else {
                try makeFolder(name, in: folder)
            }
        }
        for entry in entries.reversed() where entry.content == nil {
            guard let modified = entry.modified else { continue }
            try made.parent(of: entry.path).setTime(modified, of: made.name(of: entry.path))
        }
        for entry in entries { try made.parent(of: entry.path).sync() }
    }

    private func makeFolder(_ name: FilePath, in folder: borrowing OwnedDescriptor) throws(FileProblem) {
        try folder.makeFolder(name, mode: 0o700)
        try folder.folder(name).adopt(like: model)
    }

    private func write(
        _ content: PlannedContent, _ modified: FileTime?, mode: UInt32, to folder: borrowing OwnedDescriptor,
        _ name: FilePath
    ) throws(FileProblem) {
        var file = try FileWriter(name, in: folder, mode: 0o600)
        switch content {
        case .bytes(let planned):
            try planned.bytes.span.withUnsafeBytes { (bytes) throws(FileProblem) in try file.append(bytes) }
        case .copy(let source, let seen):
            try check(source, seen)
            let original = try storage.contents.open(source)
            _ = try FileHasher.pump(original) { (piece) throws(FileProblem) in try file.append(piece) }
            try check(source, seen)
        case .trashed(let trash, let seen):
            let source = try Self.trashed(trash, seen, places.state)
            let original = try OwnedDescriptor.folder(source.folder).file(source.name)
            _ = try FileHasher.pump(original) { (piece) throws(FileProblem) in try file.append(piece) }
        case .staged(let staged):
            throw FileProblem(
                .refused, path: staged.path,
                "internal error: a staged file cannot be copied into a folder that is being written",
                advice: "Report this with the plan: no user can cause it")
        case .recoded(let source, let seen):
            guard let recoder else {
                throw FileProblem(
                    .refused, path: source.filePath(under: storage.contents.root),
                    "a saved plan has no keys to encrypt files with",
                    advice: "Run the command that made the plan")
            }
            try check(source, seen)
            try recoder.recode(source, in: storage.contents) { (piece) throws(FileProblem) in
                try file.append(piece)
            }
            try check(source, seen)
        case .file(let path, let seen):
            let original = try OwnedDescriptor.file(FilePath(nameBytes: path.bytes))
            try Self.check(original, seen)
            _ = try FileHasher.pump(original) { (piece) throws(FileProblem) in try file.append(piece) }
            try Self.check(original, seen)
        }
        try file.adopt(owner: model.owner, group: model.group, mode: mode)
        try file.finish(modified: modified)
    }

    /// Moves an entry that was staged earlier to a slot, or copies it from another volume.
    private func take(_ staged: StagedEntry, to slot: EntryPlace) throws(FileProblem) {
        let parent = staged.path.removingLastComponent()
        guard staged.path.isAbsolute, let last = staged.path.lastComponent,
            try FileStatus.ifPresent(staged.path) != nil
        else {
            throw FileProblem(
                .refused, path: staged.path, "the unpacked file no longer exists",
                advice: "Run the command that made the plan")
        }
        let name = FilePath(nameBytes: last.bytes)
        let source = try OwnedDescriptor.folder(parent)
        let target = try OwnedDescriptor.folder(slot.folder)
        if try Volume(of: source) == Volume(of: target) {
            try source.move(name, to: target, as: slot.name)
        } else {
            try TreeCopy.copy(name, in: source, to: target, as: slot.name)
        }
        // Checked after the move: nobody can change the entry in the slot.
        guard try slot.contents == staged.seen else { throw .changed(staged.path) }
    }

    private func check(_ path: RemotePath, _ seen: EntryState) throws(FileProblem) {
        guard try storage.state(of: .remote(path)) == seen else {
            throw .changed(path.filePath(under: storage.contents.root))
        }
    }

    private static func check(_ file: borrowing OwnedDescriptor, _ seen: EntryState) throws(FileProblem) {
        let status = try file.status()
        guard EntryState(kind: status.kind, size: status.size, modified: status.modified) == seen else {
            throw .changed(file.path)
        }
    }

    /// The entry of the trash that an action needs.
    /// - Throws: `.refused` if it is gone or has changed.
    private static func trashed(
        _ trash: TrashPlace, _ seen: EntryState, _ state: RemoteState
    ) throws(FileProblem) -> EntryPlace {
        let source = EntryPlace.trash(trash, state)
        guard try source.isFull, try source.contents == seen else {
            throw FileProblem(
                .refused, path: source.path, "the trash no longer has this entry as it was",
                advice: "ticds-journal list shows what the trash contains")
        }
        return source
    }

    /// Checks the entry of the trash that an action needs, if it needs one.
    static func checkTrash(for change: PlanAction.Kind, _ state: RemoteState) throws(FileProblem) {
        switch change {
        case .restore(_, let trash, let seen), .writeFile(_, .trashed(let trash, let seen), _),
            .replaceFile(_, .trashed(let trash, let seen), _, _):
            _ = try trashed(trash, seen, state)
        default: break
        }
    }
}
