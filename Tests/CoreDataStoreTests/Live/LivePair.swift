import Foundation
import KeyedArchive
import SystemPackage
import TestSupport

@testable import CoreDataStore

/// A store and its base in a private folder, edited with the sqlite3 program.
final class LivePair {
    let scratch: ScratchFolder
    let model: ManagedObjectModel
    let store: FilePath
    let base: FilePath

    /// A store with the objects that `fill` inserts, and an equal base.
    init(
        _ model: ManagedObjectModel = LivePair.library, _ fill: (WritableStore) throws -> Void
    ) throws {
        scratch = try ScratchFolder()
        self.model = model
        store = scratch.path.appending("Document.sqlite")
        base = scratch.path.appending("ReplicaState.sqlite")
        try SQLiteStoreWriter(creating: store, model: model).finish()
        let writable = try WritableStore(store, model: model, identifier: "ticdsSyncID")
        try fill(writable)
        try writable.finish()
        try FileManager.default.copyItem(atPath: store.string, toPath: base.string)
    }

    func open(lockWait: Double = 5) throws -> WritableStore {
        try WritableStore(
            live: store, base: base, model: model, identifier: "ticdsSyncID", lockWait: lockWait)
    }

    @discardableResult
    func sql(_ statements: String) throws -> String { try SQLiteShell.run(store, statements) }

    /// The Core Data tables of a file, as text.
    func dump(_ file: FilePath) throws -> String {
        try SQLiteShell.run(file, ".dump \"Z%\"").split(separator: "\n").sorted().joined(separator: "\n")
    }
}

extension LivePair {
    /// Inheritance, one-to-one, many-to-many, ordered relationships, relationships without inverse, and reflexive ones.
    static let library = ManagedObjectModel(entities: [
        entity(
            "Item", isAbstract: true,
            relationships: [
                relationship("folder", "Folder", inverse: "items"),
                relationship("tags", "Tag", inverse: "items", toMany: true),
            ]),
        entity(
            "Note", under: "Item", [AttributeDescription(name: "stars", type: .integer32)],
            relationships: [relationship("cover", "Picture", inverse: "note", rule: .cascade)]),
        entity(
            "Task", under: "Item",
            [
                AttributeDescription(
                    name: "done", type: .boolean, isOptional: false, defaultValue: .boolean(false))
            ]),
        entity(
            "Folder",
            relationships: [
                relationship("items", "Item", inverse: "folder", toMany: true, ordered: true, rule: .cascade)
            ]),
        entity(
            "Tag",
            relationships: [relationship("items", "Item", inverse: "tags", toMany: true, ordered: true)]),
        entity("Picture", relationships: [relationship("note", "Note", inverse: "cover")]),
        entity(
            "Person",
            relationships: [
                relationship("friends", "Person", inverse: "friends", toMany: true),
                relationship("spouse", "Person", inverse: "spouse"),
                relationship("favourites", "Item", toMany: true),
            ]),
        entity(
            "Shelf",
            relationships: [relationship("books", "Book", inverse: "shelf", toMany: true, rule: .deny)]
        ),
        entity("Book", relationships: [relationship("shelf", "Shelf", inverse: "books")]),
    ])

    private static func entity(
        _ name: String, isAbstract: Bool = false, under parent: String? = nil,
        _ attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = []
    ) -> EntityDescription {
        var own = attributes
        if parent == nil {
            own += ["ticdsSyncID", "name"].map { AttributeDescription(name: $0, type: .string) }
        }
        return EntityDescription(
            name: name, isAbstract: isAbstract, superentity: parent, attributes: own,
            relationships: relationships)
    }

    private static func relationship(
        _ name: String, _ destination: String, inverse: String? = nil, toMany: Bool = false,
        ordered: Bool = false, rule: DeleteRule = .nullify
    ) -> RelationshipDescription {
        RelationshipDescription(
            name: name, destination: destination, inverse: inverse, maxCount: toMany ? 0 : 1,
            isOrdered: ordered, deleteRule: rule)
    }
}

extension WritableStore {
    /// Inserts an object; its sync ID is its name.
    @discardableResult
    func make(_ entity: String, _ name: String) throws -> StoreObjectID {
        try insert(
            entity,
            attributes: [
                ArchivedPair(key: .string("ticdsSyncID"), value: .string(name)),
                ArchivedPair(key: .string("name"), value: .string(name)),
            ],
            onRefusal: { _, _ in })
    }
}
