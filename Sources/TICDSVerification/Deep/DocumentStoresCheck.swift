import CoreDataStore
import SystemCalls
import TICDSCore

/// Compares the models of the whole stores of one document.
enum DocumentStoresCheck: DocumentCheck {
    /// A finding for each store whose version hashes differ from those of the latest. Unreadable stores have their own
    /// findings.
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

    private static func hashes(of file: RemoteFile, _ context: VerificationContext) -> [String: [UInt8]]? {
        context.attempt(file.path) { () throws(FileProblem) -> [String: [UInt8]]? in
            let store = try WholeStoreFile.open(file.path, in: context.storage, keyring: context.keyring)
            guard store.kind == .sqlite || file.size <= Int64(context.memoryLimit) else { return nil }
            let hashes = try PersistentStores.open(store.path, examines: false).metadata.versionHashes
            return hashes.isEmpty ? nil : hashes
        } ?? nil
    }

    /// The entities whose hashes differ, or that only one of the two stores has.
    private static func difference(_ one: [String: [UInt8]], _ other: [String: [UInt8]]) -> String {
        Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted().joined(separator: ", ")
    }
}

/// Finds files of shared external data that no whole store of the document names.
enum SharedBlobsCheck: DocumentCheck {
    static func findings(
        of document: DocumentSnapshot, _ context: VerificationContext, damaged: Set<RemotePath>
    ) -> [Finding] {
        guard document.sharedExternalData.count > 0 else { return [] }
        let folder = document.path.appending(RemoteLayout.wholeStore).appending(
            RemoteLayout.sharedExternalData)
        guard let named = names(in: document, context) else { return [] }
        var orphans = FileTotals()
        var example: RemoteName?
        context.snapshot.tree.forEachFile(below: folder) { file in
            guard let name = file.path.last, !name.isHidden, !named.contains(name.text) else { return }
            orphans.add(file.size)
            if example == nil { example = name }
        }
        guard let example else { return [] }
        return [
            context.finding(
                .sharedBlobsOrphaned, at: folder, document: document.identifier, subject: example.text,
                expected: "a manifest that names each file",
                found:
                    "\(orphans.count) of \(document.sharedExternalData.count) files that no manifest names",
                bytes: orphans.bytes)
        ]
    }

    /// The names in all manifests; nil if there is no manifest, or if one cannot be read.
    private static func names(in document: DocumentSnapshot, _ context: VerificationContext) -> Set<String>? {
        let manifests = document.wholeStores.flatMap(\.storeFiles).filter {
            $0.path.last == ExternalDataManifest.name
        }
        guard !manifests.isEmpty else { return nil }
        var names: Set<String> = []
        for manifest in manifests {
            let more = context.attempt(manifest.path) { () throws(FileProblem) in
                try ExternalDataManifest.names(manifest.path, in: context.storage, keyring: context.keyring)
            }
            guard let more else { return nil }
            names.formUnion(more)
        }
        return names
    }
}
