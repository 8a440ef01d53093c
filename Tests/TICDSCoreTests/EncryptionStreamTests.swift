import Base
import KeyedArchive
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSCore

/// Decryption of files that are larger than the permitted memory.
@Suite struct EncryptionStreamTests {
    /// A storage of one file that is replaced by a different one after a number of readings.
    private final class ChangingStorage: RemoteStorage {
        let root = FilePath("/remote")
        private let first: SharedBytes
        private let second: SharedBytes
        private let readings: Mutex<Int>

        init(_ first: [UInt8], _ second: [UInt8], after readings: Int) {
            self.first = SharedBytes(first)
            self.second = SharedBytes(second)
            self.readings = Mutex(readings)
        }

        func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents { FolderContents() }

        func status(of path: RemotePath) throws(FileProblem) -> FileStatus {
            var status = try FileStatus.of("/")
            status.size = Int64(first.count)
            return status
        }

        func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes { first }

        func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes {
            let isChanged = readings.withLock { left in
                left -= 1
                return left < 0
            }
            let bytes = isChanged ? second : first
            return SharedBytes(bytes.array(range))
        }
    }

    private func decrypt(
        _ first: [UInt8], _ second: [UInt8], after readings: Int
    ) -> (problem: FileProblem?, count: Int) {
        let storage = ChangingStorage(first, second, after: readings)
        var count = 0
        do throws(FileProblem) {
            try EncryptedFile.decrypt(RangeReader(storage, ["file"]), with: EncryptionTests.key, budget: 0) {
                count += $0.count
            }
            return (nil, count)
        } catch {
            return (error, count)
        }
    }

    private static let plain = EncryptionTests.plain(300_000)

    @Test(arguments: [0, 1, 65_535, 65_536, 65_552, 300_000])
    func aStreamGivesTheSameBytes(_ count: Int) throws {
        let plain = EncryptionTests.plain(count)
        let file = try EncryptionTests.encrypted(plain)
        let storage = ChangingStorage(file, file, after: 0)
        var streamed: [UInt8] = []
        try EncryptedFile.decrypt(RangeReader(storage, ["file"]), with: EncryptionTests.key, budget: 0) {
            #expect($0.count <= EncryptedFile.chunkSize)
            streamed += $0
        }
        #expect(streamed == plain)
    }

    @Test func nothingIsHandedOutBeforeTheWholeFileIsAuthentic() throws {
        let file = try EncryptionTests.encrypted(Self.plain)
        for offset in [0, 20, 64, 150_000, file.count - 33, file.count - 1] {
            var damaged = file
            damaged[offset] ^= 0x80
            let answer = decrypt(damaged, damaged, after: 0)
            #expect(answer.problem?.kind == .wrongPassword, "byte \(offset)")
            #expect(answer.count == 0, "byte \(offset)")
        }
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_552, 300_000])
    func onePrivateReadingGivesTheSameBytes(_ count: Int) throws {
        let plain = EncryptionTests.plain(count)
        let file = try EncryptionTests.encrypted(plain)
        let storage = ChangingStorage(file, file, after: 0)
        var streamed: [UInt8] = []
        try RemoteKeyring(.unchecked(EncryptionTests.key)).decryptPrivately(RangeReader(storage, ["file"])) {
            streamed += $0
        }
        #expect(streamed == plain)
    }

    @Test func onePrivateReadingEndsInAnErrorWhateverByteIsDamaged() throws {
        let file = try EncryptionTests.encrypted(Self.plain)
        for offset in [0, 20, 64, 150_000, file.count - 33, file.count - 1] {
            var damaged = file
            damaged[offset] ^= 0x80
            let reader = RangeReader(ChangingStorage(damaged, damaged, after: 0), ["file"])
            #expect("byte \(offset)") {
                try RemoteKeyring(.unchecked(EncryptionTests.key)).decryptPrivately(reader) { _ in }
            } throws: {
                ($0 as? FileProblem)?.kind == .wrongPassword
            }
        }
    }

    @Test func aFileThatChangesBetweenTheReadingsIsRefused() throws {
        let file = try EncryptionTests.encrypted(Self.plain)
        for offset in [0, 20, 64, 150_000, file.count - 33] {
            var changed = file
            changed[offset] ^= 0x80
            // Tag and five pieces are read first; the second reading then finds the other bytes.
            let answer = decrypt(file, changed, after: 6)
            #expect(answer.problem?.kind == .changedWhileReading, "byte \(offset)")
        }
    }

    @Test func aFileThatGetsShorterIsRefused() throws {
        let file = try EncryptionTests.encrypted(Self.plain)
        let answer = decrypt(file, Array(file.prefix(100_000)), after: 3)
        #expect(answer.problem?.kind == .changedWhileReading)
        #expect(answer.count == 0)
    }

    @Test func aFileOfThisMachineMayHaveAnyName() throws {
        let folder = try TemporaryFolder()
        let path = folder.path.pushing(FilePath(nameBytes: [0x61, 0xE9, 0x0A, 0x2E, 0x62]))
        try NewFile.write([1, 2, 3, 4], to: path)
        let reader = RangeReader(path)
        #expect(reader.path == path)
        #expect(try reader.read(1..<3).array == [2, 3])
    }
}
