import Base
import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// `ticds-sync clone` on the demonstration.
@Suite struct CloneTests {
    /// A replica equals the result of a replay, is an intact client for others, and has nothing to do.
    @Test(arguments: [DemoRemote.Kind.plain, .encrypted])
    func replicaIsWhole(_ kind: DemoRemote.Kind) throws {
        let fixture = try SyncFixture(kind)
        let cloned = try fixture.clone("replica", ["--yes", "--json", "--description", "Server"])
        #expect(cloned.status == 0, "\(cloned.errors)")
        let json = try SyncJSON(cloned)
        #expect(json.text("schema") == "ticds.clone/1" && json.number("registered") == 1)
        #expect(json.object("run")?["setsApplied"] as? Int ?? 0 > 0)
        #expect(json.number("objectsWithoutSyncID") == 0)
        try fixture.expectWhole("replica")
        let mode = try FileStatus.of(FilePath(fixture.place("replica"))).mode
        #expect(mode & 0o077 == 0, "everything in it is in the clear")
        #expect(try fixture.leftovers() == [])
        let verified = try fixture.run(
            "ticds-verify", [fixture.demo.path, "--level", "deep"] + fixture.demo.passwordOptions)
        #expect(!verified.output.contains("error TICDS"), "\(verified.output)")
        let clients = try fixture.run(
            "ticds-inspect", ["clients", fixture.demo.path] + fixture.demo.passwordOptions)
        #expect(clients.output.contains("Server"))
        let before = try fixture.image()
        let status = try SyncJSON(try fixture.sync("status", "replica", ["--json"]))
        #expect(status.text("membership") == "member" && status.number("setsToFetch") == 0)
        #expect(status.number("setsInStore") == 60)
        #expect(try fixture.image().differences(from: before) == [])
        let run = try fixture.sync("run", "replica")
        #expect(run.status == 0 && run.output.contains("nothing to do"), "\(run.errors)")
    }

    /// Offline, nothing is changed in the remote; the first run registers.
    @Test func offline() throws {
        let fixture = try SyncFixture()
        let before = try fixture.image()
        let cloned = try fixture.clone("replica", ["--offline", "--json"])
        #expect(cloned.status == 0, "\(cloned.errors)")
        let json = try SyncJSON(cloned)
        #expect(json.number("registered") == 0 && json.object("run") == nil && json.object("plan") == nil)
        let status = try SyncJSON(try fixture.sync("status", "replica", ["--json"]))
        #expect(status.text("membership") == "unregistered" && status.text("lastRun") == nil)
        #expect(try fixture.image().differences(from: before) == [])
        let dry = try fixture.sync("run", "replica", ["--dry-run"])
        #expect(dry.status == 0 && dry.output.contains("would have registered as client"), "\(dry.errors)")
        #expect(try fixture.image().differences(from: before) == [])
        let run = try fixture.sync("run", "replica")
        #expect(run.status == 0 && run.errors.contains("registered as client"), "\(run.errors)")
        try fixture.expectWhole("replica")
        let client = try #require(json.text("client"))
        #expect(
            try FileStatus.ifPresent(fixture.demo.root.pushing(FilePath("ClientDevices/\(client)"))) != nil)
    }

    /// Without a whole store the model makes an empty one, and all sets are applied.
    @Test func fromTheSetsAlone() throws {
        let fixture = try SyncFixture()
        for store in try fixture.demo.wholeStores {
            try FileManager.default.removeItem(atPath: FilePath(store).removingLastComponent().string)
        }
        let cloned = try fixture.clone("replica")
        #expect(cloned.status == 0 && cloned.output.contains("an empty store"), "\(cloned.errors)")
        try fixture.expectWhole("replica", ["--from-sets"])
        let without = try fixture.run(
            "ticds-sync",
            ["clone", fixture.demo.path, fixture.place("other"), "--document", "cookbook", "--yes"])
        #expect(without.status == 3 && without.errors.contains("--model"))
    }

    /// The store of a named client is used, or a different one if it cannot be used.
    @Test func choiceOfTheStore() throws {
        let fixture = try SyncFixture()
        let older = try SyncJSON(
            try fixture.clone(
                "older", ["--yes", "--json", "--from", "Børge’s iPad", "--client", "older-one"]))
        #expect((older.object("start")?["client"] as? String)?.hasPrefix("D8ED76C2") == true)
        try fixture.expectWhole("older")
        let newest = try #require(
            try fixture.demo.wholeStores.first {
                $0.contains("Documents/cookbook/") && $0.contains("8FFDB291")
            })
        try TestFiles.write(FilePath(newest), Array("garbage".utf8))
        let result = try fixture.clone("next", ["--yes", "--json"])
        #expect(result.status == 5 && result.errors.contains("8FFDB291"), "\(result.errors)")
        let next = try SyncJSON(result)
        #expect((next.object("start")?["notTaken"] as? [Any])?.count == 1)
        try fixture.expectWhole("next")
    }

    /// A deleted client comes back without its tombstone.
    @Test func clientThatWasDeleted() throws {
        let fixture = try SyncFixture()
        let gone = ["delete", fixture.demo.path, "Børge’s iPad", "--document", "cookbook", "--yes"]
        #expect(try fixture.run("ticds-client", gone).status == 0)
        let tombstones = fixture.demo.root.pushing(FilePath("Documents/cookbook/DeletedClients"))
        let names = try FileManager.default.contentsOfDirectory(atPath: tombstones.string)
        let client = try #require(names.first).replacingOccurrences(of: ".plist", with: "")
        let cloned = try fixture.clone("replica", ["--yes", "--client", client])
        #expect(cloned.status == 0, "\(cloned.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: tombstones.string).isEmpty)
        #expect(try fixture.sync("status", "replica").status == 0)
    }

    /// Objects that changes cannot reference are reported, and stay unchanged.
    @Test func objectsWithoutSyncID() throws {
        let fixture = try SyncFixture()
        for store in try fixture.demo.wholeStores where store.contains("Documents/cookbook/") {
            try fixture.demo.scratch.shell(
                "sqlite3 '\(store)' 'UPDATE ZTAG SET ZTICDSSYNCID = NULL WHERE Z_PK = (SELECT min(Z_PK) FROM ZTAG)'"
            )
        }
        let cloned = try fixture.clone("replica", ["--offline", "--json"])
        let json = try SyncJSON(cloned)
        #expect(json.number("objectsWithoutSyncID") == 1)
        #expect((json.keys["notes"] as? [[String: Any]])?.first?["code"] as? String == "withoutSyncID")
        let left = try fixture.demo.scratch.shell(
            "sqlite3 replica/Document.sqlite 'SELECT count(*) FROM ZTAG WHERE ZTICDSSYNCID IS NULL'")
        #expect(left == "1\n")
    }

    /// A refused command leaves remote and local files unchanged.
    @Test func refusals() throws {
        let fixture = try SyncFixture()
        try fixture.demo.scratch.shell("mkdir full free; touch full/mine; ln -s free link")
        let member = try #require(try fixture.demo.changeSets.first).split(separator: "/").dropLast().last
        let before = try fixture.image()
        let calls: [(place: String, options: [String], status: Int32)] = [
            ("full", ["--yes"], 3), ("link", ["--yes"], 3), ("demo/com.example.cookbook/x", ["--yes"], 3),
            ("nowhere/x", ["--yes"], 2), ("..", ["--yes"], 3), ("a", [], 3),
            ("a", ["--yes", "--client", String(member ?? "")], 3), ("a", ["--yes", "--client", "x"], 3),
            ("a", ["--yes", "--client", "../../x"], 3), ("a", ["--yes", "--from", "nobody"], 2),
            ("a", ["--yes", "--variant", "ftp"], 64), ("a", ["--yes", "--conflicts", "maybe"], 64),
            ("a", ["--dry-run"], 0), ("a", ["--dry-run", "--json"], 0),
        ]
        for call in calls {
            let result = try fixture.clone(call.place, call.options)
            #expect(result.status == call.status, "\(call): \(result.errors)")
        }
        #expect(try fixture.image().differences(from: before) == [])
        #expect(try fixture.leftovers() == [])
        #expect(try FileStatus.ifPresent(FilePath(fixture.place("a"))) == nil)
        #expect(try fixture.demo.scratch.shell("ls -A full free") == "free:\n\nfull:\nmine\n")
        #expect(try fixture.clone("free").status == 0)
        #expect(try fixture.clone("free").errors.contains("is already a replica"))
    }
}
