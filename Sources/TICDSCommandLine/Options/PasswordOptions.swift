public import ArgumentParser
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Where the password of an encrypted remote comes from: never from an argument, which other users could see.
public struct PasswordOptions: ParsableArguments, Sendable {
    private static let longest = 65_536

    @Option(
        name: .customLong("password-file"),
        help: ArgumentHelp(
            "Read the password from a file.",
            discussion: "Default: the environment variable TICDS_PASSWORD_FILE.",
            valueName: "file"),
        completion: .file())
    public var file: String?

    @Option(
        name: .customLong("password-command"),
        help: ArgumentHelp(
            "Run a command line with /bin/sh and take the password from its output.",
            discussion: "Default: the environment variable TICDS_PASSWORD_COMMAND.", valueName: "command"),
        completion: .shellCommand("compgen -c"))
    public var command: String?

    @Flag(
        name: .customLong("old-hmac"),
        help:
            "Take the remote for one of the first weeks of 2011, whose HMAC leaves out 16 bytes of each file."
    )
    public var hasOldHMAC = false

    /// How the files of the remote are authenticated (ticoredatasync.md, 6.2).
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
        if let file { return try read(Environment.path(argument: file)) }
        if let command { return try run(command) }
        if let path = Environment.path("TICDS_PASSWORD_FILE") { return try read(path) }
        if let command = Environment["TICDS_PASSWORD_COMMAND"] { return try run(command) }
        return nil
    }

    /// The password, asked for on the terminal where it is not configured.
    /// - Parameter path: the file or remote that needs it.
    /// - Throws: `FileProblem` of kind `encrypted` when there is no way to get it.
    public func password(for path: FilePath) throws(FileProblem) -> [UInt8] {
        if let password = try configured() { return password }
        if let answer = PasswordPrompt.ask("Password for \(TerminalText.escaped(path))") { return answer }
        throw FileProblem(
            .encrypted, path: path, "encrypted, and no password is given",
            advice: "Use --password-file, --password-command, or a terminal")
    }

    private func read(_ path: FilePath) throws(FileProblem) -> [UInt8] {
        do {
            let descriptor = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            let bytes = try descriptor.closeAfter { try Self.contents(of: descriptor) }
            return try accepted(bytes, from: path)
        } catch let problem as FileProblem {
            throw problem
        } catch {
            throw FileProblem(.encrypted, path: path, "the password file cannot be read", found: "\(error)")
        }
    }

    private func run(_ command: String) throws(FileProblem) -> [UInt8] {
        guard let (bytes, status) = ShellCommand.output(of: command, limit: Self.longest) else {
            throw FileProblem(
                .encrypted, path: "/bin/sh", "the password command prints too much or cannot be run")
        }
        guard status == 0 else {
            throw FileProblem(
                .encrypted, path: "/bin/sh", "the password command failed", found: "wait status \(status)",
                advice: "Run it by itself to see why")
        }
        return try accepted(bytes, from: "/bin/sh")
    }

    /// Everything up to the end, or one byte more than a password may have.
    private static func contents(of descriptor: FileDescriptor) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= longest {
            let block = try [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
                count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
            }
            if block.isEmpty { break }
            bytes += block
        }
        return bytes
    }

    /// The password without one line break at its end; refused when empty, too long or not UTF-8.
    private func accepted(_ bytes: [UInt8], from path: FilePath) throws(FileProblem) -> [UInt8] {
        var bytes = bytes
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        guard !bytes.isEmpty, bytes.count <= Self.longest, String(validating: bytes, as: UTF8.self) != nil
        else {
            throw FileProblem(
                .encrypted, path: path, "no password in there",
                expected: "1 to \(Self.longest) bytes of UTF-8",
                found: "\(bytes.count) bytes")
        }
        return bytes
    }
}
