import Base
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// Writes a new store of any kind from objects, in any order.
///
/// An SQLite store is written object by object. A binary or XML store is a whole: its objects stay in memory until
/// `finish`, get primary keys that are unique in the store, and keep theirs where possible. Without `finish`, there is
/// no store; remove what is at the path.
public struct NewStore: ~Copyable {
    /// The kinds of stores.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A database, as ``SQLiteStoreWriter`` makes it, with the folder of external data for large values.
        case sqlite
        /// One keyed archive (core-data-binary-store(5)).
        case binary
        /// An XML document (core-data-xml-store(5)).
        case xml
    }

    /// The kind of the store.
    public let kind: Kind
    private let path: FilePath
    private let model: ManagedObjectModel
    private let metadata: NewStoreMetadata
    private var fitted: FittedObjects
    private var writer: SQLiteStoreWriter?
    private var graph: ObjectGraph
    private var count = 0

    /// Creates an SQLite store at `path`, where nothing must exist; the other kinds are created by `finish`.
    /// - Throws: `.refused` for a model with properties that the kind of store cannot contain, and for metadata of the
    ///   app that it cannot contain, see ``NewStoreMetadata/unwritableKeys(in:)``.
    public init(
        creating path: FilePath, kind: Kind, model: ManagedObjectModel, metadata: NewStoreMetadata
    ) throws(FileProblem) {
        if let key = metadata.unwritableKeys(in: kind).first {
            throw FileProblem(
                .refused, path: path, "metadata of the app cannot be written", found: key,
                advice: "Leave out this key")
        }
        if let problem = model.problem(of: kind) {
            throw FileProblem(
                .refused, path: path, "no store can be made for this model", found: problem,
                advice: "Use the model of the app, as it stands in its folder, or another kind of store")
        }
        if kind == .sqlite {
            var writer = try SQLiteStoreWriter(
                creating: path, model: model, uuid: metadata.identifier,
                frameworkVersion: metadata.frameworkVersion, appPairs: metadata.appPairs)
            writer.files = ExternalDataWriter(store: path)
            self.writer = consume writer
        } else {
            writer = nil
        }
        self.kind = kind
        self.path = path
        self.model = model
        self.metadata = metadata
        fitted = FittedObjects(kind, model, at: path)
        graph = ObjectGraph(model, at: path)
    }

    /// The lowest key above those of all objects with the root entity of `entity`.
    public func nextPrimaryKey(of entity: String) -> Int64 {
        if kind == .sqlite { return writer?.nextPrimaryKey(of: entity) ?? 1 }
        return graph.nextPrimaryKey
    }

    /// Inserts an object, whose key must be unique in its root entity. Attributes that it lacks get the default of the
    /// model.
    ///
    /// A relationship may be set on one side or on both; `finish` completes the other side. Destination objects may be
    /// inserted later.
    /// - Throws: `.refused` if the store cannot contain the object or one of its values. Nothing is inserted then.
    public mutating func insert(_ object: StoredObject) throws(FileProblem) {
        let path = path
        try insert(object) { loss throws(FileProblem) in
            if loss.kind.isLoss { throw loss.problem(path) }
        }
    }

    /// Inserts an object without the values that the store cannot contain, and calls `onLoss` for each of these. Nothing
    /// is inserted if `onLoss` throws.
    public mutating func insert(
        _ object: StoredObject, onLoss: (StoreLoss) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let object = try fitted.fit(object, onLoss: onLoss)
        if kind == .sqlite { try writer?.insert(object) } else { try graph.insert(object) }
        count += 1
    }

    /// Completes relationships and writes the rest of the file. Does not call fsync(2).
    public consuming func finish() throws(FileProblem) -> NewStoreResult {
        if var writer = writer.take() {
            var result = NewStoreResult(objects: count)
            try writer.dropReferences(&result)
            try writer.finish()
            return result
        }
        var graph = graph
        let (objects, result) = graph.finish()
        let bytes: [UInt8]
        do throws(PropertyListError) {
            bytes = try kind == .xml ? xml(objects) : binary(objects)
        } catch {
            throw FileProblem(
                .refused, path: path, "the store cannot be written", expected: error.expected,
                found: error.found, advice: "Choose another kind of store")
        }
        let limit = kind == .xml ? ReadLimit.xmlStore : .binaryStore
        guard bytes.count <= limit.bytes else {
            throw FileProblem(
                .limit, path: path, "the store would be larger than any program reads",
                expected: "at most \(limit.bytes) bytes", found: "\(bytes.count) bytes",
                advice: "Choose an SQLite store")
        }
        try NewFile.write(bytes, to: path)
        return result
    }

    private func binary(_ objects: [StoredObject]) throws(PropertyListError) -> [UInt8] {
        var all = StoreMetadata.binary(
            of: model, uuid: metadata.identifier, frameworkVersion: metadata.frameworkVersion)
        all.all = .dictionary((all.all.pairs ?? []) + metadata.appPairs)
        var writer = BinaryStoreWriter(metadata: all)
        var slots: [String: [BinaryStoreSlot]] = [:]
        for object in objects {
            let order = slots[object.entity] ?? model.slots(of: object.entity)
            slots[object.entity] = order
            let values = Dictionary(object.attributes.map { ($0.name, $0.value) }) { _, last in last }
            try writer.append(
                entity: object.entity, primaryKey: object.primaryKey,
                slots: order.map { slot in
                    slot.persistentAttribute.map { Self.archived(values[$0.name], $0.type) } ?? .null
                },
                related: object.relationships.map { relationship in
                    var isToMany = false
                    if case .toMany = relationship.target { isToMany = true }
                    return BinaryStoreWriter.Related(
                        name: relationship.name, keys: relationship.target.targetKeys, isToMany: isToMany)
                })
        }
        return try writer.finish()
    }

    /// Core Data archives the value of a Boolean attribute as 0 or 1. A value of a transformable one keeps its kind.
    private static func archived(_ value: ArchivedValue?, _ type: AttributeType) -> ArchivedValue {
        if type == .boolean, case .boolean(let flag) = value { return .integer(flag ? 1 : 0) }
        return value ?? .null
    }

    private func xml(_ objects: [StoredObject]) throws(PropertyListError) -> [UInt8] {
        let list = model.metadata(metadata.frameworkVersion, [], metadata.appPairs)
        var writer = XMLStoreWriter(
            metadata: StoreMetadata(list, uuid: metadata.identifier.description))
        for var object in objects {
            for index in object.attributes.indices {
                guard let data = object.attributes[index].value.transformedData else { continue }
                object.attributes[index].value = .data(data)
            }
            try writer.append(object, model: model)
        }
        return try writer.finish()
    }
}

/// The metadata of a new store that its model does not determine.
public struct NewStoreMetadata: Sendable, Hashable {
    /// The identifier of the store (NSStoreUUID).
    public var identifier: ArchivedUUID
    /// The metadata of the app.
    public var appPairs: [ArchivedPair]
    /// The Core Data version of the apparent writer; 419 is iOS 6.
    public var frameworkVersion: Int

    /// Metadata without any of an app.
    public init(
        identifier: ArchivedUUID = .random(), appPairs: [ArchivedPair] = [], frameworkVersion: Int = 419
    ) {
        self.identifier = identifier
        self.appPairs = appPairs
        self.frameworkVersion = frameworkVersion
    }

    /// The metadata of the app, and the identifier of another store; a random one if that store has none.
    public init(keeping other: StoreMetadata) {
        self.init(
            identifier: other.uuid.flatMap { ArchivedUUID(text: $0) } ?? .random(), appPairs: other.appPairs)
    }

    /// The keys of the app with values that a kind of store cannot contain, such as a date with a fraction of a second in
    /// an XML store.
    public func unwritableKeys(in kind: NewStore.Kind) -> [String] {
        appPairs.compactMap { pair in
            let list = ArchivedValue.dictionary([pair])
            let isWritable =
                switch kind {
                case .binary: KeyedArchiveWriter.canWrite(pair.value)
                case .sqlite:
                    Self.isKept(list) { list throws(PropertyListError) in
                        try BinaryPropertyListWriter.bytes(of: list)
                    }
                case .xml:
                    Self.isKept(list) { list throws(PropertyListError) in
                        try XMLPropertyListWriter.bytes(of: list)
                    }
                }
            return isWritable ? nil : pair.key.stringValue ?? "\(pair.key)"
        }
    }

    /// Whether a list that is written is the same when it is read.
    private static func isKept(
        _ list: ArchivedValue, _ write: (ArchivedValue) throws(PropertyListError) -> [UInt8]
    ) -> Bool {
        do throws(PropertyListError) {
            return try PropertyList.value(of: SharedBytes(try write(list))) == list
        } catch {
            return false
        }
    }
}

extension ManagedObjectModel {
    /// The first property of the model that a new store of this kind cannot represent.
    func problem(of kind: NewStore.Kind) -> String? {
        if let problem = firstProblem { return problem }
        switch kind {
        case .sqlite: return problemOfWriting
        case .binary: return problemOfAttributes
        case .xml: return problemOfAttributes ?? problemOfCase
        }
    }

    /// The first two names that differ only in case, which an XML store does not keep.
    private var problemOfCase: String? {
        var entityNames: [String: String] = [:]
        for entity in entities {
            if let other = entityNames.updateValue(entity.name, forKey: entity.name.uppercased()) {
                return "the entities \(other) and \(entity.name) have the same name in an XML store"
            }
            var names: [String: String] = [:]
            for name in attributes(of: entity.name).map(\.name) + relationships(of: entity.name).map(\.name) {
                guard let other = names.updateValue(name, forKey: name.lowercased()) else { continue }
                return "\(entity.name).\(other) and \(name) have the same name in an XML store"
            }
        }
        return nil
    }
}
