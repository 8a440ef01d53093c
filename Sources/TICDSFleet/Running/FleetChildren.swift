import SystemCalls
import SystemPackage

/// The child processes of one thread of a worker: a process for each remote, or a process that does one remote after
/// another where nothing that belongs to a remote runs in it.
struct FleetChildren: ~Copyable {
    private let limits: FleetChildLimits
    private var lasting: WorkerProcess?

    /// - Parameters:
    ///   - memory: the most that each may take, in bytes.
    ///   - cores: the processors for each, as the other threads of the worker have children, too.
    init(memory: Int64, cores: Int) {
        limits = FleetChildLimits(parent: Environment.processNumber, memory: memory, cores: cores)
    }

    private static let program: FilePath = "/proc/self/exe"
    // A process that crashes says why, and ends: what the runtime prints besides is long.
    private static let variables: [String: String?] = ["TICDS_REMOTE": nil, "SWIFT_BACKTRACE": "enable=no"]

    /// - Parameter mayShare: whether a process may do it that does other remotes, too.
    mutating func run(
        _ request: FleetRequest, _ arguments: [[UInt8]], mayShare: Bool, _ limits: Subprocess.Limits,
        shouldStop: () -> Bool
    ) throws(FileProblem) -> Subprocess.Result {
        if mayShare, let result = try share(request, arguments, limits, shouldStop) { return result }
        return try Subprocess.run(
            Self.program,
            texts([request.program, FleetChildLimits.marker])
                + [FleetMessage.bytes(self.limits), FleetMessage.bytes(request)] + arguments,
            setting: Self.variables, limits, shouldStop: shouldStop)
    }

    /// Has the lasting process do it.
    /// - Returns: nil if a process of its own is to do it, so that no result depends on the remotes before.
    private mutating func share(
        _ request: FleetRequest, _ arguments: [[UInt8]], _ limits: Subprocess.Limits, _ shouldStop: () -> Bool
    ) throws(FileProblem) -> Subprocess.Result? {
        guard let remote = request.remote, !remote.isStorage else { return nil }
        let words = [FleetMessage.bytes(request)] + arguments
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
                texts([request.program, FleetChildLimits.lastingMarker]) + [FleetMessage.bytes(self.limits)]
                    + texts(["--json"]),
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
