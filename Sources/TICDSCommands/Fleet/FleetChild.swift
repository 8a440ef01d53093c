import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSFleet

/// A child process of a worker of a fleet, with limits of its own: for one remote and one command, or for one remote after
/// another.
enum FleetChild {
    /// Whether this process is one.
    static var isWanted: Bool {
        CommandLine.argc > 2
            && [FleetWorker.marker, FleetWorker.lastingMarker].contains(CommandLine.arguments[1])
    }

    static func main() -> Never {
        let words = Array(CommandLine.arguments.dropFirst(2))
        if CommandLine.arguments[1] == FleetWorker.lastingMarker { serve(words) }
        guard words.count > 7, let limits = Limits(words), let program = program(words[6]) else {
            CommandRunner.endForUsage("\(FleetWorker.marker) is for ticds-fleet alone")
        }
        // Plans are carried out to their end, or rolled back: see ticds-journal(1).
        limits.set(endsWithParent: program.name != "ticds-journal")
        if words[5] != "-" {
            reporting { () throws(FileProblem) in
                try OutputFile.become(Environment.path(argument: words[5]))
            }
        }
        if words[4] != "-", list(words[4], known: words[3]) { CommandRunner.end() }
        CommandRunner.main(program.root, arguments: Array(words.dropFirst(7)))
    }

    /// The process that it belongs to, and what it may take.
    private struct Limits {
        var parent: Int
        var memory: Int64
        var cores: Int

        init?(_ words: [String]) {
            guard words.count > 2, let parent = Int(words[0]), let memory = Int64(words[1]),
                let cores = Int(words[2])
            else { return nil }
            self.parent = parent
            self.memory = memory
            self.cores = cores
        }

        func set(endsWithParent: Bool) {
            if endsWithParent, !ProcessLimits.endWith(parent: Int32(clamping: parent)) {
                CommandRunner.endForFailure(
                    FileProblem(.interrupted, path: "-", "the worker that started this process has ended"))
            }
            _ = ProcessLimits.set(memory: memory)
            Cores.limit(to: cores)
        }
    }

    /// After so many remotes, or with so many bytes of memory, there is a new process.
    private static let most = (remotes: 500, memory: Int64(256 << 20))

    /// Does one request after another: the digest that is known or a hyphen, the remote, the program, and its arguments.
    /// A command that ends with another status than 0 and 1 ends the process.
    private static func serve(_ words: [String]) -> Never {
        guard words.count == 4, let limits = Limits(words), let socket = RequestSocket() else {
            CommandRunner.endForUsage("\(FleetWorker.lastingMarker) is for ticds-fleet alone")
        }
        limits.set(endsWithParent: true)
        var parsed = ParsedCommand()
        var count = 0
        while let request = socket.next()?.map({ String(decoding: $0, as: UTF8.self) }) {
            guard request.count > 3, let program = program(request[2]) else {
                CommandRunner.endForUsage("this is no request of ticds-fleet")
            }
            OwnMemory.resetPeak()
            var status = ExitStatus.success
            if !list(request[1], known: request[0]) {
                status = CommandRunner.run(parsed.command(program, request))
                ListedAlready.leave(nil)
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
        private var last: (words: [String], command: any SuiteCommand)?
        /// Programs that name a remote by `RemoteOptions` alone.
        private static let programs: Set<String> = ["ticds-inspect", "ticds-verify"]

        mutating func command(
            _ program: (name: String, root: any ParsableCommand.Type), _ request: [String]
        ) -> any SuiteCommand {
            let arguments = Array(request.dropFirst(3))
            guard Self.programs.contains(program.name) else {
                return CommandRunner.command(of: program.root, arguments: arguments)
            }
            RemoteStandIn.stand(for: FilePath(request[1]))
            let words = [program.name] + arguments.map { $0 == request[1] ? RemoteStandIn.word : $0 }
            if let last, last.words == words { return last.command }
            let command = CommandRunner.command(of: program.root, arguments: Array(words.dropFirst()))
            last = (words, command)
            return command
        }
    }

    private static func program(_ name: String) -> (name: String, root: any ParsableCommand.Type)? {
        CommandTable.programs.first { $0.name == name }
    }

    /// Lists the remote, and writes the line about it.
    /// - Returns: whether nothing has changed. Otherwise the command finds the listing.
    private static func list(_ location: String, known: String) -> Bool {
        reporting { () throws(FileProblem) in
            let storage = try RemoteAddress(argument: location).storage()
            let tree = try RemoteScanner.scan(storage)
            let listing = ListingDigest(tree)
            var header = ChildHeader()
            header.digest = listing.digest
            header.files = listing.files
            header.isUnchanged = listing.digest == known
            do {
                try FileDescriptor.standardOutput.writeAll(header.line)
            } catch {
                throw FileProblem(
                    .writeFailed, path: "-", "the output cannot be written", found: "\(error)",
                    advice: "Make room, or keep the reader of the pipe alive")
            }
            ListedAlready.leave(header.isUnchanged ? nil : tree)
            return header.isUnchanged
        }
    }

    /// What `body` returns; its error ends the process.
    private static func reporting<Value>(_ body: () throws(FileProblem) -> Value) -> Value {
        do throws(FileProblem) {
            return try body()
        } catch {
            CommandRunner.endForFailure(error)
        }
    }
}
