import KeyedArchive
public import SystemCalls
public import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a replica is a replica of, and how it synchronises: `Replica.json` (schema `ticds.replica/1`). Meant to be
/// edited by people.
public struct ReplicaConfiguration: Sendable, Hashable, Codable {
    /// Name and version of the form of the file.
    public static let schema = "ticds.replica/1"

    /// Which of the framework's implementations the other clients have. It decides which names count
    /// (ticds-remote-format(5), 1.5).
    public enum Variant: String, Sendable, Hashable, Codable, CaseIterable {
        /// For folders of the machine, for the Dropbox SDK, for iCloud (ticds-remote-format(5), 1.1).
        case fileManager, dropbox, icloud
    }

    /// What is done about a change set that cannot be applied whole.
    public enum BadSetChoice: String, Sendable, Hashable, Codable, CaseIterable {
        /// Nothing after it is applied.
        case stop
        /// The others are applied, and it is tried again at the next run.
        case skip
    }

    /// Name and version of the form; a file of another is refused.
    public var schema = Self.schema
    /// Path of the application folder.
    public var remote: String
    /// Identifier of the document.
    public var document: String
    /// Identifier of this client.
    public var client: String
    /// What people call this client.
    public var description: String
    /// Which implementation the others have.
    public var variant: Variant
    /// How conflicts are decided.
    public var conflicts: ConflictPolicy
    /// What is done about a set that cannot be applied.
    public var onBadSet: BadSetChoice
    /// Whether the remote is encrypted; nil where no run has found out yet. The program never takes a `true` back: a
    /// remote that is plain again has either been decrypted, which a person knows, or been robbed of its salt.
    public var encrypted: Bool?

    /// A configuration; others are taken for the File Manager variant, and a bad set stops the run, unless
    /// told otherwise.
    public init(
        remote: String, document: String, client: String, description: String,
        variant: Variant = .fileManager, conflicts: ConflictPolicy = ConflictPolicy(),
        onBadSet: BadSetChoice = .stop, encrypted: Bool? = nil
    ) {
        self.remote = remote
        self.document = document
        self.client = client
        self.description = description
        self.variant = variant
        self.conflicts = conflicts
        self.onBadSet = onBadSet
        self.encrypted = encrypted
    }

    /// Reads the file.
    /// - Throws: `.damaged` for what is no configuration, `.unsupported` for one of a later version.
    public static func read(_ path: FilePath) throws(FileProblem) -> Self {
        let bytes = try FileBytes.read(path, limit: .configuration).array
        let configuration: Self
        do {
            configuration = try JSONDecoder().decode(Self.self, from: Data(bytes))
        } catch {
            throw FileProblem(
                .damaged, path: path, "not the configuration of a replica", expected: schema,
                found: "\(error)", advice: "ticds-config(5) describes its contents")
        }
        guard configuration.schema == schema else {
            throw FileProblem(
                .unsupported, path: path, "a configuration of another kind or version", expected: schema,
                found: configuration.schema)
        }
        return configuration
    }

    /// Writes the file; whoever reads it meanwhile sees the old one or the new one.
    public func write(to path: FilePath) throws(FileProblem) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let bytes: [UInt8]
        do {
            bytes = Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
        } catch {
            throw FileProblem(.writeFailed, path: path, "cannot be written", found: "\(error)")
        }
        try AtomicFile.write(bytes, to: path)
    }
}
