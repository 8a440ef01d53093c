import Synchronization
public import SystemCalls
public import TICDSCore

/// Verifies a remote: finds its faults and the clients that they affect. Writes nothing.
///
///     let (report, _) = Verifier(context).verify()
///     for finding in report.findings { print(finding.kind.code, finding.path) }
public struct Verifier: Sendable {
    /// Options of a verification.
    public struct Settings: Sendable {
        /// The level of the verification.
        public var level = VerificationLevel.contents
        /// The only document to verify, beside what belongs to no document; nil for the whole remote.
        public var document: RemoteName?
        /// Number of threads.
        public var workers = 2
        /// Files that earlier verifications found intact.
        public var known = KnownFiles()
        /// Files that were found intact more than this many seconds ago are opened again; nil for never.
        public var longestTrust: Int64?
        /// Called before each file; false ends the verification early.
        public var mayContinue: @Sendable () -> Bool = { true }
        /// Called after every file, from any thread, one call at a time.
        public var onProgress: @Sendable (VerificationProgress) -> Void = { _ in }

        /// Settings for the whole remote at the level `contents`.
        public init() {}
    }

    private let context: VerificationContext
    private let settings: Settings

    /// A verification of the remote of `context`, which `verify()` carries out.
    public init(_ context: VerificationContext, _ settings: Settings = Settings()) {
        self.context = context
        self.settings = settings
    }

    /// Runs the checks of all levels up to that of the settings.
    /// - Returns: the findings, and the files that are now known to be intact.
    public func verify() -> (report: VerificationReport, known: KnownFiles) {
        let clock = ContinuousClock()
        let start = clock.now
        var findings = ListingCheck.findings(context).filter(isWanted)
        var pass = FileCheckRun.Outcome()
        if settings.level >= .headers {
            pass = FileCheckRun(context, settings).run()
            findings = findings.map { ofDamagedOriginal($0, pass.damaged) } + pass.findings
        }
        for (level, check) in Checks.ofRemotes where level > .names && level <= settings.level {
            findings += check.findings(context).filter(isWanted)
        }
        var areDocumentsLeft = false
        if settings.level >= .contents {
            let documents = acrossFiles(damaged: pass.damaged)
            findings += documents.findings
            areDocumentsLeft = documents.isLeft
        }
        findings += context.unreadFindings(besides: findings).filter(isWanted)
        findings.sort(by: Finding.precedes)
        let passed = start.duration(to: clock.now).components
        let report = VerificationReport(
            level: settings.level, findings: findings, examined: pass.examined, notOpened: pass.notOpened,
            lacksPassword: lacksPassword, known: pass.known, left: pass.left,
            areDocumentsLeft: areDocumentsLeft, scarcities: context.scarcities, slow: context.slow.take(),
            seconds: Double(passed.seconds) + Double(passed.attoseconds) / 1e18)  // bounded: a fraction
        return (report, pass.sound)
    }

    /// A copy of a file is not harmless if its original is damaged: it may be the only intact one.
    private func ofDamagedOriginal(_ finding: Finding, _ damaged: Set<RemotePath>) -> Finding {
        guard finding.kind == .copiedFile, let subject = finding.subject,
            damaged.contains(finding.path.parent.appending(RemoteName(subject)))
        else { return finding }
        var finding = finding
        finding.affected = []
        finding.found =
            (finding.found.map { "\($0); " } ?? "")
            + "its original is damaged, so this may be the only intact one"
        return finding
    }

    private func acrossFiles(damaged: Set<RemotePath>) -> (findings: [Finding], isLeft: Bool) {
        let documents = context.snapshot.documents.filter {
            settings.document == nil || settings.document == $0.identifier
        }
        let checks = Checks.ofDocuments.filter { $0.level <= settings.level }
        let collected = Mutex<(findings: [Finding], done: Int)>(([], 0))
        ParallelWork.forEach(below: documents.count, workers: settings.workers, while: settings.mayContinue) {
            number in
            let found = checks.flatMap { $0.check.findings(of: documents[number], context, damaged: damaged) }
            collected.withLock {
                $0.findings += found
                $0.done += 1
            }
        }
        return collected.withLock { ($0.findings, $0.done < documents.count) }
    }

    private var lacksPassword: Bool {
        settings.level >= .contents && context.keyring.state == .locked
            && context.examinedFiles(of: settings.document).contains {
                $0.size > 0 && $0.role.isEncryptedWithItsRemote
            }
    }

    private func isWanted(_ finding: Finding) -> Bool {
        settings.document == nil || finding.document == nil || finding.document == settings.document
    }
}

/// The result of a verification.
public struct VerificationReport: Sendable {
    /// The level of the verification.
    public var level: VerificationLevel
    /// Sorted by document (findings about the app first), severity (errors first), code and path.
    public var findings: [Finding]
    /// Files that were checked, and their bytes.
    public var examined: FileTotals
    /// Encrypted files that were not opened, because no password was given.
    public var notOpened: FileTotals
    /// Whether the level needs a password and there was none, so that files were not opened or compared.
    public var lacksPassword: Bool
    /// Files that an earlier verification found intact and that have not changed since.
    public var known: FileTotals
    /// Files that were left unchecked for lack of time.
    public var left: FileTotals
    /// Whether the checks of some documents were skipped for lack of time.
    public var areDocumentsLeft: Bool
    /// The errors of the files that were left unchecked because the process lacked memory, a thread, a descriptor or
    /// temporary space.
    public var scarcities: [FileProblem]
    /// The number of change sets for which the fast check was not enough, by reason.
    public var slow: [(reason: SlowReason, count: Int)]
    /// The duration of the verification.
    public var seconds: Double

    /// Whether everything that the level includes was checked.
    public var isComplete: Bool { !lacksTime && !lacksPassword && scarcities.isEmpty }

    /// Whether files could not be read, because of missing permission or a failing disk.
    public var lacksFiles: Bool { findings.contains { $0.kind == .cannotBeRead } }
    /// Whether files were left unchecked because they changed during the verification.
    public var lacksChangedFiles: Bool {
        findings.contains { finding in
            finding.kind == .changedMeanwhile && finding.affected.contains { $0.consequence == .notChecked }
        }
    }
    /// Whether the time ended before everything was checked.
    public var lacksTime: Bool { left.count > 0 || areDocumentsLeft }
}

extension Finding {
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
    /// The number of files checked so far.
    public var files = 0
    /// The number of all files to check.
    public var filesInAll: Int
    /// The bytes of the files checked so far.
    public var bytes: Int64 = 0
    /// The bytes of all files to check.
    public var bytesInAll: Int64
    /// The number of findings so far.
    public var findings = 0
}
