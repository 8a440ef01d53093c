import CoreDataStore
import SystemCalls
import SystemPackage

/// Remains of rows between those of a page.
extension RecoveryScan {
    /// Searches for rows between those of all trees, once all present rows are known: a row may have moved to a
    /// different page.
    func scanGaps() throws(FileProblem) {
        for number in 1..<max(1, owners.count) {
            let owner = owners[number]
            guard owner == Owner.index || owner > 0 && Int(owner) <= schema.tables.count,
                let image = try source.page(number), let tree = TreePage(image)
            else { continue }
            try carveGaps(tree, owner: table(of: number))
        }
    }

    func carveGaps(_ tree: TreePage, owner: Int?) throws(FileProblem) {
        for block in tree.freeBlocks { try carve(tree.image, block, .freeblock, owner: owner) }
        try carve(tree.image, tree.unallocated, .unallocated, owner: owner)
        // If a pointer to a cell or to a free block is lost, its bytes still exist.
        for gap in tree.cover(tree.cells.map { tree.cell($0) }).gaps {
            try carve(tree.image, gap, .unallocated, owner: owner)
        }
    }

    /// Searches for remains of rows in a part of a page. A freed cell has lost its first four bytes: the size of its
    /// payload, the number of the row, and sometimes the beginning of the header of its record.
    func carve(
        _ image: PageImage, _ range: Range<Int>, _ source: RecoveredRow.Source, owner: Int?
    ) throws(FileProblem) {
        let range = range.clamped(to: 0..<image.bytes.count)
        guard range.count >= 4, carvingSteps > 0 else { return }
        let first = image.bytes[range.lowerBound]
        if image.bytes[range].allSatisfy({ $0 == first }) { return }
        var at = range.lowerBound
        while at < range.upperBound - 3 {
            carvingSteps -= 1
            guard carvingSteps > 0 else { return try reportBudget() }
            guard let found = try candidate(image, at, range, source, owner) else {
                at += 1
                continue
            }
            try offer(found.row)
            at = max(found.end, at + 1)
        }
    }

    private func candidate(
        _ image: PageImage, _ at: Int, _ range: Range<Int>, _ source: RecoveredRow.Source, _ owner: Int?
    ) throws(FileProblem) -> (row: FoundRow, end: Int)? {
        let bytes = image.bytes
        let isOfEntity: (UInt8) -> Bool = { $0 == 1 || $0 == 2 || $0 == 9 }
        if bytes[at] >= 3, at + 3 < range.upperBound {
            let begin = bytes[at] < 0x80 ? at + 1 : at + 2
            let isObject = bytes[begin] == 0 && isOfEntity(bytes[begin + 1])
            // In tables of objects, every record begins with NULL and the number of the entity.
            let isOther = owner.map { number in !schema.tables[number].isOfObjects } ?? false
            if isObject || isOther, let found = try wholeRecord(image, at, range, source, owner) {
                return found
            }
        }
        // The header may also lack its size, or the type of the key.
        let isFirst = bytes[at] == 0 && isOfEntity(bytes[at + 1])
        guard isFirst || isOfEntity(bytes[at]) && bytes[at + 1] >= 1 && bytes[at + 1] <= 9 else { return nil }
        for number in owner.map({ [$0] }) ?? Array(schema.tables.indices) {
            let table = schema.tables[number]
            guard table.isOfObjects, table.columns.count >= 4 else { continue }
            let lost = isFirst ? 0 : 1
            carvingSteps -= table.columns.count
            guard
                var header = RecordHeader.types(bytes, at: at, count: table.columns.count - lost),
                header.end + header.bodySize <= range.upperBound
            else { continue }
            if lost == 1 { header.types.insert(0, at: 0) }
            let values = header.values(bytes, at: header.end)
            guard values[0] == .null, matcher.fits(values, number, isStrict: true),
                values.dropFirst(3).contains(where: { $0 != .null })
            else { continue }
            let row = FoundRow(
                table: number, source: source, place: image.place, page: image.number,
                offset: image.offset + at, rowid: nil, values: values,
                isComplete: !matcher.isOverwritten(values)
                    && isEnd(header.end + header.bodySize, range, image))
            return (row, header.end + header.bodySize)
        }
        return nil
    }

    /// Whether a record whose header was guessed may end here: at the end of its block, or before another row. If a row
    /// is older than a column, the guess takes a byte of its values for the type of that column, and shifts the others.
    private func isEnd(_ end: Int, _ range: Range<Int>, _ image: PageImage) -> Bool {
        if end == range.upperBound { return true }
        guard let size = image.variableNumber(end), let rowid = image.variableNumber(size.end),
            let header = RecordHeader.read(image.bytes, at: rowid.end, most: schema.mostColumns)
        else { return false }
        return UInt64(header.end - rowid.end + header.bodySize) == size.value
    }

    /// A record with a complete header, and the fields before it.
    private func wholeRecord(
        _ image: PageImage, _ at: Int, _ range: Range<Int>, _ source: RecoveredRow.Source, _ owner: Int?
    ) throws(FileProblem) -> (row: FoundRow, end: Int)? {
        guard let header = RecordHeader.read(image.bytes, at: at, most: schema.mostColumns),
            header.types.count >= 2
        else { return nil }
        carvingSteps -= header.types.count
        let size = header.end - at + header.bodySize
        guard size <= TreePage.Cell.largest else { return nil }
        let local = TreePage.Cell.localSize(size, usable: image.usableSize, isTable: true)
        guard at + local <= range.upperBound else { return nil }
        let start = cellStart(image, at, size, range.lowerBound)
        var record = Array(image.bytes[at..<at + local])
        if local < size {
            guard let next = image.number32(at + local) else { return nil }
            record = try payload(
                TreePage.Cell(rowid: nil, payload: at..<at + local, size: size, overflow: next), image,
                isPresent: false
            ).bytes
        }
        let values = header.values(record, at: header.end - at)
        let known = values.filter { $0 != .lost }.count
        guard known >= 2, let table = matcher.carvedTable(values, owner, hasStart: start != nil) else {
            return nil
        }
        var row = FoundRow(
            table: table, source: source, place: image.place, page: image.number,
            offset: image.offset + (start?.offset ?? at), rowid: start?.rowid, values: values)
        row.isComplete = known == values.count && !matcher.isOverwritten(values)
        return (row, at + local)
    }

    /// The number of the row and the offset of the cell before a record, if both numbers survive.
    private func cellStart(
        _ image: PageImage, _ record: Int, _ size: Int, _ least: Int
    ) -> (rowid: Int64, offset: Int)? {
        for length in 1...9 {
            let at = record - length
            guard at >= least else { return nil }
            guard let rowid = image.variableNumber(at), rowid.end == record else { continue }
            for before in 1...4 where at - before >= least {
                guard let total = image.variableNumber(at - before), total.end == at,
                    total.value == UInt64(size)
                else { continue }
                return (Int64(bitPattern: rowid.value), at - before)
            }
        }
        return nil
    }
}
