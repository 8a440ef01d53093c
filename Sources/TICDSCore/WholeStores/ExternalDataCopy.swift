import Base
public import SystemCalls
public import SystemPackage

/// Copies the files of external data for a store that was made from a whole store.
public enum ExternalDataCopy {
    /// The files that could not be copied.
    public struct Gaps: Sendable {
        /// The number of files that could not be found.
        public var missing = 0
        /// The errors of files that could not be read or decrypted.
        public var unread: [FileProblem] = []

        /// No gaps.
        public init() {}
    }

    /// Copies the files beside `store`, decrypted.
    public static func copy(
        _ names: Set<String>, of whole: WholeStoreSnapshot?, in document: DocumentSnapshot,
        _ storage: any RemoteStorage, _ keyring: RemoteKeyring, beside store: FilePath
    ) throws(FileProblem) -> Gaps {
        var gaps = Gaps()
        guard !names.isEmpty, let whole, let file = whole.store else {
            gaps.missing = names.count
            return gaps
        }
        let target = try StoreExtraction.makeExternalData(in: StoreExtraction.support(store))
        let folders = folders(of: file.path, document)
        for name in names.sorted() {
            let bytes: SharedBytes
            do throws(FileProblem) {
                guard let found = try read(RemoteName(name), in: folders, storage, keyring) else {
                    gaps.missing += 1
                    continue
                }
                bytes = found
            } catch {
                gaps.unread.append(error)
                continue
            }
            var copy = try FileWriter(FilePath(name), in: OwnedDescriptor.folder(target))
            try bytes.withUnsafeBytes { (bytes) throws(FileProblem) in try copy.append(bytes) }
            try copy.finish(modified: nil)
        }
        return gaps
    }

    /// The bytes of a file, from the first folder that has it; nil if none has.
    private static func read(
        _ name: RemoteName, in folders: [RemotePath], _ storage: any RemoteStorage, _ keyring: RemoteKeyring
    ) throws(FileProblem) -> SharedBytes? {
        for folder in folders {
            let file = folder.appending(name)
            let bytes = try unlessMissing { () throws(FileProblem) in
                try storage.read(file, limit: .externalData)
            }
            guard let bytes else { continue }
            // Unencrypted values may contain any bytes, also bytes that look encrypted.
            return keyring.isEncrypted
                ? try keyring.plainBytes(bytes, path: file.filePath(under: storage.root)) : bytes
        }
        return nil
    }

    /// The folders in which forms of whole stores keep such files: the folder that is the store, beside a store that is
    /// a file, and one folder for all clients.
    private static func folders(of store: RemotePath, _ document: DocumentSnapshot) -> [RemotePath] {
        let inside = WholeStoreFolder.externalData(of: store.appending(WholeStoreFolder.storeName))
        let shared = document.path.appending(RemoteLayout.wholeStore)
            .appending(RemoteLayout.sharedExternalData)
        return [inside, WholeStoreFolder.externalData(of: store)].compactMap { $0 } + [shared]
    }
}
