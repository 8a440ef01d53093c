import Base
import Foundation
import KeyedArchive
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSArchive
import TICDSCore

/// A client writes while the remote is archived.
@Suite struct ChangingRemoteExportTests {
    /// A file that needs several pieces, and more memory than permitted, and small files.
    private struct Fixture {
        let scratch: TemporaryFolder
        let root: FilePath

        init() throws {
            scratch = try TemporaryFolder(prefix: "ticds-test")
            root = scratch.path.appending("com.example.app")
            try TestFiles.makeFolder(root)
            try TestFiles.write(root.appending("a-small"), [1, 2, 3])
            try TestFiles.write(root.appending("b-large"), [UInt8](repeating: 7, count: 25 << 20))
            try TestFiles.write(root.appending("c-small"), [4, 5, 6])
        }

        func export(
            _ form: ArchiveForm, onOpening name: String, number: Int,
            _ change: @escaping @Sendable () throws -> Void
        ) throws -> (manifest: ArchiveManifest, file: FilePath) {
            let storage = ChangingStorage(
                real: LocalStorage(root: root), file: RemotePath([RemoteName(name)]), number: number,
                change: change)
            let exporter = ArchiveExporter(storage, .init(form: form, program: "test"))
            let file = scratch.path.appending("archive")
            let descriptor = try FileDescriptor.open(
                file, .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
            defer { try? descriptor.close() }
            return (try exporter.write(to: descriptor, path: file), file)
        }
    }

    @Test(arguments: [ArchiveForm.zstd, .zip]) func grewSinceItWasListed(form: ArchiveForm) throws {
        let fixture = try Fixture()
        let path = fixture.root.appending("c-small")
        let (manifest, file) = try fixture.export(form, onOpening: "c-small", number: 1) {
            try TestFiles.write(path, [UInt8](repeating: 9, count: 6 << 20))
        }
        #expect(manifest.leftOut == [])
        #expect(manifest.entries.last?.size == 6 << 20)
        #expect(try ArchiveCheck(.file(file)).isWhole)
    }

    @Test(arguments: [ArchiveForm.zstd, .zip]) func vanishedSinceItWasListed(form: ArchiveForm) throws {
        let fixture = try Fixture()
        let path = fixture.root.appending("a-small")
        let (manifest, _) = try fixture.export(form, onOpening: "a-small", number: 1) {
            try TestFiles.remove(path)
        }
        #expect(manifest.leftOut.map(\.path) == [RemotePath(["a-small"])])
        #expect(manifest.entries.map(\.path.text) == ["", "b-large", "c-small"])
    }

    @Test(arguments: [ArchiveForm.zstd, .zip]) func changedBeforeItWasReadAgain(form: ArchiveForm) throws {
        let fixture = try Fixture()
        let path = fixture.root.appending("b-large")
        let error = #expect(throws: FileProblem.self) {
            try fixture.export(form, onOpening: "b-large", number: 2) {
                try TestFiles.write(path, [UInt8](repeating: 8, count: 25 << 20))
            }
        }
        #expect(error?.kind == .changedWhileReading && error?.path == path)
    }
}

/// Another program changes a file just before it is opened for the given time.
private final class ChangingStorage: RemoteStorage {
    let real: LocalStorage
    let file: RemotePath
    let number: Int
    let change: @Sendable () throws -> Void
    let opened = Atomic<Int>(0)

    init(
        real: LocalStorage, file: RemotePath, number: Int, change: @escaping @Sendable () throws -> Void
    ) {
        self.real = real
        self.file = file
        self.number = number
        self.change = change
    }

    var root: FilePath { real.root }
    func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents { try real.list(folder) }
    func status(of path: RemotePath) throws(FileProblem) -> FileStatus { try real.status(of: path) }
    func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes {
        try real.read(file, limit: limit)
    }
    func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes {
        try real.read(file, range: range)
    }

    func open(_ path: RemotePath) throws(FileProblem) -> any ReadableFile {
        if path == file, opened.add(1, ordering: .relaxed).newValue == number { try? change() }
        return try real.open(path)
    }
}
