import CoreDataStore
import SystemCalls

extension SQLiteStoreCheck {
    mutating func check(_ links: [CheckedForeignKey], _ joins: [CheckedJoin]) throws(FileProblem) {
        for link in links { try check(link) }
        for join in joins { try check(join) }
    }

    private mutating func check(_ link: CheckedForeignKey) throws(FileProblem) {
        let (column, targets) = (SQLiteName.quoted(link.column), numbers(link.targets))
        let from =
            "FROM \(SQLiteName.quoted(link.table)) AS a LEFT JOIN \(SQLiteName.quoted(link.targetTable)) AS b "
            + "ON b.Z_PK = a.\(column) WHERE "
            + (link.owners.map { "a.Z_ENT IN (\(numbers($0))) AND " } ?? "")
        try query(
            "SELECT a.Z_PK, a.\(column), b.Z_ENT \(from) a.\(column) IS NOT NULL "
                + "AND (b.Z_PK IS NULL OR b.Z_ENT NOT IN (\(targets)))"
        ) {
            let isDangling = $0.storage(2) == .null
            $1.add(
                isDangling ? .danglingKey : .wrongTarget, entity: link.entity, property: link.property,
                key: $0.integer(0),
                "row \($0.shown(0)) of \(link.table) leads to \($0.shown(1)) of \(link.targetTable)"
                    + (isDangling ? ", which does not exist" : ", of entity number \($0.shown(2))"))
        }
        if let beside = link.entityColumn.map(SQLiteName.quoted) {
            try query(
                "SELECT a.Z_PK, a.\(beside), b.Z_ENT \(from) a.\(beside) IS NOT b.Z_ENT "
                    + "AND (b.Z_PK IS NOT NULL OR a.\(column) IS NULL)"
            ) {
                $1.add(
                    .wrongEntityColumn, entity: link.entity, property: link.property, key: $0.integer(0),
                    "row \($0.shown(0)) says \($0.shown(1)), its target is \($0.shown(2))")
            }
        }
        if let back = link.inverseColumn.map(SQLiteName.quoted) {
            // Core Data uses the column of the side that it reads, and some apps, including Apple's, fill only one
            // side, or one side almost exclusively.
            var (empty, linked): (Int64, Int64) = (0, 0)
            try query(
                "SELECT sum(b.\(back) IS NULL), count(*) \(from) b.Z_PK IS NOT NULL"
            ) { row, _ in
                (empty, linked) = (row.integer(0) ?? 0, row.integer(1) ?? 0)
            }
            let isUnused = linked > 0 && empty >= linked - linked / 10
            try query(
                "SELECT a.Z_PK, b.Z_PK, b.\(back) \(from) b.Z_PK IS NOT NULL AND b.\(back) IS NOT a.Z_PK"
            ) {
                $1.add(
                    .oneSidedInverse, entity: link.entity, property: link.property, key: $0.integer(0),
                    isTolerated: isUnused && $0.storage(2) == .null,
                    "\($0.shown(0)) leads to \($0.shown(1)), which leads to \($0.shown(2))")
            }
        }
    }

    private mutating func check(_ join: CheckedJoin) throws(FileProblem) {
        let table = SQLiteName.quoted(join.table)
        let (one, other) = (SQLiteName.quoted(join.first.column), SQLiteName.quoted(join.second.column))
        let (first, second) = (numbers(join.first.entities), numbers(join.second.entities))
        try query(
            "SELECT j.\(one), j.\(other), a.Z_ENT, b.Z_ENT FROM \(table) AS j "
                + "LEFT JOIN \(SQLiteName.quoted(join.first.table)) AS a ON a.Z_PK = j.\(one) "
                + "LEFT JOIN \(SQLiteName.quoted(join.second.table)) AS b ON b.Z_PK = j.\(other) "
                + "WHERE a.Z_PK IS NULL OR b.Z_PK IS NULL OR a.Z_ENT NOT IN (\(first)) OR b.Z_ENT NOT IN (\(second))"
        ) {
            let isOrphaned = $0.storage(2) == .null || $0.storage(3) == .null
            $1.add(
                isOrphaned ? .orphanedJoinRow : .wrongTarget, entity: join.entity, property: join.property,
                key: $0.integer(0),
                "the row \($0.shown(0)), \($0.shown(1)) of \(join.table)"
                    + (isOrphaned ? "" : " holds objects of other entities"))
        }
        try query(
            "SELECT \(one), \(other), count(*) AS n FROM \(table) WHERE \(one) IS NOT NULL "
                + "GROUP BY \(one), \(other) HAVING n > 1"
        ) {
            $1.add(
                .duplicateJoinRow, entity: join.entity, property: join.property, key: $0.integer(0),
                isTolerated: true,
                "the row \($0.shown(0)), \($0.shown(1)) of \(join.table), \($0.shown(2)) times")
        }
        if join.isReflexive {
            try query(
                "SELECT a.\(one), a.\(other) FROM \(table) AS a LEFT JOIN \(table) AS b "
                    + "ON b.\(one) = a.\(other) AND b.\(other) = a.\(one) WHERE b.\(one) IS NULL"
            ) {
                $1.add(
                    .oneSidedInverse, entity: join.entity, property: join.property, key: $0.integer(0),
                    "\($0.shown(0)) leads to \($0.shown(1)), which does not lead back")
            }
        }
        for (side, owner) in [(join.first, join.second), (join.second, join.first)] {
            guard let order = side.order else { continue }
            try checkPlaces(
                in: join.table, order: order, owner: owner.column, row: side.column, entity: join.entity,
                property: order)
        }
    }
}
