public import KeyedArchive

/// Reads raw deflate data (RFC 1951: no header, no check sum), as Core Data keeps the cached model of a SQLite store
/// in `Z_MODELCACHE`.
///
/// libarchive reads deflate only inside a container with a trailer of its own, and takes trailer bytes for data
/// where the data is cut short; nothing here tells a cut stream from a whole one but its own end mark. So it is
/// decoded here.
public enum RawDeflate {
    /// Why data cannot be inflated.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// Offset in bytes within the compressed data where it shows.
        public var offset: Int
        /// What is wrong, in one sentence without a full stop.
        public var problem: String

        public var description: String { "offset \(offset): \(problem)" }
    }

    /// The decompressed bytes.
    ///
    /// Bytes after the end of the last block are left alone, as zlib does.
    /// - Parameters:
    ///   - bytes: one deflate stream, from its first byte.
    ///   - limit: the greatest number of decompressed bytes accepted.
    /// - Throws: `Failure` where the stream is cut short, damaged, or longer than `limit`.
    public static func inflate(_ bytes: SharedBytes, limit: Int) throws(Failure) -> SharedBytes {
        let output = try bytes.withUnsafeBytes { (buffer) throws(Failure) -> [UInt8] in
            var inflater = Inflater(input: BitReader(buffer), limit: limit)
            return try inflater.run()
        }
        return SharedBytes(output)
    }
}

/// One run of decompression: blocks in, bytes out.
private struct Inflater {
    var input: BitReader
    let limit: Int
    var output: [UInt8] = []

    init(input: BitReader, limit: Int) {
        self.input = input
        self.limit = limit
    }

    mutating func run() throws(RawDeflate.Failure) -> [UInt8] {
        var isLast = false
        while !isLast {
            isLast = try input.bits(1) == 1
            switch try input.bits(2) {
            case 0: try copyStoredBlock()
            case 1: try inflateBlock(lengths: .fixedLiterals, distances: .fixedDistances)
            case 2:
                let (lengths, distances) = try readCodes()
                try inflateBlock(lengths: lengths, distances: distances)
            default: throw input.failure("a block of a kind that does not exist")
            }
        }
        return output
    }

    /// RFC 1951, 3.2.4: length, its complement, and that many bytes as they are.
    private mutating func copyStoredBlock() throws(RawDeflate.Failure) {
        input.skipToByte()
        let length = try input.bits(16)
        let complement = try input.bits(16)
        guard length == ~complement & 0xFFFF else {
            throw input.failure("the length of a stored block is damaged")
        }
        for _ in 0..<length { try append(UInt8(truncatingIfNeeded: input.bits(8))) }
    }

    /// RFC 1951, 3.2.7: the code lengths, themselves in a Huffman code.
    private mutating func readCodes() throws(RawDeflate.Failure) -> (
        lengths: HuffmanCode, distances: HuffmanCode
    ) {
        let literals = try input.bits(5) + 257
        let distances = try input.bits(5) + 1
        let count = try input.bits(4) + 4
        guard literals <= 286, distances <= 30 else { throw input.failure("too many codes in a block") }
        var codeLengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<count {
            codeLengths[Self.codeLengthOrder[index]] = UInt8(truncatingIfNeeded: try input.bits(3))
        }
        guard let code = HuffmanCode(lengths: codeLengths, mayBeIncomplete: false) else {
            throw input.failure("the code of the code lengths is damaged")
        }
        let lengths = try readCodeLengths(literals + distances, with: code)
        guard lengths[256] > 0,
            let literalCode = HuffmanCode(lengths: lengths[..<literals], mayBeIncomplete: true),
            let distanceCode = HuffmanCode(lengths: lengths[literals...], mayBeIncomplete: true)
        else { throw input.failure("the codes of a block are damaged") }
        return (literalCode, distanceCode)
    }

    private mutating func readCodeLengths(
        _ count: Int, with code: HuffmanCode
    ) throws(RawDeflate.Failure) -> [UInt8] {
        var lengths: [UInt8] = []
        while lengths.count < count {
            let symbol = try code.symbol(from: &input)
            var repeated: UInt8 = 0
            let times: Int
            switch symbol {
            case 0...15: (repeated, times) = (UInt8(truncatingIfNeeded: symbol), 1)
            case 16:
                guard let last = lengths.last else { throw input.failure("a code length repeats nothing") }
                (repeated, times) = (last, try input.bits(2) + 3)
            case 17: times = try input.bits(3) + 3
            default: times = try input.bits(7) + 11
            }
            guard lengths.count + times <= count else {
                throw input.failure("too many code lengths in a block")
            }
            lengths.append(contentsOf: repeatElement(repeated, count: times))
        }
        return lengths
    }

    /// RFC 1951, 3.2.5: literals and copies of earlier bytes until the end mark.
    private mutating func inflateBlock(
        lengths: HuffmanCode, distances: HuffmanCode
    ) throws(RawDeflate.Failure) {
        while true {
            let symbol = try lengths.symbol(from: &input)
            if symbol < 256 {
                try append(UInt8(truncatingIfNeeded: symbol))
            } else if symbol == 256 {
                return
            } else {
                guard symbol <= 285 else { throw input.failure("a length code that does not exist") }
                let length = try Self.lengths[symbol - 257].value(from: &input)
                let distanceSymbol = try distances.symbol(from: &input)
                guard distanceSymbol < 30 else { throw input.failure("a distance code that does not exist") }
                let distance = try Self.distances[distanceSymbol].value(from: &input)
                guard distance <= output.count else {
                    throw input.failure("a copy of bytes before the beginning")
                }
                for _ in 0..<length { try append(output[output.count - distance]) }
            }
        }
    }

    private mutating func append(_ byte: UInt8) throws(RawDeflate.Failure) {
        guard output.count < limit else { throw input.failure("more than \(limit) bytes when decompressed") }
        output.append(byte)
    }

    /// A number written as a base and some extra bits.
    private struct Range {
        let base: Int
        let extraBits: Int

        func value(from input: inout BitReader) throws(RawDeflate.Failure) -> Int {
            try base + input.bits(extraBits)
        }
    }

    private static let codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    /// Codes 257 to 285: lengths of 3 to 258. The last one stands outside the rule.
    private static let lengths: [Range] =
        ranges(count: 28, from: 3, group: 4) + [Range(base: 258, extraBits: 0)]

    /// Codes 0 to 29: distances of 1 to 32,768.
    private static let distances: [Range] = ranges(count: 30, from: 1, group: 2)

    /// Ranges that follow each other; the number of extra bits grows by one with every `group`, from the third on.
    private static func ranges(count: Int, from first: Int, group: Int) -> [Range] {
        var base = first
        return (0..<count).map { index in
            let range = Range(base: base, extraBits: max(0, index / group - 1))
            base += 1 << range.extraBits
            return range
        }
    }
}
