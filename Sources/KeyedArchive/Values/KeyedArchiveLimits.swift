/// The limits of one traversal of a keyed archive. A small file can describe a graph of any size; the limits therefore
/// count visits, not objects of the file.
public struct KeyedArchiveLimits: Sendable, Hashable {
    /// The maximum nesting depth.
    public var depth: Int
    /// The maximum number of visits; an object counts each time that it is reached. Nil: in proportion to the number of
    /// objects in the file, and for one value, which is kept in memory, to the size of the file.
    public var visits: Int?
    /// The maximum number of bytes of strings and data that are copied. Nil: in proportion to the size of the file.
    public var bytes: Int?

    /// Limits of one traversal; nil for a limit in proportion to the archive.
    public init(depth: Int = 128, visits: Int? = nil, bytes: Int? = nil) {
        self.depth = depth
        self.visits = visits
        self.bytes = bytes
    }

    /// The limits of every reader in ticds: 128 levels, otherwise in proportion to the archive.
    public static let `default` = KeyedArchiveLimits()

    /// Limits that a decoder with `default` satisfies, whatever the order in which it visits the same values: after a
    /// third is spent, the rest is twice a third, and one value may take half of the rest. Decoding goes some levels
    /// deeper than checking, into the fields of a scalar.
    static func ofValidator(objectCount: Int, byteCount: Int) -> KeyedArchiveLimits {
        KeyedArchiveLimits(
            depth: 120,
            visits: min(
                KeyedArchiveBudget.visits(objectCount) / 3, KeyedArchiveBudget.valueVisits(byteCount)),
            bytes: KeyedArchiveBudget.bytes(byteCount) / 3)
    }
}

/// The rest of the limits during a traversal.
struct KeyedArchiveBudget {
    private let limits: KeyedArchiveLimits
    /// The limits of the whole traversal.
    let whole: (visits: Int, bytes: Int)
    private var visits: Int
    private var bytes: Int
    /// The remaining visits for the value that is being decoded.
    private var valueVisits: Int
    private var valueBytes: Int
    private let maximumValueVisits: Int
    private(set) var depth = 0

    init(_ limits: KeyedArchiveLimits, objectCount: Int, byteCount: Int) {
        self.limits = limits
        visits = limits.visits ?? Self.visits(objectCount)
        maximumValueVisits = limits.visits ?? Self.valueVisits(byteCount)
        valueVisits = maximumValueVisits
        bytes = limits.bytes ?? Self.bytes(byteCount)
        valueBytes = bytes
        whole = (visits, bytes)
    }

    /// The visits and bytes of the traversal so far.
    var spent: (visits: Int, bytes: Int) { (whole.visits - visits, whole.bytes - bytes) }

    /// The visits of a traversal of an archive with this number of objects.
    static func visits(_ objectCount: Int) -> Int { 1_000_000 + 1024 * min(objectCount, 1 << 40) }

    /// The visits for one value of an archive with this size in bytes.
    static func valueVisits(_ byteCount: Int) -> Int { 1_000_000 + 2 * min(byteCount, 1 << 40) }

    /// The bytes that a traversal of an archive with this size may copy.
    static func bytes(_ byteCount: Int) -> Int { 64 << 20 + 64 * min(byteCount, 1 << 40) }

    enum Exhausted: String {
        case depth = "levels", visits = "objects visited", bytes = "bytes of text and data"
    }

    /// Counts one object and one level. Returns the limit that it exceeds, or nil.
    @inline(__always)
    mutating func enter() -> Exhausted? {
        if depth == 0 { beginValue() }
        if depth == limits.depth { return .depth }
        if let exhausted = visit(1) { return exhausted }
        depth += 1
        return nil
    }

    /// Gives one value at most half of the rest, so that later values can still be read after a huge one.
    private mutating func beginValue() {
        valueVisits = min(maximumValueVisits, limits.visits == nil ? visits / 2 : visits)
        valueBytes = limits.bytes == nil ? bytes / 2 : bytes
    }

    /// Counts work without a level.
    @inline(__always)
    mutating func visit(_ count: Int) -> Exhausted? {
        visits -= count
        valueVisits -= count
        return visits < 0 || valueVisits < 0 ? .visits : nil
    }

    @inline(__always)
    mutating func leave() { depth -= 1 }

    /// Counts the bytes of a string or data.
    @inline(__always)
    mutating func spend(_ count: Int) -> Exhausted? {
        bytes -= count
        if depth > 0 { valueBytes -= count }
        return bytes < 0 || valueBytes < 0 ? .bytes : nil
    }
}
