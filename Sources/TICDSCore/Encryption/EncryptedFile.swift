public import Base
import Cryptography
public import SystemCalls
public import SystemPackage

/// The form of an encrypted file (ticds-protocol(7), 3.2): 16 bytes of initialisation vector, 48 bytes with the
/// wrapped key and vector of the file, the padded body, 32 bytes of HMAC-SHA256. It has no magic and no version.
public enum EncryptedFile {
    /// The bytes that the HMAC of a file covers.
    public enum HMACForm: Sendable, Hashable {
        /// All bytes before it.
        case since2011June
        /// All bytes except the first 16: the form of the framework's first weeks, which its later versions refuse. The
        /// commands only read it, and only if the user asks for it.
        case before2011June

        /// Number of bytes at the beginning that the HMAC does not cover.
        var skipped: Int { self == .since2011June ? 0 : EncryptedFile.blockSize }
    }

    static let blockSize = 16
    /// Initialisation vector, wrapped key and wrapped vector.
    static let headerSize = 64
    static let macSize = 32
    /// Size of an encrypted file without plain text.
    public static let smallestSize = 112
    /// The number of bytes that streaming code processes at a time.
    public static let chunkSize = 64 << 10

    /// Behaviour of a client that works without encryption on an encrypted change set (ticds-protocol(7), 4.3-1;
    /// core-data-binary-store(5), 1).
    package static let fateOfEncryptedSet = """
        takes an encrypted change set for a damaged store, and crashes on it at every synchronisation
        """

    /// Whether an encrypted file can have this size in bytes: 96 and at least one block of 16.
    public static func canHaveSize(_ size: Int) -> Bool {
        size >= smallestSize && (size - headerSize - macSize) % blockSize == 0
    }

    /// Size in bytes of the encrypted file with `count` bytes of plain text.
    public static func size(ofPlain count: Int) -> Int {
        headerSize + (count / blockSize + 1) * blockSize + macSize
    }

    /// The range of the body in a file of `size` bytes.
    /// - Throws: `.damaged` if no encrypted file has that size.
    static func bodyRange(ofSize size: Int, path: FilePath) throws(FileProblem) -> Range<Int> {
        guard size >= smallestSize else {
            throw FileProblem(
                .damaged, path: path, offset: size, "too short for an encrypted file",
                expected: "at least \(smallestSize) bytes", found: "\(size)",
                advice:
                    "It may be truncated or still in transfer; fetch it again from the client that wrote it")
        }
        guard canHaveSize(size) else {
            throw FileProblem(
                .damaged, path: path, offset: size, "the file does not have the length of an encrypted one",
                expected: "96 bytes plus a multiple of 16", found: "\(size) bytes",
                advice:
                    "It may be truncated or not encrypted at all; fetch it again from the client that wrote it"
            )
        }
        try ReadLimit.anyFile.check(Int64(size), path)
        return headerSize..<(size - macSize)
    }

    /// The error of a wrong HMAC: the password is wrong, or the file is damaged. The file does not show which.
    static func mismatch(_ path: FilePath) -> FileProblem {
        FileProblem(
            .wrongPassword, path: path, "wrong password, or the file is damaged",
            expected: "the HMAC of the file under this password", found: "another",
            advice: "Check the password; if it opens the other files of this remote, this file is damaged")
    }

    /// Encrypts `plain` under a new file key and new vectors from the system's random numbers.
    /// - Parameter path: the new file, for errors.
    public static func encrypt(
        _ plain: SharedBytes, with key: SyncKey, path: FilePath
    ) throws(FileProblem) -> SharedBytes {
        try encrypt(plain, EncryptingStream(key: key, path: path))
    }

    /// Encrypts with a given vector of 16 bytes and a given file key and vector of 48 bytes, so that a test can know
    /// the result.
    static func encrypt(
        _ plain: SharedBytes, with key: SyncKey, vector: [UInt8], secret: [UInt8], path: FilePath
    ) throws(FileProblem) -> SharedBytes {
        try encrypt(plain, EncryptingStream(key: key, vector: vector, secret: secret, path: path))
    }

    private static func encrypt(
        _ plain: SharedBytes, _ stream: consuming EncryptingStream
    ) throws(FileProblem) -> SharedBytes {
        var file: [UInt8] = []
        file.reserveCapacity(size(ofPlain: plain.count))
        try plain.withUnsafeBytes { (bytes) throws(FileProblem) in
            try stream.take(bytes) { file.append(contentsOf: $0) }
        }
        try stream.finish { file.append(contentsOf: $0) }
        return SharedBytes(file)
    }

    /// Decrypts a file that is in memory. Returns nothing before the whole file has been authenticated.
    /// - Parameter path: the file, for errors.
    /// - Throws: `.damaged` for a size that no encrypted file has, and for wrong padding under a correct HMAC;
    ///   `.wrongPassword` for a wrong HMAC, which a wrong password and a damaged file both cause.
    public static func decrypt(
        _ bytes: SharedBytes, with key: SyncKey, path: FilePath, form: HMACForm = .since2011June
    ) throws(FileProblem) -> SharedBytes {
        try decrypt(try PrivateBytes(copying: bytes, path: path), with: key, path: path, form: form)
    }

    /// Decrypts a file in the memory into which it was read.
    static func decrypt(
        _ bytes: consuming PrivateBytes, with key: SyncKey, path: FilePath, form: HMACForm
    ) throws(FileProblem) -> SharedBytes {
        let memory = bytes.memory
        let body = try bodyRange(ofSize: memory.count, path: path)
        let header = UnsafeRawBufferPointer(rebasing: memory[..<headerSize])
        var hmac = try HMACSHA256(key: key, for: path)
        hmac.update(UnsafeRawBufferPointer(rebasing: header[form.skipped...]))
        var reader = try BodyReader(header: header, key: key, body: body, path: path)
        var end = headerSize
        // A piece that was just authenticated is still in the cache of the processor when it is decrypted.
        while let range = reader.nextRange {
            let piece = UnsafeMutableRawBufferPointer(rebasing: memory[range])
            hmac.update(UnsafeRawBufferPointer(piece))
            if range.upperBound == body.upperBound {
                guard hmac.finalize().elementsEqual(memory[body.upperBound...]) else { throw mismatch(path) }
            }
            end += try reader.plainText(of: piece).count
        }
        return bytes.shared(headerSize..<end)
    }

    /// Authenticates a whole file in memory; returns the reader that decrypts it.
    private static func authenticated(
        _ bytes: UnsafeMutableRawBufferPointer, _ body: Range<Int>, with key: SyncKey, path: FilePath,
        form: HMACForm
    ) throws(FileProblem) -> BodyReader {
        let bytes = UnsafeRawBufferPointer(bytes)
        var hmac = try HMACSHA256(key: key, for: path)
        hmac.update(UnsafeRawBufferPointer(rebasing: bytes[form.skipped..<body.upperBound]))
        guard hmac.finalize().elementsEqual(bytes[body.upperBound...]) else { throw mismatch(path) }
        return try BodyReader(
            header: UnsafeRawBufferPointer(rebasing: bytes[..<headerSize]), key: key, body: body, path: path)
    }

    /// Decrypts a file of any size in pieces of at most 64 KiB; memory does not grow with the file beyond `budget`.
    ///
    /// The whole file is authenticated before the first piece is passed on. A file no larger than `budget` is read
    /// once. A larger file is read twice, and authenticated again in the second reading.
    /// - Parameters:
    ///   - file: the file to read.
    ///   - budget: bytes that may be kept in memory.
    ///   - sink: takes the pieces of plain text in order. The caller must discard them if this throws.
    /// - Throws: the errors for a file in memory, and `.changedWhileReading` if another process wrote the file between
    ///   the two readings.
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
        let pieces = FilePieces(file: opened, body: body, key: key, form: form)
        let tag = try opened.bytes(body.upperBound..<size)
        let isSound = try pieces.authenticate() == tag
        guard try file.status() == before else { throw file.changed() }
        guard isSound else { throw mismatch(file.path) }
        try pieces.decrypt(tag: tag, mismatch: file.changed(), sink)
        guard try file.status() == before else { throw file.changed() }
    }

    /// Decrypts a file of any size in one reading. The sink must be a private file: its content is not authentic before
    /// this returns, and must be discarded if this throws.
    static func decryptPrivately(
        _ file: RangeReader, with key: SyncKey, form: HMACForm,
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let before = try file.status()
        let size = Int(before.size)
        let body = try bodyRange(ofSize: size, path: file.path)
        let opened = try file.open()
        let pieces = FilePieces(file: opened, body: body, key: key, form: form)
        let tag = try opened.bytes(body.upperBound..<size)
        do throws(FileProblem) {
            try pieces.decrypt(tag: tag, mismatch: mismatch(file.path), sink)
        } catch  where error.kind == .wrongPassword || error.kind == .damaged {
            guard try file.status() == before else { throw file.changed() }
            throw error
        }
        guard try file.status() == before else { throw file.changed() }
    }
}
