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
                Quantities.count(document.clients.count(where: \.isMember)),
                Quantities.count(document.changeSets.count), Quantities.size(document.changeSets.bytes),
                time(document.changeSetTimes?.upperBound), Quantities.count(document.wholeStores.count),
                Quantities.size(document.temporaryFiles.bytes),
            ])
        }
        return table
    }

    static func devices(_ devices: [DeviceReport]) -> TextTable {
        var table = TextTable(
            ["CLIENT", "DESCRIPTION", "DOCUMENTS", "LAST SYNC", "CHANGE SETS", "SIZE", "NOTE"],
            [.beginning, .text, .number, .time, .number, .number],
            leavesOut: ["DOCUMENTS", "SIZE", "CHANGE SETS", "LAST SYNC"])
        for device in devices {
            table.add([
                device.identifier.text, device.description ?? "", Quantities.count(device.documents.count),
                age(device.lastSync), Quantities.count(device.changeSets.count),
                Quantities.size(device.changeSets.bytes), device.isRegistered ? "" : "not registered",
            ])
        }
        return table
    }

    static func clients(_ clients: [DocumentClientReport]) -> TextTable {
        var table = TextTable(
            ["CLIENT", "DESCRIPTION", "LAST SYNC", "STORE", "CHANGE SETS", "SIZE", "NOT APPLIED", "NOTE"],
            [.beginning, .text, .time, .time, .number, .number, .number],
            leavesOut: ["SIZE", "CHANGE SETS", "STORE", "NOT APPLIED", "LAST SYNC"])
        for client in clients {
            let note = [client.isMember ? nil : "not a member", client.hasTombstone ? "deleted" : nil]
            table.add([
                client.identifier.text, client.description ?? "", age(client.lastSync),
                time(client.wholeStoreUploaded), Quantities.count(client.changeSets.count),
                Quantities.size(client.changeSets.bytes),
                client.lag.map { Quantities.count($0.notApplied) } ?? "",
                note.compactMap(\.self).joined(separator: ", "),
            ])
        }
        return table
    }

    static func stores(_ inspection: Inspection) -> TextTable {
        var table = TextTable(
            ["MODIFIED", "SIZE", "KIND", "DOCUMENT", "CLIENT", "REGISTER"],
            [.time, .number, .text, .beginning, .text, .time], leavesOut: ["REGISTER", "KIND", "SIZE"])
        for document in inspection.documents {
            for store in document.wholeStores where inspection.isWanted(store.client) {
                let client = document.clients.first { $0.identifier == store.client }
                let missing = store.isMissing ? "missing" : "unreadable"
                table.add([
                    age(store.modified), Quantities.size(store.size), store.kind?.rawValue ?? missing,
                    document.identifier.text, client?.description ?? store.client.text,
                    time(store.registerModified),
                ])
            }
        }
        return table
    }

    static func age(_ time: FileTime?) -> String { time?.withAge ?? "" }

    static func time(_ time: FileTime?) -> String { time?.local ?? "" }
}
