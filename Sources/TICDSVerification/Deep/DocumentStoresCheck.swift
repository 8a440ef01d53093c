import CoreDataStore
import SystemCalls
import TICDSCore

/// Compares the models of the whole stores of one document.
enum DocumentStoresCheck: DocumentCheck {
    /// A finding for each store whose version hashes differ from those of the latest store. Stores that cannot be opened
    /// have findings of their own.
    static func findings(
        of document: DocumentSnapshot, _ context: VerificationContext, damaged: Set<RemotePath>
    ) -> [Finding] {
        guard document.wholeStores.count > 1 else { return [] }
        var known: [(store: WholeStoreSnapshot, file: RemoteFile, hashes: [String: [UInt8]])] = []
        for store in document.wholeStores {
            guard let file = store.store, file.size > 0, let hashes = hashes(of: file, context) else {
                continue
            }
            known.append((store, file, hashes))
        }
        guard let latest = known.max(by: { $0.file.modified < $1.file.modified }) else { return [] }
        return known.filter { $0.hashes != latest.hashes }.map { other in
            context.finding(
                .storesDisagree, at: other.file.path, document: document.identifier,
                client: other.store.client,
                expected: "the hashes in the store of \(latest.store.client.text)",
                found: "other hashes of \(difference(other.hashes, latest.hashes))")
        }
    }

    private static func hashes(
        of file: RemoteFile, _ context: VerificationContext
    ) -> [String: [UInt8]]? {
        context.attempt(file.path) { () throws(FileProblem) in
            let store = try WholeStoreFile.open(file.path, in: context.storage, keyring: context.keyring)
            guard store.kind == .sqlite || file.size <= Int64(context.memoryLimit) else { return nil }
            let hashes = try PersistentStores.open(store.path).metadata.versionHashes
            return hashes.isEmpty ? nil : hashes
        } ?? nil
    }

    /// The entities whose hashes differ, or that only one of the two stores has.
    private static func difference(_ one: [String: [UInt8]], _ other: [String: [UInt8]]) -> String {
        Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted().joined(separator: ", ")
    }
}
