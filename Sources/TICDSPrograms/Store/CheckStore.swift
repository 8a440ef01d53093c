import ArgumentParser
import CoreDataStore
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

struct CheckStore: SuiteCommand {
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

    @Option(help: ArgumentHelp("The attribute that identifies objects.", valueName: "attribute"))
    var syncID = StoreChecker.syncIDAttribute

    func execute() throws -> ExitStatus {
        let paths =
            try stores.isEmpty ? [RemoteOptions.path(named: nil)] : stores.map(Environment.path(argument:))
        var reports: [CheckedStoreReport] = []
        var unlisted: [FileProblem] = []
        for path in paths {
            guard let remote = try remote(path) else {
                reports.append(checked(path))
                continue
            }
            let found = try RemoteStores(remote, document, clients, options.password)
            unlisted += found.remote.gaps
            for document in found.documents {
                for store in document.wholeStores where found.clients?.contains(store.client) ?? true {
                    let place = store.path.appending(RemoteLayout.wholeStoreFile)
                    var report = checked(place.filePath(under: found.remote.path), isUploaded: true)
                    report.document = document.identifier
                    report.client = store.client
                    report.title = "\(document.identifier.text), \(found.name(of: store.client))"
                    reports.append(report)
                }
            }
        }
        if output.json {
            try output.print(reports, StoreCheckView.schema)
        } else {
            try StoreCheckView.printText(reports, output)
        }
        let problems = reports.flatMap(\.problems) + unlisted
        for problem in problems { output.report(problem) }
        if reports.contains(where: { $0.check?.findings.isEmpty == false }) { return .findings }
        if problems.count == 1, let problem = reports.first?.problem, reports.count == 1 {
            return ErrorReport(problem).status
        }
        return .unread(problems)
    }

    /// The remote that a path means; nil for what is none, and so a store.
    private func remote(_ path: FilePath) throws(FileProblem) -> FilePath? {
        try unlessInvalid { () throws(FileProblem) in try RemoteLocation.find(path) }
    }

    /// - Parameter isUploaded: an empty file is a store that was never saved, but no upload.
    private func checked(_ path: FilePath, isUploaded: Bool = false) -> CheckedStoreReport {
        var report = CheckedStoreReport(path: path, title: "\(path)")
        do {
            if isUploaded, try FileStatus.of(path).size == 0 {
                throw FileProblem(
                    .damaged, path: path, offset: 0, "the whole store is empty", found: "0 bytes",
                    advice: "It may not have been downloaded yet; otherwise use the store of another client")
            }
            let file = try StoreFile(path, options.password)
            do {
                let store = try options.open(file, output)
                report.notes = store.notes
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

/// One store and what was found in it.
struct CheckedStoreReport {
    var path: FilePath
    var title: String
    var document: RemoteName?
    var client: RemoteName?
    var notes: [StoreNote] = []
    /// Nil where the store cannot be read.
    var check: StoreCheck?
    var problem: FileProblem?

    /// Why the store, or files beside it, cannot be read.
    var problems: [FileProblem] { [problem].compactMap(\.self) + (check?.unread ?? []) }
}
