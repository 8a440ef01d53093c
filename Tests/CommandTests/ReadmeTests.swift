import Foundation
import Testing

/// The screens of the README are what the programs print for the demonstration remote, on a terminal of 118 columns.
@Suite struct ReadmeTests {
    /// Lines of the example that begins with `command`; those that are cut short with an ellipsis at
    /// their end are left out.
    private static func screen(_ command: String) throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(
            contentsOf: root.deletingLastPathComponent().appending(path: "README.md"), encoding: .utf8)
        let lines = readme.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0 == "    $ \(command)" })
        return lines[(start + 1)...]
            .prefix { ($0.isEmpty || $0.hasPrefix("    ")) && !$0.hasPrefix("    $ ticds-") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && $0 != "..." && !$0.hasSuffix("…") }
    }

    @Test(
        arguments: [
            "ticds-inspect status .build-demo", "ticds-verify damaged", "ticds-changes dump .build-demo",
            "ticds-store list .build-demo",
        ])
    func screensAreReal(_ command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        let demo = try DemoRemote(words[0] == "ticds-verify" ? .damaged : .plain, changeSets: 240)
        var run = TerminalScreen.Run(
            words[0], words.dropFirst().dropLast() + [demo.path], ["PAGER": "cat", "TERM": "dumb"])
        run.columns = 118
        let result = try TerminalScreen.of(run)
        let text = result.text.replacing(demo.path, with: "\(words.last ?? "")/com.example.cookbook")
        let printed = text.split(separator: "\n").map(Self.plain)
        for line in try Self.screen(command) { #expect(printed.contains(Self.plain(line)), "\(line)") }
    }

    /// With one space for each gap, and without ages, which change from year to year.
    private static func plain(_ line: some StringProtocol) -> String {
        line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .replacing(/\s\(\d+ \w+ ago\)/, with: "")
    }
}
