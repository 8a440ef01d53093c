public import TICDSCore

/// The result of a verification.
public struct VerificationReport: Sendable {
    /// The level of the verification.
    public var level: VerificationLevel
    /// Sorted by document (findings about the application first), severity (errors first), code and path.
    public var findings: [Finding]
    /// Files that were checked, and their bytes.
    public var examined: FileTotals
    /// Encrypted files that were not opened, because no password was given.
    public var notOpened: FileTotals
    /// Whether the level needs a password and there was none, so that files were not opened or compared.
    public var lacksPassword: Bool
    /// Files that an earlier verification had found sound and that have not changed since.
    public var known: FileTotals
    /// Files that were not checked for lack of time.
    public var left: FileTotals
    /// Whether the checks of some documents were left out for lack of time.
    public var areDocumentsLeft: Bool
    /// How long the verification took.
    public var seconds: Double

    /// Whether everything was checked that the level asks for.
    public var isComplete: Bool { !lacksTime && !lacksPassword }

    /// Whether files could not be read, because of missing permission or a failing disk.
    public var lacksFiles: Bool { findings.contains { $0.kind == .cannotBeRead } }

    /// Whether the time ended before everything was checked.
    public var lacksTime: Bool { left.count > 0 || areDocumentsLeft }
}

extension Finding {
    /// Whether `one` is listed before `other`.
    static func precedes(_ one: Finding, _ other: Finding) -> Bool {
        if one.document != other.document {
            guard let first = one.document else { return true }
            guard let second = other.document else { return false }
            return first < second
        }
        if one.kind.severity != other.kind.severity { return one.kind.severity > other.kind.severity }
        if one.kind.code != other.kind.code { return one.kind.code < other.kind.code }
        if one.path != other.path { return one.path < other.path }
        return (one.subject ?? "", one.found ?? "") < (other.subject ?? "", other.found ?? "")
    }
}

/// The progress of a verification.
public struct VerificationProgress: Sendable, Hashable {
    /// Files that were checked so far.
    public var files = 0
    /// All files to check.
    public var filesInAll: Int
    /// Bytes of the files that were checked so far.
    public var bytes: Int64 = 0
    /// Bytes of all files to check.
    public var bytesInAll: Int64
    /// Findings so far.
    public var findings = 0
}
