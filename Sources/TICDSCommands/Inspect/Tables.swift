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
                count(document.members.map(\.count)), count(document.changeSets.map(\.count)),
                size(document.changeSets.map(\.bytes), style),
                time(document.changeSetTimes?.upperBound, style),
                count(document.wholeStores.map(\.count)), size(document.temporaryFiles.map(\.bytes), style),
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
                device.identifier.text, device.description ?? "", Quantities.count(device.documents.count),
                age(device.lastSync, style), count(device.changeSets.map(\.count)),
                size(device.changeSets.map(\.bytes), style),
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
                client.isMember == false ? "not a member" : nil, client.hasTombstone ? "deleted" : nil,
            ]
            table.add([
                client.identifier.text, client.description ?? "", age(client.lastSync, style),
                time(client.wholeStoreUploaded, style), count(client.changeSets.map(\.count)),
                size(client.changeSets.map(\.bytes), style),
                client.lag.map { Quantities.count($0.notApplied) } ?? "",
                note.compactMap(\.self).joined(separator: ", "),
            ])
        }
        return table
    }

    static func stores(_ inspection: Inspection, _ style: TextStyle) -> TextTable {
        var table = TextTable(
            ["WHOLE STORE", "SIZE", "KIND", "DOCUMENT", "CLIENT", "REGISTER"],
            [.time, .number, .text, .beginning, .text, .time], leavesOut: ["REGISTER", "KIND", "SIZE"])
        for document in inspection.documents {
            for store in document.wholeStores.part where inspection.isWanted(store.client) {
                let client = document.clients.first { $0.identifier == store.client }
                let missing = store.isMissing ? "missing" : "unreadable"
                table.add([
                    age(store.modified, style), style.size(store.size), store.kind?.rawValue ?? missing,
                    document.identifier.text, client?.description ?? store.client.text,
                    time(store.registerModified, style),
                ])
            }
        }
        return table
    }

    static func age(_ time: FileTime?, _ style: TextStyle) -> String {
        time.map { style.minuteWithAge($0) } ?? ""
    }

    static func time(_ time: FileTime?, _ style: TextStyle) -> String { time.map { style.minute($0) } ?? "" }

    /// A number of things; with a plus sign where there may be more, and empty where none was seen then.
    static func count(_ number: Seen<Int>) -> String {
        marked(number.map { $0 == 0 ? nil : Quantities.count($0) }, none: "0")
    }

    /// A size for a cell, marked where there may be more.
    static func size(_ bytes: Seen<Int64>, _ style: TextStyle) -> String {
        marked(bytes.map { $0 == 0 ? nil : style.size($0) }, none: style.size(Int64(0)))
    }

    private static func marked(_ text: Seen<String?>, none: String) -> String {
        text.isWhole ? text.part ?? none : text.part.map { $0 + "+" } ?? ""
    }
}
