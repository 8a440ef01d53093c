import TICDSCommandLine
import Testing

/// Widths according to Python's wcwidth 0.7 (Unicode 17).
@Suite struct DisplayWidthTests {
    @Test(
        arguments: [
            ("abc", 3), ("", 0), ("漢字", 4), ("한국어", 6), ("ア", 2), ("ｶﾞ", 2), ("Ａ", 2), ("Ｂørge", 6),
            ("ㄅ", 2), ("…", 1), ("–", 1), ("─", 1), ("ﷺ", 1), ("𝟘", 1),
        ])
    func scripts(text: String, columns: Int) { #expect(DisplayWidth.of(text) == columns) }

    @Test(
        arguments: [
            ("e\u{301}", 1), ("\u{1112}\u{1161}\u{11AB}", 2), ("नमस्ते", 4), ("क्ष", 2), ("กำ", 2), ("\u{BBF}", 0),
            ("\u{200B}x", 1), ("\u{2060}", 0), ("a\u{AD}b", 3), ("\u{600}x", 2), ("i\u{FE0F}", 1),
            ("か\u{3099}", 2),
        ])
    func combiningAndInvisible(text: String, columns: Int) { #expect(DisplayWidth.of(text) == columns) }

    @Test(
        arguments: [
            ("👍", 2), ("👍🏽", 2), ("⌚", 2), ("☺", 1), ("☺️", 2), ("❤", 1), ("❤️", 2), ("❤️‍🔥", 2), ("1️⃣", 2),
            ("👩‍👩‍👧", 2), ("🧑🏿‍🚀", 2), ("👨‍🦰", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("🇩", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("㊙️", 2), ("🅰", 1),
            ("🅰️", 2),
            ("▶", 1), ("▶️", 2), ("⚡︎", 2), ("🀄", 2),
        ])
    func emoji(text: String, columns: Int) { #expect(DisplayWidth.of(text) == columns) }

    @Test func shortensWithAnEllipsis() {
        #expect(DisplayWidth.shortened("abcdef", to: 4) == "abc…")
        #expect(DisplayWidth.shortened("漢字漢字", to: 4) == "漢…")
        #expect(DisplayWidth.shortened("abc", to: 3) == "abc")
        #expect(DisplayWidth.shortened("🇩🇪🇫🇷👩‍👩‍👧", to: 5) == "🇩🇪🇫🇷…")
        #expect(DisplayWidth.shortened("e\u{301}e\u{301}e\u{301}", to: 2) == "e\u{301}…")
        #expect(DisplayWidth.shortened("abc", to: 0) == "")
    }
}
