import CoreDataStore

/// Finds the table to which values may belong, if only the values show it.
struct RowMatcher {
    let schema: RecoverySchema
    /// The tables of objects by entity number.
    let tablesOfEntities: [Int64: Int]
    let encoding: RecordText

    /// Whether values can be a row of a table.
    /// - Parameter isStrict: whether only the values show it, so that each must match its column.
    func fits(_ values: [RecordValue], _ number: Int, isStrict: Bool) -> Bool {
        let table = schema.tables[number]
        guard values.count <= table.columns.count, isStrict ? values.count >= 2 : !values.isEmpty else {
            return false
        }
        if values.count < table.columns.count, isStrict, !(table.isOfObjects && values.count >= 4) {
            return false
        }
        for (column, value) in values.enumerated() {
            guard table.admits(value, column) else { return false }
            if isStrict {
                if value == .lost { return false }
                if case .text(let bytes) = value, encoding.text(bytes) == nil { return false }
            }
        }
        if table.isOfObjects {
            guard values.count >= 3, case .integer(let entity) = values[1] else { return false }
            if let known = tablesOfEntities[entity] {
                guard known == number else { return false }
            } else if isStrict || !tablesOfEntities.isEmpty {
                return false
            }
            guard case .integer(let version) = values[2], version >= 0 else { return false }
        }
        return true
    }

    /// The only table that the values match: by the entity number, otherwise by the number and the kinds of the
    /// columns.
    func match(_ values: [RecordValue]) -> Int? {
        if values.count >= 3, values[0] == .null, case .integer(let entity) = values[1],
            let table = tablesOfEntities[entity], fits(values, table, isStrict: false)
        {
            return table
        }
        var found: Int?
        for number in schema.tables.indices
        where !schema.tables[number].isOfObjects || tablesOfEntities.isEmpty {
            guard schema.tables[number].columns.count == values.count,
                fits(values, number, isStrict: false)
            else { continue }
            guard found == nil else { return nil }
            found = number
        }
        return found
    }

    enum Texts { case sound, withNull, damaged }

    /// Whether the texts are valid in the encoding of the database, and none contains U+0000, which is a sign of lost
    /// bytes.
    func texts(in values: [RecordValue]) -> Texts {
        var found = Texts.sound
        for case .text(let bytes) in values {
            if encoding == .utf8, bytes.reduce(0, |) < 0x80, !bytes.contains(0) { continue }
            guard let text = encoding.text(bytes) else { return .damaged }
            if text.utf8.contains(0) { found = .withNull }
        }
        return found
    }

    /// Whether a text has control characters, which show that another cell overwrote its end.
    func isOverwritten(_ values: [RecordValue]) -> Bool {
        values.contains { value in
            guard case .text(let bytes) = value, let text = encoding.text(bytes) else { return false }
            return text.utf8.contains { $0 < 32 && $0 != 9 && $0 != 10 && $0 != 13 }
        }
    }

    func carvedTable(_ values: [RecordValue], _ owner: Int?, hasStart: Bool) -> Int? {
        // Lost bytes on overflow pages do not count.
        let known = values.map { $0 == .lost ? RecordValue.null : $0 }
        if let owner, fits(known, owner, isStrict: true) {
            let table = schema.tables[owner]
            return table.isOfObjects || hasStart ? owner : nil
        }
        guard known.count >= 4, known[0] == .null, case .integer(let entity) = known[1],
            let table = tablesOfEntities[entity], fits(known, table, isStrict: true)
        else { return nil }
        return table
    }
}
