/// The links of a store without a model, as far as column names show the target (core-data-sqlite-store(5), 3 and 6).
package struct SchemaLinks {
    package private(set) var links: [CheckedForeignKey] = []
    package private(set) var joins: [CheckedJoin] = []
    /// The number of to-one relationships with an unknown target.
    package private(set) var unknown = 0
    private let entities: StoreEntities
    private let schema: SQLiteSchema

    package init(_ layouts: [EntityLayout], _ entities: StoreEntities, _ schema: SQLiteSchema) {
        self.entities = entities
        self.schema = schema
        let roots = layouts.filter { $0.entity.superentity == 0 }
        let tables = Set(entities.all.map { entities.tableName(of: $0) })
        for layout in roots { addLinks(layout) }
        for table in schema.tables.values.sorted(by: { $0.name < $1.name })
        where table.name.hasPrefix("Z_") && !tables.contains(table.name) {
            if let join = join(table) { joins.append(join) }
        }
    }

    private mutating func addLinks(_ layout: EntityLayout) {
        guard let table = schema.tables[layout.table] else { return }
        let keys = layout.relationships.compactMap { relationship -> String? in
            if case .column(let column) = relationship.storage { column } else { nil }
        }
        for column in keys {
            let name = String(column.dropFirst())
            let beside = table.columns.map(\.name).first {
                SchemaLayout.number(in: $0.dropFirst())?.rest == "_" + name
            }
            guard let beside, let number = SchemaLayout.number(in: beside.dropFirst())?.number,
                let target = entities[number], schema.tables[entities.tableName(of: target)] != nil
            else {
                unknown += 1
                continue
            }
            var found = link(layout, column, to: target)
            found.entityColumn = beside
            links.append(found)
        }
        for column in table.columns.map(\.name) {
            guard let (number, rest) = SchemaLayout.number(in: column.dropFirst()), !rest.hasPrefix("_"),
                let owner = entities[number], schema.tables[entities.tableName(of: owner)] != nil
            else { continue }
            links.append(link(layout, column, to: owner))
        }
    }

    private func link(_ layout: EntityLayout, _ column: String, to target: StoreEntity) -> CheckedForeignKey {
        CheckedForeignKey(
            entity: layout.entity.name, property: column, table: layout.table, column: column, owners: nil,
            targetTable: entities.tableName(of: target), targets: entities.subtree(of: target))
    }

    /// The join table with its sides: the column `Z_<n><REL>` contains keys of entity number n.
    private func join(_ table: SQLiteSchema.Table) -> CheckedJoin? {
        let keys = table.columns.map(\.name).filter { !$0.hasPrefix("Z_FOK_") && $0 != "FOK_REFLEXIVE" }
        guard keys.count == 2 else { return nil }
        func side(_ column: String, like other: String) -> CheckedJoin.Side? {
            let named = column == "REFLEXIVE" ? other : column
            guard named.hasPrefix("Z_"), let number = SchemaLayout.number(in: named.dropFirst(2))?.number,
                let entity = entities[number]
            else { return nil }
            let name = entities.tableName(of: entity)
            let order = JoinSide.orderColumn(of: column)
            return schema.tables[name] == nil
                ? nil
                : CheckedJoin.Side(
                    column: column, table: name, entities: entities.subtree(of: entity),
                    order: table.has(order) ? order : nil)
        }
        guard let first = side(keys[0], like: keys[1]), let second = side(keys[1], like: keys[0]) else {
            return nil
        }
        return CheckedJoin(
            entity: entities[first.entities[0]]?.name ?? "", property: table.name, table: table.name,
            first: first, second: second, isReflexive: keys.contains("REFLEXIVE"))
    }
}
