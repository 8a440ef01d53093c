/// A problem in the text of an expression.
public struct ExpressionProblem: Error, Hashable, Sendable {
    /// The offset in bytes from the start of the text.
    public var offset: Int
    /// The problem: a sentence without a full stop.
    public var problem: String
}

/// The words of an expression, with their places.
struct ExpressionWords {
    enum Word: Hashable {
        /// A name or key path.
        case name(String)
        case text(String)
        /// Digits without a sign.
        case number(String)
        case sign(Unicode.Scalar)
        case end
    }

    static let textLimit = 65_536

    private let scalars: [Unicode.Scalar]
    private(set) var words: [(word: Word, start: Int)] = []
    private var place = 0

    init(_ text: String) throws(ExpressionProblem) {
        guard text.utf8.count <= Self.textLimit else {
            throw ExpressionProblem(offset: 0, problem: "the expression is longer than 64 KiB")
        }
        scalars = Array(text.unicodeScalars)
        // ends: with the text, of which each word takes a part
        repeat {
            while place < scalars.count, scalars[place].properties.isWhitespace { place += 1 }
            let start = place
            words.append((try next(), start))
        } while words.last?.word != .end
    }

    /// The offset in bytes of a place, which counts scalars.
    func offset(of place: Int) -> Int {
        scalars[..<min(place, scalars.count)].reduce(0) { $0 + UTF8.width($1) }
    }

    /// The text between two places.
    func text(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return String(view)
    }

    private mutating func next() throws(ExpressionProblem) -> Word {
        guard place < scalars.count else { return .end }
        let first = scalars[place]
        if first == "'" || first == "\"" { return .text(try quoted(first)) }
        if Self.isDigit(first) { return .number(digits()) }
        if Self.isOfName(first) || first == "@" {
            return .name(takeWhile { Self.isOfName($0) || Self.isDigit($0) || $0 == "." || $0 == "@" })
        }
        place += 1
        return .sign(first)
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "$" || scalar.properties.isAlphabetic || scalar.properties.isXIDContinue
    }

    private mutating func takeWhile(_ isPart: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while place < scalars.count, isPart(scalars[place]) {
            text.append(scalars[place])
            place += 1
        }
        return String(text)
    }

    private mutating func digits() -> String {
        var text = String.UnicodeScalarView()
        var last: Unicode.Scalar = "0"
        while place < scalars.count {
            let next = scalars[place]
            let isPower = next == "e" || next == "E"
            let isSign = (next == "-" || next == "+") && (last == "e" || last == "E")
            guard Self.isDigit(next) || next == "." || isPower || isSign else { break }
            text.append(next)
            last = next
            place += 1
        }
        return String(text)
    }

    /// The text between quotation marks, in which a backslash quotes the next character.
    private mutating func quoted(_ mark: Unicode.Scalar) throws(ExpressionProblem) -> String {
        let start = place
        place += 1
        var text = String.UnicodeScalarView()
        while place < scalars.count {
            var next = scalars[place]
            place += 1
            if next == mark { return String(text) }
            if next == "\\" {
                guard place < scalars.count else { break }
                next = scalars[place]
                place += 1
                switch next {
                case "n": next = "\n"
                case "t": next = "\t"
                case "r": next = "\r"
                default: break
                }
            }
            text.append(next)
        }
        throw ExpressionProblem(offset: offset(of: start), problem: "a quotation mark is missing")
    }
}
