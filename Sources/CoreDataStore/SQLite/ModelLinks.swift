/// The foreign keys and join tables of a store, from its model.
package struct ModelLinks {
    package private(set) var links: [CheckedForeignKey] = []
    package private(set) var joins: [CheckedJoin] = []
    private let names: ColumnNames
    private let schema: SQLiteSchema

    package init(_ model: ManagedObjectModel, _ entities: StoreEntities, _ schema: SQLiteSchema) {
        names = ColumnNames(model: model, entities: entities)
        self.schema = schema
        for entity in entities.all {
            for relationship in model[entity.name]?.relationships ?? [] where !relationship.isTransient {
                guard let destination = entities[relationship.destination] else { continue }
                if let link = link(relationship, of: entity, to: destination) { links.append(link) }
            }
        }
        for pair in names.joinPairs() {
            if let join = join(pair) { joins.append(join) }
        }
    }

    private func link(
        _ relationship: RelationshipDescription, of entity: StoreEntity, to destination: StoreEntity
    ) -> CheckedForeignKey? {
        let entities = names.entities
        let key = PropertyKey(entity: entity.name, name: relationship.name)
        guard let column = names.columns[key] else { return nil }
        // A to-many relationship without inverse has its key in the rows of the destination.
        let (row, target) = relationship.isToMany ? (destination, entity) : (entity, destination)
        let (table, targetTable) = (entities.tableName(of: row), entities.tableName(of: target))
        guard schema.tables[table]?.has(column) == true, schema.tables[targetTable] != nil else { return nil }
        var link = CheckedForeignKey(
            entity: entity.name, property: relationship.name, table: table, column: column,
            owners: entities.subtree(of: row), targetTable: targetTable, targets: entities.subtree(of: target)
        )
        if !relationship.isToMany {
            link.entityColumn = names.entityColumns[key].flatMap { name in
                schema.tables[table]?.has(name) == true ? name : nil
            }
            link.inverseColumn = inverseColumn(of: relationship, in: targetTable)
        }
        return link
    }

    private func inverseColumn(of relationship: RelationshipDescription, in table: String) -> String? {
        guard let inverse = names.model.inverse(of: relationship), !inverse.relationship.isToMany,
            !inverse.relationship.isTransient,
            let column = names.columns[PropertyKey(entity: inverse.entity, name: inverse.relationship.name)],
            schema.tables[table]?.has(column) == true
        else { return nil }
        return column
    }

    private func join(_ pair: JoinPair) -> CheckedJoin? {
        let entities = names.entities
        guard let sides = pair.sides(in: schema), let first = entities[pair.first.entity],
            let second = entities[pair.second.entity]
        else { return nil }
        func side(_ entity: StoreEntity, _ column: String, _ order: String?) -> CheckedJoin.Side? {
            let table = entities.tableName(of: entity)
            guard schema.tables[table] != nil else { return nil }
            return CheckedJoin.Side(
                column: column, table: table, entities: entities.subtree(of: entity), order: order)
        }
        guard let one = side(first, sides.first.owner, sides.second.order),
            let other = side(second, sides.first.target, sides.first.order)
        else { return nil }
        return CheckedJoin(
            entity: pair.first.entity, property: pair.first.name, table: sides.first.table, first: one,
            second: other, isReflexive: pair.isReflexive)
    }
}
