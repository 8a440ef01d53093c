public import ArgumentParser
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// The password that a remote is to have, where it has another one now.
public struct NewPasswordOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("new-password-file"),
        help: ArgumentHelp(
            "Read the new password from a file. Default: ask for it twice on the terminal.",
            valueName: "file"),
        completion: .file())
    public var file: String?

    @Option(
        name: .customLong("new-password-command"),
        help: ArgumentHelp(
            "Run a command line with /bin/sh and take the new password from its output.", valueName: "command"
        ),
        completion: .commandLine)
    public var command: String?

    public init() {}

    public func validate() throws {
        if file != nil, command != nil {
            throw ValidationError("Give --new-password-file or --new-password-command, not both.")
        }
    }

    /// True where an option says where the password is.
    public var isGiven: Bool { file != nil || command != nil }

    /// A key from the new password, which is asked for on the terminal where no option gives it.
    /// - Parameter path: the remote that is to have it.
    /// - Throws: `FileProblem` of kind `encrypted` when there is no way to get it.
    public func secret(for path: FilePath) throws(FileProblem) -> EncryptionSecret {
        try NewPassword.secret(
            from: PasswordSource(file: file, command: command), for: path,
            advice: "Use --new-password-file, --new-password-command, or a terminal")
    }
}

/// The password of a remote that has none yet.
public struct FirstPasswordOptions: ParsableArguments, Sendable {
    @Option(
        name: .customLong("password-file"),
        help: ArgumentHelp("Read the password from a file.", valueName: "file"), completion: .file())
    public var file: String?

    @Option(
        name: .customLong("password-command"),
        help: ArgumentHelp(
            "Run a command line with /bin/sh and take the password from its output.", valueName: "command"),
        completion: .commandLine)
    public var command: String?

    public init() {}

    public func validate() throws {
        if file != nil, command != nil {
            throw ValidationError("Give --password-file or --password-command, not both.")
        }
    }

    /// True where an option says where the password is.
    public var isGiven: Bool { file != nil || command != nil }

    /// A key from the password of an option or the environment, else asked for, twice, on the terminal.
    /// - Parameter path: the remote that is to have it.
    /// - Throws: `FileProblem` of kind `encrypted` when there is no way to get it.
    public func secret(for path: FilePath) throws(FileProblem) -> EncryptionSecret {
        try NewPassword.secret(
            from: PasswordSource(file: file, command: command) ?? .environment, for: path,
            advice: "Use --password-file, --password-command, or a terminal")
    }
}

private enum NewPassword {
    static func secret(
        from source: PasswordSource?, for path: FilePath, advice: String
    ) throws(FileProblem) -> EncryptionSecret {
        let password: [UInt8]
        if let source {
            password = try source.password()
        } else {
            password = try ask(for: path, advice: advice)
        }
        return try EncryptionSecret(password: String(decoding: password, as: UTF8.self))
    }

    /// Asks for a password that nobody could check: twice.
    private static func ask(for path: FilePath, advice: String) throws(FileProblem) -> [UInt8] {
        guard let first = PasswordPrompt.ask("New password for \(path)") else {
            throw FileProblem(.encrypted, path: path, "no new password is given", advice: advice)
        }
        guard let second = PasswordPrompt.ask("The same password again"), first == second else {
            throw FileProblem(.encrypted, path: path, "the two passwords differ", advice: "Try again")
        }
        guard String(validating: first, as: UTF8.self) != nil else {
            throw FileProblem(.encrypted, path: path, "the password is not UTF-8")
        }
        return first
    }
}
