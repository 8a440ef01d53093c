import Glibc

/// The positions of names, in a tenth of the memory of a dictionary. Names are bytes, as for the kernel: texts that
/// differ only in normalization are different names.
public struct NameIndex: Sendable {
    /// The names, in their own order.
    public let names: [String]
    /// The positions in the order of the sorted names; empty if the names are sorted.
    private let order: [Int32]

    /// Unique names in any order, at most as many as a folder can have.
    public init(_ names: [String]) {
        self.names = names
        let isSorted = zip(names, names.dropFirst()).allSatisfy { Self.precedes($0, $1) }
        order =
            isSorted
            ? []
            : names.indices.sorted { Self.precedes(names[$0], names[$1]) }.map { Int32(clamping: $0) }
    }

    /// The position of a name; nil for an unknown name.
    public func position(of name: String) -> Int? {
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(names[place(middle)], name) { low = middle + 1 } else { high = middle }
        }
        guard low < names.count, !Self.precedes(name, names[place(low)]) else { return nil }
        return place(low)
    }

    private func place(_ rank: Int) -> Int { order.isEmpty ? rank : Int(order[rank]) }

    /// Compares the bytes.
    private static func precedes(_ one: String, _ other: String) -> Bool {
        let result = one.utf8.withContiguousStorageIfAvailable { first in
            other.utf8.withContiguousStorageIfAvailable { second -> Bool in
                let common = min(first.count, second.count)
                guard common > 0, let start = first.baseAddress, let end = second.baseAddress else {
                    return first.count < second.count
                }
                let difference = memcmp(start, end, common)
                return difference == 0 ? first.count < second.count : difference < 0
            }
        }
        if case let result?? = result { return result }
        return one.utf8.lexicographicallyPrecedes(other.utf8)
    }
}
