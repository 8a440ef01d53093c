import Foundation
import SystemCalls
import SystemPackage
import TICDSCore
import TestSupport
import Testing

/// Signals while a remote is being changed.
@Suite(.enabled(if: Python.available)) struct InterruptedChangeTests {
    @Test(arguments: ["SIGINT", "SIGTERM", "SIGHUP"])
    func theFirstSignalPutsEverythingBack(signal: String) throws {
        let remote = try JournaledDemo(changeSets: 250)
        let before = try remote.image
        let result = try interrupt(remote, "program.send_signal(signal.\(signal))")
        #expect(result.output == "130\n", "\(result.output)\(result.errors)")
        #expect(result.errors.contains("putting everything back"), "\(result.errors)")
        #expect(result.errors.contains("the remote is as it was before"), "\(result.errors)")
        #expect(try remote.image.differences(from: before) == [])
        let list = try remote.journal(["list"]).output
        #expect(list.contains("rolled back"), "\(list)")
        #expect(try remote.journal(["recover"]).output == "Nothing was interrupted.\n")
    }

    /// The second ends the process at once; recovery does the rest.
    @Test(arguments: [[], ["--back"], ["--forward"]])
    func recoversAfterASuddenEnd(direction: [String]) throws {
        let remote = try JournaledDemo(changeSets: 250)
        let before = try remote.image
        let isForward = direction == ["--forward"]
        let twice = "program.send_signal(signal.SIGINT); time.sleep(0.01); program.send_signal(signal.SIGINT)"
        let result = try interrupt(remote, isForward ? "program.kill()" : twice)
        #expect(result.output == (isForward ? "-9\n" : "-2\n"), "\(result.output)\(result.errors)")
        let list = try remote.journal(["list"])
        #expect(list.output.contains("has not been ended"), "\(list.output)\(list.errors)")
        let refused = try remote.apply(try remote.plan(1))
        #expect(refused.status == 3 && refused.errors.contains("ticds-journal recover"), "\(refused.errors)")
        let dry = try remote.journal(["recover", "--dry-run"])
        #expect(dry.status == 0 && dry.output.contains("not ended"), "\(dry.errors)")
        let recovered = try remote.journal(["recover", remote.root.string] + direction)
        #expect(recovered.status == 0, "\(recovered.errors)")
        #expect(recovered.output.contains(isForward ? "  done " : "  rolled back "), "\(recovered.output)")
        let differences = try remote.image.differences(from: before)
        #expect(differences.count == (isForward ? 102 : 0))
        #expect(try remote.journal(["recover"]).output == "Nothing was interrupted.\n")
    }

    @Test func anIgnoredSignalStaysIgnored() throws {
        let remote = try JournaledDemo(changeSets: 40)
        let result = try interrupt(remote, "program.send_signal(signal.SIGHUP)", sets: 20, ignored: "SIGHUP")
        #expect(result.output == "0\n", "\(result.output)\(result.errors)")
    }

    /// Applies a plan with many actions; `step`, in Python, follows when half of them are done.
    private func interrupt(
        _ remote: JournaledDemo, _ step: String, sets: Int = 100, ignored: String = ""
    ) throws -> Program.Result {
        let file = try remote.save(try remote.plan(sets))
        let middle = try remote.demo.changeSets[sets / 2]
        let script = """
            import os, signal, subprocess, sys, time
            program, file, middle = sys.argv[1:]
            def begin():
                for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
                    ignored = number.name == '\(ignored)'
                    signal.signal(number, signal.SIG_IGN if ignored else signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
            program = subprocess.Popen([program, 'apply', file, '--yes'], stdout=subprocess.DEVNULL, preexec_fn=begin)
            while os.path.exists(middle) and program.poll() is None: pass
            \(step)
            print(program.wait())
            """
        let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        return try Program.launch(
            "/usr/bin/env", ["python3", "-c", script, Program.path("ticds-journal"), file, middle],
            environment: remote.environment.merging(path) { $1 }, seconds: 120)
    }
}
