import Synchronization
import SystemCalls
public import TICDSCore

/// Verifies a remote: finds its faults and the clients that they affect. Writes nothing.
///
///     let (report, _) = Verifier(context).verify()
///     for finding in report.findings { print(finding.kind.code, finding.path) }
public struct Verifier: Sendable {
    /// Options of a verification.
    public struct Settings: Sendable {
        /// The level.
        public var level = VerificationLevel.contents
        /// The one document to verify; nil for the whole remote.
        public var document: RemoteName?
        /// Number of threads.
        public var workers = 2
        /// Files that earlier verifications found sound.
        public var known = KnownFiles()
        /// Files that were found sound longer ago than this many seconds are opened again; nil for never.
        public var longestTrust: Int64?
        /// Called before each file; false ends the verification early.
        public var mayContinue: @Sendable () -> Bool = { true }
        /// Called after every file, from any thread, one call at a time.
        public var onProgress: @Sendable (VerificationProgress) -> Void = { _ in }

        /// The whole remote at the level `contents`.
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
    /// - Returns: the findings, and the files that are now known to be sound.
    public func verify() -> (report: VerificationReport, known: KnownFiles) {
        let clock = ContinuousClock()
        let start = clock.now
        var findings = ListingCheck.findings(context).filter(isWanted)
        var pass = FilePass.Outcome()
        if settings.level >= .headers {
            pass = FilePass(context, settings).run()
            findings += pass.findings
        }
        if settings.document == nil {
            for (level, check) in Checks.ofRemotes where level > .names && level <= settings.level {
                findings += check.findings(context)
            }
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
            areDocumentsLeft: areDocumentsLeft,
            seconds: Double(passed.seconds) + Double(passed.attoseconds) / 1e18)  // bounded: a fraction
        return (report, pass.sound)
    }

    /// Runs the checks across the files of each document.
    private func acrossFiles(damaged: Set<RemotePath>) -> (findings: [Finding], isLeft: Bool) {
        let documents = context.snapshot.documents.filter {
            settings.document == nil || settings.document == $0.identifier
        }
        let checks = Checks.ofDocuments.filter { $0.level <= settings.level }
        let collected = Mutex<(findings: [Finding], done: Int)>(([], 0))
        ParallelWork.forEach(
            below: documents.count, workers: settings.workers, while: settings.mayContinue
        ) { number in
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
        guard let document = settings.document, finding.document != document else { return true }
        // An unlisted folder that contains the document may hide a part of it.
        let isAround = RemoteLayout.document(document).names.starts(with: finding.path.names)
        return isAround && finding.kind == .folderNotListed
    }
}
