package import Glibc
package import SystemCalls
import SystemPackage
package import TICDSCore

/// Everything that a command is given beside its own arguments: how it shows results, where it reports, what it may use,
/// and what the process that started it knows already.
package struct CommandContext: Sendable {
    /// The options of output that were given.
    package let options: OutputOptions
    /// How times and sizes are written.
    package let style: TextStyle
    /// Processors that the command may use.
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

    /// How the notes of plans write times and sizes: in JSON, times are in UTC.
    package var noteStyle: TextStyle {
        json ? TextStyle(isUTC: true, isISO: true, hasExactSizes: style.hasExactSizes) : style
    }

    /// Context of the same command with `--quiet`: it prints warnings only if the command does not end well.
    package var silent: CommandContext {
        var options = options
        options.quiet = true
        return CommandContext(options, workers: workers, notes)
    }

    /// Opens the log file that the options name. If it cannot be opened, the context warns of that.
    /// - Throws: `.refused` for a log file in a remote, and if variables would bring other files there.
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

/// Facts that a process has before its command begins.
package struct CommandStart: Sendable {
    /// Processors that the command may use.
    package var workers: Int
    /// The listing of a remote: a command that opens this remote works on it, and lists nothing again.
    package var listing: RemoteTree?

    package init(workers: Int = Cores.count, listing: RemoteTree? = nil) {
        self.workers = workers
        self.listing = listing
    }
}
