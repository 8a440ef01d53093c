import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSCommandLine
@testable import TICDSCommands

/// The manual on machines without man(1): ticds formats its pages itself.
@Suite struct ManualTextTests {
    /// Every page at several widths: prose fits, no markup is left, and every displayed line is complete.
    @Test(arguments: [40, 80, 200]) func everyPage(_ width: Int) throws {
        for name in try Self.pages() {
            let source = try String(
                contentsOf: ManualPage.package.appending(path: "man/\(name)"), encoding: .utf8)
            let lines = ManualText(source, width: width).lines.map(\.raw)
            // The check does not depend on the width.
            if width == 80 {
                let markup = #/\\[&(\-]|^\s*\.[A-Z][a-z]\b|(?:^|\s)(?:Ar|Fl|Cm|Pa|Ns|Op) /#
                #expect(lines.filter { $0.contains(markup) } == [], "\(name)")
            }
            let shown = source.replacing("\\(ti", with: "~")
            for line in lines where DisplayWidth.of(line) > width {
                // Text that cannot be broken: an example, or a word that is longer than a line.
                let parts = line.split(separator: " ")
                let isShown = shown.contains(parts.last ?? "")
                #expect(parts.count <= 3 || line.hasPrefix("        ") || isShown, "\(name): \(line)")
            }
            let page = try ManualPage(name)
            for title in page.sections { #expect(lines.contains(title), "\(name): \(title)") }
            let unindented = Dictionary(grouping: lines) { $0.drop { $0 == " " } }
            for display in page.displays {
                for line in display.split(separator: "\n") where !line.contains("\\") && !line.hasPrefix(".")
                {
                    let alike = unindented[line.drop { $0 == " " }, default: []]
                    #expect(alike.contains { $0.hasSuffix(line) }, "\(name): \(line)")
                }
            }
        }
    }

    /// Examples that a reader copies from a terminal of 80 columns run: mandoc(1) breaks no line of an example, and no
    /// command or line of cron is wider than the terminal.
    @Test(.enabled(if: mandoc != nil, "needs mandoc")) func examplesCanBeCopied() throws {
        let mandoc = try #require(Self.mandoc)
        for name in try Self.pages() {
            let file = ManualPage.package.appending(path: "man/\(name)").path
            let result = try Program.launch(
                mandoc, ["-T", "utf8", "-O", "width=78", file], environment: [:], seconds: 60)
            #expect(result.status == 0, "\(name): \(result.errors)")
            // Bold letters are printed twice.
            let printed = result.output.replacing(/.\u{8}/, with: "").split(separator: "\n")
            let widths = Dictionary(
                printed.map { ($0.drop { $0 == " " }, DisplayWidth.of($0)) }, uniquingKeysWith: max)
            for line in try ManualPage(name).displayedLines where !line.text.isEmpty {
                let width = widths[line.text[...]]
                #expect(width != nil, "\(name): broken: \(line.text)")
                let isNarrow = line.isOutput || name.hasSuffix(".5") || width ?? 0 <= 80
                #expect(isNarrow, "\(name): \(width ?? 0) columns: \(line.text)")
            }
        }
    }

    private static let mandoc = ["/usr/bin/mandoc", "/usr/local/bin/mandoc", "/opt/homebrew/bin/mandoc"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    private static func pages() throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: ManualPage.package.appending(path: "man").path
        ).filter { $0.contains(/\.[157]$/) }
    }

    @Test func macros() {
        let source = """
            .Dd May 1, 2013
            .Dt TICDS-TEST 1
            .Os
            .Sh NAME
            .Nm ticds-test
            .Nd shows what a page can contain
            .Sh SYNOPSIS
            .Nm
            .Cm run
            .Op Fl n | Fl -dry-run
            .Op Fl -client Ar name Oo Fl -description Ar text Oc ...
            .Ar file ...
            .Sh DESCRIPTION
            .Nm
            reads
            .Pa ~/Dropbox ,
            as
            .Xr ticds 1
            says
            .Pq see Sx Odd names .
            .Bl -tag -width Ds
            .It Fl n , Fl -dry-run
            Only
            .Em show
            it.
            .Pp
            A second paragraph.
            .It Cm a
            Short.
            .El
            .Ss Odd names
            .Bl -bullet -compact
            .It
            One that begins with
            .Ql \\&. :
            .Li \\(dqa\\(dq Ns b .
            .El
            .Bd -literal -offset indent
            $ ticds-test   run \\e
                --client x
            .Ed
            .Dl $ ticds-test run \\(aqAnna\\(aq
            .Unknown Keep these words
            """
        let text = ManualText(source, width: 60).lines.map(\.raw).joined(separator: "\n")
        #expect(
            text == """
                TICDS-TEST(1)           ticds manual           TICDS-TEST(1)

                NAME
                    ticds-test - shows what a page can contain

                SYNOPSIS
                    ticds-test run [-n | --dry-run]
                               [--client name [--description text] ...]
                               file ...

                DESCRIPTION
                    ticds-test reads ~/Dropbox, as ticds(1) says (see Odd
                    names).

                    -n, --dry-run
                          Only show it.

                          A second paragraph.

                    a     Short.

                  Odd names
                    • One that begins with ‘.’: "a"b.

                        $ ticds-test   run \\
                            --client x

                        $ ticds-test run 'Anna'
                    Keep these words

                May 1, 2013
                """, "\(text)")
    }

    /// No content of a page reaches the terminal as a control character.
    @Test func hostilePage() {
        let page =
            ".Sh \u{1B}[31mRED\n.Nm x\u{7}\ntext \u{1B}]0;title\u{7} \u{202E}\n.Bd -literal\n\u{1B}[2J\n.Ed\n"
        let deep =
            String(repeating: ".Bl -tag -width Ds\n.It Cm a\n", count: 5_000)
            + String(repeating: "(", count: 5_000)
        let nested = ".Op " + String(repeating: "Op Fl x ", count: 3_000)
        for source in [
            page, deep, nested, ".", "'", ".Bl", ".It", ".El", ".It x\n.Bl -column", "\\", ".Xr", ".Ql",
        ] {
            let lines = ManualText(source, width: 80).lines
            #expect(
                lines.allSatisfy { line in
                    !line.raw.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E }
                })
        }
    }

    /// troff(1) does not terminate if lines are too short.
    @Test(arguments: ["COLUMNS", "MANWIDTH"]) func helpInNarrowTerminalEnds(name: String) throws {
        for topic in ["help", "archive"] {
            let screen = try TerminalScreen.of(
                TerminalScreen.Run(
                    "ticds", ["help", topic], [name: "10", "PAGER": "cat", "MANPAGER": "cat"]))
            #expect(screen.status == 0 && screen.text.contains("ticds"), "\(screen.text)")
            let result = try Program.run("ticds", ["help", topic], environment: [name: "10"], seconds: 30)
            #expect(result.status == 0 && result.output.contains("ticds"), "\(result.errors)")
        }
    }

    /// `ticds help` without man(1), in a pipe and on terminals.
    @Test func helpWithoutManual() throws {
        let without = ["PATH": "/nowhere"]
        let piped = try Program.run("ticds", ["help", "archive"], environment: without)
        #expect(
            piped.status == 0 && piped.output.contains("\nSYNOPSIS\n    ticds-archive export"),
            "\(piped.errors)")
        #expect(Self.prose(piped.output).allSatisfy { DisplayWidth.of($0) <= 80 })
        for topic in ["json", "recipes", "core-data-sqlite-store"] {
            let result = try Program.run("ticds", ["help", topic], environment: without)
            #expect(result.status == 0 && result.output.contains("\nNAME\n"), "\(topic): \(result.errors)")
        }
        for columns in [80, 200] {
            var run = TerminalScreen.Run(
                "ticds", ["help", "archive"], ["PATH": "/nowhere", "PAGER": "cat", "NO_COLOR": "1"])
            run.columns = columns
            let screen = try TerminalScreen.of(run)
            let widest = Self.prose(screen.text).map { DisplayWidth.of($0) }.max() ?? 0
            #expect(screen.status == 0 && (columns - 12...columns).contains(widest), "\(columns): \(widest)")
        }
        let coloured = try TerminalScreen.of(
            TerminalScreen.Run("ticds", ["help", "archive"], ["PATH": "/nowhere", "PAGER": "cat"]))
        #expect(coloured.text.contains("\u{1B}[1mSYNOPSIS\u{1B}[0m"))
    }

    /// Lines that are not examples, which stay unchanged.
    private static func prose(_ text: String) -> [Substring] {
        text.split(separator: "\n").filter { !$0.contains("$ ") }
    }

    /// Packages compress the pages.
    @Test func compressedPage() throws {
        let scratch = try Scratch()
        let source = ManualPage.package.appending(path: "man/ticds.1").path
        try scratch.shell(
            "cp '\(source)' ticds.1; gzip -9nk ticds.1; gzip -c ticds.1 >named.gz; head -c 700 ticds.1.gz >cut.gz"
        )
        let plain = try ManualPageFile.content(of: scratch.path.appending("ticds.1"))
        for name in ["ticds.1.gz", "named.gz"] {
            #expect(try ManualPageFile.content(of: scratch.path.appending(name)) == plain, "\(name)")
        }
        #expect(throws: FileProblem.self) { try ManualPageFile.content(of: scratch.path.appending("cut.gz")) }
        let short = try scratch.write("short.gz", [0x1F, 0x8B, 8, 0xFF, 0, 0])
        #expect(throws: FileProblem.self) { try ManualPageFile.content(of: FilePath(short)) }
    }
}
