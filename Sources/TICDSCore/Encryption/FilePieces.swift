import Cryptography
import SystemCalls
import SystemPackage

/// An encrypted file that is too large to be kept in memory, read in pieces into one buffer.
struct FilePieces {
    let file: any ReadableFile
    let body: Range<Int>
    let key: SyncKey
    let form: EncryptedFile.HMACForm

    /// The HMAC that the file should have.
    func authenticate() throws(FileProblem) -> [UInt8] {
        var hmac = try HMACSHA256(key: key, for: file.path)
        let buffer = try PrivateBytes(count: EncryptedFile.chunkSize, path: file.path)
        var offset = form.skipped
        while offset < body.upperBound {
            let count = min(EncryptedFile.chunkSize, body.upperBound - offset)
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer.memory[..<count])
            try file.fill(piece, at: offset)
            hmac.update(UnsafeRawBufferPointer(piece))
            offset += count
        }
        return hmac.finalize()
    }

    /// Decrypts the file, and checks the HMAC before it passes on the last piece.
    /// - Parameter mismatch: the error to throw if the HMAC is wrong.
    func decrypt(
        tag: [UInt8], mismatch: FileProblem,
        _ sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var hmac = try HMACSHA256(key: key, for: file.path)
        let header = try PrivateBytes(count: EncryptedFile.headerSize, path: file.path)
        try file.fill(header.memory, at: 0)
        hmac.update(UnsafeRawBufferPointer(rebasing: header.memory[form.skipped...]))
        var reader = try BodyReader(
            header: UnsafeRawBufferPointer(header.memory), key: key, body: body, path: file.path)
        let buffer = try PrivateBytes(count: EncryptedFile.chunkSize, path: file.path)
        while let range = reader.nextRange {
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer.memory[..<range.count])
            try file.fill(piece, at: range.lowerBound)
            hmac.update(UnsafeRawBufferPointer(piece))
            if range.upperBound == body.upperBound {
                guard hmac.finalize() == tag else { throw mismatch }
            }
            try reader.take(piece, sink)
        }
    }
}

/// Decrypts the body of an authenticated file piece by piece and removes the padding from the last piece.
struct BodyReader: ~Copyable {
    private var cipher: FileCipher
    private let body: Range<Int>
    private let path: FilePath
    private var offset: Int

    init(header: UnsafeRawBufferPointer, key: SyncKey, body: Range<Int>, path: FilePath) throws(FileProblem) {
        do {
            cipher = try FileCipher(header: header, key: key)
        } catch {
            throw Self.failed(path, EncryptedFile.blockSize, error)
        }
        self.body = body
        self.path = path
        offset = body.lowerBound
    }

    /// The range of the next piece in the file; nil after the last one.
    var nextRange: Range<Int>? {
        guard offset < body.upperBound else { return nil }
        return offset..<min(offset + EncryptedFile.chunkSize, body.upperBound)
    }

    /// Decrypts the next piece in place; returns its plain text, which may be empty at the end of the file.
    mutating func plainText(of piece: UnsafeMutableRawBufferPointer) throws(FileProblem)
        -> UnsafeRawBufferPointer
    {
        do {
            try cipher.decrypt(piece)
        } catch {
            throw Self.failed(path, offset, error)
        }
        offset += piece.count
        let plain = UnsafeRawBufferPointer(piece)
        guard offset == body.upperBound else { return plain }
        guard let padding = FileCipher.paddingCount(plain) else { throw badPadding() }
        return UnsafeRawBufferPointer(rebasing: plain.dropLast(padding))
    }

    /// Decrypts the next piece in place, and passes plain text that is not empty to `sink`.
    mutating func take(
        _ piece: UnsafeMutableRawBufferPointer, _ sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let plain = try plainText(of: piece)
        if !plain.isEmpty { try sink(plain) }
    }

    private func badPadding() -> FileProblem {
        FileProblem(
            .damaged, path: path, offset: body.upperBound - EncryptedFile.blockSize,
            "the padding of the encrypted file is damaged",
            expected: "1 to 16 equal bytes, each with their number",
            found: "others",
            advice: "The HMAC fits, so the file was written like this; restore it from a back-up")
    }

    private static func failed(_ path: FilePath, _ offset: Int, _ error: CryptographyError) -> FileProblem {
        .cryptography(
            error, FileProblem(.damaged, path: path, offset: offset, "cannot be decrypted", found: "\(error)")
        )
    }
}

extension HMACSHA256 {
    /// The code of no data yet, for the file `path`.
    init(key: SyncKey, for path: FilePath) throws(FileProblem) {
        do { try self.init(key: key.bytes) } catch { throw .noMemory(path: path) }
    }
}
