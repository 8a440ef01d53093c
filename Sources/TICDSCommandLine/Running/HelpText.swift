import ArgumentParser
import SystemCalls

/// The text of `--help`. The parser breaks every long line at the width of the terminal, so that examples could not be
/// copied; here the lines of examples stay complete.
package enum HelpText {
    /// The text of a clean exit: help, or the version.
    /// - Parameter width: columns of the terminal.
    static func text(_ root: any ParsableCommand.Type, _ exit: any Error, width: Int = width) -> String {
        let narrow = lines(root.fullMessage(for: exit, columns: width))
        guard narrow.first?.hasPrefix(overview) == true, let options = narrow.firstIndex(where: isUsage)
        else {
            return narrow.joined(separator: "\n")
        }
        // In lines of unlimited length, the overview is as its author wrote it.
        let whole = lines(root.fullMessage(for: exit, columns: unlimited)).prefix { !isUsage($0) }
        // The parser also breaks before the last column.
        let broken = whole.flatMap { isExample($0) ? [$0] : paragraph($0, width: width - 1) }
        return (broken + narrow[options...]).joined(separator: "\n")
    }

    /// The columns of the terminal, or 80. Below 40 the parser would omit text.
    package static var width: Int {
        let wanted = Environment["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        return max(40, wanted ?? Terminal.width ?? 80)
    }

    private static let overview = "OVERVIEW: "
    private static let unlimited = 1_000_000

    private static func isUsage(_ line: String) -> Bool { line.hasPrefix("USAGE: ") }

    private static func isExample(_ line: String) -> Bool { line.hasPrefix("  ") || line.hasPrefix("$ ") }

    private static func paragraph(_ line: String, width: Int) -> [String] {
        line.isEmpty ? [""] : Paragraph.lines(line, width: width)
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
