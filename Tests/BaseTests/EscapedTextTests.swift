import Base
import Testing

@Suite struct EscapedTextTests {
    @Test(
        arguments: [
            ("plain ü 漢", "plain ü 漢"), ("a\nb\tc", "a\\nb\\tc"), ("\u{1B}[31m", "\\u{1B}[31m"),
            ("\u{202E}x\u{9B}", "\\u{202E}x\\u{9B}"),
            ("no\u{200B}tes\u{2060}\u{AD}", "no\\u{200B}tes\\u{2060}\\u{AD}"),
            ("\u{FEFF}a\u{E0061}\u{180B}\u{3164}", "\\u{FEFF}a\\u{E0061}\\u{180B}\\u{3164}"),
            ("\u{FFFE}a\u{FFFF}", "\\u{FFFE}a\\u{FFFF}"),
            ("\u{1FFFE}\u{10FFFF}", "\\u{1FFFE}\\u{10FFFF}"), ("\u{FDCF}\u{FDF0}", "\u{FDCF}\u{FDF0}"),
            ("\u{2800}\u{A0}\u{301}", "\u{2800}\u{A0}\u{301}"),
            // A family, an astronaut, the rainbow flag, a heart.
            ("👨\u{200D}👩\u{200D}👧", "👨\u{200D}👩\u{200D}👧"), ("🧑🏽\u{200D}🚀", "🧑🏽\u{200D}🚀"),
            ("🏳\u{FE0F}\u{200D}🌈", "🏳\u{FE0F}\u{200D}🌈"), ("❤\u{FE0F}", "❤\u{FE0F}"),
            ("👨\u{200D}", "👨\\u{200D}"), ("\u{200D}👨", "\\u{200D}👨"), ("a\u{200D}b", "a\\u{200D}b"),
            ("1\u{FE0F}", "1\\u{FE0F}"), ("👨\u{FE0F}", "👨\\u{FE0F}"),
            ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}\\u{FE0F}"), ("i\u{FE0F}\u{200D}👨", "i\\u{FE0F}\\u{200D}👨"),
        ])
    func harmfulCharactersAreEscaped(text: String, expected: String) {
        #expect(escapedText(text) == expected)
    }

    /// The compiler refuses U+FDD0 to U+FDEF in literals.
    @Test func noncharactersAreEscaped() {
        let planes = (0...16).flatMap { [$0 << 16 | 0xFFFE, $0 << 16 | 0xFFFF] }
        for value in (0xFDD0...0xFDEF) + planes {
            let text = Unicode.Scalar(UInt32(value)).map { String(Character($0)) }
            #expect(text.map(escapedText) == "\\u{\(String(value, radix: 16, uppercase: true))}")
        }
    }

    @Test func bytesThatAreNotUTF8AreEscaped() {
        #expect(
            escapedName([0x61, 0xE9, 0x62, 0xC3, 0xA9, 0x0A, 0xE2, 0x82])
                == "a\\xE9bé\\n\\xE2\\x82")
    }
}
