public import SystemPackage

/// The most bytes that a file of a kind has, for those who read it whole. Every such read names one: a sparse file of 4 GB
/// is made in an instant, and its content would take as much memory; one of 8 EiB would be read for centuries, piece by
/// piece.
public struct ReadLimit: Sendable, Hashable {
    /// The limit itself.
    public let bytes: Int
    /// What the file is, for messages: "change set".
    public let kind: String

    /// A limit of one's own for a kind of file.
    public init(_ bytes: Int, _ kind: String) {
        self.bytes = bytes
        self.kind = kind
    }

    // MARK: Files of remotes

    /// The framework's have a few hundred bytes.
    public static let propertyList = ReadLimit(64 << 20, "property list")
    /// Property lists about one device or document, where nobody needs what else may be in them.
    public static let information = ReadLimit(1 << 20, "property list about a device or document")
    /// The framework's have some 350 bytes.
    public static let integrityKey = ReadLimit(1 << 20, "integrity key")
    /// The framework writes 16 bytes.
    public static let salt = ReadLimit(1 << 20, "salt")
    /// The framework's test file has some 80 bytes.
    public static let encryptionTest = ReadLimit(64 << 20, "file to try the password on")
    /// Whoever synchronises reads change sets whole, on a telephone, too.
    public static let changeSet = ReadLimit(512 << 20, "change set")
    /// Core Data reads binary stores whole, too.
    public static let binaryStore = ReadLimit(1 << 30, "binary store")
    /// A value that Core Data keeps in a file of its own is read whole with its object.
    public static let externalData = ReadLimit(1 << 30, "file of external data")
    /// What is encrypted or decrypted again as a whole.
    public static let recodedFile = ReadLimit(1 << 30, "file that a repair encrypts")

    /// What is copied, archived, encrypted or decrypted piece by piece. An import takes no more for a whole archive.
    public static let anyFile = ReadLimit(1 << 40, "file of a remote")

    // MARK: Files of this machine

    /// Compiled models, and models of Xcode.
    public static let model = ReadLimit(64 << 20, "data model")
    /// A path, or a note of a few lines.
    public static let note = ReadLimit(1 << 16, "note about a remote")
    /// Files that people write, or that tell how a replica is set up.
    public static let configuration = ReadLimit(1 << 20, "configuration")
    /// Some ten million lines.
    public static let register = ReadLimit(1 << 30, "register of change sets")
    /// Some two million actions.
    public static let plan = ReadLimit(1 << 30, "saved plan")
    /// Some million files.
    public static let verificationState = ReadLimit(1 << 30, "state file of ticds-verify")

    /// - Throws: `.limit` for a file of `size` bytes that is larger.
    public func check(_ size: Int64, _ path: @autoclosure () -> FilePath) throws(FileProblem) {
        guard size > bytes else { return }
        throw FileProblem(
            .limit, path: path(), "is larger than any real \(kind), and was not read",
            expected: "at most \(bytes) bytes", found: "\(size) bytes",
            advice: "Find out what it is; the program can read a sound copy in its place")
    }
}
