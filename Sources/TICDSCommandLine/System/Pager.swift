#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

import Synchronization
import SystemCalls
import SystemPackage

/// The program through which long text is read on a terminal: `$PAGER`, else less(1), as git does it.
enum Pager {
    private struct Running {
        let process: pid_t
        /// Standard error as it was before.
        let errors: CInt
    }

    private static let running = Mutex<Running?>(nil)

    /// The command line of the pager; nil where none is wanted: `PAGER` is empty or `cat`, or the terminal is dumb.
    static var command: String? {
        guard Environment["TERM"] != "dumb" else { return nil }
        if let value = getenv("PAGER") {
            let command = String(cString: value)
            return command.isEmpty || command == "cat" ? nil : command
        }
        return Programs.find("less") == nil ? nil : "less"
    }

    /// Starts the pager, and lets standard output, and standard error on a terminal, go into it from now on. Ctrl-C is
    /// left to the pager. Where it cannot be started everything stays as it was.
    static func start() {
        guard let command else { return }
        running.withLock { running in
            var ends: [CInt] = [-1, -1]
            guard running == nil, pipe(&ends) == 0 else { return }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            if let process = ShellCommand.start(command, input: ends[0], defaults: defaults) {
                let errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
                if Terminal.isTerminal(.standardError) { dup2(ends[1], STDERR_FILENO) }
                dup2(ends[1], STDOUT_FILENO)
                signal(SIGINT, SIG_IGN)
                signal(SIGPIPE, SIG_IGN)
                running = Running(process: process, errors: errors)
            }
            for end in ends { close(end) }
        }
    }

    /// Waits until the person has left the pager, if there is one.
    static func finish() {
        guard let pager = running.withLock({ $0.take() }) else { return }
        close(STDOUT_FILENO)
        dup2(pager.errors, STDERR_FILENO)
        var status: CInt = 0
        while waitpid(pager.process, &status, 0) < 0, errno == EINTR {}
        if status >> 8 & 0xFF == 127 {
            let text = "the pager cannot be run: set PAGER to another one, or give --no-pager"
            // try?: there is nobody else to tell
            _ = try? FileDescriptor.standardError.writeAll("\(Environment.programName): \(text)\n".utf8)
        }
    }

    /// Ends the process, in which there is nothing more to do, where the pager was left before all was written.
    static func endIfLeft(_ failure: Errno?) {
        guard failure == .brokenPipe, running.withLock({ $0 != nil }) else { return }
        finish()
        TemporaryFolder.removeAllAtEnd { _exit(ExitStatus.success.rawValue) }
    }

    /// What the pager gets unless the environment says otherwise: less ends where one screen is enough, shows colours, and
    /// leaves the text on the screen.
    private static let defaults = [(name: "LESS", value: "FRX"), (name: "LV", value: "-c")]
}
