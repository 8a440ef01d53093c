import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSCore

@Suite struct LockTests {
    @Test func refusesASecondProcessAndSaysWhoHasTheLock() throws {
        let remote = try ChangedRemote()
        try remote.state.make()
        let lock = try StateLock(remote.state, command: "ticds-vacuum", wait: 0)
        let error = #expect(throws: FileProblem.self) { try Executor(remote.state).run(try remote.plan()) }
        #expect(error?.kind == .refused)
        #expect(error?.found?.contains("ticds-vacuum") == true)
        #expect(error?.found?.contains("process \(Machine.process) on \(Machine.host), since 2") == true)
        _ = consume lock
        _ = try Executor(remote.state).run(try remote.plan())
    }

    @Test func waitsForTheLock() throws {
        let remote = try ChangedRemote()
        try remote.state.make()
        let error = try {
            let lock = try StateLock(remote.state, command: "ticds-vacuum", wait: 0)
            let error = #expect(throws: FileProblem.self) {
                try Executor(remote.state, lockWait: 1).run(try remote.plan())
            }
            _ = consume lock
            return error
        }()
        #expect(error?.kind == .refused)
    }
}
