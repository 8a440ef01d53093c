import Foundation
import KeyedArchive
import SystemPackage
import TestSupport
import Testing

/// `ticds-model show` of mapping models.
@Suite struct MappingCommandTests {
    /// A compiled mapping model with a function of the app.
    static func compiled() throws -> [UInt8] {
        typealias Made = CompiledMapping
        return try Made.bytes([
            Made.entity(
                "NoteToNote", kind: 5, from: "Note", to: "Memo", hashes: [[1, 2], nil], policy: "App.Policy",
                fetch: Made.fetch("Note", "stars > 2"),
                attributes: [
                    ("title", Made.path("name")),
                    (
                        "weight",
                        Made.function(Made.variable("entityPolicy"), "weigh:", [Made.variable("source")])
                    ),
                ]),
            Made.entity("Fresh", kind: 2, from: nil, to: "Fresh"),
        ])
    }

    @Test func compiledMappingsAreShown() throws {
        let scratch = try Scratch()
        let path = try scratch.write("V1.cdm", try Self.compiled())
        let shown = try Program.run("ticds-model", ["show", path])
        #expect(shown.status == 0 && shown.errors.isEmpty, "\(shown.errors)")
        for text in [
            "2 mappings of entities, compiled",
            "Note → Memo, transform, by the class App.Policy of the app, where stars > 2",
            "$source.name", "nothing → Fresh, add",
            "FUNCTION($entityPolicy, \"weigh:\", $source) (the function weigh: of the migration policy is code of the app)",
        ] {
            #expect(shown.output.contains(text), "\(text): \(shown.output)")
        }
        let printed = try Program.run("ticds-model", ["show", path, "--json"])
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(printed.bytes)) as? [String: Any])
        let entities = try #require(json["entityMappings"] as? [[String: Any]])
        #expect(entities.first?["sourceVersionHash"] as? String == "0102" && entities.count == 2)
        let wrong = try Program.run("ticds-model", ["show", path, "--model-version", "x"])
        #expect(wrong.status == 64, "\(wrong.errors)")
    }

    @Test(
        .enabled(if: Samples.available, "needs the samples"),
        arguments: [("corestore", 1, 2), ("daymap", 11, 90), ("moody", 3, 26)])
    func sourcesAreShown(_ name: String, _ entities: Int, _ properties: Int) throws {
        let path = Samples.path("xml-stores/\(name)-mapping.xml").string
        let printed = try Program.run("ticds-model", ["show", path, "--json"])
        #expect(printed.status == 0, "\(printed.errors)")
        let json = try #require(
            try JSONSerialization.jsonObject(with: Data(printed.bytes)) as? [String: Any])
        let found = try #require(json["entityMappings"] as? [[String: Any]])
        let counts = found.map { entity in
            ["attributeMappings", "relationshipMappings"].reduce(0) {
                $0 + (entity[$1] as? [Any] ?? []).count
            }
        }
        #expect(found.count == entities && counts.reduce(0, +) == properties)
        #expect(found.allSatisfy { $0["sourceVersionHash"] is String })
        let shown = try Program.run("ticds-model", ["show", path])
        #expect(shown.status == 0 && shown.output.contains("PROPERTY"))
    }

    @Test func damagedMappingsAreNamed() throws {
        let scratch = try Scratch()
        let bytes = try Self.compiled()
        let cut = try scratch.write("cut.cdm", Array(bytes.dropLast(40)))
        #expect(try Program.run("ticds-model", ["show", cut]).status == 2)
        let folder = scratch.path.appending("V1.xcmappingmodel").string
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let absent = try Program.run("ticds-model", ["show", folder])
        #expect(absent.status == 2 && absent.errors.contains("xcmapping.xml"), "\(absent.errors)")
        let half = """
            <?xml version="1.0"?><database><databaseInfo><metadata><plist version="1.0"><dict>\
            <key>NSStoreModelVersionHashes</key><dict><key>XDDevMappingModel</key><data>AAAA</data>\
            <key>XDDevEntityMapping</key><data>AAAA</data></dict></dict></plist></metadata></databaseInfo>\
            <object type="XDDEVENTITYMAPPING" id="z103"><attribute name="sourcename" type="string">Note</attribute>\
            </object>
            """
        try Array(half.utf8).withUnsafeBytes {
            try Data($0).write(to: URL(filePath: folder + "/xcmapping.xml"))
        }
        let shown = try Program.run("ticds-model", ["show", folder])
        #expect(
            shown.status == 5 && shown.output.contains("Note → nothing"), "\(shown.output)\(shown.errors)")
    }
}
