package import Glibc
import Synchronization
import SystemCalls
package import SystemPackage

/// Runs a command line with `/bin/sh`.
package enum ShellCommand {
    /// Runs the command with additional variables in its environment, and waits for its end. Its input and output are
    /// those of this process.
    /// - Parameter mask: the file mode mask of the command.
    /// - Returns: its exit status, or 128 and the number of the signal that ended it.
    package static func run(
        _ command: String, mask: mode_t, adding variables: [(name: String, value: String)]
    ) -> Result<CInt, Errno> {
        var start = Self.start("umask \(String(mask, radix: 8))\n\(command)")
        for (name, value) in variables { start.variables[name] = value }
        return Result { () throws(Errno) in try start.run() }
    }

    /// Starts the command with the variables of this process and missing ones of `defaults`.
    static func start(_ command: String, defaults: [(name: String, value: String)] = []) -> ProgramStart {
        var start = ProgramStart("/bin/sh", ["sh", "-c", command].map { Array($0.utf8) })
        for (name, value) in defaults where getenv(name) == nil { start.variables[name] = value }
        return start
    }

    /// The output of the command, and its wait status; nil if it printed more than `limit` bytes or could not be
    /// started. Its standard input and error stay those of this process.
    static func output(of command: String, limit: Int) -> (bytes: [UInt8], status: CInt)? {
        guard let stream = popen(command, "r") else { return nil }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        let count = fread(&bytes, 1, bytes.count, stream)
        let status = pclose(stream)
        guard count <= limit else { return nil }
        return (Array(bytes.prefix(count)), status)
    }
}

/// The program that shows long text on a terminal: `$PAGER`, otherwise less(1), as in git.
enum Pager {
    private struct Running {
        let process: pid_t
        /// The former standard error.
        let errors: CInt
    }

    private static let running = Mutex<Running?>(nil)

    /// The command line of the pager; nil if none is wanted: `PAGER` is empty or `cat`, or `TERM` is `dumb`.
    static var command: String? {
        guard Environment["TERM"] != "dumb" else { return nil }
        if let value = getenv("PAGER") {
            let command = String(cString: value)
            return command.isEmpty || command == "cat" ? nil : command
        }
        return ExecutablePath.find("less") == nil ? nil : "less"
    }

    /// Starts the pager, and sends it standard output from then on, and standard error if that is a terminal. Ctrl-C
    /// goes to the pager. If the pager cannot start, nothing changes.
    static func start() {
        guard let command else { return }
        running.withLock { running in
            // try?: without a pipe, and without a pager, nothing changes
            guard running == nil, let ends = try? ProgramStart.pipe() else { return }
            var start = ShellCommand.start(command, defaults: defaults)
            start.input = ends.reading
            // try?: as above
            if let process = try? start.begin() {
                let errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
                if Terminal.isTerminal(.standardError) { dup2(ends.writing, STDERR_FILENO) }
                dup2(ends.writing, STDOUT_FILENO)
                signal(SIGINT, SIG_IGN)
                signal(SIGPIPE, SIG_IGN)
                running = Running(process: process, errors: errors)
            }
            for end in [ends.reading, ends.writing] { close(end) }
        }
    }

    /// Waits until the user leaves the pager, if one runs.
    static func finish() {
        guard let pager = running.withLock({ $0.take() }) else { return }
        close(STDOUT_FILENO)
        dup2(pager.errors, STDERR_FILENO)
        // try?: there is nothing else to wait for
        if let status = try? ProgramStart.end(of: pager.process), status >> 8 & 0xFF == 127 {
            let text = "the pager cannot be run: set PAGER to another one, or give --no-pager"
            // try?: nothing else can report it
            _ = try? FileDescriptor.standardError.writeAll("\(Environment.programName): \(text)\n".utf8)
        }
    }

    /// Ends the process if the user left the pager before everything was written.
    static func endIfLeft(_ failure: Errno?) {
        guard failure == .brokenPipe, running.withLock({ $0 != nil }) else { return }
        finish()
        TemporaryFolder.removeAllAtEnd { _exit(ExitStatus.success.rawValue) }
    }

    /// Defaults of variables for the pager: less(1) ends if one screen is enough, shows colours, and leaves the text on
    /// the screen.
    private static let defaults = [(name: "LESS", value: "FRX"), (name: "LV", value: "-c")]
}
