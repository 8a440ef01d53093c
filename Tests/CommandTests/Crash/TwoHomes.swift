import Foundation
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// One remote that is changed from two state homes, as by root and a user, or by two machines on one drive.
struct TwoHomes {
    let remote: ChangedRemote
    let other: TemporaryFolder
    let first: FaultyProgram
    let second: FaultyProgram
    private let firstPlan: String
    private let secondPlan: String

    init(_ home: CrashTests.Home) throws {
        let parent = home == .near ? nil : OtherVolume.folder
        remote = try ChangedRemote(home: parent)
        other = try TemporaryFolder(in: parent, prefix: "ticds-state")
        first = FaultyProgram(name: "ticds-journal", home: remote.home.path)
        second = FaultyProgram(name: "ticds-journal", home: other.path)
        var plan = Plan(root: remote.canonicalRoot, command: "test", summary: "Change something else")
        let clients: RemotePath = ["ClientDevices"]
        plan.add(
            .moveToTrash(
                path: clients, seen: try RemoteSnapshot.take(remote.builder.storage).tree.state(of: clients)))
        plan.add(.makeFolder(path: ["Documents", "second"]))
        let ours = remote.home.path.appending("plan.json")
        try TestFiles.write(ours, try PlanFile.bytes(of: try remote.plan()))
        firstPlan = ours.string
        let theirs = other.path.appending("plan.json")
        try TestFiles.write(theirs, try PlanFile.bytes(of: plan))
        secondPlan = theirs.string
    }

    var root: String { remote.root.string }

    /// The first plan's copy of a source is removed by the second plan, so that they cannot both run in any order.
    func applyFirst(_ fault: FaultyProgram.Fault = .none) throws -> Int32 {
        try first.run(["apply", firstPlan] + Self.options, fault: fault)
    }

    func applySecond(_ fault: FaultyProgram.Fault = .none) throws -> Int32 {
        try second.run(["apply", secondPlan] + Self.options, fault: fault)
    }

    private static let options = ["--yes", "--max-delete", "100%", "--lock-wait", "60s"]

    /// Interrupts the first operation in the middle: at the last call at which it is still unfinished.
    func interruptFirst() throws {
        let home: CrashTests.Home =
            remote.home.path.removingLastComponent() == OtherVolume.folder ? .far : .near
        _ = try applyFirst(.kill(try Self.lastCall(home)))
        #expect(try OperationRecovery.unfinished(remote.state).map(\.state) == [.running])
    }

    private static let lastCalls = Mutex<[String: Int]>([:])

    static func lastCall(_ home: CrashTests.Home) throws -> Int {
        try lastCalls.withLock { known in
            if let call = known["\(home)"] { return call }
            let trial = try TwoHomes(home)
            let file = trial.remote.home.path.appending("count")
            #expect(try trial.applyFirst(.count(file)) == 0)
            var unfinished = 1
            var done = try #require(Int(try String(contentsOfFile: file.string, encoding: .utf8).dropLast()))
            while done - unfinished > 1 {
                let call = (unfinished + done) / 2
                let trial = try TwoHomes(home)
                _ = try trial.applyFirst(.kill(call))
                let states = try Journal.read(trial.remote.state)?.operations().map(\.state) ?? []
                if states == [.done] { done = call } else { unfinished = call }
            }
            known["\(home)"] = unfinished
            return unfinished
        }
    }

    func undoAll(_ program: FaultyProgram) throws {
        let state = RemoteState(
            root: remote.canonicalRoot, stateHome: program.home.appending("ticds"))
        guard let journal = try Journal.read(state) else { return }
        for operation in try journal.operations() where operation.state == .done && operation.undoes == nil {
            guard operation.undoneBy == nil else { continue }
            let plan = try UndoPlanner.plan(undoing: operation.number, in: journal)
            _ = try Executor(state).run(plan, undoing: operation.number)
        }
    }

    /// Drafts of lock files beside the remote.
    var drafts: [String] { get throws { try beside.filter { $0.contains(".lock-") } } }

    /// Names beside the remote.
    var beside: [String] {
        get throws { try LocalStorage(root: remote.builder.folder.path).list(.root).listing.map(\.name.text) }
    }
}
