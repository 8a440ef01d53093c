import ArgumentParser
import SystemCalls
import TICDSCommandLine
import TICDSCore

struct InspectMetrics: InspectCommand {
    static let configuration = CommandConfiguration(
        commandName: "metrics",
        abstract: "Prints numbers about the remote for Prometheus.",
        discussion: """
            With --to, writes them for the textfile collector of the node exporter; a timer runs the command. What could \
            not be read is a number of its own; a number that depends on it is left out.

            Examples:
              ticds-inspect metrics ~/Dropbox/com.example.app
              ticds-inspect metrics ~/Dropbox/com.example.app --to /var/lib/node_exporter/app.prom
            """)

    @OptionGroup var options: InspectOptions
    @OptionGroup var target: MetricsOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let inspection = try Inspection(options, context)
        try target.write(Self.metrics(of: inspection), context)
        return inspection.finish(context)
    }

    static func metrics(of inspection: Inspection) -> Metrics {
        let report = inspection.report
        let application = report.applicationIdentifier.text
        let own = (name: "application", value: application)
        var metrics = Metrics()
        metrics.family("ticds_remote_files", "Files in the remote.")
        if let files = report.files.known { metrics.add(Int64(files.count), own) }
        metrics.family("ticds_remote_bytes", "Size of the files in the remote.")
        if let files = report.files.known { metrics.add(files.bytes, own) }
        metrics.family("ticds_remote_encrypted", "Whether the remote is encrypted.")
        metrics.add(report.isEncrypted ? 1 : 0, own)
        metrics.family("ticds_remote_clients", "Clients of the application.")
        if inspection.unlistedClients == nil { metrics.add(Int64(inspection.clients.count), own) }
        metrics.family("ticds_remote_documents", "Documents.")
        if inspection.unlistedDocuments == nil { metrics.add(Int64(inspection.documents.count), own) }
        metrics.family("ticds_remote_strays", "Entries that do not belong in a remote.")
        if report.unread == nil { metrics.add(Int64(report.strays.count), own) }
        metrics.family(
            "ticds_remote_unread",
            "Files and folders that could not be read, without those that lack the password.")
        metrics.add(Int64(report.problems.count { $0.kind != .encrypted }), own)
        func each(_ name: String, _ help: String, _ value: (DocumentReport) -> Int64?) {
            metrics.family(name, help)
            for document in inspection.documents {
                guard let value = value(document) else { continue }
                metrics.add(value, own, (name: "document", value: document.identifier.text))
            }
        }
        each("ticds_document_change_sets", "Change sets of the document.") {
            $0.changeSets.known.map { Int64($0.count) }
        }
        each("ticds_document_change_set_bytes", "Size of the change sets of the document.") {
            $0.changeSets.known?.bytes
        }
        each("ticds_document_leftover_bytes", "Size of what uploads left in TemporaryFiles.") {
            $0.temporaryFiles.known?.bytes
        }
        each("ticds_document_integrity_keys", "Integrity keys of the document; an intact one has 1.") {
            $0.integrityKeys.known.map { Int64($0.count) }
        }
        each("ticds_document_last_sync_timestamp_seconds", "When a client last synchronised the document.") {
            $0.lastSync?.seconds
        }
        func eachClient(_ name: String, _ help: String, _ value: (DocumentClientReport) -> Int64?) {
            metrics.family(name, help)
            for document in inspection.documents {
                for client in document.clients where inspection.isWanted(client.identifier) {
                    guard let value = value(client) else { continue }
                    metrics.add(
                        value, own, (name: "document", value: document.identifier.text),
                        (name: "client", value: client.identifier.text))
                }
            }
        }
        eachClient("ticds_client_not_applied", "Change sets of others that the client had not applied.") {
            ($0.lag?.notApplied.known).map { Int64($0) }
        }
        eachClient(
            "ticds_client_last_sync_timestamp_seconds", "When the client last synchronised the document."
        ) {
            $0.lastSync?.seconds
        }
        eachClient("ticds_client_change_set_bytes", "Size of the change sets that the client wrote.") {
            $0.changeSets.known?.bytes
        }
        return metrics
    }
}
