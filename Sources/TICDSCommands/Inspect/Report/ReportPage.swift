import Base
import SystemCalls
import TICDSCommandLine
import TICDSVerification
import TICDSCore

/// A page that shows the contents and the state of a remote. It is valid as XHTML and as HTML, needs no other file, has
/// no script, and its policy allows only its own two styles.
struct ReportPage {
    let inspection: Inspection
    let timeline: Timeline
    let changes: ReadChanges
    /// The verification; nil with `--level none`.
    let verification: VerificationReport?
    let made: FileTime
    let names: FindingNames
    /// The style of times and sizes.
    let style: TextStyle

    var html: String {
        let name = MarkupText.escaped(inspection.report.applicationIdentifier.text)
        // Problems come first.
        let parts = [
            ("findings", "Findings", findings), ("status", "Status", status),
            ("timeline", "Timeline", picture),
            ("sizes", "Sizes", sizes), ("stores", "Whole stores", stores), ("unread", "Not read", unread),
        ]
        let sections =
            [header(name, PageFrame.contents(parts.map { ($0.0, $0.1) }))]
            + parts.map { PageFrame.section($0.0, $0.1, $0.2) }
        return PageFrame.html(
            title: "\(name): report of a sync folder", styles: [Self.style, TimelinePicture.style],
            sections: sections,
            footer:
                "Written by ticds-inspect \(SuiteVersion.current). \(PageFrame.conventions(style)) The timeline is in UTC. "
                + "This page shows the remote as it was when the page was written; it is not updated.")
    }

    private func header(_ name: String, _ contents: String) -> String {
        let report = inspection.report
        let path = MarkupText.escaped(inspection.remote.path.escaped)
        let figures = [
            Self.figure(Seen(inspection.documents.count, inspection.unlistedDocuments), "document"),
            Self.figure(Seen(inspection.clients.count, inspection.unlistedClients), "client"),
            Self.figure(inspection.changeSets, "change set"),
            (
                report.files.isWhole || report.files.part.bytes > 0
                    ? style.size(report.files.map(\.bytes)) : "unknown",
                "in \(Quantities.count(report.files.map(\.count), "file"))"
            ),
        ].map { "<li><span class=\"figure\">\($0.0)</span> <span class=\"unit\">\($0.1)</span></li>" }
        let scope = isNarrowed ? "<p>Only the documents and clients that were requested.</p>" : ""
        return """
            <header>
            <p class="kind">Report of a TICoreDataSync remote</p>
            <h1><bdi>\(name)</bdi></h1>
            <p class="place"><bdi>\(path)</bdi></p>
            <p>\(report.isEncrypted ? "Encrypted" : "Not encrypted"), as of \
            \(PageFrame.time(made, style))</p>
            \(verdict)
            \(scope)
            <ul class="figures">\(figures.joined())</ul>
            \(contents)
            </header>
            """
    }

    private static func figure(_ count: Seen<Int>, _ noun: String) -> (String, String) {
        (Quantities.count(count.part) + (count.isWhole ? "" : "+"), noun + (count.known == 1 ? "" : "s"))
    }

    private var isNarrowed: Bool {
        inspection.chosenClients != nil || inspection.documents.count < inspection.report.documents.count
    }

    private var verdict: String {
        func line(_ kind: String, _ sign: String, _ words: String) -> String {
            "<p class=\"verdict \(kind)\"><span aria-hidden=\"true\">\(sign)</span> <a href=\"#findings\">\(words)</a></p>"
        }
        guard let verification else { return line("unknown", "?", "Not verified") }
        let words = Self.words(verification)
        let worst = verification.findings.map(\.kind.severity).max() ?? .note
        if worst > .note { return line(worst.rawValue, "!", words) }
        if inspection.report.problems.contains(where: { $0.kind != .encrypted }) || !changes.problems.isEmpty
        {
            return line("unknown", "?", "\(words); not everything could be read")
        }
        return changes.isLocked
            ? line("unknown", "?", "\(words); contents not read (no password)")
            : line("good", "\u{2713}", words)
    }

    /// The summary of a report: `270 files not opened, 1 error, 2 notes`, or that there are no problems.
    static func words(_ report: VerificationReport) -> String {
        let parts = Severity.counts(report.findings)
        let closed = report.notOpened.count
        if closed > 0 {
            return (["\(Quantities.count(closed, "file")) not opened"] + parts).joined(separator: ", ")
        }
        let rest = report.isComplete ? "" : ", not complete"
        return (parts.isEmpty ? "no findings" : parts.joined(separator: ", ")) + rest
    }

    /// `2 documents, 3 clients`
    static func size(of inspection: Inspection) -> String {
        Quantities.count(Seen(inspection.documents.count, inspection.unlistedDocuments), "document") + ", "
            + Quantities.count(Seen(inspection.clients.count, inspection.unlistedClients), "client")
    }

    private var picture: String {
        let notes = TimelineNotes.lines(timeline).map { "<li>\(MarkupText.escaped($0))</li>" }
        return """
            <div class="scroll picture" role="region" aria-label="Timeline" tabindex="0">
            \(TimelinePicture(timeline: timeline, application: inspection.report.applicationIdentifier).element)</div>
            <ul class="notes">\(notes.joined())</ul>

            """
    }

    /// The largest number of unreadable files that are shown.
    private static let shownProblems = 200

    private var unread: String {
        let problems =
            inspection.report.problems + changes.problems + (verification?.scarcities ?? [])
        if problems.isEmpty {
            // The verification reads files that the rest of the page does not need.
            return verification?.lacksFiles == true
                ? "<p>Everything but the files that the findings name could be read.</p>\n"
                : "<p>Everything that this page needs could be read.</p>\n"
        }
        let locked = problems.count { $0.kind == .encrypted }
        var text = ""
        if locked > 0 {
            text =
                "<p>\(Quantities.count(locked, "file")) not read: encrypted, and no password given. "
                + "Their contents are missing from this page.</p>\n"
        }
        var table = MarkupTable("Files that could not be read", ["File", "Problem"], style)
        let named = problems.filter { $0.kind != .encrypted }
        for problem in named.prefix(Self.shownProblems) {
            table.add([.text(problem.path.escaped), .text(problem.problem)])
        }
        let rest = named.count - Self.shownProblems
        let more = rest > 0 ? "<p>and \(Quantities.count(rest)) more, which ticds-verify names</p>\n" : ""
        return text + (table.isEmpty ? "" : table.markup(empty: "")) + more
    }
}
