import KeyedArchive

/// Strings between quotation marks, as JSON wants them and terminals bear them.
extension OutputBuffer {
    /// Appends `text` in quotation marks.
    mutating func appendQuoted(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            append(byte: 0x22)
            appendEscaped(bytes)
            append(byte: 0x22)
        }
    }

    /// Appends well-formed UTF-8 with quotation mark, backslash and controls escaped. Also escaped, though
    /// JSON lets them pass: DEL, the C1 controls, line separators and what changes the direction of text,
    /// so that a line shown on a terminal does no harm.
    private mutating func appendEscaped(_ bytes: UnsafeBufferPointer<UInt8>) {
        var clean = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if isPlain(byte) {
                index += 1
                continue
            }
            let length = byte < 0x80 ? 1 : harmfulLength(bytes, at: index)
            if length == 0 {
                index += 1
                continue
            }
            append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[clean..<index]))
            appendEscape(bytes, at: index, length: length)
            index += length
            clean = index
        }
        append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[clean...]))
    }

    @inline(__always)
    private func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != 0x22 && byte != 0x5C
    }

    /// How many bytes the harmful character at `index` takes, or 0 for one that may stand.
    private func harmfulLength(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        func next(_ distance: Int) -> UInt8 { index + distance < bytes.count ? bytes[index + distance] : 0 }
        switch (bytes[index], next(1), next(2)) {
        case (0xC2, 0x80...0x9F, _), (0xD8, 0x9C, _): return 2
        case (0xE2, 0x80, 0x8E...0x8F), (0xE2, 0x80, 0xA8...0xAE), (0xE2, 0x81, 0xA6...0xA9): return 3
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
            default:
                UInt32(bytes[index] & 0x0F) << 12 | UInt32(bytes[index + 1] & 0x3F) << 6
                    | UInt32(bytes[index + 2] & 0x3F)
            }
        append(byte: 0x75)
        for shift in [12, 8, 4, 0] as [UInt32] { append(byte: hexadecimalDigit(UInt8(code >> shift & 0xF))) }
    }
}
