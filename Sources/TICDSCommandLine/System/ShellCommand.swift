#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs a command line with `/bin/sh` and takes what it prints.
enum ShellCommand {
    /// What the command printed, and its wait status; nil when it printed more than `limit` bytes or could not be
    /// started. Its standard input and error stay those of this process.
    static func output(of command: String, limit: Int) -> (bytes: [UInt8], status: CInt)? {
        guard let stream = popen(command, "r") else { return nil }
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        let count = fread(&bytes, 1, bytes.count, stream)
        let status = pclose(stream)
        guard count <= limit else { return nil }
        return (Array(bytes.prefix(count)), status)
    }
}
