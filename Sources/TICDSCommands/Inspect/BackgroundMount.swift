import Glibc
import Mounting
import SystemCalls
import SystemPackage
import TICDSCommandLine

/// A mount by a process of its own, which ends with the shell that asked for it.
struct BackgroundMount {
    private let shell: ProcessWatch?

    /// The variable that tells the process of a mount the number of the shell.
    private static let variable = "TICDS_MOUNT_SHELL"

    /// The mount of this process, if it was started for one.
    static var current: BackgroundMount? {
        guard let text = Environment[variable], let number = Int32(text, radix: 10) else { return nil }
        unsetenv(variable)
        return BackgroundMount(shell: ProcessWatch(number))
    }

    /// Whether the shell has ended.
    var isAbandoned: Bool { shell?.hasEnded(within: 0) ?? false }

    /// Lets go of input and output, so that nobody waits for their end; messages still go to a terminal.
    func leaveTerminal() {
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nothing >= 0 else { return }
        dup2(nothing, STDIN_FILENO)
        dup2(nothing, STDOUT_FILENO)
        if !Terminal.isTerminal(.standardError) { dup2(nothing, STDERR_FILENO) }
        close(nothing)
    }

    /// Starts the process of the mount with the arguments of this one, and waits until the folder is mounted.
    static func start(on folder: FilePath, _ context: CommandContext) throws(FileProblem) -> ExitStatus {
        try FuseMount.removeDead(folder)
        guard let place = try folder.resolved() else { throw .noFolder(folder) }
        let before = try FileStatus.of(place).device
        guard let program = CurrentExecutable.path else {
            throw FileProblem(
                .unsupported, path: folder,
                "this system does not tell which program to run in the background",
                advice: "Use --foreground")
        }
        var start = ProgramStart(
            program,
            Environment.rawArguments.map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) })
        start.variables[variable] = String(getppid())
        do throws(Errno) {
            let process = try start.begin()
            var status: CInt = 0
            // ends: when the folder is mounted, or the process has ended
            while waitpid(process, &status, WNOHANG) == 0 {
                // try?: the process says why
                if let now = try? FileStatus.of(place).device, now != before {
                    if !context.quiet {
                        Messages.line(
                            "mounted on \(place.escaped) until this shell ends, or: fusermount3 -u \(ShellWord.quoted(place))"
                        )
                    }
                    return .success
                }
                usleep(20_000)
            }
            return ExitStatus(rawValue: status >> 8 & 0xFF) ?? .failed
        } catch {
            throw FileProblem(.unreadable, path: program, "cannot be run", found: "\(error)")
        }
    }
}
