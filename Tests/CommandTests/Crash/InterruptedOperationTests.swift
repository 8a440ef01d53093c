import Foundation
import SystemPackage
import TestSupport
import Testing

/// Between an interruption and its recovery, commands name the operation in place of taking the remote for something
/// else.
@Suite struct InterruptedOperationTests {
    private let demo: DemoRemote
    private let password: String

    init() throws {
        demo = try DemoRemote(changeSets: 8)
        password = try demo.scratch.write("password", Array("open sesame".utf8))
    }

    private func run(_ program: String, _ words: [String]) throws -> Program.Result {
        try Program.run(
            program, words,
            environment: ["XDG_STATE_HOME": demo.scratch.path.string, "PATH": "/usr/bin:/bin"])
    }

    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func interruptedEncryptionIsNamed() throws {
        func words(_ remote: DemoRemote) -> [String] {
            ["encrypt", remote.path, "--password-file", password, "--yes", "--quiet"]
        }
        let program = FaultyProgram(name: "ticds-remote", home: demo.scratch.path)
        let count = demo.scratch.path.appending("count")
        let other = try DemoRemote(changeSets: 8)
        #expect(try program.run(words(other), fault: .count(count)) == 0)
        let calls = try FaultyProgram.number(in: count)
        #expect(try program.run(words(demo), fault: .kill(calls * 3 / 4)) < 0)
        try #require(try run("ticds-journal", ["list", demo.path]).output.contains("has not been ended"))
        let named = "has not been ended, so that the remote may be half changed"
        for words in [
            ["remote", "encrypt", demo.path, "--password-file", password, "--yes"],
            ["remote", "decrypt", demo.path, "--password-file", password, "--yes"],
            [
                "remote", "change-password", demo.path, "--password-file", password, "--new-password-file",
                password, "--yes",
            ],
        ] {
            let refused = try run("ticds", words)
            #expect(refused.status == 3 && refused.errors.contains(named), "\(words): \(refused.errors)")
            #expect(refused.errors.contains("ticds-journal recover "), "\(words): \(refused.errors)")
        }
        let archive = demo.scratch.path.appending("a.tar.zst").string
        try demo.scratch.shell("mkdir snapshots")
        for words in [
            ["inspect", "status", demo.path], ["verify", demo.path],
            ["archive", "export", demo.path, archive],
            ["remote", "snapshot", demo.path, demo.scratch.path.appending("snapshots").string],
        ] {
            let result = try run("ticds", words)
            #expect(result.errors.contains(named), "\(words): \(result.errors)")
            if words[0] != "inspect" { #expect(result.status != 0, "\(words)") }
        }
        #expect(try run("ticds-journal", ["recover", demo.path]).status == 0)
        #expect(try !run("ticds-inspect", ["status", demo.path]).errors.contains(named))
    }
}
