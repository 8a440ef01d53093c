import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// A demonstration remote with its journal and trash beside it.
struct ChangeableRemote {
    let demo: DemoRemote

    init(_ kind: DemoRemote.Kind = .plain) throws { demo = try DemoRemote(kind, changeSets: 60) }

    var path: String { demo.path }

    func run(_ program: String, _ words: [String]) throws -> Program.Result {
        try Program.run(
            program, words, environment: ["XDG_STATE_HOME": demo.scratch.path.appending("state").string])
    }

    /// Names, contents and times of all files, and folders without their times, which every entry changes.
    func image() throws -> TreeImage { try TreeImage(of: demo.root).withoutIdentity }

    /// Files that differ, and entries that exist on only one side.
    func changes(since before: TreeImage) throws -> [String] {
        let now = try image()
        return now.differences(from: before).filter { path in
            let bytes = Array(path.utf8)
            let (one, other) = (before.entries[bytes], now.entries[bytes])
            return one?.status.kind != .folder || other?.status.kind != .folder
        }
    }

    func exists(_ path: String) throws -> Bool {
        try FileStatus.ifPresent(demo.root.pushing(FilePath(path))) != nil
    }

    /// The identifier of a client.
    func identifier(of description: String) throws -> String {
        let snapshot = try RemoteSnapshot.take(LocalStorage(root: demo.root))
        let report = RemoteReport(
            snapshot, sources: ReportSources(LocalStorage(root: demo.root), keyring: RemoteKeyring(.plain)))
        return try #require(report.clients.first { $0.description == description }).identifier.text
    }
}

@Suite struct ClientCommandTests {
    private static let phone = "Anna’s iPhone"

    @Test func deletedAndRestored() throws {
        let remote = try ChangeableRemote()
        let before = try remote.image()
        let phone = try remote.identifier(of: Self.phone)
        let words = ["delete", remote.path, Self.phone, "--document", "cookbook", "--yes"]
        let deleted = try remote.run("ticds-client", words)
        #expect(deleted.status == 0, "\(deleted.errors)")
        #expect(deleted.output.contains("may not have applied"))
        #expect(try !remote.exists("Documents/cookbook/SyncChanges/\(phone)"))
        #expect(try remote.exists("Documents/cookbook/DeletedClients/\(phone).plist"))
        #expect(try remote.exists("Documents/pantry/SyncChanges/\(phone)"))
        let again = try remote.run("ticds-client", words)
        #expect(again.status == 0 && again.output.contains("Nothing to do"))
        let restored = try remote.run(
            "ticds-client", ["restore", remote.path, phone, "--document", "cookbook", "--yes"])
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(try remote.changes(since: before) == [])
        let once = try remote.run(
            "ticds-client", ["restore", remote.path, phone, "--document", "cookbook", "--yes"])
        #expect(once.status == 0 && once.output.contains("Nothing to do"))
    }

    @Test func fromTheApplicationAndBack() throws {
        let remote = try ChangeableRemote()
        let before = try remote.image()
        let tablet = try remote.identifier(of: "Børge’s iPad")
        let deleted = try remote.run(
            "ticds-client", ["delete", remote.path, tablet, "--from-application", "-y"])
        #expect(deleted.status == 0, "\(deleted.errors)")
        let left = try remote.image().entries.keys.map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.contains(tablet) }.sorted()
        #expect(left == ["cookbook", "pantry"].map { "Documents/\($0)/DeletedClients/\(tablet).plist" })
        let checked = try remote.run("ticds-verify", [remote.path])
        #expect(!checked.output.contains("error TICDS"), "\(checked.output)")
        for document in ["cookbook", "pantry"] {
            let restored = try remote.run(
                "ticds-client", ["restore", remote.path, tablet, "--document", document, "--yes"])
            #expect(restored.status == 0, "\(restored.errors)")
        }
        // The remains of uploads are still in the trash; ticds-journal undo also restores those.
        let changes = try remote.changes(since: before)
        #expect(!changes.isEmpty && changes.allSatisfy { $0.contains("TemporaryFiles") })
        #expect(try remote.exists("ClientDevices/\(tablet)/deviceInfo.plist"))
    }

    /// No command acts without a message.
    @Test func asksFirst() throws {
        let remote = try ChangeableRemote()
        let before = try remote.image()
        let words = ["delete", remote.path, Self.phone, "--all-documents"]
        let unasked = try remote.run("ticds-client", words)
        #expect(unasked.status == 3)
        #expect(unasked.errors.contains("--yes"))
        let dry = try remote.run("ticds-client", words + ["--dry-run", "--json"])
        #expect(dry.status == 0)
        let json = try JSONSerialization.jsonObject(with: Data(dry.bytes))
        let plan = (json as? [String: Any])?["plan"] as? [String: Any]
        #expect((plan?["actions"] as? [Any])?.count ?? 0 >= 8)
        #expect(plan?["command"] as? String == "ticds-client delete")
        #expect(try remote.changes(since: before) == [])
    }

    @Test func refusesToTakeMoreThanHalf() throws {
        let remote = try ChangeableRemote()
        let words = ["delete", remote.path, "Anna’s MacBook Pro", "--document", "cookbook", "--yes"]
        let refused = try remote.run("ticds-client", words)
        #expect(refused.status == 3)
        #expect(refused.errors.contains("--max-delete"))
        #expect(try remote.run("ticds-client", words + ["--max-delete", "100%"]).status == 0)
    }

    private static let wrongCalls: [(words: [String], status: Int32)] = [
        (["delete", "--all-documents", "--from-application"], 64), (["delete", "--all-documents", "x"], 64),
        (["delete", "--from-application"], 2), (["delete", "--document", "cookbook"], 2),
        (["restore", "--document", "cookbook"], 2), (["show"], 2),
    ]

    @Test(arguments: wrongCalls)
    func wrongNames(words: [String], status: Int32) throws {
        let remote = try ChangeableRemote()
        let before = try remote.image()
        for name in ["nobody", "..", "a/b", ""] {
            let result = try remote.run(
                "ticds-client", [words[0], remote.path, name] + words.dropFirst())
            #expect(result.status == status, "\(name): \(result.errors)")
        }
        #expect(try remote.changes(since: before) == [])
    }

    @Test func withoutDeviceInfo() throws {
        let remote = try ChangeableRemote(.encrypted)
        let clients = try FileManager.default.contentsOfDirectory(
            atPath: remote.demo.root.appending("ClientDevices").string)
        let client = try #require(clients.first)
        try TestFiles.removeTree(remote.demo.root.pushing(FilePath("ClientDevices/\(client)")))
        let words = ["delete", remote.path, client, "--document", "pantry", "--yes", "--max-delete", "100%"]
        #expect(try remote.run("ticds-client", words).status == 3)
        let locked = try remote.run("ticds-client", words + ["--without-device-info"])
        #expect(locked.status == 4, "\(locked.errors)")
        let opened = try remote.run(
            "ticds-client", words + ["--without-device-info"] + remote.demo.passwordOptions)
        #expect(opened.status == 0, "\(opened.errors)")
        let checked = try remote.run("ticds-verify", [remote.path] + remote.demo.passwordOptions)
        #expect(!checked.output.contains("error TICDS"), "\(checked.output)")
    }

    @Test func showsWhatIsKnown() throws {
        let remote = try ChangeableRemote()
        let before = try TreeImage(of: remote.demo.root)
        let phone = try remote.identifier(of: Self.phone)
        let text = try remote.run("ticds-client", ["show", remote.path, Self.phone])
        #expect(text.status == 0, "\(text.errors)")
        for words in [
            phone, "cookbook", "Family cookbook", "may not have applied 8 change sets of this client",
        ] {
            #expect(text.output.contains(words), "\(words)")
        }
        let result = try remote.run("ticds-client", ["show", remote.path, phone, "--json"])
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any])
        #expect(json["schema"] as? String == "ticds.client/1")
        #expect((json["clients"] as? [[String: Any]])?.first?["identifier"] as? String == phone)
        #expect((json["documentClients"] as? [Any])?.count == 2)
        #expect((json["unapplied"] as? [Any])?.isEmpty == false)
        #expect(try TreeImage(of: remote.demo.root).differences(from: before) == [])
    }
}
