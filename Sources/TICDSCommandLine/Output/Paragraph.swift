import Base
import SystemCalls

/// Text broken into lines.
package enum Paragraph {
    /// Lines of at most `width` columns, broken between words; a date and its time, and a number and its unit, stay
    /// together. A word that is longer than a line gets its own line.
    /// - Parameter indent: columns by which the lines after the first are indented, included in `width`.
    package static func lines(_ text: String, width: Int, indent: Int = 0) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        var used = 0
        for unit in units(of: text) {
            let columns = DisplayWidth.of(escapedText(unit))
            if used > 0, used + 1 + columns > width {
                lines.append(line)
                line = margin
                used = indent
            } else if used > 0 {
                line += " "
                used += 1
            }
            line += unit
            used += columns
        }
        return used == 0 ? lines : lines + [line]
    }

    /// The words, some of them joined.
    private static func units(of text: String) -> [String] {
        var units: [String] = []
        var last: Substring = ""
        for word in text.split(separator: " ") {
            if !units.isEmpty, belongsTogether(last, word) {
                units[units.count - 1] += " " + word
            } else {
                units.append(String(word))
            }
            last = word
        }
        return units
    }

    private static let measures: Set<Substring> = ["B", "kB", "MB", "GB", "TB", "PB", "EB", "UTC"]

    private static func belongsTogether(_ one: Substring, _ other: Substring) -> Bool {
        guard let end = one.last, end.isNumber, let start = other.first else { return false }
        if measures.contains(other.prefix { $0.isLetter }) { return true }
        let isDate = one.suffix(10).map { $0.isNumber ? "0" : $0 } == Array("0000-00-00")
        return isDate && start.isNumber && other.dropFirst(2).first == ":"
    }
}
