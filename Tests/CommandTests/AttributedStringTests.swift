import Base
import KeyedArchive
import TestSupport
import Testing
import TICDSCommandLine

/// Text with attributes in JSON, as ticds-json(5) describes it.
@Suite struct AttributedStringTests {
    private static let font: ArchivedValue = .object(
        ArchivedObject(className: "NSFont", fields: [ArchivedField("NSName", .string("Helvetica"))]))

    @Test func runsHaveTheirAttributes() {
        let text = ArchivedAttributedString(
            string: "bold link",
            attributes: [
                .dictionary(["NSLink": .url("http://example.com/")]), .dictionary(["NSFont": Self.font]),
            ],
            runs: [.init(length: 4, attributes: 1), .init(length: 5, attributes: 0)])
        #expect(
            JSONWriter.text(of: .attributedString(text))
                == #"{"$attributedString":"bold link","runs":["#
                + #"{"length":4,"attributes":{"NSFont":{"$class":"NSFont","NSName":"Helvetica"}}},"#
                + #"{"length":5,"attributes":{"NSLink":{"$url":"http://example.com/"}}}]}"#)
    }

    /// A small archive can refer to large attributes very often; the text then does not repeat them.
    @Test func largeAttributesAreWrittenOnce() {
        let large: ArchivedValue = .dictionary([
            "a": .array(Array(repeating: .integer(1), count: 10_000)),
            "b": .data([UInt8](repeating: 7, count: 9_000)),
        ])
        let text = ArchivedAttributedString(
            string: String(repeating: "x", count: 10_000), attributes: [large],
            runs: Array(repeating: .init(length: 1, attributes: 0), count: 10_000))
        let json = JSONWriter.text(of: .attributedString(text))
        #expect(json.utf8.count < 500_000)
        #expect(
            json.contains(#"{"length":1,"attributes":0}"#) && json.contains(#"}],"attributes":[{"a":[1,"#))
    }

    /// Runs beyond the text, empty runs, and attributes that do not exist make it an object with its fields.
    @Test(arguments: [
        [(9, 0)], [(4, 0), (1, 0)], [(0, 0), (4, 0)], [(4, 7)], [(4, 0)],
    ]) func runsAreBounded(_ runs: [(Int, Int)]) throws {
        var writer = KeyedArchiveWriter()
        let text = ArchivedAttributedString(
            string: "text", attributes: [.dictionary([:]), .dictionary(["a": .integer(1)])],
            runs: runs.map { .init(length: $0.0, attributes: $0.1) })
        let root = try writer.add(.attributedString(text))
        let reader = try KeyedArchiveReader(SharedBytes(try writer.finish(top: [("root", root)])))
        let value = try reader.value(of: try reader.root())
        if runs.count == 1, runs[0] == (4, 0) {
            #expect(value == .attributedString(text))
        } else {
            guard case .object(let object) = value else { throw CancellationError() }
            #expect(object["NSString"] == .string("text") && object["NSAttributeInfo"] != nil)
        }
    }
}
