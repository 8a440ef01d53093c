import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

extension JSONWriter {
    /// A client, what it has in each document, and what others may not have applied of it.
    mutating func document(_ client: KnownClient, in root: FilePath) {
        let report = client.remote.report
        beginObject()
        field("schema", "ticds.client/1")
        field("remote", root)
        field("application", report.applicationIdentifier)
        field("encrypted", report.isEncrypted)
        beginArray("clients")
        value(client.device)
        endArray()
        beginArray("documentClients")
        for membership in client.memberships {
            if let mine = membership.client { value(mine, of: membership.document.identifier) }
        }
        endArray()
        beginArray("stores")
        for membership in client.memberships {
            guard let store = membership.wholeStore else { continue }
            value(store, of: membership.document.identifier, description: client.device.description)
        }
        endArray()
        beginArray("unapplied")
        for membership in client.memberships {
            for other in membership.unapplied { value(other, of: membership.document.identifier) }
        }
        endArray()
        beginArray("unread")
        for problem in report.problems { value(problem) }
        endArray()
        endObject()
        endLine()
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
