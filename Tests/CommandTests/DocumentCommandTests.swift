import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

@Suite struct DocumentCommandTests {
    @Test func deletedAndRestored() throws {
        let remote = try ChangeableRemote()
        let before = try remote.image()
        let deleted = try remote.run("ticds-document", ["delete", remote.path, "Pantry", "--yes"])
        #expect(deleted.status == 0, "\(deleted.errors)")
        #expect(try !remote.exists("Documents/pantry"))
        #expect(try remote.exists("Information/DeletedDocuments/pantry.plist"))
        let checked = try remote.run("ticds-verify", [remote.path])
        #expect(!checked.output.contains("error TICDS"), "\(checked.output)")
        let restored = try remote.run("ticds-document", ["restore", remote.path, "Pantry", "--yes"])
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(try remote.changes(since: before) == [])
        let again = try remote.run("ticds-document", ["restore", remote.path, "pantry", "--yes"])
        #expect(again.status == 0 && again.output.contains("Nothing to do"))
    }

    @Test func withoutTrashThereIsNoReturn() throws {
        let remote = try ChangeableRemote()
        #expect(
            try remote.run("ticds-document", ["delete", remote.path, "pantry", "--yes", "--no-trash"]).status
                == 0)
        let refused = try remote.run("ticds-document", ["restore", remote.path, "pantry", "--yes"])
        #expect(refused.status == 3)
        #expect(refused.errors.contains("back-up"))
    }

    /// The description of a deleted document needs the password. An identifier needs none, even without a tombstone.
    @Test func lockedDescriptionNeedsThePassword() throws {
        let remote = try ChangeableRemote(.encrypted)
        for document in ["cookbook", "pantry"] {
            let deleted = try remote.run("ticds-document", ["delete", remote.path, document, "--yes"])
            #expect(deleted.status == 0, "\(deleted.errors)")
        }
        let words = ["restore", remote.path, "Family cookbook", "--yes"]
        let locked = try remote.run("ticds-document", words)
        #expect(locked.status == 4 && locked.errors.contains("--password-file"), "\(locked.errors)")
        let opened = try remote.run("ticds-document", words + remote.demo.passwordOptions)
        #expect(opened.status == 0, "\(opened.errors)")
        try FileManager.default.removeItem(
            atPath: remote.path + "/Information/DeletedDocuments/pantry.plist")
        let trashed = try remote.run("ticds-document", ["restore", remote.path, "pantry", "--yes"])
        #expect(trashed.status == 0, "\(trashed.errors)")
    }

    @Test(arguments: [DemoRemote.Kind.plain, .encrypted])
    func created(kind: DemoRemote.Kind) throws {
        let remote = try ChangeableRemote(kind)
        let options = remote.demo.passwordOptions
        let words = ["create", remote.path, "diary", "--description", "My diary", "--yes"]
        let undecided = try remote.run("ticds-document", words + options)
        #expect(undecided.status == 2 && undecided.errors.contains("--client"), "\(undecided.errors)")
        let created = try remote.run("ticds-document", words + ["--client", "Anna’s iPhone"] + options)
        #expect(created.status == 0, "\(created.errors)")
        let listed = try remote.run("ticds-inspect", ["documents", remote.path] + options)
        #expect(listed.output.contains("My diary"))
        let checked = try remote.run("ticds-verify", [remote.path] + options)
        #expect(!checked.output.contains("error TICDS"), "\(checked.output)")
        let twice = try remote.run("ticds-document", words + ["--client", "Anna’s iPhone"] + options)
        #expect(twice.status == 3)
        if kind == .encrypted {
            let locked = try remote.run("ticds-document", words + ["--client", "Anna’s iPhone"])
            #expect(locked.status == 4)
        }
    }

    @Test func createdAgain() throws {
        let remote = try ChangeableRemote()
        let phone = try remote.identifier(of: "Anna’s iPhone")
        #expect(try remote.run("ticds-document", ["delete", remote.path, "pantry", "--yes"]).status == 0)
        let created = try remote.run(
            "ticds-document",
            ["create", remote.path, "pantry", "--description", "Anew", "--client", phone, "--yes"])
        #expect(created.status == 0, "\(created.errors)")
        #expect(try !remote.exists("Information/DeletedDocuments/pantry.plist"))
        let tombstones = try FileManager.default.contentsOfDirectory(
            atPath: remote.path + "/Documents/pantry/DeletedClients")
        #expect(tombstones.count == 2)
        #expect(!tombstones.contains("\(phone).plist"))
    }

    @Test(arguments: ["", "..", "../outside", "a/b", "abcd", ".hidden", "PANTRY"])
    func refusesIdentifiersThatDoHarm(name: String) throws {
        let remote = try ChangeableRemote()
        let before = try TreeImage(of: remote.demo.scratch.path)
        let client = try remote.identifier(of: "Anna’s iPhone")
        let result = try remote.run(
            "ticds-document",
            ["create", remote.path, name, "--description", "x", "--client", client, "--yes"])
        #expect(result.status == 3, "\(result.errors)")
        for command in ["delete", "restore"] where name != "PANTRY" {
            let status = try remote.run("ticds-document", [command, remote.path, name, "--yes"]).status
            #expect(status == (command == "delete" ? 2 : 3), "\(command)")
        }
        #expect(try TreeImage(of: remote.demo.scratch.path).differences(from: before) == [])
    }
}
