import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore
@testable import CoreDataTools

/// Every row of every entity table is an object of the output, or a warning names it. The sqlite3 shell counts the
/// rows.
@Suite(.enabled(if: SQLiteShell.available)) struct EveryRowTests {
    /// The rows of all tables that have the columns of objects, by table.
    private func rows(_ path: FilePath) throws -> [String: Int] {
        let tables = try SQLiteShell.run(
            path,
            "SELECT m.name FROM sqlite_master m WHERE m.type = 'table' AND m.name LIKE 'Z%' AND 2 = (SELECT count(*) "
                + "FROM pragma_table_info(m.name) WHERE name IN ('Z_PK', 'Z_ENT'))"
        ).split(separator: "\n").map(String.init)
        var rows: [String: Int] = [:]
        for table in tables {
            rows[table] = Int(try SQLiteShell.run(path, "SELECT count(*) FROM \"\(table)\"")) ?? -1
        }
        return rows.filter { $0.value > 0 }
    }

    /// Rows that became objects, and rows that a warning names, by table; and all entities.
    private func shown(_ store: SQLiteStore) throws -> [String: Int] {
        var shown: [String: Int] = [:]
        let tables = Dictionary(uniqueKeysWithValues: store.layouts.map { ($0.entity.name, $0.table) })
        var seen: Set<String> = []
        func note(_ problem: FileProblem) throws {
            if let count = problem.found.flatMap({ Int($0.prefix { $0.isNumber }) }),
                problem.problem.contains("belong to no entity"),
                let table = problem.problem.split(separator: " ").first(where: { $0.hasPrefix("Z") })
            {
                shown[String(table), default: 0] += count
            } else {
                Issue.record("\(problem)")
            }
        }
        var problems: [FileProblem] = []
        try store.forEachObject(entity: nil, onDamage: { problems.append($0) }) { object in
            let table = tables[object.entity] ?? "?"
            shown[table, default: 0] += 1
            seen.insert("\(table) \(object.primaryKey)")
        }
        // No object occurs twice.
        #expect(seen.count == shown.values.reduce(0, +))
        var again: [FileProblem] = []
        try store.reportStrayRows { again.append($0) }
        problems.removeAll { $0.problem == "a table is missing" }
        #expect(again == problems)
        for problem in problems { try note(problem) }
        return shown
    }

    @Test(.enabled(if: Samples.available, "needs the samples"), arguments: SQLiteFile.all)
    func ofEverySample(_ file: SQLiteFile) throws {
        let scratch = try ScratchFolder()
        let copy = try scratch.copy(file.path)
        let store = try SQLiteStore(copy)
        #expect(try shown(store) == rows(copy))
        #expect(try store.unexplainedEntities() == [])
    }

    @Test(.enabled(if: Samples.available, "needs the samples"), arguments: SQLiteSample.all)
    func ofEverySampleWithItsModel(_ sample: SQLiteSample) throws {
        let scratch = try ScratchFolder()
        let copy = try scratch.copy("sqlite-stores/" + sample.store)
        let store = try SQLiteStore(copy, model: try ModelFile.load(sample.modelPath))
        #expect(try shown(store) == rows(copy))
        #expect(try store.unexplainedEntities() == [])
    }

    /// Damage of entity numbers and names, and models that lack entities.
    @Test func ofRandomStores() throws {
        var numbers = RandomNumbers()
        var (unexplained, renamed, strays) = (0, 0, 0)
        for _ in 0..<60 {
            let store = try CheckedStore()
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                let names = ["Book", "Disc", "Label", "Shelf", "Tag", "Thing"]
                let name = names.randomElement(using: &numbers) ?? ""
                let table = "Z" + (["Book", "Disc"].contains(name) ? "THING" : name.uppercased())
                let statements = [
                    "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Old\(name)' WHERE Z_NAME = '\(name)'",
                    "UPDATE \(table) SET Z_ENT = \(Int.random(in: 0...9, using: &numbers)) WHERE Z_PK = "
                        + "\(Int.random(in: 1...3, using: &numbers))",
                    "UPDATE \(table) SET Z_ENT = NULL WHERE Z_PK = 1",
                    "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = '\(name)' AND Z_NAME <> 'Thing'",
                    "CREATE TABLE IF NOT EXISTS ZLEFTOVER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER); "
                        + "INSERT INTO ZLEFTOVER (Z_ENT) VALUES (5)",
                ]
                try SQLiteShell.run(store.path, statements.randomElement(using: &numbers) ?? "")
            }
            let lacking = ["", "Disc", "Book"].randomElement(using: &numbers) ?? ""
            let entities = CheckedStore.model.entities.filter { $0.name != lacking }.map {
                var entity = $0
                if Bool.random(using: &numbers) { entity.renamingIdentifier = "Old" + entity.name }
                return entity
            }
            for model in [ManagedObjectModel(entities: entities), nil] {
                let opened = try SQLiteStore(store.path, model: model, mismatch: .accept)
                let shown = try shown(opened)
                #expect(try shown == rows(store.path), "\(opened.entities.all)")
                unexplained += try opened.unexplainedEntities().count
                renamed += opened.notes.count { $0.code == "entityRenamed" }
                strays += opened.strayTables.count
            }
        }
        #expect(unexplained > 0 && renamed > 0 && strays > 0)
    }

    /// A migration left the former name of an entity in Z_PRIMARYKEY; the model contains it as the renaming identifier.
    @Test func aRenamedEntity() throws {
        let store = try CheckedStore()
        try SQLiteShell.run(
            store.path,
            "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Record' WHERE Z_NAME = 'Disc'; "
                + "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Board' WHERE Z_NAME = 'Shelf'")
        var entities = CheckedStore.model.entities
        for index in entities.indices where entities[index].name == "Disc" {
            entities[index].renamingIdentifier = "Record"
        }
        let opened = try SQLiteStore(store.path, model: ManagedObjectModel(entities: entities))
        var names: [String: Int] = [:]
        try opened.forEachObject { names[$0.entity, default: 0] += 1 }
        // The shelf has no renaming identifier: it is the only entity without a row.
        #expect(names == ["Book": 2, "Disc": 1, "Label": 1, "Shelf": 2, "Tag": 2])
        #expect(opened.notes.map(\.code) == ["entityRenamed", "entityRenamed"])
        #expect(try opened.unexplainedEntities() == [])
        let check = try StoreChecker.check(opened)
        #expect(check.findings == [] && check.objects == CheckedStore.objects.count, "\(check.findings)")
        let problem = #expect(throws: FileProblem.self) {
            try WritableStore(
                store.path, model: ManagedObjectModel(entities: entities), identifier: "ticdsSyncID")
        }
        #expect(problem?.kind == .refused && problem?.found?.contains("Board") == true)
    }

    /// Two entities without a row and two rows without an entity: the assignment is unknown.
    @Test func unexplainedEntities() throws {
        let store = try CheckedStore()
        try SQLiteShell.run(
            store.path, "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Old' || Z_NAME WHERE Z_NAME IN ('Disc', 'Book')")
        let opened = try SQLiteStore(store.path, model: CheckedStore.model)
        var objects: [StoredObject] = []
        try opened.forEachObject { objects.append($0) }
        let book = try #require(objects.first { $0.entity == "OldBook" })
        #expect(book.value("name") == .string("number 1") && book.value("ticdsSyncID") == .string("Book-1"))
        // The column of the entity itself has its name in the schema, and its bytes are not interpreted.
        #expect(book.value("COVER") == .data([1, 1, 2, 3]))
        #expect(book.target("tags") == .toMany([2, 1]) && book.target("SHELF") == .toOne(1))
        #expect(
            try opened.unexplainedEntities() == [
                UnexplainedEntity(entity: "OldBook", count: 2, isAbstract: false),
                UnexplainedEntity(entity: "OldDisc", count: 1, isAbstract: false),
            ])
        let findings = try StoreChecker.check(opened).findings
        #expect(findings.count { $0.kind == .unknownEntity } == 2, "\(findings)")
    }
}

/// An SQLite store of the samples.
struct SQLiteFile: CustomTestStringConvertible, Sendable {
    var path: String
    var testDescription: String { path }

    static let all =
        SQLiteSample.all.map { SQLiteFile(path: "sqlite-stores/" + $0.store) }
        + [
            "history/NoteStore.sqlite", "history/knowledgec-10.13.db", "free-pages/CLSLocationCache.sqlite",
        ].map { SQLiteFile(path: "sqlite-stores/" + $0) }
}
