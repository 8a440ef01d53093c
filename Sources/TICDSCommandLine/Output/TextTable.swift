package import Base
import SystemCalls

/// Rows of text in columns, for people.
package struct TextTable: Sendable {
    /// The kind of a column decides its alignment, and how a narrow terminal shortens its cells.
    package enum Column: Sendable {
        /// Left-aligned; shortened at the end.
        case text
        /// Left-aligned; shortened at the end, before other text: an identifier, or a reason that many rows have.
        case beginning
        /// Left-aligned; shortened in the middle.
        case path
        /// Right-aligned; complete or left out, since an incomplete number would mislead.
        case number
        /// Left-aligned; shortened by leaving out the age in parentheses.
        case time
        /// Left-aligned; complete or left out: what the table is about.
        case whole
        /// The last column, left-aligned; never shortened, since people copy it. Its cells may be wider than the terminal.
        case copied
    }

    private let titles: [String]
    private let columns: [Column]
    private let leavesOut: [String]
    private var rows: [[String]] = []

    /// - Parameters:
    ///   - titles: the titles of the columns.
    ///   - columns: their kinds; the columns after these are text.
    ///   - leavesOut: titles of the columns that a narrow terminal may leave out, in this order; nil for all but the
    ///     first, from the last on.
    package init(_ titles: [String], _ columns: [Column] = [], leavesOut: [String]? = nil) {
        self.titles = titles
        self.columns = columns + Array(repeating: .text, count: max(0, titles.count - columns.count))
        self.leavesOut = leavesOut ?? titles.dropFirst().reversed()
    }

    /// Whether the table has no rows.
    package var isEmpty: Bool { rows.isEmpty }

    /// Adds a row. Cells are escaped for the terminal; missing cells stay empty, surplus cells are ignored.
    package mutating func add(_ cells: [String]) {
        rows.append(escaped(cells))
    }

    /// Appends the lines of the table, as wide as standard output allows.
    package func show(to text: inout OutputBuffer, colour: Colour, indent: Int = 0) {
        let parts = parts(width: Terminal.width, colour: colour, indent: indent)
        for row in parts.rows { text.row(row) }
        if let note = parts.note { text.line(note) }
    }

    /// The lines of the table, titles first, and at the end a note on shortened or omitted columns.
    /// - Parameters:
    ///   - width: columns of the terminal; nil (a file, a pipe) leaves nothing out.
    ///   - colour: the colour of the titles.
    package func lines(width: Int?, colour: Colour = .never, indent: Int = 0) -> [TerminalText] {
        let parts = parts(width: width, colour: colour, indent: indent)
        return parts.rows + [parts.note].compactMap(\.self)
    }

    private func parts(
        width: Int?, colour: Colour, indent: Int
    ) -> (rows: [TerminalText], note: TerminalText?) {
        let fit = TableFit(measured, leavesOut, within: width.map { $0 - indent })
        let margin = String(repeating: " ", count: indent)
        let lines = [colour.paint(line(titles, fit), .bold)] + rows.map { TerminalText(line($0, fit)) }
        let note = fit.note.map { colour.paint("(\($0))", .faint) }
        return (lines.map { "\(margin)\($0)" }, note.map { "\(margin)\($0)" })
    }

    /// Appends the lines of a table whose rows are too many to keep. `forEachRow` runs twice, to measure the rows and
    /// to print them, and must give the same rows each time.
    package func show(
        to text: inout OutputBuffer, colour: Colour, forEachRow: (([String]) -> Void) -> Void
    ) {
        var measured = measured
        forEachRow { cells in
            for (index, cell) in escaped(cells).enumerated() { measured[index].measure(cell) }
        }
        let fit = TableFit(measured, leavesOut, within: Terminal.width)
        text.row(colour.paint(line(titles, fit), .bold))
        forEachRow { text.row(TerminalText(line(escaped($0), fit))) }
        if let note = fit.note { text.line(colour.paint("(\(note))", .faint)) }
    }

    /// Bytes of a cell that is shown whole: a hostile name of millions of characters would be printed in each row.
    private static let largestCell = 100_000
    /// Characters of a larger one that are shown.
    private static let shownOfLargest = 1_000

    private func escaped(_ cells: [String]) -> [String] {
        let escaped = cells.prefix(titles.count).map { cell in
            escapedText(cell.utf8.count > Self.largestCell ? cell.prefix(Self.shownOfLargest) + "…" : cell)
        }
        return escaped + Array(repeating: "", count: titles.count - escaped.count)
    }

    /// The number of columns that the table needs if nothing is shortened.
    var width: Int { measured.reduce(2 * max(0, titles.count - 1)) { $0 + $1.width } }

    private var measured: [TableFit.Column] {
        titles.indices.map { index in
            var column = TableFit.Column(title: titles[index], kind: columns[index])
            for row in rows { column.measure(row[index]) }
            return column
        }
    }

    private func line(_ cells: [String], _ fit: TableFit) -> String {
        var text = ""
        for place in fit.places {
            if place.column != fit.places.first?.column { text += "  " }
            let cell = cells[place.column]
            let kind = columns[place.column]
            let shown = Self.cut(
                kind == .time && !fit.hasAges ? TableFit.withoutAge(cell) : cell, kind, place.width)
            let filling = String(repeating: " ", count: max(0, place.width - DisplayWidth.of(shown)))
            text += kind == .number ? filling + shown : shown + filling
        }
        while text.last == " " { text.removeLast() }
        return text
    }

    private static func cut(_ cell: String, _ kind: Column, _ width: Int) -> String {
        kind == .copied
            ? cell
            : kind == .path
                ? DisplayWidth.withoutMiddle(cell, to: width) : DisplayWidth.shortened(cell, to: width)
    }
}

/// The columns of a table that fit on a terminal, and their widths.
struct TableFit {
    /// A column before it is fitted, with the width that it needs.
    struct Column {
        let title: String
        let kind: TextTable.Column
        /// The width of the title and the widest cell.
        private(set) var width: Int
        /// The width without the ages after times.
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

        /// The width below which the table leaves out other columns instead of shortening this one further.
        var leastWidth: Int {
            switch kind {
            case .number, .time, .whole: widthWithoutAge
            case .copied: min(widthWithoutAge, 40)
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
    /// The note on omitted parts; nil if the table is complete.
    private(set) var note: String?

    /// - Parameters:
    ///   - leavesOut: titles of the columns that may be left out, in this order.
    ///   - limit: columns of the terminal; nil for no limit.
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

    /// A time without the age in parentheses after it.
    static func withoutAge(_ cell: String) -> String {
        guard cell.hasSuffix(")"), let age = cell.lastIndex(of: "(") else { return cell }
        return String(cell[..<age].dropLast())
    }

    private var gaps: Int { 2 * max(0, places.count - 1) }

    private var needed: Int { places.reduce(gaps) { $0 + $1.width } }

    private func leastNeeded(_ columns: [Column]) -> Int {
        places.reduce(gaps) { $0 + columns[$1.column].leastWidth }
    }

    /// Narrows the widest column that may still shrink, until the table fits or no column may shrink.
    private mutating func shrink(to limit: Int, downTo least: (Int) -> Int) {
        var excess = needed - limit
        while excess > 0 {
            let candidates = places.indices.filter { places[$0].width > least(places[$0].column) }
            guard let widest = candidates.max(by: { places[$0].width < places[$1].width }) else { return }
            places[widest].width -= 1
            excess -= 1
        }
    }

    private static func note(_ columns: [Column], _ left: [String], _ places: [Place]) -> String? {
        let hadAges = columns.contains { $0.width > $0.widthWithoutAge }
        let gone = (hadAges ? ["ages"] : []) + left
        let cut = places.filter {
            $0.width < columns[$0.column].widthWithoutAge && columns[$0.column].kind != .copied
        }.map { columns[$0.column].title }
        // An empty column goes without a word.
        if gone.isEmpty, cut.isEmpty { return nil }
        let parts = [
            gone.isEmpty ? nil : "left out: " + gone.joined(separator: ", "),
            cut.isEmpty ? nil : "shortened: " + cut.joined(separator: ", "),
            "a wider terminal, a pipe or --json shows all",
        ]
        return parts.compactMap(\.self).joined(separator: "; ")
    }
}
