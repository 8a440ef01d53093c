import CoreDataStore
import CoreDataTools
import TestSupport
import Testing

/// `--set` and `--rename`.
@Suite("Overrides of migrations") struct MigrationOverrideTests {
    private static let old = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Memo",
            attributes: [
                AttributeDescription(name: "text", type: .string),
                AttributeDescription(name: "title", type: .string),
            ],
            relationships: [RelationshipDescription(name: "labels", destination: "Label", maxCount: 0)]),
        EntityDescription(name: "Label", attributes: [AttributeDescription(name: "name", type: .string)]),
        EntityDescription(name: "BigMemo", superentity: "Memo"),
    ])
    private static let new = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Note",
            attributes: [
                AttributeDescription(name: "text", type: .string),
                AttributeDescription(name: "body", type: .string),
            ],
            relationships: [RelationshipDescription(name: "tags", destination: "Tag", maxCount: 0)]),
        EntityDescription(name: "Tag", attributes: [AttributeDescription(name: "name", type: .string)]),
        EntityDescription(name: "BigNote", superentity: "Note"),
        EntityDescription(name: "Memo"),
    ])

    private func overrides(set: [String] = [], rename: [String] = []) throws -> MigrationOverrides {
        MigrationOverrides(
            settings: try set.map { try .init(parsing: $0) },
            renamings: try rename.map { try .init(parsing: $0) })
    }

    @Test func textsAreParsed() throws {
        let setting = try MigrationOverrides.Setting(parsing: " Note.place.x = a == 1 ? 2 : 3 ")
        #expect(setting.entity == "Note" && setting.property == "place.x")
        #expect(setting.expression.text == "a == 1 ? 2 : 3")
        let entity = try MigrationOverrides.Renaming(parsing: "Memo = Note")
        #expect(entity.entity == nil && entity.old == "Memo" && entity.new == "Note")
        let property = try MigrationOverrides.Renaming(parsing: "Note.text=body")
        #expect(property.entity == "Note" && property.old == "text" && property.new == "body")
    }

    @Test(arguments: [
        ("Note.text", 9, "an equals sign is missing: Entity.property = EXPRESSION"),
        ("Note = 1", 0, "a property is missing: Entity.property = EXPRESSION"),
        ("Note..x = 1", 0, "a name is missing, or has a space in it"),
        ("  Note.a b = 1", 2, "a name is missing, or has a space in it"),
        ("Nöte.a = b +", 13, "a value, a key path or a function is missing"),
    ])
    func faultsOfSettingsHaveOffsets(_ text: String, _ offset: Int, _ problem: String) {
        #expect { try MigrationOverrides.Setting(parsing: text) } throws: {
            guard let error = $0 as? ExpressionProblem else { return false }
            return error.offset == offset && error.problem == problem
        }
    }

    @Test(arguments: ["A", "A.b", "A.b.c=d", "A.b=C.d", "=b", "a=", "A.b = c d", ""])
    func faultsOfNewNamesAreRefused(_ text: String) {
        #expect(throws: ExpressionProblem.self) { try MigrationOverrides.Renaming(parsing: text) }
    }

    @Test func newNamesBecomeRenamingIdentifiers() throws {
        let overrides = try overrides(rename: [
            "Memo=Note", "BigMemo=BigNote", "Label=Tag", "Note.title=text", "BigNote.text=body",
            "Note.labels=tags",
        ])
        let model = try overrides.model(Self.new, from: Self.old)
        let difference = ModelDifference(from: Self.old, to: model)
        let renamed = difference.changes.filter { $0.kind == .renamed }.map {
            "\($0.entity).\($0.property ?? "")"
        }
        #expect(
            Set(renamed).isSuperset(of: ["Note.", "BigNote.", "Tag.", "Note.text", "Note.body", "Note.tags"]))
        // The entity of the new model that has the old name is new.
        #expect(difference.changes.contains { $0.entity == "Memo" && $0.kind == .added })
        #expect(model.versionHashes == Self.new.versionHashes)
    }

    @Test(arguments: [
        ("Nothing=Note", "the old model has no entity Nothing"),
        ("Memo=Nothing", "the new model has no entity Nothing"),
        ("Note.text=body", "the old model has no entity that becomes Note"),
        ("Memo.text=body", "the entity Memo of the new model has no property body"),
        ("Memo.nothing=body", "the entity Memo of the old model has no property nothing"),
    ])
    func newNamesThatDoNotFitAreRefused(_ text: String, _ problem: String) throws {
        let overrides = try overrides(rename: [text])
        #expect { try overrides.model(Self.new, from: Self.old) } throws: {
            ($0 as? OverrideProblem)?.problem == problem
        }
    }

    @Test func twoEntitiesCannotBecomeOne() throws {
        let overrides = try overrides(rename: ["Memo=Note", "Label=Note"])
        #expect { try overrides.model(Self.new, from: Self.old) } throws: {
            ($0 as? OverrideProblem)?.problem == "two entities of the old model become Note"
        }
    }

    private static let mapping = MigrationMapping(entities: [
        .init(
            name: "a", source: "Memo", destination: "Note",
            attributes: [.init(name: "text", expression: .source(path: ["text"]))]),
        .init(name: "b", source: "BigMemo", destination: "BigNote"),
        .init(name: "c", source: nil, destination: "Tag"),
        .init(name: "d", source: "Label", destination: nil),
    ])

    @Test func settingsReplaceExpressionsAlsoInSubentities() throws {
        let overrides = try overrides(set: [
            "Note.text = 1", "Note.text = title", "BigNote.text = text", "Note.body = nil",
            "Note.tags = destinations('c', labels)",
        ])
        let mapping = try overrides.apply(to: Self.mapping, new: Self.new)
        func texts(_ place: Int) -> [String] {
            (mapping.entities[place].attributes + mapping.entities[place].relationships)
                .map { "\($0.name) = \($0.expression.text)" }.sorted()
        }
        #expect(
            texts(0) == ["body = nil", "tags = destinations(\"c\", $source.labels)", "text = $source.title"])
        #expect(
            texts(1) == ["body = nil", "tags = destinations(\"c\", $source.labels)", "text = $source.text"])
        #expect(mapping.entities[0].relationships.count == 1)
        #expect(mapping.entities[2] == Self.mapping.entities[2])
        #expect(overrides.sets("text", of: "BigNote", in: Self.new))
        #expect(!overrides.sets("name", of: "Tag", in: Self.new))
    }

    @Test(arguments: [
        ("Nothing.a = 1", "the new model has no entity Nothing"),
        ("Note.title = 1", "the entity Note of the new model has no property title"),
        ("Tag.name = 1", "no objects of the old store become objects of Tag"),
    ])
    func settingsThatDoNotFitAreRefused(_ text: String, _ problem: String) throws {
        let overrides = try overrides(set: [text])
        #expect { try overrides.apply(to: Self.mapping, new: Self.new) } throws: {
            ($0 as? OverrideProblem)?.problem == problem
        }
    }
}
