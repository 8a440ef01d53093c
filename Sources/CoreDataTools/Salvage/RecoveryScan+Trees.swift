import Base
import CoreDataStore
import SystemCalls

/// The present rows, and the contradictions in a tree.
extension RecoveryScan {
    /// A page of a tree, and the keys between which its rows must be.
    private struct Visit {
        var page: Int
        /// All keys are greater.
        var low: Int64?
        /// No key is greater.
        var high: Int64?
    }

    /// Walks a tree from its root. Each page is visited once.
    /// - Parameter table: the number of the table; nil for the schema and for indexes.
    func walk(_ root: Int, _ owner: UInt32, table: Int?) throws(FileProblem) {
        let isTable = table.map { !schema.tables[$0].isWithoutRowid } ?? (owner == Owner.schema)
        let name =
            table.map { "the table \(schema.tables[$0].name)" } ?? (isTable ? "the schema" : "an index")
        func lose(_ text: String, _ page: Int) throws(FileProblem) {
            if let table { known.lose(table) }
            try report(problem(text, offset: (page -| 1) *| source.pageSize))
        }
        func admit(_ page: Int) throws(FileProblem) -> Bool {
            guard page > 0, page < owners.count else {
                try lose("the page \(page) of \(name) does not exist", page)
                return false
            }
            guard owners[page] == 0 else {
                try lose("the page \(page) of \(name) belongs to another part, too", page)
                return false
            }
            owners[page] = owner
            return true
        }
        guard try admit(root) else { return }
        var waiting = [Visit(page: root)]
        while let visit = waiting.popLast() {
            let number = visit.page
            guard let image = try source.page(number), let tree = TreePage(image),
                tree.kind.isTable == isTable
            else {
                try lose("the page \(number) of \(name) cannot be read", number)
                if number < owners.count { owners[number] = 0 }
                continue
            }
            let cells = tree.cells.map { tree.cell($0) }
            let cover = isTable ? tree.cover(cells) : TreePage.Cover()
            if tree.isDamaged || !cover.isSound {
                try lose("the page \(number) of \(name) is damaged", number)
            }
            if tree.kind.isInterior {
                var children: [Visit] = []
                var low = visit.low
                for cell in cells {
                    guard let cell, let child = cell.child else { continue }
                    if try admit(child) { children.append(Visit(page: child, low: low, high: cell.rowid)) }
                    low = cell.rowid
                    if !isTable { _ = try payload(cell, image, isPresent: true) }
                }
                if let last = tree.rightChild, try admit(last) {
                    children.append(Visit(page: last, low: low, high: visit.high))
                }
                waiting += children.reversed()
            } else if let table, isTable {
                try presentRows(tree, cells, cover, visit, table, name)
            } else {
                for case let cell? in cells { _ = try payload(cell, image, isPresent: true) }
            }
        }
    }

    private func presentRows(
        _ tree: TreePage, _ cells: [TreePage.Cell?], _ cover: TreePage.Cover, _ visit: Visit, _ table: Int,
        _ name: String
    ) throws(FileProblem) {
        var low = visit.low
        var isInOrder = true
        for (place, offset) in tree.cells.enumerated() {
            guard let cell = cells[place], let rowid = cell.rowid else {
                known.lose(table)
                try report(
                    problem("a row of \(name) cannot be read", offset: tree.image.offset + offset))
                continue
            }
            let next = place + 1 < cells.count ? cells[place + 1]?.rowid : nil
            let fits =
                low.map { $0 < rowid } ?? true && next.map { rowid < $0 } ?? true
                && visit.high.map { rowid <= $0 } ?? true
            isInOrder = isInOrder && fits
            low = rowid
            try presentRow(
                tree, offset, cell, rowid, table, name,
                isPlaceSound: fits && !tree.isDamaged && !cover.overlapping.contains(place))
        }
        if !isInOrder {
            known.lose(table)
            try report(
                problem(
                    "rows on the page \(visit.page) of \(name) are not in the order of their numbers",
                    offset: tree.image.offset))
        }
    }

    private func presentRow(
        _ tree: TreePage, _ offset: Int, _ cell: TreePage.Cell, _ rowid: Int64, _ table: Int,
        _ name: String, isPlaceSound: Bool
    ) throws(FileProblem) {
        let image = tree.image
        let record = try record(cell, image)
        guard let header = record.header else {
            known.lose(table)
            return try report(
                problem("the row \(rowid) of \(name) cannot be read", offset: image.offset + offset))
        }
        let values = header.values(record.bytes, at: header.end)
        let isComplete = !values.contains(.lost)
        let isSound = record.isWhole && schema.tables[table].isRow(values)
        if !isComplete {
            try report(
                problem("a part of the row \(rowid) of \(name) is lost", offset: image.offset + offset))
        } else if !isSound {
            try report(
                problem(
                    "the row \(rowid) of \(name) is damaged: its values do not fit its cell or its table",
                    offset: image.offset + offset))
        }
        let texts = matcher.texts(in: values)
        if texts == .damaged {
            try report(
                problem(
                    "the row \(rowid) of \(name) is damaged: bytes of a text are no text",
                    offset: image.offset + offset))
        }
        known.addPresent(table, rowid, values, isComplete: isComplete)
        try body(
            FoundRow(
                table: table, source: .live, place: image.place, page: image.number,
                offset: image.offset + offset, rowid: rowid, values: values, isComplete: isComplete,
                isCertain: isComplete && isSound && isPlaceSound && texts == .sound, state: .live))
    }

    /// The bytes of a record with its header, and whether its values end where its cell and its overflow pages end.
    private func record(
        _ cell: TreePage.Cell, _ image: PageImage
    ) throws(FileProblem) -> (bytes: [UInt8], header: RecordHeader?, isWhole: Bool) {
        if cell.overflow == nil, cell.payload.upperBound <= image.bytes.count,
            let header = RecordHeader.read(image.bytes, at: cell.payload.lowerBound, most: 32_767),
            header.end + header.bodySize == cell.payload.upperBound
        {
            return (image.bytes, header, true)
        }
        let payload = try payload(cell, image, isPresent: true)
        let header = RecordHeader.read(payload.bytes, at: 0, most: 32_767)
        let isWhole = header.map { $0.end + $0.bodySize == cell.size } ?? false
        return (payload.bytes, header, isWhole && payload.isEnded)
    }
}
