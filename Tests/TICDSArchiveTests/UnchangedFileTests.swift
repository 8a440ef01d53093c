import Base
import Cryptography
import Glibc
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

@testable import TICDSArchive

/// An export that rests on an earlier archive does not read files whose marks show that they have not changed.
@Suite struct UnchangedFileTests {
    private let scratch: TemporaryFolder
    private let root: FilePath
    private let cache: FilePath

    init() throws {
        scratch = try TemporaryFolder(prefix: "ticds-test")
        root = scratch.path.appending("com.example.app")
        cache = scratch.path.appending("cache")
        try TestFiles.makeFolder(root)
        try TestFiles.makeFolder(root.appending("folder"))
        for name in ["folder/one", "folder/two", "three"] { try write(name, name) }
    }

    /// Writes a file with the time that all files have.
    private func write(_ name: String, _ text: String) throws {
        let file = root.pushing(FilePath(name))
        try TestFiles.write(file, Array(text.utf8))
        try TestFiles.setTime(file, FileTime(seconds: 1_367_000_000))
    }

    @discardableResult
    private func export(
        _ name: String, on earlier: String? = nil, _ form: ArchiveForm = .zstd, readsAll: Bool = false,
        settlingTime: Int64 = -10
    ) throws -> ArchiveManifest {
        let earlier = try earlier.map { try EarlierArchive(scratch.path.appending($0)) }
        var settings = ArchiveExporter.Settings(form: form, program: "test", earlier: earlier)
        settings.cache = cache
        settings.readsAll = readsAll
        settings.settlingTime = settlingTime
        return try ArchiveFile.export(
            ArchiveExporter(LocalStorage(root: root), settings), to: scratch.path.appending(name))
    }

    private func digest(_ name: String) throws -> [UInt8] {
        try EarlierArchive(scratch.path.appending(name)).bases[0].digest
    }

    private func marks(_ name: String) throws -> [ChangeMark?]? {
        try EarlierArchive(scratch.path.appending(name)).marks(in: cache)?.marks
    }

    /// The marks that the files of a manifest have now.
    private func presentMarks(_ manifest: ArchiveManifest) throws -> [ChangeMark?] {
        try manifest.entries.map { entry in
            guard !entry.isFolder, let name = entry.path.last else { return nil }
            let folder = try OwnedDescriptor.folder(entry.path.filePath(under: root).removingLastComponent())
            return folder.mark(ofName: name.bytes)?.mark
        }
    }

    private func entry(_ name: String, _ manifest: ArchiveManifest) throws -> BackupEntry {
        try #require(manifest.entries.first { "\($0.path)" == name })
    }

    @Test(arguments: [ArchiveForm.zstd, .zip]) func marksOfBothArchivesAreKept(form: ArchiveForm) throws {
        let first = try export("a", form)
        #expect(try marks("a") == nil)
        let second = try export("b", on: "a", form)
        #expect(try marks("a") == presentMarks(first))
        #expect(try marks("b") == presentMarks(second))
        #expect(second.stored.count == 0)
        let third = try export("c", on: "b", form)
        #expect(third.entries.map(\.digest) == first.entries.map(\.digest))
        #expect(try marks("c") == presentMarks(first))
    }

    /// A file with the former size and time has another mark, and is read.
    @Test func changedFilesAreRead() throws {
        try export("a")
        try export("b", on: "a")
        try write("folder/one", "folder/eno")
        let manifest = try export("c", on: "b")
        #expect(try entry("folder/one", manifest).base == nil)
        #expect(try entry("folder/one", manifest).digest == SHA256.hash(Array("folder/eno".utf8)))
        #expect(try entry("folder/two", manifest).base == 0)
    }

    /// Only false marks can show that a file was not read.
    @Test func unchangedFilesAreNotRead() throws {
        try export("a")
        let manifest = try export("b", on: "a")
        try write("folder/one", "folder/eno")
        try ArchiveMarks(presentMarks(manifest)).write(cache, manifest: digest("b"))
        let believing = try export("c", on: "b")
        #expect(try entry("folder/one", believing).digest == SHA256.hash(Array("folder/one".utf8)))
        #expect(try entry("folder/one", believing).base != nil)
        let reading = try export("d", on: "b", readsAll: true)
        #expect(try entry("folder/one", reading).digest == SHA256.hash(Array("folder/eno".utf8)))
        #expect(try entry("folder/one", reading).base == nil)
    }

    /// A file that was changed within the last minute may change again without another mark.
    @Test func marksOfNewFilesAreNotKept() throws {
        try export("a", settlingTime: 60)
        try export("b", on: "a", settlingTime: 60)
        #expect(try marks("b") == [nil, nil, nil, nil, nil])
    }

    @Test func damagedMarksAreNoMarks() throws {
        try export("a")
        try export("b", on: "a")
        let file = cache.appending(hexadecimalDigits(of: try digest("b")))
        let bytes = try FileBytes.read(file, limit: .archiveMarks).array
        #expect(try marks("b") != nil)
        for offset in [0, 40, bytes.count - 1] {
            var damaged = bytes
            damaged[offset] ^= 1
            try TestFiles.write(file, damaged)
            #expect(try marks("b") == nil, "\(offset)")
        }
        for count in [0, 10, bytes.count - 1] {
            try TestFiles.write(file, Array(bytes.prefix(count)))
            #expect(try marks("b") == nil, "\(count)")
        }
        #expect(ArchiveMarks.read(cache, manifest: try digest("b"), count: .max) == nil)
        #expect(try export("c", on: "b").stored.count == 0)
    }

    /// Files that are left out do not move the marks of others.
    @Test func marksBesideFilesThatCannotBeRead() throws {
        try export("a")
        let large = root.pushing("folder/an")
        try TestFiles.write(large, [])
        #expect(truncate(large.string, (1 << 40) + 1) == 0)
        let manifest = try export("b", on: "a")
        #expect(manifest.leftOut.map { "\($0.path)" } == ["folder/an"])
        #expect(try marks("b") == presentMarks(manifest))
    }
}
