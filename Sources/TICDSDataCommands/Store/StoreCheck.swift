import ArgumentParser
import Base
import CoreDataStore
import CoreDataTools
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSStorages

struct StoreCheckCommand: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks what Core Data and clients rely on in stores.",
        discussion: """
            Checks primary keys, entity numbers, relationships and their inverses, join rows, positions in ordered \
            relationships, mandatory values, sync IDs and external data. For a remote it checks all whole stores.

            Examples:
              ticds-store check Notebook.sqlite --model Notebook.momd
              ticds-store check ~/Dropbox/com.example.app --document Notebook
            """)

    @Argument(
        help: "Stores, loose or whole, or remotes. Default: the environment variable TICDS_REMOTE.",
        completion: .file())
    var stores: [String] = []

    @OptionGroup var document: DocumentOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var options: StoreOptions
    @OptionGroup var output: OutputOptions

    @Option(help: .value("attribute", "The attribute that identifies objects."))
    var syncID = StoreChecker.syncIDAttribute

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let places = try RemoteOptions.addresses(named: stores)
        var reports: [CheckedStoreReport] = []
        var unlisted: [FileProblem] = []
        for named in places {
            if let path = try named.store {
                reports.append(
                    checked(path, context) { () throws(FileProblem) in try StoreFile(path, options.password) }
                )
                continue
            }
            let found = try RemoteStores(named, document, clients, options.password, context)
            unlisted += found.remote.gaps
            for document in found.documents {
                for store in document.wholeStores where found.clients?.contains(store.client) ?? true {
                    let place = store.path.appending(RemoteLayout.wholeStoreFile)
                    var report = checked(place.filePath(under: found.remote.path), context) {
                        () throws(FileProblem) in try StoreFile(place, of: found)
                    }
                    report.document = document.identifier
                    report.client = store.client
                    report.title = "\(document.identifier.text), \(found.name(of: store.client))"
                    reports.append(report)
                }
            }
        }
        let problems = reports.flatMap(\.problems) + unlisted
        let isWell = problems.isEmpty && reports.allSatisfy { $0.check?.findings.isEmpty ?? true }
        if !isWell || !context.isSilent(.success) {
            try context.print(reports, StoreCheckView.schema) {
                StoreCheckView.show(reports, to: &$0, context)
            }
        }
        for problem in problems { context.report(problem) }
        if reports.contains(where: { $0.check?.findings.isEmpty == false }) { return .findings }
        if problems.count == 1, let problem = reports.first?.problem, reports.count == 1 {
            return ErrorReport(problem).status
        }
        return .unread(problems)
    }

    private func checked(
        _ path: FilePath, _ context: CommandContext, _ open: () throws(FileProblem) -> StoreFile
    ) -> CheckedStoreReport {
        var report = CheckedStoreReport(path: path, title: "\(path)")
        do {
            let file = try open()
            if file.path != path, file.path.starts(with: path) { report.title = "\(file.path)" }
            do {
                let store = try options.open(opened: file, context).store
                report.notes = store.notes
                report.shortfalls = store.shortfalls.map(file.visible)
                report.check = try StoreChecker.check(store, syncID: syncID)
            } catch var problem as FileProblem {
                if problem.path == file.path { problem.path = path }
                throw problem
            }
        } catch {
            report.problem =
                error as? FileProblem
                ?? FileProblem(.unreadable, path: path, "cannot be read", found: "\(error)")
        }
        return report
    }
}

/// One store and its findings.
struct CheckedStoreReport {
    var path: FilePath
    var title: String
    var document: RemoteName?
    var client: RemoteName?
    var notes: [StoreNote] = []
    /// The reasons why objects may be missing from the check; reported when the store is opened.
    var shortfalls: [FileProblem] = []
    /// The check; nil if the store cannot be read.
    var check: StoreCheck?
    var problem: FileProblem?

    /// The reasons why the store or files beside it cannot be read.
    var problems: [FileProblem] { [problem].compactMap(\.self) + (check?.unread ?? []) }
}

/// The results of checks of stores, for people and for programs.
enum StoreCheckView {
    static func show(_ reports: [CheckedStoreReport], to text: inout OutputBuffer, _ context: CommandContext)
    {
        let colour = context.colour()
        for report in reports {
            let title = colour.paint(report.title, .bold)
            guard let check = report.check else {
                text.line("\(title): \(colour.paint("cannot be read", .bad))")
                continue
            }
            let count = check.findings.count
            let verdict =
                count == 0
                ? !report.shortfalls.isEmpty
                    ? colour.paint("nothing found in what could be read", .bad)
                    : colour.paint("nothing found", .good)
                : colour.paint(Quantities.count(count, "finding"), .bad)
            let objects = check.objects.map { Quantities.count($0, "object") } ?? "objects not read"
            text.line("\(title): \(objects), \(verdict)")
            for finding in check.findings { show(finding, &text) }
            for finding in check.tolerated where !context.quiet { show(finding, note: true, &text) }
            for unchecked in check.unchecked where !context.quiet {
                text.line("    not checked: \(unchecked)")
            }
        }
    }

    private static func show(_ finding: StoreFinding, note: Bool = false, _ text: inout OutputBuffer) {
        let place = [finding.entity, finding.property].compactMap(\.self).joined(separator: ".")
        let times = finding.count > 1 ? " (\(Quantities.count(finding.count)) times)" : ""
        text.line(
            "    \(note ? "note: " : "")\(finding.kind.rawValue)\(place.isEmpty ? "" : " \(place)"): "
                + "\(finding.kind.title)\(times)")
        text.line("        \(finding.detail)")
        if finding.count > 1, !finding.examples.isEmpty {
            let more = finding.count > finding.examples.count ? ", …" : ""
            text.line("        keys \(finding.examples.map(String.init).joined(separator: ", "))\(more)")
        }
    }

    static let schema = JSONSchema<[CheckedStoreReport]>(
        "ticds.storeCheck/1", "Printed by ticds-store(1) `check`."
    ) {
        $0(
            "stores", "The stores that were checked.", \.self,
            JSONFields {
                $0("path", "", \.path)
                $0("document", "Null for a loose store.", \.document)
                $0("client", "Null for a loose store.", \.client)
                $0(
                    "objects", "Objects that were read; null if the store is damaged or cannot be read.",
                    { $0.check?.objects ?? nil })
                $0(
                    "isShort",
                    "Whether objects may be missing from what was checked, as in a store whose log or pages are damaged.",
                    { !$0.shortfalls.isEmpty })
                $0("hasSyncIDs", "Whether any entity has the attribute of the sync ID.", \.check?.hasSyncIDs)
                $0(
                    "findings", "The problems; all of one kind in one property are combined.",
                    { $0.check?.findings ?? [] }, finding)
                $0(
                    "tolerated",
                    "The same of what Core Data itself leaves in intact stores; it does not change the exit status.",
                    { $0.check?.tolerated ?? [] }, finding)
                $0("unchecked", "What could not be checked, and why.", { $0.check?.unchecked ?? [] })
                $0("notes", "What a reader of the store must know.", { $0.notes.map(\.text) })
                $0(
                    "problem",
                    "Why the store, a part of it, or a file of external data beside it cannot be read.",
                    { $0.problems.first ?? $0.shortfalls.first })
            })
    }

    private static let finding = JSONFields<StoreFinding> {
        $0("kind", "As listed in ticds-store(1).", as: .text, \.kind.rawValue)
        $0("entity", "The entity concerned.", \.entity)
        $0("property", "The property concerned.", \.property)
        $0("count", "The number of rows or objects.", \.count)
        $0(
            "examples", "Primary keys of the first five at most.", as: .array(.shared("integer"), most: 5),
            \.examples)
        $0("detail", "A description of the first one.", \.detail)
    }
}
