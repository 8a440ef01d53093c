@testable import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemPackage
@testable import TestSupport

/// Mapping models of both forms: read, shown, and carried out on the copies of models in them, or on two small ones.
@Sendable func readMapping(_ bytes: SharedBytes) throws {
    let model = try MappingModel.model(bytes, path: "fuzz")
    for entity in model.entities {
        for property in entity.attributes + entity.relationships {
            _ = property.expression.map { ($0.text, $0.problem) }
        }
    }
    let small = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Note", attributes: [AttributeDescription(name: "text", type: .string)],
            relationships: [RelationshipDescription(name: "notes", destination: "Note", maxCount: 0)])
    ])
    let mapping = try model.mapping(
        from: model.sourceModel ?? small, to: model.destinationModel ?? small)
    for entity in mapping.entities where entity.source == nil {
        if entity.destination == nil { finding("a mapping of nothing") }
    }
}

/// An expression of a migration: what is read is printed, and read again as the same.
@Sendable func readExpression(_ bytes: SharedBytes) throws {
    let text = String(decoding: bytes.array, as: UTF8.self)
    _ = try? MigrationOverrides.Setting(parsing: text)
    _ = try? MigrationOverrides.Renaming(parsing: text)
    let expression = try MigrationExpression(parsing: text)
    guard (try? MigrationExpression(parsing: expression.text)) == expression else {
        finding("printed as \(expression.text)")
    }
    _ = try? evaluate(expression)
}

/// The value of an expression in which every key path leads to a number, a text or nil by its length.
private func evaluate(_ expression: MigrationExpression) throws -> ArchivedValue {
    switch expression {
    case .constant(let value): return value
    case .source(let path):
        return [.integer(Int128.max), .string("7"), .none, .real(1e308)][path.joined().utf8.count % 4]
    case .destinations: return .none
    case .function(let function, let arguments): return try function.apply(arguments.map(evaluate))
    case .conditional(_, let first, let second):
        _ = try? evaluate(first)
        return try evaluate(second)
    }
}

@Sendable func expressionSeeds() -> [[UInt8]] {
    [
        "a + b.c * -2.5 / ($source.d - 1)", "concat(lowercase(a), 'x\\n', CAST(stars, \"NSString\"))",
        "stars > 3 AND a BEGINSWITH 'x' ? CAST('2013-05-01T12:00:00Z', 'NSDate') : nil",
        "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"A\", $source.b)",
        "TERNARY(a == nil, CAST('1.50', 'NSDecimalNumber'), FUNCTION($source, 'valueForKeyPath:', 'a.b'))",
        "Note.text = uppercase(title)", "Note.old=new",
    ].map { Array($0.utf8) }
}

@Sendable func mappingSeeds() throws -> [[UInt8]] {
    typealias Made = CompiledMapping
    let condition = Made.comparison("text", type: 8, Made.constant(.string("x")), options: 3)
    let compiled = try Made.bytes([
        Made.entity(
            "NoteToNote", kind: 5, from: "Note", to: "Note", fetch: Made.fetch("Note", "text != nil"),
            attributes: [
                (
                    "text",
                    Made.ternary(
                        condition, Made.path("text"), Made.predefined("uppercase:", [Made.path("text")]))
                )
            ],
            relationships: [
                (
                    "notes",
                    Made.function(
                        Made.variable("manager"),
                        "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
                        [
                            Made.constant(.string("notes")),
                            Made.function(
                                Made.variable("source"), "valueForKey:", [Made.constant(.string("notes"))]),
                        ])
                )
            ])
    ])
    let expression = Base64.text(
        try KeyedArchiveWriter.bytes(root: Made.path("text")))
    let source = """
        <?xml version="1.0"?><database><databaseInfo><metadata><plist version="1.0"><dict>\
        <key>NSStoreModelVersionHashes</key><dict><key>XDDevMappingModel</key><data>AAAA</data>\
        <key>XDDevEntityMapping</key><data>AAAA</data><key>XDDevAttributeMapping</key><data>AAAA</data>\
        <key>XDDevRelationshipMapping</key><data>AAAA</data></dict></dict></plist></metadata></databaseInfo>\
        <object type="XDDEVMAPPINGMODEL" id="z102"></object><object type="XDDEVENTITYMAPPING" id="z103">\
        <attribute name="sourcename" type="string">Note</attribute>\
        <attribute name="destinationname" type="string">Note</attribute>\
        <attribute name="sourcefilterpredicatestring" type="string">text == "a"</attribute>\
        <attribute name="autogenerateexpression" type="bool">1</attribute></object>\
        <object type="XDDEVATTRIBUTEMAPPING" id="z104"><attribute name="name" type="string">text</attribute>\
        <attribute name="valueexpressiondata" type="binary">\(expression)</attribute>\
        <relationship name="entitymapping" type="1/1" destination="XDDEVENTITYMAPPING" idrefs="z103"></relationship>\
        </object><object type="XDDEVRELATIONSHIPMAPPING" id="z105"><attribute name="name" type="string">notes\
        </attribute><attribute name="autogenerateexpression" type="bool">1</attribute>\
        <relationship name="entitymapping" type="1/1" destination="XDDEVENTITYMAPPING" idrefs="z103"></relationship>\
        </object></database>
        """
    return [compiled, try Made.bytes([]), Array(source.utf8)]
}
