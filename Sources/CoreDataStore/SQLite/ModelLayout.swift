/// The layout of a store by its model, and the differences between the model and the tables.
package struct ModelLayout {
    private let names: ColumnNames
    private let schema: SQLiteSchema
    private var joins: [PropertyKey: JoinSide] = [:]
    private var absent: [String] = []
    package private(set) var layouts: [EntityLayout] = []

    /// Notes about entities with former names, and about the properties that are left out.
    package var notes: [StoreNote] {
        let renamed = names.entities.renamed.map {
            StoreNote(
                code: "entityRenamed",
                text: "the store still calls the entity “\($0.name)” by its former name “\($0.storedName)”")
        }
        guard !absent.isEmpty else { return renamed }
        let shown =
            absent.prefix(5).joined(separator: ", ")
            + (absent.count > 5 ? " and \(absent.count - 5) more" : "")
        let text = "the tables lack columns for parts of the model, which are left out: \(shown)"
        return renamed + [StoreNote(code: "schemaMismatch", text: text)]
    }

    /// - Parameter unexplained: the entities with rows that the model does not have, or says are abstract.
    package init(
        model: ManagedObjectModel, entities: StoreEntities, schema: SQLiteSchema,
        unexplained: Set<String> = []
    ) {
        names = ColumnNames(model: model, entities: entities)
        self.schema = schema
        for pair in names.joinPairs() {
            guard let sides = pair.sides(in: schema) else { continue }
            joins[pair.first] = sides.first
            if !pair.isReflexive { joins[pair.second] = sides.second }
        }
        for entity in entities.all {
            if model[entity.name]?.isAbstract == false || unexplained.contains(entity.name) {
                layouts.append(model[entity.name] == nil ? unknownLayout(entity) : layout(entity))
            }
        }
    }

    /// The parts of a composite attribute, each with the name of the attribute, a full stop, and the rest of the name of
    /// its column, in upper case. A column belongs to the attribute if it begins with its name and is of no other.
    private func parts(
        of attribute: AttributeDescription, _ entity: StoreEntity, _ table: SQLiteSchema.Table?
    ) -> [EntityLayout.Attribute] {
        guard let table else { return [] }
        let taken = columnsOfModel(in: entity.root)
        let prefix = "Z" + attribute.name.uppercased()
        return table.columns.compactMap { column in
            let rest = column.name.dropFirst(prefix.count).drop { "_.".contains($0) }
            guard column.name.hasPrefix(prefix), !rest.isEmpty, !taken.contains(column.name) else {
                return nil
            }
            return EntityLayout.Attribute(
                name: "\(attribute.name).\(rest)", column: column.name, type: SchemaLayout.type(of: column),
                allowsExternalStorage: false)
        }
    }

    /// The columns of all properties of the entities in a table.
    private func columnsOfModel(in root: Int) -> Set<String> {
        var taken: Set<String> = []
        for member in names.entities.family(of: root) {
            for name in names.model[member.name]?.propertyNames ?? [] {
                if let column = names.columns[PropertyKey(entity: member.name, name: name)] {
                    taken.insert(column)
                }
            }
        }
        return taken
    }

    /// The layout of an entity that the model does not have: the properties of its nearest superentity in the model,
    /// then those columns of the table that no entity of the model has, with the names of the schema.
    private mutating func unknownLayout(_ entity: StoreEntity) -> EntityLayout {
        let entities = names.entities
        var known = entity
        while names.model[known.name] == nil, let above = entities[known.superentity] { known = above }
        var layout = layout(known)
        layout.entity = entity
        let taken = columnsOfModel(in: entity.root)
        let sides = Set(layout.relationships.compactMap(\.side))
        let own = SchemaLayout(entities: entities, schema: schema, only: entity).layouts.first
        layout.attributes += (own?.attributes ?? []).filter { !taken.contains($0.column) }
        layout.relationships += (own?.relationships ?? []).filter { relationship in
            switch relationship.storage {
            case .column(let column): !taken.contains(column)
            case .rows(let side): !sides.contains(side)
            }
        }
        return layout
    }

    private mutating func layout(_ entity: StoreEntity) -> EntityLayout {
        var layout = EntityLayout(
            entity: entity, table: names.entities.tableName(of: entity), attributes: [], relationships: [])
        let table = schema.tables[layout.table]
        for level in names.model.ancestry(of: entity.name) {
            for attribute in level.attributes where !attribute.isTransient && attribute.type != .undefined {
                if attribute.type == .composite {
                    let parts = parts(of: attribute, entity, table)
                    if parts.isEmpty { leaveOut(entity, attribute.name) }
                    layout.attributes += parts
                    continue
                }
                let key = PropertyKey(entity: level.name, name: attribute.name)
                guard let column = names.columns[key], table?.has(column) == true else {
                    leaveOut(entity, attribute.name)
                    continue
                }
                layout.attributes.append(
                    EntityLayout.Attribute(
                        name: attribute.name, column: column, type: attribute.type,
                        allowsExternalStorage: attribute.allowsExternalStorage))
            }
            for relationship in level.relationships where !relationship.isTransient {
                guard let storage = storage(of: relationship, declaredBy: level.name, in: table) else {
                    leaveOut(entity, relationship.name)
                    continue
                }
                layout.relationships.append(
                    EntityLayout.Relationship(name: relationship.name, storage: storage))
            }
        }
        return layout
    }

    private mutating func leaveOut(_ entity: StoreEntity, _ property: String) {
        absent.append("\(entity.name).\(property)")
    }

    private func storage(
        of relationship: RelationshipDescription, declaredBy entity: String, in table: SQLiteSchema.Table?
    ) -> EntityLayout.Relationship.Storage? {
        let key = PropertyKey(entity: entity, name: relationship.name)
        guard relationship.isToMany else {
            guard let column = names.columns[key], table?.has(column) == true else { return nil }
            return .column(column)
        }
        guard let inverse = names.model.inverse(of: relationship) else {
            return relationship.inverse == nil ? rows(of: relationship.destination, linkedBy: key) : nil
        }
        let back = PropertyKey(entity: inverse.entity, name: inverse.relationship.name)
        return inverse.relationship.isToMany
            ? joins[key].map { .rows($0) } : rows(of: inverse.entity, linkedBy: back)
    }

    /// The rows of an entity whose column for `key` contains the owner.
    private func rows(of entity: String, linkedBy key: PropertyKey) -> EntityLayout.Relationship.Storage? {
        guard let target = names.entities[entity], let column = names.columns[key],
            let table = schema.tables[names.entities.tableName(of: target)], table.has(column)
        else { return nil }
        let order = names.orderColumns[key].flatMap { table.has($0) ? $0 : nil }
        return .rows(JoinSide(table: table.name, owner: column, target: "Z_PK", order: order))
    }
}

/// The columns and tables of one entity's properties.
package struct EntityLayout: Sendable {
    package struct Attribute: Sendable {
        package var name: String
        package var column: String
        package var type: AttributeType
        /// Whether the first byte shows where the data is (core-data-sqlite-store(5), 2.4).
        var allowsExternalStorage: Bool
    }

    package struct Relationship: Sendable {
        package enum Storage: Sendable {
            /// A foreign key in the row of the object.
            case column(String)
            /// Rows of another table, or of a join table, with the key of the object.
            case rows(JoinSide)
        }

        package var name: String
        package var storage: Storage

        /// The rows of a to-many relationship.
        package var side: JoinSide? { if case .rows(let side) = storage { side } else { nil } }
    }

    package var entity: StoreEntity
    package var table: String
    package var attributes: [Attribute]
    package var relationships: [Relationship]

    /// The columns of attributes, then of to-one relationships.
    var columns: [String] {
        attributes.map(\.column)
            + relationships.compactMap { if case .column(let name) = $0.storage { name } else { nil } }
    }
}
