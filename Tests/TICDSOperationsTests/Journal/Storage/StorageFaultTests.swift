import SystemCalls
import TestSupport
import Testing
@testable import TICDSCore
@testable import TICDSOperations

/// Each single call of a storage fails in one of four ways: in each case, a remote is in the state before or after the
/// plan, and recovery ends the operation.
@Suite struct StorageFaultTests {
    typealias Kind = WritableStorageConformance.Kind
    typealias Fault = FaultyStorage.Fault

    private static func plan(_ remote: ChangedRemote, _ storage: any WritableStorage) throws -> Plan {
        var plan = try remote.plan()
        let tree = try RemoteSnapshot.take(storage.contents).tree
        for (position, action) in plan.actions.enumerated() {
            guard case .moveToTrash(let path, _) = action.kind else { continue }
            plan.actions[position].kind = .moveToTrash(path: path, seen: try tree.state(of: path))
        }
        return plan
    }

    @Test(arguments: Kind.onThisMachine, Fault.allCases)
    func everyCall(kind: Kind, fault: Fault) throws {
        var calls = 0
        let first = Fault.allCases.firstIndex(of: fault) ?? 0
        for position in stride(from: first, to: 1_000, by: Fault.allCases.count) {
            let remote = try ChangedRemote(home: kind == .folderFarTrash ? OtherVolume.folder : nil)
            let (storage, memory) = try WritableStorageConformance.Trial.storage(kind, remote)
            let plan = try Self.plan(remote, storage)
            let before = try MemoryImage(storage.contents)
            let faulty = FaultyStorage(storage, fault, at: position)
            var isDone = false
            do throws(FileProblem) {
                _ = try Executor(remote.state, faulty).run(plan)
                isDone = true
            } catch {
                if try OperationRecovery.unfinished(remote.state).isEmpty {
                    let isBefore = try MemoryImage(storage.contents) == before
                    #expect(isBefore, "call \(position): \(error)")
                }
            }
            for ended in try OperationRecovery.recover(remote.state, storage) {
                isDone = ended.state == .done
            }
            let image = try MemoryImage(storage.contents)
            #expect((image == before) != isDone, "call \(position)")
            #expect(try OperationRecovery.unfinished(remote.state).isEmpty)
            // The next operation removes leftovers, and the undo works.
            if isDone {
                let undo = try UndoPlanner.plan(undoing: 1, in: remote.journal(), storage)
                _ = try Executor(remote.state, storage).run(undo, undoing: 1)
                #expect(try MemoryImage(storage.contents) == before, "call \(position)")
            } else {
                _ = try Executor(remote.state, storage).run(plan)
                #expect(try MemoryImage(storage.contents) != before)
            }
            #expect(memory?.hasStaging != true)
            guard faulty.counter.hasFailed else { break }
            calls += 1
        }
        #expect(calls > 10 && calls < 200)
    }
}
