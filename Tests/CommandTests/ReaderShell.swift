import Foundation
import SystemPackage
import TestSupport
import Testing

/// The shell of a reader of the manual: in a separate folder, with the answer "yes" to questions.
struct ReaderShell {
    let scratch: Scratch

    /// The variables of a reader whose home is `scratch`.
    var environment: [String: String] {
        [
            "HOME": scratch.path.string, "XDG_STATE_HOME": "\(scratch.path)/state", "TZ": "UTC",
            "TICDS_RCLONE": InstalledRclone.path?.string ?? "",
        ]
    }

    /// Runs a command; answers yes if it asks before a change.
    func run(_ command: String) throws -> Program.Result {
        let line = "cd '\(scratch.path)'; " + command
        let result = try Program.shell(line, environment: environment)
        guard result.status == 3, result.errors.contains("--yes") else { return result }
        return try Program.shell(line + " --yes", environment: environment)
    }

    /// Runs commands one after the other in one shell, which keeps their variables; answers yes, like `run`.
    func run(all commands: [String]) throws -> [Program.Result] {
        let notes = try Scratch()
        let lines = commands.enumerated().map { number, command in
            let outcome = "'\(notes.path)'/\(number)"
            let files = ">\(outcome).output 2>\(outcome).errors; status=$?"
            return """
                eval \(Self.quoted(command)) \(files)
                if [ $status = 3 ] && grep -q -e --yes \(outcome).errors; then
                    eval \(Self.quoted(command + " --yes")) \(files)
                fi
                echo $status >\(outcome).status
                """
        }
        let script = (["cd '\(scratch.path)'"] + lines).joined(separator: "\n")
        let session = try Program.shell(script, environment: environment, seconds: 900)
        #expect(session.status == 0, "\(session.errors)")
        return try commands.indices.map { number in
            let content = { (ending: String) in
                try Data(contentsOf: URL(filePath: "\(notes.path)/\(number).\(ending)"))
            }
            let status = String(decoding: try content("status").dropLast(), as: UTF8.self)
            return Program.Result(
                status: try #require(Int32(status)), bytes: [UInt8](try content("output")),
                errors: String(decoding: try content("errors"), as: UTF8.self))
        }
    }

    private static func quoted(_ command: String) -> String {
        "'" + command.replacing("'", with: "'\\''") + "'"
    }

    /// A line with one space for each gap, as in a filled page, and without ages, which change every year.
    static func plain(_ line: some StringProtocol) -> String {
        line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .replacing(/\s\(\d+ \w+ ago\)/, with: "")
    }
}
