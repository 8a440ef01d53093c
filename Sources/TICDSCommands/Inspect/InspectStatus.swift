import ArgumentParser
import Base
import SystemCalls
import TICDSCommandLine
import TICDSCore

struct InspectStatus: InspectCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the remote at a glance.",
        discussion: """
            Shows documents, clients, whole stores, clients that are behind, clients that may be the same \
            device, and entries that do not belong in a remote.

            Examples:
              ticds-inspect status ~/Dropbox/com.example.app
              ticds-inspect status ~/Dropbox/com.example.app --json | jq '.strays | length'
            """)

    @OptionGroup var options: InspectOptions
    @OptionGroup var output: OutputOptions

    func execute(_ context: CommandContext) throws -> ExitStatus {
        let inspection = try Inspection(options, context)
        try context.print(inspection, Self.schema, isLong: true) { show(inspection, to: &$0, context) }
        return inspection.finish(context)
    }

    static let schema = JSONSchema<Inspection>("ticds.status/1", "Printed by ticds-inspect(1) `status`.") {
        $0.include(Inspection.head, \.self)
        $0(
            "location", "A folder of this machine, or a `storage` that rclone reaches.",
            as: .names(["folder", "storage"])
        ) { $0.remote.storage.capabilities == nil ? "folder" : "storage" }
        $0("capabilities", "What the storage can do; null for a folder.", \.remote.storage.capabilities)
        $0("files", "All files of the remote; null if not all could be listed.", \.report.files.known)
        $0.include(Inspection.documentFields, \.self)
        $0.include(Inspection.clientFields, \.self)
        $0.include(Inspection.storeFields, \.self)
        $0(
            "strays", "Entries that the framework did not put there, or that should be examined.",
            \.report.strays)
        $0.include(Inspection.end, \.self)
    }

    private func show(_ inspection: Inspection, to text: inout OutputBuffer, _ context: CommandContext) {
        let report = inspection.report
        let kind = report.isEncrypted ? "encrypted" : "not encrypted"
        let files = Quantities.count(report.files.map(\.count), "file")
        let size = context.style.size(report.files.map(\.bytes))
        let facts = [kind, files, size].filter { !$0.isEmpty }
        text.line("\(report.applicationIdentifier.text): \(facts.joined(separator: ", "))")
        let stores = Tables.stores(inspection.wholeStores, context.style)
        let tables = [
            Tables.documents(inspection.documents, context.style), Tables.devices(inspection, context.style),
            stores,
        ]
        for table in tables where !table.isEmpty {
            text.line("")
            table.show(to: &text, colour: context.colour())
        }
        let notes = StatusNotes.lines(inspection, context.style)
        if !notes.isEmpty { text.line("") }
        for note in notes { text.line(note) }
    }
}

/// Notes that the user should know about a remote, one sentence per line.
enum StatusNotes {
    /// The largest number of strays that are listed; `tree` shows all.
    private static let shownStrays = 10

    static func lines(_ inspection: Inspection, _ style: TextStyle) -> [String] {
        unlisted(inspection) + inspection.documents.flatMap { lines($0, style) }
            + duplicates(inspection.report)
            + deleted(inspection.report)
            + strays(inspection.report)
    }

    private static func unlisted(_ inspection: Inspection) -> [String] {
        [("documents", inspection.unlistedDocuments), ("clients", inspection.unlistedClients)].compactMap {
            noun, problem in
            problem.map { "There may be more \(noun): \($0.path.escaped) could not be read." }
        }
    }

    private static func lines(_ document: DocumentReport, _ style: TextStyle) -> [String] {
        let name = document.identifier.text
        var lines: [String] = []
        for client in document.clients {
            guard let lag = client.lag, lag.notApplied.part > 0 else { continue }
            let sets = Quantities.count(lag.notApplied, "change set")
            let who = client.description ?? client.identifier.text
            lines.append("\(name): \(who) had not applied \(sets) of others on \(style.minute(lag.asOf)).")
        }
        if let count = document.integrityKeys.known?.count, count != 1 {
            let keys = Quantities.count(count, "integrity key")
            lines.append("\(name): \(keys) instead of one.")
        }
        if document.hasDocumentInfo.known == false {
            lines.append("\(name): documentInfo.plist is missing.")
        }
        if !document.missingFolders.isEmpty {
            let folders = document.missingFolders.map(\.text).joined(separator: ", ")
            lines.append("\(name): missing folders: \(folders).")
        }
        if !document.unlisted.isEmpty {
            let unlisted = document.unlisted.map(\.text).joined(separator: ", ")
            lines.append("\(name): could not be listed: \(unlisted).")
        }
        if document.temporaryFiles.part.count > 0 {
            let size = style.size(document.temporaryFiles.map(\.bytes))
            lines.append("\(name): uploads left \(size) in TemporaryFiles.")
        }
        return lines
    }

    private static func duplicates(_ report: RemoteReport) -> [String] {
        report.duplicates.map { duplicate in
            let clients = duplicate.clients.map(\.text).joined(separator: ", ")
            switch duplicate.reason {
            case .sameDescription: return "May be one device: \(clients)."
            case .sameIdentifier: return "Identifiers differ in letter case or Unicode form only: \(clients)."
            }
        }
    }

    private static func deleted(_ report: RemoteReport) -> [String] {
        report.deletedDocuments.map { "Deleted document: \($0.description ?? $0.identifier.text)." }
    }

    private static func strays(_ report: RemoteReport) -> [String] {
        let shown = report.strays.prefix(shownStrays).map { "Stray (\($0.kind.rawValue)): \($0.path.text)" }
        let rest = report.strays.count - shown.count
        let least = report.unread == nil ? "" : "at least "
        return shown + (rest > 0 ? ["And \(least)\(Quantities.count(rest, "more stray"))."] : [])
    }
}
