import KeyedArchive
public import SystemCalls

/// A whole store that a client uploaded.
public struct WholeStoreReport: Sendable {
    /// Identifier of the client that uploaded it.
    public var client: RemoteName
    /// `Documents/<document>/WholeStore/<client>`
    public var path: RemotePath
    /// nil where the store is missing or could not be read.
    public var kind: WholeStoreKind?
    /// True for a folder of a client without a store in it.
    public var isMissing: Bool
    /// Bytes; of the folder form, of all its files.
    public var size: Int64
    /// The framework takes it for the time of the upload; it is that of the app's last write.
    public var modified: FileTime?
    /// Plain files: 1, or those of the folder form.
    public var files: Int
    /// Bytes of the register beside it; nil where there is none.
    public var registerSize: Int64?
    /// Modification time of the register; nil where there is none.
    public var registerModified: FileTime?

    init(_ store: WholeStoreSnapshot, isEncrypted: Bool, reader: inout ReportReader) {
        client = store.client
        path = store.path
        size = store.store?.size ?? 0
        modified = store.store?.modified
        files = store.isFolder ? store.storeFiles.count : store.store == nil ? 0 : 1
        registerSize = store.register?.size
        registerModified = store.register?.modified
        isMissing = store.store == nil
        kind = Self.kind(of: store, isEncrypted: isEncrypted, reader: &reader)
    }

    private static func kind(
        of store: WholeStoreSnapshot, isEncrypted: Bool, reader: inout ReportReader
    ) -> WholeStoreKind? {
        guard let file = store.store else { return nil }
        if store.isFolder { return .folder }
        return reader.head(file, count: PlainSignature.headSize).map {
            WholeStoreKind(head: $0, kind: .file, isEncrypted: isEncrypted)
        }
    }
}
