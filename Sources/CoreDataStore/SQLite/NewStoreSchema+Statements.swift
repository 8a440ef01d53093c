extension NewStoreSchema {
    /// A table or an index.
    struct Part {
        var name: String
        var statement: String
        var isIndex = false
    }

    /// The tables and indexes, in the order of Core Data.
    var parts: [Part] {
        var parts: [Part] = []
        for table in tables {
            parts.append(Part(name: table.name, statement: create(table)))
            parts += indexes(of: table)
            for join in joins where names.entities[join.pair.first.entity]?.root == table.root.number {
                parts.append(Part(name: join.first.table, statement: create(join)))
            }
        }
        parts.append(
            Part(
                name: "Z_PRIMARYKEY",
                statement: "CREATE TABLE Z_PRIMARYKEY "
                    + "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"))
        parts.append(
            Part(
                name: "Z_METADATA",
                statement: "CREATE TABLE Z_METADATA "
                    + "(Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"))
        return parts
    }

    private func create(_ table: Table) -> String {
        var parts = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
        parts += table.columns.map { "\(SQLiteName.plain($0.name)) \($0.declaredType)" }
        let constraints = family(of: table).flatMap { entity in
            entity.uniquenessConstraints.compactMap { properties -> String? in
                let columns = properties.compactMap { column($0, of: entity) }
                guard columns.count == properties.count, !columns.isEmpty else { return nil }
                let name = SQLiteName.plain(columns.joined(separator: "_"))
                return "CONSTRAINT \(name) UNIQUE (\(columns.map(SQLiteName.plain).joined(separator: ", ")))"
            }
        }
        let list = (parts + constraints).joined(separator: ", ")
        return "CREATE TABLE \(SQLiteName.plain(table.name)) ( \(list)\(constraints.isEmpty ? " )" : ")")"
    }

    private func create(_ join: (pair: JoinPair, first: JoinSide, second: JoinSide)) -> String {
        let keys = [join.first.owner, join.first.target].map(SQLiteName.plain)
        let orders = [join.first.order, join.second.order].compactMap { $0 }.map(SQLiteName.plain)
        let columns =
            (keys + orders).map { $0 + " INTEGER" } + ["PRIMARY KEY (\(keys.joined(separator: ", ")))"]
        return "CREATE TABLE \(SQLiteName.plain(join.first.table)) ( \(columns.joined(separator: ", ")) )"
    }

    private func indexes(of table: Table) -> [Part] {
        func index(_ columns: [String], _ ending: String) -> Part {
            let name = table.name + "_" + columns.joined(separator: "_") + ending
            let list = columns.map(SQLiteName.plain).joined(separator: ", ")
            return Part(
                name: name,
                statement:
                    "CREATE INDEX \(SQLiteName.plain(name)) ON \(SQLiteName.plain(table.name)) (\(list))",
                isIndex: true)
        }
        let family = family(of: table)
        var statements = family.count > 1 ? [index(["Z_ENT"], "_INDEX")] : []
        for entity in family {
            let attributes = entity.attributes.filter { $0.isStored && $0.isIndexed }.map(\.name)
            let toOnes = entity.relationships.filter { !$0.isToMany && !$0.isTransient }.map(\.name)
            statements += (attributes + toOnes).compactMap { column($0, of: entity) }.map {
                index([$0], "_INDEX")
            }
        }
        statements += names.relationshipsWithoutInverse(into: table.root.number).map {
            index([$0.column], "_INDEX")
        }
        for entity in family {
            for properties in entity.compoundIndexes {
                let columns = properties.compactMap { column($0, of: entity) }
                if columns.count == properties.count, !columns.isEmpty {
                    statements.append(index(columns, ""))
                }
            }
        }
        var seen: Set<String> = []
        return statements.filter { seen.insert($0.statement).inserted }
    }

    private func family(of table: Table) -> [EntityDescription] {
        names.entities.family(of: table.root.number).compactMap { names.model[$0.name] }
    }

    /// The column of a property of the entity or of a superentity.
    private func column(_ property: String, of entity: EntityDescription) -> String? {
        for level in names.model.ancestry(of: entity.name) {
            if let column = names.columns[PropertyKey(entity: level.name, name: property)] { return column }
        }
        return nil
    }
}

extension SQLiteName {
    /// The name as Core Data writes it: quoted only if SQL requires it.
    static func plain(_ name: String) -> String {
        let isWord = name.utf8.allSatisfy { byte in
            byte >= 128 || byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & 0xDF)
        }
        return isWord ? name : quoted(name)
    }
}
