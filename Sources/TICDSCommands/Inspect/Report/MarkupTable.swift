import SystemCalls
import TICDSCommandLine
import TICDSCore

/// A table of a page, with a caption. On a narrow screen each row becomes a list, so that each cell knows its title.
struct MarkupTable {
    /// The content of a cell.
    enum Cell {
        case text(String)
        /// Text with a link to another page.
        case link(String, address: String)
        /// A description, and the identifier.
        case name(String?, identifier: String)
        case count(Int)
        /// A size in bytes; `isLess` if there may be more.
        case size(Int64, isLess: Bool = false)
        /// A time; `isLess` if there may be a later one.
        case time(FileTime?, isLess: Bool = false)
        case share(Double)
        case unknown(String)
        /// A number with a mark.
        case marked(String)

        /// A count, with a plus sign if it may be incomplete.
        static func count(_ count: Int, isLess: Bool) -> Cell {
            isLess ? count == 0 ? .unknown("unknown") : .marked(Quantities.count(count) + "+") : .count(count)
        }

        /// A number with a plus sign if there may be more.
        static func seen(_ count: Seen<Int>) -> Cell {
            .count(count.part, isLess: !count.isWhole)
        }

        /// A size with a plus sign if there may be more.
        static func seen(_ bytes: Seen<Int64>) -> Cell {
            .size(bytes.part, isLess: !bytes.isWhole)
        }

        /// A time, with a mark if there may be a later one; `none` if there is none.
        static func seen(_ time: Seen<FileTime?>, none: String) -> Cell {
            guard let latest = time.part else { return .unknown(time.isWhole ? none : "unknown") }
            return .time(latest, isLess: !time.isWhole)
        }
    }

    /// The largest number of rows; further ones are only counted.
    private static let longest = 1_000

    private let caption: String
    private let titles: [String]
    private let style: TextStyle
    private var rows: [[Cell]] = []

    /// - Parameter style: the style of times and sizes.
    init(_ caption: String, _ titles: [String], _ style: TextStyle) {
        self.caption = caption
        self.titles = titles
        self.style = style
    }

    var isEmpty: Bool { rows.isEmpty }

    mutating func add(_ cells: [Cell]) { rows.append(cells) }

    /// The table, or a sentence if it has no rows.
    func markup(empty sentence: String) -> String {
        if rows.isEmpty { return "<p>\(MarkupText.escaped(sentence))</p>\n" }
        let label = MarkupText.escaped(caption)
        let head = titles.enumerated().map { column, title in
            "<th scope=\"col\" role=\"columnheader\"\(attribute(of: column))>\(MarkupText.escaped(title))</th>"
        }
        let body = rows.prefix(Self.longest).map(row)
        let rest = rows.count - body.count
        let more = rest > 0 ? "<p>And \(Quantities.count(rest)) more.</p>\n" : ""
        return """
            <div class="scroll" role="region" aria-label="\(label)" tabindex="0">
            <table role="table"><caption>\(label)</caption>
            <thead role="rowgroup"><tr role="row">\(head.joined())</tr></thead>
            <tbody role="rowgroup">
            \(body.joined(separator: "\n"))
            </tbody></table></div>
            \(more)
            """
    }

    private func row(_ cells: [Cell]) -> String {
        let parts = cells.enumerated().map { column, cell in
            let start = column == 0 ? "th scope=\"row\" role=\"rowheader\"" : "td role=\"cell\""
            let label = MarkupText.escaped(titles[column])
            let end = column == 0 ? "th" : "td"
            return "<\(start)\(attribute(of: column)) data-label=\"\(label)\">\(markup(cell))</\(end)>"
        }
        return "<tr role=\"row\">\(parts.joined())</tr>"
    }

    /// The attribute of a column: numbers are right-aligned, even if one of them is unknown.
    private func attribute(of column: Int) -> String {
        for row in rows {
            switch row[column] {
            case .count, .size, .marked: return " class=\"number\""
            case .share: return " class=\"share\""
            case .unknown: continue
            default: return ""
            }
        }
        return ""
    }

    private func markup(_ cell: Cell) -> String {
        switch cell {
        case .marked(let text): return MarkupText.escaped(text)
        case .text(let text): return "<bdi>\(MarkupText.escaped(text))</bdi>"
        case .link(let text, let address):
            return "<a href=\"\(MarkupText.escaped(address))\"><bdi>\(MarkupText.escaped(text))</bdi></a>"
        case .name(let name, let identifier):
            guard let name, !name.isEmpty, name != identifier else {
                return "<bdi>\(MarkupText.escaped(identifier))</bdi>"
            }
            return "<bdi>\(MarkupText.escaped(name))</bdi> "
                + "<span class=\"identifier\"><bdi>\(MarkupText.escaped(identifier))</bdi></span>"
        case .count(let count): return Quantities.count(count)
        case .size(let bytes, let isLess):
            if isLess, bytes == 0 { return markup(.unknown("unknown")) }
            return style.size(bytes) + (isLess ? "+" : "")
        case .time(let time, let isLess):
            guard let time else { return markup(.unknown("unknown")) }
            return PageFrame.time(time, style) + (isLess ? " or later" : "")
        case .share(let share):
            let width = Int((min(max(share, 0), 1) * 1_000).rounded())
            return "<svg class=\"share\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" "
                + "role=\"img\" aria-label=\"\(width / 10) %\">"
                + "<rect width=\"\(max(width, 4))\" height=\"10\"/></svg>"
        case .unknown(let text): return "<span class=\"unknown\">\(MarkupText.escaped(text))</span>"
        }
    }
}
