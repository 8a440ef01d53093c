import CoreDataStore
import SystemCalls

extension PersistentStore {
    /// The first errors in the content of the store: complaints of SQLite about the database; for the others, reasons why
    /// objects may be missing, and objects that cannot be read. Reads everything.
    func contentProblems(most: Int = 10) throws(FileProblem) -> [FileProblem] {
        if let store = self as? SQLiteStore {
            return try store.integrityCheck().prefix(most).map {
                FileProblem(
                    .damaged, path: path, "the SQLite database is damaged", found: $0,
                    advice: "Use the store of another client; ticds-store dump shows what can be read of it")
            }
        }
        var found = shortfalls
        try forEachObject(
            entity: nil, onDamage: { problem in if found.count < most { found.append(problem) } }, { _ in })
        return Array(found.prefix(most))
    }
}
