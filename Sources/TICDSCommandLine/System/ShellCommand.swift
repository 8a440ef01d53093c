#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

import SystemCalls
public import SystemPackage

/// Runs a command line with `/bin/sh`.
public enum ShellCommand {
    /// Runs the command with more variables in its environment, and waits for its end. Its input and output are those of
    /// this process.
    /// - Returns: its exit status, or 128 and the number of the signal that ended it.
    public static func run(
        _ command: String, adding variables: [(name: String, value: String)]
    ) -> Result<CInt, Errno> {
        var arguments = copies(["sh", "-c", PrivateOutput.unmasked(command)])
        var environment =
            inherited(without: variables.map(\.name)) + copies(variables.map { "\($0.name)=\($0.value)" })
        defer { for text in arguments + environment { free(text) } }
        var process = pid_t()
        let failure = posix_spawn(&process, "/bin/sh", nil, nil, &arguments, &environment)
        if failure != 0 { return .failure(Errno(rawValue: failure)) }
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return .failure(Errno(rawValue: errno)) }
        }
        let signal = status & 0x7F
        return .success(signal == 0 ? status >> 8 & 0xFF : 128 + signal)
    }

    /// Starts the command with `input` as its standard input, and with variables that the environment lacks.
    /// - Returns: its number; nil where it could not be started.
    static func start(
        _ command: String, input: CInt, defaults: [(name: String, value: String)]
    ) -> pid_t? {
        let lacking = defaults.filter { getenv($0.name) == nil }
        var arguments = copies(["sh", "-c", command])
        var environment = inherited(without: []) + copies(lacking.map { "\($0.name)=\($0.value)" })
        defer { for text in arguments + environment { free(text) } }
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
        #else
            var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        var process = pid_t()
        return posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, &environment) == 0 ? process : nil
    }

    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    /// Copies of the variables of this process but some.
    private static func inherited(without names: [String]) -> [UnsafeMutablePointer<CChar>?] {
        var entries: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let entry = next.pointee {
            let text = String(cString: entry)
            if !names.contains(where: { text.hasPrefix($0 + "=") }) { entries.append(strdup(entry)) }
            next += 1
        }
        return entries
    }

    /// What a program prints with these arguments, up to 64 KiB; empty where it fails.
    public static func text(of program: FilePath, _ arguments: String) -> String {
        guard let (bytes, status) = output(of: "\(ShellWord.quoted(program)) \(arguments)", limit: 1 << 16),
            status == 0
        else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

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
