public import KeyedArchive
public import SystemCalls

/// Compares the objects of two stores, whatever their kinds: by an identifier that both know, or by primary key.
///
/// Objects of one entity with the same identifier are the same. Their attributes are compared as JSON, their
/// relationships by the identifiers of the targets, in order where the relationship is ordered. What the first store
/// holds waits in a scratch file, so that memory does not grow.
public struct StoreComparison {
    /// What objects are known by.
    public enum Key: Sendable, Hashable {
        /// By the values of the attribute of that name.
        case attribute(String)
        /// By primary key: only copies of one store have these in common.
        case primaryKey
    }

    /// One property that differs.
    public struct Property: Sendable, Hashable {
        /// Name of the property.
        public var name: String
        /// JSON; nil where the object has no value, or there is no object.
        public var first: String?
        /// The same of the second store.
        public var second: String?
    }

    /// One object that is not the same in both.
    public struct Difference: Sendable, Hashable {
        /// How the two stores differ about the object.
        public enum Kind: String, Sendable, Hashable {
            /// One store lacks the object, or both have it and differ.
            case onlyInFirst, onlyInSecond, different
        }

        /// Whether one store lacks the object, or both have it and differ.
        public var kind: Kind
        /// Name of the object's entity.
        public var entity: String
        /// The identifier, or the primary key as text.
        public var key: String
        /// Its primary key in the first store; nil where it is not there.
        public var firstPrimaryKey: Int64?
        /// Its primary key in the second store; nil where it is not there.
        public var secondPrimaryKey: Int64?
        /// What differs; of an object that only one has, all its properties with a value.
        public var properties: [Property]
    }

    /// How many there are.
    public struct Counts: Sendable, Hashable {
        /// Objects that are equal in both.
        public var same = 0
        /// Objects that both have and that differ.
        public var different = 0
        /// Objects of the first store alone.
        public var onlyInFirst = 0
        /// Objects of the second store alone.
        public var onlyInSecond = 0
        /// Objects without an identifier, or with that of another object: nothing can be said of them.
        public var notCompared = 0

        /// Whether every object was compared and found equal.
        public var isEqual: Bool { different + onlyInFirst + onlyInSecond + notCompared == 0 }
    }

    /// What objects are known by in this comparison.
    public let key: Key
    private let first: ComparedStore
    private let second: ComparedStore

    /// - Parameters:
    ///   - key: what objects are known by; nil for `identifier` where objects of both stores have it, else the
    ///     primary key.
    ///   - json: the text by which values are compared.
    /// - Throws: `.unknownName` where `key` names an attribute that no object of a store has.
    public init(
        _ first: any PersistentStore, _ second: any PersistentStore, by key: Key?, identifier: String,
        json: @escaping (ArchivedValue) -> String
    ) throws(FileProblem) {
        let entities = (try ExportedEntities(first), try ExportedEntities(second))
        func targets(_ choice: TargetNames.Choice, _ attribute: String) throws(FileProblem) -> Targets {
            Targets(
                first: try TargetNames(choice, first, entities.0, attribute: attribute),
                second: try TargetNames(choice, second, entities.1, attribute: attribute))
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
        self.first = ComparedStore(first, entities.0, chosen, named.first, json)
        self.second = ComparedStore(second, entities.1, chosen, named.second, json)
    }

    /// How the objects that relationships lead to are named in each store.
    private struct Targets {
        var first: TargetNames
        var second: TargetNames
    }

    /// Hands out every difference: those of objects of the second store in its order, then what only the first has,
    /// in its order.
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
        try index.forEachLeft { (object) throws(FileProblem) in
            counts.onlyInFirst += 1
            try body(object.alone(.onlyInFirst))
        }
        return counts
    }

    /// Bytes are compared: texts are equal that differ in how accents are written.
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
