import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// The objects of an import in a scratch file, with the targets of their relationships as the files name them.
final class ImportStage {
    private let folder: TemporaryFolder
    let path: FilePath
    let schema: ImportSchema
    let findings: ImportFindings
    /// The kind of the new store, which decides how many digits numbers may have.
    private let kind: NewStore.Kind
    /// Whether the nearest number may take the place of one with more digits.
    private let rounds: Bool
    let connection: SQLiteConnection
    private var insertion: SQLiteStatement
    private var naming: SQLiteStatement
    private var absence: SQLiteStatement
    private var placing: SQLiteStatement
    private var byKey: SQLiteStatement
    private var byID: SQLiteStatement
    private var rows = 0
    /// The number of objects that do not fit.
    private(set) var bad = 0
    /// The number of objects.
    var count: Int { rows - bad }
    /// The number of objects without a primary key.
    private(set) var newObjects = 0
    /// Whether any object has a sync ID.
    private(set) var hasSyncIDs = false

    init(
        _ schema: ImportSchema, _ findings: ImportFindings, _ options: StoreImport.Options
    ) throws(FileProblem) {
        kind = options.kind
        rounds = options.rounds
        folder = try TemporaryFolder(prefix: "ticds-import")
        path = folder.path.appending("objects")
        self.schema = schema
        self.findings = findings
        let connection = try ScratchDatabase.open(path, Self.tables)
        insertion = try ScratchDatabase.prepare(
            "INSERT OR IGNORE INTO objects VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", connection, path
        )
        naming = try ScratchDatabase.prepare(
            "INSERT INTO names VALUES (?1, ?2, ?3, ?4, ?5, ?6)", connection, path)
        absence = try ScratchDatabase.prepare("INSERT INTO absent VALUES (?1, ?2)", connection, path)
        placing = try ScratchDatabase.prepare("INSERT INTO positions VALUES (?1, ?2, ?3)", connection, path)
        let found = "SELECT n, file, line, entity, bad FROM objects WHERE root = ?1 AND"
        byKey = try ScratchDatabase.prepare("\(found) key = ?2", connection, path)
        byID = try ScratchDatabase.prepare("\(found) id = ?2", connection, path)
        self.connection = connection
    }

    private static let tables = [
        """
        CREATE TABLE objects (n INTEGER PRIMARY KEY, entity INTEGER, root INTEGER, key INTEGER, id TEXT, file INTEGER, \
        line INTEGER, new INTEGER, bad INTEGER, cells BLOB)
        """,
        "CREATE UNIQUE INDEX objects_key ON objects (root, key) WHERE key IS NOT NULL",
        "CREATE UNIQUE INDEX objects_id ON objects (root, id) WHERE id IS NOT NULL",
        "CREATE TABLE names (owner INTEGER, link INTEGER, place INTEGER, key INTEGER, id TEXT, text INTEGER)",
        "CREATE TABLE absent (link INTEGER, owner INTEGER, PRIMARY KEY (link, owner)) WITHOUT ROWID",
        """
        CREATE TABLE links (link INTEGER, owner INTEGER, target INTEGER, place INTEGER, \
        PRIMARY KEY (link, owner, target)) WITHOUT ROWID
        """,
        "CREATE TABLE positions (link INTEGER, target INTEGER, place INTEGER, PRIMARY KEY (link, target)) WITHOUT ROWID",
    ]

    /// The place of an object in words, for errors.
    func place(_ entity: Int, key: Int64?, line: Int) -> String {
        let name = schema.entities.indices.contains(entity) ? schema.entities[entity].name : ""
        let object = key.map { "\(name) \($0)" } ?? "a new \(name)"
        return line > 0 ? "line \(line), \(object)" : object
    }

    /// Adds an object, if each of its values fits.
    func add(_ record: ImportRecord) throws(FileProblem) {
        let entity = schema.entities[record.entity]
        let (number, key, line) = (record.entity, record.key, record.line)
        let place = { [self] in self.place(number, key: key, line: line) }
        let before = findings.count
        var record = record
        check(&record, entity, place)
        // A database has one side of a relationship.
        if record.line > 0 { remarkAbsent(record, entity) }
        var id: String?
        var isUsed = false
        if let position = entity.syncID, case .string(let text) = value(record, entity, position),
            !text.isEmpty
        {
            id = text
        }
        let cells = ImportCells.bytes(record.cells)
        if findings.count == before, !record.isBad, record.key ?? 1 > 0, cells.count <= Self.mostBytes,
            try insert(record, entity, id, cells)
        {
            return
        }
        if let key = record.key {
            if key < 1 {
                findings.add(
                    record.file, place(),
                    CellProblem("not a primary key", expected: "1 or more", found: "\(key)"))
                isUsed = true
            } else if let other = try object(entity.root, key: key) {
                isUsed = true
                add(duplicate: "the primary key", of: other, record, place())
            }
        }
        if let id, let other = try object(entity.root, id: id) {
            add(duplicate: "the sync ID “\(id.shortened(to: 40))”", of: other, record, place())
        }
        if cells.count > Self.mostBytes {
            findings.add(
                record.file, place(),
                CellProblem(
                    "is larger than any object", expected: "at most \(Self.mostBytes) bytes",
                    found: "\(cells.count) bytes"))
        }
        // Others may lead to it, which is no fault of theirs.
        bad += 1
        if isUsed { record.key = nil }
        record.targets = record.targets.map { _ in .absent }
        _ = try insert(record, entity, nil, nil)
    }

    private func add(duplicate: String, of other: Object, _ record: ImportRecord, _ place: String) {
        let path = findings.files.indices.contains(other.file) ? findings.files[other.file].escaped : ""
        let where_ = other.line > 0 ? "line \(other.line) of \(path)" : path
        findings.add(
            record.file, place, CellProblem("\(duplicate) occurs twice", found: "the same in \(where_)"))
    }

    /// Checks each value, and fills in the defaults of mandatory attributes.
    private func check(_ record: inout ImportRecord, _ entity: ImportSchema.Entity, _ place: () -> String) {
        for (position, attribute) in entity.attributes.enumerated() {
            do throws(CellProblem) {
                if record.cells[position] == .absent {
                    if let standard = attribute.defaultValue {
                        findings.remark(
                            "\(entity.name).\(attribute.name) is in no column or field: the default "
                                + Self.shown(standard))
                    } else if attribute.isOptional {
                        findings.addAbsent(entity.name, attribute.name)
                    } else {
                        throw CellProblem("has no value, is mandatory, and the model has no default")
                    }
                    continue
                }
                let value = try ImportValue.value(record.cells[position], attribute)
                if let near = ImportDigits.nearest(of: record.cells[position], value, attribute.type, kind) {
                    guard rounds else { throw ImportDigits.problem(record.cells[position], near) }
                    findings.remark("\(entity.name).\(attribute.name): a number is rounded (--round)")
                }
                guard value.isNil, !attribute.isOptional else { continue }
                guard let standard = attribute.defaultValue else {
                    throw CellProblem("has no value, is mandatory, and the model has no default")
                }
                record.cells[position] = .absent
                findings.remark(
                    "\(entity.name).\(attribute.name) is mandatory and has no value: the default "
                        + Self.shown(standard))
            } catch {
                findings.add(record.file, "\(place()), \(attribute.name)", error)
            }
        }
    }

    private func remarkAbsent(_ record: ImportRecord, _ entity: ImportSchema.Entity) {
        for (position, targets) in record.targets.enumerated() {
            guard case .absent = targets else { continue }
            let link = schema.links[entity.links[position]]
            let inverse = link.inverse.map { "it follows \(schema.links[$0].title)" }
            findings.remark(
                "\(entity.name).\(link.name) is in no column or field: \(inverse ?? "it is empty")")
        }
    }

    private static func shown(_ value: ArchivedValue) -> String {
        switch value {
        case .string(let text), .url(let text): "“\(text.shortened(to: 40))”"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .boolean(let truth): "\(truth)"
        case .decimal(let number): number.description
        default: value.kindName
        }
    }

    /// The value of an attribute; the default for one that is absent.
    func value(_ record: ImportRecord, _ entity: ImportSchema.Entity, _ position: Int) -> ArchivedValue {
        Self.value(record.cells[position], entity.attributes[position])
    }

    /// The value of a checked cell; the default for one that is absent.
    static func value(_ cell: ImportCell, _ attribute: AttributeDescription) -> ArchivedValue {
        guard cell != .absent else { return attribute.defaultValue ?? .none }
        // try?: the cell was checked when it was added
        return (try? ImportValue.value(cell, attribute)) ?? .none
    }

    /// - Parameter cells: the values; nil for an object that does not fit.
    /// - Returns: false if another object has the key or the sync ID, so that nothing was inserted.
    private func insert(
        _ record: ImportRecord, _ entity: ImportSchema.Entity, _ id: String?, _ cells: [UInt8]?
    ) throws(FileProblem) -> Bool {
        try ScratchDatabase.run(path) { () throws(SQLiteError) in
            let row = Int64(rows + 1)  // bounded: a count of objects
            insertion.bind(row, at: 1)
            insertion.bind(Int64(record.entity), at: 2)
            insertion.bind(Int64(entity.root), at: 3)
            insertion.bind(record.key, at: 4)
            if let id { try insertion.bind(id, at: 5) } else { insertion.bind(nil as Int64?, at: 5) }
            insertion.bind(Int64(record.file), at: 6)
            insertion.bind(Int64(record.line), at: 7)
            insertion.bind(record.key == nil || cells == nil ? 1 : 0, at: 8)
            insertion.bind(cells == nil ? 1 : 0, at: 9)
            if let cells { try insertion.bind(cells, at: 10) } else { insertion.bind(nil as Int64?, at: 10) }
            // A large value is not kept until the next object.
            defer { if cells?.count ?? 0 > 1 << 16 { insertion.reset() } else { insertion.rewind() } }
            _ = try insertion.step()
            guard connection.changes == 1 else { return false }
            rows += 1
            if cells != nil, record.key == nil { newObjects += 1 }
            if id != nil { hasSyncIDs = true }
            for (position, targets) in record.targets.enumerated() {
                let link = Int64(entity.links[position])
                switch targets {
                case .absent: try absence.run(link, row)
                case .names(let names):
                    for name in names { try insert(name.name, name.place, link, of: row) }
                }
            }
            for position in record.positions {
                try placing.run(Int64(position.link), row, position.place)
            }
            return true
        }
    }

    /// Adds a row of a table of pairs, after all objects.
    func add(_ pair: PlainDatabaseImport.Pair, _ file: Int) throws(FileProblem) {
        let link = schema.links[pair.link]
        guard let owner = pair.owner, let target = pair.target else {
            return findings.add(file, pair.row, CellProblem("lacks a key"))
        }
        let found = try object(link.ownRoot, key: owner)
        guard let found, schema.entities[found.entity].links.contains(pair.link) || found.isBad else {
            return findings.add(
                file, pair.row,
                CellProblem(
                    "names an object that does not exist", expected: "a primary key of \(link.entity)",
                    found: "\(owner)"))
        }
        if found.isBad { return findings.remark("\(link.title) names an object that is left out") }
        try ScratchDatabase.run(path) { () throws(SQLiteError) in
            try insert(.key(target), pair.place, Int64(pair.link), of: found.number)
        }
    }

    /// The largest number of bytes of an object; SQLite has a limit of a thousand million.
    private static let mostBytes = 900_000_000

    private func insert(
        _ name: ImportRecord.Name, _ place: Int64?, _ link: Int64, of owner: Int64
    ) throws(SQLiteError) {
        defer { naming.reset() }
        naming.bind(owner, at: 1)
        naming.bind(link, at: 2)
        naming.bind(place, at: 3)
        switch name {
        case .key(let key): naming.bind(key, at: 4)
        case .id(let id): try naming.bind(id, at: 5)
        case .text(let text):
            try naming.bind(text, at: 5)
            naming.bind(1, at: 6)
        }
        _ = try naming.step()
    }

    /// An object of the scratch file.
    struct Object {
        var number: Int64
        var file: Int
        var line: Int
        var entity: Int
        /// Whether it does not fit.
        var isBad: Bool
    }

    /// The object with a primary key.
    func object(_ root: Int, key: Int64) throws(FileProblem) -> Object? {
        defer { byKey.reset() }
        byKey.bind(Int64(root), at: 1)
        byKey.bind(key, at: 2)
        return try ScratchDatabase.run(path) { () throws(SQLiteError) in Self.object(try byKey.step(), byKey)
        }
    }

    /// The object with a sync ID.
    func object(_ root: Int, id: String) throws(FileProblem) -> Object? {
        defer { byID.reset() }
        byID.bind(Int64(root), at: 1)
        return try ScratchDatabase.run(path) { () throws(SQLiteError) in
            try byID.bind(id, at: 2)
            return Self.object(try byID.step(), byID)
        }
    }

    private static func object(_ isFound: Bool, _ row: borrowing SQLiteStatement) -> Object? {
        guard isFound, let number = row.integer(0), let file = row.integer(1), let line = row.integer(2),
            let entity = row.integer(3)
        else { return nil }
        return Object(
            number: number, file: Int(file), line: Int(line), entity: Int(entity), isBad: row.integer(4) == 1)
    }
}
