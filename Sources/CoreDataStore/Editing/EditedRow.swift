import KeyedArchive
import SystemCalls
import SystemPackage

/// Reads the edited rows of one entity, and compares them with the base.
final class EditedRow {
    /// A to-one relationship and the key of its target.
    struct Link {
        var name: String
        /// The name of the destination entity.
        var destination: String
        var key: Int64?
    }

    private let layout: EntityLayout
    private let ones: [(name: String, destination: String)]
    /// To-one relationships with the delete rule Cascade or Deny.
    let ruled: [(name: String, destination: String)]
    private let decoder: RowDecoder
    private var rows: SQLiteStatement
    /// Which columns differ; a statement of its own, so that a large value is not in memory twice.
    private var differences: SQLiteStatement
    private var formerRows: SQLiteStatement

    init(
        _ layout: EntityLayout, _ model: ManagedObjectModel, _ path: FilePath,
        _ connection: borrowing SQLiteConnection
    ) throws(SQLiteError) {
        self.layout = layout
        decoder = RowDecoder(path: path, external: ExternalStorage(store: path))
        let descriptions = model.relationships(of: layout.entity.name)
        ones = layout.relationships.compactMap { relationship in
            guard case .column = relationship.storage else { return nil }
            return (
                relationship.name,
                descriptions.first { $0.name == relationship.name }?.destination ?? ""
            )
        }
        var ruled: [(name: String, destination: String)] = []
        var ruledColumns: [String] = []
        for relationship in layout.relationships {
            guard case .column(let column) = relationship.storage,
                let description = descriptions.first(where: { $0.name == relationship.name }),
                description.deleteRule == .cascade || description.deleteRule == .deny
            else { continue }
            ruled.append((relationship.name, description.destination))
            ruledColumns.append(SQLiteName.quoted(column))
        }
        self.ruled = ruled
        let table = SQLiteName.quoted(layout.table)
        formerRows = try connection.prepare(
            "SELECT \((ruledColumns + ["Z_PK"]).joined(separator: ", ")) FROM base.\(table) WHERE Z_PK = ?1")
        let columns = layout.columns.map(SQLiteName.quoted)
        rows = try connection.prepare(
            "SELECT \((columns + ["Z_PK"]).joined(separator: ", ")) FROM main.\(table) WHERE Z_PK = ?1")
        let differs = layout.columns.map { name in
            let column = SQLiteName.quoted(name)
            return "CASE WHEN \(SQLiteName.size("m", name)) IS NOT \(SQLiteName.size("b", name)) THEN 1 "
                + "ELSE m.\(column) IS NOT b.\(column) END"
        }
        differences = try connection.prepare(
            "SELECT \((differs + ["m.Z_PK"]).joined(separator: ", ")) FROM main.\(table) AS m "
                + "LEFT JOIN base.\(table) AS b ON b.Z_PK = m.Z_PK WHERE m.Z_PK = ?1")
    }

    /// Adds all attributes that are not nil to an inserted object, and the changed ones to an updated object.
    /// - Returns: the to-one relationships, selected in the same way.
    func read(
        _ key: Int64, into object: inout EditedObject, _ store: WritableStore, _ notices: EditNotices
    ) throws(FileProblem) -> [Link] {
        var differing: [Bool] = []
        if object.kind != .inserted {
            defer { differences.reset() }
            differences.bind(key, at: 1)
            guard try store.run({ () throws(SQLiteError) in try differences.step() }) else { return [] }
            differing = layout.columns.indices.map { differences.integer($0) == 1 }
        }
        defer { rows.reset() }
        rows.bind(key, at: 1)
        guard try store.run({ () throws(SQLiteError) in try rows.step() }) else { return [] }
        let isNew = object.kind == .inserted
        for (position, attribute) in layout.attributes.enumerated() {
            let isWanted = isNew ? rows.storage(position) != .null : differing[position]
            guard isWanted else { continue }
            let value = try value(position, attribute, key)
            if let missing = value.missingExternalFile {
                notices.add(
                    .dataMissing, object.entity, key, object.identifier, property: attribute.name,
                    "the file of the data is missing: \(missing)")
                continue
            }
            object.attributes.append(StoredAttribute(name: attribute.name, value: value))
        }
        var links: [Link] = []
        for (position, one) in ones.enumerated() {
            let column = layout.attributes.count + position
            guard isNew || differing[column] else { continue }
            links.append(Link(name: one.name, destination: one.destination, key: rows.integer(column)))
        }
        return links
    }

    /// The targets that the relationships in `ruled` of a deleted object had.
    func former(_ key: Int64, _ store: WritableStore) throws(FileProblem) -> [Link] {
        defer { formerRows.reset() }
        formerRows.bind(key, at: 1)
        guard try store.run({ () throws(SQLiteError) in try formerRows.step() }) else { return [] }
        return ruled.enumerated().map { position, one in
            Link(name: one.name, destination: one.destination, key: formerRows.integer(position))
        }
    }

    private func value(
        _ position: Int, _ attribute: EntityLayout.Attribute, _ key: Int64
    ) throws(FileProblem) -> ArchivedValue {
        do throws(FileProblem) {
            return try decoder.value(rows, position, attribute, primaryKey: key)
        } catch {
            guard error.kind == .damaged else { throw error }
            throw FileProblem(
                .refused, path: error.path,
                "the attribute “\(attribute.name)” of row \(key) of \(layout.table) cannot have this value",
                expected: error.expected, found: error.found,
                advice: "Correct the value, or put the old one back")
        }
    }
}

/// Reads the identifiers of the objects of one root entity.
final class IdentifierReader {
    enum Place { case main, base }

    /// Identifiers that were read, by the last bits of the key: many links lead to few objects.
    private var recent = [Known?](repeating: nil, count: 1024)

    private struct Known {
        var place: Place
        var object: StoreObjectID
        var text: String?
    }

    private let columns: [Int: Int]
    private var main: SQLiteStatement
    private var base: SQLiteStatement

    init(_ root: StoreEntity, _ store: WritableStore) throws(SQLiteError) {
        let found = store.layout.identifierColumns().filter { $0.root == root.number }
        var columns: [Int: Int] = [:]
        for (position, place) in found.enumerated() {
            for number in place.entities { columns[number] = position + 1 }
        }
        self.columns = columns
        let wanted = (["Z_ENT"] + found.map(\.column)).map(SQLiteName.quoted).joined(separator: ", ")
        let table = SQLiteName.quoted(store.entities.tableName(of: root))
        main = try store.connection.prepare("SELECT \(wanted) FROM main.\(table) WHERE Z_PK = ?1")
        base = try store.connection.prepare("SELECT \(wanted) FROM base.\(table) WHERE Z_PK = ?1")
    }

    func hasIdentifier(_ entity: Int) -> Bool { columns[entity] != nil }

    /// The object of a row and its identifier; nil if the row does not exist.
    func identifier(of key: Int64, in place: Place) throws(SQLiteError) -> (StoreObjectID, String?)? {
        let slot = Int(truncatingIfNeeded: key & 1023)
        if let known = recent[slot], known.object.primaryKey == key, known.place == place {
            return (known.object, known.text)
        }
        let found: (StoreObjectID, String?)? =
            switch place {
            case .main: try read(key, &main)
            case .base: try read(key, &base)
            }
        if let found { recent[slot] = Known(place: place, object: found.0, text: found.1) }
        return found
    }

    private func read(
        _ key: Int64, _ statement: inout SQLiteStatement
    ) throws(SQLiteError) -> (StoreObjectID, String?)? {
        defer { statement.reset() }
        statement.bind(key, at: 1)
        guard try statement.step(), let entity = statement.integer(0) else { return nil }
        let number = Int(clamping: entity)
        return (
            StoreObjectID(entity: number, primaryKey: key), columns[number].flatMap { statement.text($0) }
        )
    }
}
