import Glibc

/// Names and their positions, in a tenth of the memory of texts in a dictionary. Names are bytes, as for the kernel:
/// texts that differ only in normalization are different names.
public struct NameIndex: Sendable {
    /// The bytes of all names, in their own order.
    private let bytes: [UInt8]
    /// The end of each name in the bytes.
    private let ends: [Int]
    /// The positions in the order of the sorted names; empty if the names are sorted.
    private let order: [Int32]

    /// Collects names for an index.
    public struct Builder: Sendable {
        fileprivate var bytes: [UInt8] = []
        fileprivate var ends: [Int] = []

        /// No names.
        public init() {}

        /// Adds a name, which must be unique. There are at most as many as a folder can have.
        public mutating func append(_ name: String) {
            bytes += name.utf8
            ends.append(bytes.count)
        }

        /// The index of the names.
        public var index: NameIndex { NameIndex(self) }
    }

    private init(_ builder: Builder) {
        (bytes, ends) = (builder.bytes, builder.ends)
        var isSorted = true
        for position in builder.ends.indices.dropFirst() where isSorted {
            isSorted = Self.precedes(
                Self.slice(position - 1, builder.bytes, builder.ends),
                Self.slice(position, builder.bytes, builder.ends))
        }
        order =
            isSorted
            ? []
            : builder.ends.indices.sorted {
                Self.precedes(
                    Self.slice($0, builder.bytes, builder.ends), Self.slice($1, builder.bytes, builder.ends))
            }.map { Int32(clamping: $0) }
    }

    /// The names in their own order.
    public init(_ names: [String]) {
        var builder = Builder()
        for name in names { builder.append(name) }
        self = builder.index
    }

    /// The number of names.
    public var count: Int { ends.count }

    /// The bytes of memory, roughly.
    public var memory: Int { bytes.count + 8 * ends.count + 4 * order.count }

    /// The name at a position.
    public subscript(position: Int) -> String {
        String(decoding: Self.slice(position, bytes, ends), as: UTF8.self)
    }

    /// The position of a name; nil for an unknown name.
    public func position(of name: String) -> Int? {
        let name = Array(name.utf8)[...]
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(bytes(at: middle), name) { low = middle + 1 } else { high = middle }
        }
        guard low < count, !Self.precedes(name, bytes(at: low)) else { return nil }
        return place(low)
    }

    private func place(_ rank: Int) -> Int { order.isEmpty ? rank : Int(order[rank]) }

    private func bytes(at rank: Int) -> ArraySlice<UInt8> { Self.slice(place(rank), bytes, ends) }

    private static func slice(_ position: Int, _ bytes: [UInt8], _ ends: [Int]) -> ArraySlice<UInt8> {
        bytes[(position == 0 ? 0 : ends[position - 1])..<ends[position]]
    }

    /// Compares the bytes.
    private static func precedes(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        one.withUnsafeBytes { first in
            other.withUnsafeBytes { second in
                let common = min(first.count, second.count)
                guard common > 0, let start = first.baseAddress, let end = second.baseAddress else {
                    return first.count < second.count
                }
                let difference = memcmp(start, end, common)
                return difference == 0 ? first.count < second.count : difference < 0
            }
        }
    }
}
