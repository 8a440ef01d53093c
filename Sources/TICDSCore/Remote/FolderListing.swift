import Base
import Glibc
public import SystemCalls

/// One entry of a folder.
public struct FolderEntry: Hashable, Sendable {
    /// Its name.
    public var name: RemoteName
    /// File, folder, link or something else.
    public var kind: FileKind
    /// Bytes.
    public var size: Int64
    /// Modification time.
    public var modified: FileTime
    /// True for a file without blocks that contains only zeros.
    public var holdsOnlyZeros: Bool

    /// An entry as a listing shows it.
    public init(
        name: RemoteName, kind: FileKind, size: Int64, modified: FileTime, holdsOnlyZeros: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.size = size
        self.modified = modified
        self.holdsOnlyZeros = holdsOnlyZeros
    }
}

/// The entries of one folder, sorted by the bytes of their names.
///
/// A folder of a remote may contain many thousands of change sets. The names are stored end to end, and an entry is made
/// on request: about 60 bytes for each set, and no allocation.
public struct FolderListing: RandomAccessCollection, Sendable {
    private var records: [Record] = []
    private var names = PackedNames()
    /// The originals of copies, by the offset of the name of the copy, which sorting and filtering do not change.
    private var originals: [UInt32: RemoteName] = [:]

    /// The sets of a folder that were only counted; there are no entries then.
    public private(set) var counted: CountedSets?

    private struct Record {
        var name: PackedNames.Place
        var kind: FileKind
        var holdsOnlyZeros: Bool
        var nanoseconds: Int32
        /// The inode number; 0 if it is unknown or larger. It takes the place of padding.
        var inode: UInt32 = 0
        var seconds: Int64
        var size: Int64
    }

    /// A listing without entries.
    public init() {}

    /// A folder whose sets were only counted.
    init(_ counted: CountedSets) { self.counted = counted }

    /// A listing of entries in any order; it keeps all entries with equal names.
    public init(_ entries: some Sequence<FolderEntry>) { self = FolderListing().with(entries) }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of entries.
    public var endIndex: Int { records.count }

    /// The entry at a position in the order of names.
    public subscript(position: Int) -> FolderEntry {
        let record = records[position]
        return FolderEntry(
            name: names.withName(record.name) { RemoteName($0) }, kind: record.kind, size: record.size,
            modified: FileTime(seconds: record.seconds, nanoseconds: record.nanoseconds),
            holdsOnlyZeros: record.holdsOnlyZeros)
    }

    /// The kind of an entry. Faster than the whole entry, as are the three below.
    public func kind(at position: Int) -> FileKind { records[position].kind }
    /// The size in bytes.
    public func size(at position: Int) -> Int64 { records[position].size }
    /// Whether the file contains only zeros.
    public func holdsOnlyZeros(at position: Int) -> Bool { records[position].holdsOnlyZeros }
    /// The modification time.
    public func modified(at position: Int) -> FileTime {
        FileTime(seconds: records[position].seconds, nanoseconds: records[position].nanoseconds)
    }

    /// The inode number; nil if the storage has none in its listings, and for numbers above 32 bits.
    package func inode(at position: Int) -> UInt64? {
        let inode = records[position].inode
        return inode == 0 ? nil : UInt64(inode)
    }

    /// Calls `body` with the bytes of a name, without copying them. They are valid during the call only.
    public func withName<Result>(at position: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        names.withName(records[position].name, body)
    }

    /// The entry with this name, by binary search; nil if there is none.
    public subscript(name: RemoteName) -> FolderEntry? { position(of: name).map { self[$0] } }

    /// The name of the entry that this one is a copy of, byte for byte; nil if none was found.
    func original(of name: RemoteName) -> RemoteName? {
        originals.isEmpty ? nil : position(of: name).flatMap { original(at: $0) }
    }

    /// The name of the entry that the entry at a position is a copy of; nil if none was found.
    func original(at position: Int) -> RemoteName? {
        originals.isEmpty ? nil : originals[records[position].name.start]
    }

    /// Records that an entry is a copy of `original`.
    mutating func note(copyAt position: Int, of original: RemoteName) {
        originals[records[position].name.start] = original
    }

    /// The position of the entry with this name; nil if there is none.
    public func position(of name: RemoteName) -> Int? {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            let isBefore = withName(at: middle) { $0.lexicographicallyPrecedes(name.bytes) }
            if isBefore { low = middle + 1 } else { high = middle }
        }
        guard low < count, withName(at: low, { $0.elementsEqual(name.bytes) }) else { return nil }
        return low
    }

    /// This listing with further entries, whose names it does not yet contain.
    func with(_ entries: some Sequence<FolderEntry>) -> FolderListing {
        var listing = self
        for entry in entries {
            entry.name.bytes.withUnsafeBytes {
                _ = listing.append(
                    name: $0, entry.kind, entry.size, entry.modified, holdsOnlyZeros: entry.holdsOnlyZeros)
            }
        }
        listing.sort()
        return listing
    }

    /// Adds an entry at the end; call `sort` after the last one. Returns false if the names no longer fit (4 GiB).
    mutating func append(
        name: UnsafeRawBufferPointer, _ status: FileStatus, holdsOnlyZeros: Bool = false
    ) -> Bool {
        append(
            name: name, status.kind, status.size, status.modified, holdsOnlyZeros: holdsOnlyZeros,
            inode: UInt32(exactly: status.inode) ?? 0)
    }

    /// Adds an entry with the values of a status at the end; call `sort` after the last one.
    package mutating func append(
        name: UnsafeRawBufferPointer, _ kind: FileKind, _ size: Int64, _ modified: FileTime,
        holdsOnlyZeros: Bool = false, inode: UInt32 = 0
    ) -> Bool {
        guard let place = names.append(name) else { return false }
        records.append(
            Record(
                name: place, kind: kind, holdsOnlyZeros: holdsOnlyZeros,
                nanoseconds: modified.nanoseconds, inode: inode, seconds: modified.seconds, size: size))
        return true
    }

    /// Adds the entries of another listing at the end; call `sort` after the last one. Returns false if the names no
    /// longer fit.
    package mutating func append(_ other: FolderListing) -> Bool {
        if records.isEmpty {
            self = other
            return true
        }
        return other.records.allSatisfy { record in
            other.names.withName(record.name) { name in
                append(
                    name: name, record.kind, record.size,
                    FileTime(seconds: record.seconds, nanoseconds: record.nanoseconds),
                    holdsOnlyZeros: record.holdsOnlyZeros)
            }
        }
    }

    /// Names that several entries have, each once. The listing must be sorted.
    package var repeatedNames: [RemoteName] {
        let repeated = indices.dropFirst().filter { position in
            withName(at: position) { name in
                withName(at: position - 1) { $0.elementsEqual(name) }
            }
        }
        return Set(repeated.map { self[$0].name }).sorted()
    }

    /// The entries whose names are wanted.
    func filtered(_ isWanted: (UnsafeRawBufferPointer) -> Bool) -> FolderListing {
        var wanted = self
        wanted.records = records.filter { names.withName($0.name, isWanted) }
        return wanted
    }

    package mutating func sort() {
        records.sort { [names] in names.precedes($0.name, $1.name) }
    }
}

extension UnsafeRawBufferPointer {
    /// Order by unsigned bytes; a prefix comes first.
    package func precedes(_ other: UnsafeRawBufferPointer) -> Bool {
        guard let mine = baseAddress, let its = other.baseAddress else { return count < other.count }
        let order = memcmp(mine, its, Swift.min(count, other.count))
        return order == 0 ? count < other.count : order < 0
    }

    /// Whether the first bytes are those of `start`.
    package func begins(with start: UnsafeRawBufferPointer) -> Bool {
        guard let mine = baseAddress, let its = start.baseAddress else { return start.isEmpty }
        return count >= start.count && memcmp(mine, its, start.count) == 0
    }
}
