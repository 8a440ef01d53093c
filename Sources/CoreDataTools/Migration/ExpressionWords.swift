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

    private(set) var words: [(word: Word, start: Int)] = []
    private var scanner: WordScanner

    init(_ text: String) throws(ExpressionProblem) {
        guard let scanner = WordScanner(text) else {
            throw ExpressionProblem(offset: 0, problem: "the expression is longer than 64 KiB")
        }
        self.scanner = scanner
        // ends: with the text, of which each word takes a part
        repeat {
            self.scanner.skipSpace()
            let start = self.scanner.place
            words.append((try next(), start))
        } while words.last?.word != .end
    }

    /// The offset in bytes of a place, which counts scalars.
    func offset(of place: Int) -> Int { scanner.offset(of: place) }

    /// The text between two places.
    func text(_ range: Range<Int>) -> String { scanner.text(range) }

    private mutating func next() throws(ExpressionProblem) -> Word {
        guard let first = scanner.next else { return .end }
        if first == "'" || first == "\"" {
            let start = scanner.place
            if let text = scanner.quoted(first) { return .text(text) }
            throw ExpressionProblem(offset: offset(of: start), problem: "a quotation mark is missing")
        }
        if WordScanner.isDigit(first) { return .number(scanner.digits()) }
        if let name = scanner.name() { return .name(name) }
        scanner.skip()
        return .sign(first)
    }
}
