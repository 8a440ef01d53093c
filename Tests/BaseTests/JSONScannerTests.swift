import Base
import Testing

/// The reader of JSON.
@Suite struct JSONScannerTests {
    private func text(_ json: String) -> String? {
        var scanner = JSONScanner(Array(json.utf8))
        guard let text = try? scanner.text(), (try? scanner.end()) != nil else { return nil }
        return text
    }

    @Test(arguments: [
        (#""""#, ""), (#""plain""#, "plain"), (#""ü – 🔑""#, "ü – 🔑"),
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        (#""a\u00fcb\ud83d\udd11c""#, "aübÜc"), (#""x\\""#, #"x\"#), (#" "x" "#, "x"),
    ])
    func readsStrings(json: String, expected: String) {
        #expect(text(json) == expected.replacing("Ü", with: "🔑"))
        // Skipped, they end at the same place.
        var scanner = JSONScanner(Array("[\(json),{\(json):\(json)}] ".utf8))
        #expect(throws: Never.self) { try scanner.skip() }
        let isAtEnd = scanner.isAtEnd
        #expect(isAtEnd)
    }

    @Test(arguments: [
        #"""#, #""\""#, #""\"#, "\"a\nb\"", "\"a\\\nb\"", #""\x""#, #""\u12""#, #""\u12"34""#, #""\ud83d""#,
        #""\ud83dx""#, #""\udd11""#, "x", #""a"b"#,
    ])
    func refusesOthers(json: String) {
        #expect(text(json) == nil)
        var scanner = JSONScanner(Array("[\(json)]".utf8))
        #expect(throws: JSONScanner.Problem.self) { try scanner.skip() }
    }

    /// Bytes that are not UTF-8 are refused, also after and before an escape, and in a skipped string.
    @Test(arguments: [[0xC3], [0xFF], [0x61, 0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]])
    func refusesOtherBytes(bytes: [UInt8]) {
        for inside in [bytes, Array(#"\n"#.utf8) + bytes, bytes + Array(#"\n"#.utf8)] {
            let json = [0x22] + inside + [0x22]
            var read = JSONScanner(json)
            #expect(throws: JSONScanner.Problem.self) { try read.text() }
            var skipped = JSONScanner(json)
            #expect(throws: JSONScanner.Problem.self) { try skipped.skip() }
        }
    }
}
