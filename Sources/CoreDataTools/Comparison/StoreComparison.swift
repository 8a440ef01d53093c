public import CoreDataStore
public import KeyedArchive
public import SystemCalls

/// Compares the objects of two stores of any type, by an identifying attribute or by primary key.
///
/// Objects of one entity with equal identifiers correspond. Their attributes are compared as JSON, their relationships
/// by the identifiers of the destination objects, in order if the relationship is ordered. The objects of the first
/// store are written to a scratch file, so that memory does not grow with the store.
public struct StoreComparison {
    /// The identification of objects.
    public enum Key: Sendable, Hashable {
        /// The attribute with this name.
        case attribute(String)
        /// The primary key, which only copies of one store have in common.
        case primaryKey
    }

    /// A property with different values.
    public struct Property: Sendable, Hashable {
        /// The name of the property.
        public var name: String
        /// The value in the first store as JSON; nil if there is no value or no object.
        public var first: String?
        /// The value in the second store as JSON; nil if there is no value or no object.
        public var second: String?
    }

    /// An object that differs, or that is missing in one store.
    public struct Difference: Sendable, Hashable {
        /// The kinds of difference.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// The object exists in one store only, or in both with different values.
            case onlyInFirst, onlyInSecond, different
        }

        /// The kind of difference.
        public var kind: Kind
        /// The name of the entity.
        public var entity: String
        /// The identifier, or the primary key as text.
        public var key: String
        /// The primary key in the first store; nil if the object does not exist there.
        public var firstPrimaryKey: Int64?
        /// The primary key in the second store; nil if the object does not exist there.
        public var secondPrimaryKey: Int64?
        /// The different properties; all properties with a value if only one store has the object.
        public var properties: [Property]
    }

    /// The numbers of objects by result.
    public struct Counts: Sendable, Hashable {
        /// Objects that are equal in both stores.
        public var same = 0
        /// Objects that differ.
        public var different = 0
        /// Objects of the first store only.
        public var onlyInFirst = 0
        /// Objects of the second store only.
        public var onlyInSecond = 0
        /// Objects without an identifier, or with the identifier of another object.
        public var notCompared = 0

        /// Whether every object was compared and is equal.
        public var isEqual: Bool { different + onlyInFirst + onlyInSecond + notCompared == 0 }
    }

    /// The identification of objects in this comparison.
    public let key: Key
    private let first: ComparedStore
    private let second: ComparedStore

    /// - Parameters:
    ///   - key: what identifies objects; nil for `identifier` if objects of both stores have it, otherwise the primary
    ///     key.
    ///   - json: converts a value to the text that is compared.
    /// - Throws: `.unknownName` if `key` names an attribute that no object of a store has.
    public init(
        _ first: any PersistentStore, _ second: any PersistentStore, by key: Key?, identifier: String,
        json: @escaping (ArchivedValue) -> String
    ) throws(FileProblem) {
        let entities = (try ExportedEntities(first), try ExportedEntities(second))
        typealias Targets = (first: TargetNames, second: TargetNames)
        func targets(_ choice: TargetNames.Choice, _ attribute: String) throws(FileProblem) -> Targets {
            (
                try TargetNames(choice, first, entities.0, attribute: attribute),
                try TargetNames(choice, second, entities.1, attribute: attribute)
            )
        }
        var chosen = key ?? .attribute(identifier)
        var named: Targets
        if case .attribute(let name) = chosen {
            named = try targets(key == nil ? .auto : .syncIDs, name)
        } else {
            named = try targets(.primaryKeys, "")
        }
        if case .attribute = chosen, !named.first.areSyncIDs || !named.second.areSyncIDs {
            chosen = .primaryKey
            named = try targets(.primaryKeys, "")
        }
        self.key = chosen
        self.first = ComparedStore(
            store: first, entities: entities.0, key: chosen, targets: named.first, json: json)
        self.second = ComparedStore(
            store: second, entities: entities.1, key: chosen, targets: named.second, json: json)
    }

    /// The relationships that are not compared: without a model, their targets are unknown, and keys differ between
    /// replicas.
    public var notComparedRelationships: [String] {
        Set(first.blind + second.blind).sorted { $0.precedesInCodePoints($1) }
    }

    /// Calls `body` with every difference: first in the order of the second store, then the objects that only the first
    /// store has, in its order.
    public func forEachDifference(
        _ body: (Difference) throws(FileProblem) -> Void
    ) throws(FileProblem) -> Counts {
        var counts = Counts()
        let index = try SpilledIndex()
        try first.forEachObject { (object) throws(FileProblem) in
            guard let object, try index.put(object) else {
                counts.notCompared += 1
                return
            }
        }
        try second.forEachObject { (object) throws(FileProblem) in
            guard let object else {
                counts.notCompared += 1
                return
            }
            switch try index.take(object) {
            case .none:
                counts.onlyInSecond += 1
                try body(object.alone(.onlyInSecond))
            case .takenBefore: counts.notCompared += 1
            case .same: counts.same += 1
            case .found(let other):
                let properties = Self.differences(other.properties, object.properties)
                counts.different += 1
                try body(
                    Difference(
                        kind: .different, entity: object.entity, key: object.key,
                        firstPrimaryKey: other.primaryKey, secondPrimaryKey: object.primaryKey,
                        properties: properties))
            }
        }
        try index.forEachRemaining { (object) throws(FileProblem) in
            counts.onlyInFirst += 1
            try body(object.alone(.onlyInFirst))
        }
        return counts
    }

    /// Compares bytes, since `String` treats canonically equivalent texts as equal.
    private static func differences(
        _ first: [ComparedObject.Property], _ second: [ComparedObject.Property]
    ) -> [Property] {
        let others = Dictionary(second.map { (Array($0.name.utf8), $0.json) }) { one, _ in one }
        let names = Set(first.map { Array($0.name.utf8) })
        return first.compactMap { property in
            let other = others[Array(property.name.utf8)]
            return other?.utf8.elementsEqual(property.json.utf8) ?? false
                ? nil : Property(name: property.name, first: property.json, second: other)
        }
            + second.filter { !names.contains(Array($0.name.utf8)) }.map {
                Property(name: $0.name, first: nil, second: $0.json)
            }
    }
}

extension ComparedObject {
    fileprivate func alone(_ kind: StoreComparison.Difference.Kind) -> StoreComparison.Difference {
        let isFirst = kind == .onlyInFirst
        return StoreComparison.Difference(
            kind: kind, entity: entity, key: key, firstPrimaryKey: isFirst ? primaryKey : nil,
            secondPrimaryKey: isFirst ? nil : primaryKey,
            properties: properties.map {
                StoreComparison.Property(
                    name: $0.name, first: isFirst ? $0.json : nil, second: isFirst ? nil : $0.json)
            })
    }
}
