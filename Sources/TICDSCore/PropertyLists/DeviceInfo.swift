public import Base
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// The description of a client in `deviceInfo.plist` (ticds-remote-format(5), 1.4).
public struct DeviceInfo: Sendable, Hashable {
    /// The name given by the app, often the computer's name.
    public var description: String?
    /// The identifier: the name of the client's folder.
    public var identifier: String?
    /// Data that the app added; nil if it added none.
    public var userInfo: ArchivedValue?
    /// Pairs under keys that the framework does not write.
    public var others: [ArchivedPair] = []

    static let descriptionKey = "kTICDSClientDeviceDescription"
    static let identifierKey = "kTICDSClientDeviceIdentifier"
    static let userInfoKey = "kTICDSClientDeviceUserInfo"

    /// The description of a client.
    public init(description: String?, identifier: String?, userInfo: ArchivedValue? = nil) {
        self.description = description
        self.identifier = identifier
        self.userInfo = userInfo
    }

    /// Reads the plain bytes of a `deviceInfo.plist`, or of a copy among the deleted clients.
    public init(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) {
        let info = try InfoDictionary(PropertyListFile.value(of: bytes, path: path), path: path)
        description = info.string(Self.descriptionKey)
        identifier = info.string(Self.identifierKey)
        userInfo = info.value(Self.userInfoKey)
        others = info.pairs(without: [Self.descriptionKey, Self.identifierKey, Self.userInfoKey])
    }

    /// The plain bytes of the file, as XML. `path` is for errors: user info may contain values that no property list
    /// can.
    public func bytes(path: FilePath) throws(FileProblem) -> [UInt8] {
        var info = InfoDictionary()
        info.append(Self.descriptionKey, description.map(ArchivedValue.string))
        info.append(Self.identifierKey, identifier.map(ArchivedValue.string))
        info.append(Self.userInfoKey, userInfo)
        info.append(others)
        return try info.xml(path: path)
    }

    /// The texts that the framework writes into every file.
    package var identity: InfoIdentity {
        InfoIdentity(
            identifier: identifier, [(Self.descriptionKey, description), (Self.identifierKey, identifier)])
    }
}

/// The texts that the framework writes into every `deviceInfo.plist` and `documentInfo.plist`, and clients show.
package struct InfoIdentity: Sendable, Hashable {
    /// The identifier in the file.
    package let identifier: String?
    /// The keys without a text.
    package let missingKeys: [String]

    init(identifier: String?, _ texts: [(key: String, text: String?)]) {
        self.identifier = identifier
        missingKeys = texts.filter { $0.text == nil }.map(\.key)
    }
}
