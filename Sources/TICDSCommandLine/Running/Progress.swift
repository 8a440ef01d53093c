package import Base
import KeyedArchive
import Synchronization
import SystemCalls
import SystemPackage
package import TICDSArchive
import TICDSCore

/// Reports progress on standard error.
package struct Progress: ~Copyable {
    /// The form of the reports.
    enum Form: Sendable {
        case none
        /// One line of a terminal with this number of columns, which is rewritten.
        case line(columns: Int)
        /// A line of text every ten seconds.
        case plain
        /// A line of JSON at most once a second, the first at once.
        case json

        /// The shortest time between two reports, in milliseconds.
        var pause: Int64 {
            switch self {
            case .none, .line: 100
            case .plain: 10_000
            case .json: 1_000
            }
        }
    }

    private let form: Form
    private let style: TextStyle
    private let task: String
    /// The milliseconds of the monotonic clock, which cannot be set.
    private let clock: @Sendable () -> Int64
    private let write: @Sendable (TerminalText) -> Void
    private let start: Int64
    private var nextTime: Int64
    /// The time and the state from which the rate is computed.
    private var base: (time: Int64, state: ProgressState)?
    private var isOnScreen = false

    /// - Parameter task: the activity, such as "verifying".
    package init(_ task: String, _ context: CommandContext) {
        self.init(
            task, context.progressForm, context.style, clock: { FileTime.monotonicMilliseconds },
            write: { ErrorReport.write($0) })
    }

    init(
        _ task: String, _ form: Form, _ style: TextStyle = TextStyle(),
        clock: @escaping @Sendable () -> Int64,
        write: @escaping @Sendable (TerminalText) -> Void
    ) {
        self.task = task
        self.form = form
        self.style = style
        self.clock = clock
        self.write = write
        if case .none = form { start = 0 } else { start = clock() }
        if case .json = form { nextTime = start } else { nextTime = start + form.pause }
    }

    deinit { if isOnScreen { write("\r\u{1B}[K") } }

    /// Reports the state, unless the previous report was too recent.
    package mutating func update(_ state: @autoclosure () -> ProgressState) {
        if case .none = form { return }
        let now = clock()
        guard now >= nextTime || base == nil else { return }
        var state = state()
        state.rate = rate(of: state, at: now)
        guard now >= nextTime else { return }
        nextTime = now + form.pause
        show(state, after: now - start)
    }

    /// The rate since the first state of this unit; nil before a second has passed.
    private mutating func rate(of state: ProgressState, at now: Int64) -> Double? {
        guard let base, base.state.unit == state.unit, base.state.done <= state.done else {
            base = (now, state)
            return nil
        }
        let milliseconds = now - base.time
        guard milliseconds >= 1_000, state.done > base.state.done else { return nil }
        return Double(state.done - base.state.done) * 1_000 / Double(milliseconds)
    }

    private mutating func show(_ state: ProgressState, after milliseconds: Int64) {
        switch form {
        case .none: return
        case .line(let columns):
            let text = DisplayWidth.shortened(escapedText("\(task) \(state.text(style))"), to: columns - 1)
            isOnScreen = true
            write("\r\(text)\u{1B}[K")
        case .plain: write("\(Environment.programName): \(task) \(state.text(style))\n")
        case .json:
            var json = JSONWriter(nil)
            json.value((state, task, milliseconds), progressSchema)
            write("\(json.text)\n")
        }
    }
}

extension CommandContext {
    var progressForm: Progress.Form {
        if quiet || options.noProgress { return .none }
        switch options.progress {
        case .none: return .none
        case .plain: return .plain
        case .json: return .json
        case .auto:
            guard !json, Environment["TERM"] != "dumb", let columns = Terminal.width(of: .standardError)
            else {
                return .none
            }
            return .line(columns: columns)
        }
    }

    /// Whether progress is reported.
    package var showsProgress: Bool { if case .none = progressForm { false } else { true } }
}

/// The progress of a task, and its rate.
package struct ProgressState: Sendable, Hashable {
    /// The counted unit.
    package enum Unit: String, Sendable, CaseIterable {
        case bytes, files, changeSets, actions, remotes
    }

    package var done: Int64
    /// The total; nil if unknown.
    package var total: Int64?
    package var unit: Unit
    /// Further information for the user.
    package var details: String?
    /// Units per second; nil in the first second, and before anything is done.
    var rate: Double?

    package init(_ done: Int64, of total: Int64?, _ unit: Unit, details: String? = nil) {
        self.done = done
        self.total = total
        self.unit = unit
        self.details = details
    }

    /// Seconds until the end at the present rate.
    var secondsLeft: Int64? {
        guard let total, let rate, rate > 0 else { return nil }
        let seconds = (Double(max(0, total -| done)) / rate).rounded(.up)
        return seconds < 1e9 ? Int64(seconds) : nil
    }

    /// `1.2 MB of 9.0 MB, 300 kB/s, 26 s left; 3 findings`.
    func text(_ style: TextStyle) -> String {
        let goal = total.map { " of \(amount($0, isAlone: true, style))" } ?? ""
        let parts = [
            amount(done, isAlone: total == nil, style) + goal,
            rate.map { "\(amount(Int64(saturating: $0.rounded()), isAlone: unit == .bytes, style))/s" },
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

    /// - Parameter isAlone: whether the unit is named.
    private func amount(_ number: Int64, isAlone: Bool, _ style: TextStyle) -> String {
        switch unit {
        case .bytes: style.size(number)
        case _ where !isAlone: Quantities.count(Int(number))
        case .files: Quantities.count(Int(number), "file")
        case .changeSets: Quantities.count(Int(number), "change set")
        case .actions: Quantities.count(Int(number), "action")
        case .remotes: Quantities.count(Int(number), "remote")
        }
    }
}

/// `ticds.progress/1`.
package let progressSchema = JSONSchema<(state: ProgressState, task: String, milliseconds: Int64)>(
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

/// The progress line of an archive or a copy, which several threads update.
package final class ArchiveProgress: Sendable {
    private let bar: Mutex<Progress?>
    private let isShown: Bool

    package init(_ label: String, _ context: CommandContext) {
        bar = Mutex(Progress(label, context))
        isShown = context.showsProgress
    }

    package func show(_ step: ArchiveExporter.Step) {
        guard isShown else { return }
        switch step {
        case .reading(let files, let total): show(ProgressState(Int64(files), of: Int64(total), .files))
        case .writing(let bytes, let total): show(bytes, total)
        }
    }

    package func show(_ bytes: Int64, _ total: Int64?) {
        guard isShown else { return }
        show(ProgressState(bytes, of: total, .bytes))
    }

    /// Removes the line.
    package func end() { bar.withLock { $0 = nil } }

    private func show(_ state: ProgressState) { bar.withLock { $0?.update(state) } }
}
