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
    ///   relationship without ANY, ALL or NONE, and for a comparison of kinds that are never equal; `.limit`.
    public func forEachObject(
        of store: any PersistentStore, onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let properties = QueriedProperties(store)
        try check(properties, store)
        let isRelated = paths.contains { $0.count > 1 && $0.last != "@count" || $0.count > 2 }
        // The pass over the entity meets some of these again.
        var reported: Set<FileProblem> = []
        let index =
            try isRelated
            ? ObjectIndex(
                store, properties,
                onDamage: { problem throws(FileProblem) in
                    if reported.count < 1_000 { reported.insert(problem) }
                    try onDamage(problem)
                }) : nil
        let known = reported
        let ends = QueriedEnds(index: index)
        func values(_ path: [String], of object: StoredObject) -> [ArchivedValue] {
            ends.values(path[...], of: object)
        }
        var evaluation = predicate.map { PredicateEvaluation($0) }
        var found: [(object: StoredObject, keys: [ArchivedValue])] = []
        var count = 0
        let most = limit ?? .max
        if most == 0 { return }
        try store.forEachObject(
            entity: entity,
            onDamage: { problem throws(FileProblem) in
                if !known.contains(problem) { try onDamage(problem) }
            }
        ) { object throws(FileProblem) in
            if let holds = evaluation?.holds(object, ends) {
                guard (evaluation?.steps ?? 0) <= PredicateEvaluation.stepLimit else {
                    throw FileProblem(
                        .limit, path: store.path,
                        "the condition needs too much work at object \(object.primaryKey)",
                        advice:
                            "Compare with a value in place of a key path, or give a shorter pattern to LIKE")
                }
                if !holds { return }
            }
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
            let left = try kind(comparison.left, properties, store)
            let right = try kind(comparison.right, properties, store)
            if right.isMany, case .keyPath(let path) = comparison.right {
                throw Self.refusal(path, store, "can only be on the left side of a comparison")
            }
            if left.isMany != (comparison.quantifier != .one), case .keyPath(let path) = comparison.left {
                throw Self.refusal(
                    path, store,
                    left.isMany
                        ? "needs ANY, ALL or NONE"
                        : "leads over no to-many relationship, so ANY, ALL and NONE mean nothing")
            }
            if let mismatch = KindMismatch(comparison, left.kind, right.kind) {
                throw FileProblem(
                    .refused, path: store.path, mismatch.problem, advice: mismatch.advice)
            }
        }
        for path in keys.map(\.path) + (columns ?? [])
        where try properties.end(of: path, entity, store).isMany {
            let isColumn =
                path.count == 1 && columns?.contains(path) == true && !keys.map(\.path).contains(path)
            if !isColumn {
                throw Self.refusal(path, store, "leads over a to-many relationship to several values")
            }
        }
    }

    private func kind(
        _ operand: ObjectPredicate.Operand, _ properties: QueriedProperties, _ store: any PersistentStore
    ) throws(FileProblem) -> QueriedProperties.End {
        switch operand {
        case .keyPath(let path): try properties.end(of: path, entity, store)
        case .value(let value): QueriedProperties.End(isMany: false, kind: ValueKind(value))
        case .list: QueriedProperties.End(isMany: false, kind: .unknown)
        }
    }

    private static func refusal(
        _ path: [String], _ store: any PersistentStore, _ problem: String
    ) -> FileProblem {
        FileProblem(
            .refused, path: store.path, "the key path \(path.joined(separator: ".")) \(problem)",
            advice: "ticds-model show lists the properties of each entity")
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

    /// What is at the end of a path.
    struct End {
        /// Whether the path leads over a to-many relationship to several values.
        var isMany: Bool
        /// The kind of each value.
        var kind: ValueKind
    }

    /// - Throws: `.unknownName` for a property that an entity does not have, `.refused` for a path that leads nowhere.
    func end(
        of path: [String], _ first: String, _ store: any PersistentStore
    ) throws(FileProblem) -> End {
        var entity = first
        var isMany = false
        for (place, name) in path.enumerated() {
            if path.count - place > 1, model?.hasElement(path[place...], of: entity) == true {
                return End(isMany: isMany, kind: .unknown)
            }
            let isLast = place == path.count - 1
            if place == 0, name.uppercased() == "SELF" {
                throw FileProblem(
                    .refused, path: store.path,
                    "a condition compares properties of an object and not \(name), the object itself",
                    advice: "Name a property, such as \(names(of: entity, store).first ?? "title")")
            }
            guard let model, model[entity] != nil else {
                guard isLast, place == 0 else {
                    throw FileProblem(
                        .refused, path: store.path,
                        "a key path over a relationship needs the model of the store",
                        found: path.joined(separator: "."), advice: "Give the model with --model")
                }
                try checkName(name, entity, store)
                let type = (store as? SQLiteStore)?.attributeType(name, of: entity)
                return End(isMany: false, kind: type.map(ValueKind.init) ?? .unknown)
            }
            if let relationship = model.relationships(of: entity).first(where: { $0.name == name }) {
                if path.count == place + 2, path[place + 1] == "@count", relationship.isToMany {
                    return End(isMany: isMany, kind: .number)
                }
                isMany = isMany || relationship.isToMany
                entity = relationship.destination
            } else if let attribute = model.attributes(of: entity).first(where: { $0.name == name }) {
                if isLast { return End(isMany: isMany, kind: ValueKind(attribute.type)) }
                if attribute.type == .composite { return End(isMany: isMany, kind: .unknown) }
                throw Self.leadingOn(path, place, ValueKind(attribute.type), store)
            } else if name.hasPrefix("@") {
                throw FileProblem(
                    .refused, path: store.path,
                    "a condition knows no \(name): only @count, at the end of a path to a to-many relationship",
                    found: path.joined(separator: "."),
                    advice: "Compare each value with ANY, ALL or NONE")
            } else {
                throw Self.unknown(name, entity, names(of: entity, store), store)
            }
        }
        return End(isMany: isMany, kind: .object)
    }

    /// The problem with a path that goes on behind an attribute.
    private static func leadingOn(
        _ path: [String], _ place: Int, _ kind: ValueKind, _ store: any PersistentStore
    ) -> FileProblem {
        let attribute = path[...place].joined(separator: ".")
        let rest = path[(place + 1)...].joined(separator: ".")
        return FileProblem(
            .refused, path: store.path,
            "\(attribute) is \(kind.title), which has no property \(rest) in a condition",
            advice: kind == .text && ["length", "count", "@count"].contains(rest)
                ? "For texts of at least 5 characters write: \(attribute) LIKE \"?????*\""
                : "Compare \(attribute) itself")
    }

    private func names(of entity: String, _ store: any PersistentStore) -> [String] {
        guard let model, model[entity] != nil else {
            return ((store as? SQLiteStore)?.propertyNames(of: entity) ?? []).sorted {
                $0.precedesInCodePoints($1)
            }
        }
        return model.attributes(of: entity).map(\.name) + model.relationships(of: entity).map(\.name)
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
}

/// Follows key paths from objects.
struct QueriedEnds {
    /// Nil if no path leads over a relationship.
    fileprivate let index: ObjectIndex?

    /// Where the first step of a path leads.
    enum Step {
        /// To the end.
        case value(ArchivedValue)
        /// To the objects with these keys, over the relationship with this name.
        case objects(String, [Int64])
    }

    /// The first step of a path. A relationship that ends nowhere gives nil.
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

    /// The values at the end of a path: one, or those over to-many relationships.
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

extension ManagedObjectModel {
    /// Whether a key path is an element of a composite attribute.
    fileprivate func hasElement(_ path: ArraySlice<String>, of entity: String) -> Bool {
        let name = path.joined(separator: ".")
        return attributes(of: entity).contains { attribute in
            attribute.type == .composite && attribute.parts.contains { $0.name == name }
        }
    }
}

/// The objects of a store by root entity and primary key.
private struct ObjectIndex {
    private let model: ManagedObjectModel
    private var objects: [String: [Int64: StoredObject]] = [:]

    /// - Throws: `.limit` for more objects than the memory should hold.
    init(
        _ store: any PersistentStore, _ properties: QueriedProperties,
        onDamage: (FileProblem) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        model = properties.model ?? ManagedObjectModel(entities: [])
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
