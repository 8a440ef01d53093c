import Base

extension BinaryPropertyList {
    /// The text of an ASCII string.
    func ascii(_ range: Range<Int>) throws(PropertyListError) -> String {
        try checkASCII(range)
        return bytes.withUnsafeBytes { memory in
            String(decoding: UnsafeRawBufferPointer(rebasing: memory[range]), as: UTF8.self)
        }
    }

    /// Checks that an ASCII string has no byte above 127.
    func checkASCII(_ range: Range<Int>) throws(PropertyListError) {
        let isSound = bytes.withUnsafeBytes { memory in
            isASCII(UnsafeRawBufferPointer(rebasing: memory[range]))
        }
        guard isSound else { throw failure(at: range.lowerBound, "an ASCII string", "bytes above 127") }
    }

    /// Whether a UTF-16 string has no unpaired surrogate.
    func isUTF16(_ range: Range<Int>) -> Bool {
        bytes.withUnsafeBytes { memory in
            var units = UTF16Units(memory: memory, range: range)
            while let unit = units.next() {
                if units.scalar(from: unit) == nil { return false }
            }
            return true
        }
    }

    /// The text of a UTF-16 string; nil if it has an unpaired surrogate.
    func utf16(_ range: Range<Int>) -> String? {
        bytes.withUnsafeBytes { memory in
            var isSound = true
            // A code unit becomes at most three bytes of UTF-8.
            let text = String(unsafeUninitializedCapacity: range.count / 2 * 3) { buffer in
                var count = 0
                var units = UTF16Units(memory: memory, range: range)
                while let unit = units.next() {
                    if unit < 0x80 {
                        buffer[count] = UInt8(truncatingIfNeeded: unit)
                        count += 1
                        continue
                    }
                    guard let scalar = units.scalar(from: unit) else {
                        isSound = false
                        break
                    }
                    for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                        buffer[count] = byte
                        count += 1
                    }
                }
                return count
            }
            return isSound ? text : nil
        }
    }

    /// The text of the object `index`; nil if it is not a string.
    public func string(_ index: Int) throws(PropertyListError) -> String? {
        switch try node(index) {
        case .ascii(let range): return try ascii(range)
        case .utf16(let range):
            guard let text = utf16(range) else {
                throw failure(at: range.lowerBound, "UTF-16 text", "half of a surrogate pair")
            }
            return text
        default: return nil
        }
    }

    /// Whether the object `index` is the ASCII string `name`. Allocates nothing.
    @inline(__always)
    func isString(_ index: Int, _ name: StaticString) throws(PropertyListError) -> Bool {
        let start = try offset(of: index)
        let count = name.utf8CodeUnitCount
        let marker = marker(at: start)
        if marker == 0x5F { return try isLongString(index, name) }
        guard count < 15, marker == 0x50 | UInt8(truncatingIfNeeded: count) else { return false }
        guard start + 1 + count <= offsetTable else { return false }
        return matches(start + 1..<start + 1 + count, name)
    }

    private func isLongString(_ index: Int, _ name: StaticString) throws(PropertyListError) -> Bool {
        guard case .ascii(let range) = try node(index), range.count == name.utf8CodeUnitCount else {
            return false
        }
        return matches(range, name)
    }

    @inline(__always)
    private func matches(_ range: Range<Int>, _ name: StaticString) -> Bool {
        bytes.withUnsafeBytes { memory in
            for place in 0..<range.count where memory[range.lowerBound + place] != name.utf8Start[place] {
                return false
            }
            return true
        }
    }
}

/// The code units of a UTF-16 string.
private struct UTF16Units {
    let memory: UnsafeRawBufferPointer
    var range: Range<Int>

    mutating func next() -> UInt32? {
        guard range.count >= 2 else { return nil }
        // bounded: bytes
        let unit = UInt32(memory[range.lowerBound]) << 8 | UInt32(memory[range.lowerBound + 1])
        range = range.lowerBound + 2..<range.upperBound
        return unit
    }

    /// The scalar that begins with `unit`; consumes the low surrogate of a pair. Nil for an unpaired surrogate.
    mutating func scalar(from unit: UInt32) -> UnicodeScalar? {
        guard unit & 0xFC00 == 0xD800 else { return UnicodeScalar(unit) }
        guard let second = next(), second & 0xFC00 == 0xDC00 else { return nil }
        return UnicodeScalar(0x10000 + ((unit & 0x3FF) << 10 | second & 0x3FF))
    }
}

/// Whether no byte has its high bit set.
private func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 8 <= bytes.count {
        if bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 {
            return false
        }
        place += 8
    }
    while place < bytes.count {
        if bytes[place] >= 0x80 { return false }
        place += 1
    }
    return true
}
