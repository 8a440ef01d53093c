package import Base
package import SystemCalls
package import SystemPackage
package import TICDSCore

/// Outcome of one command on one remote, without its output.
package struct RunResultHeader: Sendable, Hashable {
    /// Whether the remote needs the command again.
    package enum State: String, Sendable, CaseIterable {
        /// The command ended normally; findings are not a failure.
        case done
        /// The command failed in a way that another attempt may fix.
        case retry
        /// The command failed, and would fail again as long as the remote is unchanged.
        case never
    }

    /// The reason why a remote has no result.
    package enum Reason: String, Sendable, CaseIterable {
        /// The time, the memory or the output was insufficient; a signal ended the process.
        case timeout, memory, output, crash
        /// The password was missing or wrong; a part could not be read; the command refused; any other failure.
        case password, partial, refused, failed
        /// The output of the command is not JSON.
        case unreadable
    }

    /// The identifier, location and application of the remote.
    package var identifier = ""
    package var location = FilePath()
    package var application = ""
    package var tags: [String] = []
    /// The name of the run.
    package var run = ""
    /// The command line, without the program's folder.
    package var command: [String] = []
    /// The version of ticds.
    package var version = ""
    /// The host.
    package var host = ""
    /// The time at which the command began.
    package var started = FileTime(seconds: 0)
    /// The duration in seconds.
    package var seconds = 0.0
    /// The largest resident memory in bytes.
    package var peakMemory: Int64 = 0
    /// The digest of the listing before the command began; nil if there is none.
    package var digest: String?
    package var files: FileTotals?
    package var state = State.done
    package var reason: Reason?
    /// The exit status; nil if a signal ended the process.
    package var exitStatus: Int?
    package var signal: Int?
    /// The number of attempts on the unchanged remote.
    package var attempts = 1
    /// The last message of the command about its failure.
    package var problem: String?

    package init() {}
}

/// A file with the result of one remote: the head, and the documents that the command printed.
package struct RunResult: Sendable {
    package var head: RunResultHeader
    /// The JSON documents, as they were printed.
    package var payload: [String]

    package init(_ head: RunResultHeader, payload: [String]) {
        self.head = head
        self.payload = payload
    }

    /// The name and version of the form.
    static let schemaName = "ticds.fleetEnvelope/1"

    /// The limit, which admits the largest output of a command, and the head.
    static let limit = ReadLimit((1 << 30) + (1 << 20), "result of a fleet")

    /// `ticds.fleetEnvelope/1`.
    package static let schema = JSONSchema<RunResult>(
        schemaName,
        "The result of one remote of a fleet, a file in the folder of a run of ticds-fleet(1)."
    ) {
        $0("id", "", as: .hexadecimal(16), \.head.identifier)
        $0("location", "", \.head.location)
        $0("application", "", \.head.application)
        $0("tags", "", \.head.tags)
        $0("run", "The name of the run.", \.head.run)
        $0("command", "The command and its arguments; the remote is the location.", \.head.command)
        $0("version", "The version of the suite.", \.head.version)
        $0("host", "The machine that did it.", \.head.host)
        $0("started", "When the command began.", \.head.started)
        $0("seconds", "How long it took.", \.head.seconds)
        $0("peakMemory", "The largest resident memory of the command in bytes.", \.head.peakMemory)
        $0(
            "digest",
            "Half a SHA-256 of names, kinds, sizes and times in the remote before the command began; null if the remote could not be listed whole.",
            as: .orNull(.hexadecimal(32)), \.head.digest)
        $0("files", "The files of the remote; null if not all could be listed.", \.head.files)
        $0(
            "state",
            "`done`; `retry`: the next run tries again; `never`: the next run tries again only after the remote has changed.",
            \.head.state)
        $0("reason", "Why it is not `done`.", \.head.reason)
        $0("exitStatus", "Null if a signal ended the command.", as: .orNull(.count), \.head.exitStatus)
        $0("signal", "The signal that ended the command.", as: .orNull(.count), \.head.signal)
        $0("attempts", "Attempts on the remote as it is.", \.head.attempts)
        $0("problem", "What the command said about its failure.", \.head.problem)
        $0("payload", "The documents that the command printed.", as: .array(.value)) { envelope, json in
            json.array("payload", envelope.payload) { JSONText($1).write(to: &$0) }
        }
    }

    /// The bytes of the file: one line.
    var bytes: [UInt8] {
        var json = JSONWriter(nil)
        json.document(self, Self.schema)
        return Array(json.text.utf8)
    }

    /// Splits output into its JSON documents; nil if it is anything else.
    static func documents(in output: [UInt8]) -> [String]? {
        var scanner = JSONScanner(output, deepest: 200)
        var documents: [String] = []
        do throws(JSONScanner.Problem) {
            while !scanner.isAtEnd {
                let start = scanner.offset
                try scanner.skip()
                documents.append(String(decoding: output[start..<scanner.offset], as: UTF8.self))
            }
        } catch {
            return nil
        }
        return documents
    }
}

extension RunResultHeader {
    /// The head of the envelope in a file, of which only that part is read; nil if there is no complete one for the
    /// remote and the run of the file.
    static func read(_ path: FilePath, run: FleetRun) throws(FileProblem) -> RunResultHeader? {
        guard try FileStatus.ifPresent(path) != nil else { return nil }
        let file = try OwnedDescriptor.file(path)
        let size = Int(try file.status().size)
        let start = try file.bytes(in: 0..<min(size, 32 << 10)).array
        // Treat a file truncated by a power failure as missing.
        let end = try file.bytes(in: max(0, size - 3)..<size).array
        guard end.elementsEqual("]}\n".utf8) else { return nil }
        guard let head = parse(start), head.run == run.order.name,
            path.lastComponent?.string == "\(head.identifier).json"
        else { return nil }
        return head
    }

    /// The head at the beginning of an envelope.
    static func parse(_ bytes: [UInt8]) -> RunResultHeader? {
        var head = RunResultHeader()
        var isWhole = false
        var isEnvelope = false
        var scanner = JSONScanner(bytes)
        do throws(JSONScanner.Problem) {
            try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                isWhole = key == "payload"
                if isWhole { throw scanner.problem("nothing more") }
                if key == "schema" {
                    isEnvelope = try scanner.text() == RunResult.schemaName
                } else {
                    try head.readField(key, &scanner)
                }
            }
        } catch {
            return isWhole && isEnvelope ? head : nil
        }
        return nil
    }

    /// Reads the value of a field of the head.
    mutating func readField(_ key: String, _ scanner: inout JSONScanner) throws(JSONScanner.Problem) {
        if scanner.null() { return }
        switch key {
        case "id": identifier = try scanner.text()
        case "location": location = FilePath(try scanner.text())
        case "application": application = try scanner.text()
        case "tags": tags = try Self.texts(&scanner)
        case "run": run = try scanner.text()
        case "command": command = try Self.texts(&scanner)
        case "version": version = try scanner.text()
        case "host": host = try scanner.text()
        case "started":
            let text = try scanner.text()
            guard let time = FileTime(iso: text) else { throw scanner.problem("a time") }
            started = time
        case "seconds": seconds = try scanner.number()
        case "peakMemory": peakMemory = try scanner.integer()
        case "digest": digest = try scanner.text()
        case "files":
            var totals = FileTotals()
            try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                switch key {
                case "count": totals.count = Int(try scanner.integer())
                case "bytes": totals.bytes = try scanner.integer()
                default: try scanner.skip()
                }
            }
            files = totals
        case "state":
            guard let word = State(rawValue: try scanner.text()) else { throw scanner.problem("a state") }
            state = word
        case "reason": reason = Reason(rawValue: try scanner.text())
        case "exitStatus": exitStatus = Int(try scanner.integer())
        case "signal": signal = Int(try scanner.integer())
        case "attempts": attempts = Int(try scanner.integer())
        case "problem": problem = try scanner.text()
        default: try scanner.skip()
        }
    }

    private static func texts(_ scanner: inout JSONScanner) throws(JSONScanner.Problem) -> [String] {
        var texts: [String] = []
        try scanner.array { (scanner) throws(JSONScanner.Problem) in texts.append(try scanner.text()) }
        return texts
    }
}
