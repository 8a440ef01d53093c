import Base
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCore

/// Checks the file of an SQLite database: its header, its size, its log, and its pages and indexes with `PRAGMA
/// integrity_check`.
enum SQLiteFileCheck {
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
                return [checked.finding(damaged, expected: "an intact database", found: complaint)]
            }
            let odd = faults.first.map { [finding(checked, .oddHeader, $0)] } ?? []
            return odd + log(checked, file) + file.shortfalls.map { pending(checked, $0) }
        } catch {
            guard error.finding == FindingKind.pendingFileDamaged.code else {
                return checked.findings(error, damaged)
            }
            return [pending(checked, error)]
        }
    }

    /// A damaged log or journal beside the store.
    private static func pending(_ checked: CheckedFile, _ error: FileProblem) -> Finding {
        let place = [error.path.lastComponent?.string, error.offset.map { "offset \($0)" }]
        let found = (place.compactMap(\.self) + [error.text]).joined(separator: ": ")
        return checked.finding(.pendingFileDamaged, expected: error.expected, found: found)
    }

    private static func finding(
        _ checked: CheckedFile, _ kind: FindingKind, _ fault: SQLiteHeader.Fault
    ) -> Finding {
        checked.finding(kind, offset: fault.offset, expected: fault.expected, found: fault.found)
    }

    /// The first message of `PRAGMA integrity_check`; nil for an intact database.
    private static func complaint(_ file: SQLiteStoreFile) throws(FileProblem) -> String? {
        let connection = try file.connect()
        let complaints: [String]
        do throws(SQLiteError) {
            complaints = try connection.integrityCheck(limit: 1)
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

/// Checks a register of applied change sets: the database, its model, and every line of it.
enum RegisterCheck: FileCheck {
    static func findings(_ checked: CheckedFile, _ place: FilePath) -> [Finding] {
        let database = SQLiteFileCheck.findings(checked, at: place, damaged: .registerDamaged)
        if database.contains(where: { $0.kind.severity == .error }) { return database }
        do throws(FileProblem) {
            let register = try ChangeSetRegister(place)
            return database + model(checked, register.metadata) + (try lines(checked, register))
        } catch { return database + checked.findings(error, .registerDamaged) }
    }

    private static func model(_ checked: CheckedFile, _ metadata: StoreMetadata) -> [Finding] {
        let entity = FrameworkModels.syncChangeSetEntity
        let expected = FrameworkModels.syncChangeSet.versionHashes[entity]
        let found = metadata.versionHashes[entity]
        guard found != expected else { return [] }
        return [
            checked.finding(
                .registerModel, expected: expected.map(hexadecimal),
                found: found.map(hexadecimal) ?? "no hash of \(entity)")
        ]
    }

    private static func lines(
        _ checked: CheckedFile, _ register: ChangeSetRegister
    ) throws(FileProblem) -> [Finding] {
        var damage: FileProblem?
        var nameless = 0
        try register.forEachLine(
            onDamage: { problem throws(FileProblem) in damage = damage ?? problem },
            { hasIdentifier throws(FileProblem) in if !hasIdentifier { nameless += 1 } })
        if let damage { return checked.findings(damage, .registerDamaged) }
        guard nameless > 0 else { return [] }
        let found = "\(counted(nameless, "line")) without one"
        return [
            checked.finding(
                .registerDamaged, expected: "the identifier of a change set in each line", found: found)
        ]
    }
}
