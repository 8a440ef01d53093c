import Base
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations

/// The commands that the stages of a run pass to a child process.
extension FleetWorker {
    /// The program for the stage.
    var program: String { stage == .envelopes ? command.program : "ticds-journal" }

    func arguments(_ remote: FleetRemote) throws(FileProblem) -> [[UInt8]] {
        func bytes(_ words: String...) -> [[UInt8]] { words.map { Array($0.utf8) } }
        switch stage {
        case .envelopes:
            let saving =
                command.isChanging ? bytes("--save-plan") + [run.newPlan(remote.identifier).bytes] : []
            return command.arguments(for: remote) + saving
        case .applied:
            // For many remotes at once, the limit that was saved with a plan is not enough.
            let limit = run.order.settings.maxDelete ?? DeletionLimit.standard.share.text
            return bytes("apply") + [run.plan(remote.identifier).bytes]
                + bytes("--yes", "--json", "--max-delete", limit)
        case .undone:
            let path = run.envelope(remote.identifier, .applied)
            guard let applied = try run.result(of: remote.identifier, .applied) else {
                throw FileProblem(
                    .missing, path: path, "there is no operation to undo",
                    advice: "ticds-journal list shows what was done")
            }
            guard applied.host == Environment.hostName else {
                throw FileProblem(
                    .refused, path: remote.location, "the journal of its operation lies on another machine",
                    found: applied.host, advice: "Run ticds-fleet undo there")
            }
            let number = try Self.operation(in: FileBytes.read(path, limit: RunResult.limit).array)
            guard let number else {
                throw FileProblem(.damaged, path: path, "does not name the operation to undo")
            }
            return bytes("undo") + [remote.location.bytes] + bytes("\(number)", "--yes", "--json")
        }
    }

    /// The number of the operation in the output of a command, or in an envelope that contains it; nil if there is
    /// none.
    private static func operation(in bytes: [UInt8]) -> Int64? {
        var found: Int64?
        func read(_ scanner: inout JSONScanner) throws(JSONScanner.Problem) {
            try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                switch key {
                case "operation":
                    if scanner.null() { return }
                    found = try scanner.integer()
                case "payload":
                    try scanner.array { (scanner) throws(JSONScanner.Problem) in try read(&scanner) }
                default: try scanner.skip()
                }
            }
        }
        var scanner = JSONScanner(bytes, deepest: 220)
        do throws(JSONScanner.Problem) {
            try read(&scanner)
            try scanner.end()
        } catch {
            return nil
        }
        return found
    }

    /// The output that a child process wrote into its file.
    static func printed(_ path: FilePath) throws(FileProblem) -> [UInt8] {
        let bytes = try unlessMissing { () throws(FileProblem) in try FileBytes.read(path, limit: .plan) }
        return bytes?.array ?? []
    }

    /// The result of a child process that has outlived its worker; nil if there is none.
    /// - Throws: `.refused` while the process runs.
    func adopt(
        _ remote: FleetRemote, _ printed: FilePath, _ shown: [String]
    ) throws(FileProblem) -> RunResultHeader? {
        guard try FileStatus.ifPresent(printed) != nil else { return nil }
        if case .taken = try AdvisoryLock.take(printed) {
            throw FileProblem(
                .refused, path: remote.location, "an earlier attempt on this remote still runs",
                advice: "Wait until it has finished")
        }
        let output = try Self.printed(printed)
        guard Self.operation(in: output) != nil, let documents = RunResult.documents(in: output) else {
            return nil
        }
        var head = head(of: remote, shown)
        head.exitStatus = 0
        head.started = try FileStatus.of(printed).modified
        try QuickFile.write(
            RunResult(head, payload: documents).bytes, to: run.envelope(remote.identifier, stage))
        return head
    }
}
