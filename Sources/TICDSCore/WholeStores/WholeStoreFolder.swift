/// The form of a whole store that is a folder (ticds-field-notes(7), 1).
public enum WholeStoreFolder {
    /// What clients call the store in it.
    public static let storeName: RemoteName = "Data"

    /// False for hidden files, and for the companions of an SQLite store.
    public static func mayBeStore(_ name: RemoteName) -> Bool {
        !name.isHidden && !["-wal", "-shm", "-journal"].contains { name.removing(suffix: $0) != nil }
    }

    /// The folder of the external data of a store: `.<name without extension>_SUPPORT/_EXTERNAL_DATA` beside it
    /// (core-data-sqlite-store(5), 2.4).
    public static func externalData(of store: RemotePath) -> RemotePath? {
        guard let stem = store.last?.withoutExtension else { return nil }
        let support = RemoteName([UInt8(ascii: ".")] + stem.bytes).appending(suffix: "_SUPPORT")
        return store.parent.appending(support).appending("_EXTERNAL_DATA")
    }
}
