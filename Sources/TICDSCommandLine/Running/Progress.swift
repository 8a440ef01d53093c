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
        guard isShown else { return }
        let now = FileTime.monotonicMilliseconds
        guard now - lastShown >= Self.pause else { return }
        lastShown = now
        isOnScreen = true
        let goal = total.map { " of \(Quantities.count($0))" } ?? ""
        ErrorReport.write("\r\(label) \(Quantities.count(done))\(goal)\u{1B}[K")
    }
}
