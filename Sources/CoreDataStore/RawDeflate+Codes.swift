/// Bits of a deflate stream: from the lowest bit of each byte upward (RFC 1951, 3.1.1).
///
/// Valid only within the closure that lends the bytes.
struct BitReader {
    private let bytes: UnsafeRawBufferPointer
    private var next = 0
    private var held: UInt64 = 0
    private(set) var heldCount = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// The next `count` bits (at most 16) as a number.
    mutating func bits(_ count: Int) throws(RawDeflate.Failure) -> Int {
        fill()
        guard heldCount >= count else { throw failure("the data is cut short") }
        let value = peek(count)
        drop(count)
        return value
    }

    /// Takes in what fits, so that at least 48 bits are held, or all there are.
    mutating func fill() {
        while heldCount <= 48, next < bytes.count {
            held |= UInt64(bytes[next]) << UInt64(heldCount)
            heldCount += 8
            next += 1
        }
    }

    /// The next bits without taking them; zeros beyond the end of the data.
    func peek(_ count: Int) -> Int {
        Int(truncatingIfNeeded: held & (1 << UInt64(count) - 1))
    }

    /// Takes bits that have been looked at.
    mutating func drop(_ count: Int) {
        held >>= UInt64(count)
        heldCount -= count
    }

    /// Leaves out the rest of the byte that was begun.
    mutating func skipToByte() {
        drop(heldCount % 8)
    }

    func failure(_ problem: String) -> RawDeflate.Failure {
        RawDeflate.Failure(offset: next - heldCount / 8, problem: problem)
    }
}

/// A canonical Huffman code (RFC 1951, 3.2.2) as a table from the next bits of the stream to symbols.
struct HuffmanCode {
    /// For every pattern of `longest` bits: the symbol in the upper bits, its length in the lower four; 0 = none.
    private var table: [UInt16]
    private let longest: Int

    /// A code out of a file.
    /// - Parameters:
    ///   - lengths: the length in bits of each symbol's code, 0 to 15; 0 = the symbol is not used.
    ///   - mayBeIncomplete: whether one single code of one bit, or none at all, is accepted, as zlib does.
    /// - Returns: nil where the lengths do not make a code.
    init?(lengths: some Collection<UInt8>, mayBeIncomplete: Bool) {
        let counts = Self.counts(of: lengths)
        var free = 1
        for length in 1...15 {
            free = free * 2 - counts[length]
            guard free >= 0 else { return nil }
        }
        let longest = counts.lastIndex { $0 > 0 } ?? 1
        guard free == 0 || (mayBeIncomplete && longest == 1) else { return nil }
        self.init(checked: lengths)
    }

    /// A code whose lengths are known to make one.
    private init(checked lengths: some Collection<UInt8>) {
        let counts = Self.counts(of: lengths)
        longest = counts.lastIndex { $0 > 0 } ?? 1
        table = [UInt16](repeating: 0, count: 1 << longest)
        var nextCode = [Int](repeating: 0, count: 16)
        for length in 2...15 { nextCode[length] = (nextCode[length - 1] + counts[length - 1]) * 2 }
        for (symbol, length) in lengths.enumerated() where length > 0 {
            enter(symbol: symbol, code: nextCode[Int(length)], length: Int(length))
            nextCode[Int(length)] += 1
        }
    }

    /// How many codes there are of each length.
    private static func counts(of lengths: some Collection<UInt8>) -> [Int] {
        var counts = [Int](repeating: 0, count: 16)
        for length in lengths where length > 0 { counts[Int(length)] += 1 }
        return counts
    }

    /// Codes are sent from their highest bit, so that they stand reversed in the stream.
    private mutating func enter(symbol: Int, code: Int, length: Int) {
        var reversed = 0
        for bit in 0..<length where code >> bit & 1 == 1 { reversed |= 1 << (length - 1 - bit) }
        let entry = UInt16(truncatingIfNeeded: symbol << 4 | length)
        for index in stride(from: reversed, to: table.count, by: 1 << length) { table[index] = entry }
    }

    func symbol(from input: inout BitReader) throws(RawDeflate.Failure) -> Int {
        input.fill()
        let entry = Int(table[input.peek(longest)])
        let length = entry & 15
        guard length <= input.heldCount, input.heldCount > 0 else {
            throw input.failure("the data is cut short")
        }
        guard length > 0 else { throw input.failure("a code that does not exist") }
        input.drop(length)
        return entry >> 4
    }

    /// RFC 1951, 3.2.6.
    static let fixedLiterals = HuffmanCode(
        checked: [(144, 8), (112, 9), (24, 7), (8, 8)].flatMap { [UInt8](repeating: $0.1, count: $0.0) })
    static let fixedDistances = HuffmanCode(checked: [UInt8](repeating: 5, count: 32))
}
