public import SystemCalls
import SystemPackage

/// Messages beside the results, on standard error.
extension OutputOptions {
    /// Prints a warning, unless `--quiet` was given.
    public func warn(_ text: String) {
        LogFile.add(.warning, text)
        if quiet { return }
        let word = colour(for: .standardError).paint("warning:", .doubtful)
        ErrorReport.printText("\(word) \(text)")
    }

    /// Prints what is done, with `--verbose` only; the log file has it always.
    public func inform(_ text: String) {
        LogFile.add(.info, text)
        if verbose { ErrorReport.printText("\(text)") }
    }

    /// Reports a problem that does not end the command; the command then returns `partial`.
    public func report(_ problem: FileProblem) { ErrorReport(problem).print(self) }
}

/// Messages that were asked for, whatever the options say.
public enum Messages {
    /// Prints a line on standard error, after the name of the program.
    public static func line(_ text: String) { ErrorReport.printText("\(text)") }
}
