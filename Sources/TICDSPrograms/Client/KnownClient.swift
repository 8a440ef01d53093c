import TICDSCore

/// Everything that is known of one client.
struct KnownClient {
    /// What the client has in one document, or what is left of it there.
    struct Membership {
        var document: DocumentReport
        /// Nil where there is nothing but a tombstone.
        var client: DocumentClientReport?
        var wholeStore: WholeStoreReport?
        /// What others may not have applied.
        var unapplied: [UnappliedChangeSets]
    }

    let remote: PlannedRemote
    let device: DeviceReport
    /// Documents that have anything of it.
    let memberships: [Membership]

    init(_ identifier: RemoteName, in remote: PlannedRemote) {
        self.remote = remote
        let report = remote.report
        device =
            report.clients.first { $0.identifier == identifier }
            ?? DeviceReport(
                identifier,
                deletedFrom: report.documents.filter { $0.deletedClients.contains(identifier) }
                    .map(\.identifier))
        memberships = report.documents.compactMap { document in
            let client = document.clients.first { $0.identifier == identifier }
            guard client != nil || document.deletedClients.contains(identifier) else { return nil }
            let snapshot = remote.snapshot.document(document.identifier)
            return Membership(
                document: document, client: client,
                wholeStore: document.wholeStores.first { $0.client == identifier },
                unapplied: snapshot.map { UnappliedChangeSets.of(identifier, $0, document) } ?? [])
        }
    }

    /// What people call another client.
    func name(of client: RemoteName) -> String {
        remote.report.clients.first { $0.identifier == client }?.description ?? client.text
    }
}
