package import SystemCalls
package import SystemPackage

/// Runs a program in the foreground, with the input, output and terminal of this process.
package enum ForegroundProcess {
    /// Runs the program with these words, of which the first is its name, and waits for its end.
    /// - Returns: its exit status, or 128 and the number of the signal that ended it.
    /// - Throws: `.unreadable` if it cannot be run.
    package static func run(_ program: FilePath, _ words: [[UInt8]]) throws(FileProblem) -> Int32 {
        do throws(Errno) {
            return try ProgramStart(program, words).run()
        } catch {
            throw FileProblem(.unreadable, path: program, "cannot be run", found: "\(error)")
        }
    }
}
