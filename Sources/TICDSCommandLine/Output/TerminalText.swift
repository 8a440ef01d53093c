import Base
import Synchronization
import SystemCalls
package import SystemPackage

/// Text for a terminal. Literals of the source stay as they are; everything interpolated or taken from a string is
/// escaped (`escapedText`), so that no text from a remote, a file or another program can send control characters, begin
/// a line or change the direction of text.
package struct TerminalText: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// The text in the form for the terminal.
    package private(set) var raw: String

    /// Text from outside, escaped.
    package init(_ text: String) { raw = escapedText(text) }

    /// A literal of the source, as it is.
    package init(stringLiteral text: StaticString) { raw = "\(text)" }

    package init(stringInterpolation text: StringInterpolation) { raw = text.raw }

    /// Text that consists of escaped text and literals.
    init(raw: String) { self.raw = raw }

    /// Whether the text is empty.
    package var isEmpty: Bool { raw.isEmpty }

    /// The text without spaces at its end.
    package var withoutBlanksAtEnd: TerminalText {
        TerminalText(raw: String(raw.reversed().drop { $0 == " " }.reversed()))
    }

    package static func + (one: TerminalText, other: TerminalText) -> TerminalText {
        TerminalText(raw: one.raw + other.raw)
    }

    package static func += (text: inout TerminalText, more: TerminalText) { text.raw += more.raw }

    /// Escapes interpolated values, except other ``TerminalText``.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var raw = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            raw.reserveCapacity(2 * literalCapacity)
        }

        package mutating func appendLiteral(_ text: StaticString) { raw += "\(text)" }

        package mutating func appendInterpolation(_ text: TerminalText) { raw += text.raw }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            raw += escapedText(value.description)
        }

        package mutating func appendInterpolation(_ path: FilePath) { raw += path.escaped }
    }
}

extension Sequence<TerminalText> {
    /// The texts one after another.
    package func joined(separator: TerminalText) -> TerminalText {
        TerminalText(raw: map(\.raw).joined(separator: separator.raw))
    }
}

extension DefaultStringInterpolation {
    /// A mistake: strings are escaped on their way to the terminal, including the colours of the text. The compiler
    /// passes over an unavailable method without a word, but warns of a deprecated one.
    @available(*, deprecated, message: "make a TerminalText instead")
    package mutating func appendInterpolation(_ text: TerminalText) {}
}

/// Whether text is coloured, decided once for each stream.
package enum Colour: Sendable, Hashable {
    case always, never

    /// Colours on a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`.
    package static func automatic(for descriptor: FileDescriptor) -> Colour {
        Environment["NO_COLOR"] == nil && Environment["TERM"] != "dumb" && Terminal.isTerminal(descriptor)
            ? .always : .never
    }

    /// The meanings of colours, which are the same in all programs.
    package enum Meaning: String, Sendable {
        case bold = "1"
        case faint = "2"
        /// A part that a reader of the manual replaces.
        case underlined = "4"
        /// A fault.
        case bad = "31"
        /// A part that needs attention.
        case doubtful = "33"
        case good = "32"
    }

    /// `text`, painted or as it is.
    package func paint(_ text: TerminalText, _ meaning: Meaning) -> TerminalText {
        self == .always && !text.isEmpty ? "\u{1B}[\(meaning.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// Text from outside, escaped, and painted or not.
    @_disfavoredOverload
    package func paint(_ text: String, _ meaning: Meaning) -> TerminalText {
        paint(TerminalText(text), meaning)
    }
}
