import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// Remotes that change during the copy.
@Suite struct RemoteCopierTests {
    private static func fixture() throws -> (folder: TemporaryFolder, root: FilePath, state: RemoteState) {
        let folder = try TemporaryFolder(prefix: "ticds-copier")
        let root = folder.path.appending("com.example.app")
        try TestFiles.makeFolders(root.appending("ClientDevices"))
        try TestFiles.makeFolders(root.appending("Documents"))
        for name in ["a", "b", "c"] {
            try TestFiles.write(
                root.appending("Documents").appending(name), [UInt8](repeating: 1, count: 400_000))
        }
        let target = folder.path.appending("to").appending("com.example.app")
        try TestFiles.makeFolders(target.removingLastComponent())
        return (folder, root, RemoteState(root: target, stateHome: folder.path.appending("state")))
    }

    private static func run(_ line: String) -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", line]
        do { try process.run() } catch { return -1 }
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// The changes of a file while one of three is being copied, with the bytes copied so far.
    @Test(
        arguments: [
            "echo >> a", "echo >> b", "echo >> c", "rm a", "rm b", "mv c d", "touch a", ": > b", "cp a b",
        ],
        [100_000, 500_000, 1_200_000] as [Int64])
    func changes(line: String, moment: Int64) throws {
        let (folder, root, state) = try Self.fixture()
        defer { withExtendedLifetime(folder) {} }
        let storage = LocalStorage(root: root)
        let place = try CopyFolder(state, source: root)
        var isDone = false
        let tree = try CopyPlanner.tree(of: storage)
        var copier = RemoteCopier(tree, from: storage, to: place) { done, total in
            #expect(done <= total)
            guard done >= moment, !isDone else { return }
            isDone = true
            #expect(Self.run("cd '\(root)/Documents'; sleep 0.01; \(line)") == 0)
        }
        let problem = #expect(throws: FileProblem.self) { try copier.copy() }
        #expect(isDone)
        #expect(
            problem?.kind == .changedWhileReading || problem?.kind == .missing,
            "\(String(describing: problem))")
        // The next copy continues.
        var next = RemoteCopier(try CopyPlanner.tree(of: storage), from: storage, to: place) { _, _ in }
        try next.copy()
        #expect(
            try TreeImage(of: place.tree).entries.keys.sorted { $0.lexicographicallyPrecedes($1) }
                == TreeImage(of: root).entries.keys.sorted { $0.lexicographicallyPrecedes($1) })
    }

    /// A second process with the same copy is refused; and nothing is left in the end.
    @Test func oneAtATime() throws {
        let (folder, root, state) = try Self.fixture()
        let place = try CopyFolder(state, source: root)
        let problem = #expect(throws: FileProblem.self) { _ = try CopyFolder(state, source: root) }
        #expect(problem?.kind == .refused)
        _ = try CopyFolder(state, source: folder.path)
        try place.discard()
        #expect(try FileStatus.ifPresent(place.tree) == nil)
    }
}
