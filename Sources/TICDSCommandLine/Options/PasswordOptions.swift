package import ArgumentParser
package import SystemCalls
package import SystemPackage
package import TICDSCore

/// The source of the password of an encrypted remote, which is never an argument, since other users could see it.
package struct PasswordOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("password-file"),
        help: ArgumentHelp(
            "Read the password from a file.",
            discussion: "Default: the environment variable TICDS_PASSWORD_FILE.", valueName: "file"),
        completion: .file())
    package var file: String?

    @Option(
        name: .customLong("password-command"),
        help: ArgumentHelp(
            "Run a command line with /bin/sh and take the password from its output.",
            discussion: "Default: the environment variable TICDS_PASSWORD_COMMAND.", valueName: "command"),
        completion: .commandLine)
    package var command: String?

    @Flag(
        name: .customLong("old-hmac"),
        help:
            "Treat the remote as one from the first weeks of 2011, whose HMAC leaves out 16 bytes of each file."
    )
    package var hasOldHMAC = false

    /// The form in which the files of the remote are authenticated (ticds-protocol(7), 3.2).
    package var form: EncryptedFile.HMACForm { hasOldHMAC ? .before2011June : .since2011June }

    package init() {}

    package func validate() throws {
        if file != nil, command != nil {
            throw ValidationError("Give --password-file or --password-command, not both.")
        }
    }

    /// Whether an option or the environment names the source of the password, so that there is no question on the
    /// terminal.
    package var isConfigured: Bool {
        (PasswordSource(file: file, command: command) ?? .environment) != nil
    }

    /// The password from an option or the environment, as UTF-8; nil if none of them is set. Never asks.
    ///
    /// Options take precedence over the environment, and there the file over the command. One line break at the end is
    /// dropped.
    /// - Throws: `FileProblem` of kind `encrypted` if the file cannot be read or the command fails.
    package func configured() throws(FileProblem) -> [UInt8]? {
        guard let source = PasswordSource(file: file, command: command) ?? .environment else { return nil }
        return try source.password()
    }

    /// The password. If none is configured, the terminal asks for it.
    /// - Parameter path: the file or remote that needs the password.
    /// - Throws: `FileProblem` of kind `encrypted` if the password cannot be obtained.
    package func password(for path: FilePath) throws(FileProblem) -> [UInt8] {
        if let password = try configured() { return password }
        if let answer = PasswordPrompt.ask("Password for \(path)") { return answer }
        throw FileProblem(
            .encrypted, path: path, "encrypted, and no password is given",
            advice: "Use --password-file, --password-command, or a terminal")
    }
}

/// The new password of a remote that already has one.
package struct NewPasswordOptions: NewPasswordSource, Sendable {
    @Option(
        name: .customLong("new-password-file"),
        help: .value("file", "Read the new password from a file. Default: ask for it twice on the terminal."),
        completion: .file())
    package var file: String?

    @Option(
        name: .customLong("new-password-command"),
        help: .value("command", "Run a command line with /bin/sh and take the new password from its output."),
        completion: .commandLine)
    package var command: String?

    package static let option = "--new-password"
    package static let usesEnvironment = false

    package init() {}
}

/// The password of a remote that has none yet.
package struct FirstPasswordOptions: NewPasswordSource, Sendable {
    @Option(
        name: .customLong("password-file"), help: .value("file", "Read the password from a file."),
        completion: .file())
    package var file: String?

    @Option(
        name: .customLong("password-command"),
        help: .value("command", "Run a command line with /bin/sh and take the password from its output."),
        completion: .commandLine)
    package var command: String?

    package static let option = "--password"
    package static let usesEnvironment = true

    package init() {}
}

/// Options for a password that no file can check.
package protocol NewPasswordSource: ParsableArguments {
    var file: String? { get }
    var command: String? { get }
    /// The beginning of the names of the options, such as `--password`.
    static var option: String { get }
    /// Whether `TICDS_PASSWORD_FILE` or `TICDS_PASSWORD_COMMAND` counts if no option is given.
    static var usesEnvironment: Bool { get }
}

extension NewPasswordSource {
    /// Whether an option names a source.
    package var isGiven: Bool { file != nil || command != nil }

    package func validate() throws {
        if file != nil, command != nil {
            throw ValidationError("Give \(Self.option)-file or \(Self.option)-command, not both.")
        }
    }

    /// A key from the password.
    /// - Throws: the errors of ``password(for:)``.
    package func secret(for path: FilePath) throws(FileProblem) -> EncryptionSecret {
        try EncryptionSecret(password: password(for: path))
    }

    /// The password. Without a source, the terminal asks for it twice.
    /// - Parameter path: the remote, for questions and errors.
    /// - Throws: `FileProblem` of kind `encrypted` if the password cannot be obtained.
    package func password(for path: FilePath) throws(FileProblem) -> String {
        let named = PasswordSource(file: file, command: command)
        if let source = named ?? (Self.usesEnvironment ? .environment : nil) {
            return String(decoding: try source.password(), as: UTF8.self)
        }
        guard let first = PasswordPrompt.ask("New password for \(path)") else {
            throw FileProblem(
                .encrypted, path: path, "no new password is given",
                advice: "Use \(Self.option)-file, \(Self.option)-command, or a terminal")
        }
        guard let second = PasswordPrompt.ask("The same password again"), first == second else {
            throw FileProblem(.encrypted, path: path, "the two passwords differ", advice: "Try again")
        }
        guard let password = String(validating: first, as: UTF8.self) else {
            throw FileProblem(
                .encrypted, path: path, "the password is not UTF-8",
                advice: "Type it in a terminal with UTF-8, or use --password-file")
        }
        return password
    }
}
