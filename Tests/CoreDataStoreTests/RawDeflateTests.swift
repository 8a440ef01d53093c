import Base
import CoreDataStore
import SystemCalls
import SystemPackage
import Testing

/// Streams that zlib made at level 9 without header.
@Suite struct RawDeflateTests {
    /// A block with a dynamic code: the squares of 0 to 59 as text.
    private static let squares = bytes(
        """
        1d8ec111c04008025b12444efb6f2c4c5e8e28b0051dcc69ebac05aa4040820f677238e65e536da82a17ad86\
        37cff1f9f9f1de46c3559d9340a1f68031e2072376d214eb24dba9709a9e854dfbb559fc2f641dbb448562aa\
        e8cc977da387b3f3d7090bcd75903bc41f
        """)

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        var rest = Substring(hexadecimal)
        var bytes: [UInt8] = []
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }

    private func inflate(_ bytes: [UInt8], limit: Int = 1 << 20) throws(FileProblem) -> [UInt8] {
        try RawDeflate.inflate(SharedBytes(bytes), limit: limit, path: "store").array
    }

    @Test func readsStoredFixedAndEmptyBlocks() throws {
        #expect(try inflate([0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0x62, 0x63]) == Array("abc".utf8))
        #expect(try inflate([0x4B, 0x4C, 0x4A, 0x4E, 0x04, 0x23, 0x00]) == Array("abcabcabc".utf8))
        #expect(try inflate([0x03, 0x00]) == [])
    }

    @Test func readsABlockWithItsOwnCode() throws {
        let text = (0..<60).map { "\($0 * $0)" }.joined()
        #expect(try inflate(Self.squares) == Array(text.utf8))
    }

    @Test func refusesAStreamCutAtAnyByte() {
        for length in 0..<Self.squares.count {
            let problem = #expect(throws: FileProblem.self) {
                try inflate(Array(Self.squares.prefix(length)))
            }
            #expect(problem?.kind == .damaged && problem?.problem == "the deflated data is truncated")
            #expect(problem?.path == "store" && problem?.offset == length)
        }
    }

    @Test func leavesBytesAfterTheEnd() throws {
        #expect(try inflate([0x03, 0x00, 0xAA, 0xBB]) == [])
    }

    @Test(
        arguments: [[], [0x03], [0x05, 0x00], [0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61], [0x4B, 0x4C, 0x4A]]
            as [[UInt8]])
    func refusesCutStreams(_ bytes: [UInt8]) {
        let problem = #expect(throws: FileProblem.self) { try inflate(bytes) }
        #expect(problem?.problem == "the deflated data is truncated")
    }

    /// A block of an invalid type, a stored block with a wrong length, invalid codes, and a fixed block that begins
    /// with a copy of length 3 at distance 1.
    @Test(
        arguments: [
            [0x07], [0x01, 0x03, 0x00, 0xFC, 0xFE, 0x61], [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [0x03, 0x02, 0x00],
        ] as [[UInt8]])
    func refusesDamagedStreams(_ bytes: [UInt8]) {
        let problem = #expect(throws: FileProblem.self) { try inflate(bytes) }
        #expect(problem?.kind == .damaged && problem?.problem == "the deflated data is damaged")
        #expect(problem?.offset != nil && problem?.found != nil)
    }

    @Test func refusesMoreThanTheLimit() throws {
        let abc: [UInt8] = [0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0x62, 0x63]
        #expect(try inflate(abc, limit: 3).count == 3)
        let problem = #expect(throws: FileProblem.self) { try inflate(abc, limit: 2) }
        #expect(problem?.kind == .limit)
    }
}
