import SystemCalls
import SystemPackage

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decrypts the body of an authenticated file piece by piece and takes the padding off the last one.
struct BodyReader {
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

    /// Decrypts the piece at `nextRange` and hands its plain text on.
    mutating func take(
        _ piece: UnsafeRawBufferPointer, _ sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let plain: Data
        do {
            plain = try cipher.decrypt(piece)
        } catch {
            throw Self.failed(path, offset, error)
        }
        offset += piece.count
        var padding = 0
        if offset == body.upperBound {
            guard let count = FileCipher.paddingCount(plain) else { throw badPadding() }
            padding = count
        }
        try hand(plain, without: padding, sink)
    }

    private func hand(
        _ plain: Data, without padding: Int, _ sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        guard plain.count > padding else { return }
        let result = plain.withUnsafeBytes { buffer -> Result<Void, FileProblem> in
            do throws(FileProblem) {
                return .success(try sink(UnsafeRawBufferPointer(rebasing: buffer.dropLast(padding))))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    private func badPadding() -> FileProblem {
        FileProblem(
            .damaged, path: path, offset: body.upperBound - EncryptedFile.blockSize,
            "the padding of the encrypted file is damaged", expected: "1 to 16 equal bytes that say how many",
            found: "others",
            advice: "The HMAC fits, so whoever wrote the file wrote it so; get it from a back-up")
    }

    private static func failed(_ path: FilePath, _ offset: Int, _ error: any Error) -> FileProblem {
        FileProblem(.damaged, path: path, offset: offset, "cannot be decrypted", found: "\(error)")
    }
}
