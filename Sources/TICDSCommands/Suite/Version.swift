import ArgumentParser
import Base
import CArchive
import CSQLite
import Cryptography
import SystemCalls
import SystemPackage
import TICDSArchive
import TICDSCommandLine
import TICDSDataCommands
import TICDSFleet
import TICDSVerification

/// `ticds version`: the version of ticds and of the libraries that it uses.
struct Version: SuiteCommand {
    static let configuration = CommandConfiguration(
        commandName: "version",
        abstract: "Prints the version of the suite and of its libraries.",
        usage: "ticds version [--json]",
        discussion: "Example: ticds version --json")

    @OptionGroup var output: OutputOptions
    /// The folder to which every JSON Schema is written.
    @Option(help: .hidden)
    var schemas: String?

    func execute(_ context: CommandContext) throws -> ExitStatus {
        if let schemas {
            let folder = Environment.path(argument: schemas)
            for file in SchemaFile.all {
                try AtomicFile.write(Array(file.text.utf8), to: folder.appending(file.name))
            }
            return .success
        }
        let versions = Dictionary(uniqueKeysWithValues: libraries.map { ($0.key, $0.version) })
        try context.print(versions, Self.schema) { text in
            text.line("ticds \(SuiteVersion.current)")
            for library in libraries { text.line("\(library.name) \(library.version)") }
        }
        return .success
    }

    /// Name, JSON key and version of each library; for shared libraries, the loaded version.
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
    /// Every schema except that of plans, which is written by hand like their encoding.
    static let all: [SchemaFile] =
        shared + DataCommandTable.schemas + [
            InspectStatus.schema.file, InspectDocuments.schema.file, InspectClients.schema.file,
            KnownClient.schema.file, InspectStores.schema.file, InspectTree.schema.file,
            InspectTimeline.schema.file,
            InspectReport.schema.file, Demo.schema.file, VacuumView.schema.file, Version.schema.file,
            Finding.schema.file, VerificationReport.schema.file, VerifyExplain.schema.file,
            Simulation.schema.file, KeyFolders.schema.file, RemoteCheckPassword.schema.file,
            ArchiveManifest.schema.file, ArchiveManifest.incremental.file, ArchiveExport.schema.file,
            ArchiveList.schema.file, ArchiveFolderList.schema.file,
            ArchiveVerify.schema.file, RotationView.schema.file, JournalList.schema.file,
            JournalShow.schema.file, JournalRecover.schema.file, JournalPrune.schema.file,
            ArchiveFind.schema.file, ArchiveDiff.schema.file, ArchiveExtract.schema.file,
            FleetRemote.schema.file, FleetRun.Order.schema.file, RunResult.schema.file,
            ShardProgress.schema.file, FleetStatus.schema.file, FleetMergeCommand.schema.file,
            FleetQuery.schema.file, FleetReport.schema.file, PlanReview.schema.file, Metrics.schema.file,
        ]
}
