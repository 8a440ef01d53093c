import Base
import CoreDataStore
import SystemCalls
import SystemPackage

/// Finds the targets of relationships after the last object, and makes the two sides of each relationship agree.
struct ImportLinks {
    let stage: ImportStage
    /// How the files name objects; `auto` for sync IDs if any object has one.
    let keys: TargetNames.Choice

    private var schema: ImportSchema { stage.schema }
    private var findings: ImportFindings { stage.findings }

    func finish() throws(FileProblem) {
        try run("CREATE INDEX objects_entity ON objects (entity, key)")
        try numberNewObjects()
        try resolve()
        for number in schema.links.indices {
            if let inverse = schema.links[number].inverse, inverse >= number { try agree(number, inverse) }
        }
        for number in schema.links.indices { try checkOwners(number) }
        try run(
            """
            UPDATE links SET place = (SELECT place FROM positions p WHERE p.link = links.link AND p.target = links.target) \
            WHERE link IN (SELECT link FROM positions)
            """)
        for number in schema.links.indices where schema.links[number].isOrdered { try checkOrder(number) }
    }

    /// Finds an ordered relationship whose order no file has. New objects follow the others.
    private func checkOrder(_ number: Int) throws(FileProblem) {
        var owners = 0
        var first: (file: Int, place: String)?
        try rows(
            """
            SELECT a.file, a.line, a.entity, a.key, a.new FROM links l JOIN objects a ON a.n = l.owner \
            JOIN absent x ON x.link = l.link AND x.owner = l.owner JOIN objects b ON b.n = l.target \
            WHERE l.link = \(number) AND l.place IS NULL AND a.new = 0 AND b.new = 0 \
            GROUP BY l.owner HAVING count(*) > 1 ORDER BY a.file, a.line, l.owner
            """
        ) { row in
            owners += 1
            if first == nil { first = (Int(row.integer(0) ?? 0), place(row, 1)) }
        }
        guard let first else { return }
        let link = schema.links[number]
        findings.add(
            first.file, "\(first.place), \(link.name)",
            CellProblem(
                "is ordered, and its order is in no column or field",
                expected: "the order as export writes it",
                found: "several objects without a place in \(counted(owners, "object"))",
                advice:
                    "Restore the column or field; with --skip-unreadable they follow each other by their primary keys"
            ))
    }

    private func run(_ sql: String) throws(FileProblem) {
        try ScratchDatabase.run(stage.path) { () throws(SQLiteError) in try stage.connection.execute(sql) }
    }

    private func rows(
        _ sql: String, _ body: (borrowing SQLiteStatement) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var statement = try ScratchDatabase.prepare(sql, stage.connection, stage.path)
        // ends: with the rows
        while try ScratchDatabase.run(stage.path, { () throws(SQLiteError) in try statement.step() }) {
            try body(statement)
        }
    }

    /// Gives new objects the keys after the highest of their root entity, in the order of the files.
    private func numberNewObjects() throws(FileProblem) {
        if stage.newObjects == 0, stage.bad == 0 { return }
        var highest: [Int64: Int64] = [:]
        try rows("SELECT root, max(key) FROM objects GROUP BY root") { row in
            if let root = row.integer(0) { highest[root] = row.integer(1) ?? 0 }
        }
        for (root, last) in highest {
            guard last < Int64.max - Int64(stage.count + stage.bad) else {
                throw FileProblem(
                    .refused, path: stage.path, "no primary keys are left for new objects",
                    found: "\(last)", advice: "Give objects lower primary keys")
            }
            try run(
                """
                UPDATE objects SET key = place.key FROM (SELECT n, \(last) + row_number() OVER (ORDER BY n) AS key \
                FROM objects WHERE root = \(root) AND key IS NULL) AS place WHERE objects.n = place.n
                """)
        }
    }

    // MARK: - Names

    /// A target as a file names it, and the object that it belongs to.
    private struct Reference {
        var link: Int64
        var owner: Int64
        var place: Int64?
        var key: Int64?
        var text: String?
        /// Whether the text may be a sync ID or a primary key.
        var isOpen: Bool
        var file: Int
        var line: Int
        var entity: Int
        /// The primary key of the object; nil if the file has none.
        var ownKey: Int64?

        init?(_ row: borrowing SQLiteStatement) {
            guard let link = row.integer(0), let owner = row.integer(1), let file = row.integer(6),
                let line = row.integer(7), let entity = row.integer(8)
            else { return nil }
            self.link = link
            self.owner = owner
            place = row.integer(2)
            key = row.integer(3)
            text = row.text(4)
            isOpen = row.integer(5) == 1
            self.file = Int(file)
            self.line = Int(line)
            self.entity = Int(entity)
            ownKey = row.integer(10) == 0 ? row.integer(9) : nil
        }

        var shown: String {
            text.map { "“\($0.shortened(to: 60))”" } ?? key.map { "\($0)" } ?? "nothing"
        }
    }

    private func resolve() throws(FileProblem) {
        let usesIDs = keys == .auto ? stage.hasSyncIDs : keys == .syncIDs
        var insertion = try ScratchDatabase.prepare(
            "INSERT OR IGNORE INTO links VALUES (?1, ?2, ?3, ?4)", stage.connection, stage.path)
        try rows(
            """
            SELECT a.link, a.owner, a.place, a.key, a.id, a.text, o.file, o.line, o.entity, o.key, o.new FROM names a \
            JOIN objects o ON o.n = a.owner ORDER BY a.rowid
            """
        ) { (row) throws(FileProblem) in
            guard let reference = Reference(row) else { return }
            let link = schema.links[Int(reference.link)]
            guard let found = try target(reference, link, usesIDs) else { return }
            do throws(SQLiteError) {
                try insertion.run(reference.link, reference.owner, found.number, reference.place)
            } catch {
                throw ScratchDatabase.problem(error, stage.path)
            }
            if stage.connection.changes == 0 {
                add(CellProblem("names the same object twice", found: reference.shown), reference, link)
            }
        }
    }

    private func add(_ problem: CellProblem, _ reference: Reference, _ link: ImportSchema.Link) {
        let object = stage.place(reference.entity, key: reference.ownKey, line: reference.line)
        findings.add(reference.file, "\(object), \(link.name)", problem)
    }

    /// The target; nil if there is none, after a word about it.
    private func target(
        _ reference: Reference, _ link: ImportSchema.Link, _ usesIDs: Bool
    ) throws(FileProblem) -> ImportStage.Object? {
        let found: ImportStage.Object?
        switch try candidates(reference, link, usesIDs) {
        case (let object?, nil), (nil, let object?): found = object
        case (nil, nil): found = nil
        case (let first?, let second?):
            guard first.number == second.number else {
                add(
                    CellProblem(
                        "names two objects, one by its sync ID and one by its primary key",
                        found: reference.shown), reference, link)
                return nil
            }
            found = first
        }
        guard let found else {
            if link.inverse.map({ schema.links[$0].counts }) == true {
                findings.remark("\(link.title) names an object that does not exist; this side does not count")
                return nil
            }
            var problem = CellProblem("names an object that does not exist", found: reference.shown)
            if usesIDs, let number = reference.text.flatMap({ Int64($0) }),
                try stage.object(link.root, key: number) != nil
            {
                problem.problem = "names no sync ID, but a primary key, which needs --keys primary-keys"
            }
            add(problem, reference, link)
            return nil
        }
        if found.isBad {
            findings.remark("\(link.title) names an object that is left out")
            return nil
        }
        guard link.destinations.contains(found.entity) else {
            add(
                CellProblem(
                    "names an object of the wrong entity", expected: link.description.destination,
                    found: "\(reference.shown), \(schema.entities[found.entity].name)"), reference, link)
            return nil
        }
        return found
    }

    /// The object with the sync ID that the file names, and the one with the primary key.
    private func candidates(
        _ reference: Reference, _ link: ImportSchema.Link, _ usesIDs: Bool
    ) throws(FileProblem) -> (byID: ImportStage.Object?, byKey: ImportStage.Object?) {
        func object(_ key: Int64?) throws(FileProblem) -> ImportStage.Object? {
            guard let key else { return nil }
            return try stage.object(link.root, key: key)
        }
        guard let text = reference.text else { return (nil, try object(reference.key)) }
        if reference.isOpen, !usesIDs { return (nil, try object(Int64(text))) }
        let found = try stage.object(link.root, id: text)
        guard reference.isOpen, text.utf8.first == UInt8(ascii: "#") else { return (found, nil) }
        return (found, try object(Int64(text.dropFirst())))
    }

    // MARK: - Two sides

    /// Makes each pair of a relationship occur on both sides.
    private func agree(_ first: Int, _ second: Int) throws(FileProblem) {
        try run("CREATE TEMP TABLE repairs (link INTEGER, owner INTEGER, target INTEGER, adds INTEGER)")
        try compare(first, second)
        if first != second { try compare(second, first) }
        try run(
            """
            DELETE FROM links WHERE (link, owner, target) IN (SELECT link, owner, target FROM temp.repairs WHERE adds = 0)
            """)
        try run(
            "INSERT OR IGNORE INTO links SELECT link, owner, target, NULL FROM temp.repairs WHERE adds = 1")
        try run("DROP TABLE temp.repairs")
    }

    /// Looks for pairs of one side that the other side lacks.
    private func compare(_ side: Int, _ other: Int) throws(FileProblem) {
        let (link, inverse) = (schema.links[side], schema.links[other])
        var repair = try ScratchDatabase.prepare(
            "INSERT INTO temp.repairs VALUES (?1, ?2, ?3, ?4)", stage.connection, stage.path)
        try rows(
            """
            SELECT l.owner, l.target, a.file, a.line, a.entity, a.key, a.new, b.file, b.line, b.entity, b.key, b.new, \
            EXISTS (SELECT 1 FROM absent x WHERE x.link = \(other) AND x.owner = l.target) FROM links l \
            JOIN objects a ON a.n = l.owner JOIN objects b ON b.n = l.target WHERE l.link = \(side) AND NOT EXISTS \
            (SELECT 1 FROM links m WHERE m.link = \(other) AND m.owner = l.target AND m.target = l.owner) \
            ORDER BY a.file, a.line, l.owner, l.place
            """
        ) { (row) throws(FileProblem) in
            guard let owner = row.integer(0), let target = row.integer(1) else { return }
            let completes = row.integer(6) == 1 || row.integer(11) == 1 || row.integer(12) == 1 || link.counts
            func insert(_ link: Int, _ owner: Int64, _ target: Int64, _ adds: Int64) throws(FileProblem) {
                try ScratchDatabase.run(stage.path) { () throws(SQLiteError) in
                    try repair.run(Int64(link), owner, target, adds)
                }
            }
            if completes {
                try insert(other, target, owner, 1)
                if link.counts, row.integer(6) == 0, row.integer(11) == 0, row.integer(12) == 0 {
                    findings.remark("\(link.title) counts, where \(inverse.title) does not lead back")
                }
                return
            }
            try insert(side, owner, target, 0)
            if inverse.counts {
                findings.remark(
                    "\(inverse.title) counts, and does not lead to objects that \(link.title) has")
                return
            }
            findings.add(
                Int(row.integer(2) ?? 0), "\(place(row, 3)), \(link.name)",
                CellProblem(
                    "leads to \(schema.entities[Int(row.integer(9) ?? 0)].name) \(row.integer(10) ?? 0), whose "
                        + "“\(inverse.name)” does not lead back\(lineOfTarget(row))",
                    expected: "both sides of the relationship to agree"),
                advice: advice(link, inverse))
        }
    }

    private func advice(_ link: ImportSchema.Link, _ inverse: ImportSchema.Link) -> String {
        "Correct one of both, or choose the side that counts: --prefer \(link.title) or --prefer \(inverse.title)"
    }

    private func lineOfTarget(_ row: borrowing SQLiteStatement) -> String {
        let file = Int(row.integer(7) ?? 0)
        guard findings.files.indices.contains(file), let line = row.integer(8), line > 0 else { return "" }
        return " (line \(line) of \(findings.files[file].lastComponent?.string ?? ""))"
    }

    /// The place of the first object of a row of `compare`.
    private func place(_ row: borrowing SQLiteStatement, _ column: Int) -> String {
        stage.place(
            Int(row.integer(column + 1) ?? 0),
            key: row.integer(column + 3) == 0 ? row.integer(column + 2) : nil,
            line: Int(row.integer(column) ?? 0))
    }

    /// Finds objects to which several others lead, where one at most can.
    private func checkOwners(_ number: Int) throws(FileProblem) {
        let link = schema.links[number]
        // A relationship without inverse has its key in the row of the target.
        let column: String
        if !link.isToMany {
            column = "owner"
        } else if link.inverse == nil {
            column = "target"
        } else {
            return
        }
        try run(
            """
            CREATE TEMP TABLE crowded AS SELECT \(column) AS n, count(*) AS many FROM links WHERE link = \(number) \
            GROUP BY \(column) HAVING count(*) > 1
            """)
        try rows(
            """
            SELECT o.n, o.file, o.line, o.entity, o.key, o.new, l.many FROM temp.crowded l JOIN objects o ON o.n = l.n \
            ORDER BY o.file, o.line
            """
        ) { row in
            let what =
                link.isToMany
                ? "belongs to several objects by \(link.title), which allows one"
                : "would lead to several objects"
            findings.add(
                Int(row.integer(1) ?? 0), "\(place(row, 2))" + (link.isToMany ? "" : ", \(link.name)"),
                CellProblem(
                    what, expected: "1 object", found: "\(row.integer(6) ?? 0) objects"))
        }
        if let inverse = link.inverse {
            try run("DELETE FROM links WHERE link = \(inverse) AND target IN (SELECT n FROM temp.crowded)")
        }
        try run("DELETE FROM links WHERE link = \(number) AND \(column) IN (SELECT n FROM temp.crowded)")
        try run("DROP TABLE temp.crowded")
    }
}
