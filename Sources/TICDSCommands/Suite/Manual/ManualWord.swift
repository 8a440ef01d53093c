import Base
import SystemCalls
import TICDSCommandLine

/// A word of a manual page: pieces of different looks with no space between them.
struct ManualWord {
    /// How a piece stands out on a terminal with colours.
    enum Look {
        case plain
        /// What is typed as it stands.
        case strong
        /// What the reader replaces, or what is stressed.
        case underlined
    }

    private var pieces: [(text: String, look: Look)]
    /// In columns.
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

    /// The word and another directly behind it.
    func joined(with other: ManualWord) -> ManualWord {
        var result = self
        result.pieces += other.pieces
        result.width += other.width
        return result
    }

    /// The word as it goes to the terminal.
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

    /// Adds text that stands directly behind the last word.
    mutating func close(_ text: String) {
        joinsNext = true
        add(text, .plain)
    }

    /// Adds text behind which the next word stands directly.
    mutating func open(_ text: String) {
        add(text, .plain)
        joinsNext = true
    }

    mutating func joinNext() { joinsNext = true }

    mutating func add(_ others: [ManualWord]) {
        words += others
        joinsNext = false
    }

    /// The words so far, which are then gone.
    mutating func take() -> [ManualWord] {
        defer { self = ManualWords() }
        return words
    }
}
