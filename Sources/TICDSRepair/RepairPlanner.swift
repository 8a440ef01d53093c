import Base
public import SystemCalls
public import SystemPackage
import TICDSCore
public import TICDSOperations
public import TICDSVerification

/// Makes one plan from findings, with the repairs that need no decision of the user.
public struct RepairPlanner {
    let context: VerificationContext
    private let remote: ListedRemote
    let evidence: RepairEvidence
    let known: KnownInformation
    var actions: RepairActions
    var notes: RepairNotes
    /// Folders of change sets that get the sets of their copies, by path.
    var joined: [RemotePath: JoinedChangeSets] = [:]
    var snapshot: RemoteSnapshot { remote.snapshot }

    /// The age in seconds up to which a partial download may still continue.
    static let longestDownload: Int64 = 86_400

    /// - Parameters:
    ///   - others: all findings, except those of kinds that the user ignores; they show which files are unreliable.
    ///   - names: the names of clients in the notes of the plan.
    ///   - allowed: names, or paths inside the remote, of files whose missing content does not stop the repair.
    /// - Throws: `.refused` while a cloud service has not downloaded everything, and if the salt of an encrypted remote
    ///   is lost, because new files would be unencrypted; the error of a file that could not be read.
    public static func plan(
        _ findings: [Finding], among others: [Finding], _ context: VerificationContext, root: FilePath,
        command: String, names: ClientNames = ClientNames(), allowing allowed: Set<String> = []
    ) throws(FileProblem) -> RepairPlan {
        try refuseContradiction(context)
        try refuseWhileIncomplete(others.filter { !$0.path.isNamed(in: allowed) }, context)
        let remote = try ListedRemote(root: root, context.snapshot, names: names)
        var planner = RepairPlanner(context, remote, others)
        let plan = planner.plan(findings, command: command)
        // A file that could not be read might change the plan.
        if let problem = context.unreadFiles.first { throw problem }
        return plan
    }

    private init(_ context: VerificationContext, _ remote: ListedRemote, _ all: [Finding]) {
        self.context = context
        self.remote = remote
        notes = RepairNotes(remote.names)
        evidence = RepairEvidence(all, context)
        known = KnownInformation(context: context, damaged: evidence.damaged)
        actions = RepairActions(remote.snapshot.tree)
    }

    private mutating func plan(_ findings: [Finding], command: String) -> RepairPlan {
        var left: [LeftFinding] = []
        for finding in findings {
            switch verdict(finding) {
            case .repaired: continue
            case .left(let reason): left.append(LeftFinding(finding: finding, reason: reason))
            }
        }
        left.removeAll { actions.isGone($0.finding.path) || actions.isUsed($0.finding.path) }
        let count = findings.count - left.count
        var plan = Plan(
            root: remote.root, command: command,
            summary: "Repair \(count) of \(counted(findings.count, "finding")) in "
                + "\(snapshot.applicationIdentifier)")
        plan.actions = PlanActions(actions.planned())
        plan.dependOnSyncs(in: snapshot.tree)
        let leftNotes = RepairNotes.sentences(on: left)
        plan.notes = notes.all + leftNotes
        let recoder = actions.needsRecoder ? RepairRecoder(keyring: context.keyring) : nil
        return RepairPlan(plan: plan, left: left, leftNotes: leftNotes, recoder: recoder)
    }

    /// Whether a finding is repaired.
    enum Verdict {
        case repaired
        /// The reason; nil for a kind without a repair.
        case left(String?)
    }

    private mutating func verdict(_ finding: Finding) -> Verdict {
        do throws(FileProblem) {
            switch finding.kind.repair {
            case .byHand: return .left(nil)
            case .trash: return try trash(finding)
            case .copy: return try copy(finding)
            case .link: return try link(finding)
            case .place: return try place(finding)
            case .folder: return folder(finding)
            case .information: return information(finding)
            case .encryptionTest: return encryptionTest(finding)
            case .quarantine: return try quarantine(finding)
            case .rewrite: return try rewrite(finding)
            case .wholeStore: return try wholeStore(finding)
            case .removal: return try removal(finding)
            case .integrityKey: return try integrityKey(finding)
            case .time: return try time(finding)
            case .timesFromNames: return try timesFromNames(finding)
            case .encrypt, .decrypt: return try recode(finding)
            }
        } catch { return .left("\(error)") }
    }

    /// Refuses if the salt is lost: new files would be unencrypted, and encrypted files would look damaged.
    private static func refuseContradiction(_ context: VerificationContext) throws(FileProblem) {
        let salt = try context.snapshot.tree[RemoteLayout.saltPath].whole
        let lost: FindingKind? =
            context.hasLostEncryption
            ? .encryptionGone
            : context.snapshot.encryptionTest != nil && salt == nil ? .testWithoutSalt : nil
        guard let lost else { return }
        throw FileProblem(
            .refused, path: RemoteLayout.saltPath.filePath(under: context.root),
            "the salt of the remote is lost; without it nothing can be repaired",
            expected: "16 bytes", found: "nothing",
            advice: "Restore the file from a back-up; for details, run ticds-verify explain \(lost.code)",
            finding: lost.code)
    }

    /// Refuses while files are not local: a repair might be wrong.
    private static func refuseWhileIncomplete(
        _ findings: [Finding], _ context: VerificationContext
    ) throws(FileProblem) {
        let waiting = findings.filter { finding in
            if finding.kind == .cloudPlaceholder || finding.kind == .contentNotHere { return true }
            guard finding.kind == .partialDownload, let entry = context.snapshot.tree[finding.path].part
            else {
                return false
            }
            return context.now.seconds(since: entry.modified) < longestDownload
        }
        guard let first = waiting.first else { return }
        let codes = Set(waiting.map(\.kind.code)).sorted().joined(separator: " and ")
        throw FileProblem(
            .refused, path: first.path.filePath(under: context.root),
            "the cloud service has not downloaded everything to this machine",
            expected: "no placeholders, no unfinished downloads and no files without content",
            found: "\(waiting.count)",
            advice:
                "Let it finish; or, to repair nevertheless, leave out \(codes) with --ignore, or single files with "
                + "--allow-missing=\(first.path.last.map { ShellWord.quoted($0.bytes) } ?? "NAME")")
    }
}

/// The plan of a repair, and the findings that it leaves.
public struct RepairPlan: Sendable {
    /// The plan; without actions if nothing can be repaired.
    public var plan: Plan
    /// The findings that are not repaired, in the given order.
    public var left: [LeftFinding]
    /// The notes of the plan about these findings.
    public var leftNotes: [PlanNote]
    /// Encrypts and decrypts for the executor; nil if the plan does not need it.
    public var recoder: (any ContentRecoder)?
}

/// A finding that is not repaired.
public struct LeftFinding: Sendable, Hashable {
    /// The finding.
    public var finding: Finding
    /// The reason why it is not repaired, a sentence without a full stop; nil for a kind without a repair.
    public var reason: String?

    /// A finding that a repair leaves.
    public init(finding: Finding, reason: String?) {
        self.finding = finding
        self.reason = reason
    }
}
