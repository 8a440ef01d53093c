import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore

@Suite("Hostile models") struct ModelHostileTests {
    private func refusal(_ text: String) -> FileProblem? {
        refusal(Array(text.utf8))
    }

    private func refusal(_ bytes: [UInt8]) -> FileProblem? {
        do {
            _ = try ModelFile.model(SharedBytes(bytes), path: "model")
            return nil
        } catch {
            return error
        }
    }

    private func model(_ entities: String) -> String { "<?xml version=\"1.0\"?>\n<model>\(entities)</model>" }

    @Test(arguments: [
        (
            "<entity name=\"A\" parentEntity=\"B\"/><entity name=\"B\" parentEntity=\"A\"/>",
            "inherits from itself"
        ),
        ("<entity name=\"A\" parentEntity=\"A\"/>", "inherits from itself"),
        ("<entity name=\"A\" parentEntity=\"B\"/>", "does not have"),
        ("<entity name=\"A\"/><entity name=\"A\"/>", "two entities"),
        ("<entity/>", "“name”"),
        ("<entity name=\"\"/>", "“name”"),
        ("<entity name=\"A\"><attribute name=\"x\"/><attribute name=\"x\"/></entity>", "two properties"),
        ("<entity name=\"A\" name=\"B\"/>", "two attributes"),
        ("<entity name=\"&lol;\"/>", "not known"),
        ("<entity name=\"&#0;\"/>", "not known"),
        ("<entity name=\"&#xD800;\"/>", "not known"),
        ("<entity name=\"A\">", "is expected"),
        ("<entity name=A/>", "quotation mark"),
        ("<!-- <entity name=\"A\"/>", "a comment"),
    ]) func textIsRefused(_ entities: String, _ words: String) throws {
        let problem = try #require(refusal(model(entities)))
        #expect(problem.kind == .damaged)
        #expect(problem.problem.contains(words), "\(problem.problem)")
    }

    /// An unreadable property affects only itself.
    @Test(arguments: [
        ("<attribute attributeType=\"String\"/>", "“name”"),
        ("<attribute name=\"x\" attributeType=\"Colour\"/>", "Colour"),
        ("<relationship name=\"x\"/>", "destinationEntity"),
        ("<relationship name=\"x\" destinationEntity=\"B\"/>", "does not have"),
        ("<relationship name=\"x\" destinationEntity=\"A\" maxCount=\"many\"/>", "not a count"),
        ("<relationship name=\"x\" destinationEntity=\"A\" maxCount=\"-2\"/>", "counts"),
        ("<relationship name=\"x\" destinationEntity=\"A\" deletionRule=\"Burn\"/>", "Burn"),
    ]) func propertiesAreLeftOut(_ property: String, _ words: String) throws {
        let text =
            "<entity name=\"A\"><attribute name=\"a\" attributeType=\"String\"/>\(property)"
            + "<attribute name=\"z\" attributeType=\"Date\"/></entity><entity name=\"C\"/>"
        let model = try ModelFile.model(SharedBytes(Array(model(text).utf8)), path: "model")
        #expect(model.attributes(of: "A").map(\.name) == ["a", "z"] && model.relationships(of: "A") == [])
        let unread = try #require(model["A"]?.unreadProperties)
        #expect(unread.count == 1 && unread.first?.problem.contains(words) == true, "\(unread)")
        #expect(model.versionHash(of: "A") == nil && model.versionHash(of: "C") != nil)
        #expect(model.problemOfWriting?.contains("cannot be read") == true)
    }

    /// A maximum of -1 means no limit.
    @Test func unlimitedRelationships() throws {
        let text =
            "<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"A\" maxCount=\"-1\"/></entity>"
        let model = try ModelFile.model(SharedBytes(Array(model(text).utf8)), path: "model")
        #expect(model.relationships(of: "A").map(\.isToMany) == [true])
        #expect(model.versionHash(of: "A") != nil)
    }

    @Test func lineOfTheProblem() throws {
        #expect(try #require(refusal("<model>\n<entity\n name=\"a\"/>\n</modal>")).problem.contains("line 4"))
    }

    @Test func documentTypes() throws {
        let bomb = "<!DOCTYPE model [<!ENTITY a \"b\">]><model/>"
        #expect(try #require(refusal(bomb)).problem.contains("document type"))
        #expect(refusal("<!DOCTYPE model SYSTEM \"model.dtd\"><model/>") == nil)
    }

    @Test func whatTextMayHold() throws {
        let text = """
            \u{FEFF}<?xml version='1.0'?><!-- a - comment --><model>
            <entity name='A&amp;&#65;&#x42;&lt;'><![CDATA[ <none> ]]><attribute name="ä" optional="YES"/></entity>
            <unknown><entity name="not one"/></unknown></model>
            """
        let model = try ModelFile.model(SharedBytes(Array(text.utf8)), path: "model")
        #expect(model.entities.map(\.name) == ["A&AB<"])
        #expect(model.attributes(of: "A&AB<").map(\.type) == [.undefined])
    }

    @Test func nestingIsBounded() throws {
        let deep = String(repeating: "<a>", count: 100_000)
        #expect(try #require(refusal("<model>" + deep)).problem.contains("nested"))
    }

    @Test func aLongLineOfInheritanceIsBounded() throws {
        let entities = (1...10_000).map { "<entity name=\"E\($0)\" parentEntity=\"E\($0 - 1)\"/>" }
        #expect(
            try #require(refusal(model("<entity name=\"E0\"/>" + entities.joined()))).problem.contains(
                "entities"))
        let few = (1...500).map { "<entity name=\"E\($0)\" parentEntity=\"E\($0 - 1)\"/>" }
        #expect(
            try #require(refusal(model("<entity name=\"E0\"/>" + few.joined()))).problem.contains(
                "superentities"))
    }

    @Test func notModels() throws {
        #expect(refusal([])?.kind == .unsupported)
        #expect(refusal("hello")?.kind == .unsupported)
        #expect(refusal("momv2$\0\0")?.kind == .unsupported)
        #expect(refusal("momv2$\0\0")?.advice?.contains(".mom") == true)
        #expect(refusal([0xFF, 0xFE, 0x3C, 0])?.problem.contains("UTF-16") == true)
        #expect(refusal([0x3C, 0x6D, 0xFF, 0x3E])?.problem.contains("UTF-8") == true)
        let archive = try KeyedArchiveWriter.bytes(root: .dictionary([]))
        #expect(refusal(archive)?.kind == .damaged)
    }

    @Test(.enabled(if: Samples.available, "needs the samples")) func textCutAtEachByte() throws {
        let path = Samples.path("sqlite-stores/moody/models/Moody-5.contents")
        let bytes = try FileBytes.read(path).array
        let end = try #require(bytes.lastIndex(of: UInt8(ascii: ">")))
        for count in 0...end { #expect(refusal(Array(bytes[..<count])) != nil, "\(count) bytes") }
    }

    @Test(
        .enabled(if: Samples.available, "needs the samples"),
        arguments: ["sqlite-stores/docset-7606f51/docSet.mom", "models/TICDSSyncChangeSet.elements"])
    func archiveCutAtEachByte(_ file: String) throws {
        let bytes = try FileBytes.read(Samples.path(file)).array
        for count in 0..<bytes.count { #expect(refusal(Array(bytes[..<count])) != nil, "\(count) bytes") }
    }

    /// Any outcome except a crash or a hang is correct, since a changed byte may still give a model.
    @Test(
        .enabled(if: Samples.available, "needs the samples"),
        arguments: ["sqlite-stores/docset-7606f51/docSet.mom", "models/TICDSSyncChangeSet.elements"])
    func archiveWithChangedBytes(_ file: String) throws {
        let bytes = try FileBytes.read(Samples.path(file)).array
        var random = RandomNumbers()
        var refused = 0
        for _ in 0..<400 {
            var copy = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                copy[Int.random(in: 8..<copy.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            if refusal(copy) != nil { refused += 1 }
        }
        #expect(refused > 20)
    }

    @Test func everyAnswerEndsForAModelThatRunsInCircles() {
        let model = ManagedObjectModel(entities: [
            EntityDescription(name: "A", superentity: "B"), EntityDescription(name: "B", superentity: "A"),
        ])
        #expect(model.firstProblem != nil)
        #expect(model.ancestry(of: "A").map(\.name) == ["B", "A"])
        for name in ["A", "B", "unknown"] {
            #expect(model.rootName(of: name) == model.ancestry(of: name).first?.name)
            #expect(model.rootEntity(of: name) == model.ancestry(of: name).first)
        }
        #expect(model.versionHashes.count == 2)
        #expect(model.numberedEntities.isEmpty)
        #expect(model.slots(of: "A").isEmpty)
        #expect(model.attributes(of: "unknown").isEmpty)
    }
}
