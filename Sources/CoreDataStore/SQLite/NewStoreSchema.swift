/// The tables of a new store for a model, as Core Data 358 to 519 creates them (core-data-sqlite-store(5), 2.3, 3.4,
/// 3.6 and 8).
package struct NewStoreSchema {
    package struct Table {
        var root: StoreEntity
        package var name: String
        /// The columns without Z_PK, Z_ENT and Z_OPT, which every table has.
        package var columns: [SQLiteSchema.Column]
    }

    let names: ColumnNames
    package let tables: [Table]
    /// The join tables with the sides of the pair, in the order of the pairs.
    let joins: [(pair: JoinPair, first: JoinSide, second: JoinSide)]

    package init(_ names: ColumnNames) {
        self.names = names
        tables = names.entities.all.filter { $0.superentity == 0 }.map { root in
            Table(root: root, name: names.entities.tableName(of: root), columns: Self.columns(names, root))
        }
        var taken: Set<String> = []
        joins = names.joinPairs().map { pair in
            var columns = pair.columns
            for index in columns.indices where columns[index] != "REFLEXIVE" {
                columns[index] = ColumnNames.unusedName(columns[index], &taken).name
            }
            let sides = pair.sides(table: pair.tableNames[0], columns: columns) { _ in true }
            return (pair, sides.first, sides.second)
        }
    }

    private static func columns(_ names: ColumnNames, _ root: StoreEntity) -> [SQLiteSchema.Column] {
        let family = names.entities.family(of: root.number).compactMap { names.model[$0.name] }
        var columns: [SQLiteSchema.Column] = []
        func add(_ name: String?, _ type: String) {
            if let name { columns.append(SQLiteSchema.Column(name: name, declaredType: type)) }
        }
        func addAttributes(of entity: EntityDescription, _ types: [AttributeType]) {
            for attribute in entity.attributes where attribute.isStored && types.contains(attribute.type) {
                add(
                    names.columns[PropertyKey(entity: entity.name, name: attribute.name)],
                    attribute.type.declared)
            }
        }
        let toOnes = family.flatMap { entity in
            entity.relationships.filter { !$0.isToMany && !$0.isTransient }.map {
                PropertyKey(entity: entity.name, name: $0.name)
            }
        }
        for entity in family {
            addAttributes(of: entity, [.integer16, .integer32, .integer64, .boolean])
            for key in toOnes where key.entity == entity.name {
                add(names.columns[key], "INTEGER")
                add(names.entityColumns[key], "INTEGER")
            }
        }
        let others = names.relationshipsWithoutInverse(into: root.number).map(\.key)
        for key in others { add(names.columns[key], "INTEGER") }
        for key in toOnes + others { add(names.orderColumns[key], "INTEGER") }
        let groups: [[AttributeType]] = [
            [.date, .double, .float], [.decimal], [.string], [.uri], [.uuid], [.transformable], [.binary],
        ]
        for types in groups {
            for entity in family { addAttributes(of: entity, types) }
        }
        return columns
    }
}

extension AttributeType {
    /// The type in a CREATE statement (core-data-sqlite-store(5), 2.3).
    var declared: String {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: "INTEGER"
        case .date: "TIMESTAMP"
        case .double, .float: "FLOAT"
        case .decimal: "DECIMAL"
        case .string, .uri: "VARCHAR"
        case .uuid, .transformable, .binary, .undefined, .objectID, .composite: "BLOB"
        }
    }
}
