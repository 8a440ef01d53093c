/// A line of mdoc(7) with a macro, in its parts. It supports only the part of the language that the pages of ticds use.
struct MdocLine {
    /// A word after a macro.
    struct Argument {
        var text: String
        /// Whether it is text even if it looks like a macro or a delimiter.
        var isText: Bool

        /// Whether the word follows the previous word without a space.
        var closes: Bool { !isText && [".", ",", ":", ";", ")", "]", "?", "!"].contains(text) }
        /// Whether the next word follows without a space.
        var opens: Bool { !isText && ["(", "["].contains(text) }
        /// Whether the word keeps its own look inside a macro.
        var divides: Bool { !isText && text == "|" }
    }

    /// The first word, without the dot.
    let macro: String
    let arguments: [Argument]
    /// The text after the macro.
    let rest: String

    /// Parses a line; nil for a line of text.
    init?(_ line: Substring) {
        guard line.first == "." || line.first == "'" else { return nil }
        let content = line.dropFirst().drop { $0 == " " }
        let name = content.prefix { $0 != " " }
        macro = String(name)
        let rest = content.dropFirst(name.count).drop { $0 == " " }
        self.rest = Self.unescaped(rest)
        arguments = Self.arguments(rest)
    }

    private static let mostMacros = 100

    private static func arguments(_ text: Substring) -> [Argument] {
        var arguments: [Argument] = []
        var rest = text.drop { $0 == " " }
        while let first = rest.first {
            if rest.hasPrefix("\\\"") { break }
            var word: Substring
            let isQuoted = first == "\""
            if isQuoted {
                word = rest.dropFirst().prefix { $0 != "\"" }
                rest = rest.dropFirst(min(rest.count, word.count + 2))
            } else {
                word = Self.word(of: rest)
                rest = rest.dropFirst(word.count)
            }
            // Macros after this number of words would nest too deeply.
            let isText = isQuoted || word.hasPrefix("\\&") || arguments.count >= mostMacros
            arguments.append(Argument(text: unescaped(word), isText: isText))
            rest = rest.drop { $0 == " " }
        }
        return arguments
    }

    /// The text up to a space that no backslash escapes.
    private static func word(of text: Substring) -> Substring {
        var end = text.startIndex
        while end < text.endIndex, text[end] != " " {
            let isEscape = text[end] == "\\"
            end = text.index(after: end)
            if isEscape, end < text.endIndex { end = text.index(after: end) }
        }
        return text[..<end]
    }

    private static let signs: [Substring: String] = [
        "dq": "\"", "aq": "'", "ti": "~", "ha": "^", "em": "—", "en": "–", "rs": "\\", "oq": "‘", "cq": "’",
        "lq": "“", "rq": "”", "bu": "•", "<=": "≤", ">=": "≥", "ga": "`",
    ]

    /// Text without the escapes of roff.
    static func unescaped(_ text: Substring) -> String {
        guard text.contains("\\") else { return String(text) }
        var result = ""
        var rest = text
        while let character = rest.popFirst() {
            guard character == "\\", let next = rest.popFirst() else {
                result.append(character)
                continue
            }
            switch next {
            case "&", "|", "^": break
            case "e": result += "\\"
            case "(":
                result += signs[rest.prefix(2)] ?? String(rest.prefix(2))
                rest = rest.dropFirst(2)
            case "\"": return result
            case "~": result += " "
            default: result.append(next)
            }
        }
        return result
    }
}
