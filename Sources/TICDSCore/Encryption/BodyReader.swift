import Cryptography
import SystemCalls
import SystemPackage

/// Decrypts the body of an authenticated file piece by piece and takes the padding off the last one.
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

    /// Where the next piece lies in the file; nil after the last one.
    var nextRange: Range<Int>? {
        guard offset < body.upperBound else { return nil }
        return offset..<min(offset + EncryptedFile.chunkSize, body.upperBound)
    }

    /// Decrypts the piece that comes next, where it is; its plain text, which may be empty at the end of the file.
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

    /// The same, handed on unless it is empty.
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
        FileProblem(.damaged, path: path, offset: offset, "cannot be decrypted", found: "\(error)")
    }
}
