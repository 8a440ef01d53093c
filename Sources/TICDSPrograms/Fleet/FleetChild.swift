import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSFleet

/// A child process of a worker of a fleet: one remote and one command, with limits of its own.
enum FleetChild {
    /// Whether this process is one.
    static var isWanted: Bool { CommandLine.argc > 2 && CommandLine.arguments[1] == FleetWorker.marker }

    /// Lists the remote, writes the line about it, and then becomes the command, unless nothing has changed.
    static func main() -> Never {
        let words = Array(CommandLine.arguments.dropFirst(2))
        guard words.count > 6, let parent = Int(words[0]), let memory = Int64(words[1]),
            let program = Suite.programs.first(where: { $0.name == words[5] })
        else { CommandRunner.endForUsage("\(FleetWorker.marker) is for ticds-fleet alone") }
        // Plans are carried out to their end, or rolled back: see ticds-journal(1).
        if program.name != "ticds-journal", !OwnLimits.endWith(parent: Int32(clamping: parent)) {
            CommandRunner.endForFailure(
                FileProblem(.interrupted, path: "-", "the worker that started this process has ended"))
        }
        _ = OwnLimits.set(memory: memory)
        if words[4] != "-" {
            do throws(FileProblem) {
                try OutputFile.become(Environment.path(argument: words[4]))
            } catch {
                CommandRunner.endForFailure(error)
            }
        }
        if words[3] != "-" {
            do throws(FileProblem) {
                try list(words[3], known: words[2])
            } catch {
                CommandRunner.endForFailure(error)
            }
        }
        CommandRunner.main(program.root, arguments: Array(words.dropFirst(6)))
    }

    private static func list(_ location: String, known: String) throws(FileProblem) {
        let storage = try RemoteAddress(argument: location).storage()
        let listing = ListingDigest(try RemoteScanner.scan(storage))
        var header = ChildHeader()
        header.digest = listing.digest
        header.files = listing.files
        header.isUnchanged = listing.digest == known
        do {
            try FileDescriptor.standardOutput.writeAll(header.line)
        } catch {
            throw FileProblem(.writeFailed, path: "-", "the output cannot be written", found: "\(error)")
        }
        if header.isUnchanged { CommandRunner.end() }
    }
}
