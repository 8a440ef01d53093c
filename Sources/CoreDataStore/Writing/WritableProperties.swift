/// An attribute that is written: its column in the table of its entity.
final class WritableAttribute {
    let description: AttributeDescription
    let column: String
    var update: SQLiteStatement

    init(
        _ description: AttributeDescription, column: String, table: String,
        _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        self.description = description
        self.column = column
        update = try connection.prepare(
            "UPDATE \(SQLiteName.quoted(table)) SET \(SQLiteName.quoted(column)) = ?1 WHERE Z_PK = ?2")
    }
}

/// A relationship that is written.
struct WritableRelationship {
    enum Storage {
        /// A key in the object's own row; `back` is the column of a to-one inverse.
        case toOne(KeyColumn, back: KeyColumn?)
        /// Keys in the rows of the targets: a to-many relationship with a to-one inverse, or without inverse.
        case keysOfTargets(KeyColumn)
        case join(JoinRows)
    }

    let description: RelationshipDescription
    let storage: Storage
    /// The table of the targets.
    let targets: RootTable
    /// The entities that targets may be of.
    let targetEntities: Set<Int>
}

/// A concrete entity and how its objects are written.
final class WritableEntity {
    let entity: StoreEntity
    let table: RootTable
    let attributes: [WritableAttribute]
    let attributePositions: [String: Int]
    let relationships: [WritableRelationship]
    let relationshipPositions: [String: Int]
    /// Columns of relationships without inverse that may lead to objects of this entity.
    let referring: [KeyColumn]
    /// The position of the attribute that identifies objects.
    let identifier: Int?
    /// Whether a deletion may reach others, or be denied.
    let hasDeleteRules: Bool
    var insert: SQLiteStatement
    var readIdentifier: SQLiteStatement

    init(
        _ entity: StoreEntity, _ table: RootTable, attributes: [WritableAttribute],
        relationships: [WritableRelationship], referring: [KeyColumn], identifier name: String,
        _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        self.entity = entity
        self.table = table
        self.attributes = attributes
        self.relationships = relationships
        self.referring = referring
        attributePositions = Dictionary(
            attributes.enumerated().map { ($1.description.name, $0) }, uniquingKeysWith: { first, _ in first }
        )
        relationshipPositions = Dictionary(
            relationships.enumerated().map { ($1.description.name, $0) },
            uniquingKeysWith: { first, _ in first })
        hasDeleteRules = relationships.contains { [.cascade, .deny].contains($0.description.deleteRule) }
        let position = attributePositions[name]
        identifier = position
        let columns = (["Z_PK", "Z_ENT", "Z_OPT"] + attributes.map(\.column)).map(SQLiteName.quoted)
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let name = SQLiteName.quoted(table.name)
        insert = try connection.prepare(
            "INSERT INTO \(name) (\(columns.joined(separator: ", "))) VALUES (\(marks))")
        let column = position.map { SQLiteName.quoted(attributes[$0].column) } ?? "NULL"
        readIdentifier = try connection.prepare("SELECT \(column) FROM \(name) WHERE Z_PK = ?1")
    }
}
