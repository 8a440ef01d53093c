/// Which columns of a table a terminal has room for, and how wide they are.
struct TableFit {
    /// A column as it would like to be.
    struct Column {
        let title: String
        let kind: TextTable.Column
        /// Of the title and the widest cell.
        private(set) var width: Int
        /// The same, with times that have no age behind them.
        private(set) var widthWithoutAge: Int
        private(set) var isEmpty = true

        init(title: String, kind: TextTable.Column) {
            self.title = title
            self.kind = kind
            width = DisplayWidth.of(title)
            widthWithoutAge = width
        }

        mutating func measure(_ cell: String) {
            if cell.isEmpty { return }
            isEmpty = false
            width = max(width, DisplayWidth.of(cell))
            let bare = kind == .time ? TableFit.withoutAge(cell) : cell
            widthWithoutAge = max(widthWithoutAge, DisplayWidth.of(bare))
        }

        /// Below this width so little is left of text that other columns had better go.
        var leastWidth: Int {
            switch kind {
            case .number, .time: widthWithoutAge
            case .beginning: min(widthWithoutAge, max(10, DisplayWidth.of(title)))
            case .text, .path: min(widthWithoutAge, max(16, DisplayWidth.of(title)))
            }
        }
    }

    /// A column that is shown.
    struct Place {
        let column: Int
        var width: Int
    }

    private(set) var places: [Place]
    /// Whether times keep their ages.
    private(set) var hasAges = true
    /// What people miss; nil where the table is whole.
    private(set) var note: String?

    /// - Parameters:
    ///   - leavesOut: titles of the columns that may go, in this order.
    ///   - limit: columns of the terminal; nil has room for all.
    init(_ columns: [Column], _ leavesOut: [String], within limit: Int?) {
        places = columns.indices.map { Place(column: $0, width: columns[$0].width) }
        guard let limit, needed > limit else { return }
        hasAges = false
        places = columns.indices.map { Place(column: $0, width: columns[$0].widthWithoutAge) }
        if needed > limit { places.removeAll { columns[$0.column].isEmpty && $0.column > 0 } }
        var left: [String] = []
        for title in leavesOut where leastNeeded(columns) > limit && places.count > 1 {
            let count = places.count
            places.removeAll { columns[$0.column].title == title }
            if places.count < count { left.append(title) }
        }
        shrink(to: limit) {
            columns[$0].kind == .beginning ? columns[$0].leastWidth : columns[$0].widthWithoutAge
        }
        shrink(to: limit) { columns[$0].leastWidth }
        shrink(to: limit) { _ in 1 }
        note = Self.note(columns, left, places)
    }

    /// A time without the age in parentheses behind it.
    static func withoutAge(_ cell: String) -> String {
        guard cell.hasSuffix(")"), let age = cell.lastIndex(of: "(") else { return cell }
        return String(cell[..<age].dropLast())
    }

    private var gaps: Int { 2 * max(0, places.count - 1) }

    private var needed: Int { places.reduce(gaps) { $0 + $1.width } }

    private func leastNeeded(_ columns: [Column]) -> Int {
        places.reduce(gaps) { $0 + columns[$1.column].leastWidth }
    }

    /// Takes from the widest column that may still lose something, until the table fits or nothing is left to take.
    private mutating func shrink(to limit: Int, downTo least: (Int) -> Int) {
        var excess = needed - limit
        while excess > 0 {
            let candidates = places.indices.filter { places[$0].width > least(places[$0].column) }
            guard let widest = candidates.max(by: { places[$0].width < places[$1].width }) else { return }
            places[widest].width -= 1
            excess -= 1
        }
    }

    private static func note(_ columns: [Column], _ left: [String], _ places: [Place]) -> String {
        let hadAges = columns.contains { $0.width > $0.widthWithoutAge }
        let gone = (hadAges ? ["ages"] : []) + left
        let cut = places.filter { $0.width < columns[$0.column].widthWithoutAge }.map {
            columns[$0.column].title
        }
        let parts = [
            gone.isEmpty ? nil : "left out: " + gone.joined(separator: ", "),
            cut.isEmpty ? nil : "shortened: " + cut.joined(separator: ", "),
            "a wider terminal, a pipe or --json shows all",
        ]
        return parts.compactMap(\.self).joined(separator: "; ")
    }
}
