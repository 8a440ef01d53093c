import Foundation
import Testing

/// The password prompt, on a pseudo-terminal that Python makes.
@Suite struct PromptTests {
    @Test func asksWithoutEcho() throws {
        let result = try run(answers: ["open sesame\\n", "open sesame\\n"])
        #expect(result.output.contains("echo off: True"))
        #expect(result.output.contains("echo after: True"))
        #expect(result.output.contains("status: 0"), "\(result.output)\(result.errors)")
        #expect(!result.output.contains("sesame"))
    }

    @Test func refusesTwoDifferentPasswords() throws {
        let result = try run(answers: ["open sesame\\n", "open sesam\\n"])
        #expect(result.output.contains("status: 4"), "\(result.output)\(result.errors)")
        #expect(result.output.contains("the two passwords differ"), "\(result.output)")
    }

    @Test func givesTheEchoBackWhenInterrupted() throws {
        let result = try run(answers: ["ope\\x03"])
        #expect(result.output.contains("echo off: True"))
        #expect(result.output.contains("echo after: True"))
        #expect(result.output.contains("status: -2"), "\(result.output)\(result.errors)")
    }

    /// A wrong password may be typed again, up to three times in total.
    @Test(arguments: [(wrong: 2, status: 0), (wrong: 3, status: 4)])
    func mistypedPasswordMayBeTypedAgain(wrong: Int, status: Int) throws {
        let demo = try DemoRemote(.encrypted)
        let answers = Array(repeating: "mistake", count: wrong) + [DemoRemote.password]
        let script = """
            import os, pty, sys
            child, terminal = pty.fork()
            if child == 0:
                os.execv(sys.argv[1], [sys.argv[1], 'stats', sys.argv[2], '--no-pager'])
            text = b''
            for answer in sys.argv[3:]:
                while not text.endswith(b': '):
                    try: piece = os.read(terminal, 100)
                    except OSError: break
                    if not piece: break
                    text += piece
                else:
                    text += b'#'
                    os.write(terminal, answer.encode() + b'\\n')
            try:
                while True: text += os.read(terminal, 1000) or exit()
            except OSError: pass
            print(text.decode(errors='replace'))
            print('status:', os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """
        let result = try Program.launch(
            "/usr/bin/env",
            ["python3", "-c", script, Program.path("ticds-changes"), demo.path] + answers,
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"],
            seconds: 180)
        #expect(result.output.contains("status: \(status)\n"), "\(result.output)\(result.errors)")
        #expect(result.output.components(separatedBy: "Type it again.").count == 3, "\(result.output)")
        #expect(!result.output.contains("mistake") && !result.output.contains(DemoRemote.password))
    }

    /// Runs `ticds demo --encrypt` on a separate terminal and answers its questions.
    private func run(answers: [String]) throws -> Program.Result {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "ticds-prompt-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let script = """
            import os, pty, signal, sys, termios, time
            def echoes(terminal): return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
            child, terminal = pty.fork()
            if child == 0:
                signal.signal(signal.SIGINT, signal.SIG_DFL)
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                os.execv(sys.argv[1], [sys.argv[1], 'demo', '--encrypt', '--change-sets', '1', sys.argv[2]])
            for answer in [\(answers.map { "b'\($0)'" }.joined(separator: ", "))]:
                text = b''
                while not text.endswith(b': '): text += os.read(terminal, 100)
                print('echo off:', not echoes(terminal))
                os.write(terminal, answer)
            for _ in range(200):
                if echoes(terminal): break
                time.sleep(0.02)
            print('echo after:', echoes(terminal))
            try:
                piece = text
                while piece:
                    piece = os.read(terminal, 1000)
                    text += piece
            except OSError: pass
            print(text.decode(errors='replace'))
            print('status:', os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """
        return try Program.launch(
            "/usr/bin/env", ["python3", "-c", script, Program.path("ticds"), folder.path],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"],
            seconds: 180
        )
    }
}
