import SystemCalls
import TICDSCore

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
