import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// The behaviour of every command if the content of a file is not local.
@Suite struct AbsentContentCommandTests {
    /// The entry that a service left in place of one change set.
    enum Form: String, CaseIterable {
        case iCloud, nextcloud, owncloud, firm, oneByte, dataless
    }

    /// A remote with one change set of the large document that is not local, and its state.
    private struct Fixture {
        let demo: DemoRemote
        let model: String
        let client: String
        /// The present content.
        let name: String
        let environment: [String: String]

        init(_ form: Form, _ kind: DemoRemote.Kind = .plain) throws {
            demo = try DemoRemote(kind, changeSets: 60)
            let set = try #require(try demo.changeSets.last)
            let folder = FilePath(set).removingLastComponent()
            let own = try #require(FilePath(set).lastComponent?.string)
            client = try #require(folder.lastComponent?.string)
            model = "\(demo.scratch.path)/demo/Cookbook.xcdatamodel"
            environment = ["XDG_STATE_HOME": "\(demo.scratch.path)/state", "TZ": "UTC"]
            name =
                switch form {
                case .iCloud: ".\(own).icloud"
                case .nextcloud: "\(own).nextcloud"
                case .owncloud: "\(own).owncloud"
                case .firm: "\(own).firm"
                case .oneByte, .dataless: own
                }
            let before = try FileStatus.of(FilePath(set))
            try TestFiles.remove(FilePath(set))
            let path = folder.appending(name)
            if form == .dataless {
                try TestFiles.write(path, [])
                let file = try FileDescriptor.open(path, .readWrite)
                try file.closeAfter { try file.resize(to: before.size) }
                try #require(try FileStatus.of(path).blocks.isNone, "a file system without holes")
            } else {
                try TestFiles.write(path, Array((form == .iCloud ? "bplist00 and so on" : "x").utf8))
            }
            try TestFiles.setTime(path, before.modified)
            try TestFiles.setTime(folder, before.modified)
        }

        func run(_ program: String, _ words: [String]) throws -> Program.Result {
            try Program.run(program, words + demo.passwordOptions, environment: environment)
        }

        func place(_ name: String) -> String { "\(demo.scratch.path)/\(name)" }
    }

    /// Commands that change something, without their options.
    private func changes(_ fixture: Fixture) throws -> [(String, [String])] {
        let remote = fixture.demo.path
        try TestFiles.makeFolder(FilePath(fixture.place("copies")))
        let cookbook = ["--document", "cookbook"]
        return [
            ("ticds-vacuum", [remote]), ("ticds-vacuum", [remote, "--framework-rule"]),
            ("ticds-client", ["delete", remote, fixture.client] + cookbook + ["--max-delete", "100%"]),
            (
                "ticds-client",
                ["delete", remote, fixture.client, "--from-application", "--max-delete", "100%"]
            ),
            ("ticds-document", ["delete", remote, "cookbook"]), ("ticds-remote", ["remove", remote]),
            ("ticds-integrity", ["reset", remote] + cookbook),
            ("ticds-remote", ["copy", remote, fixture.place("copies")]),
        ]
    }

    @Test(arguments: Form.allCases) func whatChangesRefuses(form: Form) throws {
        let fixture = try Fixture(form)
        let before = try TreeImage(of: fixture.demo.root)
        for (program, words) in try changes(fixture) {
            for option in ["--dry-run", "--yes"] {
                let result = try fixture.run(program, words + [option])
                #expect(result.status == 3, "\(program) \(words): \(result.errors)")
                #expect(result.errors.contains(fixture.name), "\(program) \(words): \(result.errors)")
                #expect(result.errors.contains("--allow-missing"), "\(result.errors)")
                #expect(result.errors.contains("Let the sync service"), "\(result.errors)")
            }
        }
        #expect(try TreeImage(of: fixture.demo.root) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.place("copies")) == [])
    }

    @Test(arguments: [Form.nextcloud, .dataless]) func whatChangesCanBeTold(form: Form) throws {
        let fixture = try Fixture(form)
        for (program, words) in try changes(fixture) {
            let result = try fixture.run(program, words + ["--dry-run", "--allow-missing", fixture.name])
            #expect(result.status == 0, "\(program) \(words): \(result.errors)")
        }
        let other = try fixture.run(
            "ticds-vacuum", [fixture.demo.path, "--dry-run", "--document", "pantry"])
        #expect(other.status == 0, "another document is whole: \(other.errors)")
    }

    @Test(arguments: Form.allCases) func encryptionRefuses(form: Form) throws {
        let fixture = try Fixture(form)
        let password = try fixture.demo.scratch.password("new")
        let words = ["encrypt", fixture.demo.path, "--password-file", password, "--dry-run"]
        let result = try fixture.run("ticds-remote", words)
        #expect(result.status == 3 && result.errors.contains(fixture.name), "\(result.errors)")
        #expect(result.errors.contains("its content is not on this machine"), "\(result.errors)")
        #expect(try fixture.run("ticds-remote", words + ["--skip-unreadable"]).status == 0)
        #expect(try fixture.run("ticds-remote", words + ["--allow-missing", "x"]).status == 64)
    }

    @Test(arguments: [Form.owncloud, .oneByte, .dataless]) func encryptedRemotes(form: Form) throws {
        let fixture = try Fixture(form, .encrypted)
        let decrypted = try fixture.run("ticds-remote", ["decrypt", fixture.demo.path, "--dry-run"])
        #expect(decrypted.status == 3 && decrypted.errors.contains(fixture.name), "\(decrypted.errors)")
        let checked = try fixture.run("ticds-remote", ["check-password", fixture.demo.path, "--all"])
        #expect(checked.status == 1 && checked.output.contains("1 file not opened"), "\(checked.output)")
        let archive = fixture.place("plain.tar.zst")
        let words = ["export", fixture.demo.path, archive, "--decrypt"]
        #expect(try fixture.run("ticds-archive", words).status == 5)
    }

    @Test(arguments: Form.allCases) func whatReadsSaysSo(form: Form) throws {
        let fixture = try Fixture(form)
        let remote = fixture.demo.path
        let words: [(String, [String])] =
            ["status", "tree", "documents", "clients", "stores", "timeline"].map {
                ("ticds-inspect", [$0, remote])
            }
            + [["list"], ["dump"], ["stats"], ["search", "pie"]].map {
                ("ticds-changes", [$0[0], remote] + $0.dropFirst())
            } + [
                ("ticds-store", ["list", remote]),
                ("ticds-client", ["show", remote, fixture.client]),
                (
                    "ticds-store",
                    [
                        "replay", remote, "--document", "cookbook", "--model", fixture.model, "--to",
                        fixture.place("store"),
                    ]
                ),
                (
                    "ticds-sync",
                    [
                        "clone", remote, fixture.place("replica"), "--document", "cookbook", "--model",
                        fixture.model, "--dry-run",
                    ]
                ),
            ]
        for (program, words) in words {
            let result = try fixture.run(program, words)
            #expect(result.status == 5, "\(program) \(words): \(result.errors)")
            #expect(
                result.errors.contains("its content is not on this machine"), "\(program) \(result.errors)")
            #expect(result.errors.contains(fixture.name), "\(program) \(words): \(result.errors)")
        }
        let json = try fixture.run("ticds-inspect", ["status", remote, "--json"])
        let any = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any]
        let unread = try #require(any?["unread"] as? [[String: Any]])
        #expect(unread.count == 1 && unread[0]["kind"] as? String == "missing")
        let strays = try #require(any?["strays"] as? [[String: Any]])
        let kind = [.oneByte, .dataless].contains(form) ? "notDownloaded" : "cloudPlaceholder"
        #expect(strays.contains { $0["kind"] as? String == kind })
        let verified = try fixture.run("ticds-verify", [remote, "--level", "names"])
        let code = [.oneByte, .dataless].contains(form) ? "TICDS-0224" : "TICDS-0220"
        #expect(verified.status == 1 && verified.output.contains(code), "\(verified.output)")
        #expect(try fixture.run("ticds-verify", [remote, "--repair", "--yes"]).status == 3)
    }

    /// Entries that may be in the place of a change set, or of a folder that clients list.
    private static let unread = [
        "mv SET aside && ln -s $PWD/aside SET", "rm SET && mkfifo SET",
        "mv CLIENT aside && ln -s $PWD/aside CLIENT", "mv ALL aside && ln -s $PWD/aside ALL",
    ]

    /// Clients follow links: a result without the content behind a link is shorter than the truth.
    @Test(arguments: unread) func whatReadsNamesLinks(command: String) throws {
        let fixture = try LinkedFixture(command)
        let remote = fixture.demo.path
        for words in [["list"], ["dump"], ["stats"], ["search", "pie"], ["log", "pie"]] {
            let place = ["ticds-changes", words[0], remote] + words.dropFirst()
            try fixture.expect(5, place + ["--document", "cookbook"])
            try fixture.expect(5, place)
        }
        let cookbook = ["--document", "cookbook"]
        try fixture.expect(
            5,
            [
                "ticds-store", "replay", remote, "--model", fixture.model, "--to",
                "\(fixture.demo.scratch.path)/store",
            ] + cookbook)
        try fixture.expect(5, ["ticds-inspect", "status", remote])
    }

    /// A vacuum of all documents reports that one of them is a link.
    @Test(arguments: ["Documents/cookbook", "Documents"]) func vacuumNamesALinkedDocument(place: String)
        throws
    {
        let demo = try DemoRemote(changeSets: 12)
        try demo.scratch.shell(
            "mv '\(demo.path)/\(place)' away && ln -s \"$PWD/away\" '\(demo.path)/\(place)'")
        let result = try Program.run("ticds-vacuum", [demo.path, "--dry-run"])
        #expect(
            result.status == 2 && result.errors.contains("symbolic link"), "\(result.status) \(result.errors)"
        )
    }

    @Test(arguments: unread) func whatChangesRefusesLinks(command: String) throws {
        let fixture = try LinkedFixture(command)
        let before = try TreeImage(of: fixture.demo.root)
        let remote = fixture.demo.path
        let changes = [
            ["ticds-vacuum", remote], ["ticds-vacuum", remote, "--framework-rule"],
            [
                "ticds-client", "delete", remote, fixture.client, "--document", "cookbook", "--max-delete",
                "100%",
            ],
            ["ticds-document", "delete", remote, "cookbook"],
        ]
        for words in changes {
            // Reports that a plan needs are also incomplete.
            try fixture.expect(words[0] == "ticds-vacuum" ? 3 : 2, words + ["--yes"])
        }
        #expect(try TreeImage(of: fixture.demo.root) == before)
    }

    /// A remote in which a link or a fifo is in the place of sets of the large document.
    private struct LinkedFixture {
        let demo: DemoRemote
        let model: String
        let client: String
        let place: String

        init(_ command: String) throws {
            demo = try DemoRemote(.plain, changeSets: 60)
            model = "\(demo.scratch.path)/demo/Cookbook.xcdatamodel"
            let set = try #require(try demo.changeSets.last)
            let folder = FilePath(set).removingLastComponent()
            client = try #require(folder.lastComponent?.string)
            let places = ["SET": set, "CLIENT": folder.string, "ALL": folder.removingLastComponent().string]
            let word = try #require(places.keys.first { command.hasSuffix($0) })
            place = try #require(places[word])
            _ = try demo.scratch.shell(command.replacingOccurrences(of: word, with: "'\(place)'"))
        }

        @discardableResult func expect(_ status: Int32, _ words: [String]) throws -> Program.Result {
            let result = try Program.run(
                words[0], Array(words.dropFirst()),
                environment: ["XDG_STATE_HOME": "\(demo.scratch.path)/state", "TZ": "UTC"])
            #expect(result.status == status, "\(words): \(result.errors)")
            let name = FilePath(place).lastComponent?.string ?? ""
            #expect(result.errors.contains(name), "\(words): \(result.errors)")
            return result
        }
    }

    /// An archive never counts as complete, and no older one is pruned for it.
    @Test(arguments: Form.allCases) func archivesLackIt(form: Form) throws {
        let fixture = try Fixture(form)
        let archive = fixture.place("remote.tar.gz")
        let exported = try fixture.run("ticds-archive", ["export", fixture.demo.path, archive, "--json"])
        #expect(exported.status == 5 && exported.errors.contains(fixture.name), "\(exported.errors)")
        let listed = try fixture.run("ticds-archive", ["list", archive])
        #expect(listed.status == 5 && listed.errors.contains("left out"), "\(listed.errors)")
        let names = try Program.shell("tar tzf '\(archive)'").output
        #expect(!names.contains(fixture.name) && names.contains("ReadMe.txt"))
        let folder = fixture.place("snapshots")
        try TestFiles.makeFolder(FilePath(folder))
        let old = folder + "/com.example.cookbook-20010101T000000Z.tar.zst"
        try TestFiles.write(FilePath(old), [1])
        let snapshot = try fixture.run(
            "ticds-remote", ["snapshot", fixture.demo.path, folder, "--keep-daily", "1"])
        #expect(snapshot.status == 5 && snapshot.errors.contains(fixture.name), "\(snapshot.errors)")
        #expect(throws: Never.self) { try FileStatus.of(FilePath(old)) }
    }

    /// An import into an incomplete remote could take the place of a missing part.
    @Test func importRefusesAndWarns() throws {
        let whole = try DemoRemote(changeSets: 60)
        let archive = "\(whole.scratch.path)/whole.tar.gz"
        #expect(try Program.run("ticds-archive", ["export", whole.path, archive]).status == 0)
        let fixture = try Fixture(.nextcloud)
        let words = ["import", archive, fixture.demo.path, "--on-existing", "replace", "--dry-run"]
        let result = try fixture.run("ticds-archive", words)
        #expect(result.status == 3 && result.errors.contains(fixture.name), "\(result.errors)")
        let foreign = fixture.place("foreign.tar")
        _ = try fixture.demo.scratch.shell("tar cf '\(foreign)' -C demo com.example.cookbook")
        try TestFiles.makeFolder(FilePath(fixture.place("new")))
        let imported = try fixture.run(
            "ticds-archive", ["import", foreign, fixture.place("new"), "--dry-run"])
        #expect(
            imported.output.contains("was not completely downloaded"), "\(imported.output) \(imported.errors)"
        )
    }

    // MARK: Synchronising

    /// A set that is not yet local is neither bad nor a stray: the run waits for it.
    @Test func runWaits() throws {
        let fixture = try SyncFixture()
        #expect(try fixture.clone("replica").status == 0)
        let set = FilePath(try #require(try fixture.demo.changeSets.last))
        let folder = set.removingLastComponent()
        let bytes = try FileBytes.read(set).array
        let name = "0999999999.000000-NEW.syncchg"
        for (suffix, content) in [(".nextcloud", [UInt8(1)]), (".firm", [1]), ("", [1])] {
            let path = folder.appending(name + suffix)
            try TestFiles.write(path, content)
            let run = try fixture.sync("run", "replica", ["--json"])
            #expect(run.status == 5, "\(run.errors)")
            let json = try SyncJSON(run)
            #expect(
                (json.keys["unread"] as? [Any])?.count == 1
                    && (json.keys["strays"] as? [Any])?.isEmpty == true)
            #expect((json.keys["badSets"] as? [Any])?.isEmpty == true)
            let status = try fixture.sync("status", "replica")
            #expect(status.errors.contains("not on this machine"), "\(status.errors)")
            try TestFiles.remove(path)
        }
        for isLink in [true, false] {
            let path = folder.appending(name)
            if isLink { try TestFiles.link(path, to: set.string) } else { try TestFiles.makeFifo(path) }
            let run = try fixture.sync("run", "replica")
            #expect(run.status == 5 && run.errors.contains(name), "\(run.errors)")
            try TestFiles.remove(path)
        }
        let path = folder.appending(name)
        for size in [5_000, 1 << 30] {
            try TestFiles.write(path, [])
            let file = try FileDescriptor.open(path, .readWrite)
            try file.closeAfter { try file.resize(to: Int64(size)) }
            #expect(try fixture.sync("run", "replica").status == 5)
        }
        try TestFiles.write(path, [UInt8](repeating: 0, count: 5_000))
        #expect(try fixture.sync("run", "replica").status == 5, "with blocks, too")
        try TestFiles.write(path, bytes)
        #expect(try fixture.sync("run", "replica").status == 0)
    }

    /// A placeholder of the integrity key is not a different key.
    @Test(arguments: [".nextcloud", ".owncloud"]) func theIntegrityKeyIsElsewhere(suffix: String) throws {
        let fixture = try SyncFixture()
        #expect(try fixture.clone("replica").status == 0)
        let folder = fixture.demo.root.pushing("Documents/cookbook/IntegrityKey")
        let key = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.string).first)
        try FileManager.default.moveItem(
            atPath: folder.appending(key).string, toPath: folder.appending(key + suffix).string)
        let run = try fixture.sync("run", "replica")
        #expect(run.status == 2 && run.errors.contains("not on this machine"), "\(run.errors)")
        try FileManager.default.moveItem(
            atPath: folder.appending(key + suffix).string, toPath: folder.appending(key).string)
        #expect(try fixture.sync("run", "replica").status == 0)
    }
}
