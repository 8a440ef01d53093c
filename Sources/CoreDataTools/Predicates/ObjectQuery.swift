public import CoreDataStore
import KeyedArchive
public import SystemCalls

/// A query for objects of an entity: the condition, the order, and the wanted parts.
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

    /// The entity, without its subentities.
    public var entity: String
    /// The condition; nil for all objects.
    public var predicate: ObjectPredicate?
    /// The order; by default, and for equal values, the order of the store.
    public var keys: [Key]
    /// The largest number of objects to return.
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

    /// Calls `body` with the matching objects. Everything is evaluated in memory, which contains the store if a path
    /// has a relationship, and the matching objects if they are sorted.
    /// - Throws: `.unknownName` for a property that the entity does not have; `.refused` for a path over a to-many
    ///   relationship without ANY, ALL or NONE, and for a comparison of kinds that are never equal; `.limit`.
    public func forEachObject(
        of store: any PersistentStore, onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        try QueriedProperties(store: store).check(self)
        let isRelated = paths.contains { $0.count > 1 && $0.last != "@count" || $0.count > 2 }
        // The pass over the entity meets some of these again.
        var reported: Set<FileProblem> = []
        let index =
            try isRelated
            ? ObjectIndex(
                store,
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

    /// The order of two values: nil before numbers, dates, texts, other values.
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

    /// The object, or only the wanted columns.
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
