import Base
public import SystemCalls
public import TICDSCore

/// Folders and files of an archive, in a fixed order. An archive may contain a million change sets: the names are stored
/// end to end, and an entry is made on request, so that each set takes about 100 bytes in place of 400.
public struct BackupEntries: RandomAccessCollection, Sendable {
    private var folders: [RemotePath] = []
    private var names = PackedNames()
    private var records = PagedArray<Record>()
    /// The digests of the first entries; entries without one have zeros.
    private var digests = BackupDigests()
    /// The numbers of the earlier archives that contain the first files; entries of the archive itself have `noBase`.
    private var bases = PagedArray<Int32>()
    /// The sizes that a record cannot contain, by the positions of the entries.
    private var largeSizes: [Int: Int64] = [:]

    private struct Record {
        /// The name; nil if the folder is the path of the entry itself, which has no name that can be stored.
        var name: PackedNames.Place?
        var seconds: Int64
        var nanoseconds: Int32
        var folder: UInt32
        /// The size; `largeSize` if it is among the large ones.
        var size: UInt32
        var role: FileRole
        var hasDigest: Bool

        static let largeSize = UInt32.max
    }

    private static let noBase = Int32.min

    /// No entries.
    public init() {}

    /// These entries, in their order.
    public init(_ entries: some Sequence<BackupEntry>) {
        for entry in entries { append(entry) }
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of entries.
    public var endIndex: Int { records.count }

    /// The entry at a position.
    public subscript(position: Int) -> BackupEntry {
        let record = records[position]
        return BackupEntry(
            path: path(at: position), role: record.role, size: size(at: position),
            modified: modified(at: position),
            digest: digest(at: position), base: base(at: position))
    }

    /// The path of an entry. Faster than the whole entry, as are the functions below.
    public func path(at position: Int) -> RemotePath {
        let record = records[position]
        let folder = folders[Int(record.folder)]
        return record.name.map { folder.appending(names.withName($0) { RemoteName($0) }) } ?? folder
    }

    /// The role of an entry.
    public func role(at position: Int) -> FileRole { records[position].role }

    /// Whether an entry is a folder.
    public func isFolder(at position: Int) -> Bool { records[position].role == .folder }

    /// The size in bytes.
    public func size(at position: Int) -> Int64 {
        let size = records[position].size
        return size == Record.largeSize ? largeSizes[position] ?? 0 : Int64(size)
    }

    /// Modification time.
    public func modified(at position: Int) -> FileTime {
        FileTime(seconds: records[position].seconds, nanoseconds: records[position].nanoseconds)
    }

    /// SHA-256 of a file.
    public func digest(at position: Int) -> [UInt8]? {
        records[position].hasDigest ? digests[position] : nil
    }

    /// The number of the earlier archive that contains the file.
    public func base(at position: Int) -> Int? {
        guard position < bases.count, bases[position] != Self.noBase else { return nil }
        return Int(bases[position])
    }

    /// The number and total size of the files that `isWanted` admits, by their positions.
    func totals(where isWanted: (Int) -> Bool = { _ in true }) -> FileTotals {
        var totals = FileTotals()
        for (position, record) in records.enumerated() where record.role != .folder && isWanted(position) {
            totals.add(size(at: position))
        }
        return totals
    }
}

/// Making and changing entries.
extension BackupEntries {
    /// Adds an entry. A digest that is not 32 bytes long is left out.
    public mutating func append(_ entry: BackupEntry) {
        let place = entry.path.last.flatMap { name in name.bytes.withUnsafeBytes { names.append($0) } }
        if place == nil {
            folders.append(entry.path)
        } else if folders.last?.names.elementsEqual(entry.path.names.dropLast()) != true {
            folders.append(entry.path.parent)
        }
        let position = records.count
        records.append(
            Record(
                name: place, seconds: entry.modified.seconds, nanoseconds: entry.modified.nanoseconds,
                folder: UInt32(clamping: folders.count - 1),  // bounded: a folder was added
                size: 0, role: entry.role, hasDigest: false))
        set(size: entry.size, at: position)
        if let base = entry.base { set(base: base, at: position) }
        if let digest = entry.digest { set(digest, at: position) }
    }

    /// Sets the digest of an entry, if it is 32 bytes long.
    mutating func set(_ digest: [UInt8], at position: Int) {
        if digests.set(digest, at: position) { records[position].hasDigest = true }
    }

    /// Sets the digests of all entries, none of which has one.
    mutating func set(_ digests: consuming BackupDigests) { self.digests = digests }

    /// Records that an entry has the digest that was set with those of all entries.
    mutating func confirmDigest(at position: Int) { records[position].hasDigest = true }

    private mutating func set(size: Int64, at position: Int) {
        let small = UInt32(exactly: size) ?? Record.largeSize
        let isLarge = small == Record.largeSize
        if isLarge || records[position].size == Record.largeSize {
            largeSizes[position] = isLarge ? size : nil
        }
        records[position].size = small
    }

    mutating func set(size: Int64, modified: FileTime, at position: Int) {
        set(size: size, at: position)
        records[position].seconds = modified.seconds
        records[position].nanoseconds = modified.nanoseconds
    }

    mutating func set(base: Int?, at position: Int) {
        if base == nil, position >= bases.count { return }
        while bases.count <= position { bases.append(Self.noBase) }
        bases[position] = base.map { Swift.max(Self.noBase + 1, Int32(clamping: $0)) } ?? Self.noBase
    }
}

/// Searching by path, without making paths of the entries.
extension BackupEntries {
    /// Whether the entry at `position` has this path.
    func has(_ path: RemotePath, at position: Int) -> Bool {
        let record = records[position]
        let folder = folders[Int(record.folder)]
        guard let name = record.name else { return folder == path }
        guard let last = path.last, last.bytes.count == Int(name.length),
            last.bytes.withUnsafeBytes({ last in names.withName(name) { last.begins(with: $0) } })
        else { return false }
        return folder.names.elementsEqual(path.names.dropLast())
    }

    /// Whether the path of the entry at `position` comes before this one.
    func precedes(_ path: RemotePath, at position: Int) -> Bool {
        let record = records[position]
        let folder = folders[Int(record.folder)]
        guard let place = record.name else { return folder < path }
        for (name, other) in zip(folder.names, path.names) where name != other { return name < other }
        guard path.names.count > folder.names.count else { return false }
        let other = path.names[folder.names.count].bytes
        return names.withName(place) { name in
            other.withUnsafeBytes { other in
                if name.precedes(other) { return true }
                // Equal names: the entry is a folder above.
                return name.count == other.count && name.begins(with: other)
                    && path.names.count > folder.names.count + 1  // bounded: the number of names
            }
        }
    }

    /// Whether each path comes before the next one, as in archives of ticds.
    var areSorted: Bool {
        indices.dropFirst().allSatisfy { position in
            let (one, other) = (records[position - 1], records[position])
            guard one.folder == other.folder, let name = one.name, let next = other.name else {
                return precedes(path(at: position), at: position - 1)
            }
            return names.precedes(name, next)
        }
    }

    /// The position of a path, if the entries are sorted; nil if there is none.
    func sortedPosition(of path: RemotePath) -> Int? {
        var range = indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if has(path, at: middle) { return middle }
            range = precedes(path, at: middle) ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }

    /// The size of the file or folder with this path, if the entries are sorted; nil if there is none.
    public func size(of path: RemotePath) -> Int64? { sortedPosition(of: path).map(size) }

    /// The entries in the order of their paths. Of entries with the same path only the last one is left.
    func sortedByPath() -> BackupEntries {
        if areSorted { return self }
        var byPath: [RemotePath: BackupEntry] = [:]
        for entry in self { byPath[entry.path] = entry }
        return BackupEntries(byPath.values.sorted { $0.path < $1.path })
    }

    /// Calls `body` for each path of two sorted lists, with the entries that they have there, in the order of paths.
    static func forEachPair(
        _ one: BackupEntries, _ other: BackupEntries, _ body: (BackupEntry?, BackupEntry?) -> Void
    ) {
        var first = 0
        for entry in other {
            while first < one.count, one.precedes(entry.path, at: first) {
                body(one[first], nil)
                first += 1
            }
            if first < one.count, one.has(entry.path, at: first) {
                body(one[first], entry)
                first += 1
            } else {
                body(nil, entry)
            }
        }
        for position in first..<one.count { body(one[position], nil) }
    }
}

extension BackupEntries: Hashable, ExpressibleByArrayLiteral {
    /// Entries given as a literal.
    public init(arrayLiteral entries: BackupEntry...) { self.init(entries) }

    public static func == (one: BackupEntries, other: BackupEntries) -> Bool { one.elementsEqual(other) }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for entry in self { hasher.combine(entry) }
    }
}

/// SHA-256 values by position; zeros in positions that were not set before a later one.
struct BackupDigests: Sendable {
    private typealias Digest = (UInt64, UInt64, UInt64, UInt64)

    private var values = PagedArray<Digest>()

    /// The number of bytes of a SHA-256.
    private static let byteCount = 32

    subscript(position: Int) -> [UInt8] {
        guard position < values.count else { return Array(repeating: 0, count: Self.byteCount) }
        return withUnsafeBytes(of: values[position]) { Array($0) }
    }

    /// - Returns: false for a digest that is not 32 bytes long, which is not set.
    mutating func set(_ digest: [UInt8], at position: Int) -> Bool {
        guard digest.count == Self.byteCount else { return false }
        while values.count <= position { values.append((0, 0, 0, 0)) }
        withUnsafeMutableBytes(of: &values[position]) { $0.copyBytes(from: digest) }
        return true
    }
}
