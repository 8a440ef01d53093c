package import Base
package import SystemCalls
package import SystemPackage

/// Results on standard output.
extension CommandContext {
    /// Whether results and messages are JSON.
    package var json: Bool { options.json }
    /// Whether to omit messages if there is no problem.
    package var quiet: Bool { options.quiet }
    /// Whether each step is printed.
    package var verbose: Bool { options.verbose }

    /// Whether a command that acts or checks prints nothing, since there is no problem.
    package func isSilent(_ status: ExitStatus) -> Bool { quiet && !json && status == .success }

    /// Whether text for `descriptor` is painted: on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    package func colour(for descriptor: FileDescriptor = .standardOutput) -> Colour {
        options.colour(for: descriptor)
    }

    /// A buffer in front of standard output, for text.
    package func text() -> OutputBuffer {
        OutputBuffer(.standardOutput, columns: Terminal.width, startsPager: false)
    }

    /// A buffer in front of standard output, for text that may be long: on a terminal it goes through the pager.
    package func longText() -> OutputBuffer {
        OutputBuffer(
            .standardOutput, columns: Terminal.width,
            startsPager: !json && !options.noPager && Terminal.isTerminal(.standardOutput))
    }

    /// A writer to standard output for one JSON document.
    package func document() -> JSONWriter { JSONWriter(.standardOutput, layout: .indented) }

    /// A writer to standard output for JSON Lines.
    package func lines() -> JSONWriter { JSONWriter(.standardOutput, layout: .compact) }

    /// Prints one document.
    /// - Throws: `FileProblem` of kind `writeFailed`.
    package func print<Value>(_ value: Value, _ schema: JSONSchema<Value>) throws(FileProblem) {
        var json = document()
        json.document(value, schema)
        try json.flush()
    }

    /// Prints one document with `--json`, otherwise the text that `write` appends.
    /// - Parameters:
    ///   - isLong: whether the text may be long, and on a terminal goes through the pager.
    ///   - status: the status of a command that acts or checks: with `--quiet` it prints no text without a problem.
    /// - Throws: `FileProblem` of kind `writeFailed`, and the errors of `write`.
    package func print<Value>(
        _ value: Value, _ schema: JSONSchema<Value>, isLong: Bool = false, at status: ExitStatus? = nil,
        text write: (inout OutputBuffer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        if json { return try print(value, schema) }
        if let status, isSilent(status) { return }
        var text = isLong ? longText() : text()
        try write(&text)
        try text.flush()
    }
}

/// Messages beside the results, on standard error. Each is printed once.
extension CommandContext {
    /// Appends a line to the log file, if there is one. Warns if the file can no longer be written.
    func log(_ level: LogFile.Level, _ message: @autoclosure () -> String) {
        if let problem = notes.log(level, message) { warn(of: problem) }
    }

    /// Warns that the log file is incomplete.
    func warn(of problem: FileProblem) {
        warn("\(problem.path): \(problem.problem) (\(problem.found ?? ""))")
    }

    /// Prints a warning; with `--quiet` only after the command, and only if there was a problem.
    package func warn(_ text: String) {
        guard notes.isNew("warning: \(text)") else { return }
        log(.warning, text)
        if quiet { return notes.hold(text) }
        printWarning(text)
    }

    private func printWarning(_ text: String) {
        if json { return Messages.json(.warning, text) }
        let word = colour(for: .standardError).paint("warning:", .doubtful)
        ErrorReport.printText("\(word) \(text)")
    }

    /// Prints a step of the command, only with `--verbose`; the log file always gets it.
    package func inform(_ text: String) {
        log(.info, text)
        guard verbose else { return }
        if json { Messages.json(.info, text) } else { ErrorReport.printText("\(text)") }
    }

    /// Reports a problem that does not end the command; the command then returns `partial`.
    package func report(_ problem: FileProblem) { report(ErrorReport(problem)) }

    /// Prints an error, and writes it to the log file.
    package func report(_ error: ErrorReport) {
        guard notes.isNew(error.line) else { return }
        log(.error, error.line)
        // In JSON, whoever reads the errors can count them.
        if !json, !verbose, let path = error.path, !notes.isAmongFirst(of: path) { return }
        error.print(json: json, colour: colour(for: .standardError))
    }

    /// Lets messages be printed again, as a command does that works in rounds.
    package func beginRound() {
        printErrorCounts()
        notes.forgetMessages()
    }

    /// Prints how many errors of a file were left out.
    private func printErrorCounts() {
        for (path, count) in notes.takeUnprintedErrors() {
            ErrorReport.printText("\(path.escaped): \(counted(count, "more error")); --verbose prints all")
        }
    }

    /// Reports why the data that the command reads may be shorter than the truth. The status of the command is then
    /// never `success`.
    package func report(short problem: FileProblem) {
        report(problem)
        notes.noteShortAnswer()
    }

    /// Lets the command not end with `success`, for a reason that was already printed.
    package func noteShortAnswer() { notes.noteShortAnswer() }

    /// Records in the log file what the command has done.
    func logDone(_ text: String) { log(.info, text) }

    /// Sets a variable for the command lines of ``HookOptions``: a result of the command.
    /// - Parameter name: the name, which begins with `TICDS_`.
    package func set(_ name: String, _ value: String) { notes.set(name, value) }

    /// The status of a command that would end with `status`, after everything that it has reported. Prints the held
    /// warnings if there was a problem.
    func ended(_ status: ExitStatus) -> ExitStatus {
        let status = notes.isShort && status == .success ? .partial : status
        printErrorCounts()
        if status != .success { for warning in notes.takeWarnings() { printWarning(warning) } }
        return status
    }
}
