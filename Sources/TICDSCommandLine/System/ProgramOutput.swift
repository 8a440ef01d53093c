#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

public import SystemPackage

/// What another program of the suite prints.
public struct ProgramOutput: Sendable {
    /// Its standard output.
    public let bytes: [UInt8]
    /// Its exit status, or 128 and the number of the signal that ended it.
    public let status: CInt

    /// Runs `program` with these arguments, which do not include its name, and waits for its end. Its standard input is
    /// empty; its standard error and its environment are those of this process.
    /// - Parameter limit: bytes that it may print; with more it is ended.
    /// - Returns: `noMemory` for a program that printed more, or why it could not be started.
    public static func of(
        _ program: FilePath, _ arguments: [[UInt8]], limit: Int
    ) -> Result<ProgramOutput, Errno> {
        var ends: [CInt] = [0, 0]
        guard pipe(&ends) == 0 else { return .failure(Errno(rawValue: errno)) }
        // Not handed on but as standard output, or the end of the pipe would never show.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let started = start(program, arguments, output: ends[1])
        close(ends[1])
        defer { close(ends[0]) }
        switch started {
        case .failure(let failure): return .failure(failure)
        case .success(let process):
            let bytes = contents(of: ends[0], limit: limit)
            if bytes == nil { kill(process, SIGTERM) }
            let status = wait(for: process)
            guard let bytes else { return .failure(.noMemory) }
            return .success(ProgramOutput(bytes: bytes, status: status))
        }
    }

    private static func start(
        _ program: FilePath, _ arguments: [[UInt8]], output: CInt
    ) -> Result<pid_t, Errno> {
        var list = ([program.lastComponent?.string ?? ""].map { Array($0.utf8) } + arguments).map { bytes in
            (bytes + [0]).withUnsafeBufferPointer { text in
                text.withMemoryRebound(to: CChar.self) { $0.baseAddress.flatMap { strdup($0) } }
            }
        }
        list.append(nil)
        defer { for text in list { free(text) } }
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
        #else
            var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        var process = pid_t()
        let failure = program.withPlatformString { path in
            posix_spawn(&process, path, &actions, nil, &list, environ)
        }
        return failure == 0 ? .success(process) : .failure(Errno(rawValue: failure))
    }

    /// Everything up to the end; nil where that is more than `limit` bytes.
    private static func contents(of descriptor: CInt, limit: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &block, block.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return bytes }
            bytes += block[..<count]
            if bytes.count > limit { return nil }
        }
    }

    private static func wait(for process: pid_t) -> CInt {
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return -1 }
        }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
}
