import CoreDataStore

/// The names of attributes that label objects.
public enum ObjectLabelNames {
    /// The names in lower case, the best first.
    public static let all = [
        "title", "name", "displayname", "fullname", "label", "subject", "headline", "filename", "caption",
        "text",
        "summary", "note", "body",
    ]
}

/// The labels of the objects of a plain database: the columns whose text describes an object.
struct ObjectLabels {
    /// The columns of each table that label its rows, the best first.
    private(set) var columns: [String: [String]] = [:]
    /// The attribute that labels objects of an entity.
    private(set) var attributes: [(entity: String, attribute: String)] = []
    /// The columns of each table with text for people.
    private(set) var texts: [String: [String]] = [:]
    /// The column of each table with the sync ID.
    private(set) var syncIDs: [String: String] = [:]

    /// - Parameters:
    ///   - syncID: the attribute that identifies objects, which is not a label.
    ///   - isBlind: whether attributes have the names of columns, so that their case does not matter.
    init(_ entities: ExportedEntities, _ tables: PlainTables, syncID: String, isBlind: Bool) {
        for entity in entities.all {
            let table = tables.table(of: entity.root)
            let isSyncID = { (name: String) in
                isBlind ? name.uppercased() == syncID.uppercased() : name == syncID
            }
            let texted = entity.attributes.filter { $0.type == .string }
            if let id = texted.first(where: { isSyncID($0.name) }),
                let column = tables.column(entity.name, id.name)
            {
                syncIDs[table] = column
            }
            let strings = texted.filter { !isSyncID($0.name) }
            for attribute in strings {
                guard let column = tables.column(entity.name, attribute.name),
                    !["rank", "rowid"].contains(column.lowercased()),
                    !texts[table, default: []].contains(column)
                else { continue }
                texts[table, default: []].append(column)
            }
            let named = ObjectLabelNames.all.lazy.compactMap { name in
                strings.first { $0.name.lowercased() == name }
            }
            let best = named.first ?? strings.first
            guard let best, let column = tables.column(entity.name, best.name) else { continue }
            attributes.append((entity.name, best.name))
            if !columns[table, default: []].contains(column) { columns[table, default: []].append(column) }
        }
    }

    /// An expression for the label of a row; `NULL` for a table without labels.
    func label(of table: String, alias: String? = nil) -> String {
        let names = (columns[table] ?? []).map { (alias.map { "\($0)." } ?? "") + SQLiteName.quoted($0) }
        switch names.count {
        case 0: return "NULL"
        case 1: return names[0]
        default: return "coalesce(\(names.prefix(100).joined(separator: ", ")))"
        }
    }
}

/// Views of a plain database with the labels of the targets of relationships: one for each table, and one for each
/// entity that shares its table with others.
struct LabelledViews {
    private let entities: ExportedEntities
    private let tables: PlainTables
    private let labels: ObjectLabels
    private let views: [(name: String, table: PlainTables.Table, entity: ExportedEntity?)]

    /// The largest number of joins; SQLite joins at most 64 tables.
    private static let mostJoins = 60
    /// The largest number of columns; a result of SQLite has at most 2,000.
    private static let mostColumns = 1_900
    /// The largest number of to-many relationships with a column.
    private static let mostLists = 100
    /// The largest number of labels of one relationship.
    private static let mostLabels = 100

    /// - Parameter taken: names in lower case that no view may have; the names of the views are added.
    init(
        _ entities: ExportedEntities, _ tables: PlainTables, _ labels: ObjectLabels,
        _ taken: inout Set<String>
    ) {
        self.entities = entities
        self.tables = tables
        self.labels = labels
        var views: [(String, PlainTables.Table, ExportedEntity?)] = []
        for table in tables.tables {
            let own = entities.all.filter { $0.root == table.root }
            guard own.contains(where: { !$0.relationships.isEmpty }) else { continue }
            views.append((PlainTables.unusedName("\(table.name)_labelled", &taken), table, nil))
            guard own.count > 1 else { continue }
            for entity in own where entity.name != table.root {
                views.append((PlainTables.unusedName("\(entity.name)_labelled", &taken), table, entity))
            }
        }
        self.views = views
    }

    /// The statements that create the views.
    var statements: [String] { views.map { statement($0.name, $0.table, $0.entity) } }

    private func statement(
        _ name: String, _ table: PlainTables.Table, _ entity: ExportedEntity?
    ) -> String {
        let own = entity.map { [$0] } ?? entities.all.filter { $0.root == table.root }
        let wanted = entity.map { entity in
            Set(
                (entity.attributes.map(\.name) + entity.relationships.map(\.name))
                    .compactMap { tables.column(entity.name, $0) })
        }
        var columns = ["t.\(PlainTables.key)", "t.\(PlainTables.entity)"]
        var names = Set([PlainTables.key, PlainTables.entity].map { $0.lowercased() })
        names.formUnion(table.columns.map { $0.name.lowercased() })
        var joins: [String] = []
        for column in table.columns where wanted?.contains(column.name) ?? true {
            let value = "t.\(quoted(column.name))"
            columns.append(
                column.type == "BLOB" || column.type.isEmpty
                    ? "\(Self.shown(value)) AS \(quoted(column.name))" : value)
            guard let target = column.references, labels.columns[target] != nil,
                joins.count < Self.mostJoins, columns.count < Self.mostColumns
            else { continue }
            let alias = "r\(joins.count)"
            joins.append(
                " LEFT JOIN \(quoted(target)) \(alias) ON \(alias).\(PlainTables.key) = t.\(quoted(column.name))"
            )
            let label = PlainTables.unusedName("\(column.name)_label", &names)
            columns.append("\(labels.label(of: target, alias: alias)) AS \(quoted(label))")
        }
        var lists = 0
        var known: Set<PropertyKey> = []
        for owner in own {
            for relationship in owner.relationships
            where relationship.isToMany && lists < Self.mostLists
                && columns.count < Self.mostColumns
            {
                guard known.insert(entities.key(owner, relationship)).inserted,
                    let list = list(owner, relationship)
                else { continue }
                let label = PlainTables.unusedName("\(relationship.name)_labels", &names)
                columns.append("\(list) AS \(quoted(label))")
                lists += 1
            }
        }
        let rows = entity.map { " WHERE t.\(PlainTables.entity) = \(SQLiteName.literal($0.name))" } ?? ""
        return "CREATE VIEW \(quoted(name)) AS SELECT \(columns.joined(separator: ", ")) "
            + "FROM \(quoted(table.name)) t\(joins.joined())\(rows)"
    }

    /// A value in a view: for data only its size, which programs can show; the table has the bytes. Datasette 0.65
    /// fails at a view with data.
    static func shown(_ value: String) -> String {
        "CASE typeof(\(value)) WHEN 'blob' THEN length(\(value)) || ' bytes' ELSE \(value) END"
    }

    /// The labels of all targets of a relationship, joined by commas.
    private func list(_ owner: ExportedEntity, _ relationship: ExportedEntity.Relationship) -> String? {
        guard let destination = relationship.destination,
            let target = tables.tables.first(where: { $0.root == entities.root(of: destination) }),
            labels.columns[target.name] != nil
        else { return nil }
        let label = labels.label(of: target.name, alias: "x")
        func list(_ rows: String, by order: String) -> String {
            "(SELECT group_concat(label, ', ') FROM (SELECT \(label) AS label FROM \(rows) "
                + "AND \(label) IS NOT NULL ORDER BY \(order) LIMIT \(Self.mostLabels)))"
        }
        let key = "x.\(PlainTables.key)"
        let joinKeys = [entities.key(owner, relationship), entities.inverseKey(relationship)]
        for (side, joinKey) in joinKeys.enumerated() {
            guard let joinKey, let join = tables.joins.first(where: { $0.key == joinKey }) else { continue }
            let (mine, its) =
                side == 0 ? (join.ownerColumn, join.targetColumn) : (join.targetColumn, join.ownerColumn)
            return list(
                "\(quoted(join.name)) j JOIN \(quoted(target.name)) x ON \(key) = j.\(quoted(its)) "
                    + "WHERE j.\(quoted(mine)) = t.\(PlainTables.key)",
                by: side == 0 && join.isOrdered ? "j.position, \(key)" : key)
        }
        guard let inverse = relationship.inverse, !relationship.isInverseToMany,
            let column = entities.all.lazy.filter({ $0.root == target.root })
                .compactMap({ tables.column($0.name, inverse) }).first
        else { return nil }
        let place = tables.places.first { $0.key == entities.key(owner, relationship) }?.column
        return list(
            "\(quoted(target.name)) x WHERE x.\(quoted(column)) = t.\(PlainTables.key)",
            by: place.map { "x.\(quoted($0)), \(key)" } ?? key)
    }

    private func quoted(_ name: String) -> String { SQLiteName.quoted(name) }
}
