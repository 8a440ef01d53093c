import TICDSCore

/// The identifiers of the change sets that are in the document: all bytes end to end in one array, and a hash table.
struct KnownSets: Sendable {
    private var bytes: [UInt8] = []
    /// The end of each identifier in `bytes`; the next one begins there.
    private var ends: [Int] = []
    /// The number of an identifier, from 1, or 0 for a free bucket. At most half are taken.
    private var buckets: [UInt32]

    /// An empty set with room for `capacity` identifiers.
    init(capacity: Int = 0) {
        var size = 16
        while size / 2 < capacity, size < 1 << 32 { size *= 2 }
        buckets = Array(repeating: 0, count: size)
    }

    var count: Int { ends.count }

    func contains(_ identifier: UnsafeRawBufferPointer) -> Bool { buckets[bucket(of: identifier)] != 0 }

    func contains(_ identifier: RemoteName) -> Bool { identifier.bytes.withUnsafeBytes { contains($0) } }

    mutating func insert(_ identifier: UnsafeRawBufferPointer) {
        let free = bucket(of: identifier)
        guard buckets[free] == 0 else { return }
        bytes.append(contentsOf: identifier)
        ends.append(bytes.count)
        buckets[free] = UInt32(truncatingIfNeeded: ends.count)
        guard ends.count * 2 > buckets.count else { return }
        var larger = KnownSets(capacity: buckets.count)
        for number in 1...ends.count { withIdentifier(number) { larger.insert($0) } }
        self = larger
    }

    /// The bucket of an identifier, or the free bucket for it.
    private func bucket(of identifier: UnsafeRawBufferPointer) -> Int {
        // The seed is new in each process, so that an attacker cannot choose names that collide.
        var hasher = Hasher()
        hasher.combine(bytes: identifier)
        let mask = buckets.count - 1
        var bucket = hasher.finalize() & mask
        while buckets[bucket] != 0, !withIdentifier(Int(buckets[bucket]), { $0.isSame(as: identifier) }) {
            bucket = (bucket + 1) & mask
        }
        return bucket
    }

    private func withIdentifier<Result>(_ number: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let start = number == 1 ? 0 : ends[number - 2]
        return bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[start..<ends[number - 1]])) }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
        count == other.count && begins(with: other)
    }
}
