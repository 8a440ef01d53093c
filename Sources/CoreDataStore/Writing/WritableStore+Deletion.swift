import KeyedArchive
public import SystemCalls

extension WritableStore {
    /// Deletes objects together, with the objects that delete rules reach, and clears every reference to them,
    /// including those that Core Data would keep (delete rule No Action, relationships without inverse).
    /// - Returns: the objects that the rule Deny keeps; they, and the objects that they would reach, still exist.
    public func delete(_ objects: [StoreObjectID]) throws(FileProblem) -> [StoreObjectID] {
        var going: Set<StoreObjectID> = []
        var order: [StoreObjectID] = []
        var denied: [StoreObjectID] = []
        let asked = Set(objects)
        for object in objects where !going.contains(object) {
            guard let reached = try reached(from: object, going, asked) else {
                denied.append(object)
                continue
            }
            going.formUnion(reached)
            order += reached
        }
        try erase(order)
        return denied
    }

    /// Deletes objects and clears every reference to them, ignoring delete rules.
    public func erase(_ objects: [StoreObjectID]) throws(FileProblem) {
        for object in objects { try unlink(object) }
        for object in objects { try remove(object) }
    }

    /// The objects that the delete rules reach from `objects`. Changes nothing.
    public func reach(of objects: [StoreObjectID]) throws(FileProblem) -> DeletionReach<StoreObjectID> {
        try DeletionReach(of: objects) { (object) throws(FileProblem) in
            let writable = try writable(object)
            guard writable.hasDeleteRules else { return [] }
            var links: [DeletionReach<StoreObjectID>.Link] = []
            for relationship in writable.relationships {
                let rule = relationship.description.deleteRule
                guard rule == .cascade || rule == .deny else { continue }
                for target in try targets(of: object.primaryKey, relationship) {
                    links.append(DeletionReach.Link(target: target, denies: rule == .deny))
                }
            }
            return links
        }
    }

    /// Clears all attributes of an object, including its identifier, and keeps its relationships. Constraints of the
    /// store no longer see its values, and `object(_:_:)` no longer finds it.
    public func clearAttributes(of object: StoreObjectID) throws(FileProblem) {
        for attribute in try writable(object).attributes {
            try set(attribute.description.name, of: object, to: .none)
        }
    }

    /// The name of an object's entity, and its identifier; nil if the object no longer exists.
    public func name(of object: StoreObjectID) throws(FileProblem) -> (entity: String, identifier: String?)? {
        let writable = try writable(object)
        let found = try run { () throws(SQLiteError) in try writable.table.object(object.primaryKey) }
        return found == object ? (writable.entity.name, try identifier(of: object, writable)) : nil
    }

    /// The object and all objects that its deletion reaches, except those in `going`; nil if the rule Deny applies.
    private func reached(
        from object: StoreObjectID, _ going: Set<StoreObjectID>, _ asked: Set<StoreObjectID>
    ) throws(FileProblem) -> [StoreObjectID]? {
        var reached = [object]
        var seen: Set<StoreObjectID> = [object]
        var keepers: [StoreObjectID] = []
        var position = 0
        while position < reached.count {
            let writable = try writable(reached[position])
            if writable.hasDeleteRules {
                for relationship in writable.relationships {
                    let rule = relationship.description.deleteRule
                    guard rule == .cascade || rule == .deny else { continue }
                    let targets = try targets(of: reached[position].primaryKey, relationship)
                    for target in targets where !going.contains(target) {
                        if rule == .deny {
                            keepers.append(target)
                        } else if seen.insert(target).inserted {
                            reached.append(target)
                        }
                    }
                }
            }
            position += 1
        }
        return keepers.allSatisfy { seen.contains($0) || asked.contains($0) } ? reached : nil
    }

    private func targets(
        of primaryKey: Int64, _ relationship: WritableRelationship
    ) throws(FileProblem) -> [StoreObjectID] {
        try run { () throws(SQLiteError) in
            var targets: [StoreObjectID] = []
            for key in try Self.targetKeys(of: primaryKey, relationship) {
                guard let target = try relationship.targets.object(key), entities[target.entity] != nil else {
                    continue
                }
                targets.append(target)
            }
            return targets
        }
    }

    private static func targetKeys(
        of primaryKey: Int64, _ relationship: WritableRelationship
    ) throws(SQLiteError) -> [Int64] {
        switch relationship.storage {
        case .toOne(let column, _): try column.key(in: primaryKey).map { [$0] } ?? []
        case .keysOfTargets(let column): try column.rows(with: primaryKey)
        case .join(let rows): try rows.targets(of: primaryKey)
        }
    }

    /// Clears all references to an object.
    private func unlink(_ object: StoreObjectID) throws(FileProblem) {
        let writable = try writable(object)
        try run { () throws(SQLiteError) in
            for relationship in writable.relationships {
                let keys = try Self.targetKeys(of: object.primaryKey, relationship)
                for key in keys { relationship.targets.touch(key) }
                switch relationship.storage {
                case .toOne(_, let back):
                    for row in try back?.rows(with: object.primaryKey) ?? [] { try back?.set(nil, in: row) }
                case .keysOfTargets(let column):
                    for key in keys { try column.set(nil, in: key) }
                case .join(let rows): try rows.removeAll(of: object.primaryKey, keys)
                }
            }
            for column in writable.referring {
                for row in try column.rows(with: object.primaryKey) {
                    try column.set(nil, in: row)
                    column.table.touch(row)
                }
            }
        }
    }

    private func remove(_ object: StoreObjectID) throws(FileProblem) {
        let writable = try writable(object)
        if let text = try identifier(of: object, writable) {
            removeIdentifier(text, root: writable.entity.root, object)
        }
        try run { () throws(SQLiteError) in
            try layout.forget(object.primaryKey, in: writable.table)
            try writable.table.deleteRow(object.primaryKey)
        }
    }
}
