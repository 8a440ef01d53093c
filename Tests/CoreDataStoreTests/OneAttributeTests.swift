import CoreDataStore
import KeyedArchive
import TestSupport
import Testing

/// Compares one text of every object with that of whole objects.
@Suite(.enabled(if: Samples.available, "needs the samples"), .enabled(if: SQLiteShell.available))
struct OneAttributeTests {
    @Test(arguments: SQLiteSample.all, [true, false])
    func textsAreThoseOfTheObjects(_ sample: SQLiteSample, withModel: Bool) throws {
        let store = try sample.open(withModel: withModel)
        var expected: [String: [String: [String?]]] = [:]
        try store.forEachObject { object in
            for attribute in object.attributes {
                guard attribute.value.isNil || attribute.value.stringValue != nil else { continue }
                expected[attribute.name, default: [:]][object.entity, default: []].append(
                    attribute.value.stringValue)
            }
        }
        let names = expected.filter { $0.value.values.contains { $0.contains { $0 != nil } } }.keys
        #expect(!names.isEmpty)
        for name in names {
            var found: [String: [String?]] = [:]
            try store.forEachText(of: name.lowercased()) { entity, _, text in
                found[entity, default: []].append(text)
            }
            for (entity, texts) in expected[name] ?? [:] {
                #expect(Set(found[entity] ?? []) == Set(texts), "\(entity).\(name)")
                #expect(found[entity]?.count == texts.count, "\(entity).\(name)")
            }
        }
        try store.forEachText(of: "no such attribute") { _, _, _ in Issue.record("there is none") }
    }

    @Test(arguments: SQLiteSample.all)
    func superentitiesAreThoseOfTheModel(_ sample: SQLiteSample) throws {
        let store = try sample.open(withModel: true)
        let model = try #require(store.model)
        for entity in store.entityNames {
            let line = model.ancestry(of: entity).map(\.name)
            #expect(store.superentities[entity] == line.dropLast().last, "\(entity)")
        }
    }
}
