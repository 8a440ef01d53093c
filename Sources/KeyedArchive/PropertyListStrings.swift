extension BinaryPropertyList {
    /// The text of an ASCII string object.
    func ascii(_ range: Range<Int>) throws(PropertyListError) -> String {
        let text: String? = bytes.withUnsafeBytes { memory in
            let part = UnsafeRawBufferPointer(rebasing: memory[range])
            return isASCII(part) ? String(decoding: part, as: UTF8.self) : nil
        }
        guard let text else {
            throw failure(at: range.lowerBound, "an ASCII string", "bytes above 127")
        }
        return text
    }

    /// The text of a UTF-16 string object, or nil where a surrogate has lost its partner.
    func utf16(_ range: Range<Int>) -> String? {
        bytes.withUnsafeBytes { memory in
            var utf8: [UInt8] = []
            utf8.reserveCapacity(range.count / 2 * 3)
            var place = range.lowerBound
            func next() -> UInt32? {
                guard place < range.upperBound else { return nil }
                defer { place += 2 }
                return UInt32(memory[place]) << 8 | UInt32(memory[place + 1])
            }
            while let unit = next() {
                var code = unit
                if unit & 0xFC00 == 0xD800 {
                    guard let second = next(), second & 0xFC00 == 0xDC00 else { return nil }
                    code = 0x10000 + ((unit & 0x3FF) << 10 | second & 0x3FF)
                }
                guard let scalar = UnicodeScalar(code) else { return nil }
                utf8.append(contentsOf: scalar.utf8)
            }
            return String(decoding: utf8, as: UTF8.self)
        }
    }

    /// The text of the object `index`; nil when it is no string.
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

    /// True where the object `index` is the ASCII string `name`. Makes no string.
    @inline(__always)
    func isString(_ index: Int, _ name: StaticString) throws(PropertyListError) -> Bool {
        let start = try offset(of: index)
        let count = name.utf8CodeUnitCount
        let marker = bytes.bigEndian(at: start, width: 1)
        guard marker == 0x50 | UInt64(min(count, 15)) else { return false }
        guard count < 15 else { return try isLongString(index, name) }
        guard start + 1 + count <= offsetTable else { return false }
        return matches(start + 1..<start + 1 + count, name)
    }

    private func isLongString(_ index: Int, _ name: StaticString) throws(PropertyListError) -> Bool {
        guard case .ascii(let range) = try node(index), range.count == name.utf8CodeUnitCount else { return false }
        return matches(range, name)
    }

    @inline(__always)
    private func matches(_ range: Range<Int>, _ name: StaticString) -> Bool {
        bytes.withUnsafeBytes { memory in
            let wanted = UnsafeRawBufferPointer(start: name.utf8Start, count: range.count)
            return UnsafeRawBufferPointer(rebasing: memory[range]).elementsEqual(wanted)
        }
    }
}

/// True where no byte has its high bit set.
private func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 8 <= bytes.count {
        if bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
        place += 8
    }
    while place < bytes.count {
        if bytes[place] >= 0x80 { return false }
        place += 1
    }
    return true
}
