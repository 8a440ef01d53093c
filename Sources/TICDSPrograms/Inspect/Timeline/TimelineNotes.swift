import TICDSCommandLine
import TICDSCore

/// What a timeline does not show or cannot know, a sentence each.
enum TimelineNotes {
    static func lines(_ timeline: Timeline) -> [String] {
        var lines: [String] = []
        let outside = timeline.rows.reduce(0) { $0 + $1.before + $1.after }
        if outside > 0 {
            lines.append("Not shown: \(Quantities.count(outside, "change set")) before or after that time.")
        }
        if timeline.untimedNames > 0 {
            let sets = Quantities.count(timeline.untimedNames, "change set")
            lines.append("Shown by modification time, because the name has no plausible time: \(sets).")
        }
        if timeline.disagreeing > 0 {
            let sets = Quantities.count(timeline.disagreeing, "change set")
            lines.append(
                "Shown by the time in the name, which is more than a day from the modification time: \(sets). "
                    + "A clock was wrong, or the folder was copied without its times.")
        }
        let unknown = timeline.rows.count { $0.lastSync == nil }
        if unknown > 0 {
            lines.append(
                "Last sync unknown, which does not mean never: \(Quantities.count(unknown, "client")).")
        }
        lines.append(
            "A client records only the time of its latest sync. Change sets that a vacuum removed do not appear."
        )
        return lines
    }
}
