/// Numbers: in JSON's own form if every reader keeps them exact, otherwise as text under a key that shows it.
extension JSONWriter {
    /// Writes an integer; outside 53 bits as `{"$int": text}`.
    package mutating func value(_ number: Int) { value(Int128(number)) }
    /// Writes an integer; outside 53 bits as `{"$int": text}`.
    package mutating func value(_ number: Int64) { value(Int128(number)) }
    /// Writes an integer; outside 53 bits as `{"$int": text}`.
    package mutating func value(_ number: UInt64) { value(Int128(number)) }

    /// Writes an integer; outside 53 bits as `{"$int": text}`.
    package mutating func value(_ number: Int128) {
        let exact: Int128 = 9_007_199_254_740_991
        guard number >= -exact, number <= exact else { return tagged("$int", text: String(number)) }
        appendValue { $0.append(decimal: Int64(truncatingIfNeeded: number)) }
    }

    /// Writes a real number, as the shortest text that reads back as the same; if not finite, as `{"$real": text}`.
    package mutating func value(_ number: Double) {
        guard number.isFinite else { return tagged("$real", text: Self.name(ofNonFinite: number)) }
        raw(number.description)
    }

    /// The name of a number that is not finite: `NaN`, `Infinity` or `-Infinity`.
    package static func name(ofNonFinite number: Double) -> String {
        if number.isNaN { return "NaN" }
        return number > 0 ? "Infinity" : "-Infinity"
    }

    /// Writes `{tag: text}`.
    package mutating func tagged(_ tag: String, text: String) {
        beginObject()
        key(tag)
        value(text)
        endObject()
    }
}

extension OutputBuffer {
    /// Appends an integer in decimal digits.
    package mutating func append(decimal number: Int64) {
        if number < 0 { append(byte: 0x2D) }
        append(digits: number.magnitude, width: 1)
    }

    /// Appends decimal digits, with leading zeros up to `width`.
    mutating func append(digits number: UInt64, width: Int) {
        fill(20) { room in
            var length = width
            var limit: UInt64 = 1
            for _ in 0..<width { limit *= 10 }
            while length < 20, number >= limit {
                length += 1
                let (next, overflow) = limit.multipliedReportingOverflow(by: 10)
                if overflow { break }
                limit = next
            }
            var rest = number
            for position in stride(from: length - 1, through: 0, by: -1) {
                room[position] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            }
            return length
        }
    }
}

extension OutputBuffer {
    /// Appends bytes in base64 (with padding) between quotation marks.
    package mutating func appendQuotedBase64(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { appendQuotedBase64($0) }
    }

    /// Appends bytes in base64 (with padding) between quotation marks.
    package mutating func appendQuotedBase64(_ source: UnsafeBufferPointer<UInt8>) {
        append(byte: 0x22)
        var start = 0
        while start < source.count {
            let end = min(start + 12_288, source.count)
            appendBase64(UnsafeBufferPointer(rebasing: source[start..<end]))
            start = end
        }
        append(byte: 0x22)
    }

    /// Appends a block of at most 12,288 bytes; only the last block of a value may have a length that is not a
    /// multiple of 3.
    private mutating func appendBase64(_ block: UnsafeBufferPointer<UInt8>) {
        fill(Base64.digitCount(ofBytes: block.count)) { Base64.write(block, to: $0) }
    }
}
