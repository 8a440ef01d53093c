import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCore

/// Checks a register of applied change sets: the database, its model, and every line of it.
enum RegisterCheck: FileCheck {
    static func findings(_ checked: CheckedFile, _ place: FilePath) -> [Finding] {
        let database = SQLiteFileCheck.findings(checked, at: place, damaged: .registerDamaged)
        if database.contains(where: { $0.kind.severity == .error }) { return database }
        do throws(FileProblem) {
            let register = try ChangeSetRegister(place)
            return database + model(checked, register.metadata) + (try lines(checked, register))
        } catch {
            return database + checked.findings(error, .registerDamaged)
        }
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
