public import CoreDataStore
public import SystemCalls
public import SystemPackage

/// A whole store made readable: decrypted and extracted where it has to be, into a file without a name (or, with
/// external data, into a private folder) that lives as long as this value. The remote is never written.
public struct WholeStoreFile: Sendable {
    /// A file of this machine that a persistent store can be opened from.
    public internal(set) var path: FilePath = "-"
    /// What the store itself is: `.sqlite`, `.binary` or `.xml`.
    public internal(set) var kind = WholeStoreKind.unknown
    /// What was found from the outside in: `[.encrypted, .zip, .sqlite]`, say.
    public internal(set) var layers: [WholeStoreKind] = []
    /// The name of the store in its zip, as bytes; clients name it like their own store file.
    public internal(set) var memberName: [UInt8]?
    /// The folder of external binary data beside the store, or that of all clients; nil where there is none.
    public internal(set) var externalData: RemotePath?
    /// When the file that is or holds the store was written last.
    public internal(set) var modified = FileTime(seconds: 0)
    /// What a reader must know of the form of the store.
    public internal(set) var notes: [StoreNote] = []
    /// Files of external data that could not be read: a reader opens the store with these.
    public internal(set) var gaps = ExternalDataGaps()
    var folder: TemporaryFolder?
    /// Holds the store where it was decrypted or unzipped.
    var unnamed: UnnamedFile?

    /// True where the store lies in a private copy and not in the remote.
    public var isCopy: Bool { folder != nil || unnamed != nil }

    /// Opens the `WholeStore.ticdsync` at `path` of a remote.
    /// - Throws: `.encrypted` and `.wrongPassword` as the keyring does; `.damaged` for an empty file, a zip without a
    ///   store, or bytes that are no store; `.ambiguous` where several stores lie in one zip or folder.
    public static func open(
        _ path: RemotePath, in storage: any RemoteStorage, keyring: RemoteKeyring,
        limits: ZipFile.Limits = .init()
    ) throws(FileProblem) -> WholeStoreFile {
        var opener = WholeStoreOpener(storage: storage, keyring: keyring, limits: limits)
        return try opener.open(path)
    }
}
