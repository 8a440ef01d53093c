import Glibc
public import SystemCalls
public import SystemPackage

/// Runs a program in the place of this one: with its input and output, and its terminal.
public enum ForegroundProcess {
    /// Runs the program with these words, of which the first is its name, and waits for its end.
    /// - Returns: its exit status, or 128 and the number of the signal that ended it.
    /// - Throws: `.unreadable` if it cannot be started.
    public static func run(_ program: FilePath, _ words: [[UInt8]]) throws(FileProblem) -> Int32 {
        var arguments =
            words.map { word in
                (word.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
                    $0.baseAddress.map { strdup($0) } ?? nil
                }
            } + [nil]
        defer { for text in arguments { free(text) } }
        var process = pid_t()
        let failure = program.withPlatformString { posix_spawn(&process, $0, nil, nil, &arguments, environ) }
        guard failure == 0 else {
            throw FileProblem(
                .unreadable, path: program, "cannot be started", found: "\(Errno(rawValue: failure))")
        }
        do throws(Errno) {
            return try end(of: process)
        } catch {
            throw FileProblem(.unreadable, path: program, "cannot be waited for", found: "\(error)")
        }
    }

    /// Waits for the end of a process of this one.
    /// - Returns: its exit status, or 128 and the number of the signal that ended it.
    static func end(of process: pid_t) throws(Errno) -> CInt {
        var status: CInt = 0
        while waitpid(process, &status, 0) < 0 {
            if errno != EINTR { throw Errno(rawValue: errno) }
        }
        let signal = status & 0x7F
        return signal == 0 ? status >> 8 & 0xFF : 128 + signal
    }
}
