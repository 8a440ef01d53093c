public import CoreDataStore
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A line of a register: a change set that a client has applied, or has not applied yet (ticds-remote-format(5), 3.4).
/// In the framework's model, every attribute is optional.
public struct RegisteredChangeSet: Sendable, Hashable {
    /// Identifier of the change set.
    public var identifier: String?
    /// The identifier with the extension `syncchg`.
    public var fileName: String?
    /// The client whose change set it is.
    public var clientIdentifier: String?
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public var creationDate: Double?
    /// Seconds since 2001-01-01 00:00:00 UTC.
    public var localDateOfApplication: Double?

    /// A line of a register; times are in seconds since 2001-01-01 00:00:00 UTC.
    public init(
        identifier: String?, fileName: String? = nil, clientIdentifier: String? = nil,
        creationDate: Double? = nil,
        localDateOfApplication: Double? = nil
    ) {
        self.identifier = identifier
        self.fileName = fileName
        self.clientIdentifier = clientIdentifier
        self.creationDate = creationDate
        self.localDateOfApplication = localDateOfApplication
    }
}

/// A register of change sets: `AppliedSyncChangeSets.ticdsync`, `UnappliedSyncChangeSets.ticdsync` or
/// `*.unsavedticdsync` (core-data-sqlite-store(5), 8).
///
/// The register of an app whose models were merged has further entities, other numbers and other hashes. Only the
/// entity of the framework counts.
public struct ChangeSetRegister: Sendable {
    private let store: SQLiteStore
    /// Keeps the private copy that the store may be.
    private let file: FileOnDisk

    /// The metadata of the register's store.
    public var metadata: StoreMetadata { store.metadata }
    /// Notes about the store, without the one about a model with more entities than the framework's own.
    public let notes: [StoreNote]

    /// Opens a register without changing its folder. Also reads a write-ahead log beside it.
    public init(_ path: FilePath) throws(FileProblem) {
        try self.init(FileOnDisk(path))
    }

    /// Opens a register that is a file of a storage.
    public init(_ file: FileOnDisk) throws(FileProblem) {
        self.file = file
        do throws(FileProblem) {
            store = try SQLiteStore(file.path, model: FrameworkModels.syncChangeSet, mismatch: .accept)
        } catch {
            throw file.visible(error)
        }
        if let problem = store.shortfalls.first { throw file.visible(problem) }
        let entity = FrameworkModels.syncChangeSetEntity
        let expected = FrameworkModels.syncChangeSet.versionHashes[entity]
        let isKnown = store.metadata.versionHashes[entity] == expected
        notes = store.notes.filter { $0.code != "modelMismatch" || !isKnown }
        guard store.hasEntity(entity) else {
            throw FileProblem(
                .unsupported, path: file.origin, "not a register of change sets",
                expected: "the entity \(entity)", found: store.entityNames.listed(),
                advice: "Name the AppliedSyncChangeSets.ticdsync of the store")
        }
    }

    /// Opens a register of a remote.
    /// - Throws: `.unsupported` if it is not a regular file; otherwise as for a path.
    package init(_ file: RemotePath, in storage: any RemoteStorage) throws(FileProblem) {
        guard try storage.status(of: file).kind == .file else {
            let path = file.filePath(under: storage.root)
            throw FileProblem(
                .unsupported, path: path, "the register is not a plain file",
                advice: "Move it out of the way, and restore the file from a back-up")
        }
        try self.init(storage.onDisk(file))
    }

    /// Calls `body` with every line, in the order in which they were entered. The error of a line that cannot be read
    /// goes to `onDamage`; if that returns, the others follow.
    public func forEachChangeSet(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (RegisteredChangeSet) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var columns: RegisterColumns?
        try forEachObject(onDamage) { (object) throws(FileProblem) in
            let known = columns.flatMap { $0.fit(object) ? $0 : nil } ?? RegisterColumns(object)
            columns = known
            try body(RegisteredChangeSet(object, known))
        }
    }

    /// Calls `body` for every line as `forEachChangeSet` does, but only with whether it has an identifier.
    public func forEachLine(
        onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (_ hasIdentifier: Bool) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        try forEachObject(onDamage) { (object) throws(FileProblem) in
            let identifier = object.attributes.last { $0.name == RegisteredChangeSet.identifierName }
            try body(identifier?.value.stringValue != nil)
        }
    }

    private func forEachObject(
        _ onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        defer { withExtendedLifetime(file) {} }
        do throws(FileProblem) {
            try store.forEachObject(
                entity: FrameworkModels.syncChangeSetEntity,
                onDamage: { problem throws(FileProblem) in try onDamage(file.visible(problem)) }, body)
        } catch {
            throw file.visible(error)
        }
    }

    /// Calls `body` with every line; throws the error of the first that cannot be read.
    public func forEachChangeSet(_ body: (RegisteredChangeSet) throws(FileProblem) -> Void)
        throws(FileProblem)
    {
        try forEachChangeSet(onDamage: { problem throws(FileProblem) in throw problem }, body)
    }
}

/// The positions of the attributes of a line among those of its object; nil for attributes that the store lacks. All
/// objects of one table have the same.
private struct RegisterColumns {
    private let names: [String]
    let identifier, fileName, clientIdentifier, creationDate, localDateOfApplication: Int?

    init(_ object: StoredObject) {
        names = object.attributes.map(\.name)
        func position(_ name: String) -> Int? { object.attributes.lastIndex { $0.name == name } }
        identifier = position(RegisteredChangeSet.identifierName)
        fileName = position("fileName")
        clientIdentifier = position("clientIdentifier")
        creationDate = position("creationDate")
        localDateOfApplication = position("localDateOfApplication")
    }

    /// Whether an object has these attributes in this order. Equal names share their memory, which is compared first.
    func fit(_ object: StoredObject) -> Bool {
        names.count == object.attributes.count
            && names.indices.allSatisfy { names[$0] == object.attributes[$0].name }
    }
}

extension RegisteredChangeSet {
    fileprivate static let identifierName = "syncChangeSetIdentifier"

    fileprivate init(_ object: StoredObject, _ columns: RegisterColumns) {
        func value(_ position: Int?) -> ArchivedValue? { position.map { object.attributes[$0].value } }
        self.init(
            identifier: value(columns.identifier)?.stringValue,
            fileName: value(columns.fileName)?.stringValue,
            clientIdentifier: value(columns.clientIdentifier)?.stringValue,
            creationDate: value(columns.creationDate)?.dateValue,
            localDateOfApplication: value(columns.localDateOfApplication)?.dateValue)
    }
}

/// Writes a register of change sets as framework 419 does (core-data-sqlite-store(5), 8).
public enum ChangeSetRegisterWriter {
    /// Makes the file `path`, which must not exist, with the lines in the order given.
    public static func write(
        _ changeSets: some Sequence<RegisteredChangeSet>, to path: FilePath, uuid: ArchivedUUID = .random()
    ) throws(FileProblem) {
        var writer = try SQLiteStoreWriter(creating: path, model: FrameworkModels.syncChangeSet, uuid: uuid)
        var primaryKey: Int64 = 0
        for changeSet in changeSets {
            primaryKey += 1
            try writer.insert(
                StoredObject(
                    entity: FrameworkModels.syncChangeSetEntity, primaryKey: primaryKey,
                    attributes: attributes(of: changeSet), relationships: []))
        }
        try writer.finish()
    }

    package static func attributes(of changeSet: RegisteredChangeSet) -> [StoredAttribute] {
        func text(_ name: String, _ value: String?) -> StoredAttribute {
            StoredAttribute(name: name, value: value.map { .string($0) } ?? .none)
        }
        func date(_ name: String, _ value: Double?) -> StoredAttribute {
            StoredAttribute(name: name, value: value.map { .date($0) } ?? .none)
        }
        return [
            text("syncChangeSetIdentifier", changeSet.identifier), text("fileName", changeSet.fileName),
            text("clientIdentifier", changeSet.clientIdentifier),
            date("creationDate", changeSet.creationDate),
            date("localDateOfApplication", changeSet.localDateOfApplication),
        ]
    }
}
