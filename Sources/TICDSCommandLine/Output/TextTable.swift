import SystemCalls

/// Rows of text in columns, for people.
public struct TextTable: Sendable {
    /// What a column holds. It decides on which side cells are filled up and what they lose on a narrow terminal.
    public enum Column: Sendable {
        /// Stands left, and loses its end.
        case text
        /// Stands left, and loses its end before other text does: an identifier, or a reason that many rows have.
        case beginning
        /// Stands left, and loses its middle.
        case path
        /// Stands right. Half a number would mislead, so that it is shown whole or not at all.
        case number
        /// Stands left; without the age behind it, if need be.
        case time
    }

    private let titles: [String]
    private let columns: [Column]
    private let leavesOut: [String]
    private var rows: [[String]] = []

    /// - Parameters:
    ///   - titles: of the columns.
    ///   - columns: what they hold; those beyond are text.
    ///   - leavesOut: titles of the columns that may be left out where the terminal is too narrow, in this order; nil
    ///     for all but the first, from the last on.
    public init(_ titles: [String], _ columns: [Column] = [], leavesOut: [String]? = nil) {
        self.titles = titles
        self.columns = columns + Array(repeating: .text, count: max(0, titles.count - columns.count))
        self.leavesOut = leavesOut ?? titles.dropFirst().reversed()
    }

    /// True without rows.
    public var isEmpty: Bool { rows.isEmpty }

    /// Adds a row. Cells are escaped for the terminal; missing ones stay empty, those too many are left out.
    public mutating func add(_ cells: [String]) {
        let escaped = cells.prefix(titles.count).map(escapedText)
        rows.append(escaped + Array(repeating: "", count: titles.count - escaped.count))
    }

    /// Appends the lines of the table, as wide as standard output has it.
    public func show(to text: inout OutputBuffer, colour: Colour, indent: Int = 0) {
        for line in lines(width: Terminal.width, colour: colour, indent: indent) { text.line(line) }
    }

    /// The lines of the table, titles first, and after them one that tells what was shortened or left out.
    /// - Parameters:
    ///   - width: columns of the terminal; nil (a file, a pipe) leaves nothing out.
    ///   - colour: how to mark the titles.
    public func lines(width: Int?, colour: Colour = .never, indent: Int = 0) -> [ScreenText] {
        let fit = TableFit(measured, leavesOut, within: width.map { $0 - indent })
        let margin = String(repeating: " ", count: indent)
        let note = fit.note.map { [colour.paint("(\($0))", .faint)] } ?? []
        let lines = [colour.paint(line(titles, fit), .bold)] + rows.map { ScreenText(line($0, fit)) } + note
        return lines.map { "\(margin)\($0)" }
    }

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
        kind == .path
            ? DisplayWidth.withoutMiddle(cell, to: width) : DisplayWidth.shortened(cell, to: width)
    }
}
