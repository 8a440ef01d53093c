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

    /// What json.loads of Python refuses, too.
    @Test(arguments: [
        "01", "-01", "+1", "1.", ".5", "-", "--1", "1e", "1e+", "1.e5", "0x1", "00", "1..2", "1.5.2", "1-2",
        "-.5",
    ])
    func numbersInAnotherFormAreRefused(_ text: String) {
        func isRefused(_ read: (inout JSONScanner) throws(JSONScanner.Problem) -> Void) -> Bool {
            var scanner = JSONScanner(Array(text.utf8))
            do throws(JSONScanner.Problem) {
                try read(&scanner)
                try scanner.end()
                return false
            } catch {
                return error.offset <= text.utf8.count
            }
        }
        #expect(isRefused { (scanner) throws(JSONScanner.Problem) in _ = try scanner.number() })
        #expect(isRefused { (scanner) throws(JSONScanner.Problem) in _ = try scanner.numberText() })
        #expect(isRefused { (scanner) throws(JSONScanner.Problem) in _ = try scanner.integer() })
        #expect(isRefused { (scanner) throws(JSONScanner.Problem) in try scanner.skip() })
    }

    @Test(arguments: ["0", "-0", "10", "-7", "0.5", "1e5", "1E-5", "-1.25e+10"])
    func numbersOfJSONAreRead(_ text: String) throws {
        var scanner = JSONScanner(Array(text.utf8))
        #expect(try scanner.numberText() == text)
        try scanner.end()
        var skipping = JSONScanner(Array(text.utf8))
        try skipping.skip()
        try skipping.end()
    }

    @Test func escapesWithASignAreRefused() {
        var scanner = JSONScanner(Array("\"\\u+123\"".utf8))
        #expect(throws: JSONScanner.Problem.self) { try scanner.text() }
    }
}
