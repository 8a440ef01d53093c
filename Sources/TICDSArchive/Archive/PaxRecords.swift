import SystemCalls

/// The records of a pax extended header for the next member; nil for records that are absent.
struct PaxRecords {
    var path: [UInt8]?
    var size: Int64?
    var modified: FileTime?
    /// Whether GNU tar left the holes of a sparse file out.
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
