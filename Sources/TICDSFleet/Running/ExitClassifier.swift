import Base
import SystemCalls
import TICDSCore

/// Classifies the exit of a child process as done, retry or never.
struct ExitClassifier {
    private let result: Subprocess.Result
    private let memory: Int64
    private let attempts: Int

    init(_ result: Subprocess.Result, memory: Int64, attempts: Int) {
        self.result = result
        self.memory = memory
        self.attempts = attempts
    }

    /// Kinds of errors that stay as long as the remote is unchanged.
    private static let lasting: Set<String> = [
        "damaged", "unsupported", "notARemote", "ambiguous", "unknownName", "limit", "missing", "usage",
    ]

    func judge(_ head: inout RunResultHeader) {
        let isUnreadable = head.reason == .unreadable
        head.reason = nil
        head.problem = lastMessage
        switch result.ending {
        case .exited(let status):
            head.exitStatus = Int(status)
            (head.state, head.reason) = judge(status)
            if isUnreadable, head.state == .done { (head.state, head.reason) = (.never, .unreadable) }
        case .signalled(let number):
            head.signal = Int(number)
            // A process without memory is ended by a signal that it raises.
            (head.state, head.reason) = (.retry, result.peakMemory > memory / 2 ? .memory : .crash)
        case .timedOut: (head.state, head.reason) = (.retry, .timeout)
        case .wroteTooMuch: (head.state, head.reason) = (.never, .output)
        case .stopped: (head.state, head.reason) = (.retry, .failed)
        }
        if head.state == .done { head.problem = nil }
        if head.state == .retry, head.attempts >= attempts { head.state = .never }
    }

    private func judge(_ status: CInt) -> (RunResultHeader.State, RunResultHeader.Reason?) {
        switch status {
        case 0, 1: return (.done, nil)
        case 3: return (.never, .refused)
        case 4: return (.retry, .password)
        case 5: return (.retry, .partial)
        case 64: return (.never, .failed)
        default:
            let kind = lastError?.kind
            if kind == "limit", result.peakMemory > memory / 2 { return (.retry, .memory) }
            return (kind.map(Self.lasting.contains) == true ? .never : .retry, .failed)
        }
    }

    /// An error that a command printed as JSON.
    private struct PrintedError {
        var kind: String?
        private var path: String?
        private var problem: String?
        private var found: String?

        init(_ line: ArraySlice<UInt8>) {
            var scanner = JSONScanner(Array(line))
            // try?: the line may be truncated
            try? scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                if scanner.null() { return }
                switch key {
                case "kind": kind = try scanner.text()
                case "path": path = try scanner.text()
                case "problem": problem = try scanner.text()
                case "found": found = try scanner.text()
                default: try scanner.skip()
                }
            }
        }

        /// The error as a command without `--json` prints it, without the advice.
        var text: String? {
            guard let problem else { return nil }
            let place = path.map { $0 == "-" ? "" : "\($0): " } ?? ""
            return place + problem + (found.map { " (found \($0))" } ?? "")
        }
    }

    /// The last error that the command printed as JSON.
    private var lastError: PrintedError? {
        lines.last { $0.starts(with: "{\"schema\":\"ticds.error/1\"".utf8) }.map { PrintedError($0) }
    }

    private var lastMessage: String? {
        let texts = lines.filter { !$0.isEmpty && $0.first != UInt8(ascii: "{") }
        let text = lastError?.text ?? texts.last.map { String(decoding: $0, as: UTF8.self) }
        return text.map { String($0.prefix(1_000)) }
    }

    private var lines: [ArraySlice<UInt8>] { result.messages.split(separator: 0x0A) }
}
