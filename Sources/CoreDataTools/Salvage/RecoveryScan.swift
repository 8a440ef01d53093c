import Base
import CoreDataStore
import SystemCalls
import SystemPackage

/// One pass over all pages of a database, of its log and of its journal.
///
/// It begins with the trees of all tables, page by page: present rows, and remains of rows between them. Then come the
/// free pages, pages that belong to nothing, and the old versions of pages.
final class RecoveryScan {
    let source: PageSource
    let schema: RecoverySchema
    let matcher: RowMatcher
    /// The tree or list to which each page belongs; 0 for none.
    var owners: [UInt32]
    var known: KnownRows
    let body: (FoundRow) throws(FileProblem) -> Void
    private let onDamage: (FileProblem) throws(FileProblem) -> Void
    private var problemCount = 0
    /// The number of omitted rows, for which an equal present or earlier row is known.
    var duplicates: Int { known.duplicates }
    var carvingSteps: Int
    private var overflowBytes: Int
    private var hasReportedBudget = false
    private var orphans: [Int] = []

    enum Owner {
        static let index = UInt32.max
        static let overflow = UInt32.max - 1
        static let freeTrunk = UInt32.max - 2
        static let freeLeaf = UInt32.max - 3
        static let schema = UInt32.max - 4
    }

    /// The part of a page outside the trees that is read: its rows, or the gaps between them.
    private enum Part { case rows, gaps }

    /// The largest number of problems that are reported; further ones are only counted.
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
        known = KnownRows(schema.tables)
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
                known.lose(number)
                continue
            }
            try walk(
                table.root, table.isWithoutRowid ? Owner.index : UInt32(clamping: number + 1), table: number)
        }
        for index in schema.indexes { try walk(index.root, Owner.index, table: nil) }
        known.finishPresent()
        try markFreeList()
        try findOrphans()
        // Of equal rows only the first is shown, so complete rows come before remains of others.
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

    func problem(_ text: String, offset: Int? = nil, found: String? = nil) -> FileProblem {
        FileProblem(.damaged, path: source.path, offset: offset, text, found: found)
    }

    func report(_ problem: FileProblem) throws(FileProblem) {
        problemCount += 1
        if problemCount <= Self.problemLimit { try onDamage(problem) }
    }

    /// The bytes of a payload, with those on overflow pages, as far as they can be read, and whether no page follows
    /// the last of them.
    func payload(
        _ cell: TreePage.Cell, _ image: PageImage, isPresent: Bool
    ) throws(FileProblem) -> (bytes: [UInt8], isEnded: Bool) {
        let local = cell.payload.clamped(to: 0..<image.bytes.count)
        var bytes = Array(image.bytes[local])
        guard local == cell.payload, var next = cell.overflow else { return (bytes, cell.overflow == nil) }
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
        return (bytes, next == 0)
    }

    /// A page as it was when an old version of another page was present; nil if it has been overwritten since.
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

    func reportBudget() throws(FileProblem) {
        if hasReportedBudget { return }
        hasReportedBudget = true
        try report(
            FileProblem(
                .limit, path: source.path,
                "searching all of this store for old rows would take too long; parts were not searched",
                advice:
                    "What was found is correct; a copy without free pages (VACUUM INTO) has fewer to search"))
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
                    try scan(image, part, isFree ? .freelist : .orphan, owner: nil)
                }
            }
        }
    }

    /// Records the pages that belong to nothing. They may be the missing pages of a tree.
    private func findOrphans() throws(FileProblem) {
        for number in 1..<max(1, owners.count) where owners[number] == 0 && !source.isServicePage(number) {
            guard let image = try source.page(number), !image.bytes.allSatisfy({ $0 == 0 }) else { continue }
            orphans.append(number)
        }
        if !orphans.isEmpty { known.loseAll() }
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

    /// The table whose tree now contains a page.
    func table(of page: Int) -> Int? {
        guard page < owners.count, owners[page] > 0, owners[page] <= schema.tables.count else { return nil }
        return Int(owners[page]) - 1
    }

    /// Searches for rows on a page that no longer belongs to a tree.
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

    /// The values of an old record; nil if none survive.
    private func oldValues(
        _ cell: TreePage.Cell, _ image: PageImage
    ) throws(FileProblem) -> [RecordValue]? {
        let bytes = try payload(cell, image, isPresent: false).bytes
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
            row.isCertain =
                isSound && isComplete && !tree.isDamaged && matcher.texts(in: values) == .sound
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

    /// Passes on a row that is not present, unless an equal one is known.
    func offer(_ row: FoundRow) throws(FileProblem) {
        var row = row
        let hasKey = row.table.map { schema.tables[$0].keyColumn != nil } ?? true
        guard let state = known.state(of: row, hasKey: hasKey) else { return }
        row.state = state
        if case .log(let frame) = row.place, source.log?.mayBePresent(frame) == true { row.state = .unknown }
        try body(row)
    }
}
