import CArchive
public import SystemCalls
public import SystemPackage
import KeyedArchive
import TICDSCore

/// Writes a zip as the framework's zip library does: one deflated entry, sizes in front of it, no date, no extra
/// fields, no comment (ticds-remote-format(5), 1.6).
public enum FrameworkZip {
    /// Makes the zip `target` with `source` as its only entry.
    /// - Parameter name: of the entry; a client downloads it only where that is the document's identifier (4.7).
    /// - Throws: `.unsupported` above 4 GiB, which such a zip cannot hold.
    public static func write(_ source: FilePath, named name: [UInt8], to target: FilePath) throws(FileProblem)
    {
        let size = try FileStatus.of(source).size
        guard size < 0xFFFF_FFFF, name.count <= 0xFFFF else {
            throw FileProblem(
                .unsupported, path: source, "too large for a zip of the framework",
                expected: "less than 4 GiB",
                found: "\(size) bytes", advice: "Install it without --variant dropbox")
        }
        let folder = try TemporaryFolder(prefix: "ticds-zip")
        let packed = folder.path.appending("packed")
        try Deflater.gzip(source, to: packed)
        let length = try FileStatus.of(packed).size
        let file = try OpenFile.file(packed)
        let head = try file.bytes(in: 0..<10).array
        let tail = try file.bytes(in: Int(length) - 8..<Int(length)).array
        // RFC 1952: no optional fields, then the deflated data, then CRC-32 and size.
        guard length < 0xFFFF_FFFF, head.count == 10, head[3] == 0, tail.count == 8 else {
            throw FileProblem(.unsupported, path: source, "cannot be put into a zip of the framework")
        }
        let entry = Entry(
            // bounded: below 4 GiB, as said above
            checksum: Array(tail[..<4]), packed: UInt32(length) - 18, size: UInt32(size), name: name)
        try PrivateFile.write(target) { (output) throws(FileProblem) in
            try write(entry.local, output)
            var offset = 10
            let end = Int(length) - 8
            while offset < end {
                let piece = try file.bytes(in: offset..<min(offset + (1 << 20), end))
                offset += piece.count
                try piece.withUnsafeBytes { (bytes) throws(FileProblem) in try output.write(bytes) }
            }
            try write(entry.directory, output)
        }
    }

    private static func write(_ bytes: [UInt8], _ output: PrivateFile) throws(FileProblem) {
        try SharedBytes(bytes).withUnsafeBytes { (buffer) throws(FileProblem) in try output.write(buffer) }
    }

    private struct Entry {
        var checksum: [UInt8]
        var packed: UInt32
        var size: UInt32
        var name: [UInt8]

        /// From the needed version to the length of the extra field: version 2.0, no flags, deflate, no date.
        private var common: [UInt8] {
            [20, 0, 0, 0, 8, 0, 0, 0, 0, 0] + checksum + word(packed) + word(size) + half(name.count) + [
                0, 0,
            ]
        }

        var local: [UInt8] { word(0x0403_4B50) + common + name }

        /// The directory and its end.
        var directory: [UInt8] {
            let record = word(0x0201_4B50) + [0, 0] + common + [UInt8](repeating: 0, count: 14) + name
            let start = UInt32(local.count) + packed  // bounded: below 4 GiB in all
            return record + word(0x0605_4B50) + [0, 0, 0, 0, 1, 0, 1, 0]
                + word(UInt32(clamping: record.count))
                + word(start) + [0, 0]
        }

        private func half(_ number: Int) -> [UInt8] {
            [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
        }
        private func word(_ number: UInt32) -> [UInt8] {
            half(Int(number & 0xFFFF)) + half(Int(number >> 16))
        }
    }
}
