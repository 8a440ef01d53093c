import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore

/// New stores of each kind from objects.
@Suite struct NewStoreTests {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Thing", isAbstract: true,
            attributes: AttributeType.allCases.filter { ![.undefined, .objectID, .composite].contains($0) }
                .map { AttributeDescription(name: "a\($0)", type: $0) },
            relationships: [
                RelationshipDescription(
                    name: "tags", destination: "Tag", inverse: "things", maxCount: 0, isOrdered: true)
            ]),
        EntityDescription(
            name: "Note", superentity: "Thing",
            attributes: [
                AttributeDescription(name: "stars", type: .integer16, defaultValue: .integer(3)),
                AttributeDescription(name: "large", type: .binary, allowsExternalStorage: true),
                AttributeDescription(
                    name: "colour", type: .transformable, valueTransformerName: "ColourTransformer"),
                AttributeDescription(name: "shown", type: .string, isTransient: true),
            ],
            relationships: [
                RelationshipDescription(name: "author", destination: "Author", inverse: "notes"),
                RelationshipDescription(name: "next", destination: "Note", inverse: "previous"),
                RelationshipDescription(name: "previous", destination: "Note", inverse: "next"),
                RelationshipDescription(
                    name: "related", destination: "Note", inverse: "related", maxCount: 0),
            ]),
        EntityDescription(
            name: "Author",
            attributes: [AttributeDescription(name: "name", type: .string)],
            relationships: [
                RelationshipDescription(
                    name: "notes", destination: "Note", inverse: "author", maxCount: 0, isOrdered: true)
            ]),
        EntityDescription(
            name: "Tag", attributes: [AttributeDescription(name: "name", type: .string)],
            relationships: [
                RelationshipDescription(name: "things", destination: "Thing", inverse: "tags", maxCount: 0)
            ]),
    ])

    static func object(
        _ entity: String, _ key: Int64, _ attributes: KeyValuePairs<String, ArchivedValue> = [:],
        _ relationships: KeyValuePairs<String, StoredRelationship.Target> = [:]
    ) -> StoredObject {
        StoredObject(
            entity: entity, primaryKey: key,
            attributes: attributes.map { StoredAttribute(name: $0.key, value: $0.value) },
            relationships: relationships.map { StoredRelationship(name: $0.key, target: $0.value) })
    }

    /// Writes objects, and reads them again.
    static func written(
        _ kind: NewStore.Kind, _ objects: [StoredObject], model: ManagedObjectModel = model,
        _ metadata: NewStoreMetadata = NewStoreMetadata(), in scratch: ScratchFolder,
        losses: ((StoreLoss) -> Void)? = nil
    ) throws -> (store: any PersistentStore, objects: [StoredObject], result: NewStoreResult) {
        let path = scratch.path.appending("new-\(kind)")
        var new = try NewStore(creating: path, kind: kind, model: model, metadata: metadata)
        for object in objects {
            if let losses { try new.insert(object) { losses($0) } } else { try new.insert(object) }
        }
        let result = try new.finish()
        let store = try PersistentStores.open(path, model: model)
        var found: [StoredObject] = []
        try store.forEachObject { found.append($0) }
        return (store, found, result)
    }

    @Test(arguments: NewStore.Kind.allCases)
    func everyTypeAndItsExtremesReadAsWritten(_ kind: NewStore.Kind) throws {
        let decimals = ["0", "-1", "12.5", "0.000001", "123456789012345", "-9223372036854775808"]
        let archived = ArchivedValue.dictionary(["a": .array([.string("x"), .date(1), .data([1, 2])])])
        let values: [AttributeType: [ArchivedValue]] = [
            .integer16: [.integer(-32768), .integer(32767), .integer(0)],
            .integer32: [.integer(Int128(Int32.min)), .integer(Int128(Int32.max))],
            .integer64: [.integer(Int128(Int64.min)), .integer(Int128(Int64.max))],
            .boolean: [.boolean(true), .boolean(false)],
            .decimal: try decimals.map { .decimal(try #require(ArchivedDecimal(text: $0))) },
            .double: [.real(.greatestFiniteMagnitude), .real(.leastNonzeroMagnitude), .real(-0.1), .real(5)],
            .float: [
                .real(Double(Float.greatestFiniteMagnitude)), .real(Double(Float(19.6))), .real(-3),
                .real(Double(Float.leastNonzeroMagnitude)),
            ],
            .date: [
                .date(ArchivedValue.distantPast), .date(ArchivedValue.distantFuture), .date(1e300),
                .date(-1e-300), .date(336046917.00164199),
            ],
            .string: XMLStoreWriterTests.strings.map { .string($0) },
            .binary: [
                .data([]), .data([0]), .data([1, 2, 3]), .data([UInt8](repeating: 7, count: 200_000)),
            ],
            .uuid: [.uuid(.random())],
            .uri: [.url("http://example.com/?a=1&b=<\\>"), .url("")],
            .transformable: [archived, .string("<\\\u{1}"), .data([1, 2, 3])],
        ]
        var objects: [StoredObject] = []
        for (type, all) in values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for value in all {
                let key = Int64(objects.count + 1)
                var object = Self.object("Note", key, ["a\(type)": value])
                if type == .binary { object.attributes.append(StoredAttribute(name: "large", value: value)) }
                objects.append(object)
            }
        }
        let scratch = try ScratchFolder()
        let (store, found, result) = try Self.written(kind, objects, in: scratch)
        #expect(result.objects == objects.count && found.count == objects.count && result.renumbered == 0)
        for (given, read) in zip(objects, found) {
            #expect(read.primaryKey == given.primaryKey)
            for attribute in given.attributes {
                let value = read.attributes.first { $0.name == attribute.name }?.value
                #expect(value.map(spelling) == spelling(attribute.value), "\(attribute.name)")
            }
            #expect(read.attributes.first { $0.name == "stars" }?.value == .integer(3))
            #expect(read.attributes.count { !$0.value.isNil } == given.attributes.count + 1)
        }
        var problems = 0
        try store.reportStrayRows { _ in problems += 1 }
        #expect(problems == 0 && store.gaps.isEmpty)
    }

    /// Strings that Swift calls equal, and zeros, can differ.
    private func spelling(_ value: ArchivedValue) -> [UInt8] {
        switch value {
        case .string(let text), .url(let text): Array(text.utf8)
        default: Array("\(value)".utf8)
        }
    }

    @Test(arguments: NewStore.Kind.allCases)
    func eitherSideOfARelationshipIsEnough(_ kind: NewStore.Kind) throws {
        let objects = [
            Self.object(
                "Note", 1, [:], ["author": .toOne(2), "tags": .toMany([3, 1, 2]), "next": .toOne(2)]),
            Self.object("Note", 2, [:], ["related": .toMany([3])]),
            Self.object("Note", 3, [:], ["previous": .toOne(2)]),
            Self.object("Author", 1, [:], ["notes": .toMany([3, 2])]),
            Self.object("Author", 2),
            Self.object("Tag", 1), Self.object("Tag", 2),
            Self.object("Tag", 3, [:], ["things": .toMany([2])]),
        ]
        let scratch = try ScratchFolder()
        let (_, found, result) = try Self.written(kind, objects, in: scratch)
        #expect(result.dangling.isEmpty && result.contradictions.isEmpty)
        var all: [String: [Int64: StoredObject]] = [:]
        for object in found { all[object.entity, default: [:]][object.primaryKey] = object }
        // Keys are only unique in a root entity of SQLite.
        #expect(result.renumbered == (kind == .sqlite ? 0 : 5))
        let order = ["Note", "Author", "Tag"].map { all[$0]?.keys.sorted() ?? [] }
        #expect(order[0] == [1, 2, 3])
        func keys(_ entity: String, _ key: Int64, _ name: String) -> [Int64]? {
            all[entity]?[key]?.relationships.first { $0.name == name }?.target.targetKeys
        }
        let (author, tag) = (order[1], order[2])
        #expect(keys("Note", 1, "author") == [author[1]] && keys("Note", 2, "author") == [author[0]])
        #expect(keys("Author", author[0], "notes") == [3, 2] && keys("Author", author[1], "notes") == [1])
        #expect(keys("Note", 1, "tags") == [tag[2], tag[0], tag[1]] && keys("Note", 2, "tags") == [tag[2]])
        #expect(keys("Tag", tag[2], "things")?.sorted() == [1, 2] && keys("Tag", tag[1], "things") == [1])
        #expect(keys("Note", 2, "previous") == [1] && keys("Note", 2, "next") == [3])
        #expect(keys("Note", 3, "related") == [2] && keys("Note", 2, "related") == [3])
    }

    /// An entity without objects makes no missing reference of nil.
    @Test(arguments: NewStore.Kind.allCases)
    func nilReferenceToAnEmptyEntityIsNotDropped(_ kind: NewStore.Kind) throws {
        let scratch = try ScratchFolder()
        let (_, _, result) = try Self.written(kind, [Self.object("Note", 1)], in: scratch)
        #expect(result.dangling.isEmpty)
    }

    @Test(arguments: NewStore.Kind.allCases)
    func referencesWithoutObjectAreDroppedAndCounted(_ kind: NewStore.Kind) throws {
        let objects = [
            Self.object("Note", 1, [:], ["author": .toOne(9), "tags": .toMany([8, 3]), "next": .toOne(77)]),
            Self.object("Author", 4, [:], ["notes": .toMany([1, 6, 2])]),
            Self.object("Author", 5, [:], ["notes": .toMany([2, 1])]),
            Self.object("Note", 2, [:], ["author": .toOne(5)]),
            Self.object("Tag", 3, [:], ["things": .toMany([1, 50])]),
        ]
        let scratch = try ScratchFolder()
        let (_, found, result) = try Self.written(kind, objects, in: scratch)
        #expect(
            result.dangling == [
                "Note.author": 1, "Thing.tags": 1, "Note.next": 1, "Author.notes": 1, "Tag.things": 1,
            ])
        #expect(result.contradictions == ["Author.notes": 2])
        let owners = found.filter { $0.entity == "Note" }.map { note in
            note.relationships.first { $0.name == "author" }?.target
        }
        #expect(owners == [.toOne(4), .toOne(5)])
        let notes = found.filter { $0.entity == "Author" }.map { $0.relationships[0].target }
        #expect(notes == [.toMany([1]), .toMany([2])])
    }

    /// What each kind cannot contain; the object itself is written.
    @Test(arguments: NewStore.Kind.allCases)
    func valuesThatAKindCannotContainAreNamed(_ kind: NewStore.Kind) throws {
        let long = try #require(ArchivedDecimal(text: "12345678901234567890.123456789"))
        let object = Self.object(
            "Note", 1,
            [
                "adouble": .real(.nan), "afloat": .real(.infinity), "adate": .date(.nan),
                "adecimal": .decimal(long), "astring": .data([1]), "ainteger16": .integer(40_000),
                "aboolean": .integer(2), "large": .missing(externalFile: "x"), "atransformable": .cycle,
                "colour": .string("red"), "more": .integer(1), "none": .none,
            ], ["author": .toMany([1, 2]), "unknown": .toOne(1), "nobody": .toOne(nil)])
        let scratch = try ScratchFolder()
        var losses: [String: StoreLoss.Kind] = [:]
        let (_, found, _) = try Self.written(kind, [object], in: scratch) { losses[$0.property] = $0.kind }
        var expected: [String: StoreLoss.Kind] = [
            "astring": .wrongType, "ainteger16": .wrongType, "aboolean": .rounded, "large": .missingFile,
            "atransformable": .notArchivable, "colour": .transformer, "more": .unknownProperty,
            "author": .wrongType, "unknown": .unknownProperty,
        ]
        if kind != .binary { expected["adouble"] = .notFinite }
        if kind != .binary { expected["adate"] = .notFinite }
        if kind == .xml { expected["afloat"] = .notFinite }
        if kind == .sqlite { expected["adecimal"] = .rounded }
        #expect(losses == expected)
        #expect(found.count == 1)
        #expect(throws: FileProblem.self) {
            try Self.written(kind, [object], in: try ScratchFolder())
        }
    }

    @Test(arguments: NewStore.Kind.allCases)
    func objectsWithoutEntityOrKeyAreRefused(_ kind: NewStore.Kind) throws {
        for objects in [
            [Self.object("Thing", 1)], [Self.object("Other", 1)], [Self.object("Note", 0)],
            [Self.object("Note", -5)], [Self.object("Note", 2), Self.object("Note", 2)],
        ] {
            let problem = #expect(throws: FileProblem.self) {
                try Self.written(kind, objects, in: try ScratchFolder())
            }
            #expect(problem?.kind == .refused)
        }
    }

    @Test(arguments: NewStore.Kind.allCases)
    func metadataOfTheAppAreKept(_ kind: NewStore.Kind) throws {
        let uuid = ArchivedUUID.random()
        let pairs = [
            ArchivedPair(key: .string("CFBundleVersion"), value: .string("1 < 2 & 3")),
            ArchivedPair(key: .string("seed"), value: .dictionary(["n": .integer(7), "d": .data([1, 2])])),
            ArchivedPair(key: .string("day"), value: .date(86_400)),
        ]
        let scratch = try ScratchFolder()
        let (store, _, _) = try Self.written(
            kind, [], NewStoreMetadata(identifier: uuid, appPairs: pairs), in: scratch)
        #expect(store.metadata.uuid == uuid.description && store.metadata.appPairs == pairs)
        #expect(store.metadata.versionHashes == Self.model.versionHashes)
        #expect(store.metadata.frameworkVersion == 419 && store.metadata.versionIdentifiers == [""])
        let type: [NewStore.Kind: String] = [.sqlite: "SQLite", .binary: "Binary"]
        #expect(store.metadata.all["NSStoreType"]?.stringValue == type[kind])
        #expect((store.metadata.all["_NSAutoVacuumLevel"] != nil) == (kind == .sqlite))
        let kept = NewStoreMetadata(keeping: store.metadata)
        #expect(kept.identifier == uuid && kept.appPairs == pairs)
        let odd = NewStoreMetadata(appPairs: [ArchivedPair(key: .string("x"), value: .uuid(uuid))])
        #expect(odd.unwritableKeys(in: kind) == (kind == .binary ? [] : ["x"]))
    }

    /// Every store of the samples becomes each kind, and reads the same.
    @Test(
        .enabled(if: Samples.available, "needs the samples"), arguments: SQLiteSample.all,
        NewStore.Kind.allCases)
    func everySampleIsTheSameInEachKind(_ sample: SQLiteSample, _ kind: NewStore.Kind) throws {
        let original = try sample.open(withModel: true)
        let model = try #require(original.model)
        var expected: [StoredObject] = []
        try original.withTransformedData().forEachObject { expected.append($0) }
        let scratch = try ScratchFolder()
        var losses: [StoreLoss] = []
        let (store, found, result) = try Self.written(
            kind, expected, model: model, NewStoreMetadata(keeping: original.metadata), in: scratch
        ) { losses.append($0) }
        // The transformers of some apps are unknown, and a binary store should contain their objects.
        let doubts: Set<StoreLoss.Kind> = kind == .binary ? [.transformer, .untransformed] : []
        #expect(Set(losses.map(\.kind)).isSubset(of: doubts))
        #expect(result.dangling.isEmpty && result.contradictions.isEmpty)
        #expect(found.count == expected.count)
        #expect(store.metadata.uuid == original.metadata.uuid)
        #expect(store.metadata.versionHashes == original.metadata.versionHashes)
        #expect(store.metadata.appPairs == original.metadata.appPairs)
        var objects: [StoredObject] = []
        try original.forEachObject { objects.append($0) }
        #expect(Self.signatures(found, model) == Self.signatures(objects, model))
        if result.renumbered == 0 {
            #expect(Set(found.map(\.primaryKey)) == Set(objects.map(\.primaryKey)))
        }
    }

    /// Each object with its values and those of its destination objects, but without keys, which may change.
    static func signatures(_ objects: [StoredObject], _ model: ManagedObjectModel) -> [String] {
        var values: [String: String] = [:]
        for object in objects {
            let attributes = object.attributes.map(\.known).sorted { $0.name < $1.name }
            values["\(model.rootEntity(of: object.entity)?.name ?? "") \(object.primaryKey)"] =
                "\(object.entity) \(attributes.map { "\($0.name)=\($0.value)" })"
        }
        return objects.map { object in
            let own = values["\(model.rootEntity(of: object.entity)?.name ?? "") \(object.primaryKey)"] ?? ""
            let described = model.relationships(of: object.entity)
            let related = object.relationships.map { relationship in
                let description = described.first { $0.name == relationship.name }
                let root = model.rootEntity(of: description?.destination ?? "")?.name ?? ""
                let targets = relationship.target.targetKeys.map { values["\(root) \($0)"] ?? "none" }
                return "\(relationship.name): \(description?.isOrdered == true ? targets : targets.sorted())"
            }
            return own + related.sorted().joined()
        }.sorted()
    }
}

extension StoredAttribute {
    /// The attribute with one form of nil.
    fileprivate var known: StoredAttribute {
        StoredAttribute(name: name, value: value.isNil ? .null : value)
    }
}

extension NewStoreTests {
    /// 10,000 random objects become each kind in turn, and are the same at the end.
    @Test func randomObjectsAreTheSameInEveryKind() throws {
        var random = RandomNumbers(43)
        func keys(_ count: Int64, _ most: Int) -> [Int64] {
            let chosen = (0..<Int.random(in: 0...most, using: &random)).map { _ in
                Int64.random(in: 1...count, using: &random)
            }
            return Array(Set(chosen)).sorted().shuffled(using: &random)
        }
        var objects: [StoredObject] = []
        for key in 1...Int64(7_000) {
            var note = Self.object(
                "Note", key,
                [
                    "astring": .string(
                        XMLStoreWriterTests.strings.dropLast().randomElement(using: &random) ?? ""),
                    "ainteger64": .integer(Int128(Int64.random(in: .min ... .max, using: &random))),
                    "adouble": .real(Double.random(in: -1e9...1e9, using: &random)),
                    "afloat": .real(Double(Float.random(in: -1e9...1e9, using: &random))),
                    "adate": .date(Double.random(in: -1e9...1e9, using: &random)),
                    "aboolean": .boolean(.random(using: &random)),
                    "auuid": .uuid(.random(using: &random)),
                    "large": .data(
                        (0..<Int.random(in: 0...50, using: &random)).map { _ in
                            UInt8.random(in: .min ... .max, using: &random)
                        }),
                    "stars": Bool.random(using: &random) ? .none : .integer(5),
                    "atransformable": .array([.string("\(key)"), .integer(Int128(key))]),
                ],
                [
                    "tags": .toMany(keys(1_500, 6)), "related": .toMany(keys(7_000, 3)),
                    "author": .toOne(keys(1_500, 1).first),
                ])
            note.attributes.removeAll { _ in Int.random(in: 0..<8, using: &random) == 0 }
            objects.append(note)
        }
        for key in 1...Int64(1_500) {
            objects.append(Self.object("Author", key, ["name": .string("a\(key)")]))
        }
        for key in 1...Int64(1_500) { objects.append(Self.object("Tag", key, ["name": .string("t\(key)")])) }
        objects.shuffle(using: &random)
        var scratches: [ScratchFolder] = []
        var expected: [String] = []
        for kind in [NewStore.Kind.sqlite, .xml, .binary, .sqlite, .binary, .xml] {
            let scratch = try ScratchFolder()
            scratches.append(scratch)
            let (store, found, result) = try Self.written(kind, objects, in: scratch)
            #expect(result.objects == 10_000 && result.dangling.isEmpty && result.contradictions.isEmpty)
            let signatures = Self.signatures(found, Self.model)
            if expected.isEmpty { expected = signatures }
            #expect(signatures == expected, "\(kind)")
            objects = []
            try store.withTransformedData().forEachObject { objects.append($0) }
        }
    }

    @Test func modelWithMoreTablesThanCanBeReadIsRefusedAtOnce() throws {
        let scratch = try ScratchFolder()
        let model = ManagedObjectModel(entities: (0..<6_000).map { EntityDescription(name: "E\($0)") })
        #expect {
            _ = try NewStore(
                creating: scratch.path.appending("new.sqlite"), kind: .sqlite, model: model,
                metadata: NewStoreMetadata())
        } throws: {
            ($0 as? FileProblem)?.kind == .limit && ($0 as? FileProblem)?.found == "6000 tables"
        }
        #expect(try FileStatus.ifPresent(scratch.path.appending("new.sqlite")) == nil)
    }
}
