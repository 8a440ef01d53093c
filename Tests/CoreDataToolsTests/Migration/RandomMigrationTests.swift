import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore
@testable import CoreDataTools

/// Random changes of random models, with random objects: a naive migration in memory gives the same, or both refuse.
@Suite("Random migrations") struct RandomMigrationTests {
    private static let cases = LongTests.areWanted ? 2_000 : 100

    @Test func inferredMigrationEqualsNaiveOne() throws {
        let scratch = try ScratchFolder()
        var (migrated, refused, objects) = (0, 0, 0)
        for number in 0..<Self.cases {
            var random = RandomModel(RandomNumbers(UInt64(5_000 + number)))
            var old = random
            let sources = random.objects()
            old.numbers = random.numbers
            var new = old
            for _ in 0..<Int.random(in: 1...4, using: &new.numbers) {
                var changed = new
                changed.change()
                new.numbers = changed.numbers
                if changed.model.isWritable { new = changed }
            }
            guard random.model.isWritable else { continue }
            var source: any PersistentStore = MemoryStore(model: random.model, objects: sources)
            let path = scratch.path.appending("\(number).sqlite")
            if number % 3 == 0 {
                try Self.write(sources, random.model, path)
                source = try SQLiteStore(path, model: random.model)
            }
            let isRefused = try check(number, source, sources, new.model, scratch)
            if isRefused { refused += 1 } else { migrated += 1; objects += sources.count }
        }
        #expect(migrated > Self.cases / 4 && refused > Self.cases / 10 && objects > Self.cases)
    }

    private static func write(_ objects: [StoredObject], _ model: ManagedObjectModel, _ path: FilePath) throws
    {
        var writer = try SQLiteStoreWriter(creating: path, model: model)
        for object in objects { try writer.insert(object) }
        try writer.finish()
    }

    /// Compares both migrations. Returns whether they refuse.
    private func check(
        _ number: Int, _ source: any PersistentStore, _ sources: [StoredObject], _ new: ManagedObjectModel,
        _ scratch: ScratchFolder
    ) throws -> Bool {
        let old = try #require(source.model)
        let naive = NaiveMigration(old, new, sources)
        let inferred = InferredMapping(from: old, to: new)
        guard inferred.refusals.isEmpty else {
            #expect(!naive.reasons.isEmpty, "case \(number): \(inferred.refusals)")
            return true
        }
        var made: [StoredObject] = []
        let report = try Migrator(source, to: new, by: inferred.mapping)
            .migrate(onDamage: { problem throws(FileProblem) in throw problem }) { made.append($0) }
        #expect(
            (report.obstacleCount == 0) == naive.reasons.isEmpty,
            "case \(number): \(report.obstacles) and \(naive.reasons)")
        guard report.obstacleCount == 0, naive.reasons.isEmpty else { return true }
        #expect(report.migrated == naive.objects.count && report.lost == sources.count - naive.objects.count)
        let path = scratch.path.appending("\(number)-new.sqlite")
        try Self.write(made, new, path)
        var found = 0
        try SQLiteStore(path, model: new).forEachObject { object in
            found += 1
            let root = naive.root(object.entity, new)
            let expected = naive.objects[NaiveMigration.Identity(root: root, key: object.primaryKey)]
            let difference = Self.difference(object, expected, new)
            #expect(
                difference == nil,
                "case \(number): \(object.entity) \(object.primaryKey): \(difference ?? "")")
        }
        #expect(found == naive.objects.count)
        return false
    }

    private static func difference(
        _ object: StoredObject, _ expected: NaiveMigration.Object?, _ model: ManagedObjectModel
    ) -> String? {
        guard let expected, expected.entity == object.entity else { return "not expected" }
        for attribute in object.attributes {
            let value = expected.values[attribute.name] ?? .none
            if value != attribute.value { return "\(attribute) instead of \(value)" }
        }
        for relationship in object.relationships {
            let keys = relationship.target.keys
            let all = expected.links[relationship.name] ?? []
            if Set(keys) != all || keys.count != all.count { return "\(relationship) instead of \(all)" }
            let isOrdered = model.relationships(of: object.entity).contains {
                $0.name == relationship.name && $0.isOrdered
            }
            let own = expected.own[relationship.name] ?? []
            if isOrdered, !keys.starts(with: own) { return "\(relationship) instead of \(own)" }
        }
        return nil
    }
}

extension ManagedObjectModel {
    /// Whether a store can be written for the model.
    fileprivate var isWritable: Bool { firstProblem == nil && problemOfWriting == nil }
}
