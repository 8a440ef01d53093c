import Base
import SystemCalls
import TICDSCore

/// The actions of a plan in columns. If the terminal is too narrow for all, paths lose their common parts, and the
/// reasons come below.
struct PlanTable {
    private static let indent = 2
    /// The number of columns for paths below which other columns are left out.
    private static let leastPath = 30

    private let rows: [PlanRow]
    private let style: TextStyle
    private let hasFolders: Bool
    /// The different reasons, in their order.
    private let reasons: [String]

    init(_ rows: [PlanRow], _ style: TextStyle) {
        self.rows = rows
        self.style = style
        hasFolders = rows.contains { $0.files != nil }
        var seen: Set<String> = []
        reasons = rows.map(\.why).filter { !$0.isEmpty && seen.insert($0).inserted }
    }

    /// - Parameter width: columns of the terminal; nil for no limit.
    func lines(width: Int?, _ colour: Colour) -> [TerminalText] {
        let whole = table(
            files: hasFolders, sizes: true, paths: rows.map { $0.preposition + $0.place },
            whys: reasons.isEmpty ? nil : rows.map(\.why))
        guard let width, whole.width + Self.indent > width else {
            return whole.lines(width: nil, colour: colour, indent: Self.indent)
        }
        return narrowLines(width, colour)
    }

    private func narrowLines(_ width: Int, _ colour: Colour) -> [TerminalText] {
        let isCommon = reasons.count == 1 && rows.allSatisfy { !$0.why.isEmpty || !$0.preposition.isEmpty }
        let whys = isCommon || reasons.isEmpty ? nil : rows.map(number)
        var hasFiles = hasFolders
        var hasSizes = true
        var room = pathRoom(width, hasFiles, hasSizes, whys)
        var left: [String] = []
        if room < Self.leastPath, hasFiles {
            hasFiles = false
            left.append("FILES")
            room = pathRoom(width, hasFiles, hasSizes, whys)
        }
        if room < Self.leastPath {
            hasSizes = false
            left.append("SIZE")
            room = pathRoom(width, hasFiles, hasSizes, whys)
        }
        let short = ShortPaths(rows.map { escapedText($0.place) })
        let paths = zip(
            rows, short.shown { max(8, room - rows[$0].preposition.count) }
        ).map { $0.preposition + $1 }
        let areCut = zip(rows, paths).contains { $0.preposition + escapedText($0.place) != $1 }
        var lines = table(files: hasFiles, sizes: hasSizes, paths: paths, whys: whys)
            .lines(width: width, colour: colour, indent: Self.indent)
        lines += reasonLines(isCommon, width)
        let notes = [
            left.isEmpty ? nil : "left out: \(left.joined(separator: ", "))",
            areCut ? "shortened: PATH" : nil,
        ].compactMap(\.self)
        if !notes.isEmpty {
            let note = "(\(notes.joined(separator: "; ")); --verbose, a pipe or --json shows all)"
            for line in Paragraph.lines(note, width: max(20, width - Self.indent), indent: 2) {
                lines.append("  \(colour.paint(line, .faint))")
            }
        }
        return lines
    }

    private func reasonLines(_ isCommon: Bool, _ width: Int) -> [TerminalText] {
        reasons.enumerated().flatMap { number, reason -> [TerminalText] in
            let label = isCommon ? "why: " : "\(number + 1): "
            return Paragraph.lines(label + reason, width: max(20, width - Self.indent), indent: label.count)
                .map { "  \($0)" }
        }
    }

    /// The number of the row's reason.
    private func number(_ row: PlanRow) -> String {
        reasons.firstIndex(of: row.why).map { "\($0 + 1)" } ?? ""
    }

    private func pathRoom(_ width: Int, _ files: Bool, _ sizes: Bool, _ whys: [String]?) -> Int {
        let none = rows.map { _ in "" }
        let rest = table(files: files, sizes: sizes, paths: none, whys: whys).width - "PATH".count
        return width - Self.indent - rest
    }

    private func table(files: Bool, sizes: Bool, paths: [String], whys: [String]?) -> TextTable {
        var titles = ["ACTION", "PATH"]
        var kinds: [TextTable.Column] = [.text, .path]
        if files {
            titles.append("FILES")
            kinds.append(.number)
        }
        if sizes {
            titles.append("SIZE")
            kinds.append(.number)
        }
        if whys != nil {
            titles.append("WHY")
            kinds.append(.beginning)
        }
        var table = TextTable(titles, kinds, leavesOut: [])
        for (index, row) in rows.enumerated() {
            var cells = [row.verb, paths[index]]
            if files { cells.append(row.files.map { Quantities.count($0) } ?? "") }
            if sizes { cells.append(row.bytes.map { style.size($0) } ?? "") }
            if let whys { cells.append(whys[index]) }
            table.add(cells)
        }
        return table
    }
}
