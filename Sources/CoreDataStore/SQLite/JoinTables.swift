/// A join table as one side of a many-to-many relationship sees it (core-data-sqlite-store(5), 3.4).
package struct JoinSide: Sendable, Hashable {
    package var table: String
    /// The column with the key of the object that has the relationship.
    package var owner: String
    /// The column with the key of the target.
    package var target: String
    /// The column with the position of the target, if the relationship is ordered.
    package var order: String?

    /// The column with the positions of the objects whose keys are in the column `key`.
    package static func orderColumn(of key: String) -> String {
        key.hasPrefix("Z_") ? "Z_FOK_" + key.dropFirst(2) : "FOK_" + key
    }
}

/// A many-to-many relationship and its inverse, and the names of their join table.
struct JoinPair: Sendable, Hashable {
    /// The side with the lower entity number, which names the table in a new store.
    var first: PropertyKey
    var second: PropertyKey
    /// The names that the table can have; the first is the name in a new store.
    var tableNames: [String]
    /// The column of the first side's objects, then of the second's. Existing stores can have a number after them.
    var columns: [String]
    /// The column with the positions of the first side's objects, then of the second's.
    var orderColumns: [String?]

    /// Whether a relationship is its own inverse.
    var isReflexive: Bool { first == second }
}

extension ColumnNames {
    /// All pairs, in the order of the tables of a new store: by the lower entity number, then by name.
    func joinPairs() -> [JoinPair] {
        var pairs: [JoinPair] = []
        var seen: Set<PropertyKey> = []
        for entity in entities.all {
            for relationship in model[entity.name]?.relationships ?? [] {
                let key = PropertyKey(entity: entity.name, name: relationship.name)
                guard relationship.isToMany, !relationship.isTransient, !seen.contains(key),
                    let inverse = model.inverse(of: relationship), inverse.relationship.isToMany,
                    !inverse.relationship.isTransient, let other = entities[inverse.entity]
                else { continue }
                let back = PropertyKey(entity: inverse.entity, name: inverse.relationship.name)
                seen.formUnion([key, back])
                pairs.append(
                    pair(
                        key, entity.number, relationship.isOrdered, back, other.number,
                        inverse.relationship.isOrdered))
            }
        }
        return pairs
    }

    private func pair(
        _ key: PropertyKey, _ number: Int, _ isOrdered: Bool, _ back: PropertyKey, _ otherNumber: Int,
        _ backIsOrdered: Bool
    ) -> JoinPair {
        let (name, backName) = (key.name.uppercased(), back.name.uppercased())
        guard key != back else {
            return JoinPair(
                first: key, second: back, tableNames: ["Z_\(number)\(name)"],
                columns: ["Z_\(number)\(name)", "REFLEXIVE"],
                orderColumns: isOrdered ? ["Z_FOK_\(number)\(name)", "FOK_REFLEXIVE"] : [nil, nil])
        }
        // The name of a column has the entity number of its objects and the relationship that leads to them.
        return JoinPair(
            first: key, second: back, tableNames: ["Z_\(number)\(name)", "Z_\(otherNumber)\(backName)"],
            columns: ["Z_\(number)\(backName)", "Z_\(otherNumber)\(name)"],
            orderColumns: [
                backIsOrdered ? "Z_FOK_\(number)\(backName)" : nil,
                isOrdered ? "Z_FOK_\(otherNumber)\(name)" : nil,
            ])
    }
}

extension JoinPair {
    /// The sides in the tables of an existing store. If names clash, Core Data appends numbers that cannot be
    /// predicted; the table and both columns must match. Nil unless exactly one table matches.
    func sides(in schema: SQLiteSchema) -> (first: JoinSide, second: JoinSide)? {
        var found: [(table: SQLiteSchema.Table, columns: [String])] = []
        for table in candidates(in: schema) {
            let keys = table.columns.map(\.name).filter { !$0.hasPrefix("Z_FOK_") && $0 != "FOK_REFLEXIVE" }
            guard keys.count == 2 else { continue }
            if keys[0].isNumbered(columns[0]), keys[1].isNumbered(columns[1]) {
                found.append((table, keys))
            } else if keys[1].isNumbered(columns[0]), keys[0].isNumbered(columns[1]) {
                found.append((table, keys.reversed()))
            }
        }
        let exact = found.filter { tableNames.contains($0.table.name) && $0.columns == columns }
        guard let best = exact.count == 1 ? exact.first : found.first, found.count == 1 || exact.count == 1
        else { return nil }
        return sides(table: best.table.name, columns: best.columns) { best.table.has($0) }
    }

    private func candidates(in schema: SQLiteSchema) -> [SQLiteSchema.Table] {
        let names = Set(tableNames)
        return names.flatMap { name in
            ([""] + (1...99).map { String($0) }).compactMap { schema.tables[name + $0] }
        }
    }

    /// The sides in a table with these key columns. `has` returns whether the table has a column for positions.
    func sides(
        table: String, columns: [String], has: (String) -> Bool
    ) -> (first: JoinSide, second: JoinSide) {
        let order = (0..<2).map { side -> String? in
            guard orderColumns[side] != nil else { return nil }
            let name = JoinSide.orderColumn(of: columns[side])
            return has(name) ? name : nil
        }
        return (
            JoinSide(table: table, owner: columns[0], target: columns[1], order: order[1]),
            JoinSide(table: table, owner: columns[1], target: columns[0], order: order[0])
        )
    }
}

extension String {
    /// Whether this is `name`, perhaps with a number after it.
    fileprivate func isNumbered(_ name: String) -> Bool {
        hasPrefix(name) && dropFirst(name.count).allSatisfy { $0.isASCII && $0.isNumber }
    }
}
