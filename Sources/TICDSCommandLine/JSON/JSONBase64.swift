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
        fill((block.count + 2) / 3 * 4) { room in
            base64Alphabet.withUTF8Buffer { alphabet in
                var written = 0
                for index in stride(from: 0, to: block.count, by: 3) {
                    let second = index + 1 < block.count ? block[index + 1] : 0
                    let third = index + 2 < block.count ? block[index + 2] : 0
                    room[written] = alphabet[Int(block[index] >> 2)]
                    room[written + 1] = alphabet[Int(block[index] & 3) << 4 | Int(second >> 4)]
                    room[written + 2] = alphabet[Int(second & 15) << 2 | Int(third >> 6)]
                    room[written + 3] = alphabet[Int(third & 63)]
                    written += 4
                }
                if block.count % 3 > 0 { room[written - 1] = 0x3D }
                if block.count % 3 == 1 { room[written - 2] = 0x3D }
                return written
            }
        }
    }
}

private let base64Alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
