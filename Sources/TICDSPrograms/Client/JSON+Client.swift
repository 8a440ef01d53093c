import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

extension KnownClient {
    static let schema = JSONSchema<(client: KnownClient, root: FilePath)>(
        "ticds.client/1",
        """
        Printed by ticds-client(1) `show`: `clients`, `documentClients` and `stores` as in `ticds.status/1`, each with \
        the data of the one client only.
        """
    ) {
        $0("remote", "The application folder.", { $0.root })
        $0(
            "application", "Its name, the identifier of the application.",
            { $0.client.remote.report.applicationIdentifier })
        $0("encrypted", "Whether the remote is encrypted.", { $0.client.remote.report.isEncrypted })
        $0("clients", "", { [$0.client.device] })
        $0(
            "documentClients", "",
            { run in
                run.client.memberships.compactMap { one in
                    one.client.map { DocumentClient($0, of: one.document.identifier) }
                }
            })
        $0(
            "stores", "",
            { run in
                run.client.memberships.compactMap { one in
                    one.wholeStore.map {
                        DocumentStore(
                            $0, of: one.document.identifier, description: run.client.device.description)
                    }
                }
            })
        $0(
            "unapplied", "Clients that may not have applied all change sets of this one.",
            { run in
                run.client.memberships.flatMap { one in one.unapplied.map { (one.document.identifier, $0) } }
            },
            JSONFields<(document: RemoteName, sets: UnappliedChangeSets)> {
                $0("document", "", { $0.document })
                $0("client", "The other client.", { $0.sets.client })
                $0("changeSets", "The maximum number of sets.", { $0.sets.changeSets })
                $0("oldest", "The time of the oldest of them.", { $0.sets.oldest })
                $0(
                    "asOf",
                    """
                    The time of the other client's register or last sync: nothing later is known; null if nothing is \
                    known at all.
                    """, { $0.sets.asOf })
            })
        $0("unread", "As in `ticds.documents/1`.", { $0.client.remote.report.problems })
    }
}
