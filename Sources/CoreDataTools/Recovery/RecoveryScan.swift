import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage

/// A row as the scan finds it.
struct FoundRow {
    /// The number of its table; nil if no table fits.
    var table: Int?
    var source: RecoveredRow.Source
    var place: PageImage.Place
    var page: Int
    /// The offset of its cell, or of what is left of it, in the file.
    var offset: Int
    var rowid: Int64?
    var values: [RecordValue]
    var isComplete = true
    var isCertain = false
    var state = RecoveredRow.State.unknown
    /// Whether this is an entry of an index rather than a row.
    var isIndexEntry = false
}

/// One pass over all pages of a database, of its log and of its journal.
///
/// First the trees of all tables, page by page: present rows, and what is left of rows between them. Then the free
/// pages, pages that belong to nothing, and the old versions of pages.
final class RecoveryScan {
    let source: PageSource
    let schema: RecoverySchema
    private let matcher: RowMatcher
    /// Which tree or list each page belongs to; 0 for none.
    private var owners: [UInt32]
    private var presentRows = FingerprintSet()
    private var presentValues = FingerprintSet()
    private var oldRows = FingerprintSet()
    private var keys: [KeyRuns]
    /// Tables of which a page could not be read, so that a missing row may be present after all.
    private var incomplete: Set<Int> = []
    private let body: (FoundRow) throws(FileProblem) -> Void
    private let onDamage: (FileProblem) throws(FileProblem) -> Void
    private var problemCount = 0
    /// The number of rows that were left out, since a present or an earlier one is equal.
    private(set) var duplicates = 0
    private var carvingSteps: Int
    private var overflowBytes: Int
    private var hasReportedBudget = false
    private var orphans: [Int] = []

    private enum Owner {
        static let index = UInt32.max
        static let overflow = UInt32.max - 1
        static let freeTrunk = UInt32.max - 2
        static let freeLeaf = UInt32.max - 3
        static let schema = UInt32.max - 4
    }

    /// What is read of a page that is no part of a tree: its rows, or what is between them.
    private enum Part { case rows, gaps }

    /// More problems are only counted.
    private static let problemLimit = 100

    init(
        _ source: PageSource, _ schema: RecoverySchema, tablesOfEntities: [Int64: Int],
        onDamage: @escaping (FileProblem) throws(FileProblem) -> Void,
        _ body: @escaping (FoundRow) throws(FileProblem) -> Void
    ) {
        self.source = source
        self.schema = schema
        matcher = RowMatcher(
            schema: schema, tablesOfEntities: tablesOfEntities, encoding: source.encoding)
        self.onDamage = onDamage
        self.body = body
        owners = [UInt32](repeating: 0, count: source.pageCount + 1)
        keys = [KeyRuns](repeating: KeyRuns(), count: schema.tables.count)
        let bytes =
            (source.pageCount + source.pagesInFile + (source.log?.frames.count ?? 0)) *| source.pageSize
        carvingSteps = bytes *| 16 +| (1 << 24)
        overflowBytes = bytes *| 4 +| (1 << 26)
    }

    func run() throws(FileProblem) {
        for problem in source.problems + schema.problems { try report(problem) }
        try walk(1, Owner.schema, table: nil)
        for (number, table) in schema.tables.enumerated() {
            if table.isWithoutRowid {
                try report(problem("the table \(table.name) has no row numbers, and is not read"))
            }
            if table.root == 0 {
                incomplete.insert(number)
                continue
            }
            try walk(
                table.root, table.isWithoutRowid ? Owner.index : UInt32(clamping: number + 1), table: number)
        }
        for index in schema.indexes { try walk(index.root, Owner.index, table: nil) }
        for number in keys.indices { keys[number].finish() }
        try markFreeList()
        // Of equal rows only the first is shown: so whole ones come before what is left of others.
        for part in [Part.rows, .gaps] {
            try scanOldVersions(part)
            try scanFreeAndLostPages(part)
            if part == .gaps { try scanGaps() }
        }
        try reportOrphans()
        if problemCount > Self.problemLimit {
            try onDamage(problem("\(problemCount - Self.problemLimit) further problems"))
        }
        try source.checkUnchanged()
    }

    private func problem(_ text: String, offset: Int? = nil, found: String? = nil) -> FileProblem {
        FileProblem(.damaged, path: source.path, offset: offset, text, found: found)
    }

    private func report(_ problem: FileProblem) throws(FileProblem) {
        problemCount += 1
        if problemCount <= Self.problemLimit { try onDamage(problem) }
    }

    // MARK: Trees

    /// Walks a tree from its root. Each page is visited once.
    /// - Parameter table: the number of the table; nil for the schema and for indexes.
    private func walk(_ root: Int, _ owner: UInt32, table: Int?) throws(FileProblem) {
        let isTable = table.map { !schema.tables[$0].isWithoutRowid } ?? (owner == Owner.schema)
        let name =
            table.map { "the table \(schema.tables[$0].name)" } ?? (isTable ? "the schema" : "an index")
        func lose(_ text: String, _ page: Int) throws(FileProblem) {
            if let table { incomplete.insert(table) }
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
        var waiting = [root]
        while let number = waiting.popLast() {
            guard let image = try source.page(number), let tree = TreePage(image),
                tree.kind.isTable == isTable
            else {
                try lose("the page \(number) of \(name) cannot be read", number)
                if number < owners.count { owners[number] = 0 }
                continue
            }
            if tree.isDamaged { try lose("the page \(number) of \(name) is damaged", number) }
            if tree.kind.isInterior {
                var children: [Int] = []
                for offset in tree.cells {
                    guard let cell = tree.cell(offset), let child = cell.child else { continue }
                    if try admit(child) { children.append(child) }
                    if !isTable { _ = try payload(cell, image, isPresent: true) }
                }
                if let last = tree.rightChild, try admit(last) { children.append(last) }
                waiting += children.reversed()
            } else if let table, isTable {
                for offset in tree.cells { try presentRow(tree, offset, table, name) }
            } else {
                for offset in tree.cells {
                    if let cell = tree.cell(offset) { _ = try payload(cell, image, isPresent: true) }
                }
            }
        }
    }

    private func presentRow(
        _ tree: TreePage, _ offset: Int, _ table: Int, _ name: String
    ) throws(FileProblem) {
        let image = tree.image
        guard let cell = tree.cell(offset), let rowid = cell.rowid else {
            incomplete.insert(table)
            return try report(problem("a row of \(name) cannot be read", offset: image.offset + offset))
        }
        let bytes = try payload(cell, image, isPresent: true)
        guard let header = RecordHeader.read(bytes, at: 0, most: 32_767) else {
            incomplete.insert(table)
            return try report(
                problem("the row \(rowid) of \(name) cannot be read", offset: image.offset + offset))
        }
        let values = header.values(bytes, at: header.end)
        let isComplete = !values.contains(.lost)
        if !isComplete {
            try report(
                problem("a part of the row \(rowid) of \(name) is lost", offset: image.offset + offset))
        }
        keys[table].add(rowid)
        if isComplete {
            _ = presentRows.insert(Self.fingerprint(table, rowid, values))
            _ = presentValues.insert(Self.fingerprint(table, nil, values))
        }
        try body(
            FoundRow(
                table: table, source: .live, place: image.place, page: image.number,
                offset: image.offset + offset, rowid: rowid, values: values, isComplete: isComplete,
                isCertain: isComplete && !tree.isDamaged, state: .live))
    }

    /// The bytes of a payload, with those on overflow pages, as far as they can be read.
    private func payload(
        _ cell: TreePage.Cell, _ image: PageImage, isPresent: Bool
    ) throws(FileProblem) -> [UInt8] {
        let local = cell.payload.clamped(to: 0..<image.bytes.count)
        var bytes = Array(image.bytes[local])
        guard local == cell.payload, var next = cell.overflow else { return bytes }
        while bytes.count < cell.size, next != 0 {
            let page: PageImage?
            if isPresent {
                guard next > 0, next < owners.count, owners[next] == 0 else { break }
                owners[next] = Owner.overflow
                page = try source.page(next)
            } else {
                overflowBytes -= source.pageSize
                guard overflowBytes > 0 else {
                    try reportBudget()
                    break
                }
                page = try oldPage(next, beside: image)
            }
            guard let page, let following = page.number32(0) else { break }
            // bounded: a payload has at most a billion bytes, and is longer than what was read
            let size = min(cell.size - bytes.count, source.usableSize - 4)
            bytes += page.bytes[min(4, page.bytes.count)..<min(4 + size, page.bytes.count)]
            guard page.bytes.count >= 4 + size else { break }
            next = following
        }
        return bytes
    }

    /// A page as it was when an old version of another page was the present one; nil if it was overwritten since.
    private func oldPage(_ number: Int, beside image: PageImage) throws(FileProblem) -> PageImage? {
        switch image.place {
        case .log(let frame):
            if let log = source.log, let version = log.version(of: number, before: frame) {
                return try source.frameImage(log, version)
            }
            return try source.databasePage(number)
        case .journal, .database:
            guard number > 0 else { return nil }
            if number < owners.count, image.place == .database, source.log?.current[image.number] == nil {
                guard [0, Owner.freeLeaf].contains(owners[number]) else { return nil }
                return try source.page(number)
            }
            if case .journal = image.place, let version = try source.journalPage(number) { return version }
            return try source.databasePage(number)
        }
    }

    private func reportBudget() throws(FileProblem) {
        if hasReportedBudget { return }
        hasReportedBudget = true
        try report(
            FileProblem(
                .limit, path: source.path, "looks made to cost time; parts of old rows were not searched"))
    }

    // MARK: Free and lost pages

    private func markFreeList() throws(FileProblem) {
        var (trunk, count) = (source.freeList.first, 0)
        while trunk != 0 {
            guard trunk > 0, trunk < owners.count, owners[trunk] == 0, let image = try source.page(trunk),
                let next = image.number32(0), let leaves = image.number32(4)
            else {
                return try report(problem("the list of free pages leads to the page \(trunk)"))
            }
            owners[trunk] = Owner.freeTrunk
            count += 1
            for leaf in 0..<min(leaves, source.usableSize / 4 - 2) {
                guard let page = image.number32(8 + leaf * 4), page > 0, page < owners.count,
                    owners[page] == 0
                else {
                    try report(problem("the list of free pages names a page that is not free"))
                    continue
                }
                owners[page] = Owner.freeLeaf
                count += 1
            }
            trunk = next
        }
        if count != source.freeList.count {
            try report(
                problem(
                    "the list of free pages has another number of pages than the header says",
                    found: "\(count), not \(source.freeList.count)"))
        }
    }

    private func scanFreeAndLostPages(_ part: Part) throws(FileProblem) {
        for isFree in [true, false] {
            for number in 1..<max(1, owners.count) {
                let owner = owners[number]
                guard isFree ? [Owner.freeTrunk, Owner.freeLeaf].contains(owner) : owner == 0 else {
                    continue
                }
                if !isFree, source.isServicePage(number) { continue }
                guard let image = try source.page(number) else { continue }
                if image.bytes.allSatisfy({ $0 == 0 }) { continue }
                if owner == Owner.freeTrunk {
                    if part == .rows { continue }
                    let leaves = min(image.number32(4) ?? 0, source.usableSize / 4 - 2)
                    try carve(image, 8 + leaves * 4..<image.usableSize, .freelist, owner: nil)
                } else {
                    if !isFree, part == .rows { orphans.append(number) }
                    try scan(image, part, isFree ? .freelist : .orphan, owner: nil)
                }
            }
        }
    }

    private func reportOrphans() throws(FileProblem) {
        guard let first = orphans.first else { return }
        let more = orphans.count == 1 ? "" : " and \(orphans.count - 1) more"
        try report(
            problem(
                orphans.count == 1
                    ? "a page belongs to no table and is not free"
                    : "pages belong to no table and are not free",
                offset: (first - 1) *| source.pageSize, found: "the page \(first)\(more)"))
    }

    private func scanOldVersions(_ part: Part) throws(FileProblem) {
        for number in 1..<max(1, source.pagesInFile + 1) {
            guard number >= owners.count || source.log?.current[number] != nil,
                let image = try source.databasePage(number), !source.isServicePage(number)
            else { continue }
            try scan(image, part, .replaced, owner: table(of: number))
        }
        if let log = source.log {
            for frame in 1..<max(1, log.frames.count + 1) {
                let page = log.frames[frame - 1].page
                guard log.current[page] != frame, page > 0, !source.isServicePage(page) else { continue }
                try scan(
                    source.frameImage(log, frame), part, .log, owner: table(of: page),
                    isSound: log.frames[frame - 1].isSound)
            }
        }
        if let journal = source.journal {
            for record in 1..<max(1, journal.records.count + 1) {
                let page = journal.records[record - 1].page
                guard !source.isServicePage(page) else { continue }
                try scan(
                    source.journalImage(journal, record), part, .journal, owner: table(of: page),
                    isSound: journal.records[record - 1].isSound)
            }
        }
    }

    /// The table whose tree has a page now.
    private func table(of page: Int) -> Int? {
        guard page < owners.count, owners[page] > 0, owners[page] <= schema.tables.count else { return nil }
        return Int(owners[page]) - 1
    }

    /// Looks for rows on a page that is not part of a tree now.
    private func scan(
        _ image: PageImage, _ part: Part, _ source: RecoveredRow.Source, owner: Int?, isSound: Bool = true
    ) throws(FileProblem) {
        if image.number == 1, source != .orphan { return }
        guard let tree = TreePage(image) else {
            if part == .gaps { try carve(image, 0..<image.usableSize, source, owner: owner) }
            return
        }
        if part == .gaps { return try carveGaps(tree, owner: owner) }
        if tree.kind == .tableLeaf {
            for offset in tree.cells { try oldRow(tree, offset, source, owner, isSound) }
        } else if !tree.kind.isTable, source == .freelist || source == .orphan {
            for offset in tree.cells { try indexEntry(tree, offset, source) }
        }
    }

    /// The values of an old record; nil if nothing is left of them.
    private func oldValues(
        _ cell: TreePage.Cell, _ image: PageImage
    ) throws(FileProblem) -> [RecordValue]? {
        let bytes = try payload(cell, image, isPresent: false)
        guard let header = RecordHeader.read(bytes, at: 0, most: TableDefinition.columnLimit),
            !header.types.isEmpty
        else { return nil }
        let values = header.values(bytes, at: header.end)
        return values.allSatisfy { $0 == .lost } ? nil : values
    }

    private func oldRow(
        _ tree: TreePage, _ offset: Int, _ source: RecoveredRow.Source, _ owner: Int?, _ isSound: Bool
    ) throws(FileProblem) {
        guard let cell = tree.cell(offset), let rowid = cell.rowid,
            let values = try oldValues(cell, tree.image)
        else { return }
        let isComplete = !values.contains(.lost)
        var row = FoundRow(
            table: nil, source: source, place: tree.image.place, page: tree.image.number,
            offset: tree.image.offset + offset, rowid: rowid, values: values, isComplete: isComplete)
        if let owner, matcher.fits(values, owner, isStrict: false) {
            row.table = owner
            row.isCertain = isSound && isComplete && !tree.isDamaged
        } else {
            row.table = matcher.match(values)
        }
        try offer(row)
    }

    private func indexEntry(
        _ tree: TreePage, _ offset: Int, _ source: RecoveredRow.Source
    ) throws(FileProblem) {
        guard let cell = tree.cell(offset), let values = try oldValues(cell, tree.image) else { return }
        try offer(
            FoundRow(
                table: nil, source: source, place: tree.image.place, page: tree.image.number,
                offset: tree.image.offset + offset, rowid: nil, values: values,
                isComplete: !values.contains(.lost), isIndexEntry: true))
    }

    // MARK: Offering

    /// Passes a row on that is not present, unless an equal one is known.
    private func offer(_ row: FoundRow) throws(FileProblem) {
        var row = row
        let table = row.table ?? (row.isIndexEntry ? -2 : -1)
        let hasKey = row.table.map { schema.tables[$0].keyColumn != nil } ?? true
        let key = hasKey ? row.rowid : nil
        if row.isComplete {
            let values = Self.fingerprint(table, nil, row.values)
            let whole = Self.fingerprint(table, key, row.values)
            if key == nil ? presentValues.contains(values) : presentRows.contains(whole) {
                duplicates += 1
                return
            }
            // A row whose key is lost is the same as one with its key that was found before.
            guard oldRows.insert(whole) else {
                duplicates += 1
                return
            }
            if key != nil { _ = oldRows.insert(values) }
        }
        if let number = row.table {
            if let key, keys[number].contains(key) {
                row.state = .older
            } else if key != nil || !hasKey {
                row.state = incomplete.contains(number) ? .unknown : .deleted
            }
        }
        try body(row)
    }

    private static func fingerprint(_ table: Int, _ key: Int64?, _ values: [RecordValue]) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(table)
        hasher.combine(key)
        hasher.combine(values)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    // MARK: What is left between rows

    /// Looks for rows between those of all trees, when all present rows are known: a row may have moved to another page.
    private func scanGaps() throws(FileProblem) {
        for number in 1..<max(1, owners.count) {
            let owner = owners[number]
            guard owner == Owner.index || owner > 0 && Int(owner) <= schema.tables.count,
                let image = try source.page(number), let tree = TreePage(image)
            else { continue }
            try carveGaps(tree, owner: table(of: number))
        }
    }

    private func carveGaps(_ tree: TreePage, owner: Int?) throws(FileProblem) {
        for block in tree.freeBlocks { try carve(tree.image, block, .freeblock, owner: owner) }
        try carve(tree.image, tree.unallocated, .unallocated, owner: owner)
    }

    /// Looks for the rest of rows in a part of a page. A cell that was freed has lost its first four bytes: the size of its
    /// payload, the number of the row, and sometimes the beginning of the header of its record.
    private func carve(
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
            // Of tables of objects every record begins with NULL and the number of the entity.
            let isOther = owner.map { number in !schema.tables[number].isOfObjects } ?? false
            if isObject || isOther, let found = try wholeRecord(image, at, range, source, owner) {
                return found
            }
        }
        // The header without its size, or without the type of the key, too.
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
                isComplete: !matcher.isOverwritten(values))
            return (row, header.end + header.bodySize)
        }
        return nil
    }

    /// A record whose header is whole, and what stands before it.
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
                isPresent: false)
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

    /// The number of the row and the offset of the cell before a record, if both numbers are still there.
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
