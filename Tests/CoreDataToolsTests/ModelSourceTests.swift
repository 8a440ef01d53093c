import Base
import CoreDataStore
import CoreDataTools
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Models as sources of Xcode, read back.
@Suite("Sources of models") struct ModelSourceTests {
    private static let path: FilePath = "Model.mom"

    private func again(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
        let source = try ModelSource(model, path: Self.path)
        return try ModelFile.model(SharedBytes(Array(source.text.utf8)), path: "contents")
    }

    /// A source has one version identifier, and none if the model has an empty one.
    private func comparable(_ model: ManagedObjectModel) -> ManagedObjectModel {
        ManagedObjectModel(
            entities: model.entities, versionIdentifiers: Array(model.versionIdentifiers.prefix(1)),
            configurations: model.configurations, fetchRequests: model.fetchRequests)
    }

    @Test(.enabled(if: Samples.available, "needs the samples"), arguments: Samples.modelFiles)
    func everySampleReadsAsItWas(_ file: String) throws {
        let model = try ModelFile.load(Samples.path(file))
        #expect(try again(model) == comparable(model))
    }

    @Test(
        .enabled(if: Samples.available, "needs the samples"),
        arguments: [
            "history/NoteStore.sqlite", "history/knowledgec-10.13.db", "free-pages/CLSLocationCache.sqlite",
            "moody/Moody-2.moody", "moody/Moody-4.moody", "bookmarks/Bookmarks_V4.sqlite",
        ])
    func everyEmbeddedModelReadsAsItWas(_ store: String) throws {
        let opened = try SQLiteStore(Samples.path("sqlite-stores/" + store))
        let model = try #require(opened.model)
        let read = try again(model)
        #expect(read == comparable(model))
        #expect(VersionHashComparison(model: read, storeHashes: opened.metadata.versionHashes).fits)
    }

    @Test(.enabled(if: Samples.available, "needs the samples"))
    func configurationsAndFetchRequests() throws {
        let store = try SQLiteStore(Samples.path("sqlite-stores/history/knowledgec-10.13.db"))
        let model = try #require(store.model)
        #expect(model.configurations.map(\.name) == ["CloudKit", "Local"])
        #expect(model.configurations[0].entities == ["AdditionChangeSet", "DeletionChangeSet"])
        let other = try ModelFile.load(Samples.path("binary-stores/models/DayMap_9.xcdatamodel_contents"))
        let names = ["AllProjects", "CompletedProjects", "UncompletedProjects"]
        #expect(other.fetchRequests.map(\.name) == names)
        #expect(
            other.fetchRequests.first?.predicate == "isInbox == 0"
                && other.fetchRequests[0].entity == "Project")
    }

    /// Every characteristic of a property that a source can express.
    @Test func everyFieldIsKept() throws {
        let attributes = AttributeType.allCases.filter { $0 != .objectID && $0 != .composite }.map { type in
            AttributeDescription(
                name: "a\(type)", type: type, isOptional: type.rawValue % 200 == 0,
                isTransient: type == .undefined, isReadOnly: type == .date, isIndexed: type == .string,
                defaultValue: Self.defaults[type],
                valueTransformerName: type == .transformable ? "A <Transformer>" : nil,
                allowsExternalStorage: type == .binary, preservesValueInHistory: type == .uuid,
                versionHashModifier: type == .double ? "2" : nil,
                renamingIdentifier: type == .float ? "old \"float\" & more\n\tand\r" : nil)
        }
        let model = ManagedObjectModel(
            entities: [
                EntityDescription(
                    name: "Above", className: "Thing", isAbstract: true, attributes: attributes,
                    versionHashModifier: "x", renamingIdentifier: "Before",
                    uniquenessConstraints: [["astring", "adate"], ["auuid"]],
                    compoundIndexes: [["adate", "auri"]],
                    fetchIndexes: [FetchIndex(name: "by'date", properties: ["adate", "astring"])]),
                EntityDescription(
                    name: "Below", superentity: "Above",
                    attributes: [
                        AttributeDescription(
                            name: "sum", type: .integer64, isDerived: true,
                            derivationExpression: "links.@count")
                    ],
                    relationships: [
                        RelationshipDescription(
                            name: "links", destination: "Below", inverse: "back", minCount: 2, maxCount: 7,
                            isOrdered: true, deleteRule: .deny, isOptional: false, versionHashModifier: "y",
                            renamingIdentifier: "before"),
                        RelationshipDescription(
                            name: "back", destination: "Below", inverse: "links", deleteRule: .cascade,
                            isReadOnly: true),
                        RelationshipDescription(
                            name: "many", destination: "Above", maxCount: -1, deleteRule: .noAction),
                    ], fetchedProperties: ["found"]),
            ], versionIdentifiers: ["1.0"],
            configurations: [ModelConfiguration(name: "A&B", entities: ["Below", "Above"])],
            fetchRequests: [
                FetchRequestTemplate(name: "All", entity: "Below", predicate: "sum > 1 AND sum < 3")
            ])
        #expect(try again(model) == model)
        #expect(try again(model).versionHashes == model.versionHashes)
        let omissions = try ModelSource(model, path: Self.path).omissions
        #expect(omissions == ["the fetch request of the fetched property Below.found"])
    }

    private static let defaults: [AttributeType: ArchivedValue] = [
        .integer16: .integer(-7), .integer64: .integer(1 << 62), .double: .real(0.1), .float: .real(-1e300),
        .decimal: .decimal(ArchivedDecimal(mantissa: 12345, exponent: -3, isNegative: true)),
        .string: .string("<'\"&>\n  ä€😀 "), .boolean: .boolean(true), .date: .date(-1.25),
        .uri: .url("https://a.b/?c&d"),
    ]

    /// Names that are not XML are refused, never changed.
    @Test(arguments: ["a\u{0}b", "a\u{1B}b", "a\u{FFFE}"]) func impossibleNamesAreRefused(_ name: String)
        throws
    {
        let model = ManagedObjectModel(entities: [
            EntityDescription(name: "E", attributes: [AttributeDescription(name: name, type: .string)])
        ])
        let problem = #expect(throws: FileProblem.self) { try ModelSource(model, path: Self.path) }
        #expect(problem?.kind == .unsupported)
    }

    /// A characteristic that a source cannot express is refused if it changes the version hash, and otherwise reported.
    @Test func typesWithoutANameInSources() throws {
        func model(_ attribute: AttributeDescription) -> ManagedObjectModel {
            ManagedObjectModel(entities: [EntityDescription(name: "E", attributes: [attribute])])
        }
        let stored = model(AttributeDescription(name: "id", type: .objectID))
        #expect(throws: FileProblem.self) { try ModelSource(stored, path: Self.path) }
        let transient = model(AttributeDescription(name: "id", type: .objectID, isTransient: true))
        #expect(try ModelSource(transient, path: Self.path).omissions.count == 1)
        let data = model(AttributeDescription(name: "d", type: .binary, defaultValue: .data([1])))
        #expect(try ModelSource(data, path: Self.path).omissions == ["the default value of E.d"])
    }

    /// Random models have the same version hashes after a round trip.
    @Test func randomModels() throws {
        var numbers = RandomNumbers(7_301)
        let letters = Array("aZ&<>\"' é\t\n_0")
        for _ in 0..<60 {
            func name() -> String {
                "n"
                    + String(
                        (0..<Int.random(in: 0..<5, using: &numbers)).map { _ in
                            letters.randomElement(using: &numbers) ?? "x"
                        })
                    + "\(UInt32.random(in: 0...99_999_999, using: &numbers))"
            }
            let names = (0..<Int.random(in: 1...5, using: &numbers)).map { _ in name() }
            let entities = names.enumerated().map { place, title in
                EntityDescription(
                    name: title, isAbstract: .random(using: &numbers),
                    superentity: place > 0 && .random(using: &numbers) ? names[place - 1] : nil,
                    attributes: (0..<Int.random(in: 0...4, using: &numbers)).map { _ in
                        AttributeDescription(
                            name: name(),
                            type: [.integer16, .decimal, .string, .uuid, .boolean].randomElement(
                                using: &numbers)
                                ?? .date, isOptional: .random(using: &numbers),
                            isTransient: .random(using: &numbers),
                            isReadOnly: .random(using: &numbers),
                            allowsExternalStorage: .random(using: &numbers),
                            versionHashModifier: .random(using: &numbers) ? name() : nil)
                    },
                    relationships: (0..<Int.random(in: 0...3, using: &numbers)).map { _ in
                        RelationshipDescription(
                            name: name(), destination: names.randomElement(using: &numbers) ?? title,
                            minCount: .random(in: 0...3, using: &numbers),
                            maxCount: .random(in: -1...5, using: &numbers),
                            isOrdered: .random(using: &numbers), isOptional: .random(using: &numbers))
                    })
            }
            let model = ManagedObjectModel(entities: entities)
            #expect(try again(model) == model)
            #expect(try again(model).versionHashes == model.versionHashes)
        }
    }
}
