import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// Undo where another folder has the place of the remote that an operation changed.
@Suite struct ReplacedRemoteTests {
    private func writeSalt(_ remote: ChangedRemote) throws {
        try TestFiles.makeFolders(remote.root.appending("Encryption"))
        try TestFiles.write(
            RemoteLayout.saltPath.filePath(under: remote.root), Array(repeating: 7, count: 16))
    }

    private func plan(wasEncrypted: Bool, isEncrypted: Bool) throws -> Plan {
        let remote = try ChangedRemote()
        if wasEncrypted { try writeSalt(remote) }
        let number = try Executor(remote.state).run(try remote.plan())
        try FileManager.default.moveItem(atPath: remote.root.string, toPath: remote.root.string + ".old")
        try TestFiles.makeFolder(remote.root)
        if isEncrypted { try writeSalt(remote) }
        return try UndoPlanner.plan(undoing: number, in: remote.journal())
    }

    @Test(arguments: [false, true]) func undoInOtherEncryptionIsRefused(wasEncrypted: Bool) {
        let problem = #expect(throws: FileProblem.self) {
            try plan(wasEncrypted: wasEncrypted, isEncrypted: !wasEncrypted)
        }
        #expect(problem?.kind == .refused && problem?.problem.contains("encrypted remote") == true)
    }

    @Test(arguments: [false, true]) func undoInTheSameEncryptionWarns(isEncrypted: Bool) throws {
        let plan = try plan(wasEncrypted: isEncrypted, isEncrypted: isEncrypted)
        #expect(plan.notes.contains { $0.kind == .warning && $0.text.contains("replaced or copied") })
    }
}
