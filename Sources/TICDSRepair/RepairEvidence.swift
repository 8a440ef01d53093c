import SystemCalls
import TICDSCore
import TICDSVerification

/// The evidence of all findings together, including those that will not be repaired.
struct RepairEvidence {
    let damaged: Set<RemotePath>
    /// Change sets that were altered after they were written, so that something in them may be missing.
    let altered: Set<RemotePath>
    private let counts: [FindingKind: Int]
    private let unreadableSets: [RemoteName: Int]
    private let setsInAll: [RemoteName: Int]
    private let protectedFiles: Int

    /// The number of damaged files up to which they need not have a common cause.
    private static let few = 3

    init(_ findings: [Finding], _ context: VerificationContext) {
        let bad = findings.filter {
            $0.kind.repair == .quarantine || $0.kind.repair == .rewrite || Self.storeKinds.contains($0.kind)
        }
        damaged = Set(bad.map(\.path))
        altered = Set(findings.filter { $0.kind == .changeSetAltered }.map(\.path))
        counts = findings.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
        let sets = Set(bad.map(\.path)).filter { FileRole(of: $0, kind: .file) == .changeSet }
        unreadableSets = sets.reduce(into: [:]) { $0[$1.names[1], default: 0] += 1 }
        setsInAll = Dictionary(
            context.snapshot.documents.map { document in
                (document.identifier, document.clients.reduce(0) { $0 + $1.changeSets.count })
            }, uniquingKeysWith: { first, _ in first })
        protectedFiles = context.examinedFiles(of: nil).count { $0.role.isEncryptedWithItsRemote }
    }

    private static let storeKinds: Set<FindingKind> = [
        .notAWholeStore, .wholeStoreDamaged, .zipDamaged, .zipEntries,
    ]

    private static let kindsOfKeys: Set<FindingKind> = [
        .encryptedInPlain, .plainInEncrypted, .badHMAC, .oldHMAC,
    ]

    /// The common cause of many such findings, because of which no single file may be repaired; nil if there is none.
    func commonCause(of finding: Finding) -> String? {
        if finding.kind == .encryptedInPlain, counts[.testWithoutSalt] != nil {
            return "the salt of the remote is lost, so that every encrypted file looks damaged"
        }
        if Self.kindsOfKeys.contains(finding.kind), Self.isMost(counts[finding.kind] ?? 0, of: protectedFiles)
        {
            return
                "most files of the remote are like this: look for the salt or the password that belongs to them"
        }
        guard let document = finding.document, FileRole(of: finding.path, kind: .file) == .changeSet else {
            return nil
        }
        if Self.isMost(unreadableSets[document] ?? 0, of: setsInAll[document] ?? 0) {
            return "most change sets of the document are like this: look for what they have in common"
        }
        return nil
    }

    private static func isMost(_ count: Int, of all: Int) -> Bool { count > few && count * 2 > all }
}
