public import CoreDataStore
import KeyedArchive
public import SystemCalls

/// Which objects of an entity are wanted, in which order, and what of them.
public struct ObjectQuery: Sendable {
    /// A key path to sort by.
    public struct Key: Sendable, Hashable {
        /// The names of the path.
        public var path: [String]
        /// Whether larger values come first.
        public var isDescending: Bool

        /// A key.
        public init(path: [String], isDescending: Bool) {
            self.path = path
            self.isDescending = isDescending
        }
    }

    /// The entity; its subentities are others.
    public var entity: String
    /// The condition; nil for all objects.
    public var predicate: ObjectPredicate?
    /// The order; that of the store by default, and for equal values.
    public var keys: [Key]
    /// The most objects to return.
    public var limit: Int?
    /// The key paths whose values are wanted; nil for all properties of the objects.
    public var columns: [[String]]?

    /// A query.
    public init(
        entity: String, predicate: ObjectPredicate? = nil, keys: [Key] = [], limit: Int? = nil,
        columns: [[String]]? = nil
    ) {
        self.entity = entity
        self.predicate = predicate
        self.keys = keys
        self.limit = limit
        self.columns = columns
    }

    private var paths: [[String]] { (predicate?.keyPaths ?? []) + keys.map(\.path) + (columns ?? []) }

    /// Calls `body` with the objects that are wanted. Everything is evaluated in memory, which holds the store if a path
    /// leads over a relationship, and the objects that are found if they are sorted.
    /// - Throws: `.unknownName` for a property that the entity does not have; `.refused` for a path over a to-many
    ///   relationship without ANY, ALL or NONE; `.limit`.
    public func forEachObject(
        of store: any PersistentStore, onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let properties = QueriedProperties(store)
        try check(properties, store)
        let isRelated = paths.contains { $0.count > 1 && $0.last != "@count" || $0.count > 2 }
        let index = isRelated ? try ObjectIndex(store, properties) : nil
        func values(_ path: [String], of object: StoredObject) -> [ArchivedValue] {
            properties.values(path[...], of: object, index)
        }
        var found: [(object: StoredObject, keys: [ArchivedValue])] = []
        var count = 0
        let most = limit ?? .max
        if most == 0 { return }
        try store.forEachObject(entity: entity, onDamage: onDamage) { object throws(FileProblem) in
            if let predicate, !predicate.holds({ values($0, of: object) }) { return }
            if keys.isEmpty {
                count += 1
                if count <= most { try body(shown(object, values)) }
                return
            }
            found.append((object, keys.map { values($0.path, of: object).first ?? .none }))
            guard found.count <= Self.sortLimit else {
                throw FileProblem(
                    .limit, path: store.path, "more than \(Self.sortLimit) objects to sort",
                    advice: "Choose fewer with a condition")
            }
        }
        if keys.isEmpty { return }
        let order = found.indices.sorted { one, other in
            for (place, key) in keys.enumerated() {
                let order = Self.order(found[one].keys[place], found[other].keys[place])
                if order != 0 { return (order < 0) != key.isDescending }
            }
            return one < other
        }
        for place in order.prefix(most) { try body(shown(found[place].object, values)) }
    }

    private static let sortLimit = 10_000_000

    /// Nil before numbers, dates, texts, other values.
    private static func order(_ one: ArchivedValue, _ other: ArchivedValue) -> Int {
        func rank(_ value: ArchivedValue) -> Int {
            switch value {
            case .none, .null: 0
            case .boolean, .integer, .real, .decimal: 1
            case .date: 2
            case .string, .url, .uuid: 3
            default: 4
            }
        }
        let (left, right) = (rank(one), rank(other))
        if left != right { return left < right ? -1 : 1 }
        if left == 3 {
            let (first, second) = (one.sortedText, other.sortedText)
            return first == second ? 0 : first.precedesInCodePoints(second) ? -1 : 1
        }
        return one.numericOrder(other) ?? 0
    }

    /// The object, or only the columns that are wanted.
    private func shown(
        _ object: StoredObject, _ values: ([String], StoredObject) -> [ArchivedValue]
    ) -> StoredObject {
        guard let columns else { return object }
        var shown = StoredObject(
            entity: object.entity, primaryKey: object.primaryKey, attributes: [], relationships: [])
        for path in columns {
            if path.count == 1, let relationship = object.relationships.first(where: { $0.name == path[0] }) {
                shown.relationships.append(relationship)
            } else {
                shown.attributes.append(
                    StoredAttribute(
                        name: path.joined(separator: "."), value: values(path, object).first ?? .none))
            }
        }
        return shown
    }

    private func check(_ properties: QueriedProperties, _ store: any PersistentStore) throws(FileProblem) {
        for comparison in predicate?.comparisons ?? [] {
            var isMany = false
            for case .keyPath(let path) in [comparison.left] {
                isMany = try properties.isMany(path, of: entity, store)
            }
            if case .keyPath(let path) = comparison.right, try properties.isMany(path, of: entity, store) {
                throw Self.refusal(path, store, "can only be on the left side of a comparison")
            }
            if isMany != (comparison.quantifier != .one), case .keyPath(let path) = comparison.left {
                throw Self.refusal(
                    path, store,
                    isMany
                        ? "needs ANY, ALL or NONE"
                        : "leads over no to-many relationship, so ANY, ALL and NONE mean nothing")
            }
        }
        for path in keys.map(\.path) + (columns ?? []) where try properties.isMany(path, of: entity, store) {
            let isColumn =
                path.count == 1 && columns?.contains(path) == true && !keys.map(\.path).contains(path)
            if !isColumn {
                throw Self.refusal(path, store, "leads over a to-many relationship to several values")
            }
        }
    }

    private static func refusal(
        _ path: [String], _ store: any PersistentStore, _ problem: String
    ) -> FileProblem {
        FileProblem(.refused, path: store.path, "the key path \(path.joined(separator: ".")) \(problem)")
    }
}

extension ArchivedValue {
    fileprivate var sortedText: String {
        switch self {
        case .string(let text), .url(let text): text
        case .uuid(let uuid): "\(uuid)"
        default: ""
        }
    }
}

/// The properties of the entities, by the model or by the tables.
private struct QueriedProperties {
    let model: ManagedObjectModel?

    init(_ store: any PersistentStore) { model = store.model }

    /// Whether a path leads over a to-many relationship to several values.
    func isMany(
        _ path: [String], of entity: String, _ store: any PersistentStore
    ) throws(FileProblem) -> Bool {
        var entity = entity
        var isMany = false
        for (place, name) in path.enumerated() {
            let isLast = place == path.count - 1
            guard let model, model[entity] != nil else {
                guard isLast, place == 0 else {
                    throw FileProblem(
                        .refused, path: store.path,
                        "a key path over a relationship needs the model of the store",
                        found: path.joined(separator: "."), advice: "Give the model with --model")
                }
                try checkName(name, entity, store)
                return false
            }
            if let relationship = model.relationships(of: entity).first(where: { $0.name == name }) {
                if path.count == place + 2, path[place + 1] == "@count", relationship.isToMany {
                    return isMany
                }
                isMany = isMany || relationship.isToMany
                entity = relationship.destination
            } else if !(isLast && model.attributes(of: entity).contains { $0.name == name }) {
                throw Self.unknown(
                    name, entity,
                    model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name),
                    store)
            }
        }
        return isMany
    }

    private func checkName(_ name: String, _ entity: String, _ store: any PersistentStore) throws(FileProblem)
    {
        guard let names = (store as? SQLiteStore)?.propertyNames(of: entity), !names.contains(name) else {
            return
        }
        throw Self.unknown(name, entity, Array(names), store)
    }

    private static func unknown(
        _ name: String, _ entity: String, _ names: [String], _ store: any PersistentStore
    ) -> FileProblem {
        FileProblem(
            .unknownName, path: store.path, "the entity \(entity) has no property \(name)",
            found: names.sorted { $0.precedesInCodePoints($1) }.joined(separator: ", "))
    }

    /// The values at the end of a path: one, or those over to-many relationships. A relationship that ends nowhere
    /// gives nil.
    func values(
        _ path: ArraySlice<String>, of object: StoredObject, _ index: ObjectIndex?
    ) -> [ArchivedValue] {
        guard let name = path.first else { return [] }
        let rest = path.dropFirst()
        if let attribute = object.attributes.first(where: { $0.name == name }) {
            return [rest.isEmpty ? attribute.value : .none]
        }
        guard let relationship = object.relationships.first(where: { $0.name == name }) else {
            return [.none]
        }
        switch relationship.target {
        case .toOne(nil): return [.none]
        case .toOne(let key?):
            if rest.isEmpty { return [.integer(Int128(key))] }
            return index?.object(key, of: name, from: object).map { values(rest, of: $0, index) } ?? [.none]
        case .toMany(let keys):
            if rest.isEmpty { return keys.map { .integer(Int128($0)) } }
            if rest.first == "@count", rest.count == 1 { return [.integer(Int128(keys.count))] }
            return keys.flatMap { key in
                index?.object(key, of: name, from: object).map { values(rest, of: $0, index) } ?? [.none]
            }
        }
    }
}

/// The objects of a store by root entity and primary key.
private struct ObjectIndex {
    private let model: ManagedObjectModel
    private var objects: [String: [Int64: StoredObject]] = [:]

    /// - Throws: `.limit` for more objects than the memory should hold.
    init(_ store: any PersistentStore, _ properties: QueriedProperties) throws(FileProblem) {
        model = properties.model ?? ManagedObjectModel(entities: [])
        var count = 0
        var found = objects
        let model = model
        // What is damaged is reported by the pass over the entity, or missed like an object that does not exist.
        try store.forEachObject(entity: nil, onDamage: { _ in }) { object throws(FileProblem) in
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

    func object(_ key: Int64, of relationship: String, from object: StoredObject) -> StoredObject? {
        guard let end = model.relationships(of: object.entity).first(where: { $0.name == relationship }),
            let root = model.rootEntity(of: end.destination)?.name
        else { return nil }
        return objects[root]?[key]
    }
}
