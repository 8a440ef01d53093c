import Crypto
public import KeyedArchive
public import SystemCalls
public import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension EncryptedFile {
    /// Decrypts a file that is in memory. Nothing is handed out before the whole file has been authenticated.
    /// - Parameter path: the file, for errors.
    /// - Throws: `.damaged` for a size that no encrypted file has, and for bad padding below a good HMAC;
    ///   `.wrongPassword` for an HMAC that does not fit, which a wrong password and a damaged file both cause.
    public static func decrypt(
        _ bytes: SharedBytes, with key: SyncKey, path: FilePath, form: HMACForm = .since2011June
    ) throws(FileProblem) -> SharedBytes {
        let body = try bodyRange(ofSize: bytes.count, path: path)
        let plain = UnsafeMutableRawBufferPointer.allocate(byteCount: body.count, alignment: 16)
        let owner = SharedBytes(adopting: UnsafeRawBufferPointer(plain)) { $0.deallocate() }
        var count = 0
        try decrypt(bytes, with: key, path: path, form: form) { (piece: UnsafeRawBufferPointer) in
            UnsafeMutableRawBufferPointer(rebasing: plain[count...]).copyMemory(from: piece)
            count += piece.count
        }
        return owner.slice(0..<count) ?? owner
    }

    /// Decrypts a file that is in memory in pieces of at most 64 KiB, once the whole of it has been authenticated.
    static func decrypt(
        _ bytes: SharedBytes, with key: SyncKey, path: FilePath, form: HMACForm,
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let body = try bodyRange(ofSize: bytes.count, path: path)
        try bytes.withUnsafeBytes { (buffer) throws(FileProblem) in
            var hmac = HMAC<SHA256>(key: key.symmetricKey)
            hmac.update(data: UnsafeRawBufferPointer(rebasing: buffer[form.skipped..<body.upperBound]))
            guard hmac.finalize() == UnsafeRawBufferPointer(rebasing: buffer[body.upperBound...]) else {
                throw mismatch(path)
            }
            var reader = try BodyReader(
                header: UnsafeRawBufferPointer(rebasing: buffer[..<headerSize]), key: key, body: body,
                path: path)
            while let range = reader.nextRange {
                try reader.take(UnsafeRawBufferPointer(rebasing: buffer[range]), sink)
            }
        }
    }

    /// Decrypts a file of any size in pieces of at most 64 KiB; memory does not grow with the file beyond `budget`.
    ///
    /// The whole file is authenticated before the first piece is handed out. One that is no larger than `budget`
    /// is read once. A larger one is read twice, and authenticated again in the second reading.
    /// - Parameters:
    ///   - file: where to read.
    ///   - budget: bytes that may be kept in memory.
    ///   - sink: takes the pieces of plain text in order. What it took must be thrown away when this throws.
    /// - Throws: as above, and `.changedWhileReading` when somebody wrote the file between the two readings.
    public static func decrypt(
        _ file: RangeReader, with key: SyncKey, form: HMACForm = .since2011June, budget: Int = 16 << 20,
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let before = try file.status()
        let size = Int(before.size)
        let body = try bodyRange(ofSize: size, path: file.path)
        guard size > budget else {
            let bytes = try file.read(0..<size)
            guard try file.status() == before else { throw file.changed() }
            return try decrypt(bytes, with: key, path: file.path, form: form, to: sink)
        }
        let tag = try file.read(body.upperBound..<size)
        let isSound = try authenticate(file, body: body, tag: tag, key: key, form: form)
        guard try file.status() == before else { throw file.changed() }
        guard isSound else { throw mismatch(file.path) }
        try readAgain(file, body: body, tag: tag, key: key, form: form, sink)
        guard try file.status() == before else { throw file.changed() }
    }

    /// The first reading: whether the HMAC fits.
    private static func authenticate(
        _ file: RangeReader, body: Range<Int>, tag: SharedBytes, key: SyncKey, form: HMACForm
    ) throws(FileProblem) -> Bool {
        var hmac = HMAC<SHA256>(key: key.symmetricKey)
        var offset = form.skipped
        while offset < body.upperBound {
            let end = min(offset + chunkSize, body.upperBound)
            let piece = try file.read(offset..<end)
            piece.withUnsafeBytes { hmac.update(data: $0) }
            offset = end
        }
        return tag.withUnsafeBytes { hmac.finalize() == $0 }
    }

    /// The second reading: decrypts, and checks that it reads what the first one read before the last piece goes out.
    private static func readAgain(
        _ file: RangeReader, body: Range<Int>, tag: SharedBytes, key: SyncKey, form: HMACForm,
        _ sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var hmac = HMAC<SHA256>(key: key.symmetricKey)
        let header = try file.read(0..<headerSize)
        header.withUnsafeBytes { hmac.update(data: UnsafeRawBufferPointer(rebasing: $0[form.skipped...])) }
        var reader = try header.withUnsafeBytes { (bytes) throws(FileProblem) in
            try BodyReader(header: bytes, key: key, body: body, path: file.path)
        }
        while let range = reader.nextRange {
            let piece = try file.read(range)
            piece.withUnsafeBytes { hmac.update(data: $0) }
            if range.upperBound == body.upperBound {
                guard tag.withUnsafeBytes({ hmac.finalize() == $0 }) else { throw file.changed() }
            }
            try piece.withUnsafeBytes { (bytes) throws(FileProblem) in try reader.take(bytes, sink) }
        }
    }
}
