import CoreDataStore

/// The tables of a plain database for the entities of a store: one for each root entity, and one for each many-to-many
/// relationship.
struct PlainTables {
    struct Table {
        var name: String
        var root: String
        /// The columns of attributes and to-one relationships.
        var columns: [Column] = []
    }

    struct Column: Hashable {
        var name: String
        /// The type affinity: `TEXT`, `INTEGER` and so on.
        var type: String
        /// The table of a foreign key.
        var references: String?
    }

    /// A relationship with a separate table.
    struct Join {
        var name: String
        var key: PropertyKey
        var ownerColumn: String
        var targetColumn: String
        var ownerTable: String
        var targetTable: String?
        var isOrdered: Bool
    }

    /// An ordered one-to-many relationship; the row of the target contains the position.
    struct Place {
        /// The number of the relationship, from 0.
        var link: Int
        var key: PropertyKey
        var table: String
        var column: String
    }

    static let key = "primaryKey"
    static let entity = "entity"

    private(set) var tables: [Table] = []
    private(set) var joins: [Join] = []
    private(set) var places: [Place] = []
    private var columnNames: [PropertyKey: String] = [:]
    private let rootTables: [String: String]

    /// - Parameters:
    ///   - reserved: names in lower case that no column of a property may have.
    ///   - tables: names in lower case that no table may have.
    init(_ entities: ExportedEntities, reserved: Set<String> = [], tables others: Set<String> = []) {
        var taken = others
        var rootTables: [String: String] = [:]
        let roots = entities.all.reduce(into: [String]()) { if !$0.contains($1.root) { $0.append($1.root) } }
        for root in roots { rootTables[root] = Self.unusedName(root, &taken) }
        self.rootTables = rootTables
        for root in roots {
            var table = Table(name: rootTables[root] ?? root, root: root)
            var names = reserved.union([Self.key.lowercased(), Self.entity])
            var known: [PropertyKey: Column] = [:]
            for entity in entities.all where entity.root == root {
                for attribute in entity.attributes {
                    let column = Column(name: attribute.name, type: attribute.type.plain)
                    add(column, entity.name, attribute.name, &table, &names, &known)
                }
                for relationship in entity.relationships where !relationship.isToMany {
                    let target = relationship.destination.flatMap { rootTables[entities.root(of: $0)] }
                    let column = Column(name: relationship.name, type: "INTEGER", references: target)
                    add(column, entity.name, relationship.name, &table, &names, &known)
                }
            }
            tables.append(table)
        }
        addRows(entities, &taken)
    }

    /// The column of an attribute or to-one relationship.
    func column(_ entity: String, _ property: String) -> String? {
        columnNames[PropertyKey(entity: entity, name: property)]
    }

    func table(of root: String) -> String { rootTables[root] ?? root }

    /// Adds a column. Properties with the same name and type share a column, for example those that several subentities
    /// declare.
    private mutating func add(
        _ column: Column, _ entity: String, _ property: String, _ table: inout Table,
        _ names: inout Set<String>, _ known: inout [PropertyKey: Column]
    ) {
        let shared = PropertyKey(entity: column.type + (column.references ?? ""), name: property)
        var column = column
        if let earlier = known[shared] {
            column = earlier
        } else {
            column.name = Self.unusedName(property, &names)
            known[shared] = column
            table.columns.append(column)
        }
        columnNames[PropertyKey(entity: entity, name: property)] = column.name
    }

    /// Adds tables for to-many relationships without a to-one inverse.
    private mutating func addRows(_ entities: ExportedEntities, _ taken: inout Set<String>) {
        var done: Set<PropertyKey> = []
        for entity in entities.all {
            for relationship in entity.relationships where relationship.isToMany {
                let targetRoot = relationship.destination.map { entities.root(of: $0) }
                if relationship.inverse != nil, !relationship.isInverseToMany {
                    if relationship.isOrdered {
                        addPlace(entities.key(entity, relationship), relationship, targetRoot)
                    }
                    continue
                }
                // The ordered side has the table; if neither or both are ordered, the first side.
                let key = entities.key(entity, relationship)
                if relationship.isInverseOrdered, !relationship.isOrdered { continue }
                guard done.insert(key).inserted else { continue }
                if let inverse = entities.inverseKey(relationship), !relationship.isInverseOrdered {
                    done.insert(inverse)
                }
                let target = relationship.destination ?? relationship.name
                let columns =
                    target.lowercased() == entity.root.lowercased()
                    ? (entity.root, relationship.name == entity.root ? "target" : relationship.name)
                    : (entity.root, target)
                let rooted = "\(entity.root)_\(relationship.name)"
                let declared = "\(relationship.declaration)_\(relationship.name)"
                let isPlain = relationship.declaration != "" && !relationship.declaration.utf8.contains(0)
                let name = isPlain && taken.contains(rooted.lowercased()) ? declared : rooted
                joins.append(
                    Join(
                        name: Self.unusedName(name, &taken), key: key,
                        ownerColumn: columns.0, targetColumn: columns.1,
                        ownerTable: table(of: entity.root), targetTable: targetRoot.map { table(of: $0) },
                        isOrdered: relationship.isOrdered))
            }
        }
    }

    private mutating func addPlace(
        _ key: PropertyKey, _ relationship: ExportedEntity.Relationship, _ targetRoot: String?
    ) {
        guard let targetRoot, let position = tables.firstIndex(where: { $0.root == targetRoot }),
            let inverse = relationship.inverse
        else { return }
        guard !places.contains(where: { $0.key == key }) else { return }
        var names = Set(tables[position].columns.map { $0.name.lowercased() })
        let column = Self.unusedName("\(inverse)_position", &names)
        tables[position].columns.append(Column(name: column, type: "INTEGER"))
        places.append(
            Place(
                link: places.count, key: key, table: tables[position].name, column: column))
    }

    /// An unused name. SQLite ignores the case of names.
    static func unusedName(_ name: String, _ taken: inout Set<String>) -> String {
        var candidate = name.isEmpty ? "_" : name
        var count = 1
        while !taken.insert(candidate.lowercased()).inserted {
            count += 1
            candidate = "\(name)_\(count)"
        }
        return candidate
    }
}

extension AttributeType {
    /// The type of the column in a plain database.
    fileprivate var plain: String {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: "INTEGER"
        case .double, .float: "REAL"
        case .string, .uri, .uuid, .date, .decimal: "TEXT"
        case .binary: "BLOB"
        case .transformable, .undefined, .objectID, .composite: ""
        }
    }
}
