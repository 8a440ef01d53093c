import Synchronization
import SystemCalls
import SystemPackage
@testable import TICDSCore
@testable import TICDSOperations

/// A storage with one failing call, before or after its effect; or with all later calls failing, as after the end of
/// the process or the connection.
struct FaultyStorage: WritableStorage {
    enum Fault: CaseIterable, Sendable { case before, after, deadBefore, deadAfter }

    let storage: any WritableStorage
    let counter: Counter

    /// - Parameter position: the number of the call that fails, from 0.
    init(_ storage: any WritableStorage, _ fault: Fault, at position: Int) {
        self.storage = storage
        counter = Counter(fault, position)
    }

    final class Counter: Sendable {
        private let fault: Fault
        private let position: Int
        private let calls = Mutex(0)

        init(_ fault: Fault, _ position: Int) {
            self.fault = fault
            self.position = position
        }

        /// Whether the failing call has occurred.
        var hasFailed: Bool { calls.withLock { $0 > position } }

        func call<Value>(_ body: () throws(FileProblem) -> Value) throws(FileProblem) -> Value {
            let number = calls.withLock { calls in
                defer { calls += 1 }
                return calls
            }
            let problem = FileProblem(.writeFailed, path: "/fault", "call \(number) failed")
            switch fault {
            case .before where number == position: throw problem
            case .deadBefore where number >= position, .deadAfter where number > position: throw problem
            case .after where number == position, .deadAfter where number == position:
                _ = try body()
                throw problem
            default: return try body()
            }
        }
    }

    var contents: any RemoteStorage { storage.contents }
    var hasMovesOnly: Bool { storage.hasMovesOnly }

    func lock(
        _ journal: borrowing Journal, command: String, until deadline: Deadline, warn: (String) -> Void
    ) throws(FileProblem) -> any StorageLock {
        try storage.lock(journal, command: command, until: deadline, warn: warn)
    }

    func chooseStaging(for state: RemoteState) throws(FileProblem) -> (folder: FilePath, trashIsNear: Bool) {
        try counter.call { () throws(FileProblem) in try storage.chooseStaging(for: state) }
    }

    func operation(at places: OperationPaths) -> any OperationStorage {
        Operation(storage: storage.operation(at: places), counter: counter)
    }

    private struct Operation: OperationStorage {
        let storage: any OperationStorage
        let counter: Counter

        var contents: any RemoteStorage { storage.contents }

        func model() throws(FileProblem) -> FileStatus {
            try counter.call { () throws(FileProblem) in try storage.model() }
        }
        func isThere(_ place: StoragePlace) throws(FileProblem) -> Bool {
            try counter.call { () throws(FileProblem) in try storage.isThere(place) }
        }
        func state(of place: StoragePlace) throws(FileProblem) -> EntryState {
            try counter.call { () throws(FileProblem) in try storage.state(of: place) }
        }
        func rehearse(_ actions: PlanActions, _ timedFolders: [RemotePath]) throws(FileProblem) {
            try counter.call { () throws(FileProblem) in try storage.rehearse(actions, timedFolders) }
        }
        func makeStaging() throws(FileProblem) {
            try counter.call { () throws(FileProblem) in try storage.makeStaging() }
        }
        func removeStaging() throws(FileProblem) {
            try counter.call { () throws(FileProblem) in try storage.removeStaging() }
        }
        func stage(_ slot: StagedSlot, made: EntryState) throws(FileProblem) -> EntryState {
            try counter.call { () throws(FileProblem) in try storage.stage(slot, made: made) }
        }
        func move(_ old: StoragePlace, to new: StoragePlace, seen: EntryState?) throws(FileProblem) {
            try counter.call { () throws(FileProblem) in try storage.move(old, to: new, seen: seen) }
        }
        func replace(
            _ file: RemotePath, by slot: StagedSlot, keeping kept: (slot: StagedSlot, seen: EntryState)?
        ) throws(FileProblem) {
            try counter.call { () throws(FileProblem) in try storage.replace(file, by: slot, keeping: kept) }
        }
        func setTime(_ time: FileTime, of path: RemotePath) throws(FileProblem) {
            try counter.call { () throws(FileProblem) in try storage.setTime(time, of: path) }
        }
        func fetch(_ slot: StagedSlot, to place: EntryPlace) throws(FileProblem) {
            try counter.call { () throws(FileProblem) in try storage.fetch(slot, to: place) }
        }
        func sync(around path: RemotePath) throws(FileProblem) {
            try counter.call { () throws(FileProblem) in try storage.sync(around: path) }
        }
    }
}
