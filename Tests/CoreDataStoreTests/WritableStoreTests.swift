import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore

@Suite(.enabled(if: Samples.available, "needs the samples"), .enabled(if: SQLiteShell.available))
struct WritableStoreTests {
    /// New objects in real stores, with every relationship between them set. They read as they were inserted; the other
    /// objects read as before.
    @Test(arguments: SQLiteSample.all)
    func newObjectsInRealStores(_ sample: SQLiteSample) throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy("sqlite-stores/" + sample.store)
        let model = try ModelFile.load(sample.modelPath)
        let before = try objects(SQLiteStore(path, model: model))
        let mode = try Array(ScratchFolder.bytes(of: path)[18...19])
        let store = try WritableStore(path, model: model, identifier: "none")
        var made: [String: [StoreObjectID]] = [:]
        for entity in model.entities where !entity.isAbstract {
            for _ in 0..<2 {
                let object = try store.insert(
                    entity.name, attributes: numbers(of: entity.name, model, made.values.joined().count)
                ) { Issue.record("\($0): \($1)") }
                made[entity.name, default: []].append(object)
            }
        }
        var expected: [(StoreObjectID, String, StoreObjectID)] = []
        for entity in model.entities where !entity.isAbstract {
            for relationship in model.relationships(of: entity.name) where !relationship.isTransient {
                let owner = made[entity.name]?[0] ?? StoreObjectID(entity: 0, primaryKey: 0)
                let name =
                    model.entities.first {
                        !$0.isAbstract && model.isEntity($0.name, kindOf: relationship.destination)
                    }?.name ?? ""
                guard let target = made[name]?[1] else { continue }
                if relationship.isToMany {
                    try store.add(target, to: relationship.name, of: owner)
                } else {
                    try store.setToOne(relationship.name, of: owner, to: target)
                }
                expected.append((owner, relationship.name, target))
            }
        }
        try store.finish()
        #expect(try SQLiteShell.run(path, "PRAGMA integrity_check") == "ok")
        #expect(try Array(ScratchFolder.bytes(of: path)[18...19]) == mode)
        let after = try objects(SQLiteStore(path, model: model))
        let new = Set(made.flatMap { name, objects in objects.map { "\(name) \($0.primaryKey)" } })
        #expect(after.filter { !new.contains($0.key) } == before)
        #expect(after.count == before.count + new.count)
        // The last relationship that was set is certain; an inverse may have changed earlier ones.
        if let (owner, name, target) = expected.last {
            let entity = store.entityName(of: owner) ?? ""
            let found = after["\(entity) \(owner.primaryKey)"]?.relationships.first { $0.name == name }?
                .target
            switch found {
            case .toOne(let key): #expect(key == target.primaryKey)
            case .toMany(let keys): #expect(keys == [target.primaryKey])
            case nil: Issue.record("no \(name)")
            }
        }
    }

    /// All objects that were added to a real store are deleted again, and leave nothing.
    @Test(arguments: SQLiteSample.all)
    func deletionLeavesNothing(_ sample: SQLiteSample) throws {
        let scratch = try ScratchFolder()
        let path = try scratch.copy("sqlite-stores/" + sample.store)
        let model = try ModelFile.load(sample.modelPath)
        let before = try objects(SQLiteStore(path, model: model))
        let store = try WritableStore(path, model: model, identifier: "none")
        var made: [StoreObjectID] = []
        for entity in model.entities where !entity.isAbstract {
            made.append(
                try store.insert(entity.name, attributes: numbers(of: entity.name, model, made.count)) {
                    _, _ in
                })
        }
        for object in made {
            for relationship in model.relationships(of: store.entityName(of: object) ?? "")
            where !relationship.isTransient {
                let target = made.first {
                    model.isEntity(store.entityName(of: $0) ?? "", kindOf: relationship.destination)
                }
                guard let target else { continue }
                if relationship.isToMany {
                    try store.add(target, to: relationship.name, of: object)
                } else {
                    try store.setToOne(relationship.name, of: object, to: target)
                }
            }
        }
        #expect(try store.delete(made).isEmpty)
        try store.finish()
        #expect(try objects(SQLiteStore(path, model: model)) == before)
        let leftovers = try SQLiteShell.run(path, "SELECT name FROM sqlite_master WHERE name LIKE 'ticds%'")
        #expect(leftovers.isEmpty)
    }

    /// Stores that only Core Data can keep consistent are refused and stay unchanged.
    @Test(arguments: [
        ("CREATE TRIGGER Z_DA AFTER INSERT ON Z_METADATA BEGIN SELECT 1; END", "trigger"),
        ("CREATE TABLE ACHANGE (Z_PK INTEGER)", "history"),
        ("CREATE TABLE ANSCKEVENT (Z_PK INTEGER)", "ANSCKEVENT"),
        ("UPDATE Z_METADATA SET Z_PLIST = NULL", "metadata"),
    ])
    func obstacles(_ statement: String, _ reason: String) throws {
        let scratch = try ScratchFolder()
        let sample = SQLiteSample.all[0]
        let path = try scratch.copy("sqlite-stores/" + sample.store)
        try SQLiteShell.run(path, statement)
        let model = try ModelFile.load(sample.modelPath)
        let problem = #expect(throws: FileProblem.self) {
            _ = try WritableStore(path, model: model, identifier: "ticdsSyncID")
        }
        #expect(problem?.kind == .refused)
        #expect(problem?.found?.contains(reason) == true)
        let other = #expect(throws: FileProblem.self) {
            _ = try WritableStore(path, identifier: "ticdsSyncID")
        }
        #expect(other?.kind == .refused)
    }

    /// A uniqueness constraint of the store refuses the object; the next object is inserted.
    @Test func uniqueness() throws {
        let scratch = try ScratchFolder()
        let path = scratch.path.appending("store.sqlite")
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                name: "Tag", attributes: [AttributeDescription(name: "name", type: .string)],
                uniquenessConstraints: [["name"]])
        ])
        try SQLiteStoreWriter(creating: path, model: model).finish()
        let store = try WritableStore(path, model: model, identifier: "name")
        func add(_ name: String) throws -> StoreObjectID {
            try store.insert(
                "Tag", attributes: [ArchivedPair(key: .string("name"), value: .string(name))],
                onRefusal: { _, _ in })
        }
        let first = try add("a")
        let problem = #expect(throws: FileProblem.self) { _ = try add("a") }
        #expect(problem?.isRefusal == true)
        let second = try add("b")
        #expect(throws: FileProblem.self) {
            try store.set("name", of: second, to: .string("a"))
        }
        try store.set("name", of: second, to: .string("c"))
        #expect(try store.object("Tag", "a") == first)
        #expect(try store.object("Tag", "b") == nil)
        #expect(try store.object("Tag", "c") == second)
        try store.finish()
        #expect(try SQLiteShell.run(path, "SELECT group_concat(ZNAME) FROM ZTAG") == "a,c")
    }

    /// New objects may have their attributes in any order, some of them unknown or twice; defaults count for the rest.
    @Test func attributesInAnyOrderAreStored() throws {
        let scratch = try ScratchFolder()
        let path = scratch.path.appending("store.sqlite")
        let names = ["a", "b", "c"]
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                name: "Tag",
                attributes: names.map {
                    AttributeDescription(
                        name: $0, type: .integer16, defaultValue: $0 == "b" ? .integer(7) : nil)
                })
        ])
        try SQLiteStoreWriter(creating: path, model: model).finish()
        let store = try WritableStore(path, model: model, identifier: "a")
        var refused: [String] = []
        for order in ["abc", "cba", "bca", "b", "", "xab", "axb", "aab", "abc", "cccccabc"] {
            let pairs = order.enumerated().map {
                ArchivedPair(key: .string(String($1)), value: .integer(Int128($0 + 1)))
            }
            _ = try store.insert("Tag", attributes: pairs) { name, _ in refused.append(name) }
        }
        try store.finish()
        #expect(refused == ["x", "x"])
        let rows = try SQLiteShell.run(
            path,
            "SELECT group_concat(coalesce(ZA, '-') || coalesce(ZB, '-') || coalesce(ZC, '-'), ' ') FROM "
                + "(SELECT * FROM ZTAG ORDER BY Z_PK)")
        #expect(rows == "123 321 312 -1- -7- 23- 13- 23- 123 678")
    }

    /// Unique numbers, for stores with uniqueness constraints.
    private func numbers(of entity: String, _ model: ManagedObjectModel, _ number: Int) -> [ArchivedPair] {
        model.attributes(of: entity).filter { [.integer16, .integer32].contains($0.type) && !$0.isTransient }
            .map {
                ArchivedPair(key: .string($0.name), value: .integer(Int128(20_000 + number)))
            }
    }

    private func objects(_ store: SQLiteStore) throws -> [String: StoredObject] {
        var objects: [String: StoredObject] = [:]
        try store.forEachObject { objects["\($0.entity) \($0.primaryKey)"] = $0 }
        return objects
    }
}
