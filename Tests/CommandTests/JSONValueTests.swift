import Base
import Foundation
import KeyedArchive
import SystemPackage
import TICDSCommandLine
import Testing

@Suite struct JSONValueTests {
    @Test(
        arguments: [
            (.none, "null"), (.null, "null"), (.boolean(true), "true"),
            (.integer(9_007_199_254_740_991), "9007199254740991"), (.integer(-10), "-10"), (.integer(0), "0"),
            (.integer(9_007_199_254_740_992), #"{"$int":"9007199254740992"}"#),
            (.real(1), "1.0"), (.real(.nan), #"{"$real":"NaN"}"#),
            (.real(-.infinity), #"{"$real":"-Infinity"}"#),
            (.string("a\"\\\n\u{1}\u{202E}\u{9B}ü"), #""a\"\\\n\u0001\u202e\u009bü""#),
            (
                .string("a\u{200B}\u{AD}\u{FEFF}\u{E0041}\u{1FFFF}\u{2060}b❤\u{FE0F}“é\u{FFFD}"),
                #""a\u200b\u00ad\ufeff\udb40\udc41\ud83f\udfff\u2060b❤\#u{FE0F}“é\#u{FFFD}""#
            ),
            (.data(Array("Man".utf8)), #"{"$data":"TWFu"}"#), (.data([255]), #"{"$data":"/w=="}"#),
            (.data([]), #"{"$data":""}"#), (.data([255, 254]), #"{"$data":"//4="}"#),
            (.date(0), #"{"$date":"2001-01-01T00:00:00.000Z"}"#),
            (.date(-0.5), #"{"$date":"2000-12-31T23:59:59.500Z"}"#),
            (.date(0.9999999999), #"{"$date":{"$real":"0.9999999999"}}"#),
            (.date(389_111_222.123456), #"{"$date":"2013-05-01T14:27:02.123456Z"}"#),
            (.date(-63_113_904_000), #"{"$date":"0001-01-01T00:00:00.000Z"}"#),
            (.date(-63_113_904_001), #"{"$date":{"$real":"-63113904001.0"}}"#),
            (.date(252_423_993_600), #"{"$date":{"$real":"252423993600.0"}}"#),
            (.date(.nan), #"{"$date":{"$real":"NaN"}}"#),
            (.url("http://a/"), #"{"$url":"http://a/"}"#), (.cycle, #"{"$cycle":true}"#),
            (.uid(3), #"{"$uid":3}"#), (.array([.integer(1), .array([])]), "[1,[]]"),
            (.set([.integer(1)]), #"{"$set":[1]}"#), (.orderedSet([]), #"{"$orderedSet":[]}"#),
            (.dictionary(["b": .integer(1), "a": .null]), #"{"b":1,"a":null}"#),
            (.dictionary(["$b": .integer(1)]), #"{"$dictionary":[["$b",1]]}"#),
            (.dictionary(["a": .integer(1), "a": .integer(2)]), #"{"$dictionary":[["a",1],["a",2]]}"#),
            (.dictionary([ArchivedPair(key: .integer(1), value: .integer(2))]), #"{"$dictionary":[[1,2]]}"#),
        ] as [(ArchivedValue, String)])
    func writesByTheRules(value: ArchivedValue, expected: String) {
        #expect(json(value) == expected)
    }

    @Test func writesUnknownObjects() {
        let plain = ArchivedObject(className: "C", fields: [ArchivedField("x", .integer(1))])
        #expect(json(.object(plain)) == #"{"$class":"C","x":1}"#)
        let odd = ArchivedObject(className: "C", fields: [ArchivedField("$class", .integer(1))])
        #expect(json(.object(odd)) == #"{"$class":"C","$fields":[["$class",1]]}"#)
    }

    @Test func composedAndDecomposedKeysStayTwo() {
        let value = ArchivedValue.dictionary(["\u{E9}": .integer(1), "e\u{301}": .integer(2)])
        #expect(json(value) == "{\"\u{E9}\":1,\"e\u{301}\":2}")
    }

    @Test func pathsThatAreNotUTF8KeepTheirBytes() {
        let bytes: [CChar] = [0x61, CChar(bitPattern: 0xE9), 0]
        var writer = JSONWriter(nil)
        writer.beginObject()
        bytes.withUnsafeBufferPointer { buffer in
            if let base = buffer.baseAddress { writer.field("path", FilePath(platformString: base)) }
        }
        writer.endObject()
        #expect(writer.text == #"{"path":"a\\xE9","pathBase64":"Yek="}"#)
    }

    @Test func documentsAreIndented() {
        var writer = JSONWriter(nil, layout: .indented)
        writer.beginObject()
        writer.field("a", 1)
        writer.beginArray("b")
        writer.endArray()
        writer.beginArray("c")
        writer.value("x")
        writer.endArray()
        writer.endObject()
        #expect(writer.text == "{\n  \"a\": 1,\n  \"b\": [],\n  \"c\": [\n    \"x\"\n  ]\n}")
    }

    private func json(_ value: ArchivedValue) -> String {
        var writer = JSONWriter(nil)
        writer.value(value)
        return writer.text
    }
}
