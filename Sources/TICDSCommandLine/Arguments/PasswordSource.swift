import SystemCalls
import SystemPackage

/// A place from which a password can be read without a question.
enum PasswordSource {
    case file(FilePath)
    /// A command line for /bin/sh.
    case command(String)

    private static let longest = 65_536

    /// The source that options name, the file before the command; nil if neither is given.
    init?(file: String?, command: String?) {
        if let file {
            self = .file(Environment.path(argument: file))
        } else if let command {
            self = .command(command)
        } else {
            return nil
        }
    }

    /// The source that `TICDS_PASSWORD_FILE`, otherwise `TICDS_PASSWORD_COMMAND`, names.
    static var environment: PasswordSource? {
        if let path = Environment.path("TICDS_PASSWORD_FILE") { return .file(path) }
        return Environment["TICDS_PASSWORD_COMMAND"].map { .command($0) }
    }

    /// The password, as UTF-8, without one line break at its end.
    /// - Throws: `FileProblem` of kind `encrypted` if the file cannot be read or the command fails.
    func password() throws(FileProblem) -> [UInt8] {
        switch self {
        case .file(let path): try Self.read(path)
        case .command(let command): try Self.run(command)
        }
    }

    private static func read(_ path: FilePath) throws(FileProblem) -> [UInt8] {
        do {
            let descriptor = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            let bytes = try descriptor.closeAfter { try contents(of: descriptor) }
            return try accepted(bytes, from: path)
        } catch let problem as FileProblem {
            throw problem
        } catch {
            throw FileProblem(
                .encrypted, path: path, "the password file cannot be read", found: "\(error)",
                advice: "Check its name, owner and mode")
        }
    }

    private static func run(_ command: String) throws(FileProblem) -> [UInt8] {
        guard let (bytes, status) = ShellCommand.output(of: command, limit: longest) else {
            throw FileProblem(
                .encrypted, path: "/bin/sh",
                "the password command cannot be started, or printed more than \(longest) bytes",
                advice: "Run it by itself, and look at what it prints")
        }
        guard status == 0 else {
            let signal = status & 0x7F
            throw FileProblem(
                .encrypted, path: "/bin/sh", "the password command failed",
                found: signal == 0 ? "exit status \(status >> 8 & 0xFF)" : "signal \(signal)",
                advice: "Run it by itself to see why")
        }
        return try accepted(bytes, from: "/bin/sh")
    }

    /// All bytes up to the end, or one more than a password may have.
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

    /// The password without one line break at its end; refused if empty, too long or not UTF-8.
    private static func accepted(_ bytes: [UInt8], from path: FilePath) throws(FileProblem) -> [UInt8] {
        var bytes = bytes
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        guard !bytes.isEmpty, bytes.count <= longest, String(validating: bytes, as: UTF8.self) != nil else {
            throw FileProblem(
                .encrypted, path: path, "not a valid password", expected: "1 to \(longest) bytes of UTF-8",
                found: "\(bytes.count) bytes", advice: "Look at the file: it holds the password alone")
        }
        return bytes
    }
}
