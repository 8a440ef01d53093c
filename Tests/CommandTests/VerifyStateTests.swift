import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// `ticds-verify --state` and `--max-duration`, as cron uses them.
@Suite struct VerifyStateTests {
    @Test func theSecondNightReadsOnlyWhatIsNew() throws {
        let demo = try DemoRemote(changeSets: 6)
        let state = demo.scratch.path.appending("state").string
        let first = try Program.run("ticds-verify", [demo.path, "--state", state])
        #expect(first.status == 0, "\(first.errors)")
        let second = try Program.run("ticds-verify", [demo.path, "--state", state])
        #expect(second.output.contains("Examined 0 files"), "\(second.output)")
        #expect(second.output.contains("unchanged since they were found intact"))
        try demo.scratch.shell("touch '\(try demo.changeSets[0])'")
        let third = try Program.run("ticds-verify", [demo.path, "--state", state])
        #expect(third.output.contains("Examined 1 file "), "\(third.output)")
    }

    @Test func aNightWithoutTimeIsDoneInPart() throws {
        let demo = try DemoRemote(changeSets: 6)
        let state = demo.scratch.path.appending("state").string
        let words = [demo.path, "--state", state]
        let none = try Program.run("ticds-verify", words + ["--max-duration", "0s"])
        #expect(none.status == 5, "\(none.output)")
        #expect(none.output.contains("No time was left for"))
        let rest = try Program.run("ticds-verify", words + ["--max-duration", "1h"])
        #expect(rest.status == 0)
        #expect(!rest.output.contains("Examined 0 files"))
    }

    @Test func theStateMustLieOutside() throws {
        let demo = try DemoRemote(changeSets: 2)
        let before = try TreeImage(of: demo.root)
        for place in ["state", "Documents/state", "../com.example.cookbook/state"] {
            let result = try Program.run("ticds-verify", [demo.path, "--state", "\(demo.path)/\(place)"])
            #expect(result.status == 3, "\(place): \(result.errors)")
        }
        try demo.scratch.shell("ln -s '\(demo.path)' link")
        let link = demo.scratch.path.appending("link").appending("state").string
        #expect(try Program.run("ticds-verify", [demo.path, "--state", link]).status == 3)
        #expect(try TreeImage(of: demo.root) == before)
    }

    @Test func usage() throws {
        for words in [
            ["--recheck-after", "3d"], ["--state", "s", "--level", "names"], ["--jobs", "0"],
            ["--max-duration", "soon"], ["--as-client", "a", "--as-new-client"], ["--variant", "floppy"],
        ] {
            #expect(try Program.run("ticds-verify", ["/usr"] + words).status == 64, "\(words)")
        }
    }

    /// SIGUSR1 is answered and does not end the program.
    @Test(.enabled(if: Python.available)) func tellsHowFarItIs() throws {
        let demo = try DemoRemote(changeSets: 1500)
        let script = """
            import signal, subprocess, sys, time
            # On a busy machine a run can end before a signal was sent.
            for attempt in range(10):
                program = subprocess.Popen(
                    [sys.argv[1], sys.argv[2], '--jobs', '1', '--level', 'deep'], stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE)
                def answers():
                    lines = open("/proc/%d/status" % program.pid).read().split("\\n")
                    caught = next(line for line in lines if line.startswith("SigCgt")).split()[1]
                    return int(caught, 16) >> signal.SIGUSR1 - 1 & 1
                while program.poll() is None and not answers(): time.sleep(0.001)
                signals = 0
                while program.poll() is None:
                    program.send_signal(signal.SIGUSR1)
                    signals += 1
                    time.sleep(0.005)
                errors = program.communicate()[1].decode()
                if signals > 2: break
            print(errors, program.returncode)
            """
        let result = try Program.shell(
            "python3 -c '\(script.replacing("'", with: "\""))' ./ticds-verify '\(demo.path)'")
        #expect(result.output.hasSuffix(" 0\n"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("file") || result.output.contains("listing"), "\(result.output)")
    }
}
