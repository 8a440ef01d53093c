import SystemCalls
import SystemPackage

/// Tells on standard error how far the work is.
public struct Progress: ~Copyable {
    /// In which way.
    enum Form: Sendable {
        case none
        /// One line of a terminal with so many columns, written again and again.
        case line(columns: Int)
        /// A line of text now and then.
        case plain
        /// A line of JSON now and then, the first at once.
        case json

        /// Milliseconds between two messages, at least.
        var pause: Int64 {
            switch self {
            case .none, .line: 100
            case .plain: 10_000
            case .json: 1_000
            }
        }
    }

    private let form: Form
    private let task: String
    /// Milliseconds of a clock that nobody sets.
    private let clock: @Sendable () -> Int64
    private let write: @Sendable (ScreenText) -> Void
    private let start: Int64
    private var nextTime: Int64
    /// Since when, and from what on, the rate is reckoned.
    private var base: (time: Int64, state: ProgressState)?
    private var isOnScreen = false

    /// - Parameter task: what is being done, such as "verifying".
    public init(_ task: String, _ output: OutputOptions) {
        self.init(
            task, output.progressForm, clock: { FileTime.monotonicMilliseconds },
            write: { ErrorReport.write($0) })
    }

    init(
        _ task: String, _ form: Form, clock: @escaping @Sendable () -> Int64,
        write: @escaping @Sendable (ScreenText) -> Void
    ) {
        self.task = task
        self.form = form
        self.clock = clock
        self.write = write
        if case .none = form { start = 0 } else { start = clock() }
        if case .json = form { nextTime = start } else { nextTime = start + form.pause }
    }

    deinit { if isOnScreen { write("\r\u{1B}[K") } }

    /// Tells the state, unless the last one was told just before.
    public mutating func update(_ state: @autoclosure () -> ProgressState) {
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
            let text = DisplayWidth.shortened(escapedText("\(task) \(state.text)"), to: columns - 1)
            isOnScreen = true
            write("\r\(text)\u{1B}[K")
        case .plain: write("\(Environment.programName): \(task) \(state.text)\n")
        case .json:
            var json = JSONWriter(nil)
            json.value((state, task, milliseconds), progressSchema)
            write("\(json.text)\n")
        }
    }
}

extension OutputOptions {
    var progressForm: Progress.Form {
        if quiet || noProgress { return .none }
        switch progress {
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

    /// Whether anything is told of progress.
    public var showsProgress: Bool { if case .none = progressForm { false } else { true } }
}
