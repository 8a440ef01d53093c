import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import Testing
import TICDSCommandLine
import TICDSCore

@Suite struct TextTests {
    @Test(arguments: [(5, "a, b, c, d, e"), (3, "a, b, c and 2 more"), (9, "a, b, c, d, e")])
    func shortenedListHasACount(limit: Int, expected: String) {
        let names = ["a", "b", "c", "d", "e"]
        #expect(names.listed(limit) == expected)
        #expect(names.listed(5, of: 7) == "a, b, c, d, e and 2 more")
    }

    /// Only literals of the source stay unchanged.
    @Test func textForTheScreenEscapesWhatIsPutIn() {
        let name = "\u{1B}[7mx\n"
        var text = OutputBuffer(nil)
        text.line("\t\(name)\(FilePath(nameBytes: [0x1B, 0xE9]))")
        text.line(name)
        text.line("\(Colour.always.paint(name, .bad)), \(Colour.never.paint("\(name)!", .bad)), \(7)")
        text.line(["\(name)", "b"].joined(separator: "\t") + TerminalText(name))
        let shown = "\\u{1B}[7mx\\n"
        let lines = [
            "\t\(shown)\\u{1B}\\xE9", shown, "\u{1B}[31m\(shown)\u{1B}[0m, \(shown)!, 7",
            "\(shown)\tb\(shown)",
        ]
        #expect(String(decoding: text.collected, as: UTF8.self) == lines.map { $0 + "\n" }.joined())
    }

    @Test(arguments: [
        (0, "0 B"), (999, "999 B"), (1_400_000, "1.4 MB"), (9_960, "10 kB"), (999_600, "1.0 MB"),
        (23_000_000, "23 MB"),
    ])
    func sizes(bytes: Int, text: String) { #expect(TextStyle().size(bytes) == text) }

    @Test func counts() {
        #expect(Quantities.count(100_000) == "100,000")
        #expect(Quantities.count(1, "entry", "entries") == "1 entry")
        #expect(Quantities.count(2, "entry", "entries") == "2 entries")
    }

    @Test func relativeTimes() {
        let now = FileTime(seconds: 1_000_000_000)
        #expect(FileTime(seconds: 1_000_000_000 - 7_200).relative(to: now) == "2 hours ago")
        #expect(FileTime(seconds: 1_000_000_000 + 86_400).relative(to: now) == "in 1 day")
        #expect(FileTime(seconds: 999_999_990).relative(to: now) == "just now")
    }

    @Test func momentsOfEveryDayReadBack() {
        #expect(FileTime(seconds: 951_782_400).iso == "2000-02-29T00:00:00.000Z")
        #expect(FileTime(seconds: -1, nanoseconds: 1).iso == "1969-12-31T23:59:59.000000001Z")
        #expect(FileTime(seconds: 4_107_542_400).iso == "2100-03-01T00:00:00.000Z")
    }

    @Test func valuesOnOneLine() {
        #expect(TextStyle().line(of: .string("a\nb")) == "\"a\\nb\"")
        #expect(TextStyle().line(of: .data([1, 255])) == "<2 B: 01ff>")
        #expect(
            TextStyle().line(of: .array((0..<100).map { .integer(Int128($0)) }), limit: 20)
                == "[0, 1, 2, 3, 4, 5, 6, … 93 more]")
        #expect(
            TextStyle().line(of: .string(String(repeating: "x", count: 1_200)), limit: 10)
                == "\"xxxxxxxxxx… (1.2 kB more)\"")
    }
}
