import SystemCalls

/// The 512-byte header of a member of a tar archive: POSIX ustar, GNU, or the old form without a magic.
struct TarHeader {
    static let size = 512

    /// The type flag, such as `0` for a file and `5` for a folder.
    let type: UInt8
    let size: Int64
    let modified: Int64
    private let bytes: [UInt8]

    /// Parses a header; nil if the checksum or a number is wrong.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.size, Self.hasCheckSum(bytes),
            let size = Self.number(bytes[124..<136]), let modified = Self.number(bytes[136..<148]), size >= 0
        else { return nil }
        self.bytes = bytes
        self.size = size
        self.modified = modified
        type = bytes[156]
    }

    /// The name; in a ustar header, with its prefix.
    var name: [UInt8] {
        let name = Array(bytes[0..<100].prefix { $0 != 0 })
        let prefix = bytes[345..<500].prefix { $0 != 0 }
        let isPOSIX = bytes[257..<263].elementsEqual("ustar\0".utf8)
        return isPOSIX && !prefix.isEmpty ? prefix + [UInt8(ascii: "/")] + name : name
    }

    private static func hasCheckSum(_ bytes: [UInt8]) -> Bool {
        guard let expected = number(bytes[148..<156]) else { return false }
        var unsigned: Int64 = 0
        var signed: Int64 = 0
        for (offset, byte) in bytes.enumerated() {
            let byte = (148..<156).contains(offset) ? UInt8(ascii: " ") : byte
            unsigned += Int64(byte)
            signed += Int64(Int8(bitPattern: byte))
        }
        return expected == unsigned || expected == signed
    }

    /// A number in octal digits, or in base 256 if the first bit is set; nil if it is damaged or too large.
    static func number(_ field: ArraySlice<UInt8>) -> Int64? {
        guard let first = field.first else { return nil }
        if first & 0x80 != 0 { return binaryNumber(field) }
        var value: Int64 = 0
        var hasEnded = false
        for byte in field.drop(while: { $0 == 0x20 }) {
            switch byte {
            case 0x30...0x37:
                guard !hasEnded, value < 1 << 59 else { return nil }
                value = value << 3 | Int64(byte - 0x30)
            case 0x20, 0: hasEnded = true
            default: return nil
            }
        }
        return value
    }

    /// A number in base 256, in two's complement. The first bit is the marker; the second is the sign.
    private static func binaryNumber(_ field: ArraySlice<UInt8>) -> Int64? {
        let isNegative = (field.first ?? 0) & 0x40 != 0
        var value: Int64 = isNegative ? -1 : 0
        for (position, byte) in field.enumerated() {
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 256)
            if overflow { return nil }
            value = shifted + Int64(position == 0 && !isNegative ? byte & 0x7F : byte)
        }
        return value
    }
}

/// The records of a pax extended header for the next member; nil for records that are absent.
struct PaxRecords {
    var path: [UInt8]?
    var size: Int64?
    var modified: FileTime?
    /// Whether GNU tar omitted the holes of a sparse file.
    var isSparse = false

    /// Adds the records of a header, each of the form `LENGTH KEY=VALUE\n`; returns false if they are damaged.
    mutating func add(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let space = rest.firstIndex(of: 0x20), space - rest.startIndex <= 10,
                let length = Self.number(rest[rest.startIndex..<space]), length <= rest.count,
                length > space - rest.startIndex + 1
            else { return false }
            let record = rest[(space + 1)..<(rest.startIndex + length)]
            guard record.last == 0x0A, let equals = record.firstIndex(of: UInt8(ascii: "=")) else {
                return false
            }
            let key = String(decoding: record[..<equals], as: UTF8.self)
            guard set(key, Array(record[(equals + 1)...].dropLast())) else { return false }
            rest = rest[(rest.startIndex + length)...]
        }
        return true
    }

    private mutating func set(_ key: String, _ value: [UInt8]) -> Bool {
        switch key {
        case "path": path = value.isEmpty ? nil : value
        case "size":
            if value.isEmpty { size = nil; return true }
            guard let number = Int64(String(decoding: value, as: UTF8.self)), number >= 0 else {
                return false
            }
            size = number
        case "mtime":
            if value.isEmpty { modified = nil; return true }
            guard let time = Self.time(value) else { return false }
            modified = time
        default: if key.hasPrefix("GNU.sparse.") { isSparse = true }
        }
        return true
    }

    /// Seconds since 1970 with a decimal fraction of any length.
    private static func time(_ value: [UInt8]) -> FileTime? {
        let isNegative = value.first == UInt8(ascii: "-")
        let digits = value.dropFirst(isNegative ? 1 : 0)
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = UInt64(String(decoding: parts[0], as: UTF8.self))
        else { return nil }
        var nanoseconds: Int32 = 0
        if parts.count == 2 {
            guard parts[1].allSatisfy({ (48...57).contains($0) }) else { return nil }
            for position in 0..<9 {
                let digit = position < parts[1].count ? parts[1][parts[1].startIndex + position] - 48 : 0
                nanoseconds = nanoseconds * 10 + Int32(digit)  // bounded: nine digits
            }
        }
        // Int128, since the magnitude of Int64.min is not an Int64.
        let isBroken = isNegative && nanoseconds > 0
        let seconds = (isNegative ? -Int128(whole) : Int128(whole)) - (isBroken ? 1 : 0)
        return Int64(exactly: seconds).map {
            FileTime(seconds: $0, nanoseconds: isBroken ? 1_000_000_000 - nanoseconds : nanoseconds)
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        guard !digits.isEmpty, digits.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }
}
