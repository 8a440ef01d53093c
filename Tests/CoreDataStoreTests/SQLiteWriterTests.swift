import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore

@Suite(.enabled(if: Samples.available, "needs the samples"), .enabled(if: SQLiteShell.available))
struct SQLiteWriterTests {
    /// The tables and columns that the model predicts equal those of the real store.
    @Test(arguments: SQLiteSample.all)
    func predictedSchemaIsTheRealOne(_ sample: SQLiteSample) throws {
        let model = try ModelFile.load(sample.modelPath)
        let entities = try StoreEntities(model.numberedEntities) { FileProblem(.damaged, path: "", $0) }
        let schema = NewStoreSchema(ColumnNames(model: model, entities: entities))
        var predicted: [String: Set<String>] = [:]
        for table in schema.tables {
            predicted[table.name] = Set(table.columns.map(\.name)).union(["Z_PK", "Z_ENT", "Z_OPT"])
        }
        var joins: [Set<String>] = []
        for join in schema.joins {
            let side = join.first
            joins.append(Set([side.owner, side.target, side.order, join.second.order].compactMap { $0 }))
        }
        let scratch = try ScratchFolder()
        let copy = try scratch.copy("sqlite-stores/" + sample.store)
        let rows = try SQLiteShell.run(
            copy,
            "SELECT m.name, group_concat(c.name) FROM sqlite_master m, pragma_table_info(m.name) c "
                + "WHERE m.type = 'table' AND m.name NOT IN ('Z_METADATA', 'Z_PRIMARYKEY', 'Z_MODELCACHE') GROUP BY 1"
        )
        var real: [String: Set<String>] = [:]
        var realJoins: [Set<String>] = []
        for row in rows.split(separator: "\n") {
            let parts = row.split(separator: "|")
            let columns = Set(parts[1].split(separator: ",").map { String($0) })
            if columns.contains("Z_PK") {
                real[String(parts[0])] = columns
            } else {
                realJoins.append(columns)
            }
        }
        #expect(predicted == real)
        #expect(Set(joins) == Set(realJoins) && joins.count == realJoins.count)
        let numbers = try SQLiteShell.run(
            copy, "SELECT Z_ENT || Z_NAME || Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT")
        #expect(
            entities.all.map { "\($0.number)\($0.name)\($0.superentity)" }.joined(separator: "\n") == numbers)
    }

    /// Core Data 419 made this store. A new store for the same model has the same statements, byte for byte.
    @Test func statementsAreThoseOfFramework419() throws {
        let sample = SQLiteSample.all[0]
        let scratch = try ScratchFolder()
        let copy = try scratch.copy("sqlite-stores/" + sample.store)
        let path = scratch.path.appending("new.sqlite")
        try SQLiteStoreWriter(creating: path, model: try ModelFile.load(sample.modelPath)).finish()
        let query =
            "SELECT sql FROM sqlite_master ORDER BY rowid; SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY;"
            + "PRAGMA page_size; PRAGMA auto_vacuum; PRAGMA encoding; PRAGMA user_version"
        #expect(try SQLiteShell.run(path, query) == (try SQLiteShell.run(copy, query)))
        #expect(try Array(ScratchFolder.bytes(of: path)[18...19]) == [1, 1])
    }

    enum Sides: String, CaseIterable { case both, toOne, toMany }

    /// A rewritten store reads the same, even if relationships are set on one side only.
    @Test(arguments: SQLiteSample.all, Sides.allCases)
    func copiesReadAsTheirOriginals(_ sample: SQLiteSample, _ sides: Sides) throws {
        let original = try sample.open(withModel: true)
        let model = try #require(original.model)
        let scratch = try ScratchFolder()
        let path = scratch.path.appending("copy.sqlite")
        var writer = try SQLiteStoreWriter(creating: path, model: model)
        var expected: [StoredObject] = []
        try original.forEachObject { expected.append($0) }
        // Children before their owners, so that some keys have no object yet.
        for var object in expected.reversed() {
            let described = model.relationships(of: object.entity)
            object.relationships.removeAll { relationship in
                guard sides != .both, let own = described.first(where: { $0.name == relationship.name }),
                    let inverse = model.relationships(of: own.destination).first(where: {
                        $0.name == own.inverse
                    }),
                    inverse.isToMany != own.isToMany
                else { return false }
                return own.isToMany == (sides == .toOne)
            }
            try writer.insert(object)
        }
        try writer.finish()
        let copy = try SQLiteStore(path, model: model)
        var found: [StoredObject] = []
        try copy.forEachObject { found.append($0) }
        if sides == .toOne { expected = expected.map(\.unordered) }
        if sides == .toOne { found = found.map(\.unordered) }
        #expect(found == expected)
        #expect(try SQLiteShell.run(path, "PRAGMA integrity_check") == "ok")
        #expect(copy.metadata.versionHashes == original.metadata.versionHashes)
        let keys = try SQLiteShell.run(
            path, "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_SUPER = 0 AND Z_MAX > 0")
        for line in keys.split(separator: "\n") {
            let parts = line.split(separator: "|")
            #expect(try SQLiteShell.run(path, "SELECT max(Z_PK) FROM Z\(parts[0].uppercased())") == parts[1])
        }
        #expect(try ScratchFolder.listing(scratch.path).count == 1)
    }
}

extension StoredObject {
    /// The object with the members of its relationships sorted.
    fileprivate var unordered: StoredObject {
        var copy = self
        for index in copy.relationships.indices {
            if case .toMany(let keys) = copy.relationships[index].target {
                copy.relationships[index].target = .toMany(keys.sorted())
            }
        }
        return copy
    }
}
