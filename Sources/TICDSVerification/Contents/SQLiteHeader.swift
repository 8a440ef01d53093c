/// The first 100 bytes of an SQLite database, compared with the values that SQLite writes there for Core Data. SQLite
/// itself ignores most of them.
///
/// Two fields may have any value and are not checked: the lower half of the schema cookie (bytes 42 and 43), and the minor
/// part of SQLite's version number (97 to 99). The file change counter is compared with its copy (92 to 95), which SQLite
/// writes since version 3.7.0.
struct SQLiteHeader {
    /// A field with a wrong value.
    struct Fault: Hashable {
        var offset: Int
        var expected: String
        var found: String
        /// Whether SQLite uses the field when it reads.
        var matters: Bool
    }

    static let size = 100
    private let bytes: [UInt8]
    private let fileSize: Int64

    init?(_ bytes: [UInt8], fileSize: Int64) {
        guard bytes.count == Self.size else { return nil }
        self.bytes = bytes
        self.fileSize = fileSize
    }

    var faults: [Fault] { layoutFaults + pageFaults + ignoredFaults }

    private func number(_ offset: Int, _ count: Int = 4) -> Int64 {
        bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int64($1) }
    }

    private var pageSize: Int64 { number(16, 2) == 1 ? 65_536 : number(16, 2) }
    /// False if a version of SQLite before 3.7.0 wrote last; it kept no valid count of pages.
    private var isModern: Bool { number(92) != 0 || number(96) != 0 }

    /// A fault of the field at `offset`; nil if the field is right.
    private func fault(
        _ offset: Int, width: Int = 4, unless isRight: Bool, _ expected: String, matters: Bool = true
    ) -> Fault? {
        if isRight { return nil }
        return Fault(offset: offset, expected: expected, found: "\(number(offset, width))", matters: matters)
    }

    private var layoutFaults: [Fault] {
        let isPowerOfTwo = pageSize >= 512 && pageSize & (pageSize - 1) == 0
        let isVersion = bytes[18] == 1 || bytes[18] == 2
        let isReserved = bytes[20] == 0 || bytes[20] == 12
        let faults: [Fault?] = [
            fault(16, width: 2, unless: isPowerOfTwo, "a page size, a power of two from 512"),
            fault(18, width: 1, unless: isVersion, "the write version 1 or 2"),
            fault(19, width: 1, unless: bytes[19] == bytes[18], "the read version \(bytes[18])"),
            // Newer Apple systems reserve 12 bytes in each page.
            fault(20, width: 1, unless: isReserved, "no bytes reserved in each page"),
            fault(21, width: 1, unless: bytes[21] == 64, "the fraction 64"),
            fault(22, width: 1, unless: bytes[22] == 32, "the fraction 32"),
            fault(23, width: 1, unless: bytes[23] == 32, "the fraction 32"),
            fault(44, unless: (1...4).contains(number(44)), "a schema format from 1 to 4"),
            fault(56, unless: number(56) == 1, "the text encoding 1, UTF-8"),
        ]
        return faults.compactMap(\.self)
    }

    private var pageFaults: [Fault] {
        guard pageSize >= 512 else { return [] }
        let pages = fileSize / pageSize
        // The page count is valid only if its writer also updated the copy of the change counter.
        let isCounted = isModern && number(24) == number(92)
        let isFreeList = number(32) <= pages && number(36) < pages && (number(32) == 0) == (number(36) == 0)
        let isIncremental = number(64) <= (number(52) == 0 ? 0 : 1)
        let faults: [Fault?] = [
            fault(16, width: 2, unless: fileSize % pageSize == 0, "whole pages in \(fileSize) bytes"),
            fault(28, unless: !isCounted || number(28) == pages, "\(pages) pages of \(pageSize) bytes"),
            fault(32, unless: isFreeList, "the first free page, and how many there are"),
            fault(52, unless: number(52) <= pages, "the largest root page, at most \(pages)"),
            fault(64, unless: isIncremental, "incremental vacuum, 0 or 1"),
        ]
        return faults.compactMap(\.self)
    }

    private var ignoredFaults: [Fault] {
        let isCounted = !isModern || number(24) == number(92)
        let isZero = bytes[72..<92].allSatisfy { $0 == 0 }
        let faults: [Fault?] = [
            fault(24, unless: isCounted, "the number of changes \(number(92))", matters: false),
            fault(96, unless: !isModern || isSQLiteVersion, "a version of SQLite", matters: false),
            fault(40, unless: number(40) < 1 << 16, "a small schema cookie", matters: false),
            fault(48, unless: number(48) == 0, "no cache size", matters: false),
            fault(60, unless: number(60) == 0, "no user version", matters: false),
            fault(68, unless: number(68) == 0, "no application number", matters: false),
            fault(72, unless: isZero, "zeros in the reserved bytes", matters: false),
        ]
        return faults.compactMap(\.self)
    }

    /// Whether the number is a version such as 3046001, for 3.46.1.
    private var isSQLiteVersion: Bool {
        let version = number(96)
        return version / 1_000_000 == 3 && (7...99).contains(version / 1000 % 1000) && version % 1000 <= 100
    }
}
