import CoreDataStore
import SystemCalls
import SystemPackage

/// The tables and indexes of a database, from the rows of `sqlite_master`. It runs no statement.
struct RecoverySchema {
    var tables: [TableDefinition] = []
    var indexes: [(name: String, root: Int)] = []
    private(set) var problems: [FileProblem] = []
    /// Whether the schema was not in its place.
    private(set) var isLost = false

    /// The largest number of columns of a table; no record has more values.
    var mostColumns: Int { max(5, tables.map(\.columns.count).max() ?? 0) }

    static let rowLimit = SQLiteSchema.tableLimit

    /// Reads the tree of the schema. If its first page is lost, other pages and old versions may still have its rows.
    init(_ source: PageSource) throws(FileProblem) {
        var rows: [[RecordValue]] = []
        var reader = TableReader(source)
        try reader.forEachRow(from: 1) { _, values in
            if rows.count < Self.rowLimit { rows.append(values) }
        }
        add(rows, source)
        if tables.isEmpty {
            isLost = true
            rows = []
            try TableReader.forEachRecord(of: source) { _, values in
                guard values.count == 5, rows.count < Self.rowLimit,
                    ["table", "index"].contains(RecordRow(values: values, encoding: source.encoding).text(0))
                else { return }
                rows.append(values)
            }
            add(rows, source)
            let found = tables.isEmpty ? "none" : "\(tables.count) tables elsewhere"
            problems.append(
                FileProblem(
                    .damaged, path: source.path, offset: 0, "the schema of the database is lost",
                    expected: "tables on the first page", found: found,
                    advice: tables.isEmpty ? "Name the model with --model" : nil))
        } else if reader.isDamaged {
            problems.append(
                FileProblem(.damaged, path: source.path, "a part of the schema of the database is lost"))
        }
    }

    private mutating func add(_ rows: [[RecordValue]], _ source: PageSource) {
        var names = Set(tables.map(\.name))
        for values in rows {
            let row = RecordRow(values: values, encoding: source.encoding)
            guard values.count == 5, let type = row.text(0), let name = row.text(1),
                let root = row.integer(3),
                let page = Int(exactly: root), page >= 0
            else { continue }
            if type == "index", page > 0 {
                if names.insert("index \(name)").inserted { indexes.append((name, page)) }
            } else if type == "table", page > 0, let sql = row.text(4),
                let table = TableDefinition(name: name, root: page, sql: sql),
                names.insert(name).inserted
            {
                tables.append(table)
            }
        }
    }

    /// The tables of a model, if the schema is lost. Their roots are unknown.
    mutating func add(_ model: ManagedObjectModel, _ entities: StoreEntities) {
        let made = NewStoreSchema(ColumnNames(model: model, entities: entities))
        let own = ["Z_PK", "Z_ENT", "Z_OPT"].map { SQLiteSchema.Column(name: $0, declaredType: "INTEGER") }
        for table in made.tables {
            tables.append(
                TableDefinition(name: table.name, root: 0, columns: own + table.columns, keyColumn: 0))
        }
    }

    /// The schema in the form that SQLite gives, for the layouts of entities.
    var sqlite: SQLiteSchema {
        var found: [String: SQLiteSchema.Table] = [:]
        for table in tables {
            found[table.name] = SQLiteSchema.Table(name: table.name, columns: table.columns)
        }
        return SQLiteSchema(tables: found, indexes: Set(indexes.map(\.name)))
    }
}

/// Reads the rows of small tables, and determines whether all could be read.
struct TableReader {
    private let source: PageSource
    private(set) var isDamaged = false

    init(_ source: PageSource) { self.source = source }

    /// Calls `body` with the number and the values of each readable row of a tree.
    mutating func forEachRow(
        from root: Int, _ body: (Int64, [RecordValue]) -> Void
    ) throws(FileProblem) {
        var seen: Set<Int> = []
        var waiting = [root]
        while let number = waiting.popLast() {
            guard seen.insert(number).inserted, seen.count <= 100_000, let image = try source.page(number),
                let tree = TreePage(image), tree.kind.isTable
            else {
                isDamaged = true
                continue
            }
            if tree.isDamaged { isDamaged = true }
            if tree.kind == .tableInterior {
                var children = tree.cells.compactMap { tree.cell($0)?.child }
                if let last = tree.rightChild { children.append(last) }
                waiting += children.reversed()
                continue
            }
            for offset in tree.cells {
                guard let cell = tree.cell(offset), let rowid = cell.rowid,
                    let values = try Self.values(cell, image, source)
                else {
                    isDamaged = true
                    continue
                }
                body(rowid, values)
            }
        }
    }

    /// Calls `body` with the records of all pages that look like those of a table, including old versions, with the
    /// latest first.
    static func forEachRecord(
        of source: PageSource, _ body: (Int64?, [RecordValue]) -> Void
    ) throws(FileProblem) {
        func read(_ image: PageImage?) throws(FileProblem) {
            guard let image, let tree = TreePage(image), tree.kind == .tableLeaf else { return }
            for offset in tree.cells {
                if let cell = tree.cell(offset), cell.size <= 1 << 20,
                    let values = try values(cell, image, source)
                {
                    body(cell.rowid, values)
                }
            }
        }
        if let log = source.log {
            for frame in stride(from: log.frames.count, to: 0, by: -1) {
                try read(try source.frameImage(log, frame))
            }
        }
        for number in 1..<max(1, source.pagesInFile + 1) { try read(try source.databasePage(number)) }
        if let journal = source.journal {
            for record in 1..<max(1, journal.records.count + 1) {
                try read(try source.journalImage(journal, record))
            }
        }
    }

    /// The values of a row; nil if its header is lost.
    private static func values(
        _ cell: TreePage.Cell, _ image: PageImage, _ source: PageSource
    ) throws(FileProblem) -> [RecordValue]? {
        let local = cell.payload.clamped(to: 0..<image.bytes.count)
        var bytes = Array(image.bytes[local])
        var next = local == cell.payload ? cell.overflow ?? 0 : 0
        var left = min(cell.size, 128 << 20) - bytes.count
        var pages = 0
        while left > 0, next != 0, pages <= source.pageCount, let page = try source.page(next),
            let following = page.number32(0)
        {
            let size = min(left, source.usableSize - 4)
            bytes += page.bytes[min(4, page.bytes.count)..<min(4 + size, page.bytes.count)]
            left -= size
            next = following
            pages += 1
        }
        guard let header = RecordHeader.read(bytes, at: 0, most: 32_767) else { return nil }
        return header.values(bytes, at: header.end)
    }
}
