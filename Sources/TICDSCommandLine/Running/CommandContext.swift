package import Glibc
package import SystemCalls
import SystemPackage
package import TICDSCore

/// The environment of a command beside its own arguments: the form of its results, the place for its reports, its
/// resources, and the facts that the process already knows.
package struct CommandContext: Sendable {
    /// The given options of output.
    package let options: OutputOptions
    /// The style of times and sizes.
    package let style: TextStyle
    /// The number of processors that the command may use.
    package let workers: Int
    /// The file mode mask of the process from before the command, for programs that the command starts.
    package let fileMask: mode_t
    let notes: CommandNotes

    private init(_ options: OutputOptions, workers: Int, _ notes: CommandNotes) {
        self.options = options
        style = options.style
        self.workers = workers
        fileMask = PrivateFiles.mask
        self.notes = notes
    }

    /// The style of times and sizes in the notes of plans: in JSON, times are in UTC.
    package var noteStyle: TextStyle {
        json ? TextStyle(isUTC: true, isISO: true, hasExactSizes: style.hasExactSizes) : style
    }

    /// The context of the same command with `--quiet`: it prints warnings only if the command does not end well.
    package var silent: CommandContext {
        var options = options
        options.quiet = true
        return CommandContext(options, workers: workers, notes)
    }

    /// Opens the log file that the options name. If it cannot be opened, the context warns of that.
    /// - Throws: `.refused` for a log file in a remote, and if variables would put other files there.
    static func opened(_ options: OutputOptions, _ start: CommandStart) throws(FileProblem) -> CommandContext
    {
        try OwnFolders.check()
        var (log, problem): (LogFile?, FileProblem?) = (nil, nil)
        switch try LogFile.open(options) {
        case .success(let file)?: log = file
        case .failure(let error)?: problem = error
        case nil: break
        }
        let context = CommandContext(
            options, workers: start.workers, CommandNotes(listing: start.listing, log: log))
        if let problem { context.warn(of: problem) }
        return context
    }
}

/// Facts about the process before its command begins.
package struct CommandStart: Sendable {
    /// The number of processors that the command may use.
    package var workers: Int
    /// The listing of a remote: a command that opens this remote works on it, and does not list it again.
    package var listing: RemoteTree?

    package init(workers: Int = Cores.count, listing: RemoteTree? = nil) {
        self.workers = workers
        self.listing = listing
    }
}
