import Base
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations

/// Changes of one operation in a storage that rclone reaches. The slots are in a folder beside the remote, which has
/// the random name of the local staging folder.
final class RcloneOperation: OperationStorage {
    private let remote: WritableRclone
    private let places: OperationPaths
    private let staging: RcloneAddress
    /// The names in the staging folder, which no other process changes; nil after an error.
    private let slots = Mutex<Set<RemoteName>?>(nil)
    /// The names in folders of the remote, as this operation has listed them.
    private let listed = Mutex<[RemotePath: Set<RemoteName>]>([:])

    private var engine: RcloneEngine { remote.engine }
    var contents: any RemoteStorage { remote.contents }

    init(_ remote: WritableRclone, _ places: OperationPaths) {
        self.remote = remote
        self.places = places
        staging = remote.beside(".ticds-" + (places.staging.lastComponent?.string ?? ""))
    }

    func model() -> FileStatus { HostIdentity.privateModel }

    private func find(_ place: StoragePlace) throws(FileProblem) -> RclonePlace {
        switch place {
        case .remote(let path): return RclonePlace(address: remote.address, path: path)
        case .slot(.staged(let name)): return RclonePlace(address: staging, path: [RemoteName(name)])
        case .slot(.trash):
            throw FileProblem(
                .unsupported, path: remote.address.root,
                "ticds cannot move files of this storage into a trash on it",
                advice: "Copy the remote to this machine with ticds-remote copy, and work there")
        }
    }

    // MARK: What there is

    func isThere(_ place: StoragePlace) throws(FileProblem) -> Bool {
        let found = try find(place)
        if case .slot = place { return try names().contains(found.path.last ?? RemoteName("")) }
        guard let name = found.path.last else { return try engine.status(of: found) != nil }
        if try engine.hasFile(found) { return true }
        // Once for each folder: whether it may be read, and which folders exist.
        let parent = found.path.parent
        if let names = listed.withLock({ $0[parent] }), !names.contains(name) { return false }
        guard try engine.status(of: RclonePlace(address: found.address, path: parent))?.kind == .folder else {
            throw .absent(parent, found.address)
        }
        let names = try Set(contents.list(parent).whole().map(\.name))
        listed.withLock { $0[parent] = names }
        return names.contains(name)
    }

    private func names() throws(FileProblem) -> Set<RemoteName> {
        if let known = slots.withLock(\.self) { return known }
        let names = try Set((engine.listIfPresent(staging) ?? FolderListing()).map(\.name))
        slots.withLock { $0 = names }
        return names
    }

    /// Forgets the names in the staging folder before a change, since an error leaves its outcome unknown.
    private func takeNames() -> Set<RemoteName>? {
        slots.withLock { names in
            defer { names = nil }
            return names
        }
    }

    /// Restores the names after a completed change.
    private func keep(_ names: Set<RemoteName>?, without old: StoragePlace? = nil, with new: StoragePlace) {
        var names = names
        if case .slot(.staged(let name)) = old { names?.remove(RemoteName(name)) }
        if case .slot(.staged(let name)) = new { names?.insert(RemoteName(name)) }
        slots.withLock { $0 = names }
    }

    func state(of place: StoragePlace) throws(FileProblem) -> EntryState { try state(of: find(place)) }

    private func state(of place: RclonePlace) throws(FileProblem) -> EntryState {
        guard let found = try engine.status(of: place) else { throw .absent(place.path, place.address) }
        guard found.kind == .folder else {
            return EntryState(kind: found.kind, size: found.size, modified: found.modified)
        }
        let listing = try listing(of: place)
        return try EntryState(folder: .root) { (folder) throws(FileProblem) in listing[folder] }
    }

    /// The listing of everything in a folder.
    private func listing(of place: RclonePlace) throws(FileProblem) -> RcloneListing {
        guard let listing = try engine.list(place.folder, withDigests: false) else {
            throw FileProblem(
                .unreadable, path: place.path.filePath(under: place.address.root),
                "cannot be listed as a whole", advice: "Check the account, or look with: rclone lsf -R")
        }
        if let problem = listing.problems.first { throw problem }
        return listing
    }

    // MARK: Before the change

    func rehearse(_ actions: PlanActions, _ timedFolders: [RemotePath]) throws(FileProblem) {
        let rehearsal = RcloneProbe(contents, remote.address, remote.features, engine, places)
        try rehearsal.run(actions)
    }

    func makeStaging() throws(FileProblem) {
        try engine.makeFolder(staging)
        slots.withLock { $0 = [] }
    }

    func removeStaging() throws(FileProblem) {
        guard let parent = staging.parent else { return }
        let place = RclonePlace(address: parent, path: [RemoteName(staging.name)])
        guard try engine.status(of: place) != nil else { return }
        slots.withLock { $0 = nil }
        try engine.removeFolder(place)
    }

    // MARK: Upload and download

    func stage(_ slot: StagedSlot, made: EntryState) throws(FileProblem) -> EntryState {
        let target = try find(.slot(slot))
        let source = places.entry(slot)
        let names = takeNames()
        if names?.contains(target.path.last ?? "") != false, let left = try engine.status(of: target) {
            if left.kind == .folder { try engine.removeFolder(target) } else { try engine.removeFile(target) }
        }
        if made.kind == .folder {
            try engine.makeFolder(target.folder)
            try engine.uploadFolder(source.path, to: target)
            try compare(RemoteScanner.scan(LocalStorage(root: source.path)), source.path, target)
        } else {
            try engine.uploadFile(source.path, to: target)
            guard let its = try engine.status(of: target), let name = target.path.last,
                let modified = made.modified
            else { throw different(target) }
            let mine = FolderEntry(name: name, kind: made.kind, size: made.size, modified: modified)
            try compare(mine, its, source.path, target)
        }
        let state = try state(of: target)
        keep(names, with: .slot(slot))
        return state
    }

    /// Compares an uploaded folder with its original: every name, and the size, time and bytes of every file.
    private func compare(
        _ scanned: RemoteTree, _ original: FilePath, _ target: RclonePlace
    ) throws(FileProblem) {
        if let problem = scanned.problems.first { throw problem }
        let there = try listing(of: target)
        guard Set(there.folders.keys) == Set(scanned.folders.keys) else { throw different(target) }
        var pairs: [(mine: FolderEntry, its: FolderEntry, path: RemotePath)] = []
        for (folder, entries) in scanned.folders {
            let found = there[folder]
            guard found.count == entries.count else { throw different(target) }
            for (mine, its) in zip(entries, found) { pairs.append((mine, its, folder.appending(mine.name))) }
        }
        try ParallelWork.tryForEach(below: pairs.count, workers: RcloneEngine.transfers) {
            [pairs] (number) throws(FileProblem) in
            let (mine, its, path) = pairs[number]
            try compare(
                mine, its, path.filePath(under: original),
                RclonePlace(address: target.address, path: RemotePath(target.path.names + path.names)))
        }
    }

    /// Compares an uploaded file with its original: size, time and every byte.
    private func compare(
        _ mine: FolderEntry, _ its: FolderEntry, _ original: FilePath, _ place: RclonePlace
    ) throws(FileProblem) {
        guard mine.name == its.name, mine.kind == its.kind else { throw different(place) }
        if mine.kind == .folder { return }
        let digest = try FileHasher.digest(of: OwnedDescriptor.file(original))
        guard mine.kind == .file, mine.size == its.size,
            its.modified.isRounding(of: mine.modified, to: remote.features.precision),
            try engine.digest(of: place, size: its.size) == digest
        else { throw different(place) }
    }

    private func different(_ place: RclonePlace) -> FileProblem {
        FileProblem(
            .writeFailed, path: place.path.filePath(under: place.address.root),
            "what arrived is not what was uploaded", expected: "the same names, sizes, times and bytes",
            advice: "Nothing was changed. Look at the storage with: rclone lsl")
    }

    func fetch(_ slot: StagedSlot, to place: EntryPlace) throws(FileProblem) {
        let source = try find(.slot(slot))
        guard let found = try engine.status(of: source) else { throw .absent(source.path, source.address) }
        let parent = try OwnedDescriptor.folder(place.folder)
        guard found.kind == .folder else { return try fetch(found, source, to: parent, as: place.name) }
        try fetch(.root, of: source, listing(of: source), to: parent, as: place.name)
    }

    private func fetch(
        _ folder: RemotePath, of source: RclonePlace, _ listing: RcloneListing,
        to parent: borrowing OwnedDescriptor, as name: FilePath
    ) throws(FileProblem) {
        try parent.makeFolder(name, mode: 0o700)
        let into = try parent.folder(name)
        for entry in listing[folder] {
            let new = FilePath(nameBytes: entry.name.bytes)
            let path = folder.appending(entry.name)
            if entry.kind == .folder {
                try fetch(path, of: source, listing, to: into, as: new)
            } else {
                let place = RclonePlace(
                    address: source.address, path: RemotePath(source.path.names + path.names))
                try fetch(entry, place, to: into, as: new)
            }
        }
        try into.sync()
    }

    private func fetch(
        _ entry: FolderEntry, _ source: RclonePlace, to folder: borrowing OwnedDescriptor, as name: FilePath
    ) throws(FileProblem) {
        var file = try FileWriter(name, in: folder, mode: 0o600)
        for offset in stride(from: Int64(0), to: entry.size, by: 8 << 20) {
            let end = min(offset +| 8 << 20, entry.size)
            let bytes = try LiveRclone(source.address, engine).read(
                source.path, range: Int(offset)..<Int(end))
            guard bytes.count == Int(end - offset) else { throw .changedThere(source) }
            try bytes.withUnsafeBytes { (bytes) throws(FileProblem) in try file.append(bytes) }
        }
        try file.finish(modified: entry.modified)
        guard try FileHasher.digest(of: folder.file(name)) == engine.digest(of: source, size: entry.size)
        else { throw .changedThere(source) }
    }

    // MARK: Moves

    func move(_ old: StoragePlace, to new: StoragePlace, seen: EntryState?) throws(FileProblem) {
        let (source, target) = (try find(old), try find(new))
        let before = try state(of: source)
        if let seen, before != seen { throw .changedThere(source) }
        guard try !isThere(new) else {
            throw FileProblem(
                .refused, path: target.path.filePath(under: target.address.root), "is there already",
                expected: "nothing of this name",
                advice: "Another program is changing the remote; look at it, then make the plan again")
        }
        let names = takeNames()
        try move(source, to: target, before.kind)
        if try state(of: target) == before { return keep(names, without: old, with: new) }
        // An entry that changed at the same moment goes back.
        if try engine.status(of: source) == nil { try move(target, to: source, before.kind) }
        throw .changedThere(source)
    }

    private func move(_ old: RclonePlace, to new: RclonePlace, _ kind: FileKind) throws(FileProblem) {
        if kind == .folder { try engine.moveFolder(old, to: new) } else { try engine.moveFile(old, to: new) }
    }

    func replace(
        _ file: RemotePath, by slot: StagedSlot, keeping kept: (slot: StagedSlot, seen: EntryState)?
    ) throws(FileProblem) {
        throw FileProblem(
            .unsupported, path: file.filePath(under: contents.root),
            "ticds cannot replace a file of this storage in one step",
            advice: "Copy the remote to this machine with ticds-remote copy, and work there")
    }

    /// Sets the time of a file. It does nothing for folders: storages do not keep their times, and no client uses them.
    func setTime(_ time: FileTime, of path: RemotePath) throws(FileProblem) {
        guard try contents.status(of: path).kind != .folder else { return }
        throw FileProblem(
            .unsupported, path: path.filePath(under: contents.root),
            "ticds cannot set the time of a file of this storage by itself",
            advice: "Copy the remote to this machine with ticds-remote copy, and work there")
    }

    /// Does nothing: an answered change is durable.
    func sync(around path: RemotePath) {}
}

extension RcloneEngine {
    func status(of place: RclonePlace) throws(FileProblem) -> FolderEntry? {
        if !place.path.names.isEmpty { return try status(of: place.path, in: place.address) }
        guard let parent = place.address.parent else { return nil }
        return try status(of: [RemoteName(place.address.name)], in: parent)
    }
}
