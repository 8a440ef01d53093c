import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations

struct InspectTimeline: InspectCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Draws when each client was active and how many change sets it wrote.",
        discussion: """
            A client has a line of bars and below it the marks of its last sync, its whole stores and its \
            removal. A column is an hour, a day, a week, a month or a year, whichever fits the terminal.

            Examples:
              ticds-inspect timeline ~/Dropbox/com.example.app
              ticds-inspect timeline ~/Dropbox/com.example.app --client "Anna's iPhone" --since 2013-05-01
              ticds-inspect timeline ~/Dropbox/com.example.app --limit 10
              ticds-inspect timeline ~/Dropbox/com.example.app --svg timeline.svg
            """)

    /// The number of columns without a terminal.
    private static let columnsOfJSON = 120

    @OptionGroup var options: InspectOptions
    @OptionGroup var output: OutputOptions

    @OptionGroup var span: TimeSpanOptions
    @OptionGroup var limit: LimitOptions

    @Option(
        help: .value("file", "Write the picture to this file as SVG instead; - for standard output."),
        completion: .file(extensions: ["svg"]))
    var svg: String?

    func execute(_ context: CommandContext) throws -> ExitStatus {
        _ = try span.range(context.style)
        let target = try svg.map { try OutputTarget.page($0, asJSON: context.json) }
        let inspection = try Inspection(options, context, namesSets: true)
        let removals = inspection.removals(context)
        if let target {
            let (timeline, _) = try timeline(
                inspection, removals, columns: TimelinePicture.columns, context.style)
            let picture = TimelinePicture(
                timeline: timeline, application: inspection.report.applicationIdentifier)
            try OutputTarget.write(page: picture.document, to: target)
        }
        if context.json {
            let (timeline, _) = try timeline(
                inspection, removals, columns: Self.columnsOfJSON, context.style)
            try context.print((inspection, timeline, target ?? nil), Self.schema)
        } else if target == nil {
            var text = context.longText()
            let view = TimelineText(
                width: Terminal.width ?? 80, isPlain: !Terminal.showsUnicode, colour: context.colour())
            let (drawn, note) = try timeline(
                inspection, removals, columns: view.columns(for: inspection.clients), context.style)
            for line in view.lines(drawn, isNarrowed: options.isNarrowed, note) { text.line(line) }
            try text.flush()
        }
        return inspection.finish(context)
    }

    /// The timeline of the first clients, up to the limit, and the line below it if there are more.
    private func timeline(
        _ inspection: Inspection, _ removals: RemovalEvidence, columns: Int, _ style: TextStyle
    ) throws -> (Timeline, note: String?) {
        var timeline = try inspection.timeline(
            removals, columns: columns,
            since: span.since?.time(style),
            until: span.until?.time(style))
        let chosen = limit.first(of: timeline.rows)
        timeline.rows = chosen.entries
        return (timeline, chosen.note(besides: timeline.unlisted))
    }
}

extension Inspection {
    /// The evidence for the times of removals. Unreadable parts are reported, except the registers, which the report of
    /// the remote has already read.
    func removals(_ context: CommandContext) -> RemovalEvidence {
        var evidence = RemovalEvidence(remote.snapshot, in: remote.storage, now: .now)
        do throws(FileProblem) {
            guard let state = try OpenRemote.journalState(of: remote.storage) else { return evidence }
            let before = evidence.problems.count
            evidence.add(state, remote.snapshot)
            for problem in evidence.problems[before...] {
                context.warn("the journal cannot be read: \(problem)")
            }
        } catch {
            context.report(error)
        }
        return evidence
    }

    /// The timeline of the documents and clients that the options name.
    func timeline(
        _ removals: RemovalEvidence, columns: Int, since: FileTime? = nil, until: FileTime? = nil
    ) -> Timeline {
        let descriptions = report.clients.compactMap { client in
            client.description.map { (client.identifier, $0) }
        }
        let selection = Timeline.Selection(
            documents: Set(documents.map(\.identifier)), clients: chosenClients, since: since, until: until)
        return Timeline(
            remote.snapshot, descriptions: Dictionary(descriptions) { one, _ in one }, removals: removals,
            selection: selection, columns: columns, now: .now)
    }
}

extension InspectTimeline {
    static let schema = JSONSchema<(inspection: Inspection, timeline: Timeline, svg: FilePath?)>(
        "ticds.timeline/1", "Printed by ticds-inspect(1) `timeline`."
    ) {
        $0.include(Inspection.head, { $0.inspection })
        $0(
            "scale", "The columns of time, in UTC; null if nothing has a time.", { $0.timeline.scale },
            JSONFields {
                $0("unit", "The finest that gives at most 120 columns.", \.unit)
                $0("step", "Units in a column, more than 1 with years only.", as: .number(from: 1), \.step)
                $0("start", "The start of the first column.", as: FileTime.json, \.starts.first)
                $0("end", "The end of the last column.", \.end)
            })
        $0(
            "rows", "One for each client, those that were active last first.",
            { run in run.timeline.rows.map { ($0, run.timeline) } }, row)
        $0(
            "untimedNames",
            """
            Change sets whose names contain no plausible time, which the timeline places at their \
            modification times; null if not all could be listed.
            """, { Seen($0.timeline.untimedNames, $0.timeline.unlistedSets).known })
        $0(
            "disagreeing",
            """
            Change sets whose name and file have times that are more than a day apart; the timeline places these sets at \
            the time in the name. Null if not all could be listed.
            """, { Seen($0.timeline.disagreeing, $0.timeline.unlistedSets).known })
        $0("svg", "The picture that was written.", { $0.svg })
        $0.include(Inspection.end, { $0.inspection })
    }

    private static let row = JSONFields<(row: Timeline.Row, timeline: Timeline)> {
        $0("client", "", { $0.row.client })
        $0("description", "The app's name for the device.", { $0.row.description })
        $0(
            "changeSets", "Its change sets within the columns; null, as below, if not all could be listed.",
            { $0.row.changeSets.known })
        $0("before", "Its change sets before them.", { Seen($0.row.before, $0.row.unlisted).known })
        $0("after", "Its change sets after them.", { Seen($0.row.after, $0.row.unlisted).known })
        $0(
            "latest", "The latest time of a change set or mark; null if there may be a later one.",
            { $0.timeline.unlisted == nil ? $0.row.latest : nil })
        $0(
            "lastSync", "The latest of its last syncs; null means unknown, not never.",
            { $0.timeline.unlistedSyncs == nil ? $0.row.lastSync : nil })
        $0(
            "columns", "Columns with change sets, as far as these could be listed.",
            { one in
                zip(one.timeline.scale?.starts ?? [], one.row.counts).filter { $0.1 > 0 }.map {
                    (start: $0.0, count: $0.1)
                }
            },
            JSONFields<(start: FileTime, count: Int)> {
                $0("start", "", { $0.start })
                $0("count", "", as: .number(from: 1), { $0.count })
            })
        $0(
            "marks", "By time, including those outside the columns.", { $0.row.marks },
            JSONFields {
                $0("kind", "", \.kind)
                $0("document", "", \.document)
                $0(
                    "time", "Null for a removal of which only bounds are known.",
                    { $0.isOnlyBound ? nil : $0.time })
                $0(
                    "removal",
                    """
                    Of a removal, what is known about its time; null for other marks. The evidence is the `journal` of \
                    this machine, a `tombstone` that is newer than the file that it copies, or `bounds` alone.
                    """, \.removal,
                    JSONFields {
                        $0("evidence", "", \.evidence)
                        $0("notBefore", "The latest trace of the client before it.", \.notBefore)
                        $0(
                            "notAfter",
                            "The earliest time of the folders that a removal changes; null if unknown.",
                            \.notAfter)
                    })
            })
    }
}
