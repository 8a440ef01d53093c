import SystemCalls
import SystemPackage
import TICDSCommandLine

/// The child processes of one thread of a worker: a process for each remote, or a process that does one remote after
/// another where nothing that belongs to a remote runs in it.
struct FleetChildren: ~Copyable {
    private let memory: Int64
    private let cores: Int
    private var lasting: WorkerProcess?

    /// - Parameters:
    ///   - memory: the most that each may take, in bytes.
    ///   - cores: the processors for each, as the other threads of the worker have children, too.
    init(memory: Int64, cores: Int) {
        self.memory = memory
        self.cores = cores
    }

    /// What a child learns first: whose it is, and its limits.
    private var firstWords: [String] { ["\(Environment.processNumber)", "\(memory)", "\(cores)"] }

    /// What a child is to do.
    struct Request {
        var program: String
        var arguments: [[UInt8]]
        /// The digest of the last result; nil to run the command anyhow.
        var known: String?
        /// The remote to list.
        var remote: FilePath?
        /// The file for its output.
        var output: FilePath?
        /// Whether a process may do it that does other remotes, too.
        var mayShare: Bool
    }

    private static let program: FilePath = "/proc/self/exe"
    // A process that crashes says why, and ends: what the runtime prints besides is long.
    private static let variables: [String: String?] = ["TICDS_REMOTE": nil, "SWIFT_BACKTRACE": "enable=no"]

    mutating func run(
        _ request: Request, _ limits: Subprocess.Limits, shouldStop: () -> Bool
    ) throws(FileProblem) -> Subprocess.Result {
        if let result = try share(request, limits, shouldStop) { return result }
        var words = texts([request.program, FleetWorker.marker] + firstWords + [request.known ?? "-"])
        words += [request.remote?.bytes ?? [0x2D], request.output?.bytes ?? [0x2D]]
        return try Subprocess.run(
            Self.program, words + texts([request.program]) + request.arguments, setting: Self.variables,
            limits,
            shouldStop: shouldStop)
    }

    /// Has the lasting process do it.
    /// - Returns: nil if a process of its own is to do it, so that no result depends on the remotes before.
    private mutating func share(
        _ request: Request, _ limits: Subprocess.Limits, _ shouldStop: () -> Bool
    ) throws(FileProblem) -> Subprocess.Result? {
        guard request.mayShare, let remote = request.remote, !remote.isStorage else { return nil }
        let words =
            texts([request.known ?? "-"]) + [remote.bytes] + texts([request.program]) + request.arguments
        // Names of other bytes reach a program as its arguments only.
        guard words.allSatisfy({ String(validating: $0, as: UTF8.self) != nil && !$0.contains(0) }) else {
            return nil
        }
        var process: WorkerProcess
        if let present = lasting.take() {
            process = present
        } else {
            process = try WorkerProcess(
                Self.program,
                // Errors before a command begins are printed as JSON, too, where the process has that argument.
                texts([request.program, FleetWorker.lastingMarker] + firstWords + ["--json"]),
                setting: Self.variables)
        }
        let isFirst = process.requests == 0
        switch process.answer(words, limits, shouldStop: shouldStop) {
        case .done(let result, let isLast):
            if !isLast { lasting = consume process }
            return result
        case .ended(let result):
            switch result.ending {
            case .exited, .signalled: return isFirst ? result : nil
            case .timedOut, .wroteTooMuch, .stopped: return result
            }
        }
    }

    private func texts(_ words: [String]) -> [[UInt8]] { words.map { Array($0.utf8) } }
}
