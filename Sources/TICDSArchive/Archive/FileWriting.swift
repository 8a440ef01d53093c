import Base
import Dispatch
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations

/// Writes unpacked files on a separate thread; `add` and `finish` throw its errors.
final class FileWriting: Sendable {
    /// The steps for each file, in this order.
    enum Step: Sendable {
        case begin(NewMember)
        case append(SharedBytes)
        case skip(Int)
        case end(FileTime)
    }

    /// A file to create.
    struct NewMember: Sendable {
        var folder: UnpackedFolder
        var name: FilePath
        /// The name in the archive, for errors.
        var member: [UInt8]
    }

    private let queue = WorkQueue<Never>(threads: 1)
    /// Starts at 0, since a semaphore traps if it is freed below its initial value.
    private let room = DispatchSemaphore(value: 0)
    private let files: FilesBeingWritten
    private let problem = Mutex<FileProblem?>(nil)
    /// Used only by the thread that unpacks.
    private let waiting = Mutex(Batch())

    private struct Batch {
        var steps: [Step] = []
        var bytes = 0
    }

    /// Steps and bytes of a batch for the writing thread: waking it for each file would take longer than writing the
    /// file.
    private static let batchSteps = 96
    private static let batchBytes = 1 << 20
    private static let batches = 4

    init(archive: FilePath, model: FileStatus) {
        files = FilesBeingWritten(archive: archive, model: model)
        for _ in 0..<Self.batches { room.signal() }
    }

    deinit { queue.close() }

    /// - Throws: the problem of an earlier step.
    func add(_ step: Step) throws(FileProblem) {
        let batch = waiting.withLock { waiting -> [Step]? in
            waiting.steps.append(step)
            if case .append(let bytes) = step { waiting.bytes += bytes.count }
            guard waiting.steps.count >= Self.batchSteps || waiting.bytes >= Self.batchBytes else {
                return nil
            }
            defer { waiting = Batch() }
            return waiting.steps
        }
        if let batch { try send(batch) }
    }

    func finish() throws(FileProblem) {
        let batch = waiting.withLock { waiting in
            defer { waiting = Batch() }
            return waiting.steps
        }
        try send(batch)
        awaitSteps()
        if let problem = problem.withLock({ $0 }) { throw problem }
    }

    /// Files whose times the volume could not keep; valid after `finish`.
    var changedTimes: ChangedTimes { files.changedTimes }

    private func awaitSteps() {
        let end = DispatchSemaphore(value: 0)
        queue.run { _ in end.signal() }
        end.wait()
    }

    private func send(_ batch: [Step]) throws(FileProblem) {
        if let problem = problem.withLock({ $0 }) { throw problem }
        room.wait()
        queue.run { [self] _ in
            defer { room.signal() }
            guard problem.withLock({ $0 == nil }) else { return }
            do throws(FileProblem) {
                for step in batch { try files.take(step) }
            } catch {
                problem.withLock { $0 = error }
            }
        }
    }
}

/// The part that runs on the writing thread.
private final class FilesBeingWritten: @unchecked Sendable {
    // Used only by the work of `FileWriting`, piece by piece, and after its end.
    private let archive: FilePath
    private let model: FileStatus
    private var file: FileWriter?
    private var member: [UInt8] = []
    private(set) var changedTimes = ChangedTimes()

    init(archive: FilePath, model: FileStatus) {
        self.archive = archive
        self.model = model
    }

    func take(_ step: FileWriting.Step) throws(FileProblem) {
        switch step {
        case .begin(let new):
            file = try begin(new)
            member = new.member
        case .append(let bytes):
            try bytes.withUnsafeBytes { (bytes) throws(FileProblem) in try file?.append(bytes) }
        case .skip(let count): file?.skip(count)
        case .end(let modified):
            guard let file = file.take() else { return }
            let found = try file.finishUnsynced(trying: modified)
            if found != modified { changedTimes.add(member, modified, found) }
        }
    }

    private func begin(_ new: FileWriting.NewMember) throws(FileProblem) -> FileWriter {
        let mode = model.modeOfFiles
        let folder = new.folder
        let file: FileWriter
        do throws(FileProblem) {
            file = try FileWriter(new.name, in: folder.open, mode: mode)
        } catch {
            throw try folder.open.exists(new.name)
                ? .hostile(archive, new.member, "a member that occurs twice") : error
        }
        // If the first file of a folder gets the right owner and mode by itself, so do the others.
        if folder.needsAdoption == nil {
            folder.needsAdoption = try !file.hasStatus(owner: model.owner, group: model.group, mode: mode)
        }
        if folder.needsAdoption != false {
            try file.adopt(owner: model.owner, group: model.group, mode: mode)
        }
        return file
    }
}
