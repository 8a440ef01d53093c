import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// `ticds-remote` as users and scripts run it.
@Suite struct RemoteCommandTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func run(_ words: [String], _ environment: [String: String] = [:]) throws -> Program.Result {
        let state = ["XDG_STATE_HOME": scratch.path.string]
        return try Program.run(
            "ticds-remote", words, environment: state.merging(environment) { $1 }, seconds: 60)
    }

    private func verifies(_ path: String, _ password: [String] = []) throws -> Bool {
        let result = try Program.run("ticds-verify", [path, "--level", "deep"] + password)
        return result.status == 0
    }

    @Test func createsAndRemoves() throws {
        let root = scratch.path.appending("com.example.new").string
        let words = ["create", root, "--client", "client-A", "--description", "Anna's Mac"]
        #expect(try run(words).status == 3)
        #expect(try run(words + ["--dry-run"]).status == 0)
        #expect(!FileManager.default.fileExists(atPath: root))
        let made = try run(words + ["--yes"])
        #expect(made.status == 0, "\(made.errors)")
        #expect(try verifies(root))
        let clients = try Program.run("ticds-inspect", ["clients", root])
        #expect(clients.output.contains("Anna's Mac"))
        #expect(try run(words + ["--yes"]).status == 3)
        let checked = try run(["check-password", root])
        #expect(checked.status == 0 && checked.output.contains("is not encrypted"))
        let dry = try run(["remove", root, "--dry-run"])
        #expect(dry.output.contains("Anna's Mac (client-A) keeps its own data"), "\(dry.output)")
        let removed = try run(["remove", root, "--yes"])
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(!FileManager.default.fileExists(atPath: root))
    }

    /// A variable alone does not make a new remote encrypted.
    @Test func createsEncryptedWhereAsked() throws {
        let file = try scratch.password("open sesame\n")
        let variable = ["TICDS_PASSWORD_FILE": file]
        let plain = scratch.path.appending("com.example.plain").string
        #expect(try run(["create", plain, "--yes"], variable).status == 0)
        #expect(!FileManager.default.fileExists(atPath: plain + "/Encryption/salt.ticdsync"))
        let first = scratch.path.appending("com.example.first").string
        #expect(try run(["create", first, "--yes", "--encrypt"], variable).status == 0)
        let second = scratch.path.appending("com.example.second").string
        #expect(try run(["create", second, "--yes", "--password-file", file]).status == 0)
        for root in [first, second] {
            #expect(try run(["check-password", root, "--all"], variable).status == 0)
            #expect(try verifies(root, ["--password-file", file]))
        }
        let third = scratch.path.appending("com.example.third").string
        #expect(try run(["create", third, "--yes", "--encrypted"]).status == 4)
        #expect(try run(["create", third, "--description", "none"]).status == 64)
    }

    @Test func checksPasswords() throws {
        let demo = try DemoRemote(.encrypted)
        let wrong = ["--password-file", try scratch.write("wrong", Array("not it".utf8))]
        #expect(try run(["check-password", demo.path] + wrong).status == 4)
        #expect(try run(["check-password", demo.path]).status == 4)
        #expect(try run(["check-password", demo.path] + demo.passwordOptions).status == 0)
        let all = ["check-password", demo.path, "--all"] + demo.passwordOptions
        let sound = try run(all)
        #expect(sound.status == 0 && sound.output.contains("0 files not opened"), "\(sound.output)")
        let set = try #require(try demo.changeSets.first)
        try Data("<?xml version=\"1.0\"?>".utf8).write(to: URL(filePath: set))
        let found = try run(all)
        #expect(found.status == 1 && found.output.contains("not encrypted (xml)"), "\(found.output)")
        let json = try run(all + ["--json"])
        #expect(json.status == 1 && PythonCheck.isDocument(json.bytes, "ticds.password/1"))
    }

    @Test func roundAndRound() throws {
        let demo = try DemoRemote(.encrypted)
        let dump = ["dump", demo.path, "--json"]
        let before = try Program.run("ticds-changes", dump + demo.passwordOptions)
        #expect(before.status == 0 && !before.bytes.isEmpty)
        let new = try scratch.write("new", Array("another one".utf8))
        let change = ["change-password", demo.path] + demo.passwordOptions + ["--new-password-file", new]
        let dry = try run(change + ["--dry-run"])
        #expect(dry.status == 0, "\(dry.errors)")
        #expect(dry.output.contains("Close every client"), "\(dry.output)")
        #expect(dry.output.contains("Anna’s iPhone"), "\(dry.output)")
        #expect(try run(change).status == 3)
        #expect(try run(change + ["--save-plan", scratch.path.appending("plan").string]).status == 64)
        let changed = try run(change + ["--yes"])
        #expect(changed.status == 0, "\(changed.errors)")
        #expect(try run(["check-password", demo.path] + demo.passwordOptions).status == 4)
        let opening = ["--password-file", new]
        #expect(try run(["check-password", demo.path, "--all"] + opening).status == 0)
        #expect(try Program.run("ticds-changes", dump + opening).bytes == before.bytes)
        let decrypted = try run(["decrypt", demo.path, "--yes"] + opening)
        #expect(decrypted.status == 0, "\(decrypted.errors)")
        #expect(try Program.run("ticds-changes", dump).bytes == before.bytes)
        #expect(try verifies(demo.path))
        #expect(try run(["decrypt", demo.path, "--yes"]).status == 3)
        let encrypted = try run(["encrypt", demo.path, "--yes"] + demo.passwordOptions)
        #expect(encrypted.status == 0, "\(encrypted.errors)")
        #expect(try Program.run("ticds-changes", dump + demo.passwordOptions).bytes == before.bytes)
        #expect(try verifies(demo.path, demo.passwordOptions))
    }

    @Test func refusesAndSkipsWhatDoesNotOpen() throws {
        let demo = try DemoRemote(.encrypted)
        let set = try #require(try demo.changeSets.first)
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: set)))
        bytes[90] ^= 1
        try Data(bytes).write(to: URL(filePath: set))
        let words = ["decrypt", demo.path, "--yes"] + demo.passwordOptions
        let refused = try run(words)
        #expect(refused.status == 3)
        #expect(refused.errors.contains(".syncchg: the encrypted file is damaged"), "\(refused.errors)")
        let skipped = try run(words + ["--skip-unreadable"])
        #expect(skipped.status == 0, "\(skipped.errors)")
        #expect(skipped.output.contains("stays as it is"), "\(skipped.output)")
        #expect([UInt8](try Data(contentsOf: URL(filePath: set))) == bytes)
    }

    /// The terminal asks twice, and refuses different answers.
    @Test(arguments: [("open sesame", 0), ("open Sesame", 4)])
    func asksTwice(second: String, status: Int) throws {
        let root = scratch.path.appending("com.example.asked").string
        let script = """
            import os, pty, sys
            child, terminal = pty.fork()
            if child == 0:
                os.execv(sys.argv[1], [sys.argv[1], 'create', '--encrypted', '--yes', sys.argv[2]])
            text = b''
            for answer in [b'open sesame', sys.argv[3].encode()]:
                while not text.endswith(b': '): text += os.read(terminal, 100)
                os.write(terminal, answer + b'\\n')
                text = b''
            try:
                while os.read(terminal, 1000): pass
            except OSError: pass
            print('status:', os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """
        let result = try Program.launch(
            "/usr/bin/env", ["python3", "-c", script, Program.path("ticds-remote"), root, second],
            environment: [
                "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
                "XDG_STATE_HOME": scratch.path.string,
            ], seconds: 60)
        #expect(result.output == "status: \(status)\n", "\(result.output)\(result.errors)")
        #expect(FileManager.default.fileExists(atPath: root) == (status == 0))
    }
}
