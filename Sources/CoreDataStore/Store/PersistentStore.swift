internal import KeyedArchive
import Base
public import SystemCalls
public import SystemPackage

/// A Core Data store of any type, opened for reading.
public protocol PersistentStore: Sendable {
    /// The path by which the file was opened.
    var path: FilePath { get }
    /// The metadata of Core Data and the app.
    var metadata: StoreMetadata { get }
    /// The model; nil if names and types come from the file alone.
    var model: ManagedObjectModel? { get }
    /// The notes for readers of the data.
    var notes: [StoreNote] { get }
    /// The reasons why a pass may miss objects without an error.
    var shortfalls: [FileProblem] { get }

    /// The number of objects of each entity that has any, by entity name.
    func objectCounts() throws(FileProblem) -> [EntityCount]

    /// Calls `body` with every object, or those of one entity, in the order of the store's entities and the primary
    /// key. Calls `onDamage` for an object that cannot be read, and continues if that returns.
    func forEachObject(
        entity: String?, onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem)

    /// Entities with objects that the model does not explain: it lacks an entity of that name, or declares it abstract.
    /// The objects have the name in the file.
    func unexplainedEntities() throws(FileProblem) -> [UnexplainedEntity]

    /// The parts of the objects of some entities that are not shown, such as columns that the model does not have.
    var gaps: [StoreGap] { get }

    /// Calls `onDamage` for rows that belong to no entity and therefore are not objects, and that may be objects of
    /// `entity`, if it is given. `forEachObject` calls it for them as well if it is called for all entities.
    func reportStrayRows(
        of entity: String?, _ onDamage: (FileProblem) throws(FileProblem) -> Void
    ) throws(FileProblem)

    /// The store with values of transformable attributes as they are in the file: the data of their transformers, see
    /// `ArchivedValue.transformed`. A binary store contains the objects themselves, and stays as it is.
    func withTransformedData() -> any PersistentStore
}

extension PersistentStore {
    /// None: a pass reports everything that it cannot read.
    public var shortfalls: [FileProblem] { [] }
    /// The store itself.
    public func withTransformedData() -> any PersistentStore { self }
    /// None: the objects are shown completely.
    public var gaps: [StoreGap] { [] }

    /// The problems of the objects of an entity, or of all entities: missing parts, and parts under names of the file.
    public func problems(of entity: String?) throws(FileProblem) -> [FileProblem] {
        try unexplainedEntities().filter { entity == nil || entity == $0.entity }.map { $0.problem(path) }
            + gaps.filter { gap in entity.map { gap.entities?.contains($0) != false } ?? true }.map(\.problem)
    }

    /// None: the model explains every object.
    public func unexplainedEntities() throws(FileProblem) -> [UnexplainedEntity] { [] }

    /// None: every row is an object.
    public func reportStrayRows(
        of entity: String?, _ onDamage: (FileProblem) throws(FileProblem) -> Void
    ) throws(FileProblem) {}

    /// Calls `onDamage` for all rows that belong to no entity.
    public func reportStrayRows(_ onDamage: (FileProblem) throws(FileProblem) -> Void) throws(FileProblem) {
        try reportStrayRows(of: nil, onDamage)
    }

    /// Calls `body` with every object; throws for the first object that cannot be read.
    public func forEachObject(
        entity: String? = nil, _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        try forEachObject(entity: entity, onDamage: { problem throws(FileProblem) in throw problem }, body)
    }
}

/// An entity with objects that the model does not explain.
public struct UnexplainedEntity: Sendable, Hashable {
    /// The name in the file.
    public var entity: String
    /// The number of its objects; nil if it is unknown.
    public var count: Int?
    /// Whether the model has the entity, but as an abstract one.
    public var isAbstract: Bool

    /// The warning about the objects.
    public func problem(_ path: FilePath) -> FileProblem {
        FileProblem(
            .damaged, path: path,
            isAbstract
                ? "objects of the entity “\(entity)”, which the model says is abstract"
                : "the model does not have the entity “\(entity)” of some objects",
            found: count.map { "\($0) objects, shown under that name" } ?? "objects, shown under that name",
            advice: isAbstract ? nil : "Names and types of its properties come from the file alone")
    }
}

/// A part of the file that the objects do not show.
public struct StoreGap: Sendable, Hashable {
    /// The names of the entities concerned; nil for all.
    public var entities: Set<String>?
    /// The missing part, and the reason.
    public var problem: FileProblem
}

/// The number of objects of an entity, without those of subentities.
public struct EntityCount: Sendable, Hashable {
    /// The name of the entity.
    public var entity: String
    /// The number of objects.
    public var count: Int
}

/// A fact that readers of a store's data should know.
public struct StoreNote: Sendable, Hashable {
    /// A stable code for scripts: "walMissing", "modelMismatch" and so on.
    public var code: String
    /// The text for people: one sentence without a full stop.
    public var text: String

    /// A note with a stable code.
    public init(code: String, text: String) {
        self.code = code
        self.text = text.shortened(to: 600)
    }
}

/// The treatment of a model whose version hashes differ from those of the store.
public enum ModelMismatch: Sendable {
    /// Refuse to open the store, since entities and properties could be misread.
    case refuse
    /// Read the entities and properties that the model has, and add a note.
    case accept
}

/// The model of a store, and notes about the choice.
package struct ModelChoice {
    var model: ManagedObjectModel?
    package var notes: [StoreNote] = []
}

extension ModelChoice {
    /// A given model, if its version hashes match. A store without version hashes matches any model.
    package init(
        _ model: ManagedObjectModel, _ mismatch: ModelMismatch, of metadata: StoreMetadata, at path: FilePath
    ) throws(FileProblem) {
        self.init(model: model)
        let comparison = VersionHashComparison(model: model, storeHashes: metadata.versionHashes)
        if metadata.versionHashes.isEmpty {
            let text = "the store has no version hashes: whether the model fits is not known"
            if metadata.all != .none { notes = [StoreNote(code: "hashesMissing", text: text)] }
            return
        }
        if comparison.fits { return }
        if comparison.mayFit {
            let text = "it is not known whether the model fits: \(comparison.unknown(in: model))"
            notes = [StoreNote(code: "modelUnproven", text: text)]
            return
        }
        let shown = comparison.differences
        guard mismatch == .accept else {
            throw FileProblem(
                .refused, path: path, "the model is not the one that the store was saved with",
                expected: "the same version hashes", found: shown,
                advice: "Give the version of the model that the store was saved with, or none")
        }
        let text = "the model is not the one that the store was saved with: \(shown)"
        notes = [StoreNote(code: "modelMismatch", text: text)]
    }
}

extension ModelChoice {
    /// Refuses a model that differs from the tables and not all of whose hashes can be computed.
    func refuseUnproven(
        _ model: ManagedObjectModel, _ metadata: StoreMetadata, _ difference: String, at path: FilePath
    ) throws(FileProblem) {
        guard notes.contains(where: { $0.code == "modelUnproven" }) else { return }
        let comparison = VersionHashComparison(model: model, storeHashes: metadata.versionHashes)
        throw FileProblem(
            .refused, path: path, "the model is not the one that the store was saved with",
            expected: "tables of the model, since hashes are not known: \(comparison.unknown(in: model))",
            found: difference,
            advice:
                "Give the version of the model that the store was saved with, or none; --accept-mismatch uses "
                + "this one")
    }
}

extension ManagedObjectModel {
    /// A note about the properties that the reader of the model omitted; nil if there are none.
    package var unreadNote: StoreNote? {
        let unread = entities.flatMap { entity in
            entity.unreadProperties.map { "\(entity.name).\($0.name) (\($0.problem))" }
        }
        guard !unread.isEmpty else { return nil }
        return StoreNote(
            code: "modelIncomplete",
            text: "properties of the model cannot be read, and are left out: \(unread.listed())")
    }
}
