package import ArgumentParser
package import Base
import TICDSCommandLine
import TICDSSync

/// The programs for the data: change sets, stores, models and replicas.
package enum DataCommandTable {
    /// The name of each program, and its root command.
    package static let all: [(name: String, root: any ParsableCommand.Type)] = [
        ("ticds-changes", TicdsChanges.self),
        ("ticds-model", TicdsModel.self),
        ("ticds-store", TicdsStore.self),
        ("ticds-sync", TicdsSync.self),
    ]

    /// The schemas of their output.
    package static let schemas: [SchemaFile] = [
        ChangeLines.schema.file, TimesketchLines.schema.file, ChangesList.schema.file,
        ChangesStats.schema.file, ChangesDiff.schema.file, ObjectLines.schema.file,
        ObjectLines.namedSchema.file, StoreList.schema.file,
        StoreInfoReport.schema.file, HistoryLines.schema.file, RecoveryWriter.schema.file,
        RecoveryTally.schema.file, RecoveredObjectLines.schema.file,
        ObjectTally.schema.file,
        RecoveredChangeLines.schema.file, ChangesRecover.schema.file, StoreCheckView.schema.file,
        StoreExtract.schema.file,
        MigrationReport.schema.file, ModelMigrationView.schema.file,
        StoreExport.schema.file, StoreExport.lineSchema.file,
        StoreExportCommand.schema.file, StoreImportCommand.schema.file,
        DifferenceLines.schema.file, DifferenceLines.comparison.file, ReplayReport.schema.file,
        ReplicaConfiguration.schema.file, CloneReport.schema.file, ReplicaStatusView.schema.file,
        SyncCommit.schema.file, SyncResult.schema.file, EventLines.conflict.file, EventLines.warning.file,
        ModelShow.schema.file, MappingModelJSON.schema.file, ModelTargetOptions.schema.file,
        ModelDiff.schema.file, ModelFind.schema.file,
        ModelDiagramCommand.schema.file,
    ]
}

struct TicdsChanges: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-changes",
        abstract: "Shows, searches and compares change sets.",
        discussion: """
            A change set is one file of edits that a client uploaded. The program never writes into the remote.

            Examples:
              ticds-changes list ~/Dropbox/com.example.app
              ticds-changes dump ~/Dropbox/com.example.app --document Notebook --entity Note
              ticds-changes dump --json 0405432101.123456-E621E1F8.syncchg | jq .type
              ticds-changes log ~/Dropbox/com.example.app 4A11-8E1D
            """,
        version: SuiteVersion.current,
        subcommands: [
            ChangesList.self, ChangesDump.self, ChangesLog.self, ChangesSearch.self, ChangesStats.self,
            ChangesDiff.self, ChangesRecover.self,
        ])
}

struct TicdsModel: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-model",
        abstract: "Shows, compares and draws data models, and finds the one of a store.",
        discussion: """
            A data model describes the entities of a Core Data store. The program reads compiled models, sources of Xcode, \
            and the models that stores contain.

            Examples:
              ticds-model show Notebook.momd
              ticds-model extract Notebook.sqlite --to Notebook.xcdatamodel
              ticds-model find Notebook.storedata Notebook.app
              ticds-model diagram Notebook.momd --to Notebook.svg
            """,
        version: SuiteVersion.current,
        subcommands: [
            ModelShow.self, ModelExtract.self, ModelDecompile.self, ModelDiff.self, ModelFind.self,
            ModelDiagramCommand.self,
        ])
}

struct TicdsStore: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-store",
        abstract: "Lists, reads, checks and moves Core Data stores.",
        discussion: """
            Only install changes a remote, with a plan that can be undone. The program never writes beside a store.

            Examples:
              ticds-store dump Notebook.sqlite
              ticds-store dump Notebook.storedata --model Notebook.momd --json
              ticds-store list ~/Dropbox/com.example.app
              ticds-store replay ~/Dropbox/com.example.app --to rescued.sqlite
            """,
        version: SuiteVersion.current,
        subcommands: [
            StoreList.self, StoreInfo.self, StoreDump.self, StoreHistory.self, StoreCheckCommand.self,
            StoreExtract.self, StoreExportCommand.self, StoreImportCommand.self, StoreRecover.self,
            StoreCompare.self,
            StoreInstall.self,
            StoreReplay.self, StoreMigrate.self,
        ])
}

struct TicdsSync: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ticds-sync",
        abstract: "Keeps a local SQLite copy of a document, and synchronises it as a client.",
        discussion: """
            A replica is a folder with the document's store, which any tool may edit between two runs. Each run sends \
            these edits to the other clients, and applies theirs.

            Examples:
              ticds-sync clone ~/Dropbox/com.example.app Notes --document Notebook
              sqlite3 Notes/Document.sqlite "UPDATE ZNOTE SET ZTITLE = 'Shopping' WHERE Z_PK = 7"
              ticds-sync run Notes
              ticds-sync watch Notes --exec 'make -C reports'
            """,
        version: SuiteVersion.current,
        subcommands: [
            SyncClone.self, SyncStatus.self, SyncCommit.self, SyncRun.self, SyncWatch.self,
            SyncLog.self, SyncReseed.self,
        ])
}

extension ReplicaConfiguration {
    /// The file that the library writes.
    static let schema = JSONSchema<Void>(
        "ticds.replica/1",
        "Replica.json in the folder of a replica, read and written by ticds-sync(1) (see ticds-config(5))."
    ) {
        let policy = JSONType.names(["remote", "local", "newest", "ask", "fail"])
        let rule = JSONFields<Void> {
            $0("entity", "", as: .orNull(.text), isOptional: true)
            $0("attribute", "", as: .orNull(.text), isOptional: true)
            $0("policy", "", as: policy)
        }
        let conflicts = JSONFields<Void> {
            $0("otherwise", "", as: policy)
            $0("rules", "", as: .array(rule.type))
        }
        $0("remote", "The application folder.", as: .text)
        $0("document", "The document's identifier.", as: .text)
        $0("client", "The identifier of the client.", as: .text)
        $0("description", "The name of the client.", as: .text)
        $0("variant", "", as: .names(["fileManager", "dropbox", "icloud"]))
        $0("conflicts", "Which value counts.", as: conflicts.type)
        $0(
            "encrypted",
            "Whether the remote was encrypted when the replica was created or first ran; may be absent.",
            as: .boolean, isOptional: true)
        $0("onBadSet", "", as: .names(["stop", "skip"]))
    }
}
