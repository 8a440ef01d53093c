import ArgumentParser
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct WriteReport: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Writes a page for a browser: status, timeline, findings, sizes.",
        discussion: """
            The page is a single file that needs nothing else, no network and no script. A file of that name is
            replaced. ticds-verify makes the findings, and reads the password again itself.

            Examples:
              ticds-inspect report ~/Dropbox/com.example.app --html report.html
              ticds-inspect report ~/Dropbox/com.example.app --html report.html --level deep --quiet
            """)

    @OptionGroup var options: InspectOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file(extensions: ["html"]))
    var html: String

    @Option(help: "The level of the verification.")
    var level = ReportLevel.contents

    func execute() throws -> ExitStatus {
        let target = try OutputTarget.path(html)
        let inspection = try Inspection(options)
        let changes = try ReadChanges(of: inspection)
        let verification = VerificationRun.run(
            of: inspection.remote.path, document: inspection.onlyDocument, level: level,
            isLocked: inspection.vault.state == .locked, password: options.password)
        let page = ReportPage(
            inspection: inspection, timeline: inspection.timeline(columns: TimelinePicture.columns),
            changes: changes, verification: verification, made: .now)
        try ReplacedFile.write(Array(page.html.utf8), to: target)
        try printResult(inspection, changes, verification, target)
        for problem in changes.problems { output.report(problem) }
        if let failure = verification.failure { output.warn(failure) }
        let read = inspection.finish(output)
        if verification.status != .success, verification.status != .findings { return verification.status }
        return read == .success && changes.problems.isEmpty ? verification.status : .partial
    }

    private func printResult(
        _ inspection: Inspection, _ changes: ReadChanges, _ verification: VerificationRun, _ target: FilePath
    ) throws {
        if output.json {
            var json = inspection.document("ticds.report/1", output)
            json.field("html", target)
            json.field("documents", inspection.documents.count)
            json.field("clients", inspection.clients.count)
            json.field("changeSets", inspection.documents.reduce(0) { $0 + $1.changeSets.count })
            json.field("changes", changes.isLocked ? nil : changes.byEntity.total)
            json.verification(verification)
            try inspection.close(&json)
        } else if !output.quiet {
            var text = output.text()
            let found = verification.summary.map { ", " + ReportPage.words($0) } ?? ", not verified"
            text.line("\(target): \(ReportPage.size(of: inspection))\(found)")
            try text.flush()
        }
    }
}

extension JSONWriter {
    fileprivate mutating func verification(_ run: VerificationRun) {
        key("verification")
        if let summary = run.summary {
            beginObject()
            field("level", summary.level)
            field("errors", summary.errors)
            field("warnings", summary.warnings)
            field("notes", summary.notes)
            field("complete", summary.complete)
            key("notOpened")
            beginObject()
            field("count", summary.notOpened.count)
            field("bytes", summary.notOpened.bytes)
            endObject()
            endObject()
        } else {
            null()
        }
        field("verificationFailure", run.failure)
    }
}

/// The changes of the documents and clients that the options name, counted.
struct ReadChanges {
    private(set) var byEntity = EntityChanges()
    private(set) var problems: [FileProblem] = []
    /// True where everything is encrypted and there is no password.
    let isLocked: Bool

    init(of inspection: Inspection) throws(FileProblem) {
        let vault = inspection.vault
        isLocked = vault.state == .locked
        if isLocked { return }
        let wanted = Set(inspection.documents.map(\.identifier))
        for document in inspection.remote.snapshot.documents where wanted.contains(document.identifier) {
            let history = ChangeHistory(of: document, clients: inspection.chosenClients)
            try history.forEachRecord(
                in: inspection.remote.storage, vault,
                onDamage: { problem throws(FileProblem) in problems.append(problem) },
                { record throws(FileProblem) in byEntity.add(record.change) })
        }
    }
}

extension Inspection {
    /// The document that the options name; nil where they name none.
    var onlyDocument: RemoteName? { namesDocument ? documents.first?.identifier : nil }
}
