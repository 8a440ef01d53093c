import KeyedArchive

/// An attribute with its column and its UPDATE statement.
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

/// A relationship with its columns or join table.
struct WritableRelationship {
    enum Storage {
        /// A key in the row of the object; `back` is the column of a to-one inverse.
        case toOne(KeyColumn, back: KeyColumn?)
        /// Keys in the rows of the targets: a to-many relationship with a to-one inverse or without inverse.
        case keysOfTargets(KeyColumn)
        case join(JoinRows)
    }

    let description: RelationshipDescription
    let storage: Storage
    /// The table of the targets.
    let targets: RootTable
    /// The possible entities of targets.
    let targetEntities: Set<Int>
}

/// A concrete entity with the statements for its objects.
final class WritableEntity {
    let entity: StoreEntity
    let table: RootTable
    let attributes: [WritableAttribute]
    let attributePositions: [String: Int]
    /// The default values of the model, each with the position of its attribute.
    let defaults: [(position: Int, value: ArchivedValue)]
    let relationships: [WritableRelationship]
    let relationshipPositions: [String: Int]
    /// The columns of relationships without inverse that can refer to objects of the entity.
    let referring: [KeyColumn]
    /// The position of the identifying attribute.
    let identifier: Int?
    /// Whether a relationship has the delete rule Cascade or Deny.
    let hasDeleteRules: Bool
    var insert: SQLiteStatement
    var readIdentifier: SQLiteStatement
    /// The positions of the attributes of the last new object, in its order.
    private var latest: [Int] = []

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
        defaults = attributes.enumerated().compactMap { position, attribute in
            attribute.description.defaultValue.map { (position, $0) }
        }
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

    /// The position of the attribute `name`, which is the `number`th of a new object. Objects usually have the same
    /// attributes in the same order.
    func position(of name: String, number: Int) -> Int? {
        if number < latest.count, attributes[latest[number]].description.name == name {
            return latest[number]
        }
        guard let found = attributePositions[name] else { return nil }
        if number < latest.count {
            latest[number] = found
        } else if number == latest.count, number < attributes.count {
            latest.append(found)
        }
        return found
    }
}
