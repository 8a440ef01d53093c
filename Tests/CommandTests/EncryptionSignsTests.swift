import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// An attacker with write access to an encrypted remote, but without its password, removes its signs or writes
/// unencrypted files. No command takes the remote for an unencrypted one, and none accepts a forged file.
@Suite struct EncryptionSignsTests {
    private static let salt = "Encryption/salt.ticdsync"
    private static let test = "Encryption/test.ticdsync"

    private func remove(_ names: [String], _ fixture: SyncFixture) throws {
        for name in names { try FileManager.default.removeItem(atPath: "\(fixture.demo.path)/\(name)") }
    }

    /// Every unencrypted text of a change set in the remote.
    private func plainSets(_ fixture: SyncFixture) throws -> [String] {
        try fixture.demo.changeSets.filter { PlainSignature(try FileBytes.read(FilePath($0))) != nil }
    }

    private func edit(_ fixture: SyncFixture, _ name: String) throws {
        try fixture.demo.scratch.shell(
            "sqlite3 '\(fixture.place(name))/Document.sqlite' 'UPDATE ZRECIPE SET ZSERVINGS = 77 WHERE Z_PK = 1'"
        )
    }

    /// Decrypts a file of the remote in its place, or forges one.
    private func makePlain(_ file: String, _ fixture: SyncFixture) throws {
        let salt = try FileBytes.read(fixture.demo.root.pushing(FilePath(Self.salt))).array
        let key = SyncKey(password: DemoRemote.password, salt: salt)
        let path = FilePath(file)
        let time = try FileStatus.of(path).modified
        let plain = try RemoteKeyring(.checked(key)).plainBytes(try FileBytes.read(path), path: path)
        try TestFiles.write(path, plain.array)
        try TestFiles.setTime(path, time)
    }

    /// The test file still exists.
    @Test func aRemovedSaltStopsEveryCommand() throws {
        let fixture = try SyncFixture(.encrypted)
        #expect(try fixture.clone("replica").status == 0)
        try edit(fixture, "replica")
        try remove([Self.salt], fixture)
        let before = try fixture.image()
        let demo = fixture.demo
        let words: [(String, [String])] = [
            ("ticds-sync", ["run", fixture.place("replica")]),
            ("ticds-sync", ["run", fixture.place("replica"), "--dry-run"]),
            ("ticds-sync", ["clone", demo.path, fixture.place("other"), "--document", "cookbook", "--yes"]),
            ("ticds-changes", ["dump", demo.path]), ("ticds-changes", ["stats", demo.path]),
            ("ticds-changes", ["list", demo.path, "--counts"]),
            ("ticds-store", ["list", demo.path]),
            (
                "ticds-store",
                ["replay", demo.path, "--document", "cookbook", "--to", fixture.place("x.sqlite")]
            ),
            ("ticds-remote", ["check-password", demo.path]),
            ("ticds-remote", ["decrypt", demo.path, "--yes"]),
            ("ticds-remote", ["encrypt", demo.path, "--yes"]),
            ("ticds-document", ["create", demo.path, "new", "--description", "New", "--yes"]),
            ("ticds-vacuum", [demo.path, "--yes"]),
            ("ticds-verify", [demo.path, "--repair", "--yes"]),
            ("ticds-inspect", ["status", demo.path]),
            ("ticds-archive", ["export", demo.path, fixture.place("x.tar.zst"), "--decrypt"]),
        ]
        for (program, arguments) in words {
            let result = try fixture.run(program, arguments + demo.passwordOptions)
            #expect(result.status == 3, "\(program) \(arguments[0]): \(result.status) \(result.errors)")
            #expect(result.errors.contains("TICDS-0502"), "\(program) \(arguments[0]): \(result.errors)")
            #expect(!result.output.contains("not encrypted"), "\(result.output)")
        }
        #expect(try fixture.image() == before)
        let checked = try fixture.run("ticds-verify", [demo.path] + demo.passwordOptions)
        #expect(checked.status == 1 && checked.output.contains("TICDS-0502"), "\(checked.output)")
    }

    /// No sign is left in the remote; the replica and the local journal still know.
    @Test func aReplicaAndAJournalRemember() throws {
        let fixture = try SyncFixture(.encrypted)
        #expect(try fixture.clone("replica").status == 0)
        try edit(fixture, "replica")
        let root = fixture.demo.path
        try fixture.demo.scratch.shell(
            "cd '\(root)'; rm -r Encryption; mkdir Encryption; find . -name '*.plist' -delete; "
                + "find . -name '*.syncchg' -delete; find . -name WholeStore.ticdsync -delete")
        let before = try fixture.image()
        let run = try fixture.sync("run", "replica")
        #expect(run.status == 3 && run.errors.contains("TICDS-0511"), "\(run.errors)")
        #expect(
            run.errors.contains("Replica.json") || run.errors.contains("on this machine"), "\(run.errors)")
        for (program, words) in [
            ("ticds-document", ["create", root, "new", "--description", "New", "--yes"]),
            ("ticds-changes", ["dump", root]), ("ticds-verify", [root, "--repair", "--yes"]),
        ] {
            let result = try fixture.run(program, words)
            #expect(
                result.status == 3 && result.errors.contains("TICDS-0511"), "\(program): \(result.errors)")
        }
        let checked = try fixture.run("ticds-verify", [root, "--only", "0511"])
        #expect(checked.status == 1, "\(checked.output)")
        #expect(try fixture.image() == before)
        // A different machine has no journal of the remote; the replica alone is enough.
        let elsewhere = try Program.run(
            "ticds-sync", ["run", fixture.place("replica")],
            environment: ["XDG_STATE_HOME": fixture.place("elsewhere")])
        #expect(elsewhere.status == 3 && elsewhere.errors.contains("TICDS-0511"), "\(elsewhere.errors)")
        #expect(elsewhere.errors.contains("Replica.json"), "\(elsewhere.errors)")
        #expect(try fixture.image() == before)
    }

    /// Encrypting and decrypting with ticds causes no contradiction, nor does undoing it.
    @Test func whatTheSuiteDoesItselfIsRemembered() throws {
        let fixture = try SyncFixture(.encrypted)
        let demo = fixture.demo
        let key = demo.passwordOptions
        for step in [
            ["ticds-remote", "decrypt", demo.path, "--yes"] + key,
            ["ticds-journal", "undo", demo.path, "1", "--yes"],
            ["ticds-remote", "decrypt", demo.path, "--yes"] + key,
            ["ticds-vacuum", demo.path, "--yes"],
            ["ticds-remote", "encrypt", demo.path, "--yes"] + key,
            ["ticds-changes", "dump", demo.path] + key,
            ["ticds-remote", "decrypt", demo.path, "--yes"] + key,
            ["ticds-changes", "dump", demo.path],
        ] {
            let result = try fixture.run(step[0], Array(step.dropFirst()))
            #expect(result.status == 0, "\(step): \(result.errors)")
        }
    }

    /// A key made from a foreign salt opens nothing, and therefore encrypts nothing.
    @Test func aForeignSaltEncryptsNothing() throws {
        let fixture = try SyncFixture(.encrypted)
        #expect(try fixture.clone("replica").status == 0)
        try edit(fixture, "replica")
        try remove([Self.test], fixture)
        try TestFiles.write(fixture.demo.root.pushing(FilePath(Self.salt)), Array(repeating: 7, count: 16))
        let before = try fixture.image()
        let known = try fixture.sync("run", "replica")
        #expect(known.status == 4, "\(known.errors)")
        // No file is left for testing the key.
        try fixture.demo.scratch.shell("cd '\(fixture.demo.path)'; find . -name '*.plist' -delete")
        let untried = try fixture.image()
        let blind = try fixture.sync("run", "replica")
        #expect(blind.status == 3 && blind.errors.contains("TICDS-0501"), "\(blind.status) \(blind.errors)")
        #expect(try fixture.image() == untried && before != untried)
    }

    /// Files that were written without the password are neither applied nor encrypted.
    @Test func forgedSetsAreNotTaken() throws {
        let fixture = try SyncFixture(.encrypted)
        #expect(try fixture.clone("replica").status == 0)
        let set = try #require(try fixture.demo.changeSets.last)
        let forged = FilePath(set).removingLastComponent().appending(
            "0999999999.000000-AAAAAAAA-0000-0000-0000-000000000000-1-0000000000000000.syncchg")
        try FileManager.default.copyItem(atPath: set, toPath: forged.string)
        try makePlain(forged.string, fixture)
        let bytes = try FileBytes.read(forged).array
        let run = try fixture.sync("run", "replica")
        #expect(run.status != 0 && (run.output + run.errors).contains("plain file in an encrypted remote"))
        let replayed = try fixture.run(
            "ticds-store",
            [
                "replay", fixture.demo.path, "--document", "cookbook", "--to", fixture.place("x.sqlite"),
                "--model",
                fixture.model, "--json",
            ] + fixture.demo.passwordOptions)
        #expect(replayed.status == 3 || replayed.status == 5, "\(replayed.errors)")
        #expect((replayed.output + replayed.errors).contains("plain file in an encrypted remote"))
        let one = try fixture.run("ticds-changes", ["dump", forged.string] + fixture.demo.passwordOptions)
        #expect(one.status == 3 && one.errors.contains("TICDS-0504"), "\(one.errors)")
        let decrypted = try fixture.run(
            "ticds-remote", ["decrypt", fixture.demo.path, "--yes"] + fixture.demo.passwordOptions)
        #expect(decrypted.status == 3, "\(decrypted.errors)")
        #expect(try FileBytes.read(forged).array == bytes)
        let repaired = try fixture.run(
            "ticds-verify",
            [fixture.demo.path, "--repair", "--only", "0504", "--yes"] + fixture.demo.passwordOptions)
        #expect(repaired.status == 0, "\(repaired.output) \(repaired.errors)")
        #expect(!FileManager.default.fileExists(atPath: forged.string))
        #expect(try plainSets(fixture) == [])
        #expect(try fixture.sync("run", "replica").status == 0)
    }

    /// An unencrypted whole store that was written without the password is not used as a start.
    @Test func forgedStoresAreNotTaken() throws {
        let fixture = try SyncFixture(.encrypted)
        for store in try fixture.demo.wholeStores { try makePlain(store, fixture) }
        let listed = try fixture.run(
            "ticds-store", ["list", fixture.demo.path] + fixture.demo.passwordOptions)
        #expect(
            listed.status == 5 && listed.errors.contains("TICDS-0504"), "\(listed.status) \(listed.errors)")
        let clone = try fixture.clone("replica")
        #expect(!clone.output.contains("start: whole store"), "\(clone.output)")
    }

    /// The reverse case: one encrypted set in an unencrypted remote.
    @Test func oneEncryptedSetInAPlainRemote() throws {
        let fixture = try SyncFixture(.plain)
        #expect(try fixture.clone("replica").status == 0)
        try edit(fixture, "replica")
        let set = FilePath(try #require(try fixture.demo.changeSets.last))
        let key = SyncKey(password: "other", salt: [1, 2, 3])
        let sealed = try EncryptedFile.encrypt(try FileBytes.read(set), with: key, path: set)
        let new = set.removingLastComponent().appending(
            "0999999999.000000-AAAAAAAA-0000-0000-0000-000000000000-1-0000000000000000.syncchg")
        try TestFiles.write(new, sealed.array)
        for (program, words) in [
            ("ticds-changes", ["dump", fixture.demo.path]),
            ("ticds-document", ["create", fixture.demo.path, "new", "--description", "New", "--yes"]),
            ("ticds-vacuum", [fixture.demo.path, "--yes"]),
        ] {
            let result = try fixture.run(program, words)
            #expect(
                result.status == 3 && result.errors.contains("TICDS-0505"), "\(program): \(result.errors)")
        }
        let run = try fixture.sync("run", "replica")
        #expect(
            run.status != 0 && (run.output + run.errors).contains("looks encrypted"),
            "\(run.output) \(run.errors)")
        let repaired = try fixture.run(
            "ticds-verify", [fixture.demo.path, "--repair", "--only", "0505", "--yes"])
        #expect(repaired.status == 0, "\(repaired.output)")
        #expect(try fixture.run("ticds-changes", ["dump", fixture.demo.path]).status == 0)
        #expect(try fixture.sync("run", "replica").status == 0)
    }
}
