public import CoreDataStore
public import SystemCalls

/// A change of an object in the table of changes of an exported database.
public struct ExportedChange: Sendable {
    /// Identifier of the document.
    public var document: String?
    /// Identifier of the client that wrote it.
    public var client: String?
    /// The description of that client.
    public var device: String?
    /// Identifier of the change set.
    public var changeSet: String
    /// The position in the change set, from 1.
    public var sequence: Int
    /// The time by the clock of the client.
    public var time: FileTime?
    /// The time at which the set was sent.
    public var sent: FileTime?
    /// The type of the change, such as `insert`.
    public var type: String
    /// The entity of the object.
    public var entity: String
    /// The sync ID of the object.
    public var object: String?
    /// The attributes with their values: all attributes of an insert, the only one of an attribute change.
    public var attributes: [StoredAttribute] = []
    /// The relationship; nil for all other changes.
    public var relationship: String?
    /// The entity of the related object.
    public var relatedEntity: String?
    /// The sync ID of the newly related object.
    public var newObject: String?
    /// The sync ID of the object that is no longer related.
    public var oldObject: String?

    /// A change without values.
    public init(
        document: String?, client: String?, device: String?, changeSet: String, sequence: Int,
        time: FileTime?,
        sent: FileTime?, type: String, entity: String, object: String?
    ) {
        self.document = document
        self.client = client
        self.device = device
        self.changeSet = changeSet
        self.sequence = sequence
        self.time = time
        self.sent = sent
        self.type = type
        self.entity = entity
        self.object = object
    }
}

/// The parts of an exported database beyond the objects and ``LabelledViews``, for browsing it: full-text search, the
/// changes of each object, and their labels.
struct BrowsedDatabase {
    /// The names of the tables and views, with a number if an entity has the same name.
    let changes: String
    let objects: String
    let history: String
    /// The table of full-text search for each table with texts, and its columns.
    let searches: [(table: String, search: String, columns: [String])]
    let changesSearch: String
    private let changeIndexes: [String]
    private let labels: ObjectLabels
    private let tables: PlainTables

    /// - Parameter taken: names in lower case that are in use; the names of the tables and views are added.
    init(_ tables: PlainTables, _ labels: ObjectLabels, _ taken: inout Set<String>) {
        self.tables = tables
        self.labels = labels
        func free(_ name: String) -> String { PlainTables.unusedName(name, &taken) }
        let named = free("changes")
        changes = named
        objects = free("objects")
        history = free("history")
        changesSearch = free("\(named)_fts")
        searches = tables.tables.compactMap { table in
            guard let columns = labels.texts[table.name] else { return nil }
            let search = free("\(table.name)_fts")
            return (table.name, search, columns.filter { $0.lowercased() != search.lowercased() })
        }
        changeIndexes = ["object", "time"].map { free("\(named)_\($0)") }
    }

    /// The statements before the rows.
    var schema: [String] {
        [
            """
            CREATE TABLE \(quoted(objects)) (object TEXT PRIMARY KEY, entity TEXT, label TEXT, \
            \(PlainTables.key) INTEGER, document TEXT)
            """,
            """
            CREATE TABLE \(quoted(changes)) (id INTEGER PRIMARY KEY, time TEXT, device TEXT, type TEXT NOT NULL, \
            entity TEXT, object TEXT REFERENCES \(quoted(objects)) (object), attribute TEXT, old_value, new_value, \
            has_old_value INTEGER NOT NULL, related_entity TEXT, document TEXT, client TEXT, change_set TEXT NOT NULL, \
            sequence INTEGER NOT NULL, sent TEXT)
            """,
        ]
    }

    static let insertedColumns = [
        "time", "device", "type", "entity", "object", "attribute", "old_value", "new_value", "has_old_value",
        "related_entity", "document", "client", "change_set", "sequence", "sent",
    ]

    var insertion: String {
        let marks = Self.insertedColumns.map { _ in "?" }.joined(separator: ", ")
        return
            "INSERT INTO \(quoted(changes)) (\(Self.insertedColumns.joined(separator: ", "))) VALUES (\(marks))"
    }

    /// The statements after the rows of the objects and the changes.
    var completion: [String] {
        let changes = quoted(changes)
        let objects = quoted(objects)
        var sql: [String] = [
            "CREATE INDEX \(quoted(changeIndexes[0])) ON \(changes) (object, attribute, id)",
            "CREATE INDEX \(quoted(changeIndexes[1])) ON \(changes) (time)",
            // An earlier change of the same attribute contains the previous value; there may be none.
            """
            UPDATE \(changes) SET (old_value, has_old_value) = (SELECT before.new_value, 1 FROM \(changes) before \
            WHERE before.object = \(changes).object AND before.attribute = \(changes).attribute \
            AND before.document IS \(changes).document AND before.id < \(changes).id ORDER BY before.id DESC LIMIT 1) \
            WHERE type IN ('attribute', 'toOne') AND EXISTS (SELECT 1 FROM \(changes) before \
            WHERE before.object = \(changes).object AND before.attribute = \(changes).attribute \
            AND before.document IS \(changes).document AND before.id < \(changes).id)
            """,
        ]
        for table in tables.tables {
            guard let id = labels.syncIDs[table.name] else { continue }
            sql.append(
                """
                INSERT OR IGNORE INTO \(objects) (object, entity, label, \(PlainTables.key)) SELECT \(quoted(id)), \
                \(PlainTables.entity), \(labels.label(of: table.name)), \(PlainTables.key) FROM \(quoted(table.name)) \
                WHERE \(quoted(id)) IS NOT NULL
                """)
        }
        sql += [
            """
            INSERT OR IGNORE INTO \(objects) (object, entity) SELECT object, entity FROM \(changes) \
            WHERE object IS NOT NULL ORDER BY id
            """,
            """
            UPDATE \(objects) SET document = (SELECT document FROM \(changes) c WHERE c.object = \(objects).object LIMIT 1)
            """,
            "CREATE TEMP TABLE labels (entity TEXT, attribute TEXT COLLATE NOCASE)",
        ]
        sql += labels.attributes.map {
            "INSERT INTO temp.labels VALUES (\(SQLiteName.literal($0.entity)), \(SQLiteName.literal($0.attribute)))"
        }
        sql += [
            """
            UPDATE \(objects) SET label = (SELECT c.new_value FROM \(changes) c JOIN temp.labels l \
            ON l.entity = \(objects).entity AND l.attribute = c.attribute WHERE c.object = \(objects).object \
            AND typeof(c.new_value) = 'text' ORDER BY c.id DESC LIMIT 1) WHERE \(PlainTables.key) IS NULL
            """,
            """
            CREATE VIEW \(quoted(history)) AS SELECT c.id, c.time, c.device, c.type, c.entity, o.label, c.attribute, \
            \(LabelledViews.shown("c.old_value")) AS old_value, \(LabelledViews.shown("c.new_value")) AS new_value, c.has_old_value, r.label AS related, c.object, c.document, c.client, c.change_set, \
            c.sequence, c.sent FROM \(changes) c LEFT JOIN \(objects) o ON o.object = c.object \
            LEFT JOIN \(objects) r ON c.related_entity IS NOT NULL AND r.object = coalesce(c.new_value, c.old_value)
            """,
        ]
        for search in searches where !search.columns.isEmpty {
            sql += fullText(search.search, of: search.table, search.columns, key: PlainTables.key)
        }
        sql += fullText(changesSearch, of: self.changes, ["attribute", "old_value", "new_value"], key: "id")
        return sql
    }

    /// Full-text search without a copy of the texts.
    private func fullText(_ search: String, of table: String, _ columns: [String], key: String) -> [String] {
        let names = columns.map(quoted).joined(separator: ", ")
        let texts = columns.map { "CASE typeof(\(quoted($0))) WHEN 'text' THEN \(quoted($0)) END" }
        return [
            "CREATE VIRTUAL TABLE \(quoted(search)) USING fts5(\(names), content=\(quoted(table)), "
                + "content_rowid=\(quoted(key)))",
            "INSERT INTO \(quoted(search)) (rowid, \(names)) SELECT \(quoted(key)), "
                + "\(texts.joined(separator: ", ")) FROM \(quoted(table))",
        ]
    }

    private func quoted(_ name: String) -> String { SQLiteName.quoted(name) }
}

/// The facts that a program needs to show the database: the tables for people, their labels and their searches.
public struct BrowsedTables: Sendable {
    /// A table of objects.
    public struct Table: Sendable {
        /// The name.
        public var name: String
        /// The column with the label of a row; nil if there is none.
        public var label: String?
        /// Whether several entities share the table.
        public var hasSubentities: Bool
    }

    /// The tables of objects.
    public var tables: [Table]
    /// The table of changes, the table of objects with their labels, and the view that joins both.
    public var changes, objects, history: String
    /// The table of full-text search over the changes.
    public var changesSearch: String
}
