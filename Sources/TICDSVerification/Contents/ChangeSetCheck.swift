import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Checks the decrypted bytes of a change set: decodes every change.
enum ChangeSetCheck: FileCheck {
    static func findings(_ checked: CheckedFile, _ bytes: SharedBytes) -> [Finding] {
        guard bytes.count > 0 else { return [checked.finding(.noChanges, found: "no bytes at all")] }
        switch PlainSignature(bytes) {
        case .binaryStore: return changes(checked, bytes).map { salvageable($0, checked, bytes) }
        case .sqlite: return sqlite(checked, bytes).map { salvageable($0, checked, bytes) }
        default:
            return [checked.finding(.notAChangeSet, offset: 0, expected: "binaryStore", found: "other bytes")]
        }
    }

    /// Adds to a finding about damage the number of changes that can be salvaged.
    private static func salvageable(_ finding: Finding, _ checked: CheckedFile, _ bytes: SharedBytes)
        -> Finding
    {
        guard finding.kind == .changeSetDamaged || finding.kind == .changeDamaged else { return finding }
        var finding = finding
        let text: String
        do throws(FileProblem) {
            let set = try DamagedChangeSet(bytes, path: checked.place)
            if finding.kind == .changeSetDamaged, let changes = set.changesIfOnlyCutOff() {
                finding.kind = .changeSetCutOff
                text = "all of its \(counted(changes.count, "change"))"
            } else {
                let (whole, partial) = try Self.left(of: set)
                finding.isLost = whole == 0
                text = salvaged(whole, partial, of: set)
            }
        } catch {
            if error.isScarcity {
                checked.context.unread.note(error, at: checked.file.path)
                return finding
            }
            finding.isLost = true
            text =
                error.kind == .unsupported
                ? "ticds-store recover prints what is left" : salvaged(0, 0, of: nil)
        }
        finding.found = [finding.found, text].compactMap(\.self).joined(separator: "; ")
        return finding
    }

    /// How many changes are left as a whole, and of how many others a part is left.
    private static func left(of set: DamagedChangeSet) throws(FileProblem) -> (whole: Int, partial: Int) {
        var whole = 0
        var partial = 0
        try set.forEachChange { if $0.isWhole { whole += 1 } else { partial += 1 } }
        return (whole, partial)
    }

    private static func salvaged(_ whole: Int, _ partial: Int, of set: DamagedChangeSet?) -> String {
        guard whole > 0 else {
            return "no change is whole"
                + (partial > 0 ? "; ticds-changes recover prints parts of \(counted(partial, "change"))" : "")
        }
        let all = set?.store.lostKeys.map { " of \(whole + partial +| $0.count)" } ?? ""
        return "ticds-changes recover salvages \(whole)\(all) change\(whole == 1 && all.isEmpty ? "" : "s")"
            + (partial > 0 ? " and parts of \(partial) more" : "")
    }

    /// Checks a copy of the file, since SQLite opens only files.
    private static func sqlite(_ checked: CheckedFile, _ bytes: SharedBytes) -> [Finding] {
        // In an unencrypted remote, the header check has reported it.
        let kind = checked.context.snapshot.isEncrypted ? [checked.finding(.sqliteChangeSet)] : []
        do throws(FileProblem) {
            let file = try UnnamedFile()
            try file.write(bytes)
            let store = SQLiteFileCheck.findings(checked, at: file.path, damaged: .changeSetDamaged)
            guard !store.contains(where: { $0.kind == .changeSetDamaged }) else { return kind + store }
            return kind + store + changes(checked, bytes)
        } catch { return kind + checked.findings(error, .changeSetDamaged) }
    }

    private static func changes(_ checked: CheckedFile, _ bytes: SharedBytes) -> [Finding] {
        guard let reason = slowReason(checked, bytes) else { return [] }
        checked.context.slow.note(reason)
        var tally = ChangeTally()
        let reader: ChangeSetReader
        do throws(FileProblem) {
            reader = try ChangeSetReader(bytes, path: checked.place)
            try reader.forEachOutline(
                onDamage: { problem throws(FileProblem) in tally.add(problem) },
                { change throws(FileProblem) in tally.add(change) })
        } catch { return checked.findings(error, .changeSetDamaged) }
        let largestKey = tally.largestKey
        if let odd = BinaryStoreRules.problem(of: bytes, largestKey: largestKey, path: checked.place) {
            return checked.findings(odd, .changeSetDamaged)
        }
        let findings = model(checked, reader) + tally.findings(checked)
        if findings.contains(where: { $0.kind.severity == .error }) { return findings }
        let altered = altered(checked, BinaryStoreArchive.canonicalForms(of: bytes))
        // A set that was altered may have contained changes.
        let isAltered = altered.contains { $0.kind == .changeSetAltered }
        return (isAltered ? findings.filter { $0.kind != .noChanges } : findings) + altered
    }

    private static func altered(_ checked: CheckedFile, _ forms: [CanonicalForm]) -> [Finding] {
        if let problem = forms.lazy.compactMap(\.problem).first {
            return checked.findings(FileProblem(problem, path: checked.place), .changeSetAltered)
        }
        let classes = forms.flatMap(\.unknownClasses)
        if classes.isEmpty { return [] }
        return [checked.finding(.unknownClass, found: classes.joined(separator: ", "))]
    }

    /// Nil for a set that has the usual form and no fault, like nearly all sets. For all others the slower checks
    /// decide.
    private static func slowReason(_ checked: CheckedFile, _ bytes: SharedBytes) -> SlowReason? {
        if PlainSignature(bytes) == .sqlite { return .sqlite }
        do throws(UnfamiliarArchive) {
            var validator = try FastChangeSetValidator(bytes, known: checked.context.metadata)
            var tally = ChangeTally()
            for position in 0..<validator.count { tally.add(try validator.outline(at: position)) }
            let odd = BinaryStoreRules.problem(of: bytes, largestKey: tally.largestKey, path: FilePath())
            let isSound =
                odd == nil && tally.findings(checked).isEmpty && validator.isInUsualForm
                && modelHash != nil && validator.versionHash == modelHash
            return isSound ? nil : .finding
        } catch {
            return .unfamiliar(error.reason)
        }
    }

    private static let modelHash = FrameworkModels.syncChange.versionHashes[FrameworkModels.syncChangeEntity]

    private static func model(_ checked: CheckedFile, _ reader: ChangeSetReader) -> [Finding] {
        let found = reader.versionHash(of: FrameworkModels.syncChangeEntity)
        guard found != modelHash else { return [] }
        return [
            checked.finding(
                .foreignChangeSetModel, expected: modelHash.map(hexadecimal),
                found: found.map(hexadecimal) ?? "no hash of \(FrameworkModels.syncChangeEntity)")
        ]
    }
}

/// The first eight bytes of a hash, which suffice to distinguish two hashes.
func hexadecimal(_ hash: [UInt8]) -> String {
    hexadecimalDigits(of: hash.prefix(8))
}
