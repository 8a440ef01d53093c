import SystemPackage
import TestSupport

/// A shell as a reader of the manual has it: in a folder of their own, where they answer "yes" to what is asked.
struct ReaderShell {
    let scratch: Scratch

    /// Variables of a reader who is at home in `scratch`.
    var environment: [String: String] {
        [
            "HOME": scratch.path.string, "XDG_STATE_HOME": "\(scratch.path)/state", "TZ": "UTC",
            "TICDS_RCLONE": InstalledRclone.path?.string ?? "",
        ]
    }

    /// Runs a command; where it asks before it changes something, the answer is yes.
    func run(_ command: String) throws -> Program.Result {
        let line = "cd '\(scratch.path)'; " + command
        let result = try Program.shell(line, environment: environment)
        guard result.status == 3, result.errors.contains("--yes") else { return result }
        return try Program.shell(line + " --yes", environment: environment)
    }

    /// A line with one space for each gap, as a page that is filled has it, and without ages, which change every year.
    static func plain(_ line: some StringProtocol) -> String {
        line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .replacing(/\s\(\d+ \w+ ago\)/, with: "")
    }
}
