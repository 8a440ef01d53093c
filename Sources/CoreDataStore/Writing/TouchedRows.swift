/// A set of rows as a sparse bitmap with pieces of 4096 rows.
struct TouchedRows {
    private var pieces: [Int64: [UInt64]] = [:]

    mutating func insert(_ primaryKey: Int64) {
        let bit = Int(primaryKey & 4095)
        pieces[primaryKey >> 12, default: [UInt64](repeating: 0, count: 64)][bit >> 6] |=
            1 << UInt64(bit & 63)
    }

    mutating func remove(_ primaryKey: Int64) {
        let bit = Int(primaryKey & 4095)
        pieces[primaryKey >> 12]?[bit >> 6] &= ~(1 << UInt64(bit & 63))
    }

    /// Calls `body` with the rows in order.
    func forEach<Failure>(_ body: (Int64) throws(Failure) -> Void) throws(Failure) {
        for piece in pieces.keys.sorted() {
            for (index, word) in (pieces[piece] ?? []).enumerated() where word != 0 {
                for bit in 0..<64 where word >> UInt64(bit) & 1 == 1 {
                    try body(piece << 12 + Int64(index << 6 + bit))
                }
            }
        }
    }
}
