import CSQLite
import KeyedArchive
import SystemCalls
import SystemPackage

/// Inserts the objects of one entity and the rows of their relationships in join tables. Keys that belong in the rows
/// of targets go to a temporary table until `LinkFinisher` writes them.
final class ObjectInserter {
    /// The table of these keys; `link` is the index of the relationship in `NewStoreSchema.links`.
    static let pendingTable =
        "CREATE TEMP TABLE pending (link INTEGER, owner INTEGER, target INTEGER, place INTEGER)"

    private enum Place {
        /// A parameter of the INSERT statement.
        case parameter(Int)
        /// A row in a join table.
        case join(JoinInserter)
        /// A row in the temporary table.
        case pending(link: Int64)
    }

    private let entity: StoreEntity
    private let path: FilePath
    private let attributes: [AttributeDescription]
    private var places: [String: (isToMany: Bool, place: Place)] = [:]
    private var row: SQLiteStatement
    private var pending: SQLiteStatement

    init(
        _ entity: StoreEntity, _ schema: NewStoreSchema, _ connection: borrowing SQLiteConnection,
        _ path: FilePath
    ) throws(FileProblem) {
        let names = schema.names
        var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
        var attributes: [AttributeDescription] = []
        var places: [String: (isToMany: Bool, place: Place)] = [:]
        do throws(SQLiteError) {
            for level in names.model.ancestry(of: entity.name) {
                for attribute in level.attributes where attribute.isStored {
                    guard let column = names.columns[PropertyKey(entity: level.name, name: attribute.name)]
                    else { continue }
                    attributes.append(attribute)
                    columns.append(column)
                }
            }
            for level in names.model.ancestry(of: entity.name) {
                for relationship in level.relationships where !relationship.isTransient {
                    let key = PropertyKey(entity: level.name, name: relationship.name)
                    if let side = schema.joinSide(of: key) {
                        places[key.name] = (true, .join(try JoinInserter(side, connection)))
                    } else if let link = schema.links.firstIndex(where: { $0.key == key }) {
                        places[key.name] = (true, .pending(link: Int64(link)))
                    } else if let column = names.columns[key] {
                        columns.append(column)
                        places[key.name] = (false, .parameter(columns.count))
                    }
                }
            }
            let list = columns.map(SQLiteName.quoted).joined(separator: ", ")
            let marks = columns.map { _ in "?" }.joined(separator: ", ")
            let table = SQLiteName.quoted(names.entities.tableName(of: entity))
            row = try connection.prepare("INSERT INTO \(table) (\(list)) VALUES (\(marks))")
            pending = try connection.prepare("INSERT INTO temp.pending VALUES (?1, ?2, ?3, ?4)")
        } catch {
            throw error.problem(with: path)
        }
        self.entity = entity
        self.path = path
        self.attributes = attributes
        self.places = places
    }

    func insert(_ object: StoredObject) throws(FileProblem) {
        defer { row.reset() }
        row.bind(object.primaryKey, at: 1)
        row.bind(Int64(entity.number), at: 2)
        row.bind(1 as Int64, at: 3)
        try bindAttributes(of: object)
        var links: [(targets: [Int64], place: Place)] = []
        for relationship in object.relationships {
            guard let (isToMany, place) = places[relationship.name] else {
                throw unknown(relationship.name)
            }
            switch (relationship.target, place) {
            case (.toOne(let key), .parameter(let parameter)): row.bind(key, at: parameter)
            case (.toMany(let keys), _) where isToMany: links.append((keys, place))
            default: throw unknown(relationship.name)
            }
        }
        do throws(SQLiteError) {
            _ = try row.step()
        } catch {
            guard error.primaryCode == SQLITE_CONSTRAINT else { throw error.problem(with: path) }
            throw FileProblem(
                .refused, path: path,
                "an object of entity “\(entity.name)” has the primary key or unique values of another object",
                found: "primary key \(object.primaryKey): \(error.message)",
                advice: "Check the source with ticds-store check")
        }
        for link in links { try self.link(object.primaryKey, to: link.targets, link.place) }
    }

    private func bindAttributes(of object: StoredObject) throws(FileProblem) {
        let binder = AttributeBinder(path: path)
        if object.attributes.count == attributes.count,
            zip(attributes, object.attributes).allSatisfy({ $0.name == $1.name })
        {
            for (position, attribute) in attributes.enumerated() {
                try binder.bind(
                    object.attributes[position].value, of: attribute, entity: entity.name, to: &row,
                    at: position + 4)
            }
            return
        }
        var given = Dictionary(object.attributes.map { ($0.name, $0.value) }) { _, last in last }
        for (position, attribute) in attributes.enumerated() {
            let value = given.removeValue(forKey: attribute.name) ?? attribute.defaultValue ?? .none
            try binder.bind(value, of: attribute, entity: entity.name, to: &row, at: position + 4)
        }
        if let name = given.keys.min() { throw unknown(name) }
    }

    private func link(_ owner: Int64, to targets: [Int64], _ place: Place) throws(FileProblem) {
        do throws(SQLiteError) {
            for (position, target) in targets.enumerated() {
                let order = Int64(2048 + 1024 * position)
                switch place {
                case .join(let join): try join.insert(owner, target, order)
                case .pending(let link): try pending.run(link, owner, target, order)
                case .parameter: break
                }
            }
        } catch {
            throw error.problem(with: path)
        }
    }

    private func unknown(_ property: String) -> FileProblem {
        FileProblem(
            .refused, path: path,
            "\(entity.name).\(property) is not a property that is stored, or of another kind",
            advice: "Compare the model with the one of the app: ticds-model show")
    }
}

/// Inserts rows of a join table for one of its sides. The other side may insert the same pair.
final class JoinInserter {
    private var statement: SQLiteStatement
    private let isOrdered: Bool

    init(_ side: JoinSide, _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        let keys = [side.owner, side.target].map(SQLiteName.quoted)
        let table = SQLiteName.quoted(side.table)
        isOrdered = side.order != nil
        if let order = side.order.map(SQLiteName.quoted) {
            statement = try connection.prepare(
                "INSERT INTO \(table) (\(keys[0]), \(keys[1]), \(order)) VALUES (?1, ?2, ?3) "
                    + "ON CONFLICT DO UPDATE SET \(order) = ?3")
        } else {
            statement = try connection.prepare(
                "INSERT INTO \(table) (\(keys[0]), \(keys[1])) VALUES (?1, ?2) ON CONFLICT DO NOTHING")
        }
    }

    func insert(_ owner: Int64, _ target: Int64, _ order: Int64) throws(SQLiteError) {
        if isOrdered { try statement.run(owner, target, order) } else { try statement.run(owner, target) }
    }
}
