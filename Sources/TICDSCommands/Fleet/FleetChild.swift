import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSFleet
import TICDSStorages

/// A child process of a worker of a fleet, with limits of its own: for one remote and one command, or for many remotes
/// in turn.
enum FleetChild {
    /// Whether this process is a child.
    static var isWanted: Bool {
        CommandLine.argc > 2
            && [FleetChildLimits.marker, FleetChildLimits.lastingMarker].contains(CommandLine.arguments[1])
    }

    static func main() -> Never {
        let words = CommandLine.arguments.dropFirst(2)
        guard let limits = words.first.flatMap({ FleetMessage.value($0, as: FleetChildLimits.self) }) else {
            endForUsage()
        }
        if CommandLine.arguments[1] == FleetChildLimits.lastingMarker { serve(limits) }
        guard
            let request = words.dropFirst().first.flatMap({ FleetMessage.value($0, as: FleetRequest.self) }),
            let program = program(request.program)
        else { endForUsage() }
        // Plans are carried out to their end, or rolled back: see ticds-journal(1).
        set(limits, endsWithParent: program.name != "ticds-journal")
        if let output = request.output {
            reporting { () throws(FileProblem) in try OutputFile.become(output) }
        }
        var start = CommandStart(workers: limits.cores)
        if let remote = request.remote {
            start.listing = list(remote, known: request.known)
            if start.listing == nil { CommandRunner.end() }
        }
        CommandRunner.main(program.root, arguments: Array(words.dropFirst(2)), start)
    }

    private static func endForUsage() -> Never {
        CommandRunner.endForUsage("\(CommandLine.arguments[1]) is for ticds-fleet alone")
    }

    private static func set(_ limits: FleetChildLimits, endsWithParent: Bool) {
        if endsWithParent, !ProcessLimits.endWith(parent: limits.parent) {
            CommandRunner.endForFailure(
                FileProblem(.interrupted, path: "-", "the worker that started this process has ended"))
        }
        _ = ProcessLimits.set(memory: limits.memory)
    }

    /// The number of remotes, and the memory in bytes, after which a new process starts.
    private static let most = (remotes: 500, memory: Int64(256 << 20))

    /// Serves one request after another. A command that ends with a status other than 0 and 1 ends the process.
    private static func serve(_ limits: FleetChildLimits) -> Never {
        guard let socket = RequestSocket() else { endForUsage() }
        set(limits, endsWithParent: true)
        var parsed = ParsedCommand()
        var count = 0
        while let words = socket.next()?.map({ String(decoding: $0, as: UTF8.self) }) {
            guard let request = words.first.flatMap({ FleetMessage.value($0, as: FleetRequest.self) }),
                let remote = request.remote, let program = program(request.program)
            else { CommandRunner.endForUsage("this is no request of ticds-fleet") }
            OwnMemory.resetPeak()
            var status = ExitStatus.success
            if let listing = list(remote, known: request.known) {
                status = CommandRunner.status(
                    of: parsed.command(program, Array(words.dropFirst()), on: remote),
                    start: CommandStart(workers: limits.cores, listing: listing))
            }
            if status != .success, status != .findings { CommandRunner.end(status) }
            count += 1
            let peak = OwnMemory.peak
            let isLast = count >= most.remotes || peak > most.memory
            guard socket.answer(status: status.rawValue, peakMemory: peak, isLast: isLast), !isLast else {
                break
            }
        }
        CommandRunner.end()
    }

    /// The command of the last request, which is parsed again only if more than the remote differs.
    private struct ParsedCommand {
        private var last: (words: [String?], command: any RemoteCommand)?

        mutating func command(
            _ program: (name: String, root: any ParsableCommand.Type), _ arguments: [String],
            on remote: FilePath
        ) -> any SuiteCommand {
            // Nil stands for the remote.
            let words = [program.name] + arguments.map { $0 == remote.string ? nil : $0 }
            if let last, last.words == words {
                var command = last.command
                command.remote.remote = remote.string
                return command
            }
            let command = CommandRunner.command(of: program.root, arguments: arguments)
            last = nil
            if let command = command as? any RemoteCommand, words.count(where: { $0 == nil }) == 1 {
                last = (words, command)
            }
            return command
        }
    }

    private static func program(_ name: String) -> (name: String, root: any ParsableCommand.Type)? {
        CommandTable.programs.first { $0.name == name }
    }

    /// Lists the remote, and writes the header line.
    /// - Returns: the listing; nil if nothing has changed.
    private static func list(_ location: FilePath, known: String?) -> RemoteTree? {
        reporting { () throws(FileProblem) in
            let address =
                try location.isStorage ? RemoteAddress(argument: location.string) : .folder(location)
            let storage = try address.storage()
            let tree = try RemoteScanner.scan(storage)
            let listing = try ListingDigest(tree)
            var header = ChildHeader()
            header.digest = listing.digest
            header.files = listing.files
            // A remote that could not be listed completely has no digest, and is never unchanged.
            header.isUnchanged = known != nil && listing.digest == known
            do {
                try FileDescriptor.standardOutput.writeAll(header.line)
            } catch {
                throw FileProblem(
                    .writeFailed, path: FilePath.standardOutput, "the output cannot be written",
                    found: "\(error)",
                    advice: "Make room, or keep the reader of the pipe alive")
            }
            return header.isUnchanged ? nil : tree
        }
    }

    /// The result of `body`; its error ends the process.
    private static func reporting<Value>(_ body: () throws(FileProblem) -> Value) -> Value {
        do throws(FileProblem) {
            return try body()
        } catch {
            CommandRunner.endForFailure(error)
        }
    }
}
