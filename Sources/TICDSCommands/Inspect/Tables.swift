import SystemCalls
import TICDSCommandLine
import TICDSCore

/// The tables of all subcommands.
enum Tables {
    static func documents(_ documents: [DocumentReport]) -> TextTable {
        var table = TextTable(
            [
                "DOCUMENT", "DESCRIPTION", "LAST SYNC", "CLIENTS", "CHANGE SETS", "SIZE", "NEWEST", "STORES",
                "LEFTOVERS",
            ],
            [.beginning, .text, .time, .number, .number, .number, .time, .number, .number],
            leavesOut: ["LEFTOVERS", "STORES", "CLIENTS", "SIZE", "NEWEST", "CHANGE SETS", "LAST SYNC"])
        for document in documents {
            table.add([
                document.identifier.text, document.description ?? "", age(document.lastSync),
                count(document.members.map(\.count)), count(document.changeSets.map(\.count)),
                size(document.changeSets.map(\.bytes)), time(document.changeSetTimes?.upperBound),
                count(document.wholeStores.map(\.count)), size(document.temporaryFiles.map(\.bytes)),
            ])
        }
        return table
    }

    static func devices(_ inspection: Inspection) -> TextTable {
        var table = TextTable(
            ["CLIENT", "DESCRIPTION", "DOCUMENTS", "LAST SYNC", "CHANGE SETS", "SIZE", "NOTE"],
            [.beginning, .text, .number, .time, .number, .number],
            leavesOut: ["DOCUMENTS", "SIZE", "CHANGE SETS", "LAST SYNC"])
        for device in inspection.clients {
            table.add([
                device.identifier.text, device.description ?? "", Quantities.count(device.documents.count),
                age(device.lastSync), count(device.changeSets.map(\.count)),
                size(device.changeSets.map(\.bytes)), device.isRegistered == false ? "not registered" : "",
            ])
        }
        return table
    }

    static func clients(_ inspection: Inspection, of document: DocumentReport) -> TextTable {
        var table = TextTable(
            ["CLIENT", "DESCRIPTION", "LAST SYNC", "STORE", "CHANGE SETS", "SIZE", "NOT APPLIED", "NOTE"],
            [.beginning, .text, .time, .time, .number, .number, .number],
            leavesOut: ["SIZE", "CHANGE SETS", "STORE", "NOT APPLIED", "LAST SYNC"])
        for client in document.clients where inspection.isWanted(client.identifier) {
            let note = [
                client.isMember == false ? "not a member" : nil, client.hasTombstone ? "deleted" : nil,
            ]
            table.add([
                client.identifier.text, client.description ?? "", age(client.lastSync),
                time(client.wholeStoreUploaded), count(client.changeSets.map(\.count)),
                size(client.changeSets.map(\.bytes)),
                client.lag.map { Quantities.count($0.notApplied) } ?? "",
                note.compactMap(\.self).joined(separator: ", "),
            ])
        }
        return table
    }

    static func stores(_ stores: [DocumentStore]) -> TextTable {
        var table = TextTable(
            ["WHOLE STORE", "SIZE", "KIND", "DOCUMENT", "CLIENT", "REGISTER"],
            [.time, .number, .text, .beginning, .text, .time], leavesOut: ["REGISTER", "KIND", "SIZE"])
        for entry in stores {
            let store = entry.store
            let missing = store.isMissing ? "missing" : "unreadable"
            table.add([
                age(store.modified), Quantities.size(store.size), store.kind?.rawValue ?? missing,
                entry.document.text, entry.description ?? store.client.text, time(store.registerModified),
            ])
        }
        return table
    }

    static func age(_ time: FileTime?) -> String { time?.withAge ?? "" }

    static func time(_ time: FileTime?) -> String { time?.local ?? "" }

    /// A number of things; with a plus sign where there may be more, and empty where none was seen then.
    static func count(_ number: Seen<Int>) -> String {
        marked(number.map { $0 == 0 ? nil : Quantities.count($0) }, none: "0")
    }

    /// A size for a cell, marked where there may be more.
    static func size(_ bytes: Seen<Int64>) -> String {
        marked(bytes.map { $0 == 0 ? nil : Quantities.size($0) }, none: Quantities.size(Int64(0)))
    }

    private static func marked(_ text: Seen<String?>, none: String) -> String {
        text.isWhole ? text.part ?? none : text.part.map { $0 + "+" } ?? ""
    }
}
