import SystemCalls

/// Reads the edited objects from the rows that differ.
struct EditReader {
    private let store: WritableStore
    private let notices: EditNotices
    private let layouts: [Int: EntityLayout]
    private var rows: [Int: EditedRow] = [:]
    private var identifiers: [Int: IdentifierReader] = [:]
    private var links = EditedLinks()

    init(_ store: WritableStore, _ notices: EditNotices) {
        self.store = store
        self.notices = notices
        let layout = ModelLayout(model: store.model, entities: store.entities, schema: store.schema)
        layouts = Dictionary(
            layout.layouts.map { ($0.entity.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Passes on inserted objects, then updated ones, then deleted ones, each group by entity and primary key. Only one
    /// object is in memory at a time; of the others, keys are.
    mutating func forEachObject(
        _ scan: EditScan, _ body: (EditedObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        do throws(FileProblem) {
            try readLinks(scan)
            links.sort()
            // The notices of rows, in the order of the scan, come before those of links.
            let ofLinks = notices.take()
            var ofRows: [(row: EditedRows.Row, rank: Int, notices: [EditNotice])] = []
            let rows = try rows(scan)
            for (rank, kind) in EditedObject.Kind.allCases.enumerated() {
                for row in rows[kind] {
                    var edited = try read(row, kind)
                    let heard = notices.take()
                    if !heard.isEmpty { ofRows.append((row, rank, heard)) }
                    try addLinks(to: &edited)
                    _ = notices.take()
                    if !edited.isEmpty { try body(edited) }
                }
            }
            ofRows.sort { ($0.row.table, $0.rank, $0.row.key) < ($1.row.table, $1.rank, $1.row.key) }
            notices.add(ofRows.flatMap(\.notices) + ofLinks)
        } catch {
            try check(scan)
            throw error
        }
    }

    /// Reads the rows in the order of the scan, so that the error of the first faulty one is thrown.
    private mutating func check(_ scan: EditScan) throws(FileProblem) {
        for (position, rows) in scan.rows.enumerated() {
            for (keys, kind) in [(rows.added, EditedObject.Kind.inserted), (rows.changed, .updated)] {
                for key in keys {
                    guard let (object, _) = try identifier(of: key, rows.root.number, in: .main),
                        layouts[object.entity] != nil
                    else { continue }
                    _ = try read(EditedRows.Row(object, table: position), kind)
                }
            }
        }
    }

    /// The rows of each kind. An object of which only links differ is updated.
    private mutating func rows(_ scan: EditScan) throws(FileProblem) -> EditedRows {
        var found = EditedRows()
        for (position, rows) in scan.rows.enumerated() {
            let root = rows.root.number
            for (keys, kind) in [
                (rows.added, EditedObject.Kind.inserted), (rows.changed, .updated), (rows.deleted, .deleted),
            ] {
                let place: IdentifierReader.Place = kind == .deleted ? .base : .main
                for key in keys {
                    guard let (object, _) = try identifier(of: key, root, in: place),
                        kind == .deleted || layouts[object.entity] != nil
                    else { continue }
                    found.add(EditedRows.Row(object, table: position), kind)
                }
            }
        }
        found.addOwners(of: links)
        return found
    }

    private func edited(_ object: StoreObjectID, _ text: String, _ kind: EditedObject.Kind) -> EditedObject {
        EditedObject(
            object: object, entity: store.entityName(of: object) ?? "", identifier: text, kind: kind)
    }

    /// The object of a row, without its links.
    private mutating func read(
        _ row: EditedRows.Row, _ kind: EditedObject.Kind
    ) throws(FileProblem) -> EditedObject {
        let object = row.object
        let root = store.entities[object.entity]?.root ?? 0
        let place: IdentifierReader.Place = kind == .deleted ? .base : .main
        let text = try identifier(of: object.primaryKey, root, in: place)?.1
        var edited = edited(object, text ?? "", kind)
        if kind == .deleted {
            try readSurvivors(&edited)
        } else if row.differs, let layout = layouts[object.entity] {
            let links = try self.row(layout).read(object.primaryKey, into: &edited, store, notices)
            for link in links {
                let root = store.entities[link.destination]?.root ?? 0
                guard let target = link.key else {
                    edited.toOne.append(EditedObject.Link(name: link.name, target: nil))
                    continue
                }
                let name = try targetText(target, root, of: edited, link.name)
                if let name { edited.toOne.append(EditedObject.Link(name: link.name, target: name)) }
            }
        }
        return edited
    }

    private mutating func addLinks(to edited: inout EditedObject) throws(FileProblem) {
        for position in links.range(of: edited.object) {
            let link = links[position]
            guard let target = try targetText(link.target, link.targetRoot, of: edited, link.name) else {
                continue
            }
            let named = EditedObject.Link(name: link.name, target: target)
            if link.isAdded { edited.added.append(named) } else { edited.removed.append(named) }
        }
    }

    /// Adds objects that the delete rule of a deleted object would have reached, if the relationship had not been
    /// cleared first. Other clients must also clear it.
    private mutating func readSurvivors(_ edited: inout EditedObject) throws(FileProblem) {
        guard let layout = layouts[edited.object.entity] else { return }
        let row = try row(layout)
        guard !row.ruled.isEmpty else { return }
        for link in try row.former(edited.object.primaryKey, store) {
            guard let key = link.key, let root = store.entities[link.destination]?.root,
                try identifier(of: key, root, in: .main) != nil
            else { continue }
            edited.toOne.append(EditedObject.Link(name: link.name, target: nil))
        }
    }

    private mutating func row(_ layout: EntityLayout) throws(FileProblem) -> EditedRow {
        if let known = rows[layout.entity.number] { return known }
        let made = try store.run { () throws(SQLiteError) in
            try EditedRow(layout, store.model, store.path, store.connection)
        }
        rows[layout.entity.number] = made
        return made
    }

    private mutating func identifier(
        of key: Int64, _ root: Int, in place: IdentifierReader.Place
    ) throws(FileProblem) -> (StoreObjectID, String?)? {
        if identifiers[root] == nil {
            guard let entity = store.entities[root] else { return nil }
            identifiers[root] = try store.run { () throws(SQLiteError) in
                try IdentifierReader(entity, store)
            }
        }
        guard let reader = identifiers[root] else { return nil }
        return try store.run { () throws(SQLiteError) in try reader.identifier(of: key, in: place) }
    }

    /// The identifier of the present or former target of a relationship; nil if the object has none.
    private mutating func targetText(
        _ key: Int64, _ root: Int, of owner: EditedObject, _ name: String
    ) throws(FileProblem) -> String? {
        var target = try identifier(of: key, root, in: .main)
        if target == nil { target = try identifier(of: key, root, in: .base) }
        guard let (object, text) = target else { return nil }
        if let text, !text.isEmpty { return text }
        if let reader = identifiers[root], reader.hasIdentifier(object.entity) {
            notices.add(
                .targetWithoutIdentifier, owner.entity, owner.object.primaryKey, owner.identifier,
                property: name, "it leads to \(key), which has no identifier")
        }
        return nil
    }

    private mutating func readLinks(_ scan: EditScan) throws(FileProblem) {
        for pairs in scan.pairs {
            for pair in pairs.added { try add(pair, pairs.join.pair, isAdded: true) }
            for pair in pairs.removed { try add(pair, pairs.join.pair, isAdded: false) }
        }
        try addKeysOfTargets(scan)
    }

    private mutating func add(_ pair: EditedJoin.Pair, _ join: JoinPair, isAdded: Bool) throws(FileProblem) {
        guard let one = pair.first, let other = pair.second else { return }
        try add(join.first, one, other, root(of: join.second.entity), isAdded)
        // A reflexive relationship has the inverse pair in a row of its own.
        if !join.isReflexive { try add(join.second, other, one, root(of: join.first.entity), isAdded) }
    }

    private func root(of entity: String) -> Int { store.entities[entity]?.root ?? 0 }

    /// Adds the identifier of a target that a to-many relationship gained or lost.
    private mutating func add(
        _ relationship: PropertyKey, _ key: Int64, _ targetKey: Int64, _ targetRoot: Int, _ isAdded: Bool
    ) throws(FileProblem) {
        let root = root(of: relationship.entity)
        var place = IdentifierReader.Place.main
        if !isAdded, try identifier(of: key, root, in: .main) == nil {
            let rule = store.model[relationship.entity]?.relationships.first { $0.name == relationship.name }?
                .deleteRule
            let survives = try identifier(of: targetKey, targetRoot, in: .main) != nil
            if survives, rule == .cascade || rule == .deny { place = .base }
        }
        guard let (object, text) = try identifier(of: key, root, in: place) else { return }
        let owner = edited(object, text ?? "", .updated)
        guard try targetText(targetKey, targetRoot, of: owner, relationship.name) != nil else { return }
        links.add(
            EditedLinks.Link(
                name: relationship.name, target: targetKey, targetRoot: targetRoot, isAdded: isAdded),
            of: object)
    }

    /// Adds the changes of to-many relationships without inverse, whose keys are in the rows of the targets.
    private mutating func addKeysOfTargets(_ scan: EditScan) throws(FileProblem) {
        for place in try KeyPlace.all(store) where place.isToMany {
            guard let rows = scan.rows.first(where: { $0.table == place.column.names.table }) else {
                continue
            }
            let relationship = PropertyKey(entity: place.entity, name: place.name)
            let changes = try store.run { () throws(SQLiteError) in
                var changes: [(row: Int64, old: Int64?, new: Int64?)] = []
                let table = SQLiteName.quoted(rows.table)
                let column = SQLiteName.quoted(place.column.names.column)
                var statement = try store.connection.prepare(
                    "SELECT b.\(column), m.\(column) FROM (SELECT ?1 AS k) LEFT JOIN main.\(table) AS m "
                        + "ON m.Z_PK = k LEFT JOIN base.\(table) AS b ON b.Z_PK = k")
                for row in rows.added + rows.changed + rows.deleted {
                    statement.bind(row, at: 1)
                    if try statement.step(), statement.integer(0) != statement.integer(1) {
                        changes.append((row, statement.integer(0), statement.integer(1)))
                    }
                    statement.reset()
                }
                return changes
            }
            for (row, old, new) in changes {
                if let old { try add(relationship, old, row, rows.root.number, false) }
                if let new { try add(relationship, new, row, rows.root.number, true) }
            }
        }
    }
}

extension EditedObject {
    /// Whether no property of the model was changed.
    fileprivate var isEmpty: Bool {
        kind == .updated && attributes.isEmpty && toOne.isEmpty && added.isEmpty && removed.isEmpty
    }
}
