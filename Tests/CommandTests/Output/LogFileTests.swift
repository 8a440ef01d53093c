import Foundation
import SystemCalls
import SystemPackage
import Testing

@testable import TICDSCommandLine

@Suite struct LogFileTests {
    @Test func tellsWhatIsDone() throws {
        let demo = try DemoRemote(.damaged)
        let log = demo.scratch.path.appending("log").string
        for _ in 0..<2 {
            let words = ["dump", demo.path, "--quiet", "--log-file", log]
            #expect(try Program.run("ticds-changes", words).status == 5)
        }
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(lines.count == 8)
        let start = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (info|error) ticds-changes\[\d+\]:\s/
        #expect(lines.allSatisfy { $0.starts(with: start) })
        #expect(
            lines[0].contains("info") && lines[0].contains(": begins: ")
                && lines[0].hasSuffix("--log-file \(log)"))
        #expect(lines[1].contains("info") && lines[1].contains(": remote "))
        #expect(lines[2].contains("error") && lines[2].contains(".syncchg: "))
        #expect(lines[3].contains("info") && lines[3].contains(": ends with status 5 after "))
        let mode = try FileManager.default.attributesOfItem(atPath: log)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func tellsOfChanges() throws {
        let demo = try DemoRemote()
        let log = demo.scratch.path.appending("log").string
        let state = ["XDG_STATE_HOME": demo.scratch.path.string]
        let words = [
            "create", demo.path, "Notes", "--description", "My notes", "--client", "Anna’s iPhone", "--yes",
            "--log-file", log,
            "--log-format", "json",
        ]
        let result = try Program.run("ticds-document", words, environment: state)
        #expect(result.status == 0, "\(result.errors)")
        let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
        #expect(
            lines.allSatisfy { $0["schema"] as? String == "ticds.log/1" && $0["level"] as? String == "info" })
        #expect(lines.contains { ($0["message"] as? String)?.hasPrefix("done as operation 1: ") == true })
    }

    @Test func isRefusedInARemote() throws {
        let demo = try DemoRemote()
        let before = try demo.scratch.shell("find demo | sort")
        let inside = demo.root.appending("Documents")
        try demo.scratch.shell("ln -s '\(inside)' folder; ln -s '\(inside)/log' file")
        for name in [
            "\(inside)/log", "\(demo.scratch.path)/folder/log", "\(demo.root)/../com.example.cookbook/log",
        ] {
            let result = try Program.run("ticds-inspect", ["tree", demo.path, "--log-file", name])
            #expect(result.status == 3 && result.bytes.isEmpty, "\(name)")
        }
        let link = ["tree", demo.path, "--log-file", "\(demo.scratch.path)/file"]
        #expect(try Program.run("ticds-inspect", link).errors.contains("cannot be opened"))
        #expect(try demo.scratch.shell("find demo | sort") == before)
    }

    @Test(arguments: ["/nowhere/log", "/", "/dev/full"])
    func goesOnWithoutIt(log: String) throws {
        let demo = try DemoRemote()
        let result = try Program.run("ticds-inspect", ["tree", demo.path, "--log-file", log])
        #expect(result.status == 0 && !result.bytes.isEmpty)
        #expect(result.errors.contains("the log file cannot be"), "\(result.errors)")
        #expect(result.errors.split(separator: "\n").count == 1)
    }

    /// A log file that fails is reported by one warning.
    @Test(arguments: ["/nowhere/log", "/dev/full"])
    func brokenLogIsAWarning(log: String) throws {
        let demo = try DemoRemote(.damaged)
        let good = try Program.run("ticds-inspect", ["status", demo.path, "--quiet", "--log-file", log])
        #expect(good.status == 0 && good.errors.isEmpty, "\(good.errors)")
        let bad = try Program.run("ticds-changes", ["dump", demo.path, "--quiet", "--log-file", log])
        #expect(
            bad.status == 5 && bad.errors.contains("warning: \(log): the log file cannot be"), "\(bad.errors)"
        )
        let json = try Program.run("ticds-inspect", ["tree", demo.path, "--json", "--log-file", log])
        #expect(json.errors.contains("\"level\":\"warning\""), "\(json.errors)")
    }

    @Test func linesAreHarmless() {
        let text = LogFile.line(.text, .warning, "a\nb\u{1B}", time: FileTime(seconds: 0), process: 7)
        #expect(text.hasPrefix("1970-01-01T00:00:00.000Z warning ") && text.hasSuffix("[7]: a\\nb\\u{1B}\n"))
        let json = LogFile.line(.json, .error, "a\nb\u{1B}", time: FileTime(seconds: 0), process: 7)
        #expect(json.hasSuffix("\"process\":7,\"message\":\"a\\nb\\u001b\"}\n"), "\(json)")
    }
}
