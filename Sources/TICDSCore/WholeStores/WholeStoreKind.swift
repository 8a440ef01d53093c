public import Base
public import SystemCalls
public import SystemPackage

/// The kind of a `WholeStore.ticdsync`, by its first bytes and never by its name (ticds-remote-format(5), 1.6).
public enum WholeStoreKind: String, Sendable, Hashable, CaseIterable {
    /// A Core Data SQLite store.
    case sqlite
    /// A Core Data binary store.
    case binary
    /// A store of Core Data's XML type (core-data-xml-store(5)), which only Macs have.
    case xml
    /// A zip with the store in it.
    case zip
    /// A folder with the store and its external data, as iCloud clients and one fork write it.
    case folder
    /// An empty file: left by a failed decryption, or not yet downloaded.
    case empty
    /// No known signature, in an encrypted remote.
    case encrypted
    /// No known signature, in a remote without encryption; or neither file nor folder.
    case unknown

    /// - Parameters:
    ///   - head: the first `PlainSignature.headSize` bytes of a file, fewer if it is shorter.
    ///   - kind: the kind of the entry in its folder.
    ///   - isEncrypted: whether the remote has a salt.
    public init(head: SharedBytes, kind: FileKind, isEncrypted: Bool) {
        guard kind == .file else {
            self = kind == .folder ? .folder : .unknown
            return
        }
        guard head.count > 0 else {
            self = .empty
            return
        }
        switch PlainSignature(head) {
        case .sqlite: self = .sqlite
        case .binaryStore: self = .binary
        case .zip: self = .zip
        case .xml: self = .xml
        case .binaryPropertyList: self = .unknown
        case nil: self = isEncrypted ? .encrypted : .unknown
        }
    }

    /// The kind of an unencrypted local file, such as one that was decrypted or extracted.
    public init(ofPlain path: FilePath) throws(FileProblem) {
        let head = try FileBytes.head(path, count: PlainSignature.headSize)
        self.init(head: head, kind: .file, isEncrypted: false)
    }

    /// Whether Core Data could open the file as it is.
    public var isStore: Bool { self == .sqlite || self == .binary || self == .xml }
}
