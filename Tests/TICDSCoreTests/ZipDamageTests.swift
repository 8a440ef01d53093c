import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSCore

@Suite(.enabled(if: Python.available)) struct ZipDamageTests {
    /// Makes a zip with Python; the script writes to `sys.argv[1]`.
    private func zip(_ script: String, in folder: TemporaryFolder) throws -> FilePath {
        let path = folder.path.appending("made.zip")
        _ = try #require(Python.run("import sys, zipfile\n" + script, [path.string]))
        return path
    }

    private func extract(
        _ path: FilePath, in folder: TemporaryFolder, limits: ZipFile.Limits = .init()
    ) throws -> [UInt8] {
        let target = folder.path.appending("Store")
        _ = removeFile(target)
        let zip = try ZipFile(RangeReader(path))
        try zip.extract(zip.storeMember(), to: target, limits: limits)
        return try FileBytes.read(target).array
    }

    private static let one = """
        with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:
            z.writestr('Store.sqlite', b'SQLite format 3\\0' + bytes(i * i // 7 % 51 for i in range(200)))
        """

    @Test func aZipCutAnywhereOrWithAFlippedBitGivesNothingWrong() throws {
        let folder = try TemporaryFolder()
        let path = try zip(Self.one, in: folder)
        let whole = try FileBytes.read(path).array
        let store = try extract(path, in: folder)
        #expect(store.count == 216)
        var refused = 0
        for place in whole.indices {
            for bytes in [Array(whole[..<place]), whole.enumerated().map { $0 == place ? $1 ^ 0x10 : $1 }] {
                try write(bytes, to: path)
                if let read = try? extract(path, in: folder) {
                    #expect(read == store, "byte \(place)")
                } else {
                    refused += 1
                }
            }
        }
        #expect(refused > whole.count)
    }

    @Test func aBombIsRefusedBeforeItIsWritten() throws {
        let folder = try TemporaryFolder()
        let path = try zip(
            "with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z: z.writestr('a', bytes(20_000_000))",
            in: folder)
        let limits = ZipFile.Limits(ratio: 100, harmless: 1 << 20)
        let problem = #expect(throws: FileProblem.self) { try extract(path, in: folder, limits: limits) }
        #expect(problem?.kind == .limit)
        #expect(try FileStatus.of(folder.path.appending("Store")).size < 3 << 20)
        let total = ZipFile.Limits(total: 1000, ratio: 10_000)
        #expect(throws: FileProblem.self) { try extract(path, in: folder, limits: total) }
        #expect(try extract(path, in: folder).count == 20_000_000)
    }

    @Test func twoStoresAreAmbiguous() throws {
        let folder = try TemporaryFolder()
        let path = try zip(
            """
            with zipfile.ZipFile(sys.argv[1], 'w') as z:
                z.writestr('a\\n.sqlite', b'SQLite format 3\\0'); z.writestr('b', b'CoreData and more')
            """, in: folder)
        let problem = #expect(throws: FileProblem.self) { try extract(path, in: folder) }
        #expect(problem?.kind == .ambiguous)
        #expect(problem?.found?.contains("\n") == false)
    }

    @Test func zipOfARemoteIsNamed() throws {
        let folder = try TemporaryFolder()
        let path = try zip(
            """
            with zipfile.ZipFile(sys.argv[1], 'w') as z:
                z.writestr('com.example.app/ClientDevices/A/deviceInfo.plist', b'x')
                z.writestr('com.example.app/Documents/d/WholeStore/A/WholeStore.ticdsync', b'SQLite format 3\\0')
                z.writestr('com.example.app/Documents/d/WholeStore/B/WholeStore.ticdsync', b'SQLite format 3\\0')
            """, in: folder)
        let problem = #expect(throws: FileProblem.self) { try extract(path, in: folder) }
        #expect(problem?.kind == .unsupported && problem?.problem == "this is a zip of a remote")
        #expect(problem?.advice?.contains("ticds-archive import") == true)
    }

    /// Reading fails in the middle of the entry, which must not look like its end.
    @Test func anErrorInTheMiddleIsNotTheEnd() throws {
        let folder = try TemporaryFolder()
        let path = try zip(
            """
            import random
            with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as z:
                z.writestr('Store', b'SQLite format 3\\0' + random.Random(1).randbytes(2_000_000))
            """, in: folder)
        let storage = FailingStorage(try FileBytes.read(path), failing: 800_000..<900_000)
        let zip = try ZipFile(RangeReader(storage, ["file"]))
        let member = try #require(try zip.members().first)
        let problem = #expect(throws: FileProblem.self) {
            try zip.extract(member, to: folder.path.appending("Store"))
        }
        #expect(problem?.kind == .unreadable)
        #expect(problem?.problem == "the disk failed")
    }

    private struct FailingStorage: RemoteStorage {
        let root = FilePath("/remote")
        let bytes: SharedBytes
        let failing: Range<Int>

        init(_ bytes: SharedBytes, failing: Range<Int>) {
            self.bytes = bytes
            self.failing = failing
        }

        func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents { FolderContents() }

        func status(of path: RemotePath) throws(FileProblem) -> FileStatus {
            var status = try FileStatus.of("/")
            status.size = Int64(bytes.count)
            return status
        }

        func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes { bytes }

        func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes {
            guard !range.overlaps(failing) else {
                throw FileProblem(.unreadable, path: root, "the disk failed")
            }
            return SharedBytes(bytes.array(range))
        }
    }
}
