import ArgumentParser
import Glibc
import Mounting
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSDataCommands
import TICDSStorages

struct InspectMount: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "mount",
        abstract: "Shows a remote or a store as folders, decrypted and decoded, until it is unmounted.",
        discussion: """
            The folders are read only, and README.txt in them says what is where. The mount ends with fusermount3 -u, \
            with Ctrl-C, or with the shell. Users other than root need the package fuse3.

            Examples:
              ticds-inspect mount ~/Dropbox/com.example.app ~/mnt
              ticds-inspect mount ~/Dropbox/com.example.app ~/mnt --exec 'grep -rl soup documents/*/changes'
              ticds-inspect mount Notebook.sqlite ~/mnt --foreground
            """)

    @Argument(
        help: .value("remote> <dir", "The remote (or TICDS_REMOTE) or a store, and an empty folder."),
        completion: .file())
    var arguments: [String]

    @Option(
        help: .value(
            "model", "The managed object model of the app, if the stores contain none: a file or folder."),
        completion: .file())
    var model: String?

    @Option(
        help: .value(
            "command",
            "Run a command line with /bin/sh in the mounted folder, then unmount; the exit status is that of the command, or 5 for 0 if something could not be shown as a whole."
        ),
        completion: .commandLine)
    var exec: String?

    @Flag(help: "Stay in the foreground until Ctrl-C or until somebody unmounts the folder.")
    var foreground = false

    @OptionGroup var password: PasswordOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if exec != nil, foreground { throw ValidationError("--exec and --foreground contradict each other.") }
    }

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let (address, folder) = try RemoteOptions.separate(arguments, named: "DIR")
        let place = try Environment.file(argument: folder)
        let background = BackgroundMount.current
        if exec == nil, !foreground, background == nil {
            return try BackgroundMount.start(on: place, context)
        }
        Crash.unmount(
            "", through: nil, printing: Self.farewell(place), status: ExitStatus.failed.rawValue)
        let problems = MountProblems(context)
        let tree = try tree(address, beside: place, problems, context)
        defer { tree.end() }
        let server = FuseServer(tree.top) { problems.report($0) }
        EndSignals.catch()
        SystemThread.limitStacks()
        do {
            let mount = try FuseMount(on: place, server)
            defer { mount.unmount() }
            mount.unmountAtCrash(
                printing: Self.farewell(mount.folder), status: ExitStatus.failed.rawValue)
            if let exec {
                let status = try run(exec, in: mount, context)
                return status == .success && !problems.areNone ? .partial : status
            }
            if let background {
                background.leaveTerminal()
            } else if !context.quiet {
                Messages.line("mounted on \(mount.folder.escaped) until Ctrl-C or fusermount3 -u")
            }
            // ends: with a signal, an unmount, or the shell
            while EndSignals.caught == nil, !mount.hasEnded, background?.isAbandoned != true {
                mount.wait(milliseconds: 250)
            }
            return .success
        }
    }

    /// The line of a crash where memory is limited.
    private static func farewell(_ folder: FilePath) -> String {
        let problem = FileProblem(
            .limit, path: folder,
            "the mount ends, probably since the process may use no more memory",
            advice: "Raise the limit of the process (ulimit -v), then mount the folder again")
        return "\n\(Environment.programName): \(ErrorReport(problem).line)\n"
    }

    /// Runs the command in the mounted folder.
    private func run(
        _ command: String, in mount: FuseMount, _ context: CommandContext
    ) throws(FileProblem) -> ExitStatus {
        let line =
            "umask \(String(context.fileMask, radix: 8)); cd \(ShellWord.quoted(mount.folder)) || exit 2\n\(command)"
        let status: Int32
        do throws(Errno) {
            let start = ProgramStart("/bin/sh", ["sh", "-c", line].map { Array($0.utf8) })
            status = try mount.end(of: start.begin())
        } catch {
            throw FileProblem(.unreadable, path: "/bin/sh", "cannot be run", found: "\(error)")
        }
        if let status = ExitStatus(rawValue: status) { return status }
        mount.unmount()
        TemporaryFolder.removeAllAtEnd { Glibc.exit(status) }
    }

    /// The tree to mount.
    private func tree(
        _ address: RemoteAddress, beside place: FilePath, _ problems: MountProblems, _ context: CommandContext
    ) throws -> MountedTree {
        if case .folder(let path) = address, try isStore(path) {
            let store = try MountedStore(path, model: model, password, problems, context)
            return MountedTree(top: store.top) {}
        }
        let open = try OpenRemote(address, password, context)
        if let own = try open.path.resolved(), let target = try place.resolved(), target.starts(with: own) {
            throw FileProblem(
                .refused, path: place, "lies inside the remote, where a mount would hide what clients need",
                advice: "Choose an empty folder outside it")
        }
        let remote = try MountedRemote(
            open, model: model.map { Environment.path(argument: $0) }, problems, context)
        for problem in open.gaps { problems.report(problem) }
        return MountedTree(top: remote.top) { remote.end() }
    }

    /// Whether a file is a store by itself, or a whole store in a remote.
    private func isStore(_ path: FilePath) throws(FileProblem) -> Bool {
        guard let file = try path.resolved(), try FileStatus.of(file).kind == .file else { return false }
        if try WholeStoreKind(ofPlain: file).isStore { return true }
        return try RemoteLocation.remote(around: file) != nil
    }
}

/// A tree, and what to do after its mount.
private struct MountedTree {
    let top: any VirtualFolder
    let end: () -> Void
}
