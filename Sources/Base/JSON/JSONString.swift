/// JSON string literals that are safe to print on a terminal.
extension OutputBuffer {
    /// Appends `text` in quotation marks.
    package mutating func appendQuoted(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            append(byte: 0x22)
            appendEscaped(bytes)
            append(byte: 0x22)
        }
    }

    /// Appends the text of ASCII bytes, escaped as in a string; returns false at a byte above 127.
    package mutating func appendEscaped(ascii bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        while index < bytes.count {
            index += appendPlain(UnsafeRawBufferPointer(rebasing: bytes[index...]))
            guard index < bytes.count else { break }
            guard bytes[index] < 0x80 else { return false }
            appendEscape(bytes.bindMemory(to: UInt8.self), at: index, length: 1)
            index += 1
        }
        return true
    }

    /// Appends the text of big-endian UTF-16, escaped as in a string; returns false at half of a surrogate pair.
    package mutating func appendEscaped(utf16 bytes: UnsafeRawBufferPointer) -> Bool {
        /// The buffer for a scalar, which takes at most four bytes in either form.
        let scalar = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 4)
        defer { scalar.deallocate() }
        var index = 0
        while index + 2 <= bytes.count {
            let unit = bytes.loadUnaligned(fromByteOffset: index, as: UInt16.self).bigEndian
            index += 2
            if unit < 0x80, isPlain(UInt8(truncatingIfNeeded: unit)) {
                append(byte: UInt8(truncatingIfNeeded: unit))
                continue
            }
            var code = UnicodeScalar(unit)
            if code == nil, unit < 0xDC00, index + 2 <= bytes.count {
                let second = bytes.loadUnaligned(fromByteOffset: index, as: UInt16.self).bigEndian
                index += 2
                guard second & 0xFC00 == 0xDC00 else { return false }
                code = UnicodeScalar(0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(second & 0x3FF)))
            }
            guard let code, let encoded = UTF8.encode(code) else { return false }
            appendEscaped(UnsafeBufferPointer(rebasing: scalar[..<scalar.update(fromContentsOf: encoded)]))
        }
        return true
    }

    /// Appends well-formed UTF-8 with quotation mark, backslash and controls escaped. Characters that JSON permits are
    /// also escaped: DEL, the C1 controls, and what ``escapedText(_:)`` escapes, such as line separators, invisible
    /// characters and characters that change the direction of text, so that a line shown on a terminal is harmless.
    private mutating func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < bytes.count {
            index += appendPlain(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[index...]))
            guard index < bytes.count else { return }
            let length = bytes[index] < 0x80 ? 1 : harmfulLength(bytes, at: index)
            if length == 0 {
                append(byte: bytes[index])
                index += 1
            } else {
                appendEscape(bytes, at: index, length: length)
                index += length
            }
        }
    }

    /// Appends ASCII characters up to the first one that is escaped, or is not ASCII, and returns their number.
    mutating func appendPlain(_ source: UnsafeRawBufferPointer) -> Int {
        var done = 0
        while source.count - done >= 8 {
            let room = min(source.count - done, Self.blockSize)
            var isEnd = false
            fill(room) { target in
                let target = UnsafeMutableRawPointer(target)
                var place = 0
                while place + 8 <= room {
                    let word = source.loadUnaligned(fromByteOffset: done + place, as: UInt64.self)
                    guard Self.isPlain(word) else {
                        isEnd = true
                        break
                    }
                    target.storeBytes(of: word, toByteOffset: place, as: UInt64.self)
                    place += 8
                }
                // The last word overlaps the one before it.
                let last = source.loadUnaligned(fromByteOffset: done + room - 8, as: UInt64.self)
                if !isEnd, place < room, Self.isPlain(last) {
                    target.storeBytes(of: last, toByteOffset: room - 8, as: UInt64.self)
                    place = room
                }
                done += place
                return place
            }
            if isEnd { break }
        }
        while done < source.count, isPlain(source[done]) {
            append(byte: source[done])
            done += 1
        }
        return done
    }

    /// Whether each of eight bytes is plain. A borrow can only take a plain byte above another one that is not.
    @inline(__always)
    private static func isPlain(_ word: UInt64) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let (quotes, backslashes) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
        let found = word | (word &- ones &* 0x20) | (word &+ ones) | (quotes &- ones) | (backslashes &- ones)
        return found & ones &* 0x80 == 0
    }

    @inline(__always)
    private func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x5C
    }

    /// The number of bytes of the harmful character at `index`; 0 for a harmless one, and for U+FE0F, which stands in
    /// emoji.
    private func harmfulLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        func next(_ distance: Int) -> UInt8 { index + distance < bytes.count ? bytes[index + distance] : 0 }
        switch (bytes[index], next(1), next(2)) {
        case (0xC2, 0x80...0x9F, _), (0xC2, 0xAD, _), (0xCD, 0x8F, _), (0xD8, 0x9C, _): return 2
        case (0xE2, 0x80, 0x8B...0x8F), (0xE2, 0x80, 0xA8...0xAE), (0xE2, 0x81, 0xA0...0xAF),
            (0xE1, 0x85, 0x9F...0xA0), (0xE1, 0x9E, 0xB4...0xB5), (0xE1, 0xA0, 0x8B...0x8F),
            (0xE3, 0x85, 0xA4), (0xEF, 0xB7, 0x90...0xAF), (0xEF, 0xB8, 0x80...0x8E), (0xEF, 0xBB, 0xBF),
            (0xEF, 0xBE, 0xA0), (0xEF, 0xBF, 0xB0...0xBB), (0xEF, 0xBF, 0xBE...0xBF):
            return 3
        case (0xF0, 0x9B, 0xB2) where (0xA0...0xA3).contains(next(3)),
            (0xF0, 0x9D, 0x85) where (0xB3...0xBA).contains(next(3)), (0xF3, 0xA0, _):
            return 4
        // The last two numbers of each plane.
        case (0xF0...0xF4, let second, 0xBF) where second & 0x0F == 0x0F && next(3) >= 0xBE: return 4
        default: return 0
        }
    }

    private mutating func appendEscape(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, length: Int) {
        append(byte: 0x5C)
        switch bytes[index] {
        case 0x22, 0x5C: append(byte: bytes[index])
        case 0x08: append(byte: 0x62)
        case 0x09: append(byte: 0x74)
        case 0x0A: append(byte: 0x6E)
        case 0x0C: append(byte: 0x66)
        case 0x0D: append(byte: 0x72)
        default: appendCodePoint(bytes, at: index, length: length)
        }
    }

    private mutating func appendCodePoint(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int, length: Int) {
        let code: UInt32 =
            switch length {
            case 1: UInt32(bytes[index])  // bounded: a byte
            case 2: UInt32(bytes[index] & 0x1F) << 6 | UInt32(bytes[index + 1] & 0x3F)
            case 3:
                UInt32(bytes[index] & 0x0F) << 12 | UInt32(bytes[index + 1] & 0x3F) << 6
                    | UInt32(bytes[index + 2] & 0x3F)
            default:
                UInt32(bytes[index] & 0x07) << 18 | UInt32(bytes[index + 1] & 0x3F) << 12
                    | UInt32(bytes[index + 2] & 0x3F) << 6 | UInt32(bytes[index + 3] & 0x3F)
            }
        guard code > 0xFFFF else { return appendUnit(code) }
        appendUnit(0xD800 + ((code - 0x10000) >> 10))  // bounded: 21 bits
        append(byte: 0x5C)
        appendUnit(0xDC00 + (code & 0x3FF))  // bounded: 10 bits
    }

    /// Appends the escape of a code unit of UTF-16, without its backslash.
    private mutating func appendUnit(_ code: UInt32) {
        append(byte: 0x75)
        for shift in [12, 8, 4, 0] as [UInt32] { append(byte: hexadecimalDigit(UInt8(code >> shift & 0xF))) }
    }
}
