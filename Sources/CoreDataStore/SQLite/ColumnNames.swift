/// A property and the entity that declares it.
package struct PropertyKey: Hashable, Sendable {
    package var entity: String
    package var name: String

    package init(entity: String, name: String) {
        self.entity = entity
        self.name = name
    }
}

/// The columns of a model's properties in an SQLite store (core-data-sqlite-store(5), 2.1, 3.1, 3.3 and 3.5).
package struct ColumnNames: Sendable {
    /// The column of an attribute or to-one relationship in the table of its entity, or of a to-many relationship
    /// without inverse in the table of its destination.
    private(set) var columns: [PropertyKey: String] = [:]
    /// The column beside a to-one key with the entity number of the target.
    private(set) var entityColumns: [PropertyKey: String] = [:]
    /// The column with the position in an ordered to-many relationship. The key is the to-one inverse, or the to-many
    /// relationship itself if it has no inverse.
    private(set) var orderColumns: [PropertyKey: String] = [:]

    let model: ManagedObjectModel
    let entities: StoreEntities
    /// The names of all columns in the table of each root entity, by its number.
    private(set) var explained: [Int: Set<String>] = [:]

    /// A to-many relationship without inverse, and its column.
    typealias WithoutInverse = (key: PropertyKey, column: String, isOrdered: Bool)
    private let withoutInverse: [Int: [WithoutInverse]]

    package init(model: ManagedObjectModel, entities: StoreEntities) {
        self.model = model
        self.entities = entities
        withoutInverse = Self.withoutInverse(model, entities)
        for root in entities.all where root.superentity == 0 {
            var taken: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
            let family = entities.family(of: root.number).compactMap { model[$0.name] }
            let unread = Set(family.flatMap(\.unreadProperties).map { $0.name.uppercased() })
            for entity in family { addColumns(entity, &taken, unread) }
            for relationship in relationshipsWithoutInverse(into: root.number) {
                columns[relationship.key] = relationship.column
                guard relationship.isOrdered else { continue }
                orderColumns[relationship.key] = "Z_FOK_" + relationship.column.dropFirst()
            }
            explained[root.number] = explained(in: root.number, taken)
        }
    }

    private func explained(in root: Int, _ taken: Set<String>) -> Set<String> {
        var names = taken
        for entity in entities.family(of: root) {
            for relationship in model[entity.name]?.relationships ?? [] {
                let key = PropertyKey(entity: entity.name, name: relationship.name)
                if let order = orderColumns[key] { names.insert(order) }
            }
        }
        for relationship in relationshipsWithoutInverse(into: root) {
            names.insert(relationship.column)
            if let order = orderColumns[relationship.key] { names.insert(order) }
        }
        return names
    }

    /// - Parameter unread: the names, in upper case, of properties that are missing in the model. It is unknown whether
    ///   they have columns, and which columns other properties with these names have.
    private mutating func addColumns(
        _ entity: EntityDescription, _ taken: inout Set<String>, _ unread: Set<String>
    ) {
        for part in entity.attributeParts
        where part.attribute.isStored && !unread.contains(part.attribute.name.uppercased()) {
            let key = PropertyKey(entity: entity.name, name: part.name)
            columns[key] = Self.unusedName("Z" + part.attribute.name.uppercased(), &taken).name
        }
        for relationship in entity.relationships
        where !relationship.isToMany && !relationship.isTransient
            && !unread.contains(relationship.name.uppercased())
        {
            let key = PropertyKey(entity: entity.name, name: relationship.name)
            let (column, digits) = Self.unusedName("Z" + relationship.name.uppercased(), &taken)
            columns[key] = column
            if let destination = entities[relationship.destination], entities.hasSubentities(destination) {
                let beside = "Z\(destination.number)_\(relationship.name.uppercased())\(digits)"
                entityColumns[key] = beside
                taken.insert(beside)
            }
            if let inverse = model.inverse(of: relationship), inverse.relationship.isToMany,
                inverse.relationship.isOrdered, !inverse.relationship.isTransient
            {
                orderColumns[key] = "Z_FOK_" + column.dropFirst()
            }
        }
    }

    /// The name itself, or the name with the lowest number that makes it unique.
    static func unusedName(_ name: String, _ taken: inout Set<String>) -> (name: String, digits: String) {
        var digits = ""
        var count = 0
        while !taken.insert(name + digits).inserted {
            count += 1
            digits = String(count)
        }
        return (name + digits, digits)
    }

    /// To-many relationships without inverse whose destination is in the table of the root entity `root`, by number of
    /// the declaring entity, then by name.
    func relationshipsWithoutInverse(into root: Int) -> [WithoutInverse] { withoutInverse[root] ?? [] }

    private static func withoutInverse(
        _ model: ManagedObjectModel, _ entities: StoreEntities
    ) -> [Int: [WithoutInverse]] {
        var withoutInverse: [Int: [WithoutInverse]] = [:]
        for owner in entities.all {
            for relationship in model[owner.name]?.relationships ?? [] {
                guard relationship.isToMany, !relationship.isTransient, relationship.inverse == nil,
                    let root = entities[relationship.destination]?.root
                else { continue }
                withoutInverse[root, default: []].append(
                    (
                        PropertyKey(entity: owner.name, name: relationship.name),
                        "Z\(owner.number)\(relationship.name.uppercased())", relationship.isOrdered
                    ))
            }
        }
        return withoutInverse
    }
}

extension AttributeDescription {
    /// Whether the attribute has a column; transient attributes and some types have none.
    package var isStored: Bool { !isTransient && ![.undefined, .objectID, .composite].contains(type) }
}

extension ManagedObjectModel {
    /// The inverse relationship and the entity that declares it.
    package func inverse(
        of relationship: RelationshipDescription
    ) -> (entity: String, relationship: RelationshipDescription)? {
        guard let name = relationship.inverse else { return nil }
        for entity in ancestry(of: relationship.destination).reversed() {
            if let found = entity.relationships.first(where: { $0.name == name }) {
                return (entity.name, found)
            }
        }
        return nil
    }
}
