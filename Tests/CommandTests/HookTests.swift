import Foundation
import SystemPackage
import TestSupport
import Testing

/// Command lines of the user that run at the end of a command, and the line for health checks.
@Suite struct HookTests {
    /// `--quiet` does not hide the reason of a status other than 0.
    @Test func quietCommandSaysThatItsHookFailed() throws {
        let demo = try DemoRemote(changeSets: 4)
        let result = try Program.run("ticds-verify", [demo.path, "--quiet", "--on-success", "exit 3"])
        #expect(
            result.status == 5 && result.errors.contains("--on-success ended with status 3"),
            "\(result.errors)")
    }

    @Test func verification() throws {
        let sound = try DemoRemote(changeSets: 4)
        let damaged = try DemoRemote(.damaged, changeSets: 4)
        let told = sound.scratch.path.appending("told").string
        let hooks = [
            "--on-success",
            "echo good \"$TICDS_STATUS $TICDS_RESULT $TICDS_ERRORS $TICDS_SUMMARY\" >>'\(told)'",
            "--on-failure",
            "echo bad \"$TICDS_STATUS $TICDS_RESULT $TICDS_ERRORS $TICDS_REMOTE\" >>'\(told)'",
        ]
        let well = try Program.run("ticds-verify", [sound.path, "--one-line"] + hooks)
        #expect(well.status == 0 && well.errors.isEmpty, "\(well.errors)")
        #expect(
            well.output.contains(
                /^ok com\.example\.cookbook: nothing wrong(, \d+ notes?)?; \d+ files \(\d+ kB\) examined at level contents\n$/
            ),
            "\(well.output)")
        let ill = try Program.run("ticds-verify", [damaged.path, "--one-line"] + hooks)
        #expect(
            ill.status == 1 && ill.output.hasPrefix("findings com.example.cookbook: 1 error"), "\(ill.output)"
        )
        let lines = try String(contentsOfFile: told, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 2 && lines[0] == "good 0 success 0 \(well.output.dropLast())", "\(lines)")
        #expect(
            lines.last?.hasPrefix("bad 1 failure 1 /") == true && lines.last?.hasSuffix("cookbook") == true)
    }

    /// Text from a remote is only in the environment, where the shell does not read it as a command.
    @Test func foreignTextIsNoCommand() throws {
        let scratch = try Scratch()
        let name = "$(touch pwned); `touch pwned`; 'x"
        try scratch.shell("mkdir -p \"$(printf '%s' '\(name.replacing("'", with: "'\\''"))')\"/ClientDevices")
        let result = try Program.shell(
            "cd '\(scratch.path)'; ticds-verify \"$NAME\" --on-failure 'printf \"%s\\n\" \"$TICDS_PROBLEM\" \"$TICDS_REMOTE\"' --on-success 'printf \"%s\\n\" \"$TICDS_REMOTE\"'; ls",
            environment: ["NAME": name])
        #expect(
            !result.output.contains("pwned\n") && result.errors.contains("touch pwned"), "\(result.errors)")
    }

    /// An error that ends the command, a command line that fails, and one that cannot be found.
    @Test func failures() throws {
        let demo = try DemoRemote(changeSets: 2)
        let missing = try Program.run(
            "ticds-verify", ["/nowhere", "--on-failure", "echo \"$TICDS_STATUS: $TICDS_PROBLEM\""])
        #expect(missing.status == 2 && missing.output.isEmpty, "\(missing.output)")
        #expect(missing.errors.contains("\n2: /nowhere"), "\(missing.errors)")
        for words in [["ticds-verify", "/nowhere"], ["ticds-remote", "snapshot", "/nowhere", demo.path]] {
            let line = "echo \"at $TICDS_REMOTE\""
            let hook = try Program.run(words[0], Array(words.dropFirst()) + ["--on-failure", line])
            #expect(hook.status == 2 && hook.errors.contains("\nat /nowhere\n"), "\(hook.errors)")
        }
        let failing = try Program.run("ticds-verify", [demo.path, "--on-success", "exit 7"])
        #expect(
            failing.status == 5 && failing.errors.contains("--on-success ended with status 7"),
            "\(failing.errors)")
        let json = try Program.run("ticds-verify", [demo.path, "--json", "--on-success", "echo noise"])
        #expect(json.status == 0 && !json.output.contains("noise") && json.errors == "noise\n")
        for words in [
            ["--one-line", "--json"], ["--one-line", "--repair"],
            ["--on-success", "true", "--on-success", "true"],
        ] {
            #expect(try Program.run("ticds-verify", [demo.path] + words).status == 64, "\(words)")
        }
        let planned = try Program.run(
            "ticds-verify",
            [demo.path, "--repair", "--dry-run", "--on-success", "touch '\(demo.scratch.path)/ran'"])
        #expect(planned.status == 0)
        #expect(!FileManager.default.fileExists(atPath: demo.scratch.path.appending("ran").string))
    }

    @Test func snapshots() throws {
        let fixture = try ArchiveFixture()
        try fixture.scratch.shell("mkdir back")
        let hook = [
            "--on-success", "echo \"$TICDS_FILES $TICDS_REMOVED $TICDS_ARCHIVE\" >'\(fixture.path("told"))'",
        ]
        let result = try fixture.snapshot(hook)
        #expect(result.status == 0, "\(result.errors)")
        let told = try fixture.scratch.shell("cat told")
        #expect(told.contains(/^\d+ 0 \/.*\/back\/com\.example\.cookbook-.*\n$/), "\(told)")
        try fixture.scratch.shell("rm told")
        #expect(try fixture.snapshot(hook + ["--dry-run"]).status == 0)
        #expect(!FileManager.default.fileExists(atPath: fixture.path("told")))
    }
}
