import CoreDataStore
import KeyedArchive
import SystemCalls
import TICDSCore
import TICDSSync

/// The rules of ticds-protocol(7), 2.2 in their simplest form, for comparison.
struct PlainInterpreter {
    var document: PlainDocument
    /// Numbers of the framework's warnings, in order.
    var warnings: [Int] = []
    /// Deleted objects, which keep their relationships until the end, when the delete rules apply.
    private var deleted: [(object: Int, entity: String, syncID: String)] = []

    init(_ model: ManagedObjectModel) { document = PlainDocument(model) }

    mutating func apply(_ set: [SyncChange]) throws {
        let sorted = set.enumerated().sorted {
            ($0.element.type.number, $0.element.timestamp ?? 0, $0.offset)
                < ($1.element.type.number, $1.element.timestamp ?? 0, $1.offset)
        }
        func find(_ entity: String?, _ syncID: String?) -> Int? {
            guard let entity, let syncID, let found = try? document.object(entity, syncID: syncID) else {
                return nil
            }
            return deleted.contains { $0.object == found } ? nil : found
        }
        func ghosts(_ entity: String?, _ syncID: String?) -> [Int] {
            guard let entity, let syncID, let root = document.model.rootEntity(of: entity)?.name else {
                return []
            }
            return deleted.filter {
                $0.syncID == syncID && document.model.rootEntity(of: $0.entity)?.name == root
            }.map(\.object)
        }
        for change in sorted.map(\.element) {
            // The framework crashes at these changes.
            guard document.hasEntity(change.entity), let syncID = change.objectSyncID else { continue }
            let object = find(change.entity, syncID)
            switch change.type.number {
            case 1:
                let pairs = change.changedAttributes.pairs ?? []
                guard
                    let made = try? object
                        ?? document.insert(change.entity, attributes: [], onRefusal: { _, _ in })
                else { continue }
                for pair in pairs { try? document.set(pair.key.stringValue ?? "", of: made, to: pair.value) }
            case 2:
                guard let object else {
                    warnings.append(1)
                    continue
                }
                try? document.set(change.key ?? "", of: object, to: change.changedAttributes)
            case 3, 4, 5:
                guard let object else {
                    warnings.append(2)
                    for ghost in ghosts(change.entity, syncID) {
                        if change.type == .toOne {
                            try? document.setToOne(change.key ?? "", of: ghost, to: nil)
                        } else if change.type == .removeFromMany,
                            let target = find(change.relatedEntity, change.relatedSyncID)
                        {
                            try? document.remove(target, from: change.key ?? "", of: ghost)
                        }
                    }
                    continue
                }
                let target = find(change.relatedEntity, change.relatedSyncID)
                if change.type == .toOne {
                    try? document.setToOne(change.key ?? "", of: object, to: target)
                } else if let target {
                    if change.type == .addToMany {
                        try? document.add(target, to: change.key ?? "", of: object)
                    } else {
                        try? document.remove(target, from: change.key ?? "", of: object)
                    }
                } else {
                    warnings.append(2)
                    guard change.type == .removeFromMany else { continue }
                    for ghost in ghosts(change.relatedEntity, change.relatedSyncID) {
                        try? document.remove(ghost, from: change.key ?? "", of: object)
                    }
                }
            case 10:
                if let object { deleted.append((object, change.entity, syncID)) } else { warnings.append(3) }
            default: break
            }
        }
    }

    /// Deletes the objects of the sets' deletions, and the objects that then belong to them.
    mutating func finish() throws {
        var going = Set(deleted.map(\.object))
        var count = -1
        while going.count != count {
            count = going.count
            for object in going {
                guard let entity = document.objects[object]?.entity else { continue }
                for relationship in document.model.relationships(of: entity)
                where relationship.deleteRule == .cascade {
                    going.formUnion(document.targets(relationship.name, of: object))
                }
            }
        }
        document.erase(Array(going))
        deleted = []
    }
}

/// The objects of a document as comparable lines of text.
enum Portrait {
    static func of(_ document: PlainDocument) -> [String] {
        let names = document.objects.mapValues { $0.attributes[SyncID.attribute]?.stringValue ?? "none" }
        return document.objects.map { key, entry in
            var relationships: [(String, [String], Bool)] = []
            for relationship in document.model.relationships(of: entry.entity) {
                let targets = document.targets(relationship.name, of: key).compactMap { names[$0] }
                relationships.append((relationship.name, targets, relationship.isOrdered))
            }
            return line(entry.entity, entry.attributes.map { ($0.key, $0.value) }, relationships)
        }.sorted()
    }

    /// The reason for a problem with a value in a column that the entity of its row does not have.
    static let strayValue = "a value that its entity cannot have"

    /// - Parameters:
    ///   - ordered: whether the order within ordered relationships counts.
    ///   - admitsStrayValues: whether columns that the entity of a row does not have may have values.
    static func of(
        _ store: SQLiteStore, ordered: Bool = true, admitsStrayValues: Bool = false
    ) throws -> [String] {
        var names: [String: String] = [:]
        var objects: [StoredObject] = []
        func root(_ entity: String) -> String { store.model?.rootEntity(of: entity)?.name ?? entity }
        let report: (FileProblem) throws(FileProblem) -> Void = { problem throws(FileProblem) in
            if !admitsStrayValues || !problem.problem.contains(strayValue) { throw problem }
        }
        try store.forEachObject(entity: nil, onDamage: report) { object in
            let syncID = object.attributes.first { $0.name == SyncID.attribute }?.value.stringValue
            names["\(root(object.entity)) \(object.primaryKey)"] = syncID ?? "none"
            objects.append(object)
        }
        return objects.map { object in
            let descriptions = store.model?.relationships(of: object.entity) ?? []
            return line(
                object.entity, object.attributes.map { ($0.name, $0.value) },
                object.relationships.map { relationship in
                    let description = descriptions.first { $0.name == relationship.name }
                    let keys =
                        switch relationship.target {
                        case .toOne(let key): key.map { [$0] } ?? []
                        case .toMany(let keys): keys
                        }
                    let place = root(description?.destination ?? "")
                    return (
                        relationship.name, keys.map { names["\(place) \($0)"] ?? "dangling \($0)" },
                        ordered && description?.isOrdered == true
                    )
                })
        }.sorted()
    }

    static func line(
        _ entity: String, _ attributes: [(String, ArchivedValue)],
        _ relationships: [(name: String, targets: [String], isOrdered: Bool)]
    ) -> String {
        let values = attributes.filter { !$0.1.isNil }.sorted { $0.0 < $1.0 }.map { "\($0.0)=\(text($0.1))" }
        let links = relationships.filter { !$0.targets.isEmpty }.sorted { $0.name < $1.name }.map {
            "\($0.name)→\(($0.isOrdered ? $0.targets : $0.targets.sorted()).joined(separator: ","))"
        }
        return ([entity] + values + links).joined(separator: " ")
    }

    /// A form in which equal values are equal texts: stores keep numbers and dates in their own forms.
    static func text(_ value: ArchivedValue) -> String {
        switch value {
        case .boolean(let flag): flag ? "1" : "0"
        case .integer(let number): "\(number)"
        case .real(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .date(let seconds): "@\((seconds * 1000).rounded() / 1000)"
        case .decimal(let number): "\(number)"
        default: "\(value)"
        }
    }
}
