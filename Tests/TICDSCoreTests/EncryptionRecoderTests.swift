import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSCore

@Suite struct EncryptionRecoderTests {
    private static let other = SyncKey(password: "another", salt: [1, 2, 3])
    static let sizes = [0, 1, 15, 16, 17, 31, 32, 65_519, 65_535, 65_536, 65_537, 131_072, 300_001]

    private func recode(_ bytes: [UInt8], _ recoder: EncryptionRecoder) throws -> [UInt8] {
        let folder = try TemporaryFolder(prefix: "ticds-recode")
        try TestFiles.write(folder.path.appending("file"), bytes)
        var result: [UInt8] = []
        try recoder.recode(["file"], in: LocalStorage(root: folder.path)) { (piece) throws(FileProblem) in
            #expect(piece.count <= 2 * EncryptedFile.chunkSize)
            result += piece
        }
        return result
    }

    @Test(arguments: sizes)
    func encryptsAnewAndDecrypts(size: Int) throws {
        let plain = EncryptionTests.plain(size)
        let path = FilePath("/file")
        let sealed = try recode(plain, EncryptionRecoder(old: nil, new: EncryptionTests.key))
        #expect(sealed.count == EncryptedFile.size(ofPlain: size))
        let opened = try EncryptedFile.decrypt(SharedBytes(sealed), with: EncryptionTests.key, path: path)
        #expect(opened.array == plain)
        let anew = try recode(sealed, EncryptionRecoder(old: EncryptionTests.key, new: Self.other))
        #expect(try EncryptedFile.decrypt(SharedBytes(anew), with: Self.other, path: path).array == plain)
        #expect(throws: FileProblem.self) {
            try EncryptedFile.decrypt(SharedBytes(anew), with: EncryptionTests.key, path: path)
        }
        #expect(try recode(anew, EncryptionRecoder(old: Self.other, new: nil)) == plain)
    }

    /// The result equals that of encrypting in one piece, byte for byte, for any pieces of the plain text.
    @Test(arguments: sizes, [1_000, 65_536])
    func streamsAsInOnePiece(size: Int, piece: Int) throws {
        let plain = EncryptionTests.plain(size)
        let path = FilePath("/file")
        let vector = Array(UInt8(0)..<16)
        let secret = Array(UInt8(16)..<64)
        let whole = try EncryptedFile.encrypt(
            SharedBytes(plain), with: EncryptionTests.key, vector: vector, secret: secret, path: path)
        var stream = try EncryptingStream(
            key: EncryptionTests.key, vector: vector, secret: secret, path: path)
        var result: [UInt8] = []
        for start in stride(from: 0, to: size, by: piece) {
            try plain[start..<min(start + piece, size)].withUnsafeBytes { (bytes) throws in
                try stream.take(bytes) { result += $0 }
            }
        }
        try stream.finish { result += $0 }
        #expect(result == whole.array)
    }

    /// The proof checks the bytes that were passed on: one wrong bit there is detected.
    @Test func aFlippedBitDoesNotPass() throws {
        let path = FilePath("/file")
        let sealed = try EncryptedFile.encrypt(
            SharedBytes(EncryptionTests.plain(1_000)), with: EncryptionTests.key, path: path
        ).array
        func digest(_ bytes: [UInt8]) throws {
            var proof = try DecryptingDigest(key: EncryptionTests.key, path: path)
            try bytes.withUnsafeBytes { (bytes) throws in try proof.take(bytes) }
            _ = try proof.finish()
        }
        try digest(sealed)
        for position in stride(from: 0, to: sealed.count, by: 37) {
            var damaged = sealed
            damaged[position] ^= 1
            #expect(throws: FileProblem.self, "\(position)") { try digest(damaged) }
        }
        for length in [0, 63, 64, 111, sealed.count - 16, sealed.count - 1] {
            #expect(throws: FileProblem.self, "\(length)") { try digest(Array(sealed.prefix(length))) }
        }
    }

    @Test func aDamagedSourceIsRefused() throws {
        var sealed = try EncryptedFile.encrypt(
            SharedBytes(EncryptionTests.plain(100_000)), with: EncryptionTests.key, path: "/file"
        ).array
        sealed[70_000] ^= 1
        #expect(throws: FileProblem.self) {
            try recode(sealed, EncryptionRecoder(old: EncryptionTests.key, new: Self.other))
        }
        #expect(throws: FileProblem.self) {
            try recode(sealed, EncryptionRecoder(old: EncryptionTests.key, new: nil))
        }
    }
}
