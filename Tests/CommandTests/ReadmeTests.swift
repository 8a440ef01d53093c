import Foundation
import Testing

/// The screens of the README are what the programs print for the demonstration remote.
@Suite struct ReadmeTests {
    /// Lines of the example that begins with `command`; those that are cut short with an ellipsis are left out.
    private static func screen(_ command: String) throws -> [String] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(
            contentsOf: root.deletingLastPathComponent().appending(path: "README.md"), encoding: .utf8)
        let lines = readme.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0 == "    $ \(command)" })
        return lines[(start + 1)...]
            .prefix { ($0.isEmpty || $0.hasPrefix("    ")) && !$0.hasPrefix("    $ ticds-") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && $0 != "..." && !$0.contains("…") }
    }

    @Test(
        arguments: [
            "ticds-inspect status .build-demo", "ticds-verify .build-demo", "ticds-changes dump .build-demo",
            "ticds-store list .build-demo",
        ])
    func screensAreReal(_ command: String) throws {
        let words = command.split(separator: " ").map(String.init)
        let demo = try DemoRemote(words[0] == "ticds-verify" ? .damaged : .plain, changeSets: 240)
        let result = try Program.run(
            words[0], words.dropFirst().dropLast() + [demo.path], environment: ["TZ": "UTC"])
        let printed = result.output.replacingOccurrences(of: "\t", with: " ").split(separator: "\n")
            .map { $0.split(separator: " ").joined(separator: " ") }
        for line in try Self.screen(command) {
            let wanted = line.split(separator: " ").joined(separator: " ")
            #expect(printed.contains(wanted), "\(line)")
        }
    }
}
