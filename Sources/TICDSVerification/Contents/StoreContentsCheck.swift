import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Checks a whole store that is decrypted and unzipped.
enum StoreContentsCheck: FileCheck {
    static func findings(_ checked: CheckedFile, _ place: FilePath) -> [Finding] {
        do throws(FileProblem) {
            switch try WholeStoreKind(ofPlain: place) {
            case .sqlite: return sqlite(checked, place)
            case .binary: return try binary(checked, place)
            case .xml: return [try xml(checked, place)]
            case .zip, .folder, .empty, .encrypted, .unknown:
                return [
                    checked.finding(
                        .notAWholeStore, offset: 0, expected: "an SQLite, binary or XML store",
                        found: "other bytes inside")
                ]
            }
        } catch {
            return checked.findings(error, .wholeStoreDamaged)
        }
    }

    /// The finding for an XML file. The suite does not read XML stores, so it cannot check one. A property list is not a
    /// store.
    private static func xml(_ checked: CheckedFile, _ place: FilePath) throws(FileProblem) -> Finding {
        let head = try FileBytes.head(place, count: XMLKind.headSize)
        guard XMLKind(head) == .propertyList else { return checked.finding(.xmlStore) }
        return checked.finding(
            .notAWholeStore, offset: 0, expected: "an SQLite, binary or XML store",
            found: "an XML property list")
    }

    private static func sqlite(_ checked: CheckedFile, _ place: FilePath) -> [Finding] {
        let database = SQLiteFileCheck.findings(checked, at: place, damaged: .wholeStoreDamaged)
        if database.contains(where: { $0.kind.severity == .error }) { return database }
        do throws(FileProblem) {
            _ = try SQLiteStore(place)
            return database
        } catch {
            return database + unopened(checked, error)
        }
    }

    /// The findings for an SQLite store that cannot be opened or queried.
    static func unopened(_ checked: CheckedFile, _ problem: FileProblem) -> [Finding] {
        checked.findings(problem, problem.kind == .unsupported ? .notAWholeStore : .wholeStoreDamaged)
    }

    private static func binary(_ checked: CheckedFile, _ place: FilePath) throws(FileProblem) -> [Finding] {
        let limit = checked.context.readLimit
        let bytes: SharedBytes
        do throws(FileProblem) {
            bytes = try FileBytes.read(place, limit: limit)
        } catch  where error.kind == .limit {
            return [
                checked.finding(
                    .tooLarge, expected: "at most \(limit.bytes) bytes", found: "\(checked.file.size) bytes")
            ]
        }
        let archive = try BinaryStoreArchive(bytes, path: checked.place)
        var damage: FileProblem?
        var largestKey: Int64 = 0
        try BinaryStore(archive, model: nil, origin: .none).forEachObject(
            entity: nil, onDamage: { problem throws(FileProblem) in damage = damage ?? problem },
            { object throws(FileProblem) in largestKey = max(largestKey, object.primaryKey) })
        damage = damage ?? BinaryStoreRules.problem(of: bytes, largestKey: largestKey, path: checked.place)
        if let damage { return checked.findings(damage, .wholeStoreDamaged) }
        guard let altered = BinaryStoreArchive.canonicalForms(of: bytes).lazy.compactMap(\.problem).first
        else { return [] }
        return checked.findings(FileProblem(altered, path: checked.place), .storeAltered)
    }
}
