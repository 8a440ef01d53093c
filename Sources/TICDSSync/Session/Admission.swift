import SystemCalls
import SystemPackage
import TICDSCore

/// Whether a client may synchronise with a document (ticds-protocol(7), 4.8.1).
struct Admission {
    let folder: ReplicaFolder
    /// The integrity key that the replica remembers; nil if it has none yet.
    let integrityKey: RemoteName?
    let storage: any RemoteStorage

    /// - Throws: `.refused` if it may not. Local edits are kept, and nothing is changed.
    func check(_ listing: DocumentListing) throws(FileProblem) {
        try checkDocument(listing)
        guard listing.membership == .member else {
            throw refusal(
                RemoteLayout.syncChanges(of: listing.client, in: listing.document),
                listing.membership == .removed
                    ? "this client was removed from the document"
                    : "this client is not registered with the document",
                expected: nil,
                advice: listing.membership == .removed
                    ? "Change sets that it had not fetched may be gone: create a new replica with ticds-sync clone; this one keeps its edits"
                    : "ticds-sync run registers it")
        }
    }

    /// Checks everything except membership; called before the client is registered.
    func checkDocument(_ listing: DocumentListing) throws(FileProblem) {
        let document = RemoteLayout.document(listing.document)
        try checkKey(listing, document.appending(RemoteLayout.integrityKey))
        if let command = listing.commands.first {
            throw refusal(
                command, "there is a sync command, and nobody knows what it means",
                expected: "none: no version of the framework writes any",
                advice: "Find out who wrote it; after you have moved it away, synchronisation continues")
        }
    }

    private func checkKey(_ listing: DocumentListing, _ place: RemotePath) throws(FileProblem) {
        guard !listing.integrityKeys.isEmpty else {
            throw refusal(
                place, "the document has no integrity key", expected: integrityKey?.text,
                advice: "ticds-integrity reset writes one")
        }
        guard let integrityKey, !listing.integrityKeys.contains(integrityKey) else { return }
        throw refusal(
            place, "the document has another integrity key than when this replica was created",
            expected: integrityKey.text, found: listing.integrityKeys.map(\.text).joined(separator: ", "),
            advice:
                "The document was created anew, or its key was reset: create a new replica with ticds-sync clone; this one keeps its edits"
        )
    }

    private func refusal(
        _ path: RemotePath, _ problem: String, expected: String?, found: String? = nil, advice: String
    ) -> FileProblem {
        FileProblem(
            .refused, path: path.filePath(under: storage.root), problem, expected: expected, found: found,
            advice: advice)
    }
}
