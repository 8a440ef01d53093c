import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

extension JSONWriter {
    /// A client, what it has in each document, and what others may not have applied of it.
    mutating func document(_ client: KnownClient, in root: FilePath) {
        let report = client.remote.report
        begin("ticds.client/1")
        field("remote", root)
        field("application", report.applicationIdentifier)
        field("encrypted", report.isEncrypted)
        array("clients", [client.device]) { $0.value($1) }
        array("documentClients", client.memberships) { json, membership in
            if let mine = membership.client { json.value(mine, of: membership.document.identifier) }
        }
        array("stores", client.memberships) { json, membership in
            guard let store = membership.wholeStore else { return }
            json.value(store, of: membership.document.identifier, description: client.device.description)
        }
        array("unapplied", client.memberships) { json, membership in
            for other in membership.unapplied { json.value(other, of: membership.document.identifier) }
        }
        array("unread", report.problems) { $0.value($1) }
        end()
    }

    private mutating func value(_ sets: UnappliedChangeSets, of document: RemoteName) {
        beginObject()
        field("document", document)
        field("client", sets.client)
        field("changeSets", sets.changeSets)
        field("oldest", sets.oldest)
        field("asOf", sets.asOf)
        endObject()
    }
}
