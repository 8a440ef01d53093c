import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive

/// A condition on objects: any text is refused or read, and every key path has names.
@Sendable func readCondition(_ bytes: SharedBytes) throws {
    let condition = try ObjectPredicate(parsing: String(decoding: bytes.array, as: UTF8.self))
    if condition.keyPaths.contains(where: { $0.isEmpty || $0.contains("") }) {
        finding("a key path without a name")
    }
}

@Sendable func conditionSeeds() -> [[UInt8]] {
    [
        "title BEGINSWITH[cd] 'a' AND NOT (stars > 3 || made < CAST(-31521760.356186, \"NSDate\"))",
        "ANY tags.name IN {'x', \"it's\"} OR author.notes.@count BETWEEN {1, 2e3}",
        "a LIKE '*?\\n' && b != NIL",
        "TRUEPREDICATE AND ALL a.b == CAST('2013-05-01', 'NSDate')",
    ].map { Array($0.utf8) }
}
