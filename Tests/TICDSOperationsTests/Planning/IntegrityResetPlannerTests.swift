import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

@Suite struct IntegrityResetPlannerTests {
    private static let folder = "Documents/notes/IntegrityKey"

    private func plan(
        _ remote: RemoteBuilder, key: RemoteName, creator: String? = nil
    ) throws -> Plan {
        let snapshot = try RemoteSnapshot.take(remote.storage)
        let listed = try ListedRemote(
            root: try #require(try remote.root.resolved()), snapshot,
            names: ClientNames(["client-A": "Anna's Mac"]))
        let reset = try IntegrityResetPlanner(
            of: try #require(snapshot.document("notes")), in: listed, remote.storage, key: key)
        return try reset.plan(command: "ticds-integrity reset", creator: creator)
    }

    /// The new key comes last: a client that reads before that finds none, fails, and loses nothing.
    @Test func aNewKey() throws {
        let remote = try IntegrityKeyTests.remote()
        try remote.write(Self.folder + "/.DS_Store", "")
        try remote.recentSync(of: "client-A", in: "notes", time: 1_300_000_000)
        let plan = try plan(remote, key: "A-NEW-KEY")
        #expect(
            plan.lines == [
                "trash \(Self.folder)/.DS_Store", "trash \(Self.folder)/0F1E2D3C-KEY",
                "write \(Self.folder)/A-NEW-KEY",
            ])
        let consequences = plan.texts(.consequence).joined(separator: "\n")
        #expect(consequences.contains("will lose its unsent edits"))
        #expect(consequences.contains("Anna's Mac (client-A), last synchronised on 2011-03-13 07:06"))
        #expect(consequences.contains("client-B"))
        #expect(plan.texts(.warning).contains { $0.contains("There is no whole store in the remote") })
        let carriedOut = try CarriedOut()
        let before = try TreeImage(of: remote.root).withoutIdentity
        let number = try carriedOut.run(plan)
        let after = try IntegrityKeyTests.folder(remote)
        #expect(after.entries.map(\.name) == ["A-NEW-KEY"])
        #expect(after.findings == [])
        #expect(after.entries.first?.content == .device("client-A"))
        try carriedOut.undo(number, of: plan.root)
        #expect(try TreeImage(of: remote.root).withoutIdentity == before)
    }

    @Test func keepsOneOfSeveral() throws {
        let remote = try IntegrityKeyTests.remote(keys: ["first-key", "second-key", "third-key"])
        let plan = try plan(remote, key: "second-key")
        #expect(plan.lines == ["trash \(Self.folder)/first-key", "trash \(Self.folder)/third-key"])
        #expect(
            plan.texts(.reason).contains { $0.contains("second-key") && $0.contains("continue as before") })
        #expect(plan.texts(.consequence).contains { $0.contains("Anna's Mac (client-A)") })
        try CarriedOut().run(plan)
        #expect(try IntegrityKeyTests.folder(remote).entries.map(\.name) == ["second-key"])
        #expect(try self.plan(remote, key: "second-key").actions == [])
        #expect(try self.plan(remote, key: "second-key").notes == [])
    }

    @Test func mendsTheContentAndKeepsTheTime() throws {
        let remote = try IntegrityKeyTests.remote()
        try remote.write(Self.folder + "/0F1E2D3C-KEY", "key", time: 1_200_000_000)
        let plan = try plan(remote, key: "0F1E2D3C-KEY", creator: "client-B")
        #expect(plan.lines == ["replace \(Self.folder)/0F1E2D3C-KEY"])
        #expect(plan.texts(.consequence) == [])
        try CarriedOut().run(plan)
        let entry = try #require(try IntegrityKeyTests.folder(remote).entries.first)
        #expect(entry.content == .device("client-B"))
        #expect(entry.modified == FileTime(seconds: 1_200_000_000))
    }

    @Test func makesTheFolder() throws {
        let remote = try IntegrityKeyTests.remote(keys: [])
        try TestFiles.removeTree(remote.root.pushing(FilePath(Self.folder)))
        #expect(
            try plan(remote, key: "A-KEY").lines == ["folder \(Self.folder)", "write \(Self.folder)/A-KEY"])
        try remote.write(Self.folder, "a file")
        let plan = try plan(remote, key: "A-KEY")
        #expect(
            plan.lines == ["trash \(Self.folder)", "folder \(Self.folder)", "write \(Self.folder)/A-KEY"])
        #expect(plan.texts(.warning).contains { $0.contains("TICDSync.integrityKey.notes") })
        try CarriedOut().run(plan)
        #expect(try IntegrityKeyTests.folder(remote).findings == [])
    }

    @Test(arguments: [
        "abcd", ".hidden", "..", "a/b/c", "tab\tkey", " padded", "thing.tmp", "bell\u{7}key", "",
    ])
    func refusesKeysThatAreNoGood(key: String) throws {
        let remote = try IntegrityKeyTests.remote()
        let problem = #expect(throws: FileProblem.self) { try plan(remote, key: RemoteName(key)) }
        #expect(problem?.kind == .refused)
    }

    @Test func waitsForTheCloud() throws {
        let remote = try IntegrityKeyTests.remote(keys: [])
        try remote.write(Self.folder + "/.0F1E2D3C-KEY.icloud", "placeholder")
        let problem = #expect(throws: FileProblem.self) { try plan(remote, key: "A-NEW-KEY") }
        #expect(problem?.kind == .refused)
    }

    @Test func writesWhatTheFrameworkWrites() throws {
        let remote = try DescribedRemote("plain-multi")
        let snapshot = try RemoteSnapshot.take(remote.storage)
        let listed = try ListedRemote(root: try #require(try remote.root.resolved()), snapshot)
        for document in snapshot.documents {
            let before = IntegrityKeyFolder(of: document.identifier, in: snapshot, remote.storage)
            let old = try IntegrityKeyTests.Archive(
                remote.storage.read(try #require(before.entries.first).path))
            let reset = try IntegrityResetPlanner(of: document, in: listed, remote.storage, key: "NEW-KEY")
            let plan = try reset.plan(command: "test", creator: nil)
            try CarriedOut().run(plan)
            #expect(try remote.storage.list(before.path).listing.map(\.name) == ["NEW-KEY"])
            let new = try remote.storage.read(before.path.appending("NEW-KEY"))
            #expect(try IntegrityKeyTests.Archive(new) == old)
        }
    }
}
