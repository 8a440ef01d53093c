/// A list of a manual page.
struct ManualList {
    enum Kind {
        case tag, bullet, numbers, diagnostic, columns
    }

    let kind: Kind
    let isCompact: Bool
    /// Columns by which its items are indented.
    let indent: Int
    /// The number of items so far.
    var number = 0
    /// The widths of the columns.
    private let widths: [Int]

    /// - Parameter line: a line with the macro `Bl`.
    init(_ line: MdocLine) {
        let words = line.arguments.map(\.text)
        isCompact = words.contains("-compact") || words.contains("-column")
        kind =
            words.contains("-bullet")
            ? .bullet
            : words.contains("-enum")
                ? .numbers
                : words.contains("-diag") ? .diagnostic : words.contains("-column") ? .columns : .tag
        widths = line.arguments.filter(\.isText).map { $0.text.count + 2 }
        switch kind {
        case .bullet: indent = 2
        case .numbers: indent = 3
        case .diagnostic: indent = 4
        case .columns: indent = words.contains("-offset") ? 2 : 0
        case .tag:
            let width = words.firstIndex(of: "-width").flatMap { words.dropFirst($0 + 1).first } ?? "Ds"
            let columns = width == "Ds" ? 6 : Int(width.dropLast()) ?? width.count + 2
            indent = min(max(columns, 2), 40)
        }
    }

    /// The cells in their columns if that fits, otherwise one after the other.
    func row(_ cells: [[ManualWord]], within width: Int) -> [ManualWord] {
        let joined = cells.map { ManualWord(joining: $0) }
        let fits = widths.reduce(0, +) + (joined.last?.width ?? 0) <= width && widths.count + 1 >= cells.count
        guard fits, var row = joined.first else { return cells.joined(by: "|") }
        for (index, cell) in joined.enumerated().dropFirst() {
            let column = widths.prefix(index).reduce(0, +)
            row = row.followed(by: String(repeating: " ", count: max(2, column - row.width)), cell)
        }
        return [row]
    }
}

extension ManualWord {
    /// The word, a gap, and another word, in one line.
    func followed(by gap: String, _ other: ManualWord) -> ManualWord {
        var result = self
        result.append(gap, .plain)
        return result.joined(with: other)
    }
}

extension [[ManualWord]] {
    fileprivate func joined(by sign: String) -> [ManualWord] {
        enumerated().flatMap { $0.offset == 0 ? $0.element : [ManualWord(sign, .plain)] + $0.element }
    }
}
