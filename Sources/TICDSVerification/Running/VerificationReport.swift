public import TICDSCore

/// What a verification found.
public struct VerificationReport: Sendable {
    /// How deep it went.
    public var level: VerificationLevel
    /// By document (what concerns the application first), then the worst first, then by code and path.
    public var findings: [Finding]
    /// Files that were opened, and their bytes.
    public var examined: FileTotals
    /// Encrypted files that were not opened, because no password was given.
    public var notOpened: FileTotals
    /// True where the level that was asked for needs a password and there was none: files were not opened, or what is in
    /// them was not compared.
    public var lacksPassword: Bool
    /// Files that an earlier verification had found sound and that have not changed since.
    public var known: FileTotals
    /// Files that there was no time for.
    public var left: FileTotals
    /// True where documents were left out for lack of time, at level deep.
    public var areDocumentsLeft: Bool
    /// How long it took.
    public var seconds: Double

    /// True where all that was asked for was done.
    public var isComplete: Bool { !lacksTime && !lacksPassword }

    /// True where files could not be read for want of permission or because of a failing disk.
    public var lacksFiles: Bool { findings.contains { $0.kind == .cannotBeRead } }

    /// True where the time was over before all was done.
    public var lacksTime: Bool { left.count > 0 || areDocumentsLeft }
}

extension Finding {
    /// The order in which findings are shown.
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
