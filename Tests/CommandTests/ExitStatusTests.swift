import Foundation
import SystemCalls
import SystemPackage
import TICDSCommandLine
import Testing

@Suite struct ExitStatusTests {
    @Test func wrongUsageIs64() throws {
        let result = try Program.run("ticds", ["version", "--bogus"])
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("ticds version: Unknown option '--bogus'"))
    }

    @Test func wrongUsageIsJSONWhereThatWasAsked() throws {
        let result = try Program.run("ticds", ["version", "--bogus", "--json"])
        let line = try #require(result.errors.split(separator: "\n").first)
        let error = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(error["schema"] as? String == "ticds.error/1")
        #expect(error["kind"] as? String == "usage")
        #expect(error["exitStatus"] as? Int == 64)
    }

    /// Text that is not JSON would break readers that read the output line by line.
    @Test func standardErrorIsJSONWhereThatWasAsked() throws {
        let remote = try DemoRemote(.damaged)
        for words in [
            ["ticds-inspect", "status", "/no such", "--json"],
            ["ticds-changes", "dump", remote.path, "--json", "--verbose"],
            ["ticds-store", "list", remote.path, "--json"],
            ["ticds-client", "show", remote.path, "nobody", "--json"],
            ["ticds-journal", "list", "--since", "never", "--json"], ["ticds-client", "delete", "--json"],
        ] {
            let result = try Program.run(words[0], Array(words[1...]))
            for line in result.errors.split(separator: "\n") {
                let any = try? JSONSerialization.jsonObject(with: Data(line.utf8))
                #expect((any as? [String: Any])?["schema"] != nil, "\(words): \(line)")
            }
        }
    }

    @Test(arguments: [
        (["ticds-journal", "list", "--since", "soon"], "yesterday"),
        (["ticds-journal", "prune", "--larger-than", "much"], "A size is a number and a unit"),
        (["ticds-vacuum", "x", "--keep-within", "long"], "A duration is a number and a unit"),
    ])
    func anErrorSaysHowAValueIsWritten(words: [String], text: String) throws {
        let result = try Program.run(words[0], Array(words[1...]))
        #expect(result.status == 64 && result.errors.contains(text), "\(result.errors)")
    }

    @Test func helpIsNoError() throws {
        let result = try Program.run("ticds", ["version", "--help"])
        #expect(result.status == 0)
        #expect(result.output.contains("Example"))
        #expect(result.errors.isEmpty)
    }

    /// Help is also output that must arrive completely.
    @Test(arguments: [
        "ticds version", "ticds --version", "ticds --help", "ticds-fleet --help", "ticds-store list --help",
        "ticds-verify --generate-completion-script bash", "./ticds", "ticds help", "ticds help verify",
        "ticds help recipes", "ticds help recipes reset", "ticds help TICDS-0707",
        "ticds-verify explain --manual",
    ])
    func aFullDiskIsAFailure(line: String) throws {
        let result = try Program.shell("\(line) > /dev/full")
        #expect(result.status == 2)
        #expect(result.errors.contains("standard output: the output cannot be written"), "\(result.errors)")
    }

    /// The shell's limit of the file size ends no process: the write fails, and the command reports it.
    @Test func aFileAtTheLimitOfTheProcessIsAFailure() throws {
        let demo = try DemoRemote(changeSets: 6)
        let lines = [
            ("ticds-inspect tree R > out", "standard output"),
            ("ticds-inspect report R --html page.html", "page.html"),
            ("ticds-archive export R a.tar.zst", "a.tar.zst"),
        ]
        let folder = demo.scratch.path.appending("w").string
        for (line, name) in lines {
            let command = line.replacing("R", with: demo.path)
            let result = try Program.shell("mkdir -p '\(folder)'; cd '\(folder)'; ulimit -f 2; \(command)")
            let isNamed =
                result.errors.contains(name)
                && (line.contains("> out") || result.errors.contains("(ulimit -f)"))
            #expect(result.status == 2 && isNamed, "\(line): \(result.status) \(result.errors)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(left == ["out"], "\(left)")
    }

    @Test func aClosedPipeIsAQuietDeath() throws {
        let scratch = try Scratch()
        // A pipe without a reader: its only reading end is closed before the program starts.
        try scratch.shell("mkfifo pipe")
        let pipe = scratch.path.appending("pipe")
        let line = "exec 3<>'\(pipe)' 4>'\(pipe)' 3<&-; ./ticds version >&4; echo $? >&2"
        for trap in ["", "trap '' PIPE; "] {
            let result = try Program.shell(trap + line)
            #expect(result.errors == "141\n", "\(trap)")
        }
    }

    @Test(
        arguments: zip(
            [FileProblem.Kind.missing, .damaged, .encrypted, .wrongPassword, .refused, .ambiguous],
            [2, 2, 4, 4, 3, 2] as [Int32]))
    func eachKindHasItsStatus(kind: FileProblem.Kind, status: Int32) {
        #expect(ErrorReport(FileProblem(kind, path: "/x", "broken")).status.rawValue == status)
    }

    @Test func theLineTellsEverything() {
        let problem = FileProblem(
            .damaged, path: "/a\u{1B}b", offset: 12, "damaged", expected: "x", found: "y", advice: "Do it")
        #expect(ErrorReport(problem).line == "/a\\u{1B}b: offset 12: damaged (expected x, found y). Do it.")
    }
}
