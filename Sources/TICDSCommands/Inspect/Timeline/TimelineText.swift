import Base
import SystemCalls
import TICDSCommandLine
import TICDSCore

/// A timeline in the characters of a terminal.
struct TimelineText {
    let width: Int
    /// Whether only ASCII may be drawn.
    let isPlain: Bool
    let colour: Colour

    private static let gap = 2
    private var bars: [Character] { Array(isPlain ? "12345678" : "▁▂▃▄▅▆▇█") }
    private var several: Character { isPlain ? "*" : "✱" }

    private func sign(of kind: Timeline.Mark.Kind) -> Character {
        switch kind {
        case .lastSync: isPlain ? "^" : "▲"
        case .wholeStore: isPlain ? "o" : "◆"
        case .deleted: isPlain ? "x" : "×"
        }
    }

    /// Columns of time that fit beside the names of these clients.
    func columns(for clients: [DeviceReport]) -> Int {
        let names = clients.map { Self.name($0.identifier, $0.description) }
        return max(4, width - nameWidth(names) - Self.gap)
    }

    /// Every line of the picture, with the legend and the limits of the knowledge.
    /// - Parameters:
    ///   - isNarrowed: whether the options choose among the clients.
    ///   - note: the line below the rows if `--limit` shortens them.
    func lines(_ timeline: Timeline, isNarrowed: Bool, _ note: String?) -> [TerminalText] {
        guard let scale = timeline.scale else {
            if timeline.rows.isEmpty || timeline.unlisted != nil {
                let sentence = EmptyList.sentence(
                    "client", isNarrowed: isNarrowed, besides: timeline.unlisted)
                return ["\(sentence)"]
            }
            return ["No client left anything with a time."]
        }
        let nameWidth = nameWidth(timeline.rows.map { Self.name($0.client, $0.description) })
        let margin = String(repeating: " ", count: nameWidth + Self.gap)
        var lines: [TerminalText] = [
            "\(Self.heading(scale))", "", "\(margin)\(colour.paint(axis(scale), .faint))",
        ]
        for row in timeline.rows {
            let name = filled(Self.name(row.client, row.description), nameWidth)
            let sets = filled(Quantities.count(row.changeSets, "change set"), nameWidth)
            lines.append("\(name)  \(counts(row, largest: timeline.largestCount))")
            lines.append(colour.paint(sets, .faint) + "  " + marks(row, scale))
        }
        let notes = TimelineNotes.lines(timeline)
        let text = [note, ""].compactMap(\.self) + legend(timeline) + (notes.isEmpty ? [] : [""] + notes)
        return lines.map(\.withoutBlanksAtEnd) + text.map(TerminalText.init)
    }

    /// `2013-03-04 to 2013-11-05 (UTC), a week in each column`
    static func heading(_ scale: TimelineScale) -> String {
        let last = FileTime(seconds: scale.end.seconds - 1)  // bounded: tamed
        let start = scale.starts.first?.day ?? ""
        let article = scale.step > 1 ? "" : scale.unit == .hour ? "an " : "a "
        return "\(start) to \(last.day) (UTC), \(article)\(scale.columnName) in each column"
    }

    static func name(_ client: RemoteName, _ description: String?) -> String {
        let name = description.map { $0.isEmpty ? client.text : $0 } ?? client.text
        return escapedText(name)
    }

    private func nameWidth(_ names: [String]) -> Int {
        let widest = names.map { DisplayWidth.of($0) }.max() ?? 0
        return min(max(widest, 18), max(8, width / 3), 28)
    }

    private func filled(_ text: String, _ columns: Int) -> String {
        var shown = DisplayWidth.shortened(text, to: columns)
        if isPlain { shown = shown.replacingEllipsis }
        return shown + String(repeating: " ", count: max(0, columns - DisplayWidth.of(shown)))
    }

    /// The names of larger units at their beginnings, as many as fit.
    private func axis(_ scale: TimelineScale) -> String {
        var text = ""
        for tick in scale.ticks where text.isEmpty || tick.column > text.count {
            guard tick.column + tick.label.count <= max(scale.starts.count, 8) else { break }
            text += String(repeating: " ", count: tick.column - text.count) + tick.label
        }
        return text
    }

    private func counts(_ row: Timeline.Row, largest: Int) -> String {
        let first = row.counts.firstIndex { $0 > 0 } ?? row.counts.count
        let last = row.counts.lastIndex { $0 > 0 } ?? -1
        return String(
            row.counts.enumerated().map { column, count in
                if count > 0 { return bars[Self.level(count, of: largest, levels: bars.count)] }
                return column > first && column < last ? isPlain ? "." : "·" : " "
            })
    }

    /// The level of a count, from 0 to `levels` - 1. A single set is visible, and only the largest count reaches the
    /// top.
    static func level(_ count: Int, of largest: Int, levels: Int) -> Int {
        guard largest > 1 else { return levels - 1 }
        let share = Double(count - 1) / Double(largest - 1)
        return min(levels - 1, max(0, Int(share * Double(levels - 1))))  // bounded: a share is 0 to 1
    }

    /// The signs for the beginning and the end of the time between two bounds.
    private var bounds: (start: Character, end: Character) { isPlain ? ("<", ">") : ("‹", "›") }

    /// The signs of a mark, with their columns.
    private func signs(_ mark: Timeline.Mark, _ scale: TimelineScale) -> [(column: Int, sign: Character)] {
        let start = scale.column(of: mark.time)
        guard mark.isOnlyBound else { return start.map { [($0, sign(of: mark.kind))] } ?? [] }
        let end = mark.removal?.notAfter.flatMap { scale.column(of: $0) }
        if let start, start == end { return [(start, sign(of: mark.kind))] }
        return [start.map { ($0, bounds.start) }, end.map { ($0, bounds.end) }].compactMap(\.self)
    }

    private func marks(_ row: Timeline.Row, _ scale: TimelineScale) -> TerminalText {
        var signs: [Int: Set<Character>] = [:]
        for mark in row.marks {
            for (column, sign) in self.signs(mark, scale) { signs[column, default: []].insert(sign) }
        }
        let bad: Set<Character> = [sign(of: .deleted), bounds.start, bounds.end]
        var text: TerminalText = ""
        for column in scale.starts.indices {
            guard let found = signs[column], let first = found.first else {
                text += " "
                continue
            }
            let sign = String(found.count > 1 ? several : first)
            text += found.isDisjoint(with: bad) ? TerminalText(sign) : colour.paint(sign, .bad)
        }
        return text
    }

    /// The legend, with as many entries on a line as fit.
    private func legend(_ timeline: Timeline) -> [String] {
        let largest = timeline.largestCount
        var entries: [String] = []
        if largest > 1, let low = bars.first, let high = bars.last {
            entries.append("\(low) to \(high): 1 to \(Quantities.count(largest, "change set"))")
        } else if largest == 1, let high = bars.last {
            entries.append("\(high): 1 change set")
        }
        entries += [
            "\(sign(of: .lastSync)) last sync", "\(sign(of: .wholeStore)) whole store",
            "\(sign(of: .deleted)) removed",
        ]
        if timeline.rows.contains(where: { $0.marks.contains(where: \.isOnlyBound) }) {
            entries.append("\(bounds.start) \(bounds.end) removed in between")
        }
        entries.append("\(several) several of these")
        var lines: [String] = []
        for entry in entries {
            if let last = lines.last, DisplayWidth.of(last) + 3 + DisplayWidth.of(entry) <= width {
                lines[lines.count - 1] = last + "   " + entry
            } else {
                lines.append(entry)
            }
        }
        return lines
    }
}

extension String {
    /// The text with `~` for the ellipsis, which ASCII does not have.
    fileprivate var replacingEllipsis: String { hasSuffix("…") ? dropLast() + "~" : self }
}

extension FileTime {
    /// The day in UTC, such as `2013-05-01`.
    var day: String { String(iso.prefix { $0 != "T" }) }

    /// The minute in UTC, such as `2013-05-01 14:03`.
    var minute: String { day + " " + iso.dropFirst(day.count + 1).prefix(5) }
}

/// The events that a timeline does not show or cannot know, in sentences.
enum TimelineNotes {
    static func lines(_ timeline: Timeline) -> [String] {
        var lines: [String] = []
        if let gap = timeline.unlisted {
            lines.append("There may be more than is shown: \(gap.path.escaped) could not be read.")
        }
        let outside = timeline.rows.reduce(0) { $0 + $1.before + $1.after }
        if outside > 0 {
            let sets = Quantities.count(Seen(outside, timeline.unlistedSets), "change set")
            lines.append("Not shown: \(sets) before or after that time.")
        }
        if timeline.untimedNames > 0 {
            let sets = Quantities.count(Seen(timeline.untimedNames, timeline.unlistedSets), "change set")
            lines.append("Shown by modification time, because the name has no plausible time: \(sets).")
        }
        if timeline.disagreeing > 0 {
            let sets = Quantities.count(Seen(timeline.disagreeing, timeline.unlistedSets), "change set")
            lines.append(
                "Shown by the time in the name, which is more than a day from the modification time: \(sets). "
                    + "A clock was wrong, or the folder was copied without its times.")
        }
        let unknown = timeline.rows.count { $0.lastSync == nil }
        if unknown > 0 {
            lines.append(
                "Last sync unknown, which does not mean never: \(Quantities.count(unknown, "client")).")
        }
        lines += removals(timeline)
        lines.append(
            "A client records only the time of its latest sync. Change sets that a vacuum removed do not appear."
        )
        return lines
    }

    private static let shownRemovals = 5

    /// The removals with only bounds of their times.
    private static func removals(_ timeline: Timeline) -> [String] {
        let found = timeline.rows.flatMap { row in
            row.marks.filter(\.isOnlyBound).map { (TimelineText.name(row.client, row.description), $0) }
        }
        var lines = found.prefix(shownRemovals).map { name, mark in
            "\(name) was removed from \(mark.document), \(bounds(mark)); the tombstone does not say when."
        }
        if found.count > shownRemovals {
            let rest = Quantities.count(found.count - shownRemovals, "more removal")
            lines.append("Of \(rest), too, only bounds are known.")
        }
        return lines
    }

    /// `not before 2013-05-01 14:03 and not after 2013-06-01 00:00 UTC`
    static func bounds(_ mark: Timeline.Mark) -> String {
        let end =
            mark.removal?.notAfter.map { "and not after \($0.minute) UTC" }
            ?? "UTC, and how much later is unknown"
        return "not before \(mark.time.minute) \(end)"
    }
}
