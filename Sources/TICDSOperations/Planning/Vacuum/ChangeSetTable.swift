import Base
import TICDSCore

/// Finds change sets by identifier among all sets of a document. Contains only numbers; the bytes stay in the listings.
struct ChangeSetTable {
    private let clients: [ClientChangeSets]
    /// Number of the first set of each client.
    private let starts: [Int]
    /// Set numbers, each with a part of the hash; `empty` for a free bucket. At most half are taken.
    private var buckets: [Bucket]
    private let mask: Int
    let count: Int

    private struct Bucket {
        var number: UInt32
        var tag: UInt32
    }
    private static let empty = UInt32.max

    init(_ clients: [ClientChangeSets]) {
        self.clients = clients
        var starts: [Int] = []
        var count = 0
        for client in clients {
            starts.append(count)
            count += client.changeSets.count
        }
        self.starts = starts
        self.count = count
        var size = 16
        while size < count * 2 { size *= 2 }
        mask = size - 1
        buckets = Array(repeating: Bucket(number: Self.empty, tag: 0), count: size)
        for (client, start) in zip(clients, starts) {
            for position in client.changeSets.indices {
                let hash = client.changeSets.withIdentifier(at: position, Self.hash)
                insert(UInt32(truncatingIfNeeded: start + position), hash)
            }
        }
    }

    private mutating func insert(_ number: UInt32, _ hash: UInt64) {
        var place = Int(truncatingIfNeeded: hash) & mask
        while buckets[place].number != Self.empty { place = (place + 1) & mask }
        buckets[place] = Bucket(number: number, tag: UInt32(truncatingIfNeeded: hash >> 32))
    }

    /// Calls `body` with the number of every set with that identifier, since two clients may each have one.
    func forEach(_ identifier: UnsafeRawBufferPointer, _ body: (Int) -> Void) {
        let hash = Self.hash(identifier)
        let tag = UInt32(truncatingIfNeeded: hash >> 32)
        var place = Int(truncatingIfNeeded: hash) & mask
        while buckets[place].number != Self.empty {
            if buckets[place].tag == tag, isIdentifier(identifier, of: Int(buckets[place].number)) {
                body(Int(buckets[place].number))
            }
            place = (place + 1) & mask
        }
    }

    private func isIdentifier(_ identifier: UnsafeRawBufferPointer, of number: Int) -> Bool {
        let low = starts.dropFirst().endOfPrefix { $0 <= number } - 1  // bounded: the index is above 0
        // Clients without a set begin at the same number as the next client; the search found the last of these, which
        // has the set.
        return clients[low].changeSets.withIdentifier(at: number - starts[low]) {
            $0.count == identifier.count && $0.begins(with: identifier)
        }
    }

    /// The hash of an identifier. `Hasher` has a new seed in each process, so that an attacker cannot choose names that
    /// collide.
    private static func hash(_ identifier: UnsafeRawBufferPointer) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(bytes: identifier)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }
}

/// A bit for each change set of a document.
struct ChangeSetBits {
    private var words: [UInt64]

    init(count: Int) { words = Array(repeating: 0, count: (count + 63) / 64) }

    func contains(_ number: Int) -> Bool { words[number >> 6] >> (UInt64(number) & 63) & 1 == 1 }

    mutating func insert(_ number: Int) { words[number >> 6] |= 1 << (UInt64(number) & 63) }
}
