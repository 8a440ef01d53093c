import CoreDataStore
import KeyedArchive
import SystemCalls

/// Follows key paths from objects.
struct QueriedEnds {
    /// The index; nil if no path has a relationship.
    let index: ObjectIndex?

    /// The target of the first step of a path.
    enum Step {
        /// The value at the end of the path.
        case value(ArchivedValue)
        /// The objects with these keys, over the relationship with this name.
        case objects(String, [Int64])
    }

    /// The first step of a path. An empty relationship gives nil.
    func end(of path: ArraySlice<String>, of object: StoredObject) -> Step {
        guard let name = path.first else { return .value(.none) }
        let isLast = path.count == 1
        if let attribute = object.attributes.first(where: { $0.name == name }) {
            return .value(isLast ? attribute.value : .none)
        }
        if let relationship = object.relationships.first(where: { $0.name == name }) {
            switch relationship.target {
            case .toOne(nil): return .value(.none)
            case .toOne(let key?): return .objects(name, [key])
            case .toMany(let keys):
                if path.count == 2, path.last == "@count" { return .value(.integer(Int128(keys.count))) }
                return .objects(name, keys)
            }
        }
        // A part of a composite attribute.
        if isLast { return .value(.none) }
        let whole = path.joined(separator: ".")
        return .value(object.attributes.first { $0.name == whole }?.value ?? .none)
    }

    /// The root entity of the objects to which a relationship leads.
    func root(of relationship: String, from object: StoredObject) -> String? {
        index?.root(of: relationship, from: object)
    }

    /// The object with this key.
    func object(_ key: Int64, _ root: String) -> StoredObject? { index?.object(key, root) }

    /// The values at the end of a path: one, or several over to-many relationships.
    func values(_ path: ArraySlice<String>, of object: StoredObject) -> [ArchivedValue] {
        var steps = 0
        return distinctValues(Array(path), of: object, &steps)
    }

    /// The values at the end of a path, from each object only once.
    func distinctValues(
        _ path: [String], of object: StoredObject, _ steps: inout Int
    ) -> [ArchivedValue] {
        var values: [ArchivedValue] = []
        var objects = [object]
        for place in path.indices where !objects.isEmpty {
            let isLast = place == path.count - 1
            var next: [StoredObject] = []
            var seen: [String: Set<Int64>] = [:]
            for object in objects {
                switch end(of: path[place...], of: object) {
                case .value(let value): values.append(value)
                case .objects(let name, let keys):
                    steps += 16 * keys.count
                    if isLast {
                        values += keys.map { .integer(Int128($0)) }
                        continue
                    }
                    guard let root = root(of: name, from: object) else {
                        values.append(.none)
                        continue
                    }
                    for key in keys where seen[root, default: []].insert(key).inserted {
                        if let found = self.object(key, root) {
                            next.append(found)
                        } else {
                            values.append(.none)
                        }
                    }
                }
            }
            objects = next
        }
        return values
    }
}

/// The objects of a store by root entity and primary key.
struct ObjectIndex {
    private let model: ManagedObjectModel
    private var objects: [String: [Int64: StoredObject]] = [:]

    /// - Throws: `.limit` for more objects than fit into the permitted memory.
    init(
        _ store: any PersistentStore,
        onDamage: (FileProblem) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        model = store.model ?? ManagedObjectModel(entities: [])
        var count = 0
        var found = objects
        let model = model
        try store.forEachObject(entity: nil, onDamage: onDamage) { object throws(FileProblem) in
            count += 1
            guard count <= Self.limit else {
                throw FileProblem(
                    .limit, path: store.path,
                    "more than \(Self.limit) objects for key paths over relationships")
            }
            let root = model.rootEntity(of: object.entity)?.name ?? object.entity
            found[root, default: [:]][object.primaryKey] = object
        }
        objects = found
    }

    private static let limit = 5_000_000

    func root(of relationship: String, from object: StoredObject) -> String? {
        model.relationships(of: object.entity).first { $0.name == relationship }
            .flatMap { model.rootEntity(of: $0.destination)?.name }
    }

    func object(_ key: Int64, _ root: String) -> StoredObject? { objects[root]?[key] }
}
