import CZlib
public import SystemCalls
public import SystemPackage

/// Writes a zip as the framework's zip library does: one deflated entry, its sizes before it, no date, no extra fields,
/// no comment (ticds-remote-format(5), 1.6).
public enum FrameworkZip {
    private static let pieceSize = 1 << 20

    /// Makes the zip `target` with `source` as its only entry.
    /// - Parameter name: the name of the entry; a client downloads the zip only if that is the document's identifier
    ///   (1.7).
    /// - Throws: `.unsupported` above 4 GiB, which such a zip cannot contain.
    public static func write(_ source: FilePath, named name: [UInt8], to target: FilePath) throws(FileProblem)
    {
        let size = try FileStatus.of(source).size
        guard size < 0xFFFF_FFFF, name.count <= 0xFFFF else {
            throw FileProblem(
                .unsupported, path: source, "too large for a zip of the framework",
                expected: "less than 4 GiB",
                found: "\(size) bytes", advice: "Install it without --form zip")
        }
        let file = try OwnedDescriptor.file(source)
        try PrivateFile.write(target) { (output) throws(FileProblem) in
            var entry = Entry(name: name)
            try entry.local.span.withUnsafeBytes(output.write)
            // zlib requires that this value is not moved.
            var stream = z_stream()
            try withUnsafeMutablePointer(to: &stream) { (stream) throws(FileProblem) in
                entry.checksum = try deflate(file, stream, to: output)
            }
            guard stream.total_in < 0xFFFF_FFFF, stream.total_out < 0xFFFF_FFFF - uLong(entry.local.count)
            else {
                throw FileProblem(
                    .unsupported, path: source, "cannot be put into a zip of the framework",
                    advice: "Install it with --form file")
            }
            entry.size = UInt32(clamping: stream.total_in)
            entry.packed = UInt32(clamping: stream.total_out)
            try entry.directory.span.withUnsafeBytes(output.write)
            try entry.local.span.withUnsafeBytes(output.overwriteBeginning)
        }
    }

    /// Writes the deflated bytes of `file`; returns the CRC-32 of its content.
    private static func deflate(
        _ file: borrowing OwnedDescriptor, _ stream: UnsafeMutablePointer<z_stream>, to output: PrivateFile
    ) throws(FileProblem) -> UInt32 {
        guard ticds_deflate_start(stream) == Z_OK else {
            throw .noMemory(path: file.path)
        }
        defer { deflateEnd(stream) }
        let bytes = try PrivateBytes(count: pieceSize, path: file.path)
        let packed = try PrivateBytes(count: pieceSize, path: file.path)
        let input = bytes.memory.bindMemory(to: UInt8.self)
        let room = packed.memory.bindMemory(to: UInt8.self)
        var checksum: uLong = 0
        var offset = 0
        var count: Int
        // ends: with the file, which is private
        repeat {
            count = try file.read(into: bytes.memory, at: offset)
            offset += count
            checksum = crc32(checksum, input.baseAddress, uInt(clamping: count))
            stream.pointee.next_in = UnsafePointer(input.baseAddress)
            stream.pointee.avail_in = uInt(clamping: count)
            // ends: when the output does not fill the room
            repeat {
                stream.pointee.next_out = room.baseAddress
                stream.pointee.avail_out = uInt(clamping: pieceSize)
                CZlib.deflate(stream, count < pieceSize ? Z_FINISH : Z_NO_FLUSH)
                let made = pieceSize - Int(stream.pointee.avail_out)
                try output.write(
                    UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(packed.memory)[..<made]))
            } while stream.pointee.avail_out == 0
        } while count == pieceSize
        return UInt32(truncatingIfNeeded: checksum)
    }

    private struct Entry {
        let name: [UInt8]
        var checksum: UInt32 = 0
        var packed: UInt32 = 0
        var size: UInt32 = 0

        /// The header from the needed version to the length of the extra field: version 2.0, no flags, deflate, no
        /// date.
        private var common: [UInt8] {
            [20, 0, 0, 0, 8, 0, 0, 0, 0, 0] + word(checksum) + word(packed) + word(size) + half(name.count)
                + [0, 0]
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
