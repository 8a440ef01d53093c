import Base
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
            case .binary:
                return try checked.context.inMemory(try FileStatus.of(place).size) { () throws(FileProblem) in
                    try binary(checked, place)
                }
            case .xml:
                return try checked.context.inMemory(try FileStatus.of(place).size) { () throws(FileProblem) in
                    try xml(checked, place)
                }
            case .zip, .folder, .empty, .encrypted, .unknown:
                return [
                    checked.finding(
                        .notAWholeStore, offset: 0, expected: "an SQLite, binary or XML store",
                        found: "other bytes inside")
                ]
            }
        } catch { return checked.findings(error, .wholeStoreDamaged) }
    }

    /// The findings for an XML file: a property list is not a store, and ticds cannot read some stores.
    private static func xml(_ checked: CheckedFile, _ place: FilePath) throws(FileProblem) -> [Finding] {
        let head = try FileBytes.head(place, count: XMLKind.headSize)
        guard XMLKind(head) != .propertyList else {
            return [
                checked.finding(
                    .notAWholeStore, offset: 0, expected: "an SQLite, binary or XML store",
                    found: "an XML property list")
            ]
        }
        do throws(FileProblem) {
            let store = try XMLStore(try FileBytes.read(place, limit: checked.context.readLimit), path: place)
            return store.problems.first.map { checked.findings($0, .wholeStoreDamaged) } ?? []
        } catch  where error.kind == .unsupported || error.kind == .limit && !error.isScarcity {
            return [checked.finding(.xmlStore)]
        }
    }

    private static func sqlite(_ checked: CheckedFile, _ place: FilePath) -> [Finding] {
        let database = SQLiteFileCheck.findings(checked, at: place, damaged: .wholeStoreDamaged)
        if database.contains(where: { $0.kind.severity == .error }) { return database }
        do throws(FileProblem) {
            _ = try SQLiteStore(place, examines: false)
            return database
        } catch { return database + unopened(checked, error) }
    }

    static func unopened(_ checked: CheckedFile, _ problem: FileProblem) -> [Finding] {
        checked.findings(problem, problem.kind == .unsupported ? .notAWholeStore : .wholeStoreDamaged)
    }

    private static func binary(_ checked: CheckedFile, _ place: FilePath) throws(FileProblem) -> [Finding] {
        let limit = checked.context.readLimit
        let bytes: SharedBytes
        do throws(FileProblem) {
            bytes = try FileBytes.read(place, limit: limit)
        } catch  where error.kind == .limit && !error.isScarcity {
            return [
                checked.finding(
                    .tooLarge, expected: "at most \(limit.bytes) bytes", found: "\(checked.file.size) bytes")
            ]
        }
        let archive = try BinaryStoreArchive(bytes, path: checked.place)
        var damage: FileProblem?
        var largestKey: Int64 = 0
        try BinaryStore(archive, model: nil).forEachObject(
            entity: nil, onDamage: { problem throws(FileProblem) in damage = damage ?? problem },
            { object throws(FileProblem) in largestKey = max(largestKey, object.primaryKey) })
        damage = damage ?? BinaryStoreRules.problem(of: bytes, largestKey: largestKey, path: checked.place)
        if let damage { return checked.findings(damage, .wholeStoreDamaged) }
        guard let altered = BinaryStoreArchive.canonicalForms(of: bytes).lazy.compactMap(\.problem).first
        else { return [] }
        return checked.findings(FileProblem(altered, path: checked.place), .storeAltered)
    }
}

/// The rules for the header of a binary store: what Core Data always writes there, beyond what a reader needs
/// (core-data-binary-store(5), 1). A file with a different header was changed after it was written.
enum BinaryStoreRules {
    /// No store has this many objects; a greater counter is damaged.
    private static let largestCounter: UInt64 = 1 << 48

    /// The problem of the header; nil for an intact one, and for files that are not binary stores.
    /// - Parameters:
    ///   - bytes: the whole store, which was opened without an error.
    ///   - largestKey: the largest primary key of its objects.
    static func problem(of bytes: SharedBytes, largestKey: Int64, path: FilePath) -> FileProblem? {
        guard bytes.starts(with: BinaryStoreHeader.magic), bytes.count >= BinaryStoreHeader.size else {
            return nil
        }
        func number(_ offset: Int) -> UInt64 { bytes.number(at: offset, width: 8) ?? 0 }
        func odd(_ offset: Int, _ expected: String) -> FileProblem {
            FileProblem(
                .damaged, path: path, offset: offset, "the header of the binary store is damaged",
                expected: expected, found: "\(number(offset))")
        }
        let mapEnd = number(32).addingReportingOverflow(number(40))
        let metadataEnd = number(16).addingReportingOverflow(number(24))
        guard number(32) == UInt64(BinaryStoreHeader.size) else { return odd(32, "objects from byte 64") }
        guard !mapEnd.overflow, number(16) == mapEnd.partialValue else {
            return odd(16, "metadata right after the objects")
        }
        guard !metadataEnd.overflow, metadataEnd.partialValue == UInt64(bytes.count) else {
            return odd(24, "metadata up to the end of the file of \(bytes.count) bytes")
        }
        guard number(48) >= UInt64(clamping: largestKey), number(48) < largestCounter else {
            return odd(48, "a counter of primary keys of at least \(largestKey)")
        }
        return number(56) == 0 ? nil : odd(56, "0")
    }
}
