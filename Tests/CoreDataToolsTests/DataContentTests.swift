import Base
import CoreDataTools
import Foundation
import KeyedArchive
import TestSupport
import Testing

/// The content of the bytes of a Binary attribute, decoded on request.
@Suite struct DataContentTests {
    private static let value: ArchivedValue = .dictionary([
        "title": .string("Soup"), "stars": .integer(4), "photo": .data([1, 2, 3]),
    ])

    /// A gzip stream of one stored block, or as gzip itself writes it.
    private func compressed(_ bytes: [UInt8], flags: UInt8 = 0, extra: [UInt8] = []) -> [UInt8] {
        var stream: [UInt8] = [0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 3]
        stream += extra
        stream.append(1)
        for number in [UInt16(bytes.count), ~UInt16(bytes.count)] {
            stream.append(UInt8(number & 255))
            stream.append(UInt8(number >> 8))
        }
        stream += bytes
        stream += [0, 0, 0, 0]
        for place in 0..<4 { stream.append(UInt8(truncatingIfNeeded: bytes.count >> (8 * place))) }
        return stream
    }

    @Test func everyForm() throws {
        let archive = try KeyedArchiveWriter.bytes(root: Self.value)
        let list = try BinaryPropertyListWriter.bytes(of: Self.value)
        let xml = Array(
            "<?xml version=\"1.0\"?><plist version=\"1.0\"><array><integer>7</integer></array></plist>".utf8)
        for (bytes, form, value) in [
            (archive, DataContent.Form.keyedArchive, Self.value), (list, .propertyList, Self.value),
            (xml, .propertyList, .array([.integer(7)])),
        ] {
            let plain = try #require(DataContent(bytes))
            #expect(plain.form == form && !plain.isCompressed && plain.value == value)
            // Also with a name and a checksum in its header.
            let names = compressed(bytes, flags: 8 | 2, extra: Array("file\0".utf8) + [0, 0])
            for packed in [compressed(bytes), names] {
                let content = try #require(DataContent(packed))
                #expect(content.form == form && content.isCompressed && content.value == value)
            }
        }
        let text = try #require(DataContent(compressed(Array("hello".utf8))))
        #expect(text.form == .data && text.isCompressed && text.value == .data(Array("hello".utf8)))
    }

    /// Bytes of no known form stay bytes: damaged, truncated, a gzip stream of a wrong length.
    @Test func otherBytesStayBytes() throws {
        let archive = try KeyedArchiveWriter.bytes(root: Self.value)
        var wrongLength = compressed(archive)
        wrongLength[wrongLength.count - 4] &+= 1
        for bytes in [
            [], [0], Array("plain text".utf8), Array("<?xml version=\"1.0\"?><svg/>".utf8), [0x1F, 0x8B],
            Array(archive.dropLast(9)), wrongLength, Array(compressed(archive).prefix(40)),
            [0x89] + Array("PNG".utf8),
        ] as [[UInt8]] {
            #expect(DataContent(bytes) == nil, "\(bytes.prefix(20))")
        }
        for count in 0..<60 { _ = DataContent(Array(compressed(archive, flags: 0xFF).prefix(count))) }
    }

    /// Depth and size of the content are limited.
    @Test(.enabled(if: Python.available)) func limits() throws {
        var deep = ArchivedValue.integer(1)
        for _ in 0..<100 { deep = .array([deep]) }
        #expect(DataContent(try BinaryPropertyListWriter.bytes(of: deep)) == nil)
        #expect(DataContent(try KeyedArchiveWriter.bytes(root: deep)) == nil)
        let many = ArchivedValue.array((0..<150_000).map { .integer(Int128($0)) })
        #expect(DataContent(try BinaryPropertyListWriter.bytes(of: many)) == nil)
        let bomb = try #require(
            Python.run("import gzip, sys; sys.stdout.buffer.write(gzip.compress(bytes(100 << 20)))"))
        #expect(bomb.count < 1 << 20 && DataContent(bomb) == nil)
        let large = try #require(
            Python.run("import gzip, sys; sys.stdout.buffer.write(gzip.compress(bytes(1 << 20)))"))
        #expect(DataContent(large)?.value == .data([UInt8](repeating: 0, count: 1 << 20)))
    }
}
