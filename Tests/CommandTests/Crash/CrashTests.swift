import Base
import Dispatch
import Foundation
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSOperations

/// Processes that end, and calls that fail, at every moment of an operation: after recovery the remote is in the state
/// before or after it, and journal and trash agree with it.
@Suite struct CrashTests {
    enum Home: CaseIterable { case near, far }
    enum Operation: CaseIterable { case apply, undo, applyWithoutTrash }

    /// `TICDS_CRASHES=all` tries every error at every call of every operation, `TICDS_CRASHES=7` each seventh of these,
    /// with others for a different seed; `make test` tries each 67th.
    static let isThorough = wanted != nil
    private static let wanted = ProcessInfo.processInfo.environment["TICDS_CRASHES"].map { Int($0) ?? 1 }
    private static let step = wanted ?? 97
    static let errors: [Errno] = [.noSpace, .ioError, .permissionDenied, .interrupted, .readOnlyFileSystem]

    static let cases: [(Home, Operation)] = Home.allCases.flatMap { home in
        Operation.allCases.map { (home, $0) }
    }

    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"), arguments: cases)
    func everyMoment(home: Home, operation: Operation) throws {
        let trial = try CrashTrial(home, operation)
        let count = try trial.countCalls()
        try #require(count > 40)
        var faults: [FaultyProgram.Fault] = []
        for number in 1...count {
            faults += [.kill(number), .killAfter(number), .short(number), .failFrom(number, .ioError)]
            faults += Self.errors.map { .fail(number, $0) }
            // The process is killed during the rollback.
            faults.append(.failAndKill(number, .ioError, later: 1 + number * 7 % 29))
        }
        try Self.run(trial, Self.share(of: faults).map { (fault: $0, milliseconds: nil) })
    }

    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler")) func randomMoments() throws {
        var random = RandomNumbers()
        let trial = try CrashTrial(.near, .apply)
        let moments = (0..<max(16, 1_000 / Self.step)).map { _ in
            (
                fault: FaultyProgram.Fault.none,
                milliseconds: UInt32.random(in: 5...90, using: &random) as UInt32?
            )
        }
        try Self.run(trial, moments)
    }

    /// The share of a thorough run that this run tries.
    static func share<Moment>(of all: [Moment]) -> [Moment] {
        guard step > 1 else { return all }
        let first = Int(RandomNumbers.seed % UInt64(step))
        return stride(from: first, to: all.count, by: step).map { all[$0] }
    }

    /// Numbers of calls: a few, from the first to the last, and in a thorough run also its share. The few are always
    /// included, so that the results that a test expects at least once do not depend on the seed.
    static func calls(_ count: Int, few: Int) -> [Int] {
        let spread = (0..<few).map { 1 + $0 * (count - 1) / (few - 1) }
        return isThorough ? Set(share(of: Array(1...count)) + spread).sorted() : spread
    }

    /// Expects that a command that is killed at these calls has happened or not, and that both occur.
    /// - Parameter outcome: the result of a kill at a call: "as before", "as after", or an error.
    static func expectBeforeOrAfter(_ calls: [Int], _ outcome: @Sendable (Int) throws -> String) {
        let problems = Mutex<[String]>([])
        let outcomes = Mutex<Set<String>>([])
        DispatchQueue.concurrentPerform(iterations: calls.count) { number in
            let call = calls[number]
            do {
                let result = try outcome(call)
                outcomes.withLock { _ = $0.insert(result) }
            } catch {
                problems.withLock { $0.append("kill:\(call) \(error)") }
            }
        }
        #expect(problems.withLock { $0 } == [])
        #expect(outcomes.withLock { $0 } == ["as before", "as after"])
    }

    private static func run(
        _ trial: CrashTrial, _ moments: [(fault: FaultyProgram.Fault, milliseconds: UInt32?)]
    ) throws {
        let problems = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: moments.count) { number in
            let moment = moments[number]
            do {
                if let problem = try trial.problem(moment.fault, moment.milliseconds) {
                    problems.withLock { $0.append("\(moment.fault) \(problem)") }
                }
            } catch {
                problems.withLock { $0.append("\(moment.fault) \(error)") }
            }
        }
        #expect(problems.withLock { $0 } == [])
    }
}

/// One operation that is tried repeatedly, each time on a separate remote.
struct CrashTrial: Sendable {
    let home: CrashTests.Home
    let operation: CrashTests.Operation

    init(_ home: CrashTests.Home, _ operation: CrashTests.Operation) throws {
        self.home = home
        self.operation = operation
    }

    /// The number of reading calls of the recovery after a fault.
    func countLooks(after fault: FaultyProgram.Fault) throws -> Int {
        let fixture = try ready()
        _ = try fixture.run(fault)
        let file = fixture.remote.home.path.appending("looks")
        guard try fixture.recover(fault: .looks(file)) == 0 else { return 0 }
        return try FaultyProgram.number(in: file)
    }

    func countCalls() throws -> Int {
        let fixture = try ready()
        let file = fixture.remote.home.path.appending("count")
        guard try fixture.run(.count(file)) == 0 else { return 0 }
        return try FaultyProgram.number(in: file)
    }

    /// The problem after the fault and recovery; nil if there is none.
    /// - Parameter blindness: the fault of a first recovery, which either reports a failure or completes.
    func problem(
        _ fault: FaultyProgram.Fault, _ milliseconds: UInt32?, blindness: FaultyProgram.Fault = .none
    ) throws -> String? {
        let fixture = try ready()
        let before = try fixture.image
        let known = try fixture.operations
        let status = try fixture.run(fault, milliseconds: milliseconds)
        var problem = try fixture.recoveryProblem(fault: blindness)
        if problem != nil, blindness.isThere { problem = try fixture.recoveryProblem() }
        if let problem { return "\(status): recovery ends with \(problem)" }
        let new = try fixture.operations.filter { !known.contains($0) }
        let after = try fixture.image
        switch new.first.map(\.state) {
        case nil, .rolledBack:
            let differences = after.differences(from: before)
            return differences.isEmpty ? nil : "\(status): not as before: \(differences)"
        case .done:
            let differences = after.differences(from: try Self.expected(operation, home))
            if !differences.isEmpty { return "\(status): not as it should be: \(differences)" }
            if operation == .applyWithoutTrash { return nil }
            do { try fixture.undoLast() } catch { return "\(status): cannot be undone: \(error)" }
            let left = try fixture.image.differences(from: before)
            return left.isEmpty ? nil : "\(status): undone, but not as before: \(left)"
        case let state?: return "\(status): still \(state)"
        }
    }

    private func ready() throws -> CrashFixture { try CrashFixture(home, operation) }

    /// The expected remote without a fault.
    private static func expected(
        _ operation: CrashTests.Operation, _ home: CrashTests.Home
    ) throws -> TreeImage {
        try expectations.withLock { known in
            let key = "\(operation) \(home)"
            if let image = known[key] { return image }
            let fixture = try CrashFixture(home, operation)
            guard try fixture.run(.none) == 0 else { throw Errno.invalidArgument }
            let image = try fixture.image
            known[key] = image
            return image
        }
    }

    private static let expectations = Mutex<[String: TreeImage]>([:])
}

/// A remote, and a program that is about to change it.
struct CrashFixture {
    let remote: ChangedRemote
    private let program: FaultyProgram
    private let arguments: [String]

    init(_ home: CrashTests.Home, _ operation: CrashTests.Operation) throws {
        remote = try ChangedRemote(home: home == .near ? nil : OtherVolume.folder)
        program = FaultyProgram(name: "ticds-journal", home: remote.home.path)
        let plan = remote.home.path.appending("plan.json")
        try TestFiles.write(plan, try PlanFile.bytes(of: try remote.plan()))
        switch operation {
        case .apply: arguments = ["apply", plan.string, "--yes", "--max-delete", "100%"]
        case .applyWithoutTrash:
            arguments = ["apply", plan.string, "--yes", "--max-delete", "100%", "--no-trash"]
        case .undo:
            _ = try Executor(remote.state).run(try remote.plan())
            arguments = ["undo", remote.root.string, "1", "--yes", "--max-delete", "100%"]
        }
    }

    func run(_ fault: FaultyProgram.Fault, milliseconds: UInt32? = nil) throws -> Int32 {
        try program.run(arguments, fault: fault, milliseconds: milliseconds)
    }

    func recover(_ options: [String] = [], fault: FaultyProgram.Fault = .none) throws -> Int32 {
        try program.run(["recover", remote.root.string] + options, fault: fault)
    }

    /// The problem of recovering the remote; nil if it is recovered. Without a fault no process is started for it.
    func recoveryProblem(fault: FaultyProgram.Fault = .none) throws -> String? {
        if fault.isThere {
            let end = try program.result(["recover", remote.root.string], fault: fault)
            return end.status == 0 ? nil : "\(end.status): \(end.errors)"
        }
        do { _ = try OperationRecovery.recover(remote.state) } catch { return "\(error)" }
        return nil
    }

    func undoLast() throws {
        let last = try operations.first?.number ?? 0
        let plan = try UndoPlanner.plan(undoing: last, in: remote.journal())
        _ = try Executor(remote.state).run(plan, undoing: last)
    }

    /// The operations, newest first.
    var operations: [OperationRecord] {
        get throws { try Journal.read(remote.state)?.operations() ?? [] }
    }

    /// The remote, without the times of folders that the plan makes, which depend on the time of the test.
    var image: TreeImage {
        get throws {
            var image = try remote.image
            for path in [
                "Documents/new", "Documents/new/SyncChanges", "Documents/notes/SyncChanges/client-B",
            ] {
                image.forgetTime(of: path)
            }
            return image
        }
    }
}
