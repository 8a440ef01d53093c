import Base
import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@Suite(.enabled(if: Samples.available, "needs the samples"), .enabled(if: SQLiteShell.available))
struct SQLiteStoreTests {
    @Test(arguments: SQLiteSample.all, [true, false])
    func objectCountsAreThoseOfTheShell(_ sample: SQLiteSample, withModel: Bool) throws {
        let store = try sample.open(withModel: withModel)
        let scratch = try ScratchFolder()
        let copy = try scratch.copy("sqlite-stores/" + sample.store)
        var delivered: [String: Int] = [:]
        try store.forEachObject { delivered[$0.entity, default: 0] += 1 }
        let counted = Dictionary(uniqueKeysWithValues: try store.objectCounts().map { ($0.entity, $0.count) })
        #expect(delivered == counted)
        let roots = try SQLiteShell.run(
            copy, "SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_SUPER = 0 AND Z_ENT < 16000")
        var total = 0
        for root in roots.split(separator: "\n") {
            total += Int(try SQLiteShell.run(copy, "SELECT count(*) FROM Z\(root.uppercased())")) ?? -1000
        }
        #expect(counted.values.reduce(0, +) == total)
        #expect(total > 0)
    }

    @Test(arguments: SQLiteSample.all)
    func relationshipsAreSymmetrical(_ sample: SQLiteSample) throws {
        let store = try sample.open(withModel: true)
        let model = try #require(store.model)
        #expect(!store.notes.contains { $0.code == "schemaMismatch" }, "\(store.notes)")
        var links: Set<[String]> = []
        var expected: Set<[String]> = []
        try store.forEachObject { object in
            let described = model.relationships(of: object.entity)
            for relationship in object.relationships {
                guard let description = described.first(where: { $0.name == relationship.name }) else {
                    continue
                }
                let targets: [Int64] =
                    switch relationship.target {
                    case .toOne(let key): key.map { [$0] } ?? []
                    case .toMany(let keys): keys
                    }
                let root = model.rootEntity(of: object.entity)?.name ?? "?"
                let otherRoot = model.rootEntity(of: description.destination)?.name ?? "?"
                #expect(Set(targets).count == targets.count)
                for target in targets {
                    links.insert([root, relationship.name, "\(object.primaryKey)", "\(target)"])
                    guard let inverse = description.inverse else { continue }
                    expected.insert([otherRoot, inverse, "\(target)", "\(object.primaryKey)"])
                }
            }
        }
        #expect(expected.subtracting(links).isEmpty)
    }

    @Test(arguments: SQLiteSample.all)
    func modelsFitTheirStores(_ sample: SQLiteSample) throws {
        let store = try sample.open(withModel: true)
        #expect(store.model?.versionHashes == store.metadata.versionHashes)
        #expect(store.metadata.all["NSStoreType"]?.stringValue == "SQLite")
        #expect(store.metadata.uuid?.count == 36)
    }

    @Test(arguments: SQLiteSample.all.filter { $0.store.hasPrefix("moody") || $0.store.hasPrefix("book") })
    func cachedModelReadsTheSameObjects(_ sample: SQLiteSample) throws {
        let (cached, given) = (try sample.open(withModel: false), try sample.open(withModel: true))
        #expect(try objects(cached) == objects(given))
    }

    @Test func mismatchIsRefusedOrNoted() throws {
        let path = Samples.path("sqlite-stores/moody/Moody-2.moody")
        let model = try ModelFile.load(Samples.path("sqlite-stores/moody/models/Moody-5.contents"))
        let problem = #expect(throws: FileProblem.self) { try SQLiteStore(path, model: model) }
        #expect(problem?.kind == .refused)
        let store = try SQLiteStore(path, model: model, mismatch: .accept)
        #expect(store.notes.contains { $0.code == "modelMismatch" })
    }

    @Test func spotValues() throws {
        let tweets = try objects(try SQLiteSample.all[0].open(withModel: true)).filter {
            $0.entity == "Tweet"
        }
        #expect(tweets.count == 20)
        let scratch = try ScratchFolder()
        let copy = try scratch.copy("sqlite-stores/restkit/RKSeedDatabase.sqlite")
        for tweet in tweets.prefix(5) {
            let row = try SQLiteShell.run(
                copy,
                "SELECT ZTEXT || '|' || ZSTATUSID || '|' || ZUSER FROM ZTWEET WHERE Z_PK = \(tweet.primaryKey)"
            )
            let values = Dictionary(uniqueKeysWithValues: tweet.attributes.map { ($0.name, $0.value) })
            let user = try #require(tweet.relationships.first { $0.name == "user" })
            guard case .toOne(let key?) = user.target else { throw CancellationError() }
            #expect(
                row == "\(values["text"]?.stringValue ?? "?")|\(values["statusID"]?.integerValue ?? 0)|\(key)"
            )
            guard case .date = values["createdAt"] else { throw CancellationError() }
            guard case .boolean? = values["isFavorited"] else {
                #expect(values["isFavorited"] == ArchivedValue.none); continue
            }
        }
    }

    @Test func transformablesAreUnarchivedOrData() throws {
        let moods = try objects(try SQLiteSample.all[4].open(withModel: true)).filter {
            $0.entity.contains("Mood")
        }
        let colors = moods.compactMap { $0.attributes.first { $0.name == "colors" }?.value }
        #expect(!colors.isEmpty)
        let recipes = try objects(try SQLiteSample.all[1].open(withModel: true))
        let image = recipes.first { $0.entity == "Image" }?.attributes.first { $0.name == "image" }?.value
        #expect((image?.dataValue?.count ?? 0) > 1000)
    }

    @Test func writeAheadLogCounts() throws {
        let sample = try #require(SQLiteSample.all.last)
        #expect(try sample.open(withModel: true).objectCounts().map(\.count) == [5000])
        let scratch = try ScratchFolder()
        let alone = try scratch.copy("sqlite-stores/" + sample.store, suffixes: [""])
        let store = try SQLiteStore(alone)
        #expect(try store.objectCounts().isEmpty)
        #expect(store.notes.contains { $0.code == "walMissing" })
    }

    @Test func orderedRelationshipsFollowTheirOrder() throws {
        let scratch = try ScratchFolder()
        let copy = try scratch.copy("sqlite-stores/bookmarks/Bookmarks_V4.sqlite")
        let store = try SQLiteStore(copy)
        var lists = 0
        try store.forEachObject { object in
            guard
                case .toMany(let children)? = object.relationships.first(where: { $0.name == "children" })?
                    .target
            else { return }
            let expected = try? SQLiteShell.run(
                copy,
                "SELECT Z_PK FROM ZBOOKMARKENTITY WHERE ZPARENT = \(object.primaryKey) ORDER BY Z_FOK_PARENT, Z_PK"
            )
            #expect(children.map { "\($0)" }.joined(separator: "\n") == expected)
            lists += children.count > 1 ? 1 : 0
        }
        #expect(lists > 0)
    }

    @Test func withoutModelTheTablesTell() throws {
        let sample = SQLiteSample.all[2]
        let (guessed, known) = (try sample.open(withModel: false), try sample.open(withModel: true))
        #expect(guessed.model == nil)
        #expect(guessed.notes.contains { $0.code == "namesGuessed" })
        for (one, other) in zip(try objects(guessed), try objects(known)) {
            #expect(one.primaryKey == other.primaryKey && one.entity == other.entity)
            let names = Dictionary(one.relationships.map { ($0.name, $0.target) }) { first, _ in first }
            for relationship in other.relationships {
                guard let found = names[relationship.name.uppercased()] else { continue }
                #expect(found == relationship.target, "\(other.entity).\(relationship.name)")
            }
        }
    }

    private func objects(_ store: SQLiteStore) throws -> [StoredObject] {
        var objects: [StoredObject] = []
        try store.forEachObject { objects.append($0) }
        return objects
    }
}
