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
                document.count(document.clients.count(where: \.isMember), in: RemoteLayout.syncChanges),
                document.count(document.changeSets.count, in: RemoteLayout.syncChanges),
                document.size(document.changeSets.bytes, in: RemoteLayout.syncChanges),
                time(document.changeSetTimes?.upperBound),
                document.count(document.wholeStores.count, in: RemoteLayout.wholeStore),
                document.size(document.temporaryFiles.bytes, in: RemoteLayout.temporaryFiles),
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
            let isKnown = device.isRegistered || !inspection.report.knowsClients
            table.add([
                device.identifier.text, device.description ?? "", Quantities.count(device.documents.count),
                age(device.lastSync), Quantities.count(device.changeSets.count),
                Quantities.size(device.changeSets.bytes), isKnown ? "" : "not registered",
            ])
        }
        return table
    }

    static func clients(_ inspection: Inspection, of document: DocumentReport) -> TextTable {
        var table = TextTable(
            ["CLIENT", "DESCRIPTION", "LAST SYNC", "STORE", "CHANGE SETS", "SIZE", "NOT APPLIED", "NOTE"],
            [.beginning, .text, .time, .time, .number, .number, .number],
            leavesOut: ["SIZE", "CHANGE SETS", "STORE", "NOT APPLIED", "LAST SYNC"])
        let isSeen = !document.unseen.contains(RemoteLayout.syncChanges)
        for client in document.clients where inspection.isWanted(client.identifier) {
            let note = [
                client.isMember || !isSeen ? nil : "not a member", client.hasTombstone ? "deleted" : nil,
            ]
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

extension DocumentReport {
    /// Whether it is known that there is nothing in a folder, or how much there is at least.
    func knows(_ number: some BinaryInteger, in folder: RemoteName) -> Bool {
        number > 0 || !unseen.contains(folder)
    }

    /// A number of things in a folder; empty where none was seen, and the folder could not be listed.
    fileprivate func count(_ number: Int, in folder: RemoteName) -> String {
        knows(number, in: folder) ? Quantities.count(number) : ""
    }

    /// The same in bytes.
    fileprivate func size(_ bytes: Int64, in folder: RemoteName) -> String {
        knows(bytes, in: folder) ? Quantities.size(bytes) : ""
    }
}
