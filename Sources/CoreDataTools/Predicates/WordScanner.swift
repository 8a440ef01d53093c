/// Takes words from the text of a condition or an expression, one after the other. Places count scalars.
struct WordScanner {
    private let scalars: [Unicode.Scalar]
    private(set) var place = 0

    /// The largest text that is read, in bytes.
    static let textLimit = 65_536

    /// Nil for a text above the limit.
    init?(_ text: String) {
        guard text.utf8.count <= Self.textLimit else { return nil }
        scalars = Array(text.unicodeScalars)
    }

    /// The next scalar; nil at the end.
    var next: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

    /// The scalar after the next one.
    var afterNext: Unicode.Scalar? { place + 1 < scalars.count ? scalars[place + 1] : nil }

    /// The offset in bytes of a place.
    func offset(of place: Int) -> Int {
        scalars[..<min(place, scalars.count)].reduce(0) { $0 + UTF8.width($1) }
    }

    /// The text between two places.
    func text(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return String(view)
    }

    mutating func skip(_ count: Int = 1) { place = min(place + count, scalars.count) }

    mutating func skipSpace() {
        while let next, next.properties.isWhitespace { place += 1 }
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic || scalar.properties.isXIDContinue
    }

    /// A name or key path, if there is one.
    mutating func name() -> String? {
        guard let next, Self.isOfName(next) || next == "@" else { return nil }
        return take { Self.isOfName($0) || Self.isDigit($0) || $0 == "." || $0 == "@" }
    }

    /// The digits of a number without a sign.
    mutating func digits() -> String {
        var last: Unicode.Scalar = "0"
        return take { next in
            defer { last = next }
            let isAfterPower = last == "e" || last == "E"
            return Self.isDigit(next) || next == "." || next == "e" || next == "E"
                || isAfterPower && (next == "-" || next == "+")
        }
    }

    /// The text between quotation marks, in which a backslash quotes the next character; nil if the second mark is
    /// missing.
    mutating func quoted(_ mark: Unicode.Scalar) -> String? {
        skip()
        var text = String.UnicodeScalarView()
        while var scalar = next {
            skip()
            if scalar == mark { return String(text) }
            if scalar == "\\" {
                guard let quoted = next else { return nil }
                skip()
                switch quoted {
                case "n": scalar = "\n"
                case "t": scalar = "\t"
                case "r": scalar = "\r"
                default: scalar = quoted
                }
            }
            text.append(scalar)
        }
        return nil
    }

    private mutating func take(_ isPart: (Unicode.Scalar) -> Bool) -> String {
        let start = place
        while let next, isPart(next) { place += 1 }
        return text(start..<place)
    }
}
