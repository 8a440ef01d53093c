/// How bad a finding is.
public enum Severity: String, Sendable, Hashable, CaseIterable, Comparable {
    /// Data are lost, or clients fail, now or at their next synchronisation.
    case error
    /// Data may be lost or clients may fail, sometime or for some of them.
    case warning
    /// Worth knowing; nobody is harmed.
    case note

    /// Worse is greater.
    public static func < (one: Severity, other: Severity) -> Bool { one.rank < other.rank }

    private var rank: Int {
        switch self {
        case .note: 0
        case .warning: 1
        case .error: 2
        }
    }
}
