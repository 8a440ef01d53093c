/// Whether text is painted, decided once for each stream.
public enum Colour: Sendable, Hashable {
    case always, never

    /// What a colour says; the same everywhere.
    public enum Meaning: String, Sendable {
        case bold = "1"
        case faint = "2"
        /// Something is wrong.
        case bad = "31"
        /// Something wants a look.
        case doubtful = "33"
        case good = "32"
    }

    /// `text`, painted or as it is.
    public func paint(_ text: ScreenText, _ meaning: Meaning) -> ScreenText {
        self == .always && !text.isEmpty ? "\u{1B}[\(meaning.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Text from outside, escaped, and painted or not.
    @_disfavoredOverload
    public func paint(_ text: String, _ meaning: Meaning) -> ScreenText { paint(ScreenText(text), meaning) }
}
