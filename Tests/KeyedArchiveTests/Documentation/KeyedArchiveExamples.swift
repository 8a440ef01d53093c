import Base
import KeyedArchive
import Testing

/// The examples of the article on keyed archives; `DocumentationTests` compares the two.
@Suite struct KeyedArchiveExamples {
    @Test func aValueThereAndBack() throws {
        let recipe = ArchivedValue.dictionary([
            "title": .string("Bread soup"),
            "servings": .integer(4),
            "created": .date(384_120_874.79),
        ])
        let bytes = try KeyedArchiveWriter.bytes(root: recipe)

        let reader = try KeyedArchiveReader(SharedBytes(bytes))
        let value = try reader.value(of: reader.root())
        let servings = value["servings"]?.integerValue

        #expect(servings == 4)
        #expect(value == recipe)
    }

    @Test func anObjectPieceByPiece() throws {
        var writer = KeyedArchiveWriter()
        let cook = try writer.add(.string("Anna"))
        let recipe = try writer.add(
            class: ["CBRecipe", "NSObject"],
            fields: [("servings", .inline(.integer(4))), ("cook", .reference(cook))])
        let bytes = try writer.finish(top: [("root", recipe)])

        let reader = try KeyedArchiveReader(SharedBytes(bytes))
        let root = try reader.root()
        let classes = try reader.classNames(of: root)
        var cookName: String?
        if let field = try reader.field("cook", of: root) { cookName = try reader.string(field) }
        let object = try reader.value(of: root)

        #expect(classes == ["CBRecipe", "NSObject"])
        #expect(cookName == "Anna")
        guard case .object(let decoded) = object else {
            Issue.record("an object of a class that nobody knows is not decoded as one")
            return
        }
        #expect(decoded["servings"] == .integer(4))
        #expect(decoded.fields.map(\.isInline) == [true, false])
    }

    @Test func aGraphThatExplodes() throws {
        var writer = KeyedArchiveWriter()
        var inner = try writer.add(.string("x"))
        for _ in 0..<60 {
            inner = try writer.add(
                class: ["NSArray", "NSObject"], fields: [("NS.objects", .references([inner, inner]))])
        }
        let bytes = try writer.finish(top: [("root", inner)])

        var problem: PropertyListError?
        let reader = try KeyedArchiveReader(SharedBytes(bytes))
        var decoder = KeyedArchiveDecoder(reader, limits: KeyedArchiveLimits(depth: 100, visits: 10_000))
        do throws(PropertyListError) {
            _ = try decoder.value(of: reader.root())
        } catch {
            problem = error
        }

        #expect(bytes.count < 4096)
        #expect(problem?.expected == "a graph within the limits of the reader")
        #expect(problem?.found == "too many objects visited")
    }

    @Test func plainLists() throws {
        let device = ArchivedValue.dictionary([
            "kTICDSClientDeviceDescription": .string("Anna’s MacBook Pro")
        ])
        let xml = try XMLPropertyListWriter.bytes(of: device)
        let binary = try BinaryPropertyListWriter.bytes(of: device)
        let fromXML = try PropertyList.value(of: SharedBytes(xml))
        let fromBinary = try PropertyList.value(of: SharedBytes(binary))

        #expect(fromXML == device && fromBinary == device)
        #expect(xml.starts(with: Array("<?xml".utf8)))
        #expect(binary.starts(with: Array("bplist00".utf8)))
    }
}
