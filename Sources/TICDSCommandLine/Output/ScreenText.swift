import SystemCalls
public import SystemPackage

/// Text for a terminal. Only what the source of the program says stands in it as it is; all that is interpolated or
/// taken from a string is escaped (`escapedText`), so that nothing from a remote, a file or another program can send
/// control characters, begin a line or turn the direction of text.
public struct ScreenText: Sendable, Hashable, ExpressibleByStringInterpolation {
    /// As it is written to the terminal.
    public private(set) var raw: String

    /// Text from outside, escaped.
    public init(_ text: String) { raw = escapedText(text) }

    /// Text of the source.
    public init(stringLiteral text: StaticString) { raw = "\(text)" }

    public init(stringInterpolation text: StringInterpolation) { raw = text.raw }

    /// Text that was made of other such text.
    init(raw: String) { self.raw = raw }

    /// True without a character.
    public var isEmpty: Bool { raw.isEmpty }

    /// The text without spaces at its end.
    public var withoutBlanksAtEnd: ScreenText {
        ScreenText(raw: String(raw.reversed().drop { $0 == " " }.reversed()))
    }

    public static func + (one: ScreenText, other: ScreenText) -> ScreenText {
        ScreenText(raw: one.raw + other.raw)
    }

    public static func += (text: inout ScreenText, more: ScreenText) { text.raw += more.raw }

    /// Escapes what is interpolated, unless that is such text itself.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var raw = ""

        public init(literalCapacity: Int, interpolationCount: Int) {
            raw.reserveCapacity(2 * literalCapacity)
        }

        public mutating func appendLiteral(_ text: StaticString) { raw += "\(text)" }

        public mutating func appendInterpolation(_ text: ScreenText) { raw += text.raw }

        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            raw += escapedText(value.description)
        }

        public mutating func appendInterpolation(_ path: FilePath) { raw += path.escaped }

        public mutating func appendInterpolation(_ name: FilePath.Component) {
            raw += escapedName(name.bytes)
        }
    }
}

extension Sequence<ScreenText> {
    /// The texts one after another.
    public func joined(separator: ScreenText) -> ScreenText {
        ScreenText(raw: map(\.raw).joined(separator: separator.raw))
    }
}

extension DefaultStringInterpolation {
    /// Strings are escaped on their way to the terminal, and the colours of the text with them.
    @available(*, unavailable, message: "make a ScreenText instead")
    public mutating func appendInterpolation(_ text: ScreenText) {}
}
