/// A foreign-key column from one table to another.
struct CheckedForeignKey {
    /// The entity that declares the relationship.
    var entity: String
    /// The name of the relationship, or of the column without a model.
    var property: String
    var table: String
    var column: String
    /// The numbers of the entities whose rows have the column; nil for all rows of the table.
    var owners: [Int]?
    var targetTable: String
    /// The numbers of the possible target entities.
    var targets: [Int]
    /// The column with the entity number of the target.
    var entityColumn: String?
    /// The column of the target with the inverse key of a one-to-one relationship.
    var inverseColumn: String?
}

/// A join table and its two key columns.
struct CheckedJoin {
    struct Side {
        var column: String
        var table: String
        var entities: [Int]
        /// The column with the positions of these objects in the ordered relationship of the other side.
        var order: String?
    }

    var entity: String
    var property: String
    var table: String
    var first: Side
    var second: Side
    /// Whether the relationship is its own inverse, so that the table has every pair in both directions.
    var isReflexive = false
}

extension StoreEntities {
    /// The numbers of the entity and all its subentities.
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
