import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// What an export wrote gives the same store again, and the same export.
@Suite struct ImportRoundTripTests {
    static let names = ["csv", "out.json", "out.jsonl", "out.db"]

    /// The model file of a sample.
    private static func model(of sample: StoreSample) throws -> String {
        let names = try Program.shell("ls -d '\(sample.models)'/*").output.split(separator: "\n").map(
            String.init)
        for name in names where try ModelFile.isModel(FilePath(name)) {
            // try?: a model of another version
            if (try? ModelFile.load(FilePath(name), for: FilePath(sample.path), mismatch: .refuse)) != nil {
                return name
            }
        }
        Issue.record("no model fits \(sample)")
        return ""
    }

    private static func run(_ words: [String]) throws -> Program.Result {
        let result = try Program.run("ticds-store", words)
        #expect(result.status == 0, "\(words): \(result.errors)\(result.output)")
        return result
    }

    /// Exports `store`, imports that, and exports the new store; both exports have the same bytes.
    private static func check(
        _ store: String, _ model: String, _ name: String, in scratch: Scratch, _ options: [String] = []
    ) throws {
        let folder = scratch.path.string
        let out = "\(folder)/\(name)"
        let again = "\(folder)/again-\(name)"
        let new = "\(folder)/new-\(name).sqlite"
        let exported = options.filter { $0 == "--spreadsheet" }
        _ = try run(["export", store, "--to", out, "--model", model] + exported)
        _ = try run(["import", out, "--to", new, "--model", model] + options)
        _ = try run(["export", new, "--to", again, "--model", model] + exported)
        #expect(try scratch.shell("diff -rq '\(out)' '\(again)' || true") == "")
        _ = try run(["compare", store, new, "--model", model, "--by", "primary-key"])
        _ = try run(["check", new, "--model", model, "--sync-id", "none"])
    }

    @Test(
        .enabled(if: Samples.available, "needs the samples"), arguments: StoreSample.all)
    func everySampleComesBack(_ sample: StoreSample) throws {
        let model = try Self.model(of: sample)
        for name in Self.names {
            try Self.check(sample.path, model, name, in: try Scratch(), ["--type", sample.kind])
        }
    }

    @Test(.enabled(if: Samples.available, "needs the samples"), arguments: StoreSample.all)
    func everySampleComesBackFromSpreadsheets(_ sample: StoreSample) throws {
        try Self.check(
            sample.path, try Self.model(of: sample), "csv", in: try Scratch(),
            ["--spreadsheet", "--type", sample.kind])
    }

    /// Stores with values of all types and relationships of all kinds.
    @Test(arguments: 1...6) func randomStoresComeBack(_ round: Int) throws {
        let scratch = try Scratch()
        let model = try ImportedModel.write(scratch)
        var maker = RandomStore(RandomNumbers(UInt64(700 + round)), hasSyncIDs: round % 2 == 0)
        let store = scratch.path.appending("store.sqlite")
        try maker.write(to: store, model: try ModelFile.load(FilePath(model)))
        for name in Self.names { try Self.check(store.string, model, name, in: scratch) }
        try Self.check(store.string, model, "safe", in: scratch, ["--spreadsheet"])
    }
}

extension StoreSample {
    /// The kind of store that has the same order of objects.
    fileprivate var kind: String { isSQLite ? "sqlite" : "binary" }
}

/// Makes stores of ``ImportedModel`` with random objects.
private struct RandomStore {
    private var numbers: RandomNumbers
    private let hasSyncIDs: Bool
    private var keys: [String: [Int64]] = [:]

    init(_ numbers: RandomNumbers, hasSyncIDs: Bool) {
        self.numbers = numbers
        self.hasSyncIDs = hasSyncIDs
    }

    mutating func write(to path: FilePath, model: ManagedObjectModel) throws {
        var next: [String: Int64] = [:]
        let roots = ["Note": "Note", "Special": "Note"]
        let entities = ["Author", "Cover", "Note", "Shelf", "Special", "Tag"]
        for entity in entities {
            let root = roots[entity] ?? entity
            for _ in 0..<Int.random(in: 3...14, using: &numbers) {
                let key = (next[root] ?? 0) + Int64.random(in: 1...3, using: &numbers)
                next[root] = key
                keys[entity, default: []].append(key)
            }
        }
        var writer = try SQLiteStoreWriter(creating: path, model: model)
        for entity in entities {
            for key in keys[entity] ?? [] { try writer.insert(object(entity, key, model)) }
        }
        try writer.finish()
    }

    private mutating func object(
        _ entity: String, _ key: Int64, _ model: ManagedObjectModel
    ) -> StoredObject {
        var attributes: [StoredAttribute] = []
        for attribute in model.attributes(of: entity) {
            let isID = attribute.name == "ticdsSyncID"
            let value: ArchivedValue =
                isID
                ? (hasSyncIDs && Bool.random(using: &numbers)
                    ? .string(ArchivedUUID.random(using: &numbers).description) : .none)
                : attribute.isOptional && Int.random(in: 0..<5, using: &numbers) == 0
                    ? .none : value(attribute.type)
            attributes.append(StoredAttribute(name: attribute.name, value: value))
        }
        var relationships: [StoredRelationship] = []
        func set(_ name: String, _ target: StoredRelationship.Target) {
            relationships.append(StoredRelationship(name: name, target: target))
        }
        // One side of each relationship; the writer completes the other one.
        switch entity {
        case "Author": set("friends", .toMany(some("Author", of: key)))
        case "Note", "Special":
            set("author", .toOne(some("Author").first))
        case "Tag": set("notes", .toMany(some("Note") + some("Special")))
        case "Cover":
            let position = keys["Cover"]?.firstIndex(of: key) ?? 0
            let notes = keys["Note"] ?? []
            set("note", .toOne(notes.indices.contains(position) ? notes[position] : nil))
        case "Shelf":
            // Each tag is on one shelf at most.
            let shelves = keys["Shelf"] ?? []
            let position = shelves.firstIndex(of: key) ?? 0
            let tags = (keys["Tag"] ?? []).enumerated().filter { $0.offset % shelves.count == position }
            set("tags", .toMany(tags.map(\.element)))
        default: break
        }
        return StoredObject(
            entity: entity, primaryKey: key, attributes: attributes, relationships: relationships)
    }

    /// Different objects in random order.
    private mutating func some(_ entity: String, of key: Int64? = nil) -> [Int64] {
        let shuffled = (keys[entity] ?? []).filter { $0 != key }.shuffled(using: &numbers)
        return Array(shuffled.prefix(Int.random(in: 0...4, using: &numbers)))
    }

    private static let texts = [
        "", "plain", "=1+1", "'=1", "''", "a,b", "a;b", "line\nbreak", "carriage\r\nreturn", "“quotes” \"\"",
        "ä\u{301}", "\u{0}", "nil", "12", "-5", " space ", "\u{FEFF}", "{\"a\": 1}", "\t", "👩‍👧", "\u{2028}",
    ]

    private mutating func value(_ type: AttributeType) -> ArchivedValue {
        let text = Self.texts.randomElement(using: &numbers) ?? ""
        let bytes = (0..<Int.random(in: 0...9, using: &numbers)).map { _ in
            UInt8.random(in: 0...255, using: &numbers)
        }
        return switch type {
        case .integer16: .integer(Int128(Int16.random(in: .min ... .max, using: &numbers)))
        case .integer32: .integer(Int128(Int32.random(in: .min ... .max, using: &numbers)))
        case .integer64: .integer(Int128(Int64.random(in: .min ... .max, using: &numbers)))
        case .boolean: .boolean(Bool.random(using: &numbers))
        case .double: .real(Double(bitPattern: UInt64.random(in: 0..<0x7FF0 << 48, using: &numbers)))
        case .float: .real(Double(Float.random(in: -1e9...1e9, using: &numbers)))
        case .decimal:
            ArchivedDecimal(text: "\(Int.random(in: -999_999...999_999, using: &numbers))e-2")
                .map { .decimal($0) } ?? .none
        case .string: .string(text)
        case .uri: .url(text)
        case .uuid: .uuid(.random(using: &numbers))
        case .date:
            [
                .date(Double(Int.random(in: 300_000_000...900_000_000, using: &numbers)) + 0.125), .date(0),
                .date(ArchivedValue.distantPast), .date(ArchivedValue.distantFuture), .date(3e11),
                .date(Double.random(in: -1e3...1e3, using: &numbers)),
                .date(Double.random(in: -1e7...1e7, using: &numbers)),
                .date(Double.random(in: -1e10...1e10, using: &numbers)),
            ].randomElement(using: &numbers) ?? .none
        case .binary: .data(bytes)
        case .transformable:
            [
                .string(text), .data(bytes), .integer(5), .real(2.5), .boolean(true),
                .array([.string(text), .date(0.5), .data(bytes)]),
                .dictionary(["a": .set([.integer(1)]), "b": .uuid(.random(using: &numbers))]),
            ].randomElement(using: &numbers) ?? .none
        default: .none
        }
    }
}
