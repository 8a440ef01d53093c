import Base
import SystemCalls
import TestSupport
import Testing

/// Commands that read an archive without space for temporary files say so, and find nothing wrong with it.
@Suite(.enabled(if: MountingShell.isPossible, "needs the right to mount")) struct ArchiveScarcityTests {
    /// - Parameter commands: command lines, of which each must end with 2 and name the way out.
    private static func failures(of commands: [String], space: Int, in demo: DemoRemote) throws -> String {
        let lines = commands.map { command in
            """
            status=0; TMPDIR=$PWD/small \(command) > out 2> err || status=$?
            if [ $status != 2 ] || ! grep -q 'Set TMPDIR' err || grep -qE 'TICDS-07(17|19)|nothing wrong$' out; then
                echo "\(command.replacing("\"", with: "")): $status"; cat err out
            fi
            """
        }
        let result = try MountingShell.run(
            """
            export XDG_STATE_HOME=$PWD/state; cp -a '\(demo.path)' .
            ticds-archive export com.example.cookbook a.tar.zst > /dev/null
            mkdir small; mount -t tmpfs -o size=\(max(space, 4))k tmpfs small
            if [ \(space) = 0 ]; then cat /dev/zero > small/fill 2> /dev/null || true; fi
            \(lines.joined(separator: "\n"))
            """)
        return result.status == 0 ? result.output : "\(result.status) \(result.output) \(result.errors)"
    }

    @Test(arguments: [0, 40]) func fullTemporaryFolderIsNoFinding(space: Int) throws {
        let demo = try DemoRemote(changeSets: 60)
        let verify = [
            "", "--level deep", "--level headers", "--json", "--one-line", "--as-new-client",
            "--fail-on error",
            "--without-password",
        ].map { "ticds-verify a.tar.zst \($0)" }
        #expect(try Self.failures(of: verify, space: space, in: demo) == "")
    }

    @Test func fullTemporaryFolderIsNoFindingOfSmallCommands() throws {
        let demo = try DemoRemote(changeSets: 60)
        let set = try #require(try demo.changeSets.first).dropFirst(demo.path.utf8.count + 1)
        let file = "a.tar.zst/com.example.cookbook/\(set)"
        let commands = [
            "ticds-integrity check a.tar.zst", "ticds-verify file \(file)", "ticds-changes dump \(file)",
            "ticds-changes dump a.tar.zst", "ticds-changes diff \(file) \(file)",
        ]
        #expect(try Self.failures(of: commands, space: 0, in: demo) == "")
    }

    /// An encrypted whole store of a folder is decrypted into the temporary folder.
    @Test func fullTemporaryFolderIsNoFindingInAFolder() throws {
        let demo = try DemoRemote(.encrypted, changeSets: 60)
        let words = demo.passwordOptions.joined(separator: " ")
        let commands = ["", "--level deep", "--state known"].map {
            "ticds-verify com.example.cookbook \(words) \($0)"
        }
        #expect(try Self.failures(of: commands, space: 0, in: demo) == "")
    }
}
