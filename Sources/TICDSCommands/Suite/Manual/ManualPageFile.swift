import Base
import CoreDataStore
import SystemCalls
import SystemPackage

/// A file with a page of the manual, compressed with gzip (RFC 1952) or not.
enum ManualPageFile {
    /// The page.
    /// - Throws: `.limit` above ``ReadLimit/manualPage``, `.damaged` for a compressed page that is damaged.
    static func content(of path: FilePath) throws(FileProblem) -> [UInt8] {
        let bytes = try FileBytes.read(path, limit: .manualPage)
        guard bytes.starts(with: [0x1F, 0x8B, 8]) else { return bytes.array }
        guard let start = headerSize(bytes), let data = bytes.slice(start..<bytes.count) else {
            throw FileProblem(.damaged, path: path, "the header of the compressed page is damaged")
        }
        return try RawDeflate.inflate(data, limit: ReadLimit.manualPage.bytes, path: path).array
    }

    /// The beginning of the compressed data; nil if the header is truncated.
    private static func headerSize(_ bytes: SharedBytes) -> Int? {
        guard let flags = bytes.byte(at: 3) else { return nil }
        var offset = 10
        if flags & 4 != 0 {
            guard let low = bytes.byte(at: offset), let high = bytes.byte(at: offset + 1) else { return nil }
            // bounded: two bytes
            offset += 2 + Int(low) + Int(high) << 8
        }
        // The name of the file, and a comment, each with a zero after it.
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            while let byte = bytes.byte(at: offset), byte != 0 { offset += 1 }
            offset += 1
        }
        if flags & 2 != 0 { offset += 2 }
        return offset < bytes.count ? offset : nil
    }
}
