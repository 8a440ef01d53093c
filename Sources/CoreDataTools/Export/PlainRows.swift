import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// The prepared INSERT statements of an export to a plain database.
final class PlainRows {
    private var rows: [String: SQLiteStatement.Holder] = [:]
    private var joins: [PropertyKey: (insertion: SQLiteStatement.Holder, isOrdered: Bool)] = [:]
    private var links: [PropertyKey: Int64] = [:]
    /// Inserts positions of targets whose rows may come later.
    private let places: SQLiteStatement.Holder
    private let entities: ExportedEntities

    init(
        _ tables: PlainTables, _ entities: ExportedEntities, _ connection: borrowing SQLiteConnection,
        _ path: FilePath
    ) throws(FileProblem) {
        self.entities = entities
        do throws(SQLiteError) {
            try connection.execute(
                "CREATE TEMP TABLE places (link INTEGER, target INTEGER, place INTEGER, PRIMARY KEY (link, target)) "
                    + "WITHOUT ROWID")
            places = SQLiteStatement.Holder(
                try connection.prepare("INSERT OR REPLACE INTO temp.places VALUES (?1, ?2, ?3)"))
            for entity in entities.all {
                let properties =
                    entity.attributes.map(\.name) + entity.relationships.filter { !$0.isToMany }.map(\.name)
                let columns =
                    [PlainTables.key, PlainTables.entity]
                    + properties.map { SQLiteName.quoted(tables.column(entity.name, $0) ?? $0) }
                let marks = columns.map { _ in "?" }.joined(separator: ", ")
                rows[entity.name] = SQLiteStatement.Holder(
                    try connection.prepare(
                        "INSERT INTO \(SQLiteName.quoted(tables.table(of: entity.root))) "
                            + "(\(columns.joined(separator: ", "))) VALUES (\(marks))"))
            }
            for join in tables.joins {
                let statement = try connection.prepare(
                    "INSERT INTO \(SQLiteName.quoted(join.name)) VALUES (?1, ?2\(join.isOrdered ? ", ?3" : ""))"
                )
                joins[join.key] = (SQLiteStatement.Holder(statement), join.isOrdered)
            }
        } catch {
            throw ScratchDatabase.problem(error, path)
        }
        for place in tables.places { links[place.key] = Int64(place.link) }
    }

    func insert(
        _ object: StoredObject, _ entity: ExportedEntity, _ json: (ArchivedValue) -> String
    ) throws(SQLiteError) {
        guard let row = rows[entity.name] else { return }
        row.statement.bind(object.primaryKey, at: 1)
        try row.statement.bind(object.entity, at: 2)
        var parameter = 3
        for attribute in entity.attributes {
            let value = ExportValue(
                object.value(attribute.name), of: attribute.type, asText: false, json: json)
            try Self.bind(value, to: row, at: parameter)
            parameter += 1
        }
        for relationship in entity.relationships where !relationship.isToMany {
            var key: Int64?
            if case .toOne(let target) = object.target(relationship.name) { key = target }
            row.statement.bind(key, at: parameter)
            parameter += 1
        }
        try row.statement.run()
        for relationship in entity.relationships where relationship.isToMany {
            try insertTargets(object, entity, relationship)
        }
    }

    private func insertTargets(
        _ object: StoredObject, _ entity: ExportedEntity, _ relationship: ExportedEntity.Relationship
    ) throws(SQLiteError) {
        let key = entities.key(entity, relationship)
        let targets = object.target(relationship.name).keys
        for (position, target) in targets.enumerated() {
            let place = Int64(position + 1)
            if let join = joins[key], join.isOrdered {
                try join.insertion.statement.run(object.primaryKey, target, place)
            } else if let join = joins[key] {
                try join.insertion.statement.run(object.primaryKey, target)
            } else if let link = links[key] {
                try places.statement.run(link, target, place)
            }
        }
    }

    static func bind(
        _ value: ExportValue, to row: SQLiteStatement.Holder, at parameter: Int
    ) throws(SQLiteError) {
        switch value {
        case .null: row.statement.bind(nil, at: parameter)
        case .boolean(let truth): row.statement.bind(truth ? 1 : 0, at: parameter)
        case .integer(let number): row.statement.bind(number, at: parameter)
        case .real(let number): row.statement.bind(number, at: parameter)
        case .text(let text): try row.statement.bind(text, at: parameter)
        case .data(let bytes): try row.statement.bind(bytes, at: parameter)
        }
    }
}

/// A value in the exports to CSV and SQLite.
enum ExportValue {
    case null
    case boolean(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case data([UInt8])

    /// - Parameter json: converts collections and objects of other classes to text.
    init(_ value: ArchivedValue, json: (ArchivedValue) -> String) {
        switch value {
        case _ where value.missingExternalFile != nil: self = .null
        case .none, .null: self = .null
        case .boolean(let truth): self = .boolean(truth)
        case .integer(let number): self = Int64(exactly: number).map { .integer($0) } ?? .text("\(number)")
        case .real(let number): self = .real(number)
        case .string(let text), .url(let text): self = .text(text)
        case .data(let bytes): self = .data(bytes)
        case .date(let seconds): self = .text(Self.text(date: seconds))
        case .decimal(let number): self = .text(number.description)
        case .uuid(let uuid): self = .text(uuid.description)
        case .array, .set, .orderedSet, .dictionary, .attributedString, .object, .cycle, .uid:
            self = .text(json(value))
        }
    }

    /// The date in ISO 8601 in UTC. For a date before the year 1 or after 9999, ISO 8601 has no form that all readers
    /// know, and a date with a fraction below a nanosecond would change; the result is then a text that no reader takes
    /// for a date: the exact number of seconds, or `distantPast`.
    static func text(date seconds: Double) -> String {
        if let time = FileTime(exactSecondsSince2001: seconds) { return time.iso }
        return seconds == ArchivedValue.distantPast ? "distantPast" : "seconds since 2001: \(seconds)"
    }
}
