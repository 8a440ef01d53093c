import KeyedArchive
public import SystemCalls
public import TICDSCore

/// The pieces of which the JSON documents of remotes, documents and clients are made.
extension JSONWriter {
    /// Number and bytes of change sets, with the times of the oldest and the newest.
    public mutating func changeSets(_ totals: FileTotals, _ times: ClosedRange<FileTime>?) {
        beginObject("changeSets")
        field("count", totals.count)
        field("bytes", totals.bytes)
        field("oldest", times?.lowerBound)
        field("newest", times?.upperBound)
        endObject()
    }

    public mutating func value(_ problem: FileProblem) {
        beginObject()
        field("path", problem.path)
        field("kind", problem.kind.rawValue)
        field("offset", problem.offset)
        field("problem", problem.problem)
        field("expected", problem.expected)
        field("found", problem.found)
        field("advice", problem.advice)
        field("finding", problem.finding)
        endObject()
    }

    public mutating func value(_ stray: Stray) {
        beginObject()
        field("path", stray.path)
        field("kind", stray.kind.rawValue)
        field("size", stray.size)
        field("modified", stray.modified)
        field("twin", orNull: stray.twin)
        endObject()
    }

    public mutating func value(_ document: DocumentReport) {
        beginObject()
        field("identifier", document.identifier)
        field("description", document.description)
        field("originalDevice", document.info?.originalDeviceIdentifier)
        field("originalDeviceDescription", document.info?.originalDeviceDescription)
        field("userInfo", document.info?.userInfo)
        field("lastSync", document.lastSync)
        field("integrityKeys", document.integrityKeys)
        field("clients", document.clients.filter(\.isMember).map(\.identifier))
        field("deletedClients", document.deletedClients)
        changeSets(document.changeSets, document.changeSetTimes)
        beginObject("wholeStores")
        field("count", document.wholeStores.count)
        field("bytes", document.wholeStores.reduce(0) { $0 +| $1.size })
        field("newest", document.wholeStores.compactMap(\.modified).max())
        endObject()
        field("temporaryFiles", document.temporaryFiles)
        field("sharedExternalData", document.sharedExternalData)
        field("missingFolders", document.missingFolders)
        field("hasDocumentInfo", document.hasDocumentInfo)
        endObject()
    }

    public mutating func value(_ device: DeviceReport) {
        beginObject()
        field("identifier", device.identifier)
        field("description", device.description)
        field("userInfo", device.info?.userInfo)
        field("registered", device.isRegistered)
        field("listed", device.isListed)
        field("documents", device.documents)
        field("deletedFrom", device.deletedFrom)
        field("lastSync", device.lastSync)
        field("wholeStoreUploaded", device.wholeStoreUploaded)
        field("changeSets", device.changeSets)
        endObject()
    }

    public mutating func value(_ client: DocumentClientReport, of document: RemoteName) {
        beginObject()
        field("document", document)
        field("client", client.identifier)
        field("description", client.description)
        field("member", client.isMember)
        field("listed", client.isListed)
        field("tombstone", client.hasTombstone)
        field("lastSync", client.lastSync)
        field("wholeStoreUploaded", client.wholeStoreUploaded)
        changeSets(client.changeSets, client.changeSetTimes)
        field("temporaryFiles", client.temporaryFiles)
        key("lag")
        if let lag = client.lag { value(lag) } else { null() }
        endObject()
    }

    public mutating func value(_ lag: ClientLag) {
        beginObject()
        field("asOf", lag.asOf)
        field("applied", lag.applied)
        field("notApplied", lag.notApplied)
        objects("behind", lag.behind) { json, author in
            json.field("client", author.client)
            json.field("changeSets", author.changeSets)
            json.field("oldest", author.oldest)
        }
        endObject()
    }

    public mutating func value(_ store: WholeStoreReport, of document: RemoteName, description: String?) {
        beginObject()
        field("document", document)
        field("client", store.client)
        field("description", description)
        field("path", store.path)
        field("kind", store.kind?.rawValue)
        field("missing", store.isMissing)
        field("size", store.size)
        field("modified", store.modified)
        field("files", store.files)
        field("registerSize", store.registerSize)
        field("registerModified", store.registerModified)
        endObject()
    }
}
