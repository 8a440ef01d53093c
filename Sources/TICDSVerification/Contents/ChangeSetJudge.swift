import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Judges a change set by its plain bytes: every change is decoded.
enum ChangeSetJudge: FileCheck {
    static func findings(_ judged: JudgedFile, _ bytes: SharedBytes) -> [Finding] {
        guard bytes.count > 0 else { return [judged.finding(.noChanges, found: "no bytes at all")] }
        switch PlainSignature(bytes) {
        case .binaryStore: return changes(judged, bytes)
        case .sqlite: return sqlite(judged, bytes)
        default:
            return [
                judged.finding(.notAChangeSet, offset: 0, expected: "binaryStore", found: "other bytes")
            ]
        }
    }

    /// The whole file is checked first, since SQLite opens files and not bytes.
    private static func sqlite(_ judged: JudgedFile, _ bytes: SharedBytes) -> [Finding] {
        // Of a plain file the header judge has said it.
        let kind = judged.context.snapshot.isEncrypted ? [judged.finding(.sqliteChangeSet)] : []
        do throws(FileProblem) {
            let file = try UnnamedFile()
            try file.write(bytes)
            let store = SQLiteJudge.findings(judged, at: file.path, damaged: .changeSetDamaged)
            guard !store.contains(where: { $0.kind == .changeSetDamaged }) else { return kind + store }
            return kind + store + changes(judged, bytes)
        } catch {
            return kind + judged.findings(error, .changeSetDamaged)
        }
    }

    private static func changes(_ judged: JudgedFile, _ bytes: SharedBytes) -> [Finding] {
        if isSound(judged, bytes) { return [] }
        var tally = ChangeTally()
        let reader: ChangeSetReader
        do throws(FileProblem) {
            reader = try ChangeSetReader(bytes, path: judged.place)
            try reader.forEachOutline(
                onDamage: { problem throws(FileProblem) in tally.add(problem) },
                { change throws(FileProblem) in tally.add(change) })
        } catch {
            return judged.findings(error, .changeSetDamaged)
        }
        let largestKey = tally.largestKey
        if let odd = BinaryStoreRules.problem(of: bytes, largestKey: largestKey, path: judged.place) {
            return judged.findings(odd, .changeSetDamaged)
        }
        let findings = model(judged, reader) + tally.findings(judged)
        if findings.contains(where: { $0.kind.severity == .error }) { return findings }
        return findings + altered(judged, BinaryStoreArchive.writtenForms(of: bytes))
    }

    private static func altered(_ judged: JudgedFile, _ forms: [WrittenForm]) -> [Finding] {
        if let problem = forms.lazy.compactMap(\.problem).first {
            return judged.findings(FileProblem(problem, path: judged.place), .changeSetAltered)
        }
        let classes = forms.flatMap(\.unknownClasses)
        if classes.isEmpty { return [] }
        return [judged.finding(.unknownClass, found: classes.joined(separator: ", "))]
    }

    /// Whether nothing is wrong with a set of the usual form, as nearly all are. False says nothing of any other.
    private static func isSound(_ judged: JudgedFile, _ bytes: SharedBytes) -> Bool {
        do throws(UnfamiliarArchive) {
            var survey = try ChangeSetSurvey(bytes)
            var tally = ChangeTally()
            for position in 0..<survey.count { tally.add(try survey.outline(at: position)) }
            let odd = BinaryStoreRules.problem(of: bytes, largestKey: tally.largestKey, path: FilePath())
            guard odd == nil, tally.findings(judged).isEmpty, survey.isInUsualForm, let modelHash else {
                return false
            }
            return try survey.hasVersionHash(modelHash)
        } catch {
            return false
        }
    }

    private static let modelHash = FrameworkModels.syncChange.versionHashes[FrameworkModels.syncChangeEntity]

    private static func model(_ judged: JudgedFile, _ reader: ChangeSetReader) -> [Finding] {
        let found = reader.versionHash(of: FrameworkModels.syncChangeEntity)
        guard found != modelHash else { return [] }
        return [
            judged.finding(
                .foreignChangeSetModel, expected: modelHash.map(hexadecimal),
                found: found.map(hexadecimal) ?? "no hash of \(FrameworkModels.syncChangeEntity)")
        ]
    }
}

/// The first bytes of a hash, enough to tell two apart.
func hexadecimal(_ hash: [UInt8]) -> String {
    hash.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
