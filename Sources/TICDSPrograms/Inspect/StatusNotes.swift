import SystemCalls
import TICDSCommandLine
import TICDSCore

/// What a person should know about a remote, one sentence a line.
enum StatusNotes {
    /// More strays than this are only counted; `tree` shows them all.
    private static let shownStrays = 10

    /// - Parameter time: how times are written.
    static func lines(
        _ inspection: Inspection, time: (FileTime) -> String = { $0.local }
    ) -> [String] {
        inspection.documents.flatMap { lines($0, time) } + duplicates(inspection.report)
            + deleted(inspection.report)
            + strays(inspection.report)
    }

    private static func lines(_ document: DocumentReport, _ time: (FileTime) -> String) -> [String] {
        let name = document.identifier.text
        var lines: [String] = []
        for client in document.clients {
            guard let lag = client.lag, lag.notApplied > 0 else { continue }
            let sets = Quantities.count(lag.notApplied, "change set")
            let who = client.description ?? client.identifier.text
            lines.append("\(name): \(who) had not applied \(sets) of others on \(time(lag.asOf)).")
        }
        if document.integrityKeys.count != 1 {
            let keys = Quantities.count(document.integrityKeys.count, "integrity key")
            lines.append("\(name): \(keys) instead of one.")
        }
        if !document.hasDocumentInfo { lines.append("\(name): documentInfo.plist is missing.") }
        if !document.missingFolders.isEmpty {
            let folders = document.missingFolders.map(\.text).joined(separator: ", ")
            lines.append("\(name): missing folders: \(folders).")
        }
        if document.temporaryFiles.count > 0 {
            let size = Quantities.size(document.temporaryFiles.bytes)
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
        return shown + (rest > 0 ? ["And \(Quantities.count(rest, "more stray"))."] : [])
    }
}
