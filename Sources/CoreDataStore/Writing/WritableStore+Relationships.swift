public import SystemCalls

extension WritableStore {
    /// Sets a to-one relationship and its inverse; nil clears it.
    /// - Throws: `.unknownName` if the entity lacks it, `.refused` if it is to-many, or the target has a wrong entity.
    public func setToOne(
        _ name: String, of object: StoreObjectID, to target: StoreObjectID?
    ) throws(FileProblem) {
        let writable = try writable(object)
        let relationship = try relationship(name, of: writable, target)
        guard case .toOne(let column, let back) = relationship.storage else {
            throw FileProblem(
                .refused, path: path, "“\(writable.entity.name).\(name)” is a to-many relationship",
                advice: "Look at the change with ticds-changes dump")
        }
        try run { () throws(SQLiteError) in
            try set(column, back, of: object, to: target, relationship.targets)
        }
    }

    /// Sets the key in the row of the object, and the inverse keys in the rows of the old and new targets.
    func set(
        _ column: KeyColumn, _ back: KeyColumn?, of object: StoreObjectID, to target: StoreObjectID?,
        _ targets: RootTable
    ) throws(SQLiteError) {
        let old = try column.key(in: object.primaryKey)
        if old == target?.primaryKey, back == nil || target == nil { return }
        if let old {
            targets.touch(old)
            if let back, try back.key(in: old) == object.primaryKey { try back.set(nil, in: old) }
        }
        if let target {
            targets.touch(target.primaryKey)
            if let back {
                if let former = try back.key(in: target.primaryKey), former != object.primaryKey,
                    try column.key(in: former) == target.primaryKey
                {
                    try column.set(nil, in: former)
                    column.table.touch(former)
                }
                try back.set(object, in: target.primaryKey)
            }
        }
        try column.set(target, in: object.primaryKey)
        column.table.touch(object.primaryKey)
    }

    /// Adds an object to a to-many relationship, at the end if it is ordered, and sets the inverse.
    /// - Throws: like `setToOne`.
    public func add(
        _ target: StoreObjectID, to name: String, of object: StoreObjectID
    ) throws(FileProblem) {
        let writable = try writable(object)
        let relationship = try relationship(name, of: writable, target)
        try run { () throws(SQLiteError) in
            switch relationship.storage {
            case .join(let rows):
                guard try rows.add(object.primaryKey, target.primaryKey) else { return }
            case .keysOfTargets(let column):
                let old = try column.key(in: target.primaryKey)
                if old == object.primaryKey { return }
                if let old { writable.table.touch(old) }
                try column.set(object, in: target.primaryKey)
            case .toOne(let column, let back):
                return try set(column, back, of: object, to: target, relationship.targets)
            }
            writable.table.touch(object.primaryKey)
            relationship.targets.touch(target.primaryKey)
        }
    }

    /// Removes an object from a to-many relationship, and clears the inverse. Does nothing if it is not a member.
    /// - Throws: like `setToOne`.
    public func remove(
        _ target: StoreObjectID, from name: String, of object: StoreObjectID
    ) throws(FileProblem) {
        let writable = try writable(object)
        let relationship = try relationship(name, of: writable, target)
        try run { () throws(SQLiteError) in
            switch relationship.storage {
            case .join(let rows):
                guard try rows.remove(object.primaryKey, target.primaryKey) else { return }
            case .keysOfTargets(let column):
                guard try column.key(in: target.primaryKey) == object.primaryKey else { return }
                try column.set(nil, in: target.primaryKey)
            case .toOne(let column, let back):
                guard try column.key(in: object.primaryKey) == target.primaryKey else { return }
                return try set(column, back, of: object, to: nil, relationship.targets)
            }
            writable.table.touch(object.primaryKey)
            relationship.targets.touch(target.primaryKey)
        }
    }

    private func relationship(
        _ name: String, of writable: WritableEntity, _ target: StoreObjectID?
    ) throws(FileProblem) -> WritableRelationship {
        guard let position = writable.relationshipPositions[name] else {
            throw unknown("“\(writable.entity.name)” has no relationship “\(name)”")
        }
        let relationship = writable.relationships[position]
        if let target, !relationship.targetEntities.contains(target.entity) {
            throw FileProblem(
                .refused, path: path, "“\(writable.entity.name).\(name)” does not lead to such objects",
                expected: relationship.description.destination, found: entityName(of: target),
                advice: "Look at the change with ticds-changes dump, and at the model with ticds-model show")
        }
        return relationship
    }
}
