import Glibc
import SystemCalls

/// A word of a command line that is being typed, and the value that the shell would give it. Nothing is executed:
/// variables come from the environment, and a word with a command substitution has no value.
enum CompletionWord {
    /// The value of a word as it is written in bash, zsh or fish: without quotes, even if one is still open.
    /// - Returns: nil if the word contains a command substitution.
    static func value(_ word: String, fish: Bool = false) -> String? {
        var reader = Reader(word, fish: fish)
        return reader.value()
    }

    /// The value of a word from which fish has already removed the quotes.
    static func expanded(_ word: String) -> String {
        guard word.hasPrefix("~") || word.hasPrefix("$") else { return word }
        var reader = Reader(String(word.prefix { $0 != "/" }), fish: true)
        guard let start = reader.value() else { return word }
        return start + word.drop { $0 != "/" }
    }
}

private struct Reader {
    private let letters: [Unicode.Scalar]
    private let isFish: Bool
    private var position = 0
    private var result = String.UnicodeScalarView()

    init(_ word: String, fish: Bool) {
        letters = Array(word.unicodeScalars)
        isFish = fish
    }

    mutating func value() -> String? {
        readHome()
        while let letter = next() {
            switch letter {
            case "\\": if let escaped = next(), escaped != "\n" { result.append(escaped) }
            case "'": readSingleQuoted()
            case "\"": if !readDoubleQuoted() { return nil }
            case "$":
                if !isFish, letters[position...].first == "'" {
                    position += 1
                    readEscapes()
                } else if !readVariable() {
                    return nil
                }
            case "`" where !isFish: return nil
            case "(" where isFish: return nil
            default: result.append(letter)
            }
        }
        return String(result)
    }

    private mutating func next() -> Unicode.Scalar? {
        guard position < letters.count else { return nil }
        position += 1
        return letters[position - 1]
    }

    /// Reads `~` or `~/...`; the homes of other users stay as they are.
    private mutating func readHome() {
        guard letters.first == "~", letters.count == 1 || letters[1] == "/", let home = Environment["HOME"]
        else { return }
        result.append(contentsOf: home.unicodeScalars)
        position = 1
    }

    private mutating func readSingleQuoted() {
        while let letter = next(), letter != "'" {
            let isEscape = isFish && letter == "\\" && position < letters.count
            if isEscape, letters[position] == "'" || letters[position] == "\\" {
                result.append(letters[position])
                position += 1
            } else {
                result.append(letter)
            }
        }
    }

    /// Reads text between double quotes; returns false if it contains a command substitution.
    private mutating func readDoubleQuoted() -> Bool {
        while let letter = next(), letter != "\"" {
            switch letter {
            case "\\":
                guard let escaped = next() else { return true }
                if !"$`\"\\\n".unicodeScalars.contains(escaped) { result.append("\\") }
                if escaped != "\n" { result.append(escaped) }
            case "$": if !readVariable() { return false }
            case "`" where !isFish: return false
            default: result.append(letter)
            }
        }
        return true
    }

    /// Reads `$NAME` and `${NAME}`; an unset variable stays as it is. Returns false for `$(`.
    private mutating func readVariable() -> Bool {
        if letters[position...].first == "(" { return false }
        let isBraced = letters[position...].first == "{"
        let start = isBraced ? position + 1 : position
        let name = letters[start...].prefix {
            $0 == "_" || ($0.isASCII && $0.properties.isAlphabetic) || isDigit($0)
        }
        let end = start + name.count
        let isWhole = !isBraced || letters[end...].first == "}"
        var text = String.UnicodeScalarView()
        text.append(contentsOf: name)
        guard isWhole, let value = Environment[String(text)] else {
            result.append("$")
            return true
        }
        result.append(contentsOf: value.unicodeScalars)
        position = isBraced ? end + 1 : end
        return true
    }

    private func isDigit(_ letter: Unicode.Scalar) -> Bool { ("0"..."9").contains(letter) }

    /// Reads the text between `$'` and `'`, with the usual escapes.
    private mutating func readEscapes() {
        while let letter = next(), letter != "'" {
            guard letter == "\\", let escaped = next() else {
                result.append(letter)
                continue
            }
            switch escaped {
            case "n": result.append("\n")
            case "t": result.append("\t")
            default: result.append(escaped)
            }
        }
    }
}
