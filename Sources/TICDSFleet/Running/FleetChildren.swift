import SystemCalls
import SystemPackage

/// The child processes of one thread of a worker: a process for each remote, or one process for many remotes if it runs
/// no program of a remote.
struct FleetChildren: ~Copyable {
    private let limits: FleetChildLimits
    private var lasting: WorkerProcess?

    /// - Parameters:
    ///   - memory: the largest memory of each, in bytes.
    ///   - cores: the processors for each, since the other threads of the worker also have children.
    init(memory: Int64, cores: Int) {
        limits = FleetChildLimits(parent: Environment.processNumber, memory: memory, cores: cores)
    }

    private static let program: FilePath = "/proc/self/exe"
    // A crashing process prints the reason and ends; the runtime's further output is long.
    private static let variables: [String: String?] = ["TICDS_REMOTE": nil, "SWIFT_BACKTRACE": "enable=no"]

    /// - Parameter mayShare: whether a process that serves other remotes may run the command.
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

    /// Runs the command in the lasting process.
    /// - Returns: nil if a separate process must run the command, so that no result depends on earlier remotes.
    private mutating func share(
        _ request: FleetRequest, _ arguments: [[UInt8]], _ limits: Subprocess.Limits, _ shouldStop: () -> Bool
    ) throws(FileProblem) -> Subprocess.Result? {
        guard let remote = request.remote, !remote.isStorage else { return nil }
        let words = [FleetMessage.bytes(request)] + arguments
        // Names that are not UTF-8 reach a program only as its arguments.
        guard words.allSatisfy({ String(validating: $0, as: UTF8.self) != nil && !$0.contains(0) }) else {
            return nil
        }
        var process: WorkerProcess
        if let present = lasting.take() {
            process = present
        } else {
            process = try WorkerProcess(
                Self.program,
                // Errors before the command begins are also printed as JSON if the process has that argument.
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
