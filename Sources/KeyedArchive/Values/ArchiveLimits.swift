/// How much one walk through an archive may visit. A small file can describe a graph of any size, so the walk is
/// counted and not the file.
public struct ArchiveLimits: Sendable, Hashable {
    /// Objects inside objects.
    public var depth: Int
    /// Objects visited, each as often as it is reached; nil: in proportion to the objects of the file, and in one
    /// value, which is held whole, to the size of the file.
    public var visits: Int?
    /// Bytes of strings and data handed out; nil: in proportion to the size of the file.
    public var bytes: Int?

    /// Limits of one walk; nil goes by the size of the archive.
    public init(depth: Int = 128, visits: Int? = nil, bytes: Int? = nil) {
        self.depth = depth
        self.visits = visits
        self.bytes = bytes
    }

    /// What every reader of the suite uses: 128 levels, and otherwise in proportion to the archive.
    public static let `default` = ArchiveLimits()
}

/// What is left of the limits during a walk.
struct ArchiveBudget {
    private let limits: ArchiveLimits
    private var visits: Int
    private var bytes: Int
    /// What is left of the objects and bytes of the value being read, and how many objects it may have at most.
    private var held: Int
    private var heldBytes: Int
    private let holdable: Int
    private(set) var depth = 0

    init(_ limits: ArchiveLimits, objectCount: Int, byteCount: Int) {
        self.limits = limits
        visits = limits.visits ?? (1_000_000 + 1024 * min(objectCount, 1 << 40))
        holdable = limits.visits ?? (1_000_000 + 2 * min(byteCount, 1 << 40))
        held = holdable
        bytes = limits.bytes ?? (64 << 20 + 64 * min(byteCount, 1 << 40))
        heldBytes = bytes
    }

    enum Exhausted: String {
        case depth = "levels", visits = "objects visited", bytes = "bytes of text and data"
    }

    /// Counts one object; the answer names the limit that it breaks.
    @inline(__always)
    mutating func enter() -> Exhausted? {
        if depth == 0 { beginValue() }
        if depth == limits.depth { return .depth }
        if let exhausted = visit(1) { return exhausted }
        depth += 1
        return nil
    }

    /// One value may take half of what is left for all, so that one that explodes does not hide those after it.
    private mutating func beginValue() {
        held = min(holdable, limits.visits == nil ? visits / 2 : visits)
        heldBytes = limits.bytes == nil ? bytes / 2 : bytes
    }

    /// Counts work without a level of its own.
    @inline(__always)
    mutating func visit(_ count: Int) -> Exhausted? {
        visits -= count
        held -= count
        return visits < 0 || held < 0 ? .visits : nil
    }

    @inline(__always)
    mutating func leave() { depth -= 1 }

    /// Counts the bytes of a string or data.
    @inline(__always)
    mutating func spend(_ count: Int) -> Exhausted? {
        bytes -= count
        if depth > 0 { heldBytes -= count }
        return bytes < 0 || heldBytes < 0 ? .bytes : nil
    }
}
