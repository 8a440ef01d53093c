import Base
import KeyedArchive
import Testing

/// Values of every kind that both plain lists and archives can contain.
private let scalars: [ArchivedValue] = [
    .boolean(true), .boolean(false), .integer(0), .integer(-1), .integer(255), .integer(256),
    .integer(65_536),
    .integer(Int128(UInt32.max) + 1), .integer(Int128(Int64.max)), .integer(Int128(Int64.max) + 1),
    .integer(Int128.max), .integer(Int128.min), .real(0), .real(-0.0), .real(1.5), .real(.infinity),
    .string(""), .string("plain"), .string(String(repeating: "x", count: 300)), .string("é"),
    .string("e\u{301}"),
    .string("🔑 key"), .data([]), .data(Array(0...255)),
]

@Test(arguments: scalars)
func plainScalarsSurvive(_ value: ArchivedValue) throws {
    let list = try BinaryPropertyList(
        SharedBytes(try BinaryPropertyListWriter.bytes(of: .array([value, value]))))
    #expect(try list.value() == .array([value, value]))
    #expect(list.objectCount == 2, "equal scalars are stored once")
}

@Test(arguments: scalars)
func archivedScalarsSurvive(_ value: ArchivedValue) throws {
    let bytes = try KeyedArchiveWriter.bytes(root: .array([value, value]))
    let archive = try KeyedArchiveReader(SharedBytes(bytes))
    #expect(try archive.value(of: archive.root()) == .array([value, value]))
}

@Test func composedAndDecomposedTextStayApart() throws {
    let value = ArchivedValue.array([.string("é"), .string("e\u{301}")])
    let list = try BinaryPropertyList(SharedBytes(try BinaryPropertyListWriter.bytes(of: value)))
    #expect(list.objectCount == 3)
    let texts = try #require(try list.value().elements).compactMap(\.stringValue)
    #expect(texts.map { Array($0.utf8).count } == [2, 3])
}

@Test func foundationObjectsSurvive() throws {
    let attributes = ArchivedValue.dictionary(["NSFont": .string("Helvetica")])
    let values: [ArchivedValue] = [
        .null, .date(388_521_234.123456), .uuid(.random()), .url("http://example.com/a"),
        .url("http://example.com/ -- b"), .decimal(try #require(ArchivedDecimal(text: "-12.50"))),
        .decimal(try #require(ArchivedDecimal(text: "340282366920938463463374607431768211455"))),
        .decimal(.notANumber), .decimal(try #require(ArchivedDecimal(text: "0"))),
        .decimal(try #require(ArchivedDecimal(text: "-0.0"))),
        .set([.integer(1), .integer(2)]), .orderedSet([.string("b"), .string("a")]), .array([]),
        .array([.none, .null]),
        .dictionary(["a": .array([.dictionary([:])]), "b": .none]),
        .attributedString(
            ArchivedAttributedString(
                string: "bold 🔑", attributes: [attributes], runs: [.init(length: 7, attributes: 0)])),
        .attributedString(
            ArchivedAttributedString(
                string: String(repeating: "x", count: 500), attributes: [attributes, .dictionary([:])],
                runs: [.init(length: 300, attributes: 1), .init(length: 200, attributes: 0)])),
        .attributedString(ArchivedAttributedString(string: "", attributes: [attributes], runs: [])),
        .object(
            ArchivedObject(
                className: "MWMoney", ancestors: ["MWValue", "NSObject"],
                fields: [
                    ArchivedField("amount", .integer(1250), isInline: true),
                    ArchivedField("currency", .string("EUR")),
                ])),
    ]
    let archive = try KeyedArchiveReader(SharedBytes(try KeyedArchiveWriter.bytes(root: .array(values))))
    let back = try #require(try archive.value(of: archive.root()).elements)
    for (expected, found) in zip(values, back) { #expect(found == expected) }
    #expect(back.count == values.count)
}

/// An object whose class differs from the first name in the list of its superclasses, as occurs only in damaged and
/// hostile archives. It must not become a collection, since its fields are not those of a collection.
@Test(arguments: [
    ["NSArray", "NSObject"], ["MWList", "NSArray", "NSObject"], ["NSObject"], [],
    (0..<40).map { "MW\($0)" },
])
func contradictingClassesSurvive(_ classes: [String]) throws {
    let bytes = try BinaryPropertyListWriter.bytes(
        of: .dictionary([
            "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"),
            "$top": .dictionary(["root": .uid(1)]),
            "$objects": .array([
                .string("$null"), .dictionary(["NS.objects": .none, "$class": .uid(2)]),
                .dictionary([
                    "$classname": .string("MWList"), "$classes": .array(classes.map { .string($0) }),
                ]),
            ]),
        ]))
    let archive = try KeyedArchiveReader(SharedBytes(bytes))
    let value = try archive.value(of: archive.root())
    let ancestors = Array(classes.drop { $0 == "MWList" }.prefix(31))
    let field = ArchivedField("NS.objects", .none, isInline: true)
    #expect(value == .object(ArchivedObject(className: "MWList", ancestors: ancestors, fields: [field])))
    let again = try KeyedArchiveReader(SharedBytes(try KeyedArchiveWriter.bytes(root: value)))
    #expect(try again.value(of: again.root()) == value)
}

@Test func classesWithSpacesInTheirNamesStayApart() throws {
    let value = ArchivedValue.array([
        .object(ArchivedObject(className: "MW", ancestors: ["List", "NSObject"], fields: [])),
        .object(ArchivedObject(className: "MW List", fields: [])),
    ])
    let archive = try KeyedArchiveReader(SharedBytes(try KeyedArchiveWriter.bytes(root: value)))
    #expect(try archive.value(of: archive.root()) == value)
}

@Test func plainCollectionsSurvive() throws {
    let value = ArchivedValue.dictionary([
        "set": .set([.integer(1)]), "ordered": .orderedSet([.integer(1)]), "date": .date(-1.5),
        "uid": .uid(70_000),
        "nested": .array([.array([.array([])])]),
    ])
    let list = try BinaryPropertyList(SharedBytes(try BinaryPropertyListWriter.bytes(of: value)))
    #expect(try list.value() == value)
}

@Test(arguments: [
    ("12.50", "12.50"), ("-3", "-3"), ("1.5e3", "1500"), ("0", "0"), (".5", "0.5"), ("1e-3", "0.001"),
    ("NaN", "NaN"), ("-0.0", "0.0"),
])
func decimalsAsText(_ text: String, _ plain: String) throws {
    #expect(try #require(ArchivedDecimal(text: text)).description == plain)
}

@Test(arguments: ["", "-", "1.2.3", "abc", "1e", "340282366920938463463374607431768211456", "1e99999999"])
func noDecimals(_ text: String) { #expect(ArchivedDecimal(text: text) == nil) }

@Test func uuidText() throws {
    let uuid = try #require(ArchivedUUID(text: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"))
    #expect(uuid.description == "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")
    #expect(ArchivedUUID(text: "e621e1f8c36c495a93fc0c247a3e6e5f") == nil)
}
