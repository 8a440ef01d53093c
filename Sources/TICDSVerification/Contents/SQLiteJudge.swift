import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Judges an SQLite database as a file: its header, its size, its log, and its pages by SQLite's own check.
enum SQLiteJudge {
    /// - Parameters:
    ///   - place: the database, or a private copy of it.
    ///   - damaged: the kind of finding that a broken database makes.
    static func findings(_ judged: JudgedFile, at place: FilePath, damaged: FindingKind) -> [Finding] {
        do throws(FileProblem) {
            let size = try FileStatus.of(place).size
            let head = try FileBytes.head(place, count: SQLiteHeader.size)
            guard let header = SQLiteHeader(head.array, fileSize: size) else {
                return [judged.finding(damaged, expected: "a header of 100 bytes", found: "\(size) bytes")]
            }
            let faults = header.faults
            if let fault = faults.first(where: \.matters) { return [finding(judged, damaged, fault)] }
            let file = try SQLiteStoreFile(place)
            if let complaint = try complaint(file) {
                return [judged.finding(damaged, expected: "a sound database", found: complaint)]
            }
            let odd = faults.first.map { [finding(judged, .oddHeader, $0)] } ?? []
            return odd + log(judged, file)
        } catch {
            guard error.finding == FindingKind.pendingFileDamaged.code else {
                return judged.findings(error, damaged)
            }
            let place = [error.path.lastComponent?.string, error.offset.map { "offset \($0)" }]
            let found = (place.compactMap(\.self) + [error.text]).joined(separator: ": ")
            return [judged.finding(.pendingFileDamaged, expected: error.expected, found: found)]
        }
    }

    private static func finding(
        _ judged: JudgedFile, _ kind: FindingKind, _ fault: SQLiteHeader.Fault
    ) -> Finding {
        judged.finding(kind, offset: fault.offset, expected: fault.expected, found: fault.found)
    }

    /// What SQLite finds broken.
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

    private static func log(_ judged: JudgedFile, _ file: SQLiteStoreFile) -> [Finding] {
        guard file.isWriteAheadLogMissing else { return [] }
        let effects = judged.role == .wholeStore ? nil : [Effect(.appliedTwice, .newClients)]
        return [judged.finding(.logMissing, effects: effects)]
    }
}
