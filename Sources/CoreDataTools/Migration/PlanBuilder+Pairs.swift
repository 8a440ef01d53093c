import CoreDataStore

/// Links that can contradict those of the inverse.
extension PlanBuilder {
    /// Adds the checks of links that can contradict those of the inverse.
    mutating func addPairs(_ place: Int, _ origins: [PropertyKey: LinkOrigins]) {
        guard let destination = plans[place].destination?.name else { return }
        for index in plans[place].relationships.indices {
            let relationship = plans[place].relationships[index].relationship
            guard let key = new.declaration(of: relationship.name, in: destination) else { continue }
            guard let inverse = new.storedInverse(of: relationship) else {
                plans[place].relationships[index].pairs = owners(key, relationship, origins[key])
                continue
            }
            let (own, other) = (origins[key] ?? LinkOrigins(), origins[inverse.key] ?? LinkOrigins())
            let isFirst = (key.entity, key.name) <= (inverse.key.entity, inverse.key.name)
            if isConsistent(own, other, relationship, inverse.relationship) {
                plans[place].relationships[index].isImplied =
                    followsFromInverse(own, other)
                    && relationship.isToMany && !relationship.isOrdered
                    && (!inverse.relationship.isToMany || inverse.relationship.isOrdered || !isFirst)
                continue
            }
            let names = [key, inverse.key].map { "\($0.entity).\($0.name)" }.sorted()
            pairNumbers[names] = pairNumbers[names] ?? Int64(pairNumbers.count)
            let (most, otherMost) = (relationship.most, inverse.relationship.most)
            plans[place].relationships[index].pairs = PairPlan(
                number: pairNumbers[names] ?? 0, isFirst: isFirst, isReflexive: key == inverse.key,
                mostSeconds: isFirst ? most : otherMost, mostFirsts: isFirst ? otherMost : most)
        }
    }

    /// The check that no two objects lead to one by a to-many relationship without inverse: an SQLite store has the
    /// owner in the row of the target. Nil if the objects of the old store cannot do so.
    private mutating func owners(
        _ key: PropertyKey, _ relationship: RelationshipDescription, _ origins: LinkOrigins?
    ) -> PairPlan? {
        guard kind == .sqlite, relationship.isToMany, let origins else { return nil }
        if keepsKeys, origins.isKnown {
            guard let before = origins.formers.first else { return nil }
            let isInRows = store is SQLiteStore && isToManyWithoutInverse(before)
            if isInRows || former(before)?.isInverseSingle == true { return nil }
        }
        let names = ["\(key.entity).\(key.name)"]
        pairNumbers[names] = pairNumbers[names] ?? Int64(pairNumbers.count)
        return PairPlan(
            number: pairNumbers[names] ?? 0, isFirst: true, isReflexive: false, mostSeconds: nil,
            mostFirsts: 1)
    }

    /// Whether an old relationship is to-many and has no inverse.
    private func isToManyWithoutInverse(_ key: PropertyKey) -> Bool {
        old[key.entity]?.relationships.contains {
            $0.name == key.name && $0.isToMany && $0.inverse == nil
        } == true
    }

    /// The origins of the links of each new relationship.
    var origins: [PropertyKey: LinkOrigins] {
        var origins: [PropertyKey: LinkOrigins] = [:]
        for plan in plans {
            guard let destination = plan.destination?.name else { continue }
            for relationship in plan.relationships {
                guard let key = new.declaration(of: relationship.relationship.name, in: destination) else {
                    continue
                }
                switch relationship.way {
                case .empty: origins[key, default: LinkOrigins()].isPartial = true
                case .computed: origins[key, default: LinkOrigins()].isUnknown = true
                case .copied(let name, _):
                    if let former = old.declaration(of: name, in: plan.source) {
                        origins[key, default: LinkOrigins()].formers.insert(former)
                    }
                }
            }
        }
        return origins
    }

    /// Whether the links of a relationship and its inverse agree because those in the old store do.
    private func isConsistent(
        _ own: LinkOrigins, _ other: LinkOrigins, _ relationship: RelationshipDescription,
        _ inverse: RelationshipDescription
    ) -> Bool {
        if relationship.most == nil, inverse.most == nil { return true }
        guard keepsKeys, own.isKnown, other.isKnown else { return false }
        switch (own.formers.first, other.formers.first) {
        case (nil, nil): return true
        case (let one?, let two?): return former(one)?.inverse == two && former(two)?.inverse == one
        case (let one?, nil):
            return inverse.most == nil || !inverse.isToMany && former(one)?.isInverseSingle == true
        case (nil, let two?):
            return relationship.most == nil || !relationship.isToMany && former(two)?.isInverseSingle == true
        }
    }

    /// Whether the old store has the links of two relationships in one place, so that it is enough to write one of them.
    private func followsFromInverse(_ own: LinkOrigins, _ other: LinkOrigins) -> Bool {
        guard store is SQLiteStore, keepsKeys, own.isKnown, other.isKnown, !other.isPartial,
            let one = own.formers.first, let two = other.formers.first, one != two,
            former(one)?.inverse == two, former(two)?.inverse == one
        else { return false }
        return former(one)?.isInverseSingle == false || former(two)?.isInverseSingle == false
    }

    private func former(_ key: PropertyKey) -> (inverse: PropertyKey?, isInverseSingle: Bool)? {
        guard let relationship = old[key.entity]?.relationships.first(where: { $0.name == key.name }) else {
            return nil
        }
        let inverse = old.storedInverse(of: relationship)
        return (inverse?.key, inverse?.relationship.isToMany == false)
    }
}

/// The origins of the links of a new relationship.
struct LinkOrigins {
    /// The old relationships.
    var formers: Set<PropertyKey> = []
    /// Whether some objects get no links.
    var isPartial = false
    /// Whether some links are calculated.
    var isUnknown = false

    /// Whether at most one old relationship has all links.
    var isKnown: Bool { !isUnknown && formers.count <= 1 }
}

extension RelationshipDescription {
    /// The largest number of destination objects; nil for any.
    fileprivate var most: Int? { maxCount > 0 ? maxCount : nil }
}
