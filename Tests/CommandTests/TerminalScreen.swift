import Foundation
import Testing

/// The output of programs on a pseudo-terminal that Python makes.
struct TerminalScreen: Decodable {
    /// One program on a separate terminal.
    struct Run: Encodable {
        var words: [String]
        var variables: [String: String] = [:]
        var columns = 80
        /// The text that is typed at a prompt `(END)`.
        var answer = ""

        /// A ticds program.
        init(_ program: String, _ arguments: [String], _ variables: [String: String] = [:]) {
            words = [Program.path(program)] + arguments
            self.variables = variables
        }

        /// A shell line.
        init(shell line: String, _ variables: [String: String] = [:]) {
            words = ["/bin/bash", "-c", line]
            self.variables = variables
        }
    }

    var text: String
    /// The exit status; the negative number of the signal if a signal ended the process.
    var status: Int

    /// Programs one after the other, each on a separate terminal.
    static func all(_ runs: [Run]) throws -> [TerminalScreen] {
        let input = String(decoding: try JSONEncoder().encode(runs), as: UTF8.self)
        let result = try Program.launch(
            "/usr/bin/env", ["python3", "-c", script, input],
            environment: [
                "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "TERM": "xterm",
                "LC_ALL": "C.UTF-8", "TZ": "UTC",
            ], seconds: 240)
        try #require(result.status == 0, "\(result.errors)")
        return try JSONDecoder().decode([TerminalScreen].self, from: Data(result.bytes))
    }

    static func of(_ run: Run) throws -> TerminalScreen { try #require(try all([run]).first) }

    private static let script = """
        import fcntl, json, os, pty, struct, sys, termios
        def show(words, variables, columns, answer):
            child, terminal = pty.fork()
            if child == 0:
                fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 50, columns, 0, 0))
                os.execve(words[0], words, dict(os.environ, **variables))
            text = b''
            while True:
                try: piece = os.read(terminal, 65536)
                except OSError: break
                if not piece: break
                text += piece
                if answer and b'(END)' in text:
                    os.write(terminal, answer.encode())
                    answer = ''
            os.close(terminal)
            status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            return {'text': text.decode().replace('\\r\\n', '\\n'), 'status': status}
        json.dump([show(**run) for run in json.loads(sys.argv[1])], sys.stdout)
        """
}
