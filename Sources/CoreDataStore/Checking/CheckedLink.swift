/// A key column that leads from the rows of one table to those of another.
struct CheckedLink {
    /// The entity that declares the relationship, and its name or that of the column.
    var entity: String
    var property: String
    var table: String
    var column: String
    /// Numbers of the entities whose rows have the column; nil for all of the table.
    var owners: [Int]?
    var targetTable: String
    /// Numbers of the entities that the target may be of.
    var targets: [Int]
    /// The column with the number of the target's entity.
    var entityColumn: String?
    /// The target's column with the key back, of a one-to-one relationship.
    var inverseColumn: String?
}

/// A join table, and of what its two key columns are.
struct CheckedJoin {
    struct Side {
        var column: String
        var table: String
        var entities: [Int]
        /// The column with the places of these objects in the lists of the other side.
        var order: String?
    }

    var entity: String
    var property: String
    var table: String
    var first: Side
    var second: Side
    /// Whether the relationship is its own inverse, so that every pair is there in both directions.
    var isReflexive = false
}

extension StoreEntities {
    /// The entity and everything below it, by number.
    func subtree(of entity: StoreEntity) -> [Int] {
        family(of: entity.root).filter { isEntity($0, below: entity.number) }.map(\.number)
    }

    private func isEntity(_ entity: StoreEntity, below ancestor: Int) -> Bool {
        var current: StoreEntity? = entity
        while let level = current {
            if level.number == ancestor { return true }
            current = level.superentity == 0 ? nil : self[level.superentity]
        }
        return false
    }
}
