import Cryptography
public import KeyedArchive
public import SystemCalls
public import SystemPackage

extension EncryptedFile {
    /// Decrypts a file that is in memory. Nothing is handed out before the whole file has been authenticated.
    /// - Parameter path: the file, for errors.
    /// - Throws: `.damaged` for a size that no encrypted file has, and for bad padding below a good HMAC;
    ///   `.wrongPassword` for an HMAC that does not fit, which a wrong password and a damaged file both cause.
    public static func decrypt(
        _ bytes: SharedBytes, with key: SyncKey, path: FilePath, form: HMACForm = .since2011June
    ) throws(FileProblem) -> SharedBytes {
        try decrypt(try PrivateBytes(copying: bytes, path: path), with: key, path: path, form: form)
    }

    /// The same in the memory that the file was read into.
    static func decrypt(
        _ bytes: consuming PrivateBytes, with key: SyncKey, path: FilePath, form: HMACForm
    ) throws(FileProblem) -> SharedBytes {
        let body = try bodyRange(ofSize: bytes.memory.count, path: path)
        var reader = try authenticated(bytes.memory, body, with: key, path: path, form: form)
        let plain = try reader.plainText(of: UnsafeMutableRawBufferPointer(rebasing: bytes.memory[body]))
        return bytes.shared(headerSize..<headerSize + plain.count)
    }

    /// What decrypts a file that is in memory, once the whole of it has been authenticated.
    private static func authenticated(
        _ bytes: UnsafeMutableRawBufferPointer, _ body: Range<Int>, with key: SyncKey, path: FilePath,
        form: HMACForm
    ) throws(FileProblem) -> BodyReader {
        let bytes = UnsafeRawBufferPointer(bytes)
        var hmac = HMACSHA256(key: key.bytes)
        hmac.update(UnsafeRawBufferPointer(rebasing: bytes[form.skipped..<body.upperBound]))
        guard hmac.finalize().elementsEqual(bytes[body.upperBound...]) else { throw mismatch(path) }
        return try BodyReader(
            header: UnsafeRawBufferPointer(rebasing: bytes[..<headerSize]), key: key, body: body, path: path)
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
        let opened = try file.open()
        guard size > budget else {
            let bytes = try PrivateBytes(count: size, path: file.path)
            try opened.fill(bytes.memory, at: 0)
            guard try file.status() == before else { throw file.changed() }
            var reader = try authenticated(bytes.memory, body, with: key, path: file.path, form: form)
            while let range = reader.nextRange {
                try reader.take(UnsafeMutableRawBufferPointer(rebasing: bytes.memory[range]), sink)
            }
            return
        }
        let pieces = FilePieces(file: opened, body: body, hmac: HMACSHA256(key: key.bytes), form: form)
        let tag = try opened.bytes(body.upperBound..<size)
        let isSound = try pieces.authenticate() == tag
        guard try file.status() == before else { throw file.changed() }
        guard isSound else { throw mismatch(file.path) }
        try pieces.decrypt(key: key, tag: tag, mismatch: file.changed(), sink)
        guard try file.status() == before else { throw file.changed() }
    }

    /// Decrypts a file of any size in one reading, for a sink that keeps what it takes to itself until this returns,
    /// and throws it away when this throws: a private file. Before the end nothing of it is authentic.
    static func decryptPrivately(
        _ file: RangeReader, with key: SyncKey, form: HMACForm,
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let before = try file.status()
        let size = Int(before.size)
        let body = try bodyRange(ofSize: size, path: file.path)
        let opened = try file.open()
        let pieces = FilePieces(file: opened, body: body, hmac: HMACSHA256(key: key.bytes), form: form)
        let tag = try opened.bytes(body.upperBound..<size)
        do throws(FileProblem) {
            try pieces.decrypt(key: key, tag: tag, mismatch: mismatch(file.path), sink)
        } catch  where error.kind == .wrongPassword || error.kind == .damaged {
            guard try file.status() == before else { throw file.changed() }
            throw error
        }
        guard try file.status() == before else { throw file.changed() }
    }
}
