import CoreDataStore
import KeyedArchive

/// A migration in memory that is as simple as possible, and shares no code with the library.
struct NaiveMigration {
    struct Identity: Hashable {
        var root: String
        var key: Int64
    }

    struct Object: Hashable {
        var entity: String
        var values: [String: ArchivedValue] = [:]
        /// The keys of each relationship as the old object has them.
        var own: [String: [Int64]] = [:]
        /// All keys, with those that follow from inverses.
        var links: [String: Set<Int64>] = [:]
    }

    let old: ManagedObjectModel
    let new: ManagedObjectModel
    /// The old name of each new entity, and the reverse.
    var before: [String: String] = [:]
    var after: [String: String] = [:]
    var objects: [Identity: Object] = [:]
    var reasons: [String] = []
    /// The objects that have others by relationships without inverse.
    private var owners: [String: Identity] = [:]

    init(_ old: ManagedObjectModel, _ new: ManagedObjectModel, _ sources: [StoredObject]) {
        self.old = old
        self.new = new
        before = Self.match(
            old.entities.map { [$0.name, $0.renamingIdentifier ?? $0.name] },
            new.entities.map { [$0.name, $0.renamingIdentifier ?? $0.name] })
        for (now, then) in before { after[then] = now }
        compareModels()
        for source in sources { migrate(source, among: sources) }
        complete()
        checkConstraints()
    }

    /// Pairs of names: first equal identifiers, then equal names.
    static func match(_ old: [[String]], _ new: [[String]]) -> [String: String] {
        var found: [String: String] = [:]
        for one in new {
            if let other = old.first(where: { $0[1] == one[1] }), !found.values.contains(other[0]) {
                found[one[0]] = other[0]
            }
        }
        for one in new where found[one[0]] == nil {
            if old.contains(where: { $0[0] == one[0] }), !found.values.contains(one[0]) {
                found[one[0]] = one[0]
            }
        }
        return found
    }

    func attributes(_ entity: String) -> [String: String] {
        Self.match(
            old.attributes(of: before[entity] ?? "").map { [$0.name, $0.renamingIdentifier ?? $0.name] },
            new.attributes(of: entity).map { [$0.name, $0.renamingIdentifier ?? $0.name] })
    }

    func relationships(_ entity: String) -> [String: String] {
        Self.match(
            old.relationships(of: before[entity] ?? "").map { [$0.name, $0.renamingIdentifier ?? $0.name] },
            new.relationships(of: entity).map { [$0.name, $0.renamingIdentifier ?? $0.name] })
    }

    mutating func compareModels() {
        var roots: [String: Set<String>] = [:]
        for (now, then) in before {
            roots[root(now, new), default: []].insert(root(then, old))
            for (name, former) in attributes(now) {
                let (has, had) = (attribute(name, now, new), attribute(former, then, old))
                if has?.type != had?.type { reasons.append("type of \(now).\(name)") }
            }
            for (name, former) in relationships(now) {
                let (has, had) = (relationship(name, now, new), relationship(former, then, old))
                if after[had?.destination ?? ""] != has?.destination {
                    reasons.append("destination of \(now).\(name)")
                }
            }
        }
        for (root, joined) in roots where joined.count > 1 { reasons.append("hierarchy of \(root)") }
    }

    func root(_ entity: String, _ model: ManagedObjectModel) -> String {
        var entity = entity
        while let above = model[entity]?.superentity { entity = above }
        return entity
    }

    func attribute(_ name: String, _ entity: String, _ model: ManagedObjectModel) -> AttributeDescription? {
        model.attributes(of: entity).first { $0.name == name }
    }

    func relationship(_ name: String, _ entity: String, _ model: ManagedObjectModel)
        -> RelationshipDescription?
    {
        model.relationships(of: entity).first { $0.name == name }
    }

    mutating func migrate(_ source: StoredObject, among sources: [StoredObject]) {
        guard let entity = after[source.entity] else { return }
        if new[entity]?.isAbstract == true { reasons.append("abstract \(entity)") }
        var object = Object(entity: entity)
        let formers = attributes(entity)
        for attribute in new.attributes(of: entity) {
            var value: ArchivedValue = .none
            var isFree = attribute.isOptional
            if let former = formers[attribute.name] {
                value = source.attributes.first { $0.name == former }?.value ?? .none
                let wasOptional = self.attribute(former, source.entity, old)?.isOptional == true
                if value.isNil, !attribute.isOptional, wasOptional {
                    value = attribute.defaultValue ?? .none
                }
                if !wasOptional { isFree = true }
            } else {
                value = attribute.defaultValue ?? .none
            }
            if value.isNil, !isFree { reasons.append("no \(entity).\(attribute.name)") }
            if !value.isNil { object.values[attribute.name] = value }
        }
        for described in new.relationships(of: entity) {
            link(described, source, &object, among: sources)
        }
        objects[Identity(root: root(entity, new), key: source.primaryKey)] = object
    }

    private mutating func link(
        _ described: RelationshipDescription, _ source: StoredObject, _ object: inout Object,
        among sources: [StoredObject]
    ) {
        let name = described.name
        object.own[name] = []
        object.links[name] = []
        var (isStricter, isShort) = (true, false)
        if let former = relationships(object.entity)[name],
            let had = relationship(former, source.entity, old)
        {
            var keys: [Int64] = []
            switch source.relationships.first(where: { $0.name == former })?.target {
            case .toOne(let key?): keys = [key]
            case .toMany(let all): keys = all
            default: break
            }
            let kept = keys.filter { key in
                let target = sources.first {
                    $0.primaryKey == key && root($0.entity, old) == root(had.destination, old)
                }
                guard let now = target.flatMap({ after[$0.entity] }) else { return false }
                return new.isEntity(now, kindOf: described.destination)
            }
            object.own[name] = kept
            object.links[name] = Set(kept)
            isShort = kept.count < keys.count
            isStricter = (0...20).contains { Self.allows($0, had) && !Self.allows($0, described) }
        }
        let count = object.own[name]?.count ?? 0
        if described.maxCount == 1, count > 1 { reasons.append("several \(object.entity).\(name)") }
        guard isStricter || isShort else { return }
        if !described.isOptional, count == 0 { reasons.append("empty \(object.entity).\(name)") }
        if described.maxCount != 1, count > 0, count < described.minCount {
            reasons.append("few \(object.entity).\(name)")
        }
        if described.maxCount > 1, count > described.maxCount {
            reasons.append("many \(object.entity).\(name)")
        }
    }

    /// Whether a relationship may have this number of objects.
    private static func allows(_ count: Int, _ described: RelationshipDescription) -> Bool {
        if count == 0 { return described.isOptional }
        if described.maxCount == 1 { return count == 1 }
        return count >= described.minCount && (described.maxCount <= 0 || count <= described.maxCount)
    }

    private func high(_ described: RelationshipDescription) -> Int {
        described.maxCount > 0 ? described.maxCount : .max
    }

    /// Adds what follows from inverses.
    private mutating func complete() {
        for (identity, object) in objects {
            for described in new.relationships(of: object.entity) {
                guard let inverse = described.inverse else {
                    if described.isToMany { addOwner(identity, described, object) }
                    continue
                }
                for key in object.own[described.name] ?? [] {
                    let target = Identity(root: root(described.destination, new), key: key)
                    objects[target]?.links[inverse, default: []].insert(identity.key)
                }
            }
        }
        for object in objects.values {
            for described in new.relationships(of: object.entity) {
                let count = object.links[described.name]?.count ?? 0
                if count > (object.own[described.name]?.count ?? 0), count > high(described) {
                    reasons.append("inverse \(object.entity).\(described.name)")
                }
            }
        }
    }

    /// Notes that an object has another one, which no second object may have: there is no inverse.
    private mutating func addOwner(
        _ identity: Identity, _ described: RelationshipDescription, _ object: Object
    ) {
        let declaring = new.ancestry(of: object.entity).first { entity in
            entity.relationships.contains { $0.name == described.name }
        }
        for key in object.own[described.name] ?? [] {
            let place = "\(declaring?.name ?? "").\(described.name) \(key)"
            if let other = owners.updateValue(identity, forKey: place), other != identity {
                reasons.append("two owners by \(place)")
            }
        }
    }

    private mutating func checkConstraints() {
        for entity in new.entities {
            for constraint in entity.uniquenessConstraints {
                var seen: Set<[ArchivedValue]> = []
                for object in objects.values where new.isEntity(object.entity, kindOf: entity.name) {
                    let values = constraint.compactMap { object.values[$0] }
                    if values.count == constraint.count, !seen.insert(values).inserted {
                        reasons.append("twice \(entity.name).\(constraint)")
                    }
                }
            }
        }
    }
}
