import Testing

@testable import Base

/// The layout of a document with one element per line.
@Suite struct JSONLinesTests {
    @Test func eachElementHasALine() {
        var json = JSONWriter(nil, layout: .lines)
        json.beginObject()
        json.beginArray("entries")
        for name in ["a", "b"] {
            json.beginObject()
            json.field("name", name)
            json.endObject()
        }
        #expect(json.text == "{\n\"entries\":[\n{\"name\":\"a\"},\n{\"name\":\"b\"}")
        var rest = JSONWriter(nil, layout: .lines, depth: 2)
        rest.beginObject()
        rest.endObject()
        rest.endArray()
        rest.end()
        #expect(rest.text == ",\n{}\n]\n}\n")
    }
}
