public import CoreDataStore
public import SystemCalls
public import SystemPackage

/// A whole store made readable: decrypted and extracted if necessary, into a file without a name (or, with external
/// data, into a private folder) that exists as long as this value. The remote is never written.
public struct WholeStoreFile: Sendable {
    /// A local file from which a persistent store can be opened.
    public internal(set) var path: FilePath = "-"
    /// The kind of the store itself: `.sqlite`, `.binary` or `.xml`.
    public internal(set) var kind = WholeStoreKind.unknown
    /// The layers from the outside in, for example `[.encrypted, .zip, .sqlite]`.
    public internal(set) var layers: [WholeStoreKind] = []
    /// The name of the store in its zip, as bytes; clients use the name of their own store file.
    public internal(set) var memberName: [UInt8]?
    /// The folder of external binary data beside the store, or the shared folder of all clients; nil if there is
    /// neither.
    public internal(set) var externalData: RemotePath?
    /// The time of the last write to the file that is or contains the store.
    public internal(set) var modified = FileTime(seconds: 0)
    /// The notes for readers about the form of the store.
    public internal(set) var notes: [StoreNote] = []
    /// Files of external data that could not be read: a reader opens the store with these gaps.
    public internal(set) var gaps = ExternalDataGaps()
    var folder: TemporaryFolder?
    /// The file with the store if it was decrypted or unzipped.
    var unnamed: UnnamedFile?

    /// Whether the store is in a private copy and not in the remote.
    public var isCopy: Bool { folder != nil || unnamed != nil }

    /// Opens the `WholeStore.ticdsync` at `path` of a remote.
    /// - Throws: `.encrypted` and `.wrongPassword` as the keyring does; `.damaged` for an empty file, a zip without a
    ///   store, or bytes that are not a store; `.ambiguous` if several stores are in one zip or folder.
    public static func open(
        _ path: RemotePath, in storage: any RemoteStorage, keyring: RemoteKeyring,
        limits: ZipFile.Limits = .init()
    ) throws(FileProblem) -> WholeStoreFile {
        var opener = WholeStoreOpener(storage: storage, keyring: keyring, limits: limits)
        return try opener.open(path)
    }
}
