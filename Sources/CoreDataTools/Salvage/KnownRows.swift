import CoreDataStore

/// A row that the scan found.
struct FoundRow {
    /// The number of its table; nil if no table matches.
    var table: Int?
    var source: RecoveredRow.Source
    var place: PageImage.Place
    var page: Int
    /// The offset of its cell, or of the rest of the cell, in the file.
    var offset: Int
    var rowid: Int64?
    var values: [RecordValue]
    var isComplete = true
    var isCertain = false
    var state = RecoveredRow.State.unknown
    /// Whether this is an entry of an index rather than a row.
    var isIndexEntry = false
}

/// The known rows, to recognise equal ones and to determine the state of a row: hashes and keys, no values.
struct KnownRows {
    private var presentRows = FingerprintSet()
    private var presentValues = FingerprintSet()
    private var presentPairs = FingerprintSet()
    private var oldRows = FingerprintSet()
    /// The columns of each table that distinguish its rows, if the number of the row does not.
    private let pairColumns: [[Int]?]
    private var keys: [KeyRuns]
    /// Tables with an unreadable page, so that a missing row may still be present.
    private var incomplete: Set<Int> = []
    /// The number of rows that were left out, since an equal present or earlier row is known.
    private(set) var duplicates = 0

    init(_ tables: [TableDefinition]) {
        keys = [KeyRuns](repeating: KeyRuns(), count: tables.count)
        pairColumns = tables.map(\.pairColumns)
    }

    /// Records that a part of a table could not be read.
    mutating func lose(_ table: Int) { incomplete.insert(table) }

    /// Records that a part of any table may be missing.
    mutating func loseAll() { incomplete.formUnion(keys.indices) }

    mutating func addPresent(_ table: Int, _ rowid: Int64, _ values: [RecordValue], isComplete: Bool) {
        keys[table].add(rowid)
        if let pair = pair(table, values) { _ = presentPairs.insert(pair) }
        guard isComplete else { return }
        let hash = values.hashValue
        _ = presentRows.insert(Self.fingerprint(table, rowid, hash))
        _ = presentValues.insert(Self.fingerprint(table, nil, hash))
    }

    /// Call once, after the last present row.
    mutating func finishPresent() {
        for number in keys.indices { keys[number].finish() }
    }

    /// The state of a row that is not present; nil if an equal one is known.
    /// - Parameter hasKey: whether the number of the row is its primary key, and not an unknown one.
    mutating func state(of row: FoundRow, hasKey: Bool) -> RecoveredRow.State? {
        let table = row.table ?? (row.isIndexEntry ? -2 : -1)
        let key = hasKey ? row.rowid : nil
        if row.isComplete {
            let hash = row.values.hashValue
            let values = Self.fingerprint(table, nil, hash)
            let whole = key == nil ? values : Self.fingerprint(table, key, hash)
            // A row whose key is lost is the same as an earlier row with equal values.
            guard key == nil ? !presentValues.contains(values) : !presentRows.contains(whole),
                oldRows.insert(whole)
            else {
                duplicates += 1
                return nil
            }
            if key != nil { _ = oldRows.insert(values) }
        }
        guard let number = row.table else { return .unknown }
        if let key, keys[number].contains(key) { return .older }
        if let pair = pair(number, row.values), presentPairs.contains(pair) { return .older }
        guard key != nil || !hasKey else { return .unknown }
        return incomplete.contains(number) ? .unknown : .deleted
    }

    /// A fingerprint that distinguishes a row from others of its table; nil if the row number does so, or if a part is
    /// lost.
    private func pair(_ table: Int, _ values: [RecordValue]) -> UInt64? {
        guard let columns = pairColumns[table], columns.allSatisfy({ $0 < values.count }) else { return nil }
        let pair = columns.map { values[$0] }
        return pair.contains(.lost) ? nil : Self.fingerprint(table, nil, pair.hashValue)
    }

    private static func fingerprint(_ table: Int, _ key: Int64?, _ hash: Int) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(table)
        hasher.combine(key)
        hasher.combine(hash)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}
