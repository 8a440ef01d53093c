import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCore

/// Judges a register of applied change sets: the database, its model, and every line of it.
enum RegisterJudge: FileCheck {
    static func findings(_ judged: JudgedFile, _ place: FilePath) -> [Finding] {
        let database = SQLiteJudge.findings(judged, at: place, damaged: .registerDamaged)
        if database.contains(where: { $0.kind.severity == .error }) { return database }
        do throws(FileProblem) {
            let register = try ChangeSetRegister(place)
            return database + model(judged, register.metadata) + (try lines(judged, register))
        } catch {
            return database + judged.findings(error, .registerDamaged)
        }
    }

    private static func model(_ judged: JudgedFile, _ metadata: StoreMetadata) -> [Finding] {
        let entity = FrameworkModels.syncChangeSetEntity
        let expected = FrameworkModels.syncChangeSet.versionHashes[entity]
        let found = metadata.versionHashes[entity]
        guard found != expected else { return [] }
        return [
            judged.finding(
                .registerModel, expected: expected.map(hexadecimal),
                found: found.map(hexadecimal) ?? "no hash of \(entity)")
        ]
    }

    private static func lines(
        _ judged: JudgedFile, _ register: ChangeSetRegister
    ) throws(FileProblem) -> [Finding] {
        var problems: [FileProblem] = []
        var nameless = 0
        try register.forEachLine(
            onDamage: { problem throws(FileProblem) in problems.append(problem) },
            { hasIdentifier throws(FileProblem) in if !hasIdentifier { nameless += 1 } })
        if let first = problems.first { return judged.findings(first, .registerDamaged) }
        guard nameless > 0 else { return [] }
        let found = "\(counted(nameless, "line")) without one"
        return [
            judged.finding(
                .registerDamaged, expected: "the identifier of a change set in each line", found: found)
        ]
    }
}
