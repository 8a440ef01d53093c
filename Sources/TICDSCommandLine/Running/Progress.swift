import SystemCalls
import SystemPackage

/// One line on a terminal's standard error that tells how far the work is; elsewhere nothing.
public struct Progress: ~Copyable {
    private static let pause: Int64 = 100

    private let isShown: Bool
    private let label: String
    private var lastShown: Int64
    private var isOnScreen = false

    /// A line that begins with `label`. It first shows after a tenth of a second.
    public init(_ label: String, _ output: OutputOptions) {
        self.label = TerminalText.escaped(label)
        isShown = output.showsProgress
        lastShown = isShown ? FileTime.monotonicMilliseconds : 0
    }

    deinit { if isOnScreen { ErrorReport.write("\r\u{1B}[K") } }

    /// Shows the state, at most ten times a second.
    public mutating func update(_ done: Int, of total: Int? = nil) {
        let goal = total.map { " of \(Quantities.count($0))" } ?? ""
        update("\(Quantities.count(done))\(goal)")
    }

    /// Shows a state in words of one's own, at most ten times a second.
    public mutating func update(_ text: @autoclosure () -> String) {
        guard isShown else { return }
        let now = FileTime.monotonicMilliseconds
        guard now - lastShown >= Self.pause else { return }
        lastShown = now
        isOnScreen = true
        ErrorReport.write("\r\(label) \(text())\u{1B}[K")
    }
}
