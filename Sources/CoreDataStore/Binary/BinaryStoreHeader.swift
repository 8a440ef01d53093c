import Base
import SystemPackage
import SystemCalls

/// The header of a binary store: 64 bytes (core-data-binary-store(5), 1). All numbers are big-endian.
public struct BinaryStoreHeader: Sendable, Hashable {
    /// The size in bytes.
    public static let size = 64
    /// The first eight bytes of every binary store.
    public static let magic = Array("CoreData".utf8)
    static let formatVersion: UInt64 = 1
    static let databaseVersion: UInt64 = 0x0804_0800

    /// The range of the keyed archive of the objects, in bytes from the start of the file.
    public var map: Range<Int>
    /// The range of the keyed archive of the metadata.
    public var metadata: Range<Int>
    /// The highest primary key that was assigned, by one counter for all entities.
    public var primaryKeyGeneration: UInt64

}

extension BinaryStoreHeader {
    /// Reads and checks the header of the file with the content `bytes`.
    /// - Parameter size: the size of the file; nil if `bytes` are the whole file.
    init(_ bytes: SharedBytes, size: Int? = nil, path: FilePath) throws(FileProblem) {
        func damaged(_ offset: Int, _ expected: String, _ found: String) -> FileProblem {
            FileProblem(
                .damaged, path: path, offset: offset, "damaged binary store", expected: expected, found: found
            )
        }
        if !bytes.starts(with: Self.magic),
            let content = ForeignContent(head: bytes.array(0..<min(bytes.count, ForeignContent.headSize)))
        {
            throw FileProblem(
                .damaged, path: path, offset: 0, "not a binary store", expected: "the magic \"CoreData\"",
                found: content.name, advice: content.advice)
        }
        guard bytes.count >= Self.size else {
            throw damaged(0, "a header of \(Self.size) bytes", "\(bytes.count) bytes in all")
        }
        guard bytes.starts(with: Self.magic) else {
            throw damaged(0, "the magic \"CoreData\"", bytes.array(0..<8).hexadecimalText)
        }
        func number(at offset: Int, width: Int = 8) -> UInt64 { bytes.number(at: offset, width: width) ?? 0 }
        let version = number(at: 8, width: 4)
        guard version == Self.formatVersion else { throw damaged(8, "format version 1", "\(version)") }
        let database = number(at: 12, width: 4)
        guard database == Self.databaseVersion else {
            throw damaged(12, "database version \(Self.databaseVersion)", "\(database)")
        }
        func archive(_ place: Int, _ what: String) throws(FileProblem) -> Range<Int> {
            let offset = number(at: place)
            let length = number(at: place + 8)
            let size = UInt64(size ?? bytes.count)
            guard offset >= UInt64(Self.size) else {
                throw damaged(
                    place, "the \(what) behind the header of \(Self.size) bytes",
                    "the \(what) at offset \(offset)")
            }
            guard offset <= size, length <= size - offset else {
                throw damaged(
                    place,
                    "a file of at least \(offset +| length) bytes, whose header names \(length) bytes of \(what) at "
                        + "offset \(offset)", "\(size) bytes in all")
            }
            return Int(offset)..<Int(offset + length)
        }
        metadata = try archive(16, "metadata")
        map = try archive(32, "objects")
        primaryKeyGeneration = number(at: 48)
    }

    /// The encoded header.
    var bytes: [UInt8] {
        let numbers: [UInt64] = [
            Self.formatVersion << 32 | Self.databaseVersion, UInt64(metadata.lowerBound),
            UInt64(metadata.count),
            UInt64(map.lowerBound), UInt64(map.count), primaryKeyGeneration, 0,
        ]
        return Self.magic
            + numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
    }
}
