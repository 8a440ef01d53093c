public import SystemPackage

/// The maximum size of a file of some kind. Every read of a whole file names a limit, since a sparse file of any size
/// can be made in an instant: 4 GB would fill the memory, and 8 EiB would take centuries to read piece by piece.
public struct ReadLimit: Sendable, Hashable {
    /// The maximum in bytes.
    public let bytes: Int
    /// The kind of file in messages, such as "change set".
    public let kind: String

    /// A limit for a kind of file.
    public init(_ bytes: Int, _ kind: String) {
        self.bytes = bytes
        self.kind = kind
    }

    /// The limit for property lists; those of the framework have a few hundred bytes.
    public static let propertyList = ReadLimit(64 << 20, "property list")
    /// The limit for a property list about one device or document, of which only a few keys are needed.
    public static let information = ReadLimit(1 << 20, "property list about a device or document")
    /// The limit for integrity keys; the framework writes some 350 bytes.
    public static let integrityKey = ReadLimit(1 << 20, "integrity key")
    /// The limit for the salt; the framework writes 16 bytes.
    public static let salt = ReadLimit(1 << 20, "salt")
    /// The limit for the test file; that of the framework has some 80 bytes.
    public static let encryptionTest = ReadLimit(64 << 20, "file to try the password on")
    /// The limit for change sets, which every client reads into memory, even a telephone.
    public static let changeSet = ReadLimit(512 << 20, "change set")
    /// The limit for binary stores, which Core Data also reads into memory as a whole.
    public static let binaryStore = ReadLimit(1 << 30, "binary store")
    /// The limit for XML stores, which Core Data also reads into memory as a whole.
    public static let xmlStore = ReadLimit(512 << 20, "XML store")
    /// The limit for a value that Core Data stores in a separate file, which it reads as a whole with its object.
    public static let externalData = ReadLimit(1 << 30, "file of external data")
    /// The limit for a file that is encrypted or decrypted as a whole.
    public static let recodedFile = ReadLimit(1 << 30, "file that a repair encrypts")

    /// The limit for a file that is copied, archived or recoded piece by piece, and for an archive to import.
    public static let anyFile = ReadLimit(1 << 40, "file of a remote")

    /// The limit for compiled models, and models in the form of Xcode.
    public static let model = ReadLimit(64 << 20, "data model")
    /// The limit for a file with a path or a few lines.
    public static let note = ReadLimit(1 << 16, "note about a remote")
    /// The limit for files that users write, and the settings of a replica.
    public static let configuration = ReadLimit(1 << 20, "configuration")
    /// The limit for a page of the manual.
    public static let manualPage = ReadLimit(4 << 20, "manual page")
    /// The limit for registers: some ten million lines.
    public static let register = ReadLimit(1 << 30, "register of change sets")
    /// The limit for plans: some two million actions.
    public static let plan = ReadLimit(1 << 30, "saved plan")
    /// The limit for state files: some million files.
    public static let archiveMarks = ReadLimit(1 << 30, "file of the cache")
    /// The limit for state files.
    public static let verificationState = ReadLimit(1 << 30, "state file of ticds-verify")

    /// Throws `.limit` if a file of `size` bytes is larger.
    public func check(_ size: Int64, _ path: @autoclosure () -> FilePath) throws(FileProblem) {
        guard size > bytes else { return }
        throw FileProblem(
            .limit, path: path(), "is larger than any real \(kind), and was not read",
            expected: "at most \(bytes) bytes", found: "\(size) bytes",
            advice: "Find out what it is; the program can read an intact copy in its place")
    }
}
