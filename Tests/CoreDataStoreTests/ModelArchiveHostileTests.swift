import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import Testing

@testable import CoreDataStore

/// Makes compiled models that no compiler would make.
private struct ArchiveBuilder {
    private var writer = KeyedArchiveWriter()

    mutating func text(_ text: String) throws -> KeyedArchiveWriter.UID {
        try writer.add(scalar: .string(text))
    }

    mutating func object(
        _ name: String, _ fields: [(name: String, value: KeyedArchiveWriter.Field)]
    ) throws -> KeyedArchiveWriter.UID {
        try writer.add(class: [name, "NSObject"], fields: fields)
    }

    mutating func dictionary(
        _ pairs: [(String, KeyedArchiveWriter.UID)]
    ) throws -> KeyedArchiveWriter.UID {
        let keys = try pairs.map { try text($0.0) }
        return try object(
            "NSDictionary", [("NS.keys", .references(keys)), ("NS.objects", .references(pairs.map(\.1)))])
    }

    /// A model of these entities.
    mutating func model(_ entities: [(String, KeyedArchiveWriter.UID)]) throws -> [UInt8] {
        let dictionary = try dictionary(entities)
        let model = try object("NSManagedObjectModel", [("NSEntities", .reference(dictionary))])
        return try writer.finish(top: [("root", model)])
    }

    mutating func entity(
        _ name: String, above: KeyedArchiveWriter.UID = .none, properties: KeyedArchiveWriter.UID = .none
    ) throws -> KeyedArchiveWriter.UID {
        try object(
            "NSEntityDescription",
            [
                ("NSEntityName", .reference(try text(name))), ("NSSuperentity", .reference(above)),
                ("NSProperties", .reference(properties)),
            ])
    }

    mutating func property(_ kind: String, _ fields: [(String, ArchivedValue)]) throws
        -> KeyedArchiveWriter.UID
    {
        try object(kind, fields.map { ($0.0, .inline($0.1)) })
    }
}

@Suite("Hostile model archives") struct ModelArchiveHostileTests {
    private func refusal(_ bytes: [UInt8]) -> FileProblem? {
        #expect(throws: FileProblem.self) { try ModelFile.model(SharedBytes(bytes), path: "model") }
    }

    @Test func aSoundOneIsRead() throws {
        var builder = ArchiveBuilder()
        let attribute = try builder.property(
            "NSAttributeDescription",
            [("NSPropertyName", .string("a")), ("NSAttributeType", .integer(700)), ("_P", .integer(3))])
        let properties = try builder.dictionary([("a", attribute)])
        let above = try builder.entity("A", properties: properties)
        let below = try builder.entity("B", above: above, properties: properties)
        let bytes = try builder.model([("A", above), ("B", below)])
        let model = try ModelFile.model(SharedBytes(bytes), path: "model")
        #expect(model["A"]?.attributes == [AttributeDescription(name: "a", type: .string)])
        #expect(model["B"]?.attributes.isEmpty == true)
        #expect(model.attributes(of: "B").map(\.name) == ["a"])
    }

    @Test func inheritanceInACircle() throws {
        var builder = ArchiveBuilder()
        let stub = try builder.entity("B")
        let first = try builder.entity("A", above: stub)
        let second = try builder.entity("B", above: first)
        let problem = refusal(try builder.model([("A", first), ("B", second)]))
        #expect(problem?.problem.contains("inherits from itself") == true)
    }

    @Test func namesThatAreMissingOrDouble() throws {
        var builder = ArchiveBuilder()
        let nameless = try builder.object("NSEntityDescription", [])
        #expect(refusal(try builder.model([("A", nameless)]))?.expected == "an entity with a name")
        builder = ArchiveBuilder()
        let entity = try builder.entity("A")
        #expect(
            refusal(try builder.model([("A", entity), ("B", entity)]))?.problem.contains("two entities")
                == true)
    }

    @Test(arguments: [
        ("NSAttributeDescription", "NSAttributeType", 701), ("NSRelationshipDescription", "NSDeleteRule", 9),
        ("NSColor", "x", 1),
    ]) func propertiesOfNoKnownKind(_ kind: String, _ field: String, _ number: Int) throws {
        var builder = ArchiveBuilder()
        let property = try builder.property(
            kind,
            [
                ("NSPropertyName", .string("p")), ("_NSDestinationEntityName", .string("A")),
                (field, .integer(Int128(number))),
            ])
        let properties = try builder.dictionary([("p", property)])
        let entity = try builder.entity("A", properties: properties)
        let below = try builder.entity("B", above: entity, properties: properties)
        let bytes = try builder.model([("A", entity), ("B", below)])
        let model = try ModelFile.model(SharedBytes(bytes), path: "model")
        #expect(model["A"]?.propertyNames == [] && model["A"]?.unreadProperties.map(\.name) == ["p"])
        // The subentity inherits it.
        #expect(model["B"]?.unreadProperties == [])
        #expect(model.versionHashObstacle(of: "B")?.contains("“p”") == true)
    }

    /// A model of Core Data uses -1 for no limit.
    @Test func relationshipsWithoutLimit() throws {
        var builder = ArchiveBuilder()
        let relationship = try builder.property(
            "NSRelationshipDescription",
            [
                ("NSPropertyName", .string("r")), ("_NSDestinationEntityName", .string("A")),
                ("NSMaxCount", .integer(-1)),
            ])
        let entity = try builder.entity("A", properties: try builder.dictionary([("r", relationship)]))
        let model = try ModelFile.model(SharedBytes(try builder.model([("A", entity)])), path: "model")
        #expect(model["A"]?.relationships.map(\.isToMany) == [true] && model["A"]?.unreadProperties == [])
    }

    /// Thousands of entities that share thousands of properties: a small file with a huge model.
    @Test func whatIsSharedIsCounted() throws {
        var builder = ArchiveBuilder()
        var pairs: [(String, KeyedArchiveWriter.UID)] = []
        let property = try builder.property(
            "NSFetchedPropertyDescription", [("NSPropertyName", .string("p"))])
        for number in 0..<70_000 { pairs.append(("p\(number % 7)", property)) }
        let properties = try builder.dictionary(pairs)
        var entities: [(String, KeyedArchiveWriter.UID)] = []
        for number in 0..<50 {
            entities.append(("E\(number)", try builder.entity("E\(number)", properties: properties)))
        }
        let bytes = try builder.model(entities)
        let start = ContinuousClock.now
        #expect(refusal(bytes)?.found == "too many objects")
        #expect(ContinuousClock.now - start < .seconds(60))
    }
}
