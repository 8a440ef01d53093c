import Foundation
import SystemPackage
import TestSupport
import Testing

/// Edits of `Replica.json` by users, or others.
@Suite struct ReplicaConfigurationTests {
    private static let edits: [(name: String, script: String, status: Int32)] = [
        ("nothing", ": > Replica.json", 2), ("no JSON", "echo hello > Replica.json", 2),
        ("a list", "echo '[]' > Replica.json", 2),
        ("a later version", "sed -i 's,replica/1,replica/2,' Replica.json", 2),
        ("unknown variant", "sed -i 's/fileManager/ftp/' Replica.json", 2),
        ("unknown policy", "sed -i 's/\"remote\",/\"mine\",/' Replica.json", 2),
        ("a document outside", "sed -i 's,\"cookbook\",\"../../x\",' Replica.json", 2),
        ("no document", "sed -i 's,\"cookbook\",\"\",' Replica.json", 2),
        ("another document", "sed -i 's,\"cookbook\",\"nothing\",' Replica.json", 2),
        ("a client outside", "sed -i 's,\"client\" : \".*\",\"client\" : \"..\"\\,,' Replica.json", 2),
        ("a relative remote", "sed -i 's,\"remote\" : \".*\",\"remote\" : \"demo\"\\,,' Replica.json", 2),
        ("a remote that is none", "sed -i 's,\"remote\" : \".*\",\"remote\" : \"/etc\"\\,,' Replica.json", 2),
        ("a folder", "rm Replica.json; mkdir Replica.json", 3),
        ("a huge file", "head -c 2000000 /dev/zero > Replica.json", 2),
        ("a fifo", "rm Replica.json; mkfifo Replica.json", 3),
        ("gone", "rm Replica.json", 3),
    ]

    /// With any content, a run ends with a message, and the remote is unchanged.
    @Test func hostileConfigurations() throws {
        let fixture = try SyncFixture(changeSets: 8)
        #expect(try fixture.clone("sound").status == 0)
        let before = try fixture.image()
        for edit in Self.edits {
            try fixture.demo.scratch.shell("rm -rf replica; cp -r sound replica; cd replica; \(edit.script)")
            for command in ["run", "watch", "status", "commit", "log"] {
                let result = try fixture.sync(command, "replica")
                let isLocal = ["status", "commit", "log"].contains(command)
                let expected: Set<Int32> = isLocal ? [0, 2, 3, 5] : [edit.status]
                #expect(
                    expected.contains(result.status),
                    "\(edit.name), \(command): \(result.status) \(result.errors)")
                #expect(result.status == 0 || !result.errors.isEmpty, "\(edit.name), \(command)")
            }
        }
        #expect(try fixture.image().differences(from: before) == [])
    }

    /// Rules and other choices that were edited in are used, and unknown keys are ignored.
    @Test func editedConfiguration() throws {
        let fixture = try SyncFixture(changeSets: 8)
        #expect(try fixture.clone("replica").status == 0)
        try fixture.demo.scratch.shell(
            """
            cd replica
            sed -i 's/"onBadSet" : "stop"/"onBadSet" : "skip", "colour" : "green"/' Replica.json
            sed -i 's/"otherwise" : "remote"/"otherwise" : "newest"/' Replica.json
            sed -i 's/"rules" : \\[/"rules" : [ { "entity" : "Recipe", "policy" : "local" } /' Replica.json
            """)
        let run = try fixture.sync("run", "replica")
        #expect(run.status == 0, "\(run.errors)")
    }

    /// Commands refuse a replica that was put into the remote.
    @Test func replicaInsideTheRemote() throws {
        let fixture = try SyncFixture(changeSets: 8)
        #expect(try fixture.clone("replica").status == 0)
        try fixture.demo.scratch.shell("mv replica demo/com.example.cookbook/")
        #expect(try fixture.sync("run", "demo/com.example.cookbook/replica").status == 3)
    }
}
