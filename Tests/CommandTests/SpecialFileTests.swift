import SystemPackage
import Testing

/// A FIFO or a socket in the place of a file of the state home: no command waits for a writer.
@Suite struct SpecialFileTests {
    @Test(arguments: ["journal.sqlite", "journal.sqlite-journal", "lock"])
    func fifoInTheStateEndsCommands(name: String) throws {
        let remote = try ChangeableRemote()
        #expect(try remote.run("ticds-document", ["delete", remote.path, "pantry", "--yes"]).status == 0)
        try remote.demo.scratch.shell("cd state/ticds/com*/; rm -f \(name); mkfifo \(name)")
        func run(_ program: String, _ words: [String]) throws -> Program.Result {
            try Program.run(
                program, words,
                environment: ["XDG_STATE_HOME": remote.demo.scratch.path.appending("state").string],
                seconds: 30)
        }
        let delete = try run("ticds-document", ["delete", remote.path, "cookbook", "--yes"])
        #expect(delete.status == 2, "\(delete.status) \(delete.errors)")
        #expect(delete.errors.contains("/\(name): not a plain file"), "\(delete.errors)")
        #expect(try remote.exists("Documents/cookbook/documentInfo.plist"))
        if name == "lock" { return }
        let list = try run("ticds-journal", ["list", remote.path])
        #expect(list.status == 2, "\(list.status) \(list.errors)")
        #expect(list.errors.contains("/\(name): not a plain file"), "\(list.errors)")
        let phone = try remote.identifier(of: "Anna’s iPhone")
        let verify = try run("ticds-verify", [remote.path, "--as-client", phone])
        #expect(verify.status >= 0)
        #expect(verify.errors.contains("/\(name): not a plain file"), "\(verify.errors)")
    }
}
