import TICDSCommandLine
import TICDSCore

/// What a timeline does not show or cannot know, a sentence each.
enum TimelineNotes {
    static func lines(_ timeline: Timeline) -> [String] {
        var lines: [String] = []
        let outside = timeline.rows.reduce(0) { $0 + $1.before + $1.after }
        if outside > 0 {
            lines.append("\(Quantities.count(outside, "change set")) before or after that time not shown.")
        }
        if timeline.untimedNames > 0 {
            let sets = Quantities.count(timeline.untimedNames, "change set")
            lines.append("\(sets) shown by modification time: the name tells no time that can be.")
        }
        if timeline.disagreeing > 0 {
            let sets = Quantities.count(timeline.disagreeing, "change set")
            lines.append(
                "\(sets) with a name and a modification time more than a day apart, shown by name: "
                    + "a clock was wrong, or the folder was copied without its times.")
        }
        let unknown = timeline.rows.count { $0.lastSync == nil }
        if unknown > 0 {
            lines.append(
                "\(Quantities.count(unknown, "client")) whose last sync is unknown, which is not never.")
        }
        lines.append(
            "Of its syncs a client leaves the time of the last only; change sets that were vacuumed are not seen."
        )
        return lines
    }
}
