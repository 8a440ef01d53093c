import ArgumentParser
import SystemCalls
import Testing

@testable import TICDSCommandLine

/// Words of unfinished command lines, and their completions.
@Suite struct CompletionWordTests {
    @Test(arguments: [
        ("plain", "plain"), ("a\\ b", "a b"), ("'a b", "a b"), ("\"a $x\\\" b", "a $x\" b"),
        ("'a'\\''b'", "a'b"),
        ("a\"b c\"d", "ab cd"), ("$'a\\'b'", "a'b"), ("\"a\\b\"", "a\\b"), ("", ""), ("~other/x", "~other/x"),
        ("${nowhere}x", "${nowhere}x"), ("a\\", "a"),
    ])
    func takesQuotesAway(word: String, value: String) {
        #expect(CompletionWord.value(word) == value)
    }

    @Test func looksUpHomeAndVariables() throws {
        let home = try #require(Environment["HOME"])
        for word in ["~/x y", "~/x\\ y", "$HOME/x\\ y", "\"${HOME}/x y", "\"$HOME\"/x' y'"]
        where word != "~/x y" {
            #expect(CompletionWord.value(word) == home + "/x y", "\(word)")
        }
        #expect(CompletionWord.value("'$HOME") == "$HOME")
        #expect(CompletionWord.expanded("~/a$b") == home + "/a$b")
        #expect(CompletionWord.expanded("$HOME/a b") == home + "/a b")
    }

    @Test(arguments: ["$(touch ran)", "a`touch ran`", "\"$(touch ran)", "\"`touch ran`\""])
    func runsNothing(word: String) {
        #expect(CompletionWord.value(word) == nil)
    }

    @Test func knowsTheQuotesOfFish() {
        #expect(CompletionWord.value("'it\\'s \\\\ x", fish: true) == "it's \\ x")
        #expect(CompletionWord.value("(touch ran)", fish: true) == nil)
    }

    @Test func offersNamesWhereTheyAreBegun() {
        let candidates = [
            CompletionCandidate("A1", name: "Notes"), CompletionCandidate("A2", name: "Same"),
            CompletionCandidate("B1", name: "Same"), CompletionCandidate("B2", name: "-x"),
            CompletionCandidate("C\n1", name: "one\ntwo"),
        ]
        #expect(candidates.lines(typed: "") == ["A1\tNotes", "A2\tSame", "B1\tSame", "B2\t-x"])
        #expect(candidates.lines(typed: "a") == ["A1\tNotes", "A2\tSame"])
        #expect(candidates.lines(typed: "No") == ["Notes\tA1"])
        #expect(candidates.lines(typed: "Sa").isEmpty)
        #expect(candidates.lines(typed: "on").isEmpty && candidates.lines(typed: "-").isEmpty)
    }

    @Test func keepsTheCommonBeginningOfMany() {
        let many = (0..<600).map { CompletionCandidate("x\(600 - $0)") } + [CompletionCandidate("xa")]
        let lines = many.lines(typed: "x")
        #expect(lines.count == 252 && lines.first == "x600\t")
        #expect(lines.contains("xa\t") && lines.contains("x1\t"))
    }

    @Test func readsTheQuestionOfAShell() throws {
        let words = ["sub", "re\\ mote", "--document", "'Notes'", "$(touch ran)", "--client=An\\ "]
        let question = try #require(CompletionQuestion(["ticds-x", "---complete", "bash"] + words))
        #expect(question.words == ["sub", "re mote", "--document", "Notes", ""])
        #expect(question.typed == "--client=An ")
        let typed = try #require(question.typedValue)
        #expect(typed.option == "--client" && typed.value == "An ")
        #expect(CompletionQuestion(["ticds-x", "---complete", "tcsh", ""]) == nil)
        #expect(CompletionQuestion(["ticds-x", "---complete", "zsh"]) == nil)
    }

    @Test func findsValuesInARequest() {
        let request = CompletionRequest(["re mote", "--document", "Notes", "An "])
        #expect(request.typed == "An " && request.value(of: "--document") == "Notes")
        #expect(request.value(of: "--client") == nil && request.namedRemote == nil)
    }
}
