/// The layout of a store without a model, from its tables alone (core-data-sqlite-store(5), 6). Names are in upper
/// case, some types are guesses, and every entity has the columns of all entities of its table.
package struct SchemaLayout {
    private let entities: StoreEntities
    private let schema: SQLiteSchema
    package private(set) var layouts: [EntityLayout] = []

    /// - Parameter only: the only entity whose layout is wanted; nil for all.
    package init(entities: StoreEntities, schema: SQLiteSchema, only: StoreEntity? = nil) {
        self.entities = entities
        self.schema = schema
        let links = toManyRelationships()
        var rows:
            [String: (attributes: [EntityLayout.Attribute], relationships: [EntityLayout.Relationship])] =
                [:]
        for entity in only.map({ [$0] }) ?? entities.all {
            guard let table = schema.tables[entities.tableName(of: entity)] else { continue }
            let row = rows[table.name] ?? properties(of: table)
            rows[table.name] = row
            let toMany = ancestry(of: entity).flatMap { links[$0, default: []] }
            layouts.append(
                EntityLayout(
                    entity: entity, table: table.name, attributes: row.attributes,
                    relationships: row.relationships + toMany))
        }
    }

    private func properties(
        of table: SQLiteSchema.Table
    ) -> (attributes: [EntityLayout.Attribute], relationships: [EntityLayout.Relationship]) {
        var attributes: [EntityLayout.Attribute] = []
        var relationships: [EntityLayout.Relationship] = []
        let entityColumns = Set(
            table.columns.compactMap { column -> String? in
                guard let rest = Self.number(in: column.name.dropFirst())?.rest, rest.hasPrefix("_") else {
                    return nil
                }
                return String(rest.dropFirst())
            })
        for column in table.columns where column.name.hasPrefix("Z") && isProperty(column.name) {
            let name = String(column.name.dropFirst())
            let isKey = entityColumns.contains(name) || schema.hasIndex("\(table.name)_\(column.name)_INDEX")
            if column.declaredType == "INTEGER", isKey {
                relationships.append(EntityLayout.Relationship(name: name, storage: .column(column.name)))
            } else {
                attributes.append(
                    EntityLayout.Attribute(
                        name: name, column: column.name, type: Self.type(of: column),
                        allowsExternalStorage: false))
            }
        }
        return (attributes, relationships)
    }

    /// Whether the column belongs to a property of the entity, and not to Core Data or a relationship of another
    /// entity.
    private func isProperty(_ column: String) -> Bool {
        !["Z_PK", "Z_ENT", "Z_OPT"].contains(column) && !column.hasPrefix("Z_FOK_")
            && Self.number(in: column.dropFirst()) == nil
    }

    static func type(of column: SQLiteSchema.Column) -> AttributeType {
        switch column.declaredType {
        case "INTEGER": .integer64
        case "TIMESTAMP": .date
        case "FLOAT": .double
        case "DECIMAL": .decimal
        case "VARCHAR": .string
        case "BLOB": .transformable
        default: .undefined
        }
    }

    /// The number at the start of a name such as `14PARAMETERS` or `6_FOLDER`, and the rest.
    package static func number(in name: Substring) -> (number: Int, rest: String)? {
        let digits = name.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number > 0, digits.count < name.count else { return nil }
        return (number, String(name.dropFirst(digits.count)))
    }

    /// The numbers of the entity and its superentities, from the root entity.
    private func ancestry(of entity: StoreEntity) -> [Int] {
        var numbers = [entity.number]
        while let above = entities[numbers[numbers.count - 1]]?.superentity, above != 0 {
            numbers.append(above)
        }
        return numbers.reversed()
    }

    /// The to-many relationships that names reveal, by the number of the declaring entity: join tables, and key columns
    /// of relationships without inverse.
    private func toManyRelationships() -> [Int: [EntityLayout.Relationship]] {
        var links: [Int: [EntityLayout.Relationship]] = [:]
        let entityTables = Set(entities.all.map { entities.tableName(of: $0) })
        for table in schema.tables.values.sorted(by: { $0.name < $1.name }) {
            if entityTables.contains(table.name) {
                for column in table.columns {
                    guard let (number, rest) = Self.number(in: column.name.dropFirst()), !rest.hasPrefix("_")
                    else { continue }
                    let order = "Z_FOK_" + column.name.dropFirst()
                    let side = JoinSide(
                        table: table.name, owner: column.name, target: "Z_PK",
                        order: table.has(order) ? order : nil)
                    links[number, default: []].append(
                        EntityLayout.Relationship(name: rest, storage: .rows(side)))
                }
            } else if table.name.hasPrefix("Z_") {
                for (number, relationship) in Self.join(table) {
                    links[number, default: []].append(relationship)
                }
            }
        }
        return links
    }

    /// Both sides of a join table. A column with keys has the name of the relationship that leads to these objects.
    private static func join(_ table: SQLiteSchema.Table) -> [(Int, EntityLayout.Relationship)] {
        let keys = table.columns.map(\.name).filter { $0.hasPrefix("Z_") && !$0.hasPrefix("Z_FOK_") }
        let parts = keys.compactMap { number(in: $0.dropFirst(2)) }
        let isReflexive = keys.count == 1 && table.has("REFLEXIVE")
        guard parts.count == keys.count, keys.count == 2 || isReflexive else { return [] }
        let columns = isReflexive ? [keys[0], "REFLEXIVE"] : keys
        return (0..<(isReflexive ? 1 : 2)).map { side in
            let target = columns[1 - side]
            let order = JoinSide.orderColumn(of: target)
            let join = JoinSide(
                table: table.name, owner: columns[side], target: target, order: table.has(order) ? order : nil
            )
            let name = isReflexive ? parts[0].rest : parts[1 - side].rest
            return (parts[side].number, EntityLayout.Relationship(name: name, storage: .rows(join)))
        }
    }
}
