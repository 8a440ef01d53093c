import Base
import SystemCalls
import SystemPackage

/// The lock for every process that can change the remote, with any state home: a file beside the remote, never in it.
///
/// The file exists while a process is at work. If an operation is interrupted, the file stays until the operation has
/// been ended. On this host, flock(2) shows whether the process is still alive; a file from another host always counts.
/// The folder of the remote is also locked, which excludes other local processes even if the file cannot be made.
final class RemoteLock: StorageLock {
    private let place: LockPlace
    private var note: LockNote
    /// Nil if the folder around the remote is not writable.
    private var file: AdvisoryLock?
    /// Nil if there is no remote yet, or the file system has no locks.
    private let root: AdvisoryLock?
    private var renewal = Deadline(seconds: RemoteLock.interval)

    /// Seconds between two signs of life.
    private static let interval: Int64 = 10

    /// Takes the lock; waits for another process until `deadline`.
    /// - Parameters:
    ///   - journal: the journal of the state home. Its own unfinished operations do not prevent the lock.
    ///   - warn: called if other processes cannot see the lock.
    /// - Throws: `.refused` if another process is at work, or an operation of another state home is unfinished.
    init(
        _ journal: borrowing Journal, command: String, until deadline: Deadline,
        warn: (String) -> Void = { _ in }
    ) throws(FileProblem) {
        let place = LockPlace(journal.state.root)
        var note = LockNote(journal.state, command: command)
        let locks = try Self.patiently(until: deadline) { () throws(FileProblem) in
            let root = try Self.lockRoot(journal.state.root, place)
            try place.checkOthers(note, journal)
            return (root: root, file: try place.take(&note, journal, warn))
        }
        self.place = place
        self.note = note
        root = locks.root
        file = locks.file
    }

    deinit {
        if let file, note.operation == nil { place.remove(file, at: place.path) }
    }

    private static func patiently<Result>(
        until deadline: Deadline, _ body: () throws(FileProblem) -> Result
    ) throws(FileProblem) -> Result {
        // ends: at the deadline
        while true {
            do throws(FileProblem) {
                return try body()
            } catch {
                guard error.isBusy, !deadline.isOver else { throw error }
                deadline.pause()
            }
        }
    }

    private static func lockRoot(_ root: FilePath, _ place: LockPlace) throws(FileProblem) -> AdvisoryLock? {
        // An entry that does not exist or cannot be opened cannot be locked.
        // try?: nothing can be changed in a folder that cannot be opened
        guard let outcome = try? AdvisoryLock.take(root) else { return nil }
        switch outcome {
        case .held(let lock): return lock
        case .unsupported: return nil
        // try?: the note is for people
        case .taken: throw place.busy(try? LockNote(place.path), at: place.path)
        }
    }

    /// Records which operation is about to change the remote. From now on the file outlives the process.
    func begin(_ number: Int64, _ summary: String, staging: FilePath) throws(FileProblem) {
        guard let file else { return }
        guard file.isHeld(on: place.path) else {
            throw FileProblem(
                .refused, path: place.path, "somebody has removed the lock",
                advice: "Find out who else is changing the remote, then try again")
        }
        note.operation = LockNote.Operation(
            number: number, staging: staging.lastComponent?.string ?? "", summary: summary)
        self.file = try place.replace(by: note)
    }

    /// Records that no operation is unfinished . The file is removed with this value.
    func end() { note.operation = nil }

    /// Sets the time of the file every ten seconds, as a sign of life.
    func renew() {
        guard renewal.isOver else { return }
        renewal = Deadline(seconds: Self.interval)
        file?.touch()
    }
}

/// The lock file of a remote.
struct LockPlace {
    let root: FilePath
    let path: FilePath
    private let folder: FilePath

    private static let prefix = Array(".ticds-".utf8)
    private static let suffix = Array(".lock".utf8)

    init(_ root: FilePath) {
        self.root = root
        folder = root.removingLastComponent()
        let name = root.lastComponent?.bytes ?? []
        // A name that is too long is truncated; different names that begin like it then share the lock.
        path = folder.pushing(FilePath(nameBytes: Self.prefix + name.prefix(200) + Self.suffix))
    }

    /// Makes the file, or takes over the file of a process that has ended. Nil if the folder is not writable.
    func take(
        _ note: inout LockNote, _ journal: borrowing Journal, _ warn: (String) -> Void
    ) throws(FileProblem) -> AdvisoryLock? {
        guard try Self.isThere(path) else {
            if FileStatus.canWrite(in: folder) { return try make(note) }
            warn(
                "cannot write to \(folder.escaped): other machines, and commands of other users after an interruption, "
                    + "do not see that this remote is being changed")
            return nil
        }
        let found = try lock(path)
        let old = try LockNote(path)
        if let operation = old.operation {
            if try journal.knows(operation) {
                note.operation = try journal.isUnfinished(operation) ? operation : nil
            } else if !old.hasEnded(at: root) {
                throw interrupted(old, at: path)
            }
        }
        return try withExtendedLifetime(found) { () throws(FileProblem) in try replace(by: note) }
    }

    /// Locks the file of a local process that has ended.
    private func lock(_ path: FilePath) throws(FileProblem) -> AdvisoryLock {
        do throws(FileProblem) {
            switch try AdvisoryLock.take(path) {
            case .taken: throw busy(try? LockNote(path), at: path)  // try?: the note is for people
            case .unsupported: throw undecided(try LockNote(path), at: path)
            case .held(let lock):
                // Otherwise another process has removed or replaced it.
                guard lock.isHeld(on: path) else { throw busy(nil, at: path) }
                let note = try LockNote(path)
                guard note.isOfThisMachine else { throw elsewhere(note, at: path) }
                return lock
            }
        } catch {
            throw error.kind == .missing ? busy(nil, at: path) : error
        }
    }

    private static func isThere(_ path: FilePath) throws(FileProblem) -> Bool {
        guard let status = try FileStatus.ifPresent(path) else { return false }
        guard status.kind == .file else {
            throw FileProblem(
                .refused, path: path, "there is something else in the place of a lock file",
                advice: "Find out what it is, and move it away")
        }
        return true
    }

    /// Makes the file in one step, with link(2).
    /// - Throws: `.unreadable` if the folder is not writable.
    private func make(_ note: LockNote) throws(FileProblem) -> AdvisoryLock {
        let open = try OwnedDescriptor.folder(folder)
        let (new, lock) = try draft(note, in: open)
        do throws(FileProblem) {
            if try open.link(new, to: open, as: name) {
                try open.remove(new)
            } else {
                try open.move(new, to: open, as: name)
            }
        } catch {
            try? open.remove(new)  // try?: the first error counts
            throw try Self.isThere(path) ? busy(nil, at: path) : error
        }
        guard lock.isHeld(on: path) else {
            try? open.remove(name)  // try?: the next local command takes it
            throw FileProblem(
                .refused, path: path, "the lock cannot be recognised",
                expected: "the inode number of the file that was made", found: "another one",
                advice:
                    "This file system gives a new number to each name, as some FUSE file systems do. Copy the remote "
                    + "to a disk of this machine, and change it there")
        }
        return lock
    }

    /// Replaces the file, whose lock this process holds.
    func replace(by note: LockNote) throws(FileProblem) -> AdvisoryLock {
        let open = try OwnedDescriptor.folder(folder)
        let (new, lock) = try draft(note, in: open)
        do throws(FileProblem) {
            try open.replace(name, in: open, by: new)
        } catch {
            try? open.remove(new)  // try?: the first error counts
            throw error
        }
        try open.sync()
        return lock
    }

    /// A file with a random name, locked and on disk. It is locked and written before it gets its name, so that a draft
    /// without a lock belongs to a process that has ended. If a file cannot get its name later, it is locked before
    /// anything is written.
    private func draft(
        _ note: LockNote, in open: borrowing OwnedDescriptor
    ) throws(FileProblem) -> (name: FilePath, lock: AdvisoryLock) {
        let new = FilePath(nameBytes: name.bytes + Array("-\(RandomName.make())".utf8))
        if let lock = try fill(FileWriter(linkedLater: new, in: open, mode: 0o644), new, note, in: open) {
            return (new, lock)
        }
        guard let lock = try fill(FileWriter(new, in: open, mode: 0o644), new, note, in: open) else {
            throw busy(nil, at: path)
        }
        return (new, lock)
    }

    /// Locks a draft, writes it and gives it its name.
    /// - Returns: nil if the file cannot get its name later.
    private func fill(
        _ draft: consuming FileWriter, _ new: FilePath, _ note: LockNote, in open: borrowing OwnedDescriptor
    ) throws(FileProblem) -> AdvisoryLock? {
        var file = draft
        do throws(FileProblem) {
            switch try file.lock() {
            case .held(let lock), .unsupported(let lock):
                let bytes = try PrivateBytes(copying: SharedBytes(note.bytes), path: folder)
                try file.append(UnsafeRawBufferPointer(bytes.memory))
                guard try file.link(in: open) else { return nil }
                try file.finish(modified: nil)
                return lock
            case .taken: throw busy(nil, at: path)
            }
        } catch {
            try? open.remove(new)  // try?: the first error counts
            throw error
        }
    }

    private var name: FilePath { FilePath(nameBytes: path.lastComponent?.bytes ?? []) }

    /// Removes the file, whose lock this process holds.
    func remove(_ lock: AdvisoryLock, at path: FilePath) {
        // try?: the next local command takes it
        guard lock.isHeld(on: path), let open = try? OwnedDescriptor.folder(folder) else { return }
        // try?: as above
        try? open.remove(FilePath(nameBytes: path.lastComponent?.bytes ?? []))
    }

    /// Checks the lock files with different names beside the remote: the remote may have been renamed after an
    /// operation was interrupted. Removes drafts of processes that have ended.
    func checkOthers(_ note: LockNote, _ journal: borrowing Journal) throws(FileProblem) {
        // try?: the folder around a remote may be closed to listing; its own lock counts all the same
        guard let open = try? OwnedDescriptor.folder(folder) else { return }
        var names: [FilePath] = []
        try DirectoryReader.forEachEntry(of: open, where: { $0.starts(with: Self.prefix) }) { name, _ in
            names.append(FilePath(nameBytes: name))
        }
        for name in names where name != self.name {
            let path = folder.pushing(name)
            if Self.isDraft(name.bytes) {
                removeDraft(path)
            } else if name.bytes.suffix(Self.suffix.count) == Self.suffix[...] {
                guard let other = try LockNote.ifPresent(path), let remote = note.remote,
                    other.remote?.isSame(as: remote) == true
                else { continue }
                try check(other, at: path, journal)
            }
        }
    }

    private func check(
        _ other: LockNote, at path: FilePath, _ journal: borrowing Journal
    ) throws(FileProblem) {
        let lock = try lock(path)
        if other.hasEnded(at: root) {
            remove(lock, at: path)
        } else if other.stateFolder.removingLastComponent() != journal.state.home {
            throw interrupted(other, at: path)
        }
    }

    private static func isDraft(_ name: [UInt8]) -> Bool {
        let end = suffix + [UInt8(ascii: "-")]
        return RandomName.matches(name.suffix(32)) && name.dropLast(32).suffix(end.count) == end[...]
    }

    /// Removes the draft of a process that has ended, under any former name of the remote. If neither lock nor content
    /// shows that the process has ended (an incomplete note, or one from another host), the draft must be a day old: a
    /// draft exists for moments only.
    private func removeDraft(_ path: FilePath) {
        // try?: it stays
        guard let status = try? FileStatus.of(path), status.kind == .file else { return }
        let isOld = FileTime.now.seconds(since: status.modified) > 86_400
        // Another process may be about to lock a new empty file, and must not fail.
        guard isOld || status.size > 0 else { return }
        switch try? AdvisoryLock.take(path) {  // try?: it stays
        // try?: an incomplete note says nothing
        case .held(let lock)? where isOld || (try? LockNote(path))?.isOfThisMachine == true:
            remove(lock, at: path)
        case .unsupported(let lock)? where isOld: remove(lock, at: path)
        default: break
        }
    }

    func busy(_ note: LockNote?, at path: FilePath) -> FileProblem {
        .locked(path, by: note?.holder(renewed: nil))
    }

    private func elsewhere(_ note: LockNote, at path: FilePath) -> FileProblem {
        var problem = FileProblem(
            .refused, path: path,
            "a command on another machine is changing this remote, or was interrupted there",
            found: note.holder(renewed: (try? FileStatus.of(path))?.modified),  // try?: for people
            advice:
                "Wait for it, or run there: \(recovery(note)). Only if that machine is gone for good, remove this "
                + "file, and run ticds-verify")
        problem.isBusy = true
        return problem
    }

    private func undecided(_ note: LockNote, at path: FilePath) -> FileProblem {
        var problem = FileProblem(
            .refused, path: path, "another command is changing this remote, or was interrupted",
            found: note.holder(renewed: (try? FileStatus.of(path))?.modified),  // try?: for people
            advice:
                "This volume does not show which. If that process no longer exists, remove this file, then run: "
                + recovery(note))
        problem.isBusy = true
        return problem
    }

    private func interrupted(_ note: LockNote, at path: FilePath) -> FileProblem {
        let operation = note.operation.map { "operation \($0.number) (\($0.summary)) " } ?? "an operation "
        return FileProblem(
            .refused, path: path,
            operation + "of another state home was interrupted and has not been ended",
            found: note.holder(renewed: nil), advice: "Run as user \(note.user): \(recovery(note))")
    }

    private func recovery(_ note: LockNote) -> String {
        "ticds-journal recover --state \(ShellWord.quoted(note.stateHome)) \(ShellWord.quoted(root))"
    }
}
