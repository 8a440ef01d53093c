import Foundation
import SystemPackage
import Testing

/// Long text on a terminal.
@Suite struct PagerTests {
    private func screen(
        _ program: String, _ arguments: [String], _ variables: [String: String] = [:], answer: String = ""
    ) throws -> TerminalScreen {
        var run = TerminalScreen.Run(program, arguments, variables)
        run.answer = answer
        return try .of(run)
    }

    @Test(arguments: [["ticds-changes", "dump"], ["ticds-inspect", "tree"]])
    func goesThroughThePager(words: [String]) throws {
        let demo = try DemoRemote()
        let plain = try screen(words[0], [words[1], demo.path, "--no-pager"])
        #expect(plain.status == 0)
        let paged = try screen(words[0], [words[1], demo.path], ["PAGER": "sed 's/^/> /'"])
        #expect(paged.status == 0)
        let lines = plain.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count > 20)
        #expect(paged.text == lines.map { "> \($0)\n" }.joined())
    }

    @Test(arguments: [["PAGER": "cat"], ["PAGER": ""], ["PAGER": "echo paged", "TERM": "dumb"]])
    func noPagerIsWanted(variables: [String: String]) throws {
        let demo = try DemoRemote()
        let shown = try screen("ticds-changes", ["dump", demo.path, "--color", "never"], variables)
        let plain = try Program.run("ticds-changes", ["dump", demo.path])
        #expect(shown.status == 0 && !shown.text.contains("paged"))
        #expect(shown.text.filter { !$0.isWhitespace } == plain.output.filter { !$0.isWhitespace })
        #expect(!plain.output.isEmpty)
    }

    @Test func jsonIsNotPaged() throws {
        let demo = try DemoRemote()
        let shown = try screen("ticds-changes", ["dump", demo.path, "--json"], ["PAGER": "echo paged"])
        #expect(shown.status == 0 && shown.text.hasPrefix("{") && !shown.text.contains("paged"))
    }

    /// A user who leaves the pager early causes no error; temporary folders are also removed.
    @Test func leavingEarlyIsNoError() throws {
        let demo = try DemoRemote(.encrypted, changeSets: 240)
        let folder = demo.scratch.path.appending("temporary")
        try demo.scratch.shell("mkdir temporary")
        let variables = ["PAGER": "head -n 3", "TMPDIR": folder.string]
        let words = ["dump", demo.path, "--color", "never"] + demo.passwordOptions
        let shown = try screen("ticds-changes", words, variables)
        #expect(shown.status == 0)
        #expect(shown.text.split(separator: "\n").count == 3)
        #expect(try demo.scratch.shell("ls temporary").isEmpty)
        let store = ["dump", try demo.wholeStores[0], "--color", "never", "--quiet"] + demo.passwordOptions
        let dump = try screen("ticds-store", store, variables)
        #expect(dump.status == 0)
        #expect(dump.text.split(separator: "\n").count == 3)
        #expect(try demo.scratch.shell("ls temporary").isEmpty)
    }

    @Test func lessShowsColoursAndLeavesTheText() throws {
        let demo = try DemoRemote()
        let shown = try screen(
            "ticds-changes", ["dump", demo.path], ["PAGER": "less -P'(END)'"], answer: "q")
        #expect(shown.status == 0)
        #expect(shown.text.contains("\u{1B}[1m"))
        #expect(!shown.text.contains("ESC[") && !shown.text.contains("\u{1B}[?1049h"))
    }

    /// Errors appear in the pager, at their place.
    @Test func errorsGoIntoThePager() throws {
        let demo = try DemoRemote(.damaged)
        let paged = try screen(
            "ticds-changes", ["dump", demo.path, "--color", "never"], ["PAGER": "sed 's/^/> /'"])
        #expect(paged.status == 5)
        #expect(paged.text.contains("ticds-changes: ") && paged.text.contains(".syncchg:"))
    }

    @Test func aPagerThatIsNotThere() throws {
        let demo = try DemoRemote()
        let shown = try screen("ticds-changes", ["dump", demo.path], ["PAGER": "no-such-pager"])
        #expect(shown.text.contains("the pager cannot be run"))
    }
}
