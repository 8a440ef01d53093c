@testable import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSSync

/// The recording of edits, compared with the framework's own code and by the rules (ticds-remote-format(5), 3.3).
@Suite struct LocalEditTests {
    @Test(arguments: try OracleCase.files)
    func editsAreRecordedAsByTheFramework(_ file: FilePath) throws {
        for example in try OracleCase.all(in: file) where example.hasLocalEdits {
            let document = try EditedOracleCase(example)
            let changes = try document.recorded()
            #expect(changes.map(OracleCase.text).sorted() == example.expectedRemaining, "\(example.name)")
            for change in changes where change.key != nil && change.type != .attribute {
                let relationship = example.model.relationships(of: change.entity).first {
                    $0.name == change.key
                }
                #expect(change.relatedEntity == relationship?.destination)
            }
        }
    }

    private func edit(_ entity: String, _ identifier: String, _ kind: EditedObject.Kind) -> EditedObject {
        EditedObject(
            object: StoreObjectID(entity: 1, primaryKey: 1), entity: entity, identifier: identifier,
            kind: kind)
    }

    private func changes(_ edits: [EditedObject]) -> [String] {
        LocalEditRecorder.changes(edits, model: RandomHistory.model, now: 5).map(OracleCase.text)
    }

    /// A nil that the model's default would hide from other clients is recorded.
    @Test func nilInsteadOfADefault() {
        var new = edit("Folder", "F", .inserted)
        new.attributes = [StoredAttribute(name: "ticdsSyncID", value: .string("F"))]
        new.toOne = [EditedObject.Link(name: "parent", target: nil)]
        new.added = [EditedObject.Link(name: "things", target: "N")]
        #expect(
            changes([new]).map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == [
                "insert F [\"ticdsSyncID:string(\\\"F\\\")\",", "attribute F name", "toOne F parent",
            ])
        new.attributes.append(StoredAttribute(name: "name", value: .string("n")))
        #expect(changes([new]).count == 2)
    }

    /// Names in alphabetical order, the one side of one-to-many, and both ends of a relationship with itself.
    @Test func recordedSides() {
        var note = edit("Note", "N", .updated)
        note.attributes = [StoredAttribute(name: "title", value: .none)]
        note.toOne = ["folder", "author", "cover"].map { EditedObject.Link(name: $0, target: "X") }
        note.added = [EditedObject.Link(name: "tags", target: "T")]
        #expect(
            changes([note]).map { $0.split(separator: " ")[2] } == [
                "title", "folder", "author", "cover", "tags",
            ])
        var tag = edit("Tag", "T", .updated)
        tag.added = [
            EditedObject.Link(name: "things", target: "N"), EditedObject.Link(name: "like", target: "U"),
        ]
        tag.removed = [EditedObject.Link(name: "like", target: "V")]
        #expect(
            changes([tag]).map { $0.split(separator: " ").prefix(3) } == [
                ["addToMany", "T", "like"], ["removeFromMany", "T", "like"],
            ])
        var picture = edit("Picture", "P", .updated)
        picture.toOne = [EditedObject.Link(name: "note", target: "N")]
        #expect(changes([picture]) == [])
        let times = LocalEditRecorder.changes([note], model: RandomHistory.model, now: 800_000_000).map {
            $0.timestamp ?? 0
        }
        #expect(times == times.sorted() && Set(times).count == times.count && times[0] == 800_000_000)
    }

    /// Objects that other clients cannot find make a notice, one for each entity without sync IDs.
    @Test func withoutSyncIDs() {
        let model = ManagedObjectModel(entities: [
            EntityDescription(name: "Log", attributes: [AttributeDescription(name: "text", type: .string)]),
            EntityDescription(
                name: "Note", attributes: [AttributeDescription(name: "ticdsSyncID", type: .string)]),
        ])
        var notices: [SyncNotice] = []
        let edits = [edit("Log", "", .inserted), edit("Log", "", .deleted), edit("Note", "", .deleted)]
        let changes = LocalEditRecorder.changes(edits, model: model, now: 0) { notices.append($0) }
        #expect(changes == [])
        #expect(notices.map(\.entity) == ["Log", "Note"])
        #expect(notices.map(\.kind) == [.withoutSyncID, .withoutSyncID])
    }

    private func change(
        _ type: ChangeType, _ syncID: String, _ key: String? = nil, _ value: ArchivedValue = .none,
        to target: String? = nil, _ entity: String = "Note"
    ) -> SyncChange {
        SyncChange(
            type: type, entity: entity, objectSyncID: syncID, key: key, changedAttributes: value,
            changedRelationships: target.map { .string($0) } ?? .none, timestamp: 0)
    }

    private func merged(_ earlier: [SyncChange], _ later: [SyncChange]) -> [String] {
        LocalEditRecorder.merged(earlier, later).map(OracleCase.text)
    }

    @Test func merging() {
        func new(_ pairs: [String: ArchivedValue]) -> SyncChange {
            change(.insert, "A", nil, .dictionary(pairs.map { ArchivedPair(key: .string($0), value: $1) }))
        }
        let title = change(.attribute, "A", "title", .string("x"))
        let cleared = change(.attribute, "A", "title", .null)
        #expect(
            merged([new(["ticdsSyncID": .string("A")])], [title]) == [
                OracleCase.text(new(["ticdsSyncID": .string("A"), "title": .string("x")]))
            ])
        #expect(
            merged([new(["title": .string("o")])], [cleared]) == [new([:]), cleared].map(OracleCase.text))
        #expect(merged([cleared], [title]) == [OracleCase.text(title)])
        #expect(merged([new([:]), change(.toOne, "A", "folder", to: "F")], [change(.delete, "A")]) == [])
        let delete = change(.delete, "A")
        let letGo = change(.toOne, "A", "cover")
        #expect(merged([title], [letGo, delete]) == [letGo, delete].map(OracleCase.text))
        #expect(merged([letGo, delete], [new([:])]).last == OracleCase.text(new([:])))
        // An object that was released in the earlier round is out of reach of the deletion; its replacement has its own
        // changes.
        let other = change(.toOne, "A", "cover", to: "P")
        let left = change(.removeFromMany, "A", "tags", to: "T")
        let joined = change(.addToMany, "A", "tags", to: "U")
        #expect(
            merged([title, other, left, joined], [delete]) == [letGo, left, delete].map(OracleCase.text))
        let add = change(.addToMany, "T", "like", to: "U", "Tag")
        let remove = change(.removeFromMany, "T", "like", to: "U", "Tag")
        let third = change(.removeFromMany, "T", "like", to: "V", "Tag")
        #expect(merged([add], [remove]) == [])
        #expect(merged([add], [add, third]) == [add, third].map(OracleCase.text))
        let strange = SyncChange(type: .delete, entity: "Note", objectSyncID: nil, timestamp: 0)
        #expect(merged([strange], [strange]).count == 2)
    }
}

/// A document with the objects of a case, and with edits made by hand.
final class EditedOracleCase {
    private let folder: TemporaryFolder
    private let store: FilePath
    private let base: FilePath
    private let model: ManagedObjectModel
    private var objects: [String: StoreObjectID] = [:]

    init(_ example: OracleCase) throws {
        folder = try TemporaryFolder()
        store = folder.path.appending("Document.sqlite")
        base = folder.path.appending("ReplicaState.sqlite")
        model = example.model
        try SQLiteStoreWriter(creating: store, model: model).finish()
        try write { writable in
            for object in example.objects {
                objects[object.id] = try insert(object.entity, object.syncID, object.attributes, writable)
            }
            for object in example.objects {
                for (name, targets) in object.relationships {
                    for target in targets { try relate(object.id, name, target, writable, isAdded: true) }
                }
            }
        }
        try FileManager.default.copyItem(atPath: store.string, toPath: base.string)
        try write { writable in
            for edit in example.localEdits { try make(edit, writable) }
        }
    }

    private func write(_ body: (WritableStore) throws -> Void) throws {
        let writable = try WritableStore(store, model: model, identifier: SyncID.attribute)
        try body(writable)
        try writable.finish()
    }

    private func insert(
        _ entity: String, _ syncID: String?, _ attributes: [ArchivedPair], _ writable: WritableStore
    ) throws -> StoreObjectID {
        let identifier =
            syncID.map { [ArchivedPair(key: .string(SyncID.attribute), value: .string($0))] } ?? []
        return try writable.insert(entity, attributes: attributes + identifier) { name, problem in
            Issue.record("\(name): \(problem)")
        }
    }

    private func relate(
        _ id: String, _ name: String, _ target: String?, _ writable: WritableStore, isAdded: Bool
    ) throws {
        let object = try #require(objects[id])
        let target = target.flatMap { objects[$0] }
        let entity = writable.entityName(of: object) ?? ""
        guard writable.model.relationships(of: entity).contains(where: { $0.name == name && $0.isToMany })
        else {
            return try writable.setToOne(name, of: object, to: target)
        }
        guard let target else { return }
        if isAdded {
            try writable.add(target, to: name, of: object)
        } else {
            try writable.remove(target, from: name, of: object)
        }
    }

    private func make(_ edit: [String: Any], _ writable: WritableStore) throws {
        let id = edit["object"] as? String ?? ""
        let key = edit["key"] as? String ?? ""
        switch edit["op"] as? String {
        case "set":
            try writable.set(key, of: #require(objects[id]), to: OracleCase.value(edit["value"]))
        case "setToOne", "add": try relate(id, key, edit["value"] as? String, writable, isAdded: true)
        case "remove": try relate(id, key, edit["value"] as? String, writable, isAdded: false)
        case "insert":
            let pairs = (edit["attributes"] as? [String: Any] ?? [:]).map {
                ArchivedPair(key: .string($0.key), value: OracleCase.value($0.value))
            }
            objects[id] = try insert(
                edit["entity"] as? String ?? "", edit["syncID"] as? String, pairs, writable)
        case "delete": _ = try writable.delete([#require(objects[id])])
        default: break
        }
    }

    func recorded() throws -> [SyncChange] {
        let live = try WritableStore(live: store, base: base, model: model, identifier: SyncID.attribute)
        let edits = try live.edits { Issue.record("\($0)") }
        return LocalEditRecorder.changes(edits, model: model, now: 0)
    }
}
