import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Brings along the files of external data that a store refers to which was made from a whole store.
public enum ExternalDataCopy {
    /// Copies them beside `store`.
    /// - Returns: how many could not be found.
    public static func copy(
        _ names: Set<String>, of whole: WholeStoreSnapshot?, in document: DocumentSnapshot,
        _ storage: any RemoteStorage, beside store: FilePath
    ) throws(FileProblem) -> Int {
        guard !names.isEmpty, let whole, let file = whole.store else { return names.count }
        let support = StoreExtraction.support(store)
        let target = support.appending("_EXTERNAL_DATA")
        try NewFile.makeFolder(support)
        try NewFile.makeFolder(target)
        let folders = folders(of: file.path, document)
        var missing = 0
        for name in names.sorted() {
            var bytes: SharedBytes?
            for folder in folders where bytes == nil {
                bytes = try unlessMissing { () throws(FileProblem) in
                    try storage.read(folder.appending(RemoteName(name)), limit: .externalData)
                }
            }
            guard let bytes else {
                missing += 1
                continue
            }
            var copy = try FileWriter(FilePath(name), in: OwnedDescriptor.folder(target))
            try bytes.withUnsafeBytes { (bytes) throws(FileProblem) in try copy.append(bytes) }
            try copy.finish(modified: nil)
        }
        return missing
    }

    /// Where forms of whole stores keep such files: in the folder that is the store, beside a store that is a file,
    /// and in one folder for all clients.
    private static func folders(of store: RemotePath, _ document: DocumentSnapshot) -> [RemotePath] {
        let inside = WholeStoreFolder.externalData(of: store.appending(WholeStoreFolder.storeName))
        let shared = document.path.appending(RemoteLayout.wholeStore)
            .appending(RemoteLayout.sharedExternalData)
        return [inside, WholeStoreFolder.externalData(of: store)].compactMap { $0 } + [shared]
    }
}
