/// Rows of text in columns, for people.
public struct TextTable: Sendable {
    /// On which side a column's cells are filled up.
    public enum Alignment: Sendable { case left, right }

    private let titles: [String]
    private let alignments: [Alignment]
    private var rows: [[String]] = []

    /// A table whose columns have these titles; columns without an alignment stand left.
    public init(_ titles: [String], _ alignments: [Alignment] = []) {
        self.titles = titles
        self.alignments = alignments + Array(repeating: .left, count: max(0, titles.count - alignments.count))
    }

    /// True without rows.
    public var isEmpty: Bool { rows.isEmpty }

    /// Adds a row. Cells are escaped for the terminal; missing ones stay empty, those too many are left out.
    public mutating func add(_ cells: [String]) {
        let escaped = cells.prefix(titles.count).map(TerminalText.escaped)
        rows.append(escaped + Array(repeating: "", count: titles.count - escaped.count))
    }

    /// The lines of the table, titles first.
    /// - Parameters:
    ///   - width: columns of the terminal; nil (a file, a pipe) leaves nothing out.
    ///   - colour: how to mark the titles.
    public func lines(width: Int?, colour: Colour = .never, indent: Int = 0) -> [String] {
        let widths = columnWidths(within: width.map { $0 - indent })
        let margin = String(repeating: " ", count: indent)
        let head = line(titles, widths)
        return [margin + colour.paint(head, .bold)] + rows.map { margin + line($0, widths) }
    }

    private func columnWidths(within limit: Int?) -> [Int] {
        var widths = titles.map { DisplayWidth.of($0) }
        for row in rows {
            for (column, cell) in row.enumerated() {
                widths[column] = max(widths[column], DisplayWidth.of(cell))
            }
        }
        guard let limit else { return widths }
        let gaps = 2 * max(0, widths.count - 1)
        while widths.reduce(gaps, +) > limit, let widest = widths.max(), widest > 8,
            let column = widths.firstIndex(of: widest)
        {
            widths[column] -= 1
        }
        return widths
    }

    private func line(_ cells: [String], _ widths: [Int]) -> String {
        var text = ""
        for (column, cell) in cells.enumerated() {
            if column > 0 { text += "  " }
            let shown = DisplayWidth.shortened(cell, to: widths[column])
            let filling = String(repeating: " ", count: max(0, widths[column] - DisplayWidth.of(shown)))
            if alignments[column] == .right {
                text += filling + shown
            } else {
                text += column == cells.count - 1 ? shown : shown + filling
            }
        }
        return text
    }
}
