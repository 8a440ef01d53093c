import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// An operation that can go neither forward nor back, since other programs have changed its entries.
@Suite(.enabled(if: FaultyProgram.library != nil, "needs a C compiler")) struct LeaveTests {
    static let cases: [(CrashTests.Home, CrashTests.Operation)] = [
        (.near, .apply), (.far, .apply), (.near, .applyWithoutTrash), (.far, .applyWithoutTrash),
    ]

    @Test(arguments: cases)
    func keepsEverything(home: CrashTests.Home, operation: CrashTests.Operation) throws {
        let fixture = try #require(try stuck(home, operation))
        let root = fixture.remote.root
        let sets = root.appending("Documents/notes/SyncChanges/client-B")
        for direction in ["", "--forward", "--back"] {
            let options = direction.isEmpty ? [] : [direction]
            #expect(try fixture.recover(options) == 3)
        }
        let between = try fixture.remote.image
        #expect(try fixture.recover(["--leave"]) == 0)
        #expect(try fixture.remote.image == between)
        let record = try #require(try fixture.operations.first)
        #expect(record.state == .left && record.trash.count >= 5)
        let trash = try LocalStorage(root: fixture.remote.state.trash(of: record.number)).list(["1"]).listing
        #expect(trash.filter { $0.kind == .file }.count == 5)
        let refusal = #expect(throws: FileProblem.self) { try fixture.undoLast() }
        #expect(refusal?.kind == .refused)
        #expect(try FileStatus.of(sets.appending("stranger")).size == 1)

        // Others may follow, and the trash can be emptied.
        var plan = Plan(root: fixture.remote.canonicalRoot, command: "test", summary: "Go on")
        plan.add(.makeFolder(path: ["Documents", "later"]))
        _ = try Executor(fixture.remote.state).run(plan)
        let pruned = try Pruning.prune(
            fixture.remote.state, olderThan: nil, largerThan: 0, isDryRun: false)
        #expect(pruned.map(\.number) == [record.number])
    }

    /// A remote whose change was interrupted, and that was then changed by another program.
    private func stuck(_ home: CrashTests.Home, _ operation: CrashTests.Operation) throws -> CrashFixture? {
        var calls = 1...(try CrashTrial(home, operation).countCalls())
        while !calls.isEmpty {
            let call = (calls.lowerBound + calls.upperBound) / 2
            let fixture = try CrashFixture(home, operation)
            _ = try fixture.run(.kill(call))
            let document = fixture.remote.root.appending("Documents/notes")
            let sets = document.appending("SyncChanges/client-B")
            let found = (try? LocalStorage(root: sets).list(.root).listing)?.count
            if try FileStatus.of(document.appending("documentInfo.plist")).size <= 8 {
                guard calls.lowerBound < call else { return nil }
                calls = calls.lowerBound...(call - 1)
            } else if found != 0 {
                guard call < calls.upperBound else { return nil }
                calls = (call + 1)...calls.upperBound
            } else {
                try TestFiles.write(sets.appending("stranger"), [1])
                try TestFiles.write(fixture.remote.root.appending("ReadMe.txt"), [2])
                return fixture
            }
        }
        return nil
    }
}
