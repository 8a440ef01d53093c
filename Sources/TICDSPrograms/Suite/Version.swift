import ArgumentParser
import CArchive
import CSQLite
import Cryptography
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCommandLine
import TICDSDataPrograms
import TICDSFleet
import TICDSVerification

/// `ticds version`: the version of the suite and of the libraries it runs with.
struct Version: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Prints the version of the suite and of its libraries.",
        usage: "ticds version [--json]",
        discussion: "Example: ticds version --json")

    @OptionGroup var output: OutputOptions
    /// The folder that gets every JSON Schema.
    @Option(help: .hidden)
    var schemas: String?

    func execute() throws -> ExitStatus {
        if let schemas {
            let folder = Environment.path(argument: schemas)
            for file in SchemaFile.all {
                try AtomicFile.write(Array(file.text.utf8), to: folder.appending(file.name))
            }
            return .success
        }
        let versions = Dictionary(uniqueKeysWithValues: libraries.map { ($0.key, $0.version) })
        try output.print(versions, Self.schema) { text in
            text.line("ticds \(SuiteVersion.current)")
            for library in libraries { text.line("\(library.name) \(library.version)") }
        }
        return .success
    }

    /// Name, JSON key and version of each library, the shared ones as they are at this moment.
    private var libraries: [(name: String, key: String, version: String)] {
        [
            ("SQLite", "sqlite", String(cString: sqlite3_libversion())),
            ("libarchive", "libarchive", libarchiveVersion),
            ("libgcrypt", "libgcrypt", Gcrypt.version),
            ("Swift", "swift", "\(_SwiftStdlibVersion.current)"),
        ]
    }

    private var libarchiveVersion: String {
        let number = archive_version_number()
        return "\(number / 1_000_000).\(number / 1_000 % 1_000).\(number % 1_000)"
    }

    static let schema = JSONSchema<[String: String]>("ticds.version/1", "Printed by ticds(1) `version`.") {
        $0("version", "The version of the suite.", { _ in SuiteVersion.current })
        $0(
            "libraries", "The versions of libraries.", \.self,
            JSONFields { fields in
                for key in ["sqlite", "libarchive", "libgcrypt", "swift"] {
                    fields(key, "", { $0[key] ?? "" })
                }
            })
    }
}

extension SchemaFile {
    /// Every schema but that of plans, which is written by hand as their encoding is.
    static let all: [SchemaFile] =
        shared + DataPrograms.schemas + [
            ShowStatus.schema.file, ShowDocuments.schema.file, ShowClients.schema.file,
            KnownClient.schema.file, ShowStores.schema.file, ShowTree.schema.file, ShowTimeline.schema.file,
            WriteReport.schema.file, Demo.schema.file, VacuumView.schema.file, Version.schema.file,
            Finding.schema.file, VerificationReport.schema.file, ExplainFindings.schema.file,
            Simulation.schema.file, KeyFolders.schema.file, CheckPassword.schema.file,
            ArchiveManifest.schema.file, ArchiveManifest.incremental.file, ExportArchive.schema.file,
            ListArchive.schema.file,
            VerifyArchive.schema.file, RotationView.schema.file, ListOperations.schema.file,
            ShowOperation.schema.file, RecoverOperations.schema.file, PruneTrash.schema.file,
            FindInArchives.schema.file, DiffArchives.schema.file, ExtractArchive.schema.file,
            FleetRemote.schema.file, FleetRun.Order.schema.file, RunResult.schema.file,
            ShardProgress.schema.file, FleetStatus.schema.file, MergeFleet.schema.file,
            QueryFleet.schema.file, ReportFleet.schema.file, PlanReview.schema.file, Metrics.schema.file,
        ]
}
