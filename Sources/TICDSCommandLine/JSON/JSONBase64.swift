import KeyedArchive

extension OutputBuffer {
    /// Appends bytes in base 64 (with padding) between quotation marks.
    mutating func appendQuotedBase64(_ bytes: [UInt8]) {
        append(byte: 0x22)
        bytes.withUnsafeBufferPointer { source in
            var start = 0
            while start < source.count {
                let end = min(start + 12_288, source.count)
                appendBase64(UnsafeBufferPointer(rebasing: source[start..<end]))
                start = end
            }
        }
        append(byte: 0x22)
    }

    /// Appends a block of at most 12,288 bytes; only the last block of a value may have a length that is not a
    /// multiple of 3.
    private mutating func appendBase64(_ block: UnsafeBufferPointer<UInt8>) {
        fill(Base64.digitCount(ofBytes: block.count)) { Base64.write(block, to: $0) }
    }
}
