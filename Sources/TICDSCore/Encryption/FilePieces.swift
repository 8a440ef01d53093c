import Cryptography
import SystemCalls
import SystemPackage

/// An encrypted file that is too large to be kept in memory, read in pieces into one buffer.
struct FilePieces {
    let file: any ReadableFile
    let body: Range<Int>
    /// Has not read anything yet.
    let hmac: HMACSHA256
    let form: EncryptedFile.HMACForm

    /// The HMAC that the file should have.
    func authenticate() throws(FileProblem) -> [UInt8] {
        var hmac = hmac
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

    /// Decrypts, and authenticates what it reads before the last piece goes out.
    /// - Parameter mismatch: what to throw where the HMAC does not fit.
    func decrypt(
        key: SyncKey, tag: [UInt8], mismatch: FileProblem,
        _ sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var hmac = hmac
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
