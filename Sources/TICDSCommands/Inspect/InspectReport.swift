import ArgumentParser
import Base
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSVerification
import TICDSCore

/// The thoroughness with which a report verifies the remote.
enum ReportLevel: String, ExpressibleByArgument, CaseIterable {
    case none, names, headers, contents, deep
}

struct InspectReport: InspectCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Writes a page for a browser: status, timeline, findings, sizes.",
        discussion: """
            The page is a single file that needs nothing else, no network and no script. It replaces an \
            earlier page of that name. The findings are those of ticds-verify.

            Examples:
              ticds-inspect report ~/Dropbox/com.example.app --html report.html
              ticds-inspect report ~/Dropbox/com.example.app --html report.html --level deep --quiet
            """)

    @OptionGroup var options: InspectOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: .value("file", "The file to write; - for standard output."),
        completion: .file(extensions: ["html"]))
    var html: String

    @Option(help: "The level of the verification.")
    var level = ReportLevel.contents

    /// The number of unreadable files that are named one by one.
    private static let reported = 20

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let target = try OutputTarget.page(html, asJSON: context.json)
        let inspection = try Inspection(options, context, namesSets: true)
        let changes = try ReadChanges(of: inspection)
        let verification = try verify(inspection, context)
        let page = ReportPage(
            inspection: inspection,
            timeline: inspection.timeline(inspection.removals(context), columns: TimelinePicture.columns),
            changes: changes, verification: verification, made: .now,
            names: FindingNames(inspection.remote), style: context.style)
        try OutputTarget.write(page: page.html, to: target)
        if let target { try printResult(inspection, changes, verification, target, context) }
        for problem in changes.problems.prefix(Self.reported) { context.report(problem) }
        if changes.problems.count > Self.reported {
            context.warn(
                "\(Quantities.count(changes.problems.count - Self.reported)) more files cannot be read: ticds-verify "
                    + "names all of them")
        }
        let scarcities = verification?.scarcities ?? []
        for problem in scarcities.prefix(Self.reported) { context.report(problem) }
        let read = inspection.finish(context)
        if let verification, verification.notOpened.count > 0 { return .password }
        guard read == .success, changes.problems.isEmpty, scarcities.isEmpty else { return .partial }
        let isWell = verification?.findings.allSatisfy { $0.kind.severity < .warning } ?? true
        return isWell ? .success : .findings
    }

    /// The findings; nil with `--level none`. Never asks for the password.
    private func verify(_ inspection: Inspection, _ context: CommandContext) throws(FileProblem)
        -> VerificationReport?
    {
        guard let level = VerificationLevel(rawValue: level.rawValue) else { return nil }
        FreedMemory.keep(upTo: 32 << 20)
        let remote = inspection.remote
        let isLocked = inspection.keyring.state == .locked
        let keyring =
            try isLocked ? remote.keyringWithoutPassword() : remote.keyringForVerification(asks: false)
        var settings = Verifier.Settings()
        settings.level = level
        settings.document = inspection.onlyDocument
        settings.workers = context.workers
        return Verifier(try VerificationContext(remote, keyring), settings).verify().report
    }

    private func printResult(
        _ inspection: Inspection, _ changes: ReadChanges, _ verification: VerificationReport?,
        _ target: FilePath, _ context: CommandContext
    ) throws {
        try context.print((inspection, changes, verification, target), Self.schema) { text in
            if context.quiet { return }
            let found = verification.map { ", " + ReportPage.words($0) } ?? ", not verified"
            text.line("\(target): \(ReportPage.size(of: inspection))\(found)")
        }
    }
}

extension InspectReport {
    static let schema = JSONSchema<
        (inspection: Inspection, changes: ReadChanges, verification: VerificationReport?, html: FilePath)
    >("ticds.report/1", "Printed by ticds-inspect(1) `report`.") {
        $0.include(Inspection.head, { $0.inspection })
        $0("html", "The page that was written.", { $0.html })
        $0(
            "documents", "The number of documents on the page; null, as below, if not all could be listed.",
            { $0.inspection.unlistedDocuments == nil ? $0.inspection.documents.count : nil })
        $0(
            "clients", "The number of clients.",
            { $0.inspection.unlistedClients == nil ? $0.inspection.clients.count : nil })
        $0(
            "changeSets", "The number of sets.",
            { $0.inspection.changeSets.known })
        $0(
            "changes",
            "Changes in the sets that could be read; null if all are encrypted and there is no password.",
            { $0.changes.isLocked ? nil : $0.changes.byEntity.total })
        $0(
            "verification", "What ticds-verify(1, context) found; null if that was not requested.",
            { $0.verification },
            JSONFields {
                $0("level", "As in `ticds.verify/1`.", \.level)
                $0.include(Severity.counts, \.findings)
                $0("complete", "", \.isComplete)
                $0("notOpened", "", \.notOpened)
            })
        $0.include(Inspection.end, { $0.inspection })
    }
}

/// The changes of the documents and clients that the options name, counted.
struct ReadChanges {
    private(set) var byEntity = EntityChanges()
    private(set) var problems: [FileProblem] = []
    /// Whether everything is encrypted and the password is missing.
    let isLocked: Bool

    init(of inspection: Inspection) throws(FileProblem) {
        let keyring = inspection.keyring
        isLocked = keyring.state == .locked
        if isLocked { return }
        let wanted = Set(inspection.documents.map(\.identifier))
        for document in inspection.remote.snapshot.documents where wanted.contains(document.identifier) {
            let history = ChangeHistory(of: document, clients: inspection.chosenClients)
            try history.forEachRecord(
                in: inspection.remote.storage, keyring,
                onDamage: { problem throws(FileProblem) in problems.append(problem) },
                { record throws(FileProblem) in byEntity.add(record.change) })
        }
    }
}

extension Inspection {
    /// The document that the options name; nil if they name none.
    var onlyDocument: RemoteName? { namesDocument ? documents.first?.identifier : nil }
}
