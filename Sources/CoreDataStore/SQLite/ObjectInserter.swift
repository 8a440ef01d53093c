import CSQLite
import KeyedArchive
import SystemCalls
import SystemPackage

/// Inserts the objects of one entity and the rows of their relationships in join tables. Keys that belong in the rows
/// of targets are noted until the targets come.
final class ObjectInserter {
    private enum Place {
        /// A parameter of the INSERT statement.
        case parameter(Int)
        /// A row in a join table.
        case join(JoinInserter)
        /// The row of the target; the index of the relationship in `NewStoreSchema.links`.
        case link(Int)
    }

    private struct Relationship {
        var name: String
        var isToMany: Bool
        var place: Place
        /// The number of the root entity of the destination.
        var root: Int
        /// The parameter for the number of the target's entity.
        var entity: Int?
    }

    /// A to-many relationship whose links are in the rows of this entity.
    private struct IncomingLink {
        var number: Int
        /// The parameters of the owner and of the position.
        var owner: Int
        var place: Int?
        /// The position of the to-one inverse among the relationships, and the root entity of its destination.
        var inverse: (position: Int, root: Int)?
    }

    /// The entity.
    let entity: StoreEntity
    private let path: FilePath
    private var binder: RowBinder
    private var relationships: [Relationship] = []
    private var positions: [String: Int] = [:]
    private var incoming: [IncomingLink] = []
    /// The keys of to-one relationships of the current object, by position.
    private var keys: [Int64?] = []
    private var row: SQLiteStatement

    init(
        _ entity: StoreEntity, _ schema: NewStoreSchema, _ connection: borrowing SQLiteConnection,
        _ path: FilePath
    ) throws(FileProblem) {
        let names = schema.names
        var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
        var attributes: [AttributeDescription] = []
        let ancestry = names.model.ancestry(of: entity.name)
        for level in ancestry {
            for attribute in level.attributes where attribute.isStored {
                guard let column = names.columns[PropertyKey(entity: level.name, name: attribute.name)]
                else { continue }
                attributes.append(attribute)
                columns.append(column)
            }
        }
        do throws(SQLiteError) {
            let links = schema.links
            for level in ancestry {
                for relationship in level.relationships where !relationship.isTransient {
                    let key = PropertyKey(entity: level.name, name: relationship.name)
                    let place: Place
                    var beside: Int?
                    if let side = schema.joinSide(of: key) {
                        place = .join(try JoinInserter(side, connection))
                    } else if let link = links.firstIndex(where: { $0.key == key }) {
                        place = .link(link)
                    } else if let column = names.columns[key] {
                        columns.append(column)
                        place = .parameter(columns.count)
                        if let column = names.entityColumns[key] {
                            columns.append(column)
                            beside = columns.count
                        }
                    } else {
                        continue
                    }
                    var isToMany = true
                    if case .parameter = place { isToMany = false }
                    positions[key.name] = relationships.count
                    relationships.append(
                        Relationship(
                            name: key.name, isToMany: isToMany, place: place,
                            root: names.entities[relationship.destination]?.root ?? 0, entity: beside))
                }
            }
            incoming = Self.incoming(links, ancestry, relationships, positions, names, &columns)
            let list = columns.map(SQLiteName.quoted).joined(separator: ", ")
            // Z_ENT and Z_OPT are the same in all rows.
            let marks = columns.indices.map { place in
                place == 1 ? "\(entity.number)" : place == 2 ? "1" : "?\(place + 1)"
            }.joined(separator: ", ")
            let table = SQLiteName.quoted(names.entities.tableName(of: entity))
            row = try connection.prepare("INSERT INTO \(table) (\(list)) VALUES (\(marks))")
        } catch {
            throw error.problem(with: path)
        }
        self.entity = entity
        self.path = path
        binder = RowBinder(entity.name, attributes, AttributeBinder(path: path))
        keys = Array(repeating: nil, count: relationships.count)
    }

    /// The relationships whose links are in the rows of an entity; adds their columns.
    private static func incoming(
        _ links: [NewStoreSchema.Link], _ ancestry: [EntityDescription], _ relationships: [Relationship],
        _ positions: [String: Int], _ names: ColumnNames, _ columns: inout [String]
    ) -> [IncomingLink] {
        var found: [IncomingLink] = []
        var taken: Set<String> = []
        let line = Set(ancestry.map(\.name))
        for (number, link) in links.enumerated() where line.contains(link.rows) {
            var inverse: (position: Int, root: Int)?
            var owner: Int
            if let name = link.inverse {
                guard let position = positions[name],
                    case .parameter(let parameter) = relationships[position].place
                else { continue }
                owner = parameter
                inverse = (position, relationships[position].root)
            } else {
                columns.append(link.side.owner)
                owner = columns.count
            }
            // Two relationships with the same inverse contradict each other: the second one waits for the end.
            guard taken.insert(link.side.owner).inserted else { continue }
            var place: Int?
            if let order = link.side.order {
                columns.append(order)
                place = columns.count
            }
            found.append(IncomingLink(number: number, owner: owner, place: place, inverse: inverse))
        }
        return found
    }

    /// - Parameter files: writes large values to files; nil to keep them in the row.
    func insert(
        _ object: StoredObject, _ notes: inout LinkNotes, _ files: inout ExternalDataWriter?
    ) throws(FileProblem) {
        defer { rewind() }
        files?.begin()
        do throws(FileProblem) {
            try insertRow(object, notes, &files)
        } catch {
            files?.removeLast()
            throw error
        }
        note(object.primaryKey, &notes)
        try link(object, &notes)
    }

    private func insertRow(
        _ object: StoredObject, _ notes: borrowing LinkNotes, _ files: inout ExternalDataWriter?
    ) throws(FileProblem) {
        row.bind(object.primaryKey, at: 1)
        try binder.bind(object.attributes, to: &row, from: 4, &files)
        try bindKeys(of: object, notes)
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
    }

    private func rewind() {
        if binder.hasLargeValue { row.reset() } else { row.rewind() }
        binder.hasLargeValue = false
    }

    /// Binds the keys of to-one relationships, and the owners that wait for the object.
    private func bindKeys(of object: StoredObject, _ notes: borrowing LinkNotes) throws(FileProblem) {
        for position in keys.indices { keys[position] = nil }
        for index in object.relationships.indices {
            let position = try position(of: object.relationships[index].name, near: index)
            switch object.relationships[index].target {
            case .toOne(let key) where !relationships[position].isToMany: keys[position] = key
            case .toMany where relationships[position].isToMany: break
            default: throw binder.unknown(object.relationships[index].name)
            }
        }
        for index in incoming.indices {
            let link = link(index, object.primaryKey, notes)
            if let inverse = incoming[index].inverse {
                keys[inverse.position] = link.owner
            } else {
                row.bind(link.owner, at: incoming[index].owner)
            }
            if let parameter = incoming[index].place { row.bind(link.place, at: parameter) }
        }
        for position in relationships.indices {
            guard case .parameter(let parameter) = relationships[position].place else { continue }
            row.bind(keys[position], at: parameter)
            if let beside = relationships[position].entity {
                let root = relationships[position].root
                row.bind(keys[position].flatMap { notes.entity(of: $0, root: root) }, at: beside)
            }
        }
    }

    /// The owner and the position for a row. If the row and the owner contradict each other, the row counts.
    private func link(
        _ index: Int, _ key: Int64, _ notes: borrowing LinkNotes
    ) -> (owner: Int64?, place: Int64?, isSettled: Bool) {
        let own = incoming[index].inverse.flatMap { keys[$0.position] }
        guard let found = notes.waiting(incoming[index].number, for: key),
            own == nil || own == found.owner
        else { return (own, nil, false) }
        return (found.owner, found.place, true)
    }

    /// Notes what the row has.
    private func note(_ key: Int64, _ notes: inout LinkNotes) {
        notes.add(key, of: entity)
        for index in incoming.indices {
            let link = link(index, key, notes)
            if link.isSettled {
                notes.settle(incoming[index].number, key)
            } else if link.owner != nil, incoming[index].place != nil {
                notes.lackPlace(incoming[index].number)
            }
        }
        for position in keys.indices {
            if let target = keys[position] { notes.refer(to: target, root: relationships[position].root) }
        }
    }

    private func position(of name: String, near index: Int) throws(FileProblem) -> Int {
        if index < relationships.count, relationships[index].name == name { return index }
        guard let position = positions[name] else { throw binder.unknown(name) }
        return position
    }

    /// Notes the links of to-many relationships.
    private func link(_ object: StoredObject, _ notes: inout LinkNotes) throws(FileProblem) {
        for index in object.relationships.indices {
            guard case .toMany(let targets) = object.relationships[index].target, !targets.isEmpty else {
                continue
            }
            let relationship = try position(of: object.relationships[index].name, near: index)
            let (place, root) = (relationships[relationship].place, relationships[relationship].root)
            do throws(SQLiteError) {
                for (position, target) in targets.enumerated() {
                    let order = Int64(2048 + 1024 * position)
                    switch place {
                    case .join(let join):
                        notes.refer(to: target, root: root)
                        try join.insert(object.primaryKey, target, order)
                    case .link(let link):
                        try notes.add(link, from: object.primaryKey, to: target, place: order, root: root)
                    case .parameter: break
                    }
                }
            } catch {
                throw error.problem(with: path)
            }
        }
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
        defer { statement.rewind() }
        statement.bind(owner, at: 1)
        statement.bind(target, at: 2)
        if isOrdered { statement.bind(order, at: 3) }
        _ = try statement.step()
    }
}
