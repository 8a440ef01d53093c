import KeyedArchive
import SystemCalls

/// Completes the attributes of edited rows in the way of Core Data.
struct EditedValues {
    private let store: WritableStore
    private let notices: EditNotices
    private var statements: [Int: Statements] = [:]

    init(_ store: WritableStore, _ notices: EditNotices) {
        self.store = store
        self.notices = notices
    }

    mutating func repair(_ scan: EditScan) throws(FileProblem) {
        for rows in scan.rows where !(rows.added.isEmpty && rows.changed.isEmpty) {
            guard let table = try store.rootTable(rows.root) else { continue }
            for (keys, isNew) in [(rows.added, true), (rows.changed, false)] {
                for key in keys {
                    let object = try store.run { () throws(SQLiteError) in try table.object(key) }
                    guard let object else { continue }
                    let statements = try statements(object)
                    if isNew { try fillIn(object, statements) }
                    try mark(object, statements)
                }
            }
        }
    }

    /// The prepared statements for the rows of an entity.
    private final class Statements {
        let entity: String
        let mandatory: [WritableAttribute]
        let large: [WritableAttribute]
        var read: SQLiteStatement
        var mark: [SQLiteStatement.Holder] = []

        init(_ writable: WritableEntity, _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
            entity = writable.entity.name
            mandatory = writable.attributes.filter {
                !$0.description.isOptional && $0.description.defaultValue != nil
            }
            large = writable.attributes.filter {
                $0.description.allowsExternalStorage && $0.description.type == .binary
            }
            let table = "main.\(SQLiteName.quoted(writable.table.name))"
            let columns = ["Z_PK"] + mandatory.map { SQLiteName.quoted($0.column) }
            read = try connection.prepare(
                "SELECT \(columns.joined(separator: ", ")) FROM \(table) WHERE Z_PK = ?1")
            for attribute in large {
                let column = SQLiteName.quoted(attribute.column)
                let first = "substr(CAST(\(column) AS BLOB), 1, 1)"
                mark.append(
                    SQLiteStatement.Holder(
                        try connection.prepare(
                            "UPDATE \(table) SET \(column) = CAST(x'01' || CAST(\(column) AS BLOB) AS BLOB) "
                                + "WHERE Z_PK = ?1 AND \(column) IS NOT NULL AND \(first) <> x'01' "
                                + "AND NOT (\(first) = x'02' AND length(\(column)) = 38)")))
            }
        }
    }

    private mutating func statements(_ object: StoreObjectID) throws(FileProblem) -> Statements {
        if let known = statements[object.entity] { return known }
        let writable = try store.writable(object)
        let made = try store.run { () throws(SQLiteError) in try Statements(writable, store.connection) }
        statements[object.entity] = made
        return made
    }

    /// Sets mandatory attributes without a value to the default of the model.
    private func fillIn(_ object: StoreObjectID, _ statements: Statements) throws(FileProblem) {
        if statements.mandatory.isEmpty { return }
        let missing = try store.run { () throws(SQLiteError) in
            defer { statements.read.reset() }
            statements.read.bind(object.primaryKey, at: 1)
            var missing: [AttributeDescription] = []
            guard try statements.read.step() else { return missing }
            for (position, attribute) in statements.mandatory.enumerated()
            where statements.read.storage(position + 1) == .null {
                missing.append(attribute.description)
            }
            return missing
        }
        for attribute in missing {
            try store.set(attribute.name, of: object, to: attribute.defaultValue ?? .none)
            notices.add(
                .valueFilledIn, statements.entity, object.primaryKey, property: attribute.name,
                "a new row without this value got the default of the model")
        }
    }

    /// Adds the first byte that shows where external data is (core-data-sqlite-store(5), 2.4).
    private func mark(_ object: StoreObjectID, _ statements: Statements) throws(FileProblem) {
        for (attribute, holder) in zip(statements.large, statements.mark) {
            let isMarked = try store.run { () throws(SQLiteError) in
                try holder.statement.run(object.primaryKey)
                return store.connection.changes > 0
            }
            guard isMarked else { continue }
            notices.add(
                .dataMarked, statements.entity, object.primaryKey, property: attribute.description.name,
                "data without the byte which shows that they are in the row")
        }
    }
}
