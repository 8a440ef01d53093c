import SystemCalls
import TestSupport
import Testing

@testable import CoreDataStore

/// Parts of the model that the tables of a store lack, and parts of the tables that no object shows.
@Suite(.enabled(if: SQLiteShell.available)) struct LostPartsTests {
    @Test func soundStoreLacksNothing() throws {
        let checked = try CheckedStore()
        let store = try SQLiteStore(checked.path, model: CheckedStore.model)
        #expect(store.shortfalls.isEmpty && store.gaps.isEmpty && store.lacking.isEmpty)
    }

    @Test(arguments: [
        ("DROP TABLE Z_3THINGS", "Book.tags"),
        ("ALTER TABLE ZTHING RENAME COLUMN ZNAME TO ZNAM", "Disc.name"),
        (
            "ALTER TABLE Z_3THINGS RENAME COLUMN Z_FOK_3TAGS TO Z_FOK_3TAGX",
            "positions of ordered relationships"
        ),
        ("ALTER TABLE ZTHING RENAME COLUMN Z_FOK_SHELF TO PLACE", "Shelf.books"),
    ])
    func lostPartIsAShortfallAndWithAnotherModelANote(_ sql: String, _ words: String) throws {
        let checked = try CheckedStore()
        try SQLiteShell.run(checked.path, sql)
        let store = try SQLiteStore(checked.path, model: CheckedStore.model)
        #expect(store.shortfalls.contains { $0.problem.contains(words) }, "\(store.shortfalls)")
        #expect(!store.notes.contains { $0.code == "schemaMismatch" })
        let other = ManagedObjectModel(
            entities: CheckedStore.model.entities.map { entity in
                var entity = entity
                entity.versionHashModifier = "other"
                return entity
            })
        let accepted = try SQLiteStore(checked.path, model: other, mismatch: .accept)
        #expect(accepted.shortfalls.isEmpty)
        #expect(accepted.notes.contains { $0.code == "schemaMismatch" && $0.text.contains(words) })
    }

    @Test func rowsOfAnUnknownJoinTableAreAGapWithAnyModel() throws {
        let checked = try CheckedStore()
        try SQLiteShell.run(checked.path, "ALTER TABLE Z_3THINGS RENAME TO Z_3OTHER")
        let store = try SQLiteStore(checked.path, model: CheckedStore.model)
        #expect(store.gaps.map(\.problem.found) == ["3 rows"], "\(store.gaps)")
        try SQLiteShell.run(checked.path, "DELETE FROM Z_3OTHER")
        #expect(try SQLiteStore(checked.path, model: CheckedStore.model).gaps.isEmpty)
    }

    /// A Book whose row says that it is a Disc.
    @Test func valueThatTheEntityOfItsRowCannotHaveIsNamed() throws {
        let checked = try CheckedStore()
        try SQLiteShell.run(checked.path, "UPDATE ZTHING SET Z_ENT = 6 WHERE Z_PK = 1")
        let store = try SQLiteStore(checked.path, model: CheckedStore.model)
        for entity in [nil, "Disc"] {
            var problems: [FileProblem] = []
            var keys: [Int64] = []
            try store.forEachObject(entity: entity, onDamage: { problems.append($0) }) {
                if $0.entity == "Disc" { keys.append($0.primaryKey) }
            }
            #expect(keys == [1, 3])
            #expect(
                problems.count == 1 && problems.first?.problem.hasPrefix("row 1 of the table ZTHING") == true)
            #expect(problems.first?.found == "a value in ZSHELF, which “Disc” does not have", "\(problems)")
        }
    }

    @Test func rowsOfNoEntityAreNamedForTheEntitiesOfTheirTable() throws {
        let checked = try CheckedStore()
        try SQLiteShell.run(checked.path, "UPDATE ZTAG SET Z_ENT = 77 WHERE Z_PK = 2")
        let store = try SQLiteStore(checked.path, model: CheckedStore.model)
        func count(_ entity: String?) throws -> Int {
            var count = 0
            try store.reportStrayRows(of: entity) { _ in count += 1 }
            return count
        }
        #expect(try [count(nil), count("Tag"), count("Book")] == [1, 1, 0])
    }
}
