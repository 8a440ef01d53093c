import KeyedArchive

/// How far a piece of work is, and how fast it goes.
public struct ProgressState: Sendable, Hashable {
    /// What is counted.
    public enum Unit: String, Sendable, CaseIterable {
        case bytes, files, changeSets, actions
    }

    public var done: Int64
    /// Nil where nobody knows.
    public var total: Int64?
    public var unit: Unit
    /// What else is worth telling.
    public var details: String?
    /// Units a second; nil in the first second, and where nothing was done yet.
    var rate: Double?

    public init(_ done: Int64, of total: Int64?, _ unit: Unit, details: String? = nil) {
        self.done = done
        self.total = total
        self.unit = unit
        self.details = details
    }

    /// Seconds until the end, if it goes on as fast.
    var secondsLeft: Int64? {
        guard let total, let rate, rate > 0 else { return nil }
        let seconds = (Double(max(0, total -| done)) / rate).rounded(.up)
        return seconds < 1e9 ? Int64(seconds) : nil
    }

    /// `1.2 MB of 9.0 MB, 300 kB/s, 26 s left; 3 findings`.
    var text: String {
        let goal = total.map { " of \(amount($0, isAlone: true))" } ?? ""
        let parts = [
            amount(done, isAlone: total == nil) + goal,
            rate.map { "\(amount(Int64(saturating: $0.rounded()), isAlone: unit == .bytes))/s" },
            secondsLeft.map { "\(Self.duration($0)) left" },
        ]
        let text = parts.compactMap(\.self).joined(separator: ", ")
        return details.map { "\(text); \($0)" } ?? text
    }

    /// `90 s`, `12 min`, `3 h 20 min`, `2 days`.
    static func duration(_ seconds: Int64) -> String {
        switch seconds {
        case ...99: return "\(seconds) s"
        case ...5_999: return "\((seconds + 59) / 60) min"
        case ..<172_800:
            let minutes = seconds / 60
            return "\(minutes / 60) h \(minutes % 60) min"
        default: return Quantities.count(Int(seconds / 86_400), "day")
        }
    }

    /// - Parameter isAlone: whether the unit is told.
    private func amount(_ number: Int64, isAlone: Bool) -> String {
        switch unit {
        case .bytes: Quantities.size(number)
        case .files: isAlone ? Quantities.count(Int(number), "file") : Quantities.count(Int(number))
        case .changeSets:
            isAlone ? Quantities.count(Int(number), "change set") : Quantities.count(Int(number))
        case .actions: isAlone ? Quantities.count(Int(number), "action") : Quantities.count(Int(number))
        }
    }
}

/// `ticds.progress/1`.
public let progressSchema = JSONSchema<(state: ProgressState, task: String, milliseconds: Int64)>(
    "ticds.progress/1",
    """
    The progress of a program, as one line on standard error, with `--progress` `json`: at the start and then at most \
    once a second.
    """
) {
    $0("program", "The program that reports it.", { _ in Environment.programName })
    $0("task", "What is being done, such as `verifying`.", { $0.task })
    $0("done", "", { $0.state.done })
    $0("total", "The value of `done` at the end.", { $0.state.total })
    $0("unit", "The unit of these two. It may change in the course of a task.", { $0.state.unit })
    $0(
        "rate", "Units per second; null in the first second.",
        { $0.state.rate.map { ($0 * 1000).rounded() / 1000 } })
    $0("secondsLeft", "Seconds until the end at the present rate.", { $0.state.secondsLeft })
    $0("seconds", "Seconds since the task began.", { Double($0.milliseconds) / 1000 })
    $0("details", "Further information.", { $0.state.details })
}
