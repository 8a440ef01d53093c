/// A foreign-key column from one table to another.
package struct CheckedForeignKey {
    /// The entity that declares the relationship.
    package var entity: String
    /// The name of the relationship, or of the column without a model.
    package var property: String
    package var table: String
    package var column: String
    /// The numbers of the entities whose rows have the column; nil for all rows of the table.
    package var owners: [Int]?
    package var targetTable: String
    /// The numbers of the possible target entities.
    package var targets: [Int]
    /// The column with the entity number of the target.
    package var entityColumn: String?
    /// The column of the target with the inverse key of a one-to-one relationship.
    package var inverseColumn: String?
}

/// A join table and its two key columns.
package struct CheckedJoin {
    package struct Side {
        package var column: String
        package var table: String
        package var entities: [Int]
        /// The column with the positions of these objects in the ordered relationship of the other side.
        package var order: String?
    }

    package var entity: String
    package var property: String
    package var table: String
    package var first: Side
    package var second: Side
    /// Whether the relationship is its own inverse, so that the table has every pair in both directions.
    package var isReflexive = false
}

extension StoreEntities {
    /// The numbers of the entity and all its subentities.
    package func subtree(of entity: StoreEntity) -> [Int] {
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
