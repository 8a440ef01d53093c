import TICDSArchive
import TICDSCommandLine
import TICDSSync
import TICDSVerification

extension SchemaFile {
    /// Every schema but that of plans, which is written by hand as their encoding is.
    static let all: [SchemaFile] =
        shared + [
            ChangeLines.schema.file, ChangeSetLines.schema.file, CountChanges.schema.file,
            DiffChanges.schema.file,
            ObjectLines.schema.file, ListStores.schema.file, StoreCheckView.schema.file,
            ExtractStore.schema.file,
            StoreExport.schema.file, StoreExport.lineSchema.file, ExportStore.schema.file,
            DifferenceLines.schema.file, DifferenceLines.comparison.file, ShowStatus.schema.file,
            ShowDocuments.schema.file, ShowClients.schema.file, KnownClient.schema.file,
            ShowStores.schema.file,
            ShowTree.schema.file, ShowTimeline.schema.file, WriteReport.schema.file, Demo.schema.file,
            VacuumJSON.schema.file, Version.schema.file, Finding.schema.file, VerificationReport.schema.file,
            ExplainFindings.schema.file, Simulation.schema.file, KeyFolders.schema.file,
            CheckPassword.schema.file,
            ArchiveManifest.schema.file, ExportArchive.schema.file, ListArchive.schema.file,
            VerifyArchive.schema.file, RotationView.schema.file, ListOperations.schema.file,
            ShowOperation.schema.file, RecoverOperations.schema.file, PruneTrash.schema.file,
            ReplayReport.schema.file, ReplicaConfiguration.schema.file, CloneReport.schema.file,
            ReplicaStatusView.schema.file, CommitReplica.schema.file, SyncResult.schema.file,
            EventLines.conflict.file, EventLines.warning.file,
        ]
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
