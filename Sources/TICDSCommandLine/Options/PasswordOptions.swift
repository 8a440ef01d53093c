public import ArgumentParser
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Where the password of an encrypted remote comes from: never from an argument, which other users could see.
public struct PasswordOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("password-file"),
        help: ArgumentHelp(
            "Read the password from a file.",
            discussion: "Default: the environment variable TICDS_PASSWORD_FILE.", valueName: "file"),
        completion: .file())
    public var file: String?

    @Option(
        name: .customLong("password-command"),
        help: ArgumentHelp(
            "Run a command line with /bin/sh and take the password from its output.",
            discussion: "Default: the environment variable TICDS_PASSWORD_COMMAND.", valueName: "command"),
        completion: .commandLine)
    public var command: String?

    @Flag(
        name: .customLong("old-hmac"),
        help:
            "Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file."
    )
    public var hasOldHMAC = false

    /// How the files of the remote are authenticated (ticds-protocol(7), 6.2).
    public var form: EncryptedFile.HMACForm { hasOldHMAC ? .before2011June : .since2011June }

    public init() {}

    public func validate() throws {
        if file != nil, command != nil {
            throw ValidationError("Give --password-file or --password-command, not both.")
        }
    }

    /// The password from an option or the environment, as UTF-8; nil when none of them is set. Never asks.
    ///
    /// Options go before the environment, there the file before the command. One line break at the end is dropped.
    /// - Throws: `FileProblem` of kind `encrypted` when the file cannot be read or the command fails.
    public func configured() throws(FileProblem) -> [UInt8]? {
        let source = PasswordSource(file: file, command: command) ?? PasswordSource.environment
        guard let source else { return nil }
        return try source.password()
    }

    /// The password, asked for on the terminal where it is not configured.
    /// - Parameter path: the file or remote that needs it.
    /// - Throws: `FileProblem` of kind `encrypted` when there is no way to get it.
    public func password(for path: FilePath) throws(FileProblem) -> [UInt8] {
        if let password = try configured() { return password }
        if let answer = PasswordPrompt.ask("Password for \(path)") { return answer }
        throw FileProblem(
            .encrypted, path: path, "encrypted, and no password is given",
            advice: "Use --password-file, --password-command, or a terminal")
    }
}

/// The new password of a remote that already has one.
public struct NewPasswordOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("new-password-file"),
        help: .value("file", "Read the new password from a file. Default: ask for it twice on the terminal."),
        completion: .file())
    public var file: String?

    @Option(
        name: .customLong("new-password-command"),
        help: .value("command", "Run a command line with /bin/sh and take the new password from its output."),
        completion: .commandLine)
    public var command: String?

    public init() {}

    public func validate() throws {
        if file != nil, command != nil {
            throw ValidationError("Give --new-password-file or --new-password-command, not both.")
        }
    }

    /// True if an option names a source.
    public var isGiven: Bool { file != nil || command != nil }

    /// A key from the new password, which is asked for on the terminal where no option gives it.
    /// - Parameter path: the remote, for questions and errors.
    /// - Throws: `FileProblem` of kind `encrypted` when there is no way to get it.
    public func secret(for path: FilePath) throws(FileProblem) -> EncryptionSecret {
        try newSecret(
            PasswordSource(file: file, command: command), for: path,
            advice: "Use --new-password-file, --new-password-command, or a terminal")
    }
}

/// The password of a remote that has none yet.
public struct FirstPasswordOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("password-file"), help: .value("file", "Read the password from a file."),
        completion: .file())
    public var file: String?

    @Option(
        name: .customLong("password-command"),
        help: .value("command", "Run a command line with /bin/sh and take the password from its output."),
        completion: .commandLine)
    public var command: String?

    public init() {}

    public func validate() throws {
        if file != nil, command != nil {
            throw ValidationError("Give --password-file or --password-command, not both.")
        }
    }

    /// True if an option names a source.
    public var isGiven: Bool { file != nil || command != nil }

    /// A key from the password of an option or the environment, else asked for, twice, on the terminal.
    /// - Parameter path: the remote, for questions and errors.
    /// - Throws: `FileProblem` of kind `encrypted` when there is no way to get it.
    public func secret(for path: FilePath) throws(FileProblem) -> EncryptionSecret {
        try newSecret(
            PasswordSource(file: file, command: command) ?? .environment, for: path,
            advice: "Use --password-file, --password-command, or a terminal")
    }
}

/// A key from a password that no file can check: without a source the terminal asks for it twice.
private func newSecret(
    _ source: PasswordSource?, for path: FilePath, advice: String
) throws(FileProblem) -> EncryptionSecret {
    if let source {
        return try EncryptionSecret(password: String(decoding: try source.password(), as: UTF8.self))
    }
    guard let first = PasswordPrompt.ask("New password for \(path)") else {
        throw FileProblem(.encrypted, path: path, "no new password is given", advice: advice)
    }
    guard let second = PasswordPrompt.ask("The same password again"), first == second else {
        throw FileProblem(.encrypted, path: path, "the two passwords differ", advice: "Try again")
    }
    guard let password = String(validating: first, as: UTF8.self) else {
        throw FileProblem(.encrypted, path: path, "the password is not UTF-8")
    }
    return try EncryptionSecret(password: password)
}
