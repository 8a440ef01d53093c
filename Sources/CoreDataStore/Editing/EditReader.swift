import SystemCalls

/// Reads the edited objects from the rows that differ.
struct EditReader {
    private let store: WritableStore
    private let notices: EditNotices
    private let layouts: [Int: EntityLayout]
    private var rows: [Int: EditedRow] = [:]
    private var identifiers: [Int: IdentifierReader] = [:]
    private var found: [StoreObjectID: EditedObject] = [:]

    init(_ store: WritableStore, _ notices: EditNotices) {
        self.store = store
        self.notices = notices
        let layout = ModelLayout(model: store.model, entities: store.entities, schema: store.schema)
        layouts = Dictionary(
            layout.layouts.map { ($0.entity.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Inserted objects, then updated ones, then deleted ones, each group by entity and primary key.
    mutating func objects(_ scan: EditScan) throws(FileProblem) -> [EditedObject] {
        for rows in scan.rows {
            for key in rows.added { try read(key, rows.root.number, .inserted) }
            for key in rows.changed { try read(key, rows.root.number, .updated) }
            for key in rows.deleted {
                guard let (object, text) = try identifier(of: key, rows.root.number, in: .base) else {
                    continue
                }
                found[object] = edited(object, text ?? "", .deleted)
                try readSurvivors(object)
            }
        }
        for pairs in scan.pairs {
            for pair in pairs.added { try add(pair, pairs.join.pair, isAdded: true) }
            for pair in pairs.removed { try add(pair, pairs.join.pair, isAdded: false) }
        }
        try addKeysOfTargets(scan)
        let kinds: [EditedObject.Kind] = [.inserted, .updated, .deleted]
        let all = found.values.filter { !$0.isEmpty }
        return kinds.flatMap { kind in
            all.filter { $0.kind == kind }.sorted {
                ($0.object.entity, $0.object.primaryKey) < ($1.object.entity, $1.object.primaryKey)
            }
        }
    }

    private func edited(_ object: StoreObjectID, _ text: String, _ kind: EditedObject.Kind) -> EditedObject {
        EditedObject(
            object: object, entity: store.entityName(of: object) ?? "", identifier: text, kind: kind)
    }

    private mutating func read(_ key: Int64, _ root: Int, _ kind: EditedObject.Kind) throws(FileProblem) {
        guard let (object, text) = try identifier(of: key, root, in: .main),
            let layout = layouts[object.entity]
        else { return }
        let row = try row(layout)
        var edited = edited(object, text ?? "", kind)
        let links = try row.read(key, into: &edited, store, notices)
        for link in links {
            let root = store.entities[link.destination]?.root ?? 0
            guard let target = link.key else {
                edited.toOne.append(EditedObject.Link(name: link.name, target: nil))
                continue
            }
            let name = try targetText(target, root, of: edited, link.name)
            if let name { edited.toOne.append(EditedObject.Link(name: link.name, target: name)) }
        }
        found[object] = edited
    }

    /// Adds objects that the delete rule of a deleted object would have reached, if the relationship had not been
    /// cleared first. Other clients must also clear it.
    private mutating func readSurvivors(_ object: StoreObjectID) throws(FileProblem) {
        guard let layout = layouts[object.entity] else { return }
        let row = try row(layout)
        guard !row.ruled.isEmpty else { return }
        for link in try row.former(object.primaryKey, store) {
            guard let key = link.key, let root = store.entities[link.destination]?.root,
                try identifier(of: key, root, in: .main) != nil
            else { continue }
            found[object]?.toOne.append(EditedObject.Link(name: link.name, target: nil))
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
        guard let target = try targetText(targetKey, targetRoot, of: owner, relationship.name) else { return }
        let link = EditedObject.Link(name: relationship.name, target: target)
        if isAdded {
            found[object, default: owner].added.append(link)
        } else {
            found[object, default: owner].removed.append(link)
        }
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
