public import SystemCalls
public import TICDSCore

extension RegistrationPlanner {
    /// Makes the client of a replica known to the others: with the application and with the document
    /// (ticds-protocol(7), 4.1 and 4.2); without actions where it is a member. A replica that was prepared offline does
    /// so at its first run.
    /// - Throws: `.refused` for identifiers that clients would not see; `.unknownName` where the document is gone;
    ///   `.encrypted` where the password is missing.
    public func plan(registering replica: ReplicaConfiguration) throws(FileProblem) -> Plan {
        try plan(
            registering: DeviceInfo(description: replica.description, identifier: replica.client),
            joining: RemoteName(replica.document))
    }
}

/// What must hold before the client of a replica registers.
public enum ReplicaRegistration {
    /// The integrity key of the document: with a new replica it is kept, at each run it is compared
    /// (ticds-protocol(7), 4.8.1).
    /// - Throws: `.refused` where there is none, or more than one.
    public static func integrityKey(
        of document: RemoteName, in snapshot: RemoteSnapshot, _ storage: LocalStorage
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

    /// Refuses an identifier that others use.
    /// - Throws: `.refused` where the client is a member of the document.
    public static func checkFree(
        _ client: RemoteName, in document: DocumentSnapshot, _ storage: LocalStorage
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
