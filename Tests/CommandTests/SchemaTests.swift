import Foundation
import SystemPackage
import TestSupport
import Testing

/// The JSON Schema files agree with ticds-json(5) and with the output of the programs.
@Suite struct SchemaTests {
    /// The definitions that schemas share, which no output has.
    private static let shared = "ticds-definitions.schema.json"
    private static let folder = ManualPage.package.appending(path: "share").appending(path: "schemas")

    @Test func aFileForEachSchemaOfTheManual() throws {
        let described = try ManualPage("ticds-json.5").subsections.keys.filter { $0.hasPrefix("ticds.") }
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.sorted() == (described.map(Self.file) + [Self.shared]).sorted())
        for schema in described {
            let contents = try Self.contents(of: Self.file(of: schema))
            #expect(contents["title"] as? String == schema)
            #expect(contents["$id"] as? String == Self.file(of: schema))
            let name = (contents["properties"] as? [String: Any])?["schema"] as? [String: Any]
            #expect(name?["const"] as? String == schema)
        }
    }

    /// `make schemas` renews the files and the sections of the manual.
    @Test(.enabled(if: Python.available)) func filesAndManualAreAsThePrograms() throws {
        let scratch = try Scratch()
        #expect(try Program.run("ticds", ["version", "--schemas", scratch.path.string]).status == 0)
        let written = try FileManager.default.contentsOfDirectory(atPath: scratch.path.string)
        #expect(written.count > 50)
        for name in written {
            let text = try String(contentsOfFile: scratch.path.appending(name).string, encoding: .utf8)
            #expect(
                text == (try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)),
                "\(name)")
        }
        let schemas = ManualPage.package.appending(path: "man/schemas").path
        let result = try Program.launch(
            "/usr/bin/env", ["python3", schemas, "--check"],
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"], seconds: 60
        )
        #expect(result.status == 0 && result.output.isEmpty, "\(result.output)\(result.errors)")
    }

    @Test func theManualTellsOfEveryKeyAndWord() throws {
        let sections = try ManualPage("ticds-json.5").subsections
        for schema in sections.keys where schema.hasPrefix("ticds.") {
            let words = Self.words(in: try Self.contents(of: Self.file(of: schema)))
            #expect(words.contains("schema"))
            let told = ManualTests.names(of: schema, sections).union([schema])
            #expect(words.subtracting(told) == [], "\(schema)")
        }
    }

    private static func file(of schema: String) -> String {
        schema.replacingOccurrences(of: "/", with: "-") + ".schema.json"
    }

    private static func contents(of file: String) throws -> [String: Any] {
        let data = try Data(contentsOf: folder.appending(path: file))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    /// The keys that a schema requires or gives a type, and the words that it lists as values.
    private static func words(in schema: Any) -> Set<String> {
        if let members = schema as? [Any] { return members.reduce(into: []) { $0.formUnion(words(in: $1)) } }
        guard let object = schema as? [String: Any] else { return [] }
        return object.reduce(into: []) { found, entry in
            switch entry.key {
            case "required", "enum":
                found.formUnion((entry.value as? [Any] ?? []).compactMap { $0 as? String })
            case "properties":
                guard let properties = entry.value as? [String: Any] else { return }
                found.formUnion(properties.keys)
                found.formUnion(words(in: Array(properties.values)))
            case "$defs":
                found.formUnion(words(in: Array((entry.value as? [String: Any] ?? [:]).values)))
            default: found.formUnion(words(in: entry.value))
            }
        }
    }
}
