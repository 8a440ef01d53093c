import Base
import Cryptography
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations

/// The lock of a remote in a storage: a folder beside the remote, with a note of every process that wants to change it.
///
/// A process that wants the lock adds a note of its own, and then lists the folder. A process that finds no other note
/// has the lock; all others remove their notes. If two come at the same time, at least one sees the other, without any
/// help of the server.
final class RcloneLock: StorageLock {
    private let folder: RcloneAddress
    private let engine: RcloneEngine
    private let root: FilePath
    private var note: LockNote
    private var name: RemoteName
    /// The name of a note of this state until it is complete; a server may keep a part of an interrupted upload.
    private let unfinished: String
    private var renewal = Deadline(seconds: RcloneLock.interval)

    /// The seconds between two signs of life.
    private static let interval: Int64 = 60

    /// - Throws: `.refused` if another command is active, or an operation of another state home is unfinished.
    init(_ remote: WritableRclone, _ journal: borrowing Journal, command: String) throws(FileProblem) {
        folder = remote.beside(".ticds-\(remote.address.name).lock")
        engine = remote.engine
        root = remote.address.root
        var note = LockNote(journal.state, command: command)
        var ended: Set<RemoteName> = []
        for (name, other) in try Self.notes(engine.listIfPresent(folder) ?? FolderListing(), folder, engine) {
            if other.isOfThisMachine, other.stateFolder == journal.state.folder {
                // This process holds the lock of this state, so the other process has ended.
                if let operation = other.operation, try journal.isUnfinished(operation) {
                    note.operation = operation
                }
            } else if other.operation == nil ? other.mayRun : !other.hasEnded(at: root) {
                throw Self.taken(other, folder.appending(name.text))
            }
            ended.insert(name)
        }
        name = RemoteName(RandomName.make())
        let own = SHA256.hash(Array("\(HostIdentity.identifier)\0".utf8) + journal.state.folder.bytes)
        unfinished = "new-" + hexadecimalDigits(of: own).prefix(32)
        self.note = note
        try write(note)
        do throws(FileProblem) {
            let entries = try engine.listIfPresent(folder) ?? FolderListing()
            let others = try Self.notes(entries, folder, engine)
                .filter { $0.name != name && !ended.contains($0.name) }
            if let other = others.first { throw Self.taken(other.note, folder.appending(other.name.text)) }
            let halves = entries.map(\.name).filter { $0.text.hasPrefix(unfinished) }
            for name in ended.union(halves) { try remove(name) }
        } catch {
            try? remove(name)  // try?: the first error counts, and the next command of this state removes it
            throw error
        }
    }

    deinit {
        guard note.operation == nil else { return }
        try? remove(name)  // try?: the next command of this state removes it
        try? engine.removeEmpty(folder)  // try?: there may be another note in it
    }

    /// All notes. Other files in the folder are uploads that were interrupted, or that are incomplete so far.
    private static func notes(
        _ entries: FolderListing, _ folder: RcloneAddress, _ engine: RcloneEngine
    ) throws(FileProblem) -> [(name: RemoteName, note: LockNote)] {
        var notes: [(name: RemoteName, note: LockNote)] = []
        for entry in entries where RandomName.matches(entry.name.bytes) {
            let bytes = try unlessMissing { () throws(FileProblem) in
                try LiveRclone(folder, engine).read([entry.name], limit: .note)
            }
            guard let bytes else { continue }
            notes.append((entry.name, try LockNote(bytes.array, folder.appending(entry.name.text).root)))
        }
        return notes
    }

    /// Uploads the note, and then gives it its present name.
    private func write(_ note: LockNote) throws(FileProblem) {
        let local = try TemporaryFolder()
        let file = local.path.appending(name.text)
        try NewFile.write(note.bytes, to: file)
        try engine.makeFolder(folder)
        let aside = RclonePlace(address: folder, path: [RemoteName(unfinished)])
        try engine.uploadFile(file, to: aside)
        try engine.moveFile(aside, to: RclonePlace(address: folder, path: [name]))
    }

    private func remove(_ name: RemoteName) throws(FileProblem) {
        try engine.removeFile(RclonePlace(address: folder, path: [name]))
    }

    /// Writes a new note, and then removes the older one, so that one of them always exists.
    private func rewrite(_ changed: LockNote) throws(FileProblem) {
        let old = name
        guard try engine.status(of: [old], in: folder) != nil else {
            throw FileProblem(
                .refused, path: folder.appending(old.text).root, "somebody has removed the lock",
                advice: "Find out who else is changing the remote, then try again")
        }
        name = RemoteName(RandomName.make())
        do throws(FileProblem) {
            try write(changed)
        } catch {
            name = old
            throw error
        }
        note = changed
        try remove(old)
    }

    func begin(_ number: Int64, _ summary: String, staging: FilePath) throws(FileProblem) {
        var changed = note
        changed.operation = LockNote.Operation(
            number: number, staging: staging.lastComponent?.string ?? "", summary: summary)
        try rewrite(changed)
    }

    func end() { note.operation = nil }

    func renew() throws(FileProblem) {
        guard renewal.isOver else { return }
        renewal = Deadline(seconds: Self.interval)
        var changed = note
        changed.renewed = FileTime.now.iso
        try rewrite(changed)
    }

    private static func taken(_ note: LockNote, _ place: RcloneAddress) -> FileProblem {
        let recover =
            "ticds-journal recover --state \(ShellWord.quoted(note.stateHome)) REMOTE, as user \(note.user)"
        var problem = FileProblem(
            .refused, path: place.root, "another command is changing this remote, or was interrupted",
            found: note.holder(renewed: note.renewed.flatMap(FileTime.init(iso:))),
            advice: "Wait for it, or run on that machine: \(recover). Only if that machine is gone for good, "
                + "remove this file with rclone deletefile, and run ticds-verify")
        problem.isBusy = true
        return problem
    }
}
