import Base
import SystemCalls

/// Text broken into lines between its words. A date and its time, and a number and its unit, stay together, and a
/// command after a colon stays whole.
package enum Paragraph {
    /// Lines of at most `width` columns. A word that is longer than a line stays behind the words before it.
    /// - Parameter indent: columns by which the lines after the first are indented, included in `width`.
    package static func lines(_ text: String, width: Int, indent: Int = 0) -> [String] {
        lines(of: text, width, indent) { DisplayWidth.of(escapedText($0)) }
    }

    /// - Parameter columns: the width of a part of the text.
    fileprivate static func lines(
        of text: String, _ width: Int, _ indent: Int, _ columns: (String) -> Int
    ) -> [String] {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        var used = 0
        for unit in units(of: text) {
            let needed = columns(unit)
            // A word that fits no line is not better off on a line of its own; a command is.
            let mayMove = needed <= width - indent || unit.contains(" ")
            if used > 0, used + 1 + needed > width, mayMove {
                while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
                lines.append(line)
                line = margin
                used = indent
            } else if used > 0 {
                line += " "
                used += 1
            }
            line += unit
            used += needed
        }
        return used == 0 ? lines : lines + [line]
    }

    /// The words, some of them joined: what belongs together, and a quotation or a command. Several spaces stay, since a
    /// name may contain them. No line begins with what looks like a command: a name from a remote could look so.
    private static func units(of text: String) -> [String] {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        var units: [String] = []
        var isInCommand = false
        var endOfQuotation = 0
        for (place, word) in words.enumerated() {
            let last = place > 0 ? words[place - 1] : ""
            let isJoined =
                isInCommand || place < endOfQuotation || word.isEmpty || looksLikeCommand(word)
                || belongsTogether(last, word)
            if isJoined, !units.isEmpty {
                units[units.count - 1] += " " + word
            } else {
                units.append(String(word))
            }
            if place >= endOfQuotation, let end = quotationEnd(from: place, in: words) {
                endOfQuotation = end
            }
            // The sentence ends the command, unless a quotation does.
            isInCommand =
                (isInCommand || last.utf8.last == UInt8(ascii: ":") && looksLikeCommand(word))
                && (place < endOfQuotation
                    || ![UInt8(ascii: "."), UInt8(ascii: ";")].contains(word.utf8.last))
        }
        return units
    }

    private static func looksLikeCommand(_ word: Substring) -> Bool {
        word == "$" || word.utf8.starts(with: "ticds".utf8)
    }

    /// The most words of a quotation, which is a path or a name.
    private static let longestQuotation = 100

    /// The place behind the last word of a quotation for a shell that begins at `place`; nil without one.
    private static func quotationEnd(from place: Int, in words: [Substring]) -> Int? {
        let word = words[place].utf8
        let mark = UInt8(ascii: "'")
        guard let start = word.firstIndex(of: mark) else { return nil }
        // An apostrophe is inside a word or at its end.
        let before = word[..<start].last
        guard before == nil || [UInt8(ascii: "="), UInt8(ascii: "/"), UInt8(ascii: "(")].contains(before)
        else {
            return nil
        }
        for end in place..<min(words.count, place + longestQuotation) {
            let text = end == place ? words[end].utf8[word.index(after: start)...] : words[end].utf8[...]
            let isEnd = text.reversed().drop { ".,;:)".utf8.contains($0) }.first == mark
            if isEnd { return end + 1 }
        }
        return nil
    }

    private static let measures: Set<Substring> = ["B", "kB", "MB", "GB", "TB", "PB", "EB", "UTC"]

    private static func belongsTogether(_ one: Substring, _ other: Substring) -> Bool {
        guard let end = one.last, end.isNumber, let start = other.first else { return false }
        if measures.contains(other.prefix { $0.isLetter }) { return true }
        let isDate = one.suffix(10).map { $0.isNumber ? "0" : $0 } == Array("0000-00-00")
        return isDate && start.isNumber && other.dropFirst(2).first == ":"
    }
}

extension TerminalText {
    /// The width below which text is not broken further: a terminal may say that it has one column.
    private static let leastWidth = 20
    private static let tab = 8

    /// The columns of the text, as if each tab had its full width.
    private var columns: Int {
        let text = unpainted
        return DisplayWidth.of(text) + text.utf8.reduce(0) { $1 == 0x09 ? $0 + Self.tab - 1 : $0 }
    }

    /// The text as lines that fit, each with the spaces of the first line's start before it. A line that is a command
    /// stays whole, and so does text that fits.
    /// - Parameters:
    ///   - width: columns of a line.
    ///   - hanging: columns by which the lines after the first are indented further.
    ///   - isMessage: whether the text begins with the name of the program that prints it, and is no command.
    package func lines(width: Int, hanging: Int = 0, isMessage: Bool = false) -> [TerminalText] {
        // A byte takes at most the columns of a tab.
        if raw.utf8.count <= width / Self.tab || columns <= width || !isMessage && isCommand {
            return [self]
        }
        let margin = raw.prefix { $0 == " " || $0 == "\t" }
        let room = max(Self.leastWidth, width - TerminalText(raw: String(margin)).columns)
        var paint: Substring?
        return Paragraph.lines(of: String(raw.dropFirst(margin.count)), room, hanging) {
            TerminalText(raw: $0).columns
        }.map { line in
            // A pager ends colours at the end of a line.
            let start = paint ?? ""
            paint = Self.paint(atEndOf: line, after: paint)
            return TerminalText(raw: margin + start + line + (paint == nil ? "" : Self.unpaint))
        }
    }

    private static let unpaint = "\u{1B}[0m"

    /// The sequence of a colour that is on at the end of a line; nil for none.
    private static func paint(atEndOf line: String, after paint: Substring?) -> Substring? {
        guard let start = line.utf8.lastIndex(of: 0x1B) else { return paint }
        let sequence = line[start...].prefix { $0 != "m" } + "m"
        return sequence == unpaint ? nil : sequence
    }

    /// Whether the line is a command that can be copied.
    private var isCommand: Bool {
        let words = unpainted.split(separator: " ", maxSplits: 2)
        guard let first = words.first else { return false }
        return first == "$" || first.hasPrefix("ticds") && !first.hasSuffix(":")
    }

    /// The text without its colours.
    private var unpainted: String {
        guard raw.utf8.contains(0x1B) else { return raw }
        return raw.split(separator: "\u{1B}", omittingEmptySubsequences: false).enumerated()
            .map { $0.offset == 0 ? $0.element : $0.element.drop { $0 != "m" }.dropFirst() }.joined()
    }
}
