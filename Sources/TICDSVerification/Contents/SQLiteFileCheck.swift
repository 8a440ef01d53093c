import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Checks the file of an SQLite database: its header, its size, its log, and its pages with `PRAGMA quick_check`.
enum SQLiteFileCheck {
    /// - Parameters:
    ///   - place: the database, or a private copy of it.
    ///   - damaged: the kind of finding for a damaged database.
    static func findings(_ checked: CheckedFile, at place: FilePath, damaged: FindingKind) -> [Finding] {
        do throws(FileProblem) {
            let size = try FileStatus.of(place).size
            let head = try FileBytes.head(place, count: SQLiteHeader.size)
            guard let header = SQLiteHeader(head.array, fileSize: size) else {
                return [checked.finding(damaged, expected: "a header of 100 bytes", found: "\(size) bytes")]
            }
            let faults = header.faults
            if let fault = faults.first(where: \.matters) { return [finding(checked, damaged, fault)] }
            let file = try SQLiteStoreFile(place)
            if let complaint = try complaint(file) {
                return [checked.finding(damaged, expected: "a sound database", found: complaint)]
            }
            let odd = faults.first.map { [finding(checked, .oddHeader, $0)] } ?? []
            return odd + log(checked, file)
        } catch {
            guard error.finding == FindingKind.pendingFileDamaged.code else {
                return checked.findings(error, damaged)
            }
            let place = [error.path.lastComponent?.string, error.offset.map { "offset \($0)" }]
            let found = (place.compactMap(\.self) + [error.text]).joined(separator: ": ")
            return [checked.finding(.pendingFileDamaged, expected: error.expected, found: found)]
        }
    }

    private static func finding(
        _ checked: CheckedFile, _ kind: FindingKind, _ fault: SQLiteHeader.Fault
    ) -> Finding {
        checked.finding(kind, offset: fault.offset, expected: fault.expected, found: fault.found)
    }

    /// The first message of `PRAGMA quick_check`; nil for a sound database.
    private static func complaint(_ file: SQLiteStoreFile) throws(FileProblem) -> String? {
        let connection = try file.connect()
        let complaints: [String]
        do throws(SQLiteError) {
            complaints = try connection.quickCheck(limit: 1)
        } catch {
            throw file.problem(error)
        }
        try file.checkUnchanged()
        return complaints.first
    }

    private static func log(_ checked: CheckedFile, _ file: SQLiteStoreFile) -> [Finding] {
        guard file.isWriteAheadLogMissing else { return [] }
        let effects = checked.role == .wholeStore ? nil : [Effect(.appliedTwice, .newClients)]
        return [checked.finding(.logMissing, effects: effects)]
    }
}
