import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// Signals during a change of a remote.
@Suite(.enabled(if: Python.available)) struct InterruptedChangeTests {
    private static let files = 600

    private let remote: JournaledDemo
    private let folder: FilePath

    /// Many small files, so that the work takes a while.
    init() throws {
        remote = try JournaledDemo(changeSets: 4)
        folder = remote.root.pushing(FilePath("Documents/cookbook/TemporaryFiles"))
        for number in 0..<Self.files { try TestFiles.write(folder.appending("\(number)"), [1]) }
    }

    @Test(arguments: ["SIGINT", "SIGTERM", "SIGHUP"])
    func theFirstSignalPutsEverythingBack(signal: String) throws {
        let before = try remote.image
        let result = try interrupt("program.send_signal(signal.\(signal))")
        #expect(result.output == "130\n", "\(result.output)\(result.errors)")
        #expect(result.errors.contains("undoing what was done"), "\(result.errors)")
        #expect(result.errors.contains("the remote is as it was before"), "\(result.errors)")
        #expect(try remote.image.differences(from: before) == [])
        let list = try remote.journal(["list"]).output
        #expect(list.contains("rolled back"), "\(list)")
        #expect(try remote.journal(["recover"]).output == "Nothing was interrupted.\n")
    }

    /// A second signal ends the process at once; recovery completes the rest.
    @Test(arguments: ["", "--back", "--forward"])
    func recoversAfterASuddenEnd(direction: String) throws {
        let before = try remote.image
        let result = try interrupt(
            """
            for name in 'SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGCONT': program.send_signal(getattr(signal, name))
            """)
        #expect(["-2\n", "-15\n"].contains(result.output), "\(result.output)\(result.errors)")
        let list = try remote.journal(["list"])
        #expect(list.output.contains("has not been ended"), "\(list.output)\(list.errors)")
        let refused = try remote.apply(try remote.plan(1))
        #expect(refused.status == 3 && refused.errors.contains("ticds-journal recover"), "\(refused.errors)")
        let dry = try remote.journal(["recover", "--dry-run"])
        #expect(dry.status == 0 && dry.output.contains("not ended"), "\(dry.errors)")
        let options = direction.isEmpty ? [] : [direction]
        let recovered = try remote.journal(["recover", remote.root.string] + options)
        #expect(recovered.status == 0, "\(recovered.errors)")
        let isBack = direction == "--back"
        #expect(recovered.output.contains(isBack ? "  rolled back " : "  done "), "\(recovered.output)")
        #expect(try remote.image.differences(from: before).count == (isBack ? 0 : Self.files))
        #expect(try remote.journal(["recover"]).output == "Nothing was interrupted.\n")
    }

    @Test func anIgnoredSignalStaysIgnored() throws {
        let result = try interrupt("program.send_signal(signal.SIGHUP)", ignored: "SIGHUP")
        #expect(result.output == "0\n", "\(result.output)\(result.errors)")
    }

    /// Moves all the files to the trash; `step`, in Python, follows when some of them have moved.
    private func interrupt(_ step: String, ignored: String = "") throws -> Program.Result {
        var plan = Plan(root: remote.root, command: "ticds-test", summary: "Remove many files")
        let tree = try RemoteSnapshot.take(LocalStorage(root: remote.root)).tree
        for number in 0..<Self.files {
            let path: RemotePath = ["Documents", "cookbook", "TemporaryFiles", RemoteName("\(number)")]
            plan.add(.moveToTrash(path: path, seen: try tree.state(of: path)))
        }
        let file = try remote.save(plan, "many.json")
        let script = """
            import os, signal, subprocess, sys, time
            program, file, first = sys.argv[1:]
            def begin():
                for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
                    ignored = number.name == '\(ignored)'
                    signal.signal(number, signal.SIG_IGN if ignored else signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
            program = subprocess.Popen([program, 'apply', file, '--yes'], stdout=subprocess.DEVNULL, preexec_fn=begin)
            while os.path.exists(first) and program.poll() is None: pass
            \(step)
            print(program.wait())
            """
        let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        return try Program.launch(
            "/usr/bin/env",
            [
                "python3", "-c", script, Program.path("ticds-journal"), file, folder.appending("9").string,
            ],
            environment: remote.environment.merging(path) { $1 }, seconds: 120)
    }
}
