import Base
import SystemCalls
import TICDSCommandLine

/// A word of a manual page: differently formatted pieces without a space between them.
struct ManualWord {
    /// The emphasis of a piece on a terminal with colours.
    enum Look {
        case plain
        /// Text that is typed literally.
        case strong
        /// Text that the reader replaces, or that is stressed.
        case underlined
    }

    private var pieces: [(text: String, look: Look)]
    /// The width in columns.
    private(set) var width: Int

    init(_ text: String, _ look: Look) {
        pieces = [(text, look)]
        width = DisplayWidth.of(escapedText(text))
    }

    /// Several words with spaces between them that no line end may replace.
    init(joining words: [ManualWord]) {
        pieces = []
        width = 0
        for word in words {
            if !pieces.isEmpty { append(" ", .plain) }
            pieces += word.pieces
            width += word.width
        }
    }

    var text: String { pieces.map(\.text).joined() }

    mutating func append(_ text: String, _ look: Look) {
        pieces.append((text, look))
        width += DisplayWidth.of(escapedText(text))
    }

    /// The word with another word directly after it.
    func joined(with other: ManualWord) -> ManualWord {
        var result = self
        result.pieces += other.pieces
        result.width += other.width
        return result
    }

    /// The word in the form for the terminal.
    func shown(_ colour: Colour) -> TerminalText {
        pieces.reduce(into: "") { text, piece in
            switch piece.look {
            case .plain: text += TerminalText(piece.text)
            case .strong: text += colour.paint(piece.text, .bold)
            case .underlined: text += colour.paint(piece.text, .underlined)
            }
        }
    }
}

/// Words in the order of the page. The next one can join the last without a space.
struct ManualWords {
    private(set) var words: [ManualWord] = []
    private var joinsNext = false

    var isEmpty: Bool { words.isEmpty }

    mutating func add(_ text: String, _ look: ManualWord.Look) {
        if joinsNext, !words.isEmpty {
            words[words.count - 1].append(text, look)
        } else {
            words.append(ManualWord(text, look))
        }
        joinsNext = false
    }

    /// Adds text directly after the last word.
    mutating func close(_ text: String) {
        joinsNext = true
        add(text, .plain)
    }

    /// Adds text directly before the next word.
    mutating func open(_ text: String) {
        add(text, .plain)
        joinsNext = true
    }

    mutating func joinNext() { joinsNext = true }

    mutating func add(_ others: [ManualWord]) {
        words += others
        joinsNext = false
    }

    /// Returns and removes the words so far.
    mutating func take() -> [ManualWord] {
        defer { self = ManualWords() }
        return words
    }
}
