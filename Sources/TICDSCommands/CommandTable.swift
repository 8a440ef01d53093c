import ArgumentParser
import Base
import TICDSCommandLine
import TICDSDataCommands

/// The programs of ticds. They are one executable with many names, which acts according to the name.
package enum CommandTable {
    /// The name of each program, and its root command.
    static let programs: [(name: String, root: any ParsableCommand.Type)] =
        (DataCommandTable.all + [
            ("ticds", RootCommand.self),
            ("ticds-archive", TicdsArchive.self),
            ("ticds-client", TicdsClient.self),
            ("ticds-document", TicdsDocument.self),
            ("ticds-fleet", TicdsFleet.self),
            ("ticds-inspect", TicdsInspect.self),
            ("ticds-integrity", TicdsIntegrity.self),
            ("ticds-journal", TicdsJournal.self),
            ("ticds-remote", TicdsRemote.self),
            ("ticds-vacuum", TicdsVacuum.self),
            ("ticds-verify", TicdsVerify.self),
        ]).sorted { $0.name < $1.name }

    /// The program for `ticds COMMAND`.
    static func program(of command: String) -> (name: String, root: any ParsableCommand.Type)? {
        programs.first { $0.name == Dispatcher.prefix + command }
    }

    /// The programs grouped by purpose, with a line or two on each, as `ticds` lists them: at most 80 columns.
    static var overview: String {
        let room = max(20, min(67, HelpText.width - 13))
        let groups = [
            ("Look", ["inspect", "changes", "model"]),
            ("Check and repair", ["verify", "integrity", "client", "document", "vacuum"]),
            ("Back up and move", ["archive", "remote"]),
            ("Rescue", ["store", "journal"]),
            ("Synchronise", ["sync"]),
            ("Many remotes", ["fleet"]),
        ]
        return groups.map { heading, names in
            let entries = names.flatMap { name in
                let root = programs.first { $0.name == Dispatcher.prefix + name }?.root
                let lines = Paragraph.lines(root?.configuration.abstract ?? "", width: room)
                return lines.enumerated().map { number, line in
                    let start = number == 0 ? name : ""
                    return "  \(start)\(String(repeating: " ", count: 11 - start.count))\(line)"
                }
            }
            return ([heading] + entries).joined(separator: "\n") + "\n"
        }.joined(separator: "\n")
    }

    /// Runs the program by whose name this process was started, and ends the process.
    package static func main() -> Never {
        Signals.prepare()
        if FleetChild.isWanted { FleetChild.main() }
        let name = ExecutablePath.calledName { name in programs.contains { $0.name == name } }
        let program = programs.first { $0.name == name && name != Ticds.name }
        if let question = CompletionQuestion(CommandLine.arguments) {
            let answer = program.map { CompletionAnswer(question, of: $0.root).lines }
            let lines = answer ?? Ticds.completions(question)
            CommandRunner.end(printing: lines.map { $0 + "\n" }.joined())
        }
        guard let program else { Ticds.main() }
        CommandRunner.main(program.root)
    }
}

/// The entry point for `main` in C, `Sources/ticds/main.c`.
@_cdecl("ticds_run_suite") func runSuite() { CommandTable.main() }

struct TicdsArchive: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-archive",
        abstract: "Backs up remotes as archives, verifies the archives and restores from them.",
        usage: """
            ticds-archive export REMOTE FILE
            ticds-archive list|verify FILE
            ticds-archive import FILE REMOTE
            ticds-archive find [--name TEXT] FILE ...
            ticds-archive diff FILE-OR-REMOTE FILE-OR-REMOTE
            ticds-archive extract FILE FOLDER --document NAME | --path PATH
            ticds-archive extract FILE --path PATH --to -
            """,
        discussion: """
            Examples:
              ticds-archive export ~/Dropbox/com.example.app app.tar.zst
              ticds-archive verify app.tar.zst
              ticds-archive import app.tar.zst /srv/sync/com.example.app
              ticds-archive find --document Notebook /srv/backup/*.tar.zst
              ticds-archive extract app.tar.zst rescued --document Notebook
            """,
        version: SuiteVersion.current,
        subcommands: [
            ArchiveExport.self, ArchiveList.self, ArchiveVerify.self, ArchiveImport.self, ArchiveFind.self,
            ArchiveDiff.self, ArchiveExtract.self,
        ])
}

struct TicdsClient: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-client",
        abstract: "Shows, deletes and restores the clients of a remote.",
        discussion: """
            A client is one installation of an app on one device. Deleting a client moves its files to the trash; \
            when it runs again, it finds its tombstone.

            Examples:
              ticds-client show ~/Dropbox/com.example.app "Anna's iPad"
              ticds-client delete ~/Dropbox/com.example.app "Anna's iPad" --from-application --dry-run
              ticds-client restore ~/Dropbox/com.example.app "Anna's iPad" --document Notebook
            """,
        version: SuiteVersion.current,
        subcommands: [ClientShow.self, ClientDelete.self, ClientRestore.self])
}

struct TicdsDocument: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-document",
        abstract: "Creates, deletes and restores the documents of a remote.",
        discussion: """
            A document is one store that the clients synchronise. Deleting a document moves all of it to the trash \
            and leaves a tombstone for the clients.

            Examples:
              ticds-document create ~/Dropbox/com.example.app Notebook --description "My notes"
              ticds-document delete ~/Dropbox/com.example.app "Old notes" --dry-run
              ticds-document restore ~/Dropbox/com.example.app "Old notes"
            """,
        version: SuiteVersion.current,
        subcommands: [DocumentCreate.self, DocumentDelete.self, DocumentRestore.self])
}

struct TicdsFleet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-fleet",
        abstract: "Runs the suite over many remotes, and sums up what it found.",
        discussion: """
            A fleet is any number of remotes, listed in an inventory. A run does a command on each of them, on this \
            machine, with GNU parallel or with Slurm, and leaves a file for each; merge puts these files into a database.

            Examples:
              ticds-fleet scan /srv/sync --tag customers
              ticds-fleet run verify --level deep
              ticds-fleet merge verify --to fleet.sqlite
              ticds-fleet query worst --database fleet.sqlite
            """,
        version: SuiteVersion.current,
        subcommands: [
            FleetScanCommand.self, FleetAdd.self, FleetRemove.self, FleetTag.self, FleetList.self,
            FleetRunCommand.self,
            FleetWork.self, FleetStatusCommand.self, FleetMergeCommand.self, FleetQuery.self,
            FleetReport.self, FleetMetrics.self, FleetPlan.self, FleetReview.self, FleetApply.self,
            FleetUndo.self,
        ])
}

struct TicdsInspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-inspect",
        abstract: "Shows what is in a remote.",
        discussion: """
            Reads names, sizes and times, and the small files that describe clients and documents. The \
            program never writes into the remote and needs no password; it names what it could not read \
            without one.

            Examples:
              ticds-inspect status ~/Dropbox/com.example.app
              ticds-inspect clients ~/Dropbox/com.example.app --document Notebook
              ticds-inspect stores ~/Dropbox/com.example.app --json
            """,
        version: SuiteVersion.current,
        subcommands: [
            InspectStatus.self, InspectTree.self, InspectDocuments.self, InspectClients.self,
            InspectStores.self,
            InspectTimeline.self, InspectReport.self, InspectMetrics.self, InspectMount.self,
        ])
}

struct TicdsIntegrity: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-integrity",
        abstract: "Shows, checks and resets the integrity keys of documents.",
        usage: "ticds-integrity show|check|reset REMOTE [--document NAME]",
        discussion: """
            Each document has one file in IntegrityKey whose name is the key. A client that finds a key \
            other than the one it remembers throws away the edits that it has not sent yet, and loads the \
            whole store again.

            Examples:
              ticds-integrity show ~/Dropbox/com.example.app
              ticds-integrity check ~/Dropbox/com.example.app && echo intact
              ticds-integrity reset ~/Dropbox/com.example.app --document Notebook --dry-run
            """,
        version: SuiteVersion.current,
        subcommands: [IntegrityShow.self, IntegrityCheck.self, IntegrityReset.self])
}

struct TicdsJournal: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-journal",
        abstract: "Lists and undoes changes of a remote, and recovers interrupted operations.",
        discussion: """
            Every command that changes a remote writes a journal outside it, and moves what it removes to a trash.

            Examples:
              ticds-journal list
              ticds-journal show ~/Dropbox/com.example.app 12
              ticds-journal undo ~/Dropbox/com.example.app 12
              ticds-journal recover ~/Dropbox/com.example.app
              ticds-journal apply plan.json
              ticds-journal prune --older-than 90d
            """,
        version: SuiteVersion.current,
        subcommands: [
            JournalList.self, JournalShow.self, JournalApply.self, JournalUndo.self,
            JournalRecover.self, JournalPrune.self,
        ])
}

struct TicdsRemote: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-remote",
        abstract: "Creates, copies, backs up and removes whole remotes, and changes their encryption.",
        usage:
            "ticds-remote create|remove|check-password|encrypt|decrypt|change-password|snapshot|copy REMOTE [OPTIONS]",
        discussion: """
            Examples:
              ticds-remote create ~/Dropbox/com.example.app --encrypt
              ticds-remote check-password ~/Dropbox/com.example.app --all
              ticds-remote change-password ~/Dropbox/com.example.app --dry-run
              ticds-remote decrypt ~/Dropbox/com.example.app --password-file secret.txt
              ticds-remote snapshot ~/Dropbox/com.example.app /srv/backup --keep-daily 7 --quiet
            """,
        version: SuiteVersion.current,
        subcommands: [
            RemoteCreate.self, RemoteRemove.self, RemoteCheckPassword.self, RemoteEncrypt.self,
            RemoteDecrypt.self,
            RemoteChangePassword.self, RemoteSnapshotCommand.self, RemoteCopy.self,
        ])
}

struct TicdsVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-verify",
        abstract: "Checks a remote, and shows which clients each finding affects.",
        usage: """
            ticds-verify [remote] REMOTE [--level names|headers|contents|deep]
            ticds-verify [remote] REMOTE --repair [--dry-run] [--only CODE] [--ignore CODE]
            ticds-verify file FILE ...
            ticds-verify explain [CODE ...]
            """,
        discussion: """
            Checks every file of a remote and shows for each finding which clients are affected, how, and \
            what to do. Never writes into the remote, except with --repair: that repairs what it can, with a \
            plan that it shows first and that can be undone. Its options: ticds-verify help remote

            Examples:
              ticds-verify ~/Dropbox/com.example.app
              ticds-verify ~/Dropbox/com.example.app --level deep --document Notebook
              ticds-verify ~/Dropbox/com.example.app --as-client "Anna's iPhone"
              ticds-verify ~/Dropbox/com.example.app --repair --dry-run
              ticds-verify file 0384211423.261394-DF5C0156.syncchg
              ticds-verify explain TICDS-0201
            """,
        version: SuiteVersion.current,
        subcommands: [VerifyRemote.self, VerifyFile.self, VerifyExplain.self],
        defaultSubcommand: VerifyRemote.self)
}
