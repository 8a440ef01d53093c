import TICDSCommandLine
import Testing

@Suite struct ParagraphTests {
    @Test func paragraphs() {
        let text = "It was 2013-11-05 20:00 UTC, and 23 kB in all, with anextremelylongwordthatdoesnotfit"
        let lines = Paragraph.lines(text, width: 20, indent: 2)
        #expect(
            lines == [
                "It was", "  2013-11-05 20:00 UTC,", "  and 23 kB in all,",
                "  with anextremelylongwordthatdoesnotfit",
            ],
            "\(lines)")
        #expect(Paragraph.lines("", width: 10) == [])
        #expect(Paragraph.lines("日本語 日本語", width: 10) == ["日本語", "日本語"])
    }

    @Test(arguments: [
        ("It fits.", ["It fits."]), ("", [""]),
        ("  Two  spaces stay in \"a  b\".", ["  Two  spaces stay in", "  \"a  b\"."]),
        ("Its client has not synchronised.", ["Its client has not", "synchronised."]),
        // A copied command must be whole.
        ("    $ ticds-vacuum remote --keep-within 9w", ["    $ ticds-vacuum remote --keep-within 9w"]),
        ("ticds-vacuum remote --keep-within 9w", ["ticds-vacuum remote --keep-within 9w"]),
        (
            "To undo this: ticds undo remote --last. It takes long.",
            ["To undo", "this: ticds undo remote --last.", "It takes long."]
        ),
        ("ticds-vacuum: a problem of a file", ["ticds-vacuum: a", "problem of a file"]),
        ("日本語 日本語 日本語 日本語", ["日本語 日本語 日本語", "日本語"]),
    ])
    func lineFitsTheTerminal(text: String, lines: [String]) {
        #expect(TerminalText(text).lines(width: 22).map(\.raw) == lines)
        #expect(TerminalText(text).lines(width: .max).map(\.raw) == [text])
    }

    /// A path of a remote is often longer than a line.
    @Test func wordThatFitsNoLineStaysBehindItsWords() {
        let path = "12 kB  " + String(repeating: "name/", count: 9)
        #expect(TerminalText(path).lines(width: 30).map(\.raw) == [path])
        let tabs: TerminalText = "\t\ta value of several words"
        #expect(tabs.lines(width: 39).map(\.raw) == ["\t\ta value of several", "\t\twords"])
    }

    @Test(arguments: [
        // A quoted path is not broken, whatever its words end with.
        (
            "To undo it: ticds-journal undo '/a/My data; v. 2 old' 1",
            "it: ticds-journal undo '/a/My data; v. 2 old' 1"
        ),
        ("Allow it with --allow-missing='My folder. old; x' then", "--allow-missing='My folder. old; x'"),
        // A name must not begin a line that looks like a command.
        (
            "Cookbook (x. run: ticds-remote remove --yes ~/Dropbox)",
            "run: ticds-remote remove --yes ~/Dropbox)"
        ),
        ("Name of some words          $ ticds-remote remove x", "words          $ ticds-remote"),
    ])
    func quotationsAndCommandsStayWhole(text: String, line: String) {
        let lines = TerminalText(text).lines(width: 24, isMessage: true).map(\.raw)
        #expect(lines.contains(line), "\(lines)")
        #expect(lines.joined(separator: " ").split(separator: " ") == text.split(separator: " "))
    }

    /// The signs of flags cost time when they are read backwards.
    @Test(.timeLimit(.minutes(1))) func longNameOfFlagsIsBroken() {
        let name = String(repeating: "\u{1F1E9}", count: 100_000)
        let lines = TerminalText("Client \(name) of two words").lines(width: 60)
        #expect(lines.count == 2)
    }

    @Test func messageOfAProgramIsNoCommand() {
        let text: TerminalText = "ticds-changes list: the time is no time"
        #expect(
            text.lines(width: 22, isMessage: true).map(\.raw) == [
                "ticds-changes list:", "the time is no time",
            ])
        #expect(text.lines(width: 22) == [text])
    }

    @Test func laterLinesHang() {
        let lines = TerminalText("  warning: the plan removes much").lines(width: 24, hanging: 2)
        #expect(lines.map(\.raw) == ["  warning: the plan", "    removes much"])
    }

    /// A pager such as less(1) ends colours at the end of a line.
    @Test func eachLineHasItsColour() {
        let text = Colour.always.paint("A sentence that is too long", .bad) + " for the terminal"
        let lines = text.lines(width: 20)
        #expect(
            lines.map(\.raw) == [
                "\u{1B}[31mA sentence that is\u{1B}[0m", "\u{1B}[31mtoo long\u{1B}[0m for the", "terminal",
            ])
    }

    /// A terminal may say that it has one column.
    @Test func narrowestTerminalShowsAllWords() {
        let lines = TerminalText("      Each of the words is there.").lines(width: 1)
        #expect(
            lines.map(\.raw).joined().split(separator: " ").joined(separator: " ")
                == "Each of the words is there.")
    }
}
