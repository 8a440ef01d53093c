import Base
import SystemCalls
import TICDSCommandLine
import TICDSCore

/// A timeline as an SVG picture, as a file or as a part of a page. It needs no other file, and follows the reader's
/// choice of light or dark.
struct TimelinePicture {
    /// The number of columns of time, which is as many as the eye can distinguish.
    static let columns = 106

    let timeline: Timeline
    let application: RemoteName

    // Lengths in units of the picture, which are about pixels.
    private static let width = 1000
    private static let left = 264
    private static let right = 16
    private static let top = 76
    private static let rowHeight = 58
    private static let barHeight = 30
    private static let foot = 52
    private static let longestName = 29

    private var height: Int { Self.top + Self.rowHeight * max(timeline.rows.count, 1) + Self.foot }

    /// The whole file.
    var document: String { "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + element }

    /// The `svg` element.
    var element: String {
        let ratio = "viewBox=\"0 0 \(Self.width) \(height)\" width=\"\(Self.width)\" height=\"\(height)\""
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"timeline\" role=\"img\" "
                + "aria-labelledby=\"picture-title picture-description\" \(ratio)>",
            "<title id=\"picture-title\">\(Self.text("Timeline of \(application.text)"))</title>",
            "<desc id=\"picture-description\">\(Self.text(description))</desc>",
            "<style>\(Self.style)</style>",
            "<rect class=\"ground\" width=\"100%\" height=\"100%\" rx=\"8\"/>",
        ]
        lines.append(Self.label("heading", 20, 30, heading))
        if let scale = timeline.scale {
            lines += axis(scale)
            for (number, row) in timeline.rows.enumerated() { lines += drawn(row, number, scale) }
        }
        lines += legend
        return lines.joined(separator: "\n") + "\n</svg>\n"
    }

    private var heading: String {
        guard let scale = timeline.scale else {
            if timeline.unlisted != nil { return "No time was seen, but not everything could be read" }
            return "No client left anything with a time"
        }
        let gap = timeline.unlisted == nil ? "" : "; not everything could be read"
        return TimelineText.heading(scale) + gap
    }

    /// A description of the picture for readers who cannot see it.
    private var description: String {
        let shown = timeline.rows.prefix(20).map { row in
            let name = row.description ?? row.client.text
            let sync = row.lastSync.map { "last sync \($0.minute) UTC" } ?? "last sync unknown"
            return "\(name): \(Quantities.count(row.changeSets, "change set")), \(sync)."
        }
        let rest = timeline.rows.count - shown.count
        let more = rest > 0 ? ["And \(Quantities.count(rest, "more client"))."] : []
        return ([heading + "."] + shown + more).joined(separator: " ")
    }

    private var columnWidth: Double {
        Double(Self.width - Self.left - Self.right) / Double(max(timeline.scale?.starts.count ?? 1, 1))
    }

    private func start(of column: Int) -> Double { Double(Self.left) + Double(column) * columnWidth }

    private func axis(_ scale: TimelineScale) -> [String] {
        let bottom = Self.top + Self.rowHeight * timeline.rows.count
        var lines: [String] = []
        var free = Double(Self.left)
        for tick in scale.ticks {
            let x = start(of: tick.column)
            lines.append(
                "<line class=\"grid\" x1=\"\(Self.number(x))\" y1=\"\(Self.top - 8)\" "
                    + "x2=\"\(Self.number(x))\" y2=\"\(bottom)\"/>")
            let end = x + Double(tick.label.count) * 7.5 + 6
            guard x >= free, end <= Double(Self.width) else { continue }
            lines.append(Self.label("axis", x + 3, Double(Self.top) - 12, tick.label))
            free = end
        }
        return lines
    }

    private func drawn(_ row: Timeline.Row, _ number: Int, _ scale: TimelineScale) -> [String] {
        let y = Self.top + number * Self.rowHeight
        let base = y + 6 + Self.barHeight
        let name = row.description.map { $0.isEmpty ? row.client.text : $0 } ?? row.client.text
        let shown = DisplayWidth.shortened(escapedText(name), to: Self.longestName)
        let sets = Quantities.count(row.changeSets, "change set")
        let sync = row.lastSync.map { "last sync \($0.day)" } ?? "last sync unknown"
        var lines = [
            "<g>", "<title>\(Self.text("\(name) (\(row.client.text))"))</title>",
            "<line class=\"rule\" x1=\"20\" y1=\"\(y)\" x2=\"\(Self.width - Self.right)\" y2=\"\(y)\"/>",
            "<svg x=\"20\" y=\"\(y)\" width=\"\(Self.left - 32)\" height=\"\(Self.rowHeight)\">",
            Self.label("name", 0, 25, shown), Self.label("detail", 0, 43, "\(sets), \(sync)"), "</svg>",
            "<line class=\"base\" x1=\"\(Self.left)\" y1=\"\(base)\" "
                + "x2=\"\(Self.width - Self.right)\" y2=\"\(base)\"/>",
        ]
        for (column, count) in row.counts.enumerated() where count > 0 {
            lines.append(bar(count, column, base: base, scale))
        }
        for mark in row.marks {
            guard let column = scale.column(of: mark.time) else { continue }
            lines.append(
                mark.isOnlyBound ? span(mark, column, base: base, scale) : sign(mark, column, base: base))
        }
        return lines + ["</g>"]
    }

    private func bar(_ count: Int, _ column: Int, base: Int, _ scale: TimelineScale) -> String {
        let share = Double(count) / Double(max(timeline.largestCount, 1))
        let height = max(3, share * Double(Self.barHeight))
        let width = max(1.5, min(columnWidth * 0.78, 26))
        let x = self.start(of: column) + (columnWidth - width) / 2
        let start = scale.starts[column].minute
        let title = "\(Quantities.count(count, "change set")), \(scale.columnName) from \(start) UTC"
        return "<rect class=\"bar\" x=\"\(Self.number(x))\" y=\"\(Self.number(Double(base) - height))\" "
            + "width=\"\(Self.number(width))\" height=\"\(Self.number(height))\" rx=\"1\">"
            + "<title>\(Self.text(title))</title></rect>"
    }

    private func sign(_ mark: Timeline.Mark, _ column: Int, base: Int) -> String {
        let title = "\(Self.words(mark.kind)), \(mark.document.text), \(mark.time.minute) UTC"
        return Self.sign(mark.kind, start(of: column) + columnWidth / 2, Double(base) + 11, title)
    }

    /// A removal between two bounds: a broken line, or the usual sign if both are in one column.
    private func span(_ mark: Timeline.Mark, _ column: Int, base: Int, _ scale: TimelineScale) -> String {
        let title = "\(Self.words(mark.kind)), \(mark.document.text), \(TimelineNotes.bounds(mark))"
        let end = mark.removal?.notAfter.flatMap { scale.column(of: $0) }
        let y = Double(base) + 11
        let start = start(of: column) + columnWidth / 2
        if end == column { return Self.sign(mark.kind, start, y, title) }
        let stop = end.map { self.start(of: $0) + columnWidth / 2 } ?? Double(Self.width - Self.right)
        let ends = end == nil ? "" : " M\(Self.number(stop)) \(Self.number(y - 4.5)) v9"
        return "<path class=\"deleted span\" d=\"M\(Self.number(start)) \(Self.number(y - 4.5)) v9 "
            + "M\(Self.number(start)) \(Self.number(y)) H\(Self.number(stop))\(ends)\">"
            + "<title>\(Self.text(title))</title></path>"
    }

    private static func words(_ kind: Timeline.Mark.Kind) -> String {
        switch kind {
        case .lastSync: "last sync"
        case .wholeStore: "whole store uploaded"
        case .deleted: "removed from a document"
        }
    }

    /// A triangle, a diamond or a cross around a point.
    private static func sign(
        _ kind: Timeline.Mark.Kind, _ x: Double, _ y: Double, _ title: String? = nil
    ) -> String {
        let path =
            switch kind {
            case .lastSync: "M0 -5 L5.5 4.5 H-5.5 Z"
            case .wholeStore: "M0 -5.5 L5.5 0 L0 5.5 L-5.5 0 Z"
            case .deleted: "M-4.5 -4.5 L4.5 4.5 M4.5 -4.5 L-4.5 4.5"
            }
        let inside = title.map { "<title>\(text($0))</title>" } ?? ""
        let place = "translate(\(number(x)) \(number(y)))"
        return "<path class=\"\(kind.rawValue)\" d=\"\(path)\" transform=\"\(place)\">\(inside)</path>"
    }

    private var legend: [String] {
        let y = Double(height - 22)
        var lines: [String] = []
        var x = 20.0
        if timeline.largestCount > 0 {
            let text = "highest bar: \(Quantities.count(timeline.largestCount, "change set"))"
            lines.append(
                "<rect class=\"bar\" x=\"\(Self.number(x))\" y=\"\(Self.number(y - 11))\" "
                    + "width=\"7\" height=\"13\" rx=\"1\"/>")
            lines.append(Self.label("detail", x + 14, y, text))
            x += 50 + Double(text.count) * 7
        }
        for kind in Timeline.Mark.Kind.allCases {
            lines.append(Self.sign(kind, x + 5, y - 4))
            lines.append(Self.label("detail", x + 17, y, Self.words(kind)))
            x += 52 + Double(Self.words(kind).count) * 7
        }
        return lines
    }

    private static func label(_ style: String, _ x: Double, _ y: Double, _ text: String) -> String {
        "<text class=\"\(style)\" x=\"\(number(x))\" y=\"\(number(y))\">\(Self.text(text))</text>"
    }

    private static func text(_ text: String) -> String { MarkupText.escaped(text) }

    /// A number with at most one decimal.
    private static func number(_ number: Double) -> String {
        let tenths = Int((number * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
    }
}

extension TimelinePicture {
    /// The style sheet: colours and letters. The contrast is that of WCAG AA in light and dark.
    static let style = """
        .timeline { --ground: #ffffff; --ink: #1b1f24; --soft: #545b66; --line: #e3e6ea; --axis: #aab1bb; \
        --bar: #2f6fb3; --sync: #1d7a45; --store: #8a5200; --gone: #b3261e;
        font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
        @media (prefers-color-scheme: dark) { .timeline { --ground: #1b1e24; --ink: #e9ebee; --soft: #a8b0bb; \
        --line: #2c313a; --axis: #5b6472; --bar: #76aef0; --sync: #6fce93; --store: #eab45e; --gone: #ff8d83; } }
        @media print { .timeline { --ground: #ffffff; --ink: #1b1f24; --soft: #545b66; --line: #e3e6ea; \
        --axis: #aab1bb; --bar: #2f6fb3; --sync: #1d7a45; --store: #8a5200; --gone: #b3261e; } }
        .timeline .ground { fill: var(--ground); }
        .timeline text { fill: var(--ink); unicode-bidi: isolate; }
        .timeline .heading { font-size: 15px; font-weight: 600; }
        .timeline .name { font-size: 14px; font-weight: 600; }
        .timeline .detail, .timeline .axis { font-size: 12px; fill: var(--soft); }
        .timeline .grid, .timeline .rule { stroke: var(--line); stroke-width: 1; }
        .timeline .base { stroke: var(--axis); stroke-width: 1; }
        .timeline .bar { fill: var(--bar); }
        .timeline .lastSync { fill: var(--sync); }
        .timeline .wholeStore { fill: var(--store); }
        .timeline .deleted { fill: none; stroke: var(--gone); stroke-width: 2.5; }
        .timeline .span { stroke-width: 1.5; stroke-dasharray: 4 3; }
        """
}
