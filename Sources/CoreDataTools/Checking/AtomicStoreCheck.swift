public import CoreDataStore
import SystemCalls

/// Checks the keys, entities and relationships of a binary or an XML store, whose objects share one sequence of keys
/// (core-data-binary-store(5), 1 and 3; core-data-xml-store(5), 2 and 3).
struct AtomicStoreCheck {
    private let store: any PersistentStore
    private(set) var groups = FindingGroups()
    private var entities: [Int64: String] = [:]

    init(_ store: any PersistentStore) { self.store = store }

    mutating func run() throws(FileProblem) {
        var counter: UInt64?
        var highest: Int64?
        if let store = store as? BinaryStore {
            for position in 0..<store.archive.count {
                // try?: ObjectCheck reports objects that cannot be read
                guard let node = try? store.archive.node(at: position) else { continue }
                add(node.entity, node.primaryKey)
            }
            counter = store.archive.header?.primaryKeyGeneration
        } else if let store = store as? XMLStore {
            for object in store.identities { add(object.entity, object.primaryKey) }
            counter = UInt64(clamping: store.lastNumber ?? 0)
            // Identifiers that are not numbers have keys assigned by this reader.
            highest = store.highestNumber
        }
        if let counter, let top = highest ?? entities.keys.max(), top > 0, UInt64(top) > counter {
            groups.add(
                .highestKey, entity: nil, key: top, "the counter is \(counter), and object \(top) exists")
        }
        for gap in store.gaps {
            let found = gap.problem.found.map { ": \($0)" } ?? ""
            groups.add(.unknownColumn, entity: nil, gap.problem.problem + found)
        }
        try checkLinks()
    }

    private mutating func add(_ entity: String, _ key: Int64) {
        if entities.updateValue(entity, forKey: key) != nil || key < 1 {
            groups.add(.primaryKey, entity: entity, key: key, "the key \(key)")
        }
        if store.metadata.versionHashes[entity] == nil, !store.metadata.versionHashes.isEmpty {
            groups.add(.unknownEntity, entity: nil, property: entity, key: key, entity)
        } else if store.model?[entity]?.isAbstract == true {
            groups.add(.abstractEntity, entity: entity, key: key, "object \(key)")
        }
    }

    /// Collects all links, then checks the target and the inverse of each.
    private mutating func checkLinks() throws(FileProblem) {
        struct Link: Hashable {
            var from: Int64
            var name: String
            var to: Int64
        }
        var links: Set<Link> = []
        try store.forEachObject(entity: nil, onDamage: { _ in }) { object in
            for relationship in object.relationships {
                for target in relationship.target.keys {
                    links.insert(Link(from: object.primaryKey, name: relationship.name, to: target))
                }
            }
        }
        for link in links.sorted(by: { ($0.from, $0.name, $0.to) < ($1.from, $1.name, $1.to) }) {
            guard let entity = entities[link.from] else { continue }
            let relationship = store.model?.relationships(of: entity).first { $0.name == link.name }
            let words = "object \(link.from) leads to \(link.to)"
            guard let target = entities[link.to] else {
                groups.add(.danglingKey, entity: entity, property: link.name, key: link.from, words)
                continue
            }
            guard let model = store.model, let relationship else { continue }
            guard model.isEntity(target, kindOf: relationship.destination) else {
                groups.add(
                    .wrongTarget, entity: entity, property: link.name, key: link.from,
                    words + ", which is a \(target)")
                continue
            }
            guard let inverse = relationship.inverse,
                model.inverse(of: relationship)?.relationship.isTransient == false,
                !links.contains(Link(from: link.to, name: inverse, to: link.from))
            else { continue }
            groups.add(
                .oneSidedInverse, entity: entity, property: link.name, key: link.from,
                words + ", which does not lead back")
        }
    }
}

extension StoredRelationship.Target {
    /// The primary keys of all destination objects.
    public var keys: [Int64] {
        switch self {
        case .toOne(let key): key.map { [$0] } ?? []
        case .toMany(let keys): keys
        }
    }
}
