public import SystemCalls
public import TICDSCore

extension RegistrationPlanner {
    /// The plan that registers the client of a replica with the application and with the document (ticds-protocol(7), 4.1
    /// and 4.2); without actions if the client is registered. A replica that was created offline registers at its first
    /// run.
    /// - Throws: `.refused` for an identifier that clients would not list; `.unknownName` if the document does not exist;
    ///   `.encrypted` if the password is missing.
    public func plan(registering replica: ReplicaConfiguration) throws(FileProblem) -> Plan {
        try plan(
            registering: DeviceInfo(description: replica.description, identifier: replica.client),
            joining: RemoteName(replica.document))
    }
}

/// The conditions for the registration of a replica's client.
public enum ReplicaRegistration {
    /// The integrity key of the document. A new replica stores it; each run compares it (ticds-protocol(7), 4.8.1).
    /// - Throws: `.refused` if there is no key, or more than one.
    public static func integrityKey(
        of document: RemoteName, in snapshot: RemoteSnapshot, _ storage: any RemoteStorage
    ) throws(FileProblem) -> RemoteName {
        let folder = IntegrityKeyFolder(of: document, in: snapshot, storage)
        let keys = folder.keys
        guard let key = keys.first, keys.count == 1 else {
            throw FileProblem(
                .refused, path: folder.path.filePath(under: storage.root),
                keys.isEmpty
                    ? "the document has no integrity key; without one no client can register"
                    : "the document has several integrity keys; clients may take any of them",
                found: keys.isEmpty ? nil : keys.map(\.name.text).joined(separator: ", "),
                advice: "For details, run ticds-integrity check")
        }
        return key.name
    }

    /// Refuses an identifier that is in use.
    /// - Throws: `.refused` if a client with this identifier is a member of the document.
    public static func checkFree(
        _ client: RemoteName, in document: DocumentSnapshot, _ storage: any RemoteStorage
    ) throws(FileProblem) {
        guard let member = document.client(client) else { return }
        throw FileProblem(
            .refused, path: document.path.filePath(under: storage.root),
            "there is already a client \"\(member.identifier)\" in the document: two clients with one identifier never see each other's changes",
            advice:
                "Choose another identifier; if that client is gone for good, remove it with ticds-client delete first"
        )
    }
}
