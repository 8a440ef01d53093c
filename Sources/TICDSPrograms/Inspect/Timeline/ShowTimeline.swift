import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct ShowTimeline: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Draws when each client was active and how many change sets it wrote.",
        discussion: """
            A client has a line of bars and below it the marks of its last sync, its whole stores and its \
            removal. A column is an hour, a day, a week, a month or a year, whichever fits the terminal.

            Examples:
              ticds-inspect timeline ~/Dropbox/com.example.app
              ticds-inspect timeline ~/Dropbox/com.example.app --client "Anna's iPhone" --since 2013-05-01
              ticds-inspect timeline ~/Dropbox/com.example.app --svg timeline.svg
            """)

    /// Columns where no terminal says how many fit.
    private static let columnsOfJSON = 120

    @OptionGroup var options: InspectOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Begin at this time. Default: the first change set.", valueName: "time"))
    var since: TimeArgument?

    @Option(help: ArgumentHelp("End before this time. Default: the last activity.", valueName: "time"))
    var until: TimeArgument?

    @Option(
        help: ArgumentHelp("Write the picture to this file as SVG instead.", valueName: "file"),
        completion: .file(extensions: ["svg"]))
    var svg: String?

    func validate() throws {
        if let since, let until, since.secondsSince2001 >= until.secondsSince2001 {
            throw ValidationError("--since has to be before --until.")
        }
    }

    func execute() throws -> ExitStatus {
        let target = try svg.map { argument throws(FileProblem) in try OutputTarget.path(argument) }
        let inspection = try Inspection(options)
        if let target {
            let timeline = timeline(inspection, columns: TimelinePicture.columns)
            let picture = TimelinePicture(timeline, of: inspection.report.applicationIdentifier)
            try AtomicFile.write(Array(picture.document.utf8), to: target)
        }
        if output.json {
            var json = inspection.document("ticds.timeline/1", output)
            json.timeline(timeline(inspection, columns: Self.columnsOfJSON))
            json.field("svg", target)
            try inspection.close(&json)
        } else if target == nil {
            var text = output.text()
            let view = TimelineText(
                width: Terminal.width ?? 80, isPlain: !Terminal.showsUnicode, colour: output.colour())
            let drawn = timeline(inspection, columns: view.columns(for: inspection.clients))
            for line in view.lines(drawn) { text.line(line) }
            try text.flush()
        }
        return inspection.finish(output)
    }

    private func timeline(_ inspection: Inspection, columns: Int) -> Timeline {
        inspection.timeline(
            columns: columns, since: since.flatMap { FileTime(secondsSince2001: $0.secondsSince2001) },
            until: until.flatMap { FileTime(secondsSince2001: $0.secondsSince2001) })
    }
}

extension Inspection {
    /// The timeline of the documents and clients that the options name.
    func timeline(columns: Int, since: FileTime? = nil, until: FileTime? = nil) -> Timeline {
        let descriptions = report.clients.compactMap { client in
            client.description.map { (client.identifier, $0) }
        }
        let selection = Timeline.Selection(
            documents: Set(documents.map(\.identifier)), clients: chosenClients, since: since, until: until)
        return Timeline(
            remote.snapshot, descriptions: Dictionary(descriptions) { one, _ in one }, selection: selection,
            columns: columns, now: .now)
    }
}

extension JSONWriter {
    /// The columns, the clients with their counts and marks, and what cannot be known.
    mutating func timeline(_ timeline: Timeline) {
        key("scale")
        if let scale = timeline.scale {
            beginObject()
            field("unit", scale.unit.rawValue)
            field("step", scale.step)
            field("start", scale.starts.first)
            field("end", scale.end)
            endObject()
        } else {
            null()
        }
        array("rows", timeline.rows) { $0.value($1, timeline.scale) }
        field("untimedNames", timeline.untimedNames)
        field("disagreeing", timeline.disagreeing)
    }

    private mutating func value(_ row: Timeline.Row, _ scale: TimelineScale?) {
        beginObject()
        field("client", row.client)
        field("description", row.description)
        field("changeSets", row.changeSets)
        field("before", row.before)
        field("after", row.after)
        field("latest", row.latest)
        field("lastSync", row.lastSync)
        objects("columns", row.counts.enumerated().filter { $0.element > 0 }) { json, count in
            json.field("start", scale?.starts[count.offset])
            json.field("count", count.element)
        }
        objects("marks", row.marks) { json, mark in
            json.field("kind", mark.kind.rawValue)
            json.field("document", mark.document)
            json.field("time", mark.time)
        }
        endObject()
    }
}
