import SystemCalls

/// Checks the keys, entities and relationships of a binary store (core-data-binary-store(5), 1 and 3).
struct BinaryStoreCheck {
    private let store: BinaryStore
    private(set) var groups = FindingGroups()
    private var entities: [Int64: String] = [:]

    init(_ store: BinaryStore) { self.store = store }

    mutating func run() throws(FileProblem) {
        for position in 0..<store.archive.count {
            // try?: ObjectCheck reports objects that cannot be read
            guard let node = try? store.archive.node(at: position) else { continue }
            if entities.updateValue(node.entity, forKey: node.primaryKey) != nil || node.primaryKey < 1 {
                groups.add(
                    .primaryKey, entity: node.entity, key: node.primaryKey, "the key \(node.primaryKey)")
            }
            if store.metadata.versionHashes[node.entity] == nil, !store.metadata.versionHashes.isEmpty {
                groups.add(
                    .unknownEntity, entity: nil, property: node.entity, key: node.primaryKey, node.entity)
            } else if store.model?[node.entity]?.isAbstract == true {
                groups.add(
                    .abstractEntity, entity: node.entity, key: node.primaryKey, "object \(node.primaryKey)")
            }
        }
        if let header = store.archive.header, let top = entities.keys.max(), top > 0,
            UInt64(top) > header.primaryKeyGeneration
        {
            groups.add(
                .highestKey, entity: nil, key: top,
                "the counter is \(header.primaryKeyGeneration), and object \(top) exists")
        }
        try checkLinks()
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
