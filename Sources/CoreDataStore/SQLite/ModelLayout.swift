import Base
import SystemCalls
import SystemPackage

/// The layout of a store by its model, and the differences between the model and the tables.
package struct ModelLayout {
    private let names: ColumnNames
    private let schema: SQLiteSchema
    private var joins: [PropertyKey: JoinSide] = [:]
    private var absent: [String] = []
    /// Ordered relationships without the column of their positions, with that column.
    private var unordered: [String] = []
    /// The columns that no property of the model explains, by number of the root entity.
    private var stray: [Int: [String]] = [:]
    private let isExact: Bool
    package private(set) var layouts: [EntityLayout] = []

    /// Notes about entities with former names, and about omitted properties.
    package var notes: [StoreNote] {
        let renamed = names.entities.renamed.map {
            StoreNote(
                code: "entityRenamed",
                text: "the store still calls the entity “\($0.name)” by its former name “\($0.storedName)”")
        }
        return renamed + (isExact ? [] : lacking.map { StoreNote(code: "schemaMismatch", text: $0) })
    }

    /// The properties of the model that the tables lack, in words. A store that was saved with the model has lost them.
    package var lacking: [String] {
        var texts: [String] = []
        if !absent.isEmpty {
            texts.append(
                "the tables lack columns for parts of the model, which are left out: \(absent.listed())")
        }
        if !unordered.isEmpty {
            texts.append(
                "the tables lack the positions of ordered relationships, whose order is unknown: "
                    + unordered.listed())
        }
        return texts
    }

    /// The parts of the model that the tables of a store should have and lack.
    func shortfalls(_ path: FilePath) -> [FileProblem] {
        guard isExact else { return [] }
        return lacking.map {
            FileProblem(
                .damaged, path: path, $0.shortened(to: 600),
                advice: "Keep a copy before anything else; ticds-store check shows more")
        }
    }

    /// - Parameters:
    ///   - unexplained: the entities with rows that the model does not have, or declares abstract.
    ///   - isExact: whether the model is the one that the store was saved with.
    package init(
        model: ManagedObjectModel, entities: StoreEntities, schema: SQLiteSchema,
        unexplained: Set<String> = [], isExact: Bool = true
    ) {
        names = ColumnNames(model: model, entities: entities)
        self.schema = schema
        self.isExact = isExact
        for root in entities.all where root.superentity == 0 {
            let explained = names.explained[root.number] ?? []
            stray[root.number] = schema.tables[entities.tableName(of: root)]?.columns.map(\.name).filter {
                !explained.contains($0) && !Self.isBesideKey($0)
            }
        }
        for pair in names.joinPairs() {
            guard let sides = pair.sides(in: schema) else { continue }
            joins[pair.first] = sides.first
            if !pair.isReflexive { joins[pair.second] = sides.second }
        }
        for entity in entities.all {
            if model[entity.name]?.isAbstract == false || unexplained.contains(entity.name) {
                guard model[entity.name] != nil else {
                    layouts.append(unknownLayout(entity))
                    continue
                }
                var layout = layout(entity)
                layout.foreignColumns = foreignColumns(layout)
                layouts.append(layout)
            }
        }
    }

    /// Whether a column has the position or the entity number that belongs to the key in another column.
    private static func isBesideKey(_ column: String) -> Bool {
        column.hasPrefix("Z_FOK_") || SchemaLayout.number(in: column.dropFirst())?.rest.hasPrefix("_") == true
    }

    /// The columns of a table that nothing in the model explains, and the entities whose objects do not show them.
    package var unknownColumns: [(table: String, columns: [String], entities: [StoreEntity])] {
        names.entities.all.filter { $0.superentity == 0 }.compactMap { root in
            guard let columns = stray[root.number], !columns.isEmpty else { return nil }
            let blind = layouts.filter { $0.entity.root == root.number && names.model[$0.entity.name] != nil }
            return blind.isEmpty
                ? nil : (names.entities.tableName(of: root), columns, blind.map(\.entity))
        }
    }

    /// The stems of columns in the table of an entity with a number that the model may not determine: properties with
    /// the same name get numbers in the order of all names, including names that the model lacks.
    private func uncertainStems(in root: Int) -> Set<String> {
        guard let stray = stray[root], !stray.isEmpty else { return [] }
        let family = names.entities.family(of: root).compactMap { names.model[$0.name] }
        let isComplete = family.allSatisfy { entity in
            entity.unreadProperties.isEmpty
                && entity.attributes.allSatisfy {
                    $0.type != .composite || $0.isTransient || !$0.parts.isEmpty
                }
        }
        guard !isExact || !isComplete else { return [] }
        return Set(
            stray.map { column in
                var stem = Substring(column)
                while let last = stem.last, last.isASCII, last.isNumber { stem.removeLast() }
                return String(stem)
            })
    }

    /// The layout of an entity that the model does not have: the properties of its nearest superentity in the model,
    /// then the columns of the table that no entity of the model has, with the names in the schema.
    private mutating func unknownLayout(_ entity: StoreEntity) -> EntityLayout {
        let entities = names.entities
        var known = entity
        while names.model[known.name] == nil, let above = entities[known.superentity] { known = above }
        var layout = layout(known)
        layout.entity = entity
        let taken = names.explained[entity.root] ?? []
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
        let uncertain = uncertainStems(in: entity.root)
        for level in names.model.ancestry(of: entity.name) {
            for attribute in level.attributes where !attribute.isTransient && attribute.type != .undefined {
                if attribute.parts.isEmpty { leaveOut(entity, attribute.name) }
                for part in attribute.parts {
                    let key = PropertyKey(entity: level.name, name: part.name)
                    guard let column = names.columns[key], table?.has(column) == true,
                        !uncertain.contains("Z" + part.attribute.name.uppercased())
                    else {
                        leaveOut(entity, part.name)
                        continue
                    }
                    layout.attributes.append(
                        EntityLayout.Attribute(
                            name: part.name, column: column, type: part.attribute.type,
                            allowsExternalStorage: part.attribute.allowsExternalStorage))
                }
            }
            for relationship in level.relationships where !relationship.isTransient {
                guard let storage = storage(of: relationship, declaredBy: level.name, in: table),
                    relationship.isToMany || !uncertain.contains("Z" + relationship.name.uppercased())
                else {
                    leaveOut(entity, relationship.name)
                    continue
                }
                if relationship.isToMany, relationship.isOrdered, case .rows(let side) = storage,
                    side.order == nil
                {
                    unordered.append("\(entity.name).\(relationship.name)")
                }
                layout.relationships.append(
                    EntityLayout.Relationship(name: relationship.name, storage: storage))
            }
        }
        return layout
    }

    /// The columns with values of properties that other entities of the table have, and this one does not.
    private func foreignColumns(_ layout: EntityLayout) -> [String] {
        let entities = names.entities
        guard let table = schema.tables[layout.table], entities.family(of: layout.entity.root).count > 1,
            uncertainStems(in: layout.entity.root).isEmpty
        else { return [] }
        let own = Set(names.model.ancestry(of: layout.entity.name).map(\.name))
        var foreign: Set<String> = []
        for (key, column) in names.columns where !own.contains(key.entity) {
            // The column of a to-many relationship without inverse is in the rows of its destination.
            guard entities[key.entity]?.root == layout.entity.root,
                names.model[key.entity]?.relationships.contains(where: { $0.name == key.name && $0.isToMany })
                    != true
            else { continue }
            foreign.insert(column)
        }
        foreign.subtract(layout.columns)
        return table.columns.map(\.name).filter { foreign.contains($0) }
    }

    /// The first difference between the tables and the model; nil if each column belongs to the model, and each stored
    /// property has its column.
    package var difference: String? {
        if let property = absent.first { return "no column for \(property)" }
        for root in names.entities.all where root.superentity == 0 {
            if let column = stray[root.number]?.first {
                return "the column \(column) of \(names.entities.tableName(of: root))"
            }
        }
        return nil
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
            let table = schema.tables[names.entities.tableName(of: target)], table.has(column),
            !uncertainStems(in: target.root).contains("Z" + key.name.uppercased())
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
    /// The columns of properties that only other entities of the table have. A value in one of them is lost.
    var foreignColumns: [String] = []

    /// The columns of attributes, then of to-one relationships.
    var columns: [String] {
        attributes.map(\.column)
            + relationships.compactMap { if case .column(let name) = $0.storage { name } else { nil } }
    }
}
