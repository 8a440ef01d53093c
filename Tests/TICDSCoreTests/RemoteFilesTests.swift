import Base
import Foundation
import KeyedArchive
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// The system calls below everything: times, reading, temporary folders.
@Suite struct RemoteFilesTests {
    @Test(arguments: [
        (FileTime(seconds: 0), "1970-01-01T00:00:00.000Z"),
        (FileTime(seconds: 978_307_200, nanoseconds: 1), "2001-01-01T00:00:00.000000001Z"),
        (FileTime(seconds: 0, nanoseconds: 250_000_000), "1970-01-01T00:00:00.250Z"),
        (FileTime(seconds: 0, nanoseconds: 1_000), "1970-01-01T00:00:00.000001Z"),
        (FileTime(seconds: -62_167_219_201), "-0001-12-31T23:59:59.000Z"),
        (FileTime(seconds: 253_402_300_800), "10000-01-01T00:00:00.000Z"),
        (FileTime(seconds: .max), "292277026596-12-04T15:30:07.000Z"),
        (FileTime(seconds: 951_782_400), "2000-02-29T00:00:00.000Z"),
        (FileTime(seconds: 4_107_542_400), "2100-03-01T00:00:00.000Z"),
        (FileTime(seconds: -1, nanoseconds: 999_999_999), "1969-12-31T23:59:59.999999999Z"),
        (FileTime(seconds: -62_135_596_800), "0001-01-01T00:00:00.000Z"),
        (FileTime(seconds: 253_402_300_799), "9999-12-31T23:59:59.000Z"),
    ])
    func timesAsText(_ time: FileTime, _ text: String) {
        #expect(time.description == text)
    }

    @Test func timesOfCoreData() {
        #expect(FileTime(secondsSince2001: 0.5) == FileTime(seconds: 978_307_200, nanoseconds: 500_000_000))
        #expect(FileTime(secondsSince2001: -0.25) == FileTime(seconds: 978_307_199, nanoseconds: 750_000_000))
        #expect(FileTime(secondsSince2001: .nan) == nil && FileTime(secondsSince2001: 1e300) == nil)
        #expect(FileTime(seconds: 978_307_200, nanoseconds: 500_000_000).secondsSince2001 == 0.5)
        #expect(FileTime(secondsSince2001: 389_102_400.123)?.nanoseconds == 123_000_000)
        #expect(FileTime(secondsSince2001: 389_102_400.123456)?.nanoseconds == 123_456_000)
        #expect(FileTime(secondsSince2001: 0.123456789)?.nanoseconds == 123_456_789)
    }

    @Test func readsWholeHeadAndRange() throws {
        let folder = try TemporaryFolder()
        let file = folder.path.appending("file")
        let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0) }
        try TestFiles.write(file, content)
        #expect(try FileBytes.read(file).array == content)
        #expect(try FileBytes.head(file, count: 3).array == [0, 1, 2])
        #expect(try FileBytes.head(file, count: 200_000).count == 100_000)
        let open = try OwnedDescriptor.file(file)
        #expect(try open.bytes(in: 99_998..<100_010).array == Array(content.suffix(2)))
        #expect(try open.bytes(in: 500_000..<500_001).count == 0)
        let problem = #expect(throws: FileProblem.self) {
            try FileBytes.read(file, limit: ReadLimit(99_999, "test"))
        }
        #expect(problem?.kind == .limit)
    }

    /// Also if the difference is in the second piece, in the last byte or in the size.
    @Test func comparesTheBytesOfFiles() throws {
        let folder = try TemporaryFolder()
        let content = (0..<600_000).map { UInt8(truncatingIfNeeded: $0) }
        func isSame(_ one: [UInt8], _ other: [UInt8]) throws -> Bool {
            let paths = (folder.path.appending("one"), folder.path.appending("other"))
            try TestFiles.write(paths.0, one)
            try TestFiles.write(paths.1, other)
            let storage = LocalStorage(root: folder.path)
            return try storage.open(["one"]).hasSameBytes(as: storage.open(["other"]))
        }
        #expect(try isSame(content, content))
        for position in [0, 300_000, content.count - 1] {
            var changed = content
            changed[position] ^= 1
            #expect(try !isSame(content, changed), "\(position)")
        }
        #expect(try !isSame(content, content.dropLast()))
        #expect(try isSame([], []))
    }

    @Test func foldersAroundEntries() throws {
        #expect(FilePath("a").parent == "." && FilePath("a/b").parent == "a" && FilePath("/a").parent == "/")
        let folder = try TemporaryFolder()
        let inside = try #require(try folder.path.resolved())
        try TestFiles.makeFolder(folder.path.appending("there"))
        try TestFiles.link(folder.path.appending("link"), to: "there")
        #expect(try folder.path.pushing("link/new").resolvedInFolder() == inside.pushing("there/new"))
        #expect(try folder.path.appending("link").resolvedInFolder() == inside.appending("link"))
        #expect(try folder.path.pushing("none/new").resolvedInFolder() == nil)
    }

    @Test func whatIsUnfitIsNotUnread() throws {
        func outcome(_ kind: FileProblem.Kind) throws(FileProblem) -> Int? {
            try unlessInvalid { () throws(FileProblem) -> Int in throw FileProblem(kind, path: "a", "test") }
        }
        #expect(try unlessInvalid { () throws(FileProblem) in 1 } == 1)
        #expect(try outcome(.damaged) == nil && outcome(.missing) == nil)
        for kind in [FileProblem.Kind.unreadable, .changedWhileReading, .writeFailed, .interrupted] {
            #expect(throws: FileProblem.self) { try outcome(kind) }
        }
    }

    /// A killed process leaves its draft; after a day the next writer removes only that.
    @Test func oldDraftsGo() throws {
        let folder = try TemporaryFolder()
        let digits = String(repeating: "a0", count: 16)
        let drafts = [
            ".ticds-draft-" + digits, ".ticds-draft-" + digits.dropLast(2) + "b1", ".ticds-draft-x",
        ]
        for draft in drafts { try TestFiles.write(folder.path.appending(draft), [1]) }
        for draft in drafts.dropFirst() {
            try TestFiles.setTime(folder.path.appending(draft), FileTime(seconds: 1_300_000_000))
        }
        let file = folder.path.appending("file")
        try AtomicFile.write([2], to: file)
        #expect(try FileBytes.read(file).array == [2])
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path.string)
        #expect(Set(left) == ["file", drafts[0], drafts[2]])
    }

    @Test func manyWritersAtOnce() throws {
        let folder = try TemporaryFolder()
        let file = folder.path.appending("file")
        let problems = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { number in
            do {
                try AtomicFile.write(Array(repeating: UInt8(number), count: 1000), to: file)
            } catch {
                problems.withLock { $0.append("\(error)") }
            }
        }
        #expect(problems.withLock { $0 } == [])
        let bytes = try FileBytes.read(file).array
        #expect(bytes.count == 1000 && Set(bytes).count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.string) == ["file"])
    }

    @Test func bytesStayWhenTheFileIsCutOff() throws {
        let folder = try TemporaryFolder()
        let file = folder.path.appending("file")
        try TestFiles.write(file, Array(repeating: 9, count: 50_000))
        let bytes = try FileBytes.read(file)
        try TestFiles.write(file, [])
        #expect(bytes.array == Array(repeating: 9, count: 50_000))
        #expect(try FileBytes.read(file).count == 0)
    }

    @Test func refusesWhatIsNoFile() throws {
        let folder = try TemporaryFolder()
        try TestFiles.makeFifo(folder.path.appending("fifo"))
        try TestFiles.write(folder.path.appending("file"), [1])
        try TestFiles.link(folder.path.appending("link"), to: "file")
        for name in ["fifo", "link", "."] {
            let problem = #expect(throws: FileProblem.self) {
                try FileBytes.read(folder.path.pushing(FilePath(name)))
            }
            #expect(problem?.kind == .unreadable, "\(name)")
        }
        #expect(throws: FileProblem.self) { try FileBytes.read("/dev/zero") }
        let missing = #expect(throws: FileProblem.self) { try FileBytes.read(folder.path.appending("none")) }
        #expect(missing?.kind == .missing)
    }

    @Test func temporaryFoldersArePrivateAndGo() throws {
        var path = FilePath("/")
        do {
            let folder = try TemporaryFolder()
            path = folder.path
            #expect(try FileStatus.of(path).mode == 0o700)
            try TestFiles.makeFolders(path.pushing("a/b"))
            try TestFiles.write(path.pushing("a/b/c"), [1])
            try TestFiles.link(path.pushing("a/out"), to: "/")
        }
        #expect(throws: FileProblem.self) { try FileStatus.of(path) }
    }

    /// A decrypted copy has no name in any folder, is readable only for its owner, and can be read like any file.
    @Test func aFileWithoutAName() throws {
        let file = try UnnamedFile()
        try file.write(SharedBytes([1, 2, 3]))
        #expect(try FileBytes.read(file.path).array == [1, 2, 3])
        let status = try FileStatus.of(file.path)
        #expect(status.kind == .file && status.size == 3 && status.mode == 0o600)
        #expect(UnnamedFile.isPath(file.path))
        var linked = stat()
        #expect(stat(file.path.string, &linked) == 0 && linked.st_nlink == 0)
        #expect(try RangeReader(file.path).read(1..<3).array == [2, 3])
        try file.write(SharedBytes([4]))
        #expect(try FileBytes.read(file.path).array == [4])
    }

    @Test func problemsReadAsOneLine() {
        let path = FilePath(nameBytes: Array("a".utf8) + [0x1B, 0xFF] + Array("é\u{202E}".utf8))
        let problem = FileProblem(
            .damaged, path: path, offset: 12, "is cut off", expected: "4 bytes", found: "\u{9B}\n\u{7F}",
            advice: "Restore it")
        #expect(
            problem.description
                == #"a\u{1B}\xFFé\u{202E}: offset 12: is cut off (expected 4 bytes, found \u{9B}\n\u{7F}). "#
                + "Restore it.")
    }
}
