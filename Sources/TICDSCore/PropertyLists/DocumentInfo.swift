public import Base
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// The description of a document in `documentInfo.plist` (ticds-remote-format(5), 1.4).
public struct DocumentInfo: Sendable, Hashable {
    /// The identifier: the name of the document's folder.
    public var identifier: String?
    /// The name that the app shows.
    public var description: String?
    /// Data that the app added; nil if it added none.
    public var userInfo: ArchivedValue?
    /// The client that created the document.
    public var originalDeviceIdentifier: String?
    /// The description of that client when it created the document.
    public var originalDeviceDescription: String?
    /// Pairs under keys that the framework does not write.
    public var others: [ArchivedPair] = []

    static let identifierKey = "kTICDSDocumentIdentifier"
    static let descriptionKey = "kTICDSDocumentDescription"
    static let userInfoKey = "kTICDSDocumentUserInfo"
    static let originalDeviceIdentifierKey = "kTICDSOriginalDeviceIdentifier"
    static let originalDeviceDescriptionKey = "kTICDSOriginalDeviceDescription"

    /// The description of a document.
    public init(
        identifier: String?, description: String?, userInfo: ArchivedValue? = nil,
        originalDeviceIdentifier: String?, originalDeviceDescription: String?
    ) {
        self.identifier = identifier
        self.description = description
        self.userInfo = userInfo
        self.originalDeviceIdentifier = originalDeviceIdentifier
        self.originalDeviceDescription = originalDeviceDescription
    }

    /// Reads the plain bytes of a `documentInfo.plist`, or of a copy among the deleted documents.
    public init(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) {
        let info = try InfoDictionary(PropertyListFile.value(of: bytes, path: path), path: path)
        identifier = info.string(Self.identifierKey)
        description = info.string(Self.descriptionKey)
        userInfo = info.value(Self.userInfoKey)
        originalDeviceIdentifier = info.string(Self.originalDeviceIdentifierKey)
        originalDeviceDescription = info.string(Self.originalDeviceDescriptionKey)
        others = info.pairs(without: [
            Self.identifierKey, Self.descriptionKey, Self.userInfoKey, Self.originalDeviceIdentifierKey,
            Self.originalDeviceDescriptionKey,
        ])
    }

    /// The plain bytes of the file, as XML. `path` is for errors: user info may contain values that no property list
    /// can.
    public func bytes(path: FilePath) throws(FileProblem) -> [UInt8] {
        var info = InfoDictionary()
        info.append(Self.descriptionKey, description.map(ArchivedValue.string))
        info.append(Self.identifierKey, identifier.map(ArchivedValue.string))
        info.append(Self.userInfoKey, userInfo)
        info.append(Self.originalDeviceDescriptionKey, originalDeviceDescription.map(ArchivedValue.string))
        info.append(Self.originalDeviceIdentifierKey, originalDeviceIdentifier.map(ArchivedValue.string))
        info.append(others)
        return try info.xml(path: path)
    }

    /// The texts that the framework writes into every file.
    package var identity: InfoIdentity {
        InfoIdentity(
            identifier: identifier, [(Self.descriptionKey, description), (Self.identifierKey, identifier)])
    }
}
