import KeyedArchive
import SystemCalls
import TICDSCore

/// Finds shared external data of a document that no whole store names any more.
enum SharedBlobsJudge {
    private static let manifestName: RemoteName = "manifest.plist"

    static func findings(of document: RemoteName, _ context: VerificationContext) -> [Finding] {
        guard let snapshot = context.snapshot.document(document), snapshot.sharedExternalData.count > 0 else {
            return []
        }
        let folder = RemoteLayout.document(document).appending(RemoteLayout.wholeStore)
            .appending(RemoteLayout.sharedExternalData)
        guard let named = names(in: snapshot, context) else { return [] }
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
                .sharedBlobsOrphaned, at: folder, document: document, subject: example.text,
                expected: "a manifest that names each file",
                found: "\(orphans.count) of \(snapshot.sharedExternalData.count) files that none names",
                bytes: orphans.bytes)
        ]
    }

    /// All texts of all manifests; nil where there is none, or one of them cannot be read.
    private static func names(in document: DocumentSnapshot, _ context: VerificationContext) -> Set<String>? {
        let manifests = document.wholeStores.flatMap(\.storeFiles).filter { $0.path.last == manifestName }
        guard !manifests.isEmpty else { return nil }
        var names: Set<String> = []
        for manifest in manifests {
            let path = manifest.path.filePath(under: context.root)
            guard
                let bytes = try? context.vault.read(
                    context.storage, manifest.path, limit: PropertyListFile.sizeLimit),
                let value = try? PropertyListFile.value(of: bytes, path: path)
            else { return nil }
            add(value, to: &names, depth: 0)
        }
        return names
    }

    /// Texts at any depth that a manifest can have, keys included.
    private static func add(_ value: ArchivedValue, to names: inout Set<String>, depth: Int) {
        guard depth < 16 else { return }
        switch value {
        case .string(let text): names.insert(text)
        case .array(let members), .set(let members), .orderedSet(let members):
            for member in members { add(member, to: &names, depth: depth + 1) }
        case .dictionary(let pairs):
            for pair in pairs {
                add(pair.key, to: &names, depth: depth + 1)
                add(pair.value, to: &names, depth: depth + 1)
            }
        default: break
        }
    }
}
