import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Compiled mapping models, made here: no file of Xcode is among the samples.
@Suite("Compiled mapping models") struct CompiledMappingTests {
    typealias Made = CompiledMapping

    private static let old = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Note",
            attributes: [
                AttributeDescription(name: "text", type: .string),
                AttributeDescription(name: "author", type: .string),
                AttributeDescription(name: "stars", type: .integer32),
            ],
            relationships: [
                RelationshipDescription(name: "tags", destination: "Tag", inverse: "notes", maxCount: 0)
            ]),
        EntityDescription(
            name: "Tag", attributes: [AttributeDescription(name: "label", type: .string)],
            relationships: [
                RelationshipDescription(name: "notes", destination: "Note", inverse: "tags", maxCount: 0)
            ]),
        EntityDescription(name: "ColourTag", superentity: "Tag"),
        EntityDescription(name: "Obsolete", attributes: [AttributeDescription(name: "junk", type: .string)]),
    ])

    private static let new = ManagedObjectModel(entities: [
        EntityDescription(
            name: "Note",
            attributes: [
                AttributeDescription(name: "text", type: .string),
                AttributeDescription(name: "writer", type: .string),
                AttributeDescription(name: "stars", type: .double),
            ],
            relationships: [
                RelationshipDescription(name: "tags", destination: "Tag", inverse: "notes", maxCount: 0)
            ]),
        EntityDescription(
            name: "Tag", attributes: [AttributeDescription(name: "label", type: .string)],
            relationships: [
                RelationshipDescription(name: "notes", destination: "Note", inverse: "tags", maxCount: 0)
            ]),
        EntityDescription(name: "ColourTag", superentity: "Tag"),
        EntityDescription(name: "Fresh"),
    ])

    private func model(_ entities: [ArchivedValue]) throws -> MappingModel {
        try MappingModel.model(SharedBytes(try Made.bytes(entities)), path: "made.cdm")
    }

    private static func note(
        _ value: ArchivedValue, fetch: ArchivedValue = .none, policy: String? = nil,
        hashes: [[UInt8]?] = [nil, nil]
    ) -> ArchivedValue {
        Made.entity(
            "NoteToNote", kind: 5, from: "Note", to: "Note", hashes: hashes, policy: policy, fetch: fetch,
            attributes: [("writer", value), ("text", .none), ("stars", .none)],
            relationships: [("tags", .none)])
    }

    /// The expression that a value of `writer` becomes, or the problem.
    private func writer(_ value: ArchivedValue) throws -> String {
        let model = try model([Self.note(value)])
        do throws(FileProblem) {
            let mapping = try model.mapping(from: Self.old, to: Self.new)
            return mapping.entities.first?.attributes.first?.expression.text ?? "none"
        } catch {
            #expect(error.kind == .refused)
            return error.problem
        }
    }

    /// A property that both models have must be listed, even without a value.
    @Test func mappingThatDoesNotListAPropertyIsRefused() throws {
        func problem(_ attributes: [String], _ relationships: [String], _ settings: [String] = []) throws
            -> String
        {
            let model = try model([
                Made.entity(
                    "NoteToNote", kind: 5, from: "Note", to: "Note",
                    attributes: attributes.map { ($0, .none) },
                    relationships: relationships.map { ($0, .none) })
            ])
            let overrides = MigrationOverrides(
                settings: try settings.map { try MigrationOverrides.Setting(parsing: $0) })
            do throws(FileProblem) {
                _ = try model.mapping(from: Self.old, to: Self.new, overrides: overrides)
                return ""
            } catch {
                #expect(error.kind == .refused && error.advice?.contains("--set") == true)
                return error.problem
            }
        }
        #expect(try problem(["text", "stars"], ["tags"]) == "")
        #expect(
            try problem(["stars"], ["tags"])
                == "the mapping NoteToNote does not list the attribute Note.text, which both models have")
        #expect(
            try problem(["text", "stars"], [])
                == "the mapping NoteToNote does not list the relationship Note.tags, which both models have")
        #expect(try problem(["stars"], [], ["Note.text = text", "Note.tags = nil"]) == "")
    }

    @Test func everyKindOfMappingIsRead() throws {
        let relationship = Made.function(
            Made.variable("manager"), "destinationInstancesForEntityMappingNamed:sourceInstances:",
            [Made.constant(.string("TagToTag")), Made.path("tags")])
        let wide = Made.function(
            Made.variable("manager"), "destinationInstancesForSourceRelationshipNamed:sourceInstances:",
            [
                Made.constant(.string("notes")),
                Made.function(Made.variable("source"), "valueForKey:", [Made.constant(.string("notes"))]),
            ])
        let model = try model([
            Made.entity("Fresh", kind: 2, from: nil, to: "Fresh"),
            Made.entity(
                nil, kind: 5, from: "Note", to: "Note",
                hashes: [Self.old.versionHash(of: "Note"), Self.new.versionHash(of: "Note")],
                fetch: Made.fetch("Note", "text BEGINSWITH 'keep' AND $source.stars > 2"),
                attributes: [("writer", Made.path("author")), ("text", Made.path("text")), ("stars", .none)],
                relationships: [("tags", relationship)]),
            Made.entity(
                "TagToTag", kind: 4, from: "Tag", to: "Tag", fetch: Made.fetch("Tag"),
                attributes: [("label", Made.path("label"))], relationships: [("notes", wide)]),
            Made.entity("RemoveObsolete", kind: 3, from: "Obsolete", to: nil),
            Made.entity("ColourTagToColourTag", kind: 4, from: "ColourTag", to: "ColourTag"),
        ])
        #expect(model.entities.map(\.kind) == [.add, .transform, .copy, .remove, .copy])
        let mapping = try model.mapping(from: Self.old, to: Self.new)
        let note = mapping.entities[1]
        #expect(note.name == "NoteToNote")
        #expect(note.predicate?.text == "text BEGINSWITH \"keep\" AND stars > 2")
        #expect(note.attributes.map(\.name) == ["text", "writer"])
        #expect(note.attributes.last?.expression == .source(path: ["author"]))
        #expect(
            note.relationships.first?.expression
                == .destinations(mappings: ["TagToTag"], sources: .source(path: ["tags"])))
        #expect(
            mapping.entities[2].relationships.first?.expression
                == .destinations(mappings: ["NoteToNote"], sources: .source(path: ["notes"])))
        #expect(mapping.entities[3].destination == nil && mapping.entities[0].source == nil)
        // A copy without mappings of properties takes all.
        let colour = mapping.entities[4]
        #expect(colour.attributes.map(\.expression) == [.source(path: ["label"])])
        #expect(
            colour.relationships.map(\.expression)
                == [.destinations(mappings: ["NoteToNote"], sources: .source(path: ["notes"]))])
    }

    /// The objects of such a mapping would be lost without a word.
    @Test func mappingsThatLackAnEntityAreDamaged() throws {
        let cases: [(kind: Int, source: String?, destination: String?, lacking: String)] = [
            (0, nil, nil, "an old or a new entity"), (1, nil, nil, "an old or a new entity"),
            (2, "Note", nil, "a new entity"), (3, nil, "Note", "an old entity"),
            (4, "Note", nil, "a new entity"), (5, nil, "Note", "an old entity"),
        ]
        for trial in cases {
            let error = try #require(throws: FileProblem.self) {
                try model([Made.entity("M", kind: trial.kind, from: trial.source, to: trial.destination)])
            }
            #expect(
                error.kind == .damaged && error.expected == "\(trial.lacking) in the mapping of an entity")
        }
    }

    @Test func expressionsOfFoundationAreConverted() throws {
        let stars = Made.path("stars")
        let cases: [(ArchivedValue, String)] = [
            (Made.constant(.string("a")), "\"a\""), (Made.constant(.none), "nil"),
            (Made.constant(.integer(5)), "5"),
            (Made.constant(.date(60)), "CAST(\"2001-01-01T00:01:00.000Z\", \"NSDate\")"),
            (Made.predefined("uppercase:", [Made.path("text")]), "uppercase($source.text)"),
            (
                Made.predefined(
                    "add:to:", [stars, Made.predefined("multiply:by:", [stars, Made.constant(.real(2.5))])]),
                "$source.stars + $source.stars * 2.5"
            ),
            (
                Made.predefined("castObject:toType:", [stars, Made.constant(.string("NSString"))]),
                "CAST($source.stars, \"NSString\")"
            ),
            (
                Made.function(Made.path("text"), "stringByAppendingString:", [Made.constant(.string("!"))]),
                "concat($source.text, \"!\")"
            ),
            (
                Made.ternary(
                    Made.object(
                        "NSCompoundPredicate",
                        [
                            ("NSCompoundPredicateType", .integer(2)),
                            (
                                "NSSubpredicates",
                                .array([
                                    Made.comparison(
                                        "stars", type: 100, Made.constant(.array([.integer(1), .integer(2)]))),
                                    Made.comparison(
                                        "text", type: 99, Made.constant(.string("x")), options: 3),
                                ])
                            ),
                        ]), Made.constant(.string("y")), Made.path("text")),
                "stars BETWEEN {1, 2} OR text CONTAINS[cd] \"x\" ? \"y\" : $source.text"
            ),
        ]
        for (value, text) in cases {
            let written = try writer(value)
            #expect(written == text)
        }
    }

    @Test func codeOfTheAppIsNamed() throws {
        let source = Made.variable("source")
        let cases: [(ArchivedValue, String)] = [
            (
                Made.function(Made.variable("entityPolicy"), "writerOf:", [source]),
                "the function writerOf: of the migration policy is code of the app"
            ),
            (Made.function(source, "weigh:", [source]), "the function weigh: is not carried out"),
            (Made.predefined("sum:", [source]), "the function sum: is not carried out"),
            (
                Made.path("name", of: "destination"),
                "$destination has no value without the app: only $source has"
            ),
            (Made.object("NSBlockExpression", []), "<an NSBlockExpression> is not carried out"),
            (Made.constant(.array([])), "a constant that is an array of 0 is not carried out"),
            (
                Made.fetch("Note"),
                "FETCH(FUNCTION($manager, \"fetchRequestForSourceEntityNamed:predicateString:\", \"N is not carried out"
            ),
            (
                Made.ternary(
                    Made.comparison("text", type: 6, Made.constant(.string("a+"))), source, source),
                "<a TERNARY with a condition that is not known here> is not carried out"
            ),
        ]
        for (value, problem) in cases {
            #expect(try writer(value) == "the value of writer in the mapping NoteToNote: \(problem)")
            let overrides = MigrationOverrides(settings: [try .init(parsing: "Note.writer = author")])
            let mapping = try model([Self.note(value)]).mapping(
                from: Self.old, to: Self.new, overrides: overrides)
            #expect(mapping.entities[0].attributes.map(\.expression) == [.source(path: ["author"])])
        }
        let model = try model([Self.note(Made.path("author"), policy: "App.Policy")])
        #expect { try model.mapping(from: Self.old, to: Self.new) } throws: {
            ($0 as? FileProblem)?.problem
                == "the class App.Policy carries out the mapping NoteToNote, and it is code of the app"
        }
        let usual = try self.model([Self.note(Made.path("author"), policy: "NSEntityMigrationPolicy")])
        #expect(try usual.mapping(from: Self.old, to: Self.new).entities.count == 1)
    }

    @Test func otherHashesAndFetchesAreRefused() throws {
        let right = [Self.old.versionHash(of: "Note"), Self.new.versionHash(of: "Note")]
        _ = try model([Self.note(Made.path("text"), hashes: right)]).mapping(from: Self.old, to: Self.new)
        for wrong in [[right[1], right[1]], [right[0], right[0]], [[1, 2], nil]] {
            let model = try model([Self.note(Made.path("text"), hashes: wrong)])
            #expect { try model.mapping(from: Self.old, to: Self.new) } throws: {
                ($0 as? FileProblem)?.problem.hasPrefix("the mapping model is for other versions") == true
            }
        }
        for (fetch, word) in [
            (Made.fetch("Note", "text MATCHES 'a'"), "regular expressions"),
            (Made.fetch("Tag"), "in its own way"),
            (Made.path("x"), "in its own way"),
        ] {
            let model = try model([Self.note(Made.path("text"), fetch: fetch)])
            #expect { try model.mapping(from: Self.old, to: Self.new) } throws: {
                ($0 as? FileProblem)?.problem.contains(word) == true
            }
        }
    }

    @Test func damagedArchivesAreRefusedAtOnce() throws {
        let bytes = try Made.bytes([
            Self.note(
                Made.ternary(
                    Made.comparison("text", type: 4, Made.constant(.string("x"))), Made.path("text"),
                    Made.predefined("add:to:", [Made.path("stars"), Made.constant(.integer(2))])),
                fetch: Made.fetch("Note"))
        ])
        var numbers = RandomNumbers(5)
        for _ in 0..<4_000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &numbers) {
                damaged[Int.random(in: 8..<damaged.count, using: &numbers)] = .random(
                    in: 0...255, using: &numbers)
            }
            if Int.random(in: 0..<8, using: &numbers) == 0 {
                damaged.removeLast(Int.random(in: 0..<damaged.count, using: &numbers))
            }
            do throws(FileProblem) {
                let model = try MappingModel.model(SharedBytes(damaged), path: "damaged")
                for entity in model.entities {
                    for property in entity.attributes {
                        _ = property.expression.map { ($0.text, $0.problem) }
                    }
                }
                _ = try model.mapping(from: Self.old, to: Self.new)
            } catch {
                #expect([.damaged, .unsupported, .refused].contains(error.kind))
            }
        }
    }

    @Test func expressionsThatContainThemselvesAreRefused() throws {
        var writer = KeyedArchiveWriter()
        func text(_ text: String) throws -> KeyedArchiveWriter.UID { try writer.add(scalar: .string(text)) }
        // The functions refer to each other twice: a tree of as many parts as there are atoms in the world.
        var inner = try writer.add(
            class: ["NSVariableExpression", "NSObject"],
            fields: [("NSVariable", .reference(try text("source")))])
        for _ in 0..<60 {
            let arguments = try writer.add(
                class: ["NSArray", "NSObject"], fields: [("NS.objects", .references([inner]))])
            inner = try writer.add(
                class: ["NSFunctionExpression", "NSObject"],
                fields: [
                    ("NSOperand", .reference(inner)),
                    ("NSSelectorName", .reference(try text("valueForKeyPath:"))),
                    ("NSArguments", .reference(arguments)),
                ])
        }
        try expectRefusal(&writer, inner, "too many")
        var deep = KeyedArchiveWriter()
        let name = try deep.add(scalar: .string("lowercaseString"))
        let none = try deep.add(class: ["NSArray", "NSObject"], fields: [("NS.objects", .references([]))])
        var chain = KeyedArchiveWriter.UID.none
        for _ in 0..<1_000 {
            chain = try deep.add(
                class: ["NSFunctionExpression", "NSObject"],
                fields: [
                    ("NSOperand", .reference(chain)), ("NSSelectorName", .reference(name)),
                    ("NSArguments", .reference(none)),
                ])
        }
        try expectRefusal(&deep, chain, "more than 64 levels")
    }

    private func expectRefusal(
        _ writer: inout KeyedArchiveWriter, _ value: KeyedArchiveWriter.UID, _ words: String
    ) throws {
        func field(_ text: String) throws -> KeyedArchiveWriter.Field {
            .reference(try writer.add(scalar: .string(text)))
        }
        let property = try writer.add(
            class: ["NSPropertyMapping", "NSObject"],
            fields: [
                ("NSDestinationPropertyName", try field("text")), ("NSValueExpression", .reference(value)),
            ])
        let properties = try writer.add(
            class: ["NSArray", "NSObject"], fields: [("NS.objects", .references([property]))])
        let entity = try writer.add(
            class: ["NSEntityMapping", "NSObject"],
            fields: [
                ("NSSourceEntityName", try field("Note")), ("NSAttributeMappings", .reference(properties)),
            ])
        let entities = try writer.add(
            class: ["NSArray", "NSObject"], fields: [("NS.objects", .references([entity]))])
        let root = try writer.add(
            class: ["NSMappingModel", "NSObject"], fields: [("NSEntityMappings", .reference(entities))])
        let bytes = try writer.finish(top: [("root", root)])
        #expect { try MappingModel.model(SharedBytes(bytes), path: "made.cdm") } throws: {
            ($0 as? FileProblem)?.found?.contains(words) == true
        }
    }
}
