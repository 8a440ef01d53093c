import Base
import Cryptography
public import SystemCalls

/// Encrypts files, decrypts them, or encrypts them with another key. It checks its output: it decrypts an encrypted
/// file again, and compares a decrypted one with a second decryption.
public struct EncryptionRecoder: Sendable {
    private let old: SyncKey?
    private let form: EncryptedFile.HMACForm
    private let new: SyncKey?

    /// - Parameters:
    ///   - old: the present key of the files; nil if they are unencrypted.
    ///   - form: how the old files are authenticated; the new ones are as they have been since June 2011.
    ///   - new: the new key of the files; nil to decrypt them.
    public init(old: SyncKey?, form: EncryptedFile.HMACForm = .since2011June, new: SyncKey?) {
        self.old = old
        self.form = form
        self.new = new
    }

    /// Passes the bytes of `file` in the new encryption to `sink`, in pieces.
    public func recode(
        _ file: RemotePath, in storage: any RemoteStorage,
        to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let reader = RangeReader(storage, file)
        if let new {
            try encrypt(reader, with: new, to: sink)
        } else {
            try decrypt(reader, to: sink)
        }
    }

    private func encrypt(
        _ file: RangeReader, with key: SyncKey, to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var stream = try EncryptingStream(key: key, path: file.path)
        var proof = try DecryptingDigest(key: key, path: file.path)
        let digest = try readPlain(file) { (plain) throws(FileProblem) in
            try stream.take(plain) { (piece) throws(FileProblem) in
                try proof.take(piece)
                try sink(piece)
            }
        }
        try stream.finish { (piece) throws(FileProblem) in
            try proof.take(piece)
            try sink(piece)
        }
        try expect(try proof.finish(), digest, file)
    }

    private func decrypt(
        _ file: RangeReader, to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let digest = try readPlain(file, to: sink)
        try expect(try readPlain(file) { (_) throws(FileProblem) in }, digest, file)
    }

    private func expect(_ one: [UInt8], _ other: [UInt8], _ file: RangeReader) throws(FileProblem) {
        guard one != other else { return }
        throw FileProblem(
            .writeFailed, path: file.path, "the new file does not contain the same as the old one",
            expected: "plain text of SHA-256 \(hexadecimalDigits(of: other))",
            found: hexadecimalDigits(of: one),
            advice: "Nothing was changed; try again, and have the memory of this machine tested")
    }

    /// Passes the plain text of the file to `sink`; returns its digest.
    private func readPlain(
        _ file: RangeReader, to sink: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) -> [UInt8] {
        var digest = try SHA256(for: file.path)
        if let old {
            try EncryptedFile.decryptPrivately(file, with: old, form: form) { (piece) throws(FileProblem) in
                digest.update(piece)
                try sink(piece)
            }
        } else {
            try file.forEachPiece { (piece) throws(FileProblem) in
                digest.update(piece)
                try sink(piece)
            }
        }
        return digest.finalize()
    }
}

extension RangeReader {
    /// Calls `body` with the bytes of the file in pieces of at most 64 KiB, from one buffer.
    func forEachPiece(
        _ body: (UnsafeRawBufferPointer) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let before = try status()
        try ReadLimit.anyFile.check(before.size, path)
        let opened = try open()
        let buffer = try PrivateBytes(count: EncryptedFile.chunkSize, path: path)
        var offset = 0
        while offset < before.size {
            // bounded: the offset is below the size
            let count = min(EncryptedFile.chunkSize, Int(before.size) - offset)
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer.memory[..<count])
            try opened.fill(piece, at: offset)
            try body(UnsafeRawBufferPointer(piece))
            offset += count
        }
        guard try status() == before else { throw changed() }
    }
}
