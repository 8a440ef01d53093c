import SystemCalls
import TICDSCommandLine
import TICDSCore

/// The tables of all subcommands.
enum Tables {
    static func documents(_ documents: [DocumentReport], _ style: TextStyle) -> TextTable {
        var table = TextTable(
            [
                "DOCUMENT", "DESCRIPTION", "LAST SYNC", "CLIENTS", "CHANGE SETS", "SIZE", "NEWEST", "STORES",
                "LEFTOVERS",
            ],
            [.beginning, .text, .time, .number, .number, .number, .time, .number, .number],
            leavesOut: ["LEFTOVERS", "STORES", "CLIENTS", "SIZE", "NEWEST", "CHANGE SETS", "LAST SYNC"])
        for document in documents {
            table.add([
                document.identifier.text, document.description ?? "", age(document.lastSync, style),
                Quantities.count(document.members.map(\.count)),
                Quantities.count(document.changeSets.map(\.count)),
                style.size(document.changeSets.map(\.bytes)),
                time(document.changeSets.map { _ in document.changeSetTimes?.upperBound }, style),
                Quantities.count(document.wholeStores.map(\.count)),
                style.size(document.temporaryFiles.map(\.bytes)),
            ])
        }
        return table
    }

    static func devices(_ inspection: Inspection, _ style: TextStyle) -> TextTable {
        var table = TextTable(
            ["CLIENT", "DESCRIPTION", "DOCUMENTS", "LAST SYNC", "CHANGE SETS", "SIZE", "NOTE"],
            [.beginning, .text, .number, .time, .number, .number],
            leavesOut: ["DOCUMENTS", "SIZE", "CHANGE SETS", "LAST SYNC"])
        for device in inspection.clients {
            table.add([
                device.identifier.text, device.description ?? "",
                Quantities.count(device.documents.map(\.count)),
                age(device.lastSync, style), Quantities.count(device.changeSets.map(\.count)),
                style.size(device.changeSets.map(\.bytes)),
                device.isRegistered == false ? "not registered" : "",
            ])
        }
        return table
    }

    static func clients(
        _ inspection: Inspection, of document: DocumentReport, _ style: TextStyle
    ) -> TextTable {
        var table = TextTable(
            ["CLIENT", "DESCRIPTION", "LAST SYNC", "STORE", "CHANGE SETS", "SIZE", "NOT APPLIED", "NOTE"],
            [.beginning, .text, .time, .time, .number, .number, .number],
            leavesOut: ["SIZE", "CHANGE SETS", "STORE", "NOT APPLIED", "LAST SYNC"])
        for client in document.clients where inspection.isWanted(client.identifier) {
            let note = [
                client.isMember == false ? "not a member" : nil,
                client.hasTombstone == true ? "deleted" : nil,
            ]
            table.add([
                client.identifier.text, client.description ?? "", age(client.lastSync, style),
                time(client.wholeStoreUploaded.part, style), Quantities.count(client.changeSets.map(\.count)),
                style.size(client.changeSets.map(\.bytes)),
                client.lag.map { Quantities.count($0.notApplied) } ?? "",
                note.compactMap(\.self).joined(separator: ", "),
            ])
        }
        return table
    }

    static func stores(_ stores: [DocumentStore], _ style: TextStyle) -> TextTable {
        var table = TextTable(
            ["WHOLE STORE", "SIZE", "KIND", "DOCUMENT", "CLIENT", "REGISTER"],
            [.time, .number, .text, .beginning, .text, .time], leavesOut: ["REGISTER", "KIND", "SIZE"])
        for entry in stores {
            let store = entry.store
            table.add([
                age(store.modified, style), style.size(store.size), kind(store),
                entry.document.text, entry.description ?? store.client.text,
                time(store.register.part?.modified, style),
            ])
        }
        return table
    }

    /// The kind of a whole store, or the reason why it is unknown.
    static func kind(_ store: WholeStoreReport) -> String {
        store.kind?.rawValue ?? store.isMissing.map { $0 ? "missing" : "unreadable" } ?? "unknown"
    }

    static func age(_ time: FileTime?, _ style: TextStyle) -> String {
        time.map { style.minuteWithAge($0) } ?? ""
    }

    static func time(_ time: FileTime?, _ style: TextStyle) -> String { time.map { style.minute($0) } ?? "" }

    /// A time with its age; with a plus sign if there may be a later one.
    static func age(_ time: Seen<FileTime?>, _ style: TextStyle) -> String {
        marked(age(time.part, style), time.isWhole)
    }

    /// A time without its age, with a plus sign if there may be a later one.
    static func time(_ time: Seen<FileTime?>, _ style: TextStyle) -> String {
        marked(Tables.time(time.part, style), time.isWhole)
    }

    private static func marked(_ text: String, _ isWhole: Bool) -> String {
        isWhole || text.isEmpty ? text : text + "+"
    }
}
