import KeyedArchive
public import SystemCalls

/// A whole store that a client uploaded.
public struct WholeStoreReport: Sendable {
    /// What a whole store is, told by its first bytes (ticoredatasync.md, 1.6).
    public enum Kind: String, Sendable, CaseIterable {
        case sqlite, binary, xml, zip
        /// The form of one fork, with `Data` and external blobs inside.
        case folder
        /// No known beginning, in a remote that is encrypted.
        case encrypted
        case empty, missing, unknown
        /// The file could not be read.
        case unreadable
    }

    public var client: RemoteName
    /// `Documents/<document>/WholeStore/<client>`
    public var path: RemotePath
    public var kind: Kind
    /// Bytes; of the folder form, of all its files.
    public var size: Int64
    /// The framework takes it for the time of the upload; it is that of the app's last write.
    public var modified: FileTime?
    /// Plain files: 1, or those of the folder form.
    public var files: Int
    public var registerSize: Int64?
    public var registerModified: FileTime?

    init(_ store: WholeStoreSnapshot, isEncrypted: Bool, reader: inout ReportReader) {
        client = store.client
        path = store.path
        size = store.store?.size ?? 0
        modified = store.store?.modified
        files = store.isFolder ? store.storeFiles.count : store.store == nil ? 0 : 1
        registerSize = store.register?.size
        registerModified = store.register?.modified
        kind = Self.kind(of: store, isEncrypted: isEncrypted, reader: &reader)
    }

    private static func kind(
        of store: WholeStoreSnapshot, isEncrypted: Bool, reader: inout ReportReader
    ) -> Kind {
        guard let file = store.store else { return .missing }
        if store.isFolder { return .folder }
        if file.size == 0 { return .empty }
        guard let head = reader.head(file, count: PlainSignature.headSize) else { return .unreadable }
        switch PlainSignature(head) {
        case .sqlite: return .sqlite
        case .binaryStore: return .binary
        case .xml: return .xml
        case .zip: return .zip
        case .binaryPropertyList: return .unknown
        case nil: return isEncrypted ? .encrypted : .unknown
        }
    }
}
