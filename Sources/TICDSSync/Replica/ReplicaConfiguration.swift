import Base
import FoundationEssentials
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// What a replica is of, and how it synchronises: `Replica.json` (`ticds.replica/1`), for people to edit.
public struct ReplicaConfiguration: Sendable, Hashable, Codable {
    /// Name and version of the form of the file.
    public static let schema = "ticds.replica/1"

    /// The framework's implementation in the others, which decides what names count (ticds-remote-format(5), 1.5).
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
    /// Path of the application folder, or its address in a storage.
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

    /// By default the others are taken for the File Manager variant, and a bad set stops the run.
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
                found: configuration.schema, advice: "Use the version of ticds that made the replica")
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

/// Whose value counts when an attribute was changed here and elsewhere.
public struct ConflictPolicy: Sendable, Hashable, Codable {
    /// How one conflict is decided.
    public enum Choice: String, Sendable, Hashable, Codable, CaseIterable {
        /// The value of the other client, or the one from here.
        case remote, local
        /// The one whose change has the later time stamp; the remote one where a time is missing or they are equal.
        case newest
        /// A person decides.
        case ask
        /// The run stops, and nothing is changed.
        case fail
    }

    /// A choice for an entity, or for one attribute of it. Nil stands for any.
    public struct Rule: Sendable, Hashable, Codable {
        /// Name of the entity; nil for any.
        public var entity: String?
        /// Name of the attribute; nil for any.
        public var attribute: String?
        /// What is decided.
        public var policy: Choice

        /// A rule for an entity, an attribute, both, or everything.
        public init(entity: String? = nil, attribute: String? = nil, policy: Choice) {
            self.entity = entity
            self.attribute = attribute
            self.policy = policy
        }
    }

    /// Where no rule fits.
    public var otherwise: Choice
    /// The first that fits counts.
    public var rules: [Rule]

    /// Decides by the first of `rules` that fits, else by `otherwise`.
    public init(otherwise: Choice = .remote, rules: [Rule] = []) {
        self.otherwise = otherwise
        self.rules = rules
    }

    /// What is decided about an attribute: by the first rule that fits it.
    public func choice(entity: String, attribute: String) -> Choice {
        let rule = rules.first {
            ($0.entity == nil || $0.entity == entity) && ($0.attribute == nil || $0.attribute == attribute)
        }
        return rule?.policy ?? otherwise
    }
}

/// A replica: a document, and helper files under the framework's names (ticds-remote-format(5), 2).
public struct ReplicaFolder: Sendable, Hashable {
    /// The absolute path of the folder.
    public let path: FilePath

    /// The replica in that folder; no file is opened.
    public init(_ path: FilePath) { self.path = path }

    /// Remote, document, client and rules (``ReplicaConfiguration``).
    public var configuration: FilePath { path.appending("Replica.json") }
    /// The document, a Core Data SQLite store. The only file here that is meant to be edited.
    public var store: FilePath { path.appending("Document.sqlite") }
    /// The data model, a file or a folder. It does not exist if the store has its own copy of the model.
    public var model: FilePath { path.appending("Model") }
    /// The store as the other clients know it, and the tables of `ReplicaNotes`.
    public var state: FilePath { path.appending("ReplicaState.sqlite") }
    /// Locked with flock(2) while a command works on the replica.
    public var lock: FilePath { path.appending("lock") }

    /// Edits that are not sent yet.
    public var unsynchronized: FilePath { path.appending("UnsynchronizedSyncChanges.syncchg") }
    /// Edits that are being sent.
    public var beingSynchronized: FilePath { path.appending("SyncChangesBeingSynchronized.syncchg") }
    /// The register of sets that the store contains.
    public var applied: FilePath { path.appending("AppliedSyncChangeSets.ticdsync") }
    /// The register of sets that were fetched and not applied yet.
    public var unapplied: FilePath { path.appending("UnappliedSyncChangeSets.ticdsync") }
    /// Sets that were fetched, decrypted: `<identifier>.syncchg`.
    public var unappliedChanges: FilePath { path.appending("UnappliedSyncChanges") }
    /// A register for each transaction that is not closed: `<UUID>.unsavedticdsync`.
    public var unsavedApplied: FilePath { path.appending("UnsavedAppliedSyncChanges") }
    /// Created and left empty, as the framework does.
    public var unappliedCommands: FilePath { path.appending("UnappliedSyncCommands") }
    /// Contains one file, whose name is the integrity key that the document had when the replica was created.
    public var integrityKey: FilePath { path.appending("IntegrityKey") }

    /// The suffix of the register of a transaction that is not closed.
    public static let unsavedSuffix = ".unsavedticdsync"

    /// The client's own recent-sync file.
    public func recentSync(of client: RemoteName) -> FilePath {
        path.pushing(FilePath(nameBytes: client.bytes + Array(RemoteLayout.recentSyncSuffix.utf8)))
    }
}
