import CZlib

/// Writes zip archives with uncompressed entries, for tests.
package enum StoredZip {
    /// A zip archive of entries with name and content.
    package static func bytes(_ entries: [(name: String, content: [UInt8])]) -> [UInt8] {
        var body: [UInt8] = []
        var directory: [UInt8] = []
        for entry in entries {
            let offset = body.count
            let fields = common(entry)
            body += word(0x0403_4B50) + fields + Array(entry.name.utf8) + entry.content
            directory +=
                word(0x0201_4B50) + half(20) + fields + half(0) + half(0) + half(0) + word(0) + word(offset)
                + Array(entry.name.utf8)
        }
        let end =
            word(0x0605_4B50) + half(0) + half(0) + half(entries.count) + half(entries.count)
            + word(directory.count) + word(body.count) + half(0)
        return body + directory + end
    }

    /// The fields that the local header and the directory have in common: from the version to the extra length.
    private static func common(_ entry: (name: String, content: [UInt8])) -> [UInt8] {
        half(20) + half(0) + half(0) + half(0) + half(0) + word(Int(checksum(entry.content)))
            + word(entry.content.count) + word(entry.content.count) + half(entry.name.utf8.count) + half(0)
    }

    private static func half(_ number: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    }
    private static func word(_ number: Int) -> [UInt8] { half(number) + half(number >> 16) }

    private static func checksum(_ bytes: [UInt8]) -> UInt { crc32(0, bytes, uInt(bytes.count)) }
}
