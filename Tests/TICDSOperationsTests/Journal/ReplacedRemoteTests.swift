import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// Undo if a different folder has the place of the remote that an operation changed.
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
        try Fixtures.run(["cp", "-a", remote.root.string + ".old", remote.root.string])
        if wasEncrypted { try TestFiles.remove(RemoteLayout.saltPath.filePath(under: remote.root)) }
        let keys = remote.root.appending("Documents").appending("notes").appending("IntegrityKey")
        try TestFiles.makeFolders(keys)
        try TestFiles.write(keys.appending("0F1E2D3C-KEY"), [])
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

    /// Moves the remote aside, and puts a copy of it from before the operation in its place.
    private func undo(copying change: (FilePath) throws -> Void) throws -> Plan {
        let remote = try ChangedRemote()
        let before = FilePath(remote.root.string + ".before")
        try writeKey("4A11", in: remote.root)
        try FileManager.default.copyItem(atPath: remote.root.string, toPath: before.string)
        let number = try Executor(remote.state).run(try remote.plan())
        try FileManager.default.moveItem(atPath: remote.root.string, toPath: remote.root.string + ".old")
        try change(before)
        try FileManager.default.moveItem(atPath: before.string, toPath: remote.root.string)
        return try UndoPlanner.plan(undoing: number, in: remote.journal())
    }

    private func writeKey(_ key: String, in root: FilePath) throws {
        let folder = root.appending("Documents").appending("keyed").appending("IntegrityKey")
        try? FileManager.default.removeItem(atPath: folder.string)
        try TestFiles.makeFolders(folder)
        try TestFiles.write(folder.appending(key), [1])
    }

    @Test func undoInARemoteWithOtherKeysIsRefused() {
        let problem = #expect(throws: FileProblem.self) { try undo { try writeKey("8E1D", in: $0) } }
        #expect(problem?.kind == .refused && problem?.problem.contains("other integrity keys") == true)
        #expect(problem?.advice?.contains("back to this path") == true)
    }

    @Test func undoInACopyFromBeforeIsRefused() {
        let problem = #expect(throws: FileProblem.self) { try undo { _ in } }
        #expect(problem?.kind == .refused && problem?.problem.contains("which is there now") == true)
        #expect(problem?.advice?.contains("nothing to undo") == true)
    }
}
