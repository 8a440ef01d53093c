import Base
import FoundationEssentials
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// The document of a replica, and the way it synchronises: `Replica.json` (`ticds.replica/1`), which users may edit.
public struct ReplicaConfiguration: Sendable, Hashable, Codable {
    /// Name and version of the form of the file.
    public static let schema = "ticds.replica/1"

    /// The framework's implementation in the other clients, which decides which names count (ticds-remote-format(5),
    /// 1.5).
    public enum Variant: String, Sendable, Hashable, Codable, CaseIterable {
        /// The implementations for local folders, for the Dropbox SDK, and for iCloud (ticds-remote-format(5), 1.1).
        case fileManager, dropbox, icloud
    }

    /// The reaction to a change set that cannot be applied completely.
    public enum BadSetChoice: String, Sendable, Hashable, Codable, CaseIterable {
        /// No set after it is applied.
        case stop
        /// The other sets are applied, and the next run tries it again.
        case skip
    }

    /// Name and version of the form; a file with a different form is refused.
    public var schema = Self.schema
    /// Path of the application folder, or its address in a storage.
    public var remote: String
    /// Identifier of the document.
    public var document: String
    /// Identifier of this client.
    public var client: String
    /// The description of this client for people.
    public var description: String
    /// The implementation of the other clients.
    public var variant: Variant
    /// The policy for conflicts.
    public var conflicts: ConflictPolicy
    /// The reaction to a set that cannot be applied.
    public var onBadSet: BadSetChoice
    /// Whether the remote is encrypted; nil if no run has determined it yet. ticds never takes a `true` back: a remote
    /// that is unencrypted again was either decrypted, which the user knows, or has lost its salt to an attacker.
    public var encrypted: Bool?

    /// A configuration; by default the other clients count as File Manager variants, and a bad set stops the run.
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
    /// - Throws: `.damaged` if the file is not a configuration, `.unsupported` if it has a later version.
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

    /// Writes the file in one step; a process that reads it at the same time sees the old file or the new one.
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

/// The value that wins when an attribute was changed on this client and another one.
public struct ConflictPolicy: Sendable, Hashable, Codable {
    /// The decision about one conflict.
    public enum Choice: String, Sendable, Hashable, Codable, CaseIterable {
        /// The value of the other client, or the local value.
        case remote, local
        /// The value with the later timestamp; the remote value if a time is missing or both are equal.
        case newest
        /// The user decides.
        case ask
        /// The run stops, and nothing is changed.
        case fail
    }

    /// A choice for an entity, or for one attribute of it. Nil stands for all.
    public struct Rule: Sendable, Hashable, Codable {
        /// Name of the entity; nil for all.
        public var entity: String?
        /// Name of the attribute; nil for all.
        public var attribute: String?
        /// The decision.
        public var policy: Choice

        /// A rule for an entity, an attribute, both, or everything.
        public init(entity: String? = nil, attribute: String? = nil, policy: Choice) {
            self.entity = entity
            self.attribute = attribute
            self.policy = policy
        }
    }

    /// The choice if no rule matches.
    public var otherwise: Choice
    /// The rules, of which the first match counts.
    public var rules: [Rule]

    /// A policy that decides by the first of `rules` that matches, otherwise by `otherwise`.
    public init(otherwise: Choice = .remote, rules: [Rule] = []) {
        self.otherwise = otherwise
        self.rules = rules
    }

    /// The decision about an attribute, by the first rule that matches it.
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

    /// The replica in this folder; opens no file.
    public init(_ path: FilePath) { self.path = path }

    /// Remote, document, client and rules (``ReplicaConfiguration``).
    public var configuration: FilePath { path.appending("Replica.json") }
    /// The document, a Core Data SQLite store. The only file here that users may edit.
    public var store: FilePath { path.appending("Document.sqlite") }
    /// The data model, a file or a folder. It does not exist if the store has its own copy of the model.
    public var model: FilePath { path.appending("Model") }
    /// The store as the other clients know it, and the tables of `ReplicaDatabase`.
    public var state: FilePath { path.appending("ReplicaState.sqlite") }
    /// Locked with flock(2) while a command works on the replica.
    public var lock: FilePath { path.appending("lock") }

    /// Unsent edits.
    public var unsynchronized: FilePath { path.appending("UnsynchronizedSyncChanges.syncchg") }
    /// Edits that are being sent.
    public var beingSynchronized: FilePath { path.appending("SyncChangesBeingSynchronized.syncchg") }
    /// The register of sets that the store contains.
    public var applied: FilePath { path.appending("AppliedSyncChangeSets.ticdsync") }
    /// The register of sets that were fetched and not yet applied.
    public var unapplied: FilePath { path.appending("UnappliedSyncChangeSets.ticdsync") }
    /// The fetched sets, decrypted: `<identifier>.syncchg`.
    public var unappliedChanges: FilePath { path.appending("UnappliedSyncChanges") }
    /// A register for each transaction that is not closed: `<UUID>.unsavedticdsync`.
    public var unsavedApplied: FilePath { path.appending("UnsavedAppliedSyncChanges") }
    /// A folder that is created and left empty, as in the framework.
    public var unappliedCommands: FilePath { path.appending("UnappliedSyncCommands") }
    /// A folder with one file, whose name is the integrity key that the document had when the replica was created.
    public var integrityKey: FilePath { path.appending("IntegrityKey") }

    /// The suffix of the register of a transaction that is not closed.
    public static let unsavedSuffix = ".unsavedticdsync"

    /// The client's own recent-sync file.
    public func recentSync(of client: RemoteName) -> FilePath {
        path.pushing(FilePath(nameBytes: client.bytes + Array(RemoteLayout.recentSyncSuffix.utf8)))
    }
}
