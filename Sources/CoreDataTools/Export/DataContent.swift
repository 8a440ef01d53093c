import Base
import CoreDataStore
public import KeyedArchive
import SystemPackage

/// The content of the bytes of a Binary attribute: apps keep property lists and keyed archives there, also compressed.
public struct DataContent: Sendable {
    /// The forms that are recognised.
    public enum Form: String, Sendable, CaseIterable {
        /// A keyed archive of NSKeyedArchiver.
        case keyedArchive
        /// A binary or XML property list.
        case propertyList
        /// Compressed bytes of unknown form.
        case data
    }

    /// The form of the bytes, after decompression.
    public let form: Form
    /// Whether the bytes are in a gzip stream.
    public let isCompressed: Bool
    /// The content; for a keyed archive its root, or the only object with a name.
    public let value: ArchivedValue

    /// The largest number of bytes that are decoded, before and after decompression.
    public static let mostBytes = 16 << 20
    /// The limits on levels, objects and bytes of the content. XML is instead limited to 1 MB.
    private static let limits = KeyedArchiveLimits(depth: 64, visits: 100_000, bytes: mostBytes)

    /// Decodes bytes; nil for bytes that are in none of the forms, are damaged, or exceed the limits.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.mostBytes else { return nil }
        var content = SharedBytes(bytes)
        if bytes.starts(with: [0x1F, 0x8B]) {
            guard let inflated = Self.inflated(bytes) else { return nil }
            content = inflated
            isCompressed = true
        } else {
            isCompressed = false
        }
        if let reader = try? KeyedArchiveReader(content) {  // try?: data in a different form
            var decoder = KeyedArchiveDecoder(reader, limits: Self.limits)
            // try?: damaged, or beyond the limits
            guard let archived = try? decoder.value(of: try reader.root()) else { return nil }
            (form, value) = (.keyedArchive, archived)
        } else if let list = Self.listed(content) {
            (form, value) = (.propertyList, list)
        } else if isCompressed {
            (form, value) = (.data, .data(content.array))
        } else {
            return nil
        }
    }

    private static func listed(_ bytes: SharedBytes) -> ArchivedValue? {
        if bytes.starts(with: Array("bplist0".utf8)) {
            // try?: here and below, data in a different form
            return try? BinaryPropertyList(bytes).value(limits: limits)
        }
        let start = String(decoding: bytes.array(0..<256), as: UTF8.self)
        guard bytes.count <= 1 << 20,
            start.hasPrefix("<?xml") || start.hasPrefix("<!DOCTYPE plist") || start.hasPrefix("<plist"),
            start.contains("plist")
        else { return nil }
        return try? XMLPropertyList.value(of: bytes)  // try?: as above
    }

    /// The content of a gzip stream (RFC 1952) with one member, whose length must equal the length at its end.
    private static func inflated(_ bytes: [UInt8]) -> SharedBytes? {
        guard bytes.count >= 18, bytes[2] == 8, bytes[3] & 0xE0 == 0 else { return nil }
        let flags = bytes[3]
        var start = 10
        if flags & 4 != 0 {
            guard start + 2 <= bytes.count else { return nil }
            start += 2 + Int(bytes[start]) + Int(bytes[start + 1]) << 8  // bounded: two bytes
        }
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard start < bytes.count, let end = bytes[start...].firstIndex(of: 0) else { return nil }
            start = end + 1
        }
        if flags & 2 != 0 { start += 2 }
        guard start < bytes.count - 8 else { return nil }
        let packed = SharedBytes(Array(bytes[start..<bytes.count - 8]))
        // try?: damaged, or too much
        guard let content = try? RawDeflate.inflate(packed, limit: mostBytes, path: "gzip") else {
            return nil
        }
        let size = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        return content.count == size ? content : nil
    }
}
