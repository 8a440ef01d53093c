import CoreDataStore
import KeyedArchive
import SystemCalls

/// Where the external data of a whole store that is a folder lie: in that folder, and, for one fork, in the folder that
/// all clients of the document share (ticds-field-notes(7), 1).
struct ExternalDataFiles {
    /// Files beside the store, where it looks for them itself.
    private(set) var own: [RemotePath] = []
    /// Files of the shared folder that the manifest of the store names; all of them where no manifest can be read.
    private(set) var shared: [RemotePath] = []
    /// Files that the manifest names and that lie in neither.
    private(set) var missing: [String] = []
    /// The folder beside the store, else the shared one; nil where there is neither.
    private(set) var folder: RemotePath?

    /// - Parameters:
    ///   - store: the file in the folder.
    ///   - whole: `Documents/<document>/WholeStore/<client>/WholeStore.ticdsync`
    init(
        of store: RemotePath, in whole: RemotePath, _ storage: any RemoteStorage, _ keyring: RemoteKeyring
    ) throws(FileProblem) {
        var manifest: Set<String>?
        if let beside = WholeStoreFolder.externalData(of: store), try Self.isFolder(beside, storage) {
            folder = beside
            own = try Self.files(in: beside, storage)
            let list = beside.appending(ExternalDataManifest.name)
            if own.contains(list) {
                own.removeAll { $0 == list }
                manifest = try unlessInvalid { () throws(FileProblem) in
                    try ExternalDataManifest.names(list, in: storage, keyring: keyring)
                }
            }
        }
        // Document, WholeStore, client and store: a folder elsewhere shares nothing.
        let isUploaded =
            whole.names.count >= 4 && whole.parent.parent.last == RemoteLayout.wholeStore
        let common = whole.parent.parent.appending(RemoteLayout.sharedExternalData)
        let names = Set(own.compactMap { $0.last?.text })
        if isUploaded, try Self.isFolder(common, storage) {
            shared = try Self.files(in: common, storage).filter { file in
                guard let name = file.last, !name.isHidden, !names.contains(name.text) else { return false }
                return manifest?.contains(name.text) ?? true
            }
            if folder == nil, !shared.isEmpty { folder = common }
        }
        let found = names.union(shared.compactMap { $0.last?.text })
        missing = (manifest ?? []).subtracting(found).filter { ArchivedUUID(text: $0) != nil }.sorted()
    }

    /// What a reader of the store must know.
    var notes: [StoreNote] {
        guard let first = missing.first else { return [] }
        return [
            StoreNote(
                code: "externalDataMissing",
                text:
                    "\(counted(missing.count, "file")) of external data that the manifest names are neither beside the store nor in \(RemoteLayout.sharedExternalData), such as \(first)"
            )
        ]
    }

    private static func isFolder(
        _ path: RemotePath, _ storage: any RemoteStorage
    ) throws(FileProblem) -> Bool {
        try storage.statusIfPresent(of: path)?.kind == .folder
    }

    private static func files(
        in folder: RemotePath, _ storage: any RemoteStorage
    ) throws(FileProblem) -> [RemotePath] {
        try storage.list(folder).whole().filter { $0.kind == .file }.map { folder.appending($0.name) }
    }
}
