import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

@testable import Rclone

/// The requirements for every storage from which a remote is read: the folder, memory, and each server.
@Suite(.enabled(if: InstalledRclone.path != nil, "needs rclone 1.72")) struct StorageConformanceTests {
    enum Subject: Sendable, CaseIterable, CustomStringConvertible {
        case folder, memory, rclonedFolder
        case server(StorageServer.Kind)

        static var allCases: [Subject] {
            [.folder, .memory, .rclonedFolder] + StorageServer.Kind.available.map { .server($0) }
        }

        var description: String {
            switch self {
            case .folder: "folder"
            case .memory: "memory"
            case .rclonedFolder: "folder through rclone"
            case .server(let kind): kind.rawValue
            }
        }

        /// The smallest difference between two times that it keeps, in nanoseconds.
        var resolution: Int32 { if case .server(let kind) = self { kind.resolution } else { 1 } }

        /// Whether the name of a file is preserved.
        func holds(_ name: RemoteName) -> Bool {
            switch self {
            case .folder, .memory: true
            // Rclone uses JSON: a name that is not UTF-8 is a problem of the listing.
            case .server(.sftp): name.isUTF8
            // XML has no control characters, and rclone writes others for them in a folder.
            default: name.isUTF8 && !name.bytes.contains { $0 < 32 }
            }
        }
    }

    /// A folder with files of all relevant sizes, and names with a meaning in a URL, a shell, XML, JSON, rclone or a
    /// file system.
    private struct Source {
        let folder: TemporaryFolder
        var root: FilePath { folder.path.appending("com.example.ü x") }
        var storage: LocalStorage { LocalStorage(root: root) }

        static let names = [
            "a b", "100%", "%41", "q'uo\"te", "\u{e9}", "e\u{301}", "日本", "a?b#c", "[x]", "a]b", "a:b",
            "a\\b",
            " lead", "trail ", ".hidden", "-", "~x", "{a}", "a,b;c&d=e", "*", "a+b", "<&>", "dot.",
            "\u{202e}x",
            "CON", String(repeating: "n", count: 200),
        ].map { RemoteName($0) }
        /// The names that few storages support.
        static let strange = [RemoteName("new\nline"), RemoteName("tab\t"), RemoteName([0x66, 0xff, 0x6f])]
        /// Sizes around the pieces in which files are fetched.
        static let sizes = [0, 1, 16, 65_536, 65_537, 9 << 20]
        private static let bytes = [UInt8](unsafeUninitializedCapacity: 9 << 20) { buffer, count in
            for place in 0..<buffer.count { buffer[place] = UInt8(truncatingIfNeeded: place &* 31 >> 3) }
            count = buffer.count
        }

        init(_ subject: Subject) throws {
            folder = try TemporaryFolder(prefix: "ticds-conformance")
            var time = FileTime(seconds: 1_300_000_000, nanoseconds: 987_654_321)
            func write(_ path: RemotePath, _ bytes: [UInt8]) throws {
                let file = path.filePath(under: root)
                try TestFiles.makeFolders(file.removingLastComponent())
                try TestFiles.write(file, bytes)
                try TestFiles.setTime(file, time)
                time = time.adding(seconds: 1_001)
            }
            for name in Self.names + Self.strange where subject.holds(name) {
                try write(["Names", name], Array(name.bytes.reversed()))
                try write(["Folders", name, "inside"], name.bytes)
            }
            for size in Self.sizes {
                try write(["Sizes", RemoteName("\(size)")], Array(Self.bytes.prefix(size)))
            }
            try TestFiles.makeFolders(root.appending("Empty").appending("more"))
        }
    }

    init() throws { _ = try InstalledRclone.cache.get() }

    private func storage(
        _ subject: Subject, _ source: FilePath, _ body: (any RemoteStorage) throws -> Void
    ) throws {
        func open(_ address: String) throws -> RcloneStorage {
            try RcloneStorage(#require(RcloneAddress(address)), .running())
        }
        switch subject {
        case .folder: try body(LocalStorage(root: source))
        case .memory: try body(MemoryStorage(copying: LocalStorage(root: source)))
        case .rclonedFolder: try body(open("rclone::local:\(source)"))
        case .server(let kind): try body(open(StorageServer.shared(kind).place(copying: source).address()))
        }
    }

    /// Listing, status and every way of reading give the content of the folder.
    @Test(arguments: Subject.allCases) func conforms(_ subject: Subject) throws {
        let source = try Source(subject)
        try storage(subject, source.root) { storage in
            let mine = try RemoteScanner.scan(source.storage)
            let its = try RemoteScanner.scan(storage)
            #expect(its.problems.isEmpty)
            #expect(Set(its.folders.keys) == Set(mine.folders.keys))
            for (folder, listing) in mine.folders {
                #expect(its.listing(folder).part.map(\.name) == listing.map(\.name), "\(folder)")
                for (entry, other) in zip(listing, its.listing(folder).part) {
                    let path = folder.appending(entry.name)
                    #expect(entry.kind == other.kind, "\(path)")
                    let status = try storage.status(of: path)
                    #expect(status.kind == entry.kind && status.modified == other.modified, "\(path)")
                    guard entry.kind == .file else { continue }
                    #expect(entry.size == other.size, "\(path)")
                    #expect(rounded(entry.modified, subject) == rounded(other.modified, subject), "\(path)")
                    try checkReading(path, of: storage, as: source.storage.read(path).array)
                }
            }
        }
    }

    private func rounded(_ time: FileTime, _ subject: Subject) -> FileTime {
        FileTime(seconds: time.seconds, nanoseconds: time.nanoseconds / subject.resolution)
    }

    private func checkReading(_ path: RemotePath, of storage: any RemoteStorage, as bytes: [UInt8]) throws {
        let size = bytes.count
        // Before the whole file has been fetched.
        for range in [0..<16, 5..<size + 5, size..<size + 1, 0..<0, (1 << 40)..<(1 << 41)]
        where range.lowerBound <= range.upperBound {
            let expected = Array(bytes[range.clamped(to: 0..<size)])
            #expect(try storage.read(path, range: range).array == expected, "\(path) \(range)")
        }
        #expect(try storage.read(path).array == bytes, "\(path)")
        let whole = try storage.readPrivately(path, limit: ReadLimit(size, "test"))
        #expect(Array(UnsafeRawBufferPointer(whole.memory)) == bytes, "\(path)")
        if size > 0 {
            let problem = #expect(throws: FileProblem.self) {
                try storage.read(path, limit: ReadLimit(size - 1, "test"))
            }
            #expect(problem?.kind == .limit, "\(path)")
        }
        let file = try storage.open(path)
        #expect(try Int(file.status().size) == size && file.path == path.filePath(under: storage.root))
        var room = [UInt8](repeating: 0xaa, count: size + 40)
        let filled = try room.withUnsafeMutableBytes { try file.read(into: $0, at: min(size, 3)) }
        #expect(filled == max(0, size - 3) && Array(room[..<filled]) == Array(bytes.dropFirst(3)), "\(path)")
        #expect(room[filled...].allSatisfy { $0 == 0xaa }, "\(path): bytes behind the end")
    }

    /// An absent entry is missing; an entry of a different kind is not.
    @Test(arguments: Subject.allCases) func absence(_ subject: Subject) throws {
        let source = try TemporaryFolder()
        try TestFiles.makeFolders(source.path.appending("r/folder"))
        try TestFiles.write(source.path.appending("r/file"), [1, 2, 3])
        func check(_ storage: any RemoteStorage) throws {
            for path in [["none"], ["folder", "none"], ["none", "none"]] as [RemotePath] {
                let calls: [(String, () throws(FileProblem) -> Void)] = [
                    ("status", { () throws(FileProblem) in _ = try storage.status(of: path) }),
                    ("list", { () throws(FileProblem) in _ = try storage.list(path) }),
                    ("read", { () throws(FileProblem) in _ = try storage.read(path, limit: .note) }),
                    ("range", { () throws(FileProblem) in _ = try storage.read(path, range: 0..<1) }),
                    ("open", { () throws(FileProblem) in _ = try storage.open(path).head(count: 1) }),
                ]
                for (name, call) in calls {
                    let problem = #expect(throws: FileProblem.self) { try call() }
                    #expect(problem?.kind == .missing, "\(name) \(path)")
                }
                #expect(try storage.statusIfPresent(of: path) == nil)
                #expect(try storage.entriesIfPresent(of: path).isEmpty)
            }
            let folder = #expect(throws: FileProblem.self) { try storage.read(["folder"], limit: .note) }
            #expect(folder?.kind != .missing)
            #expect(try storage.list(["folder"]).listing.isEmpty)
        }
        try storage(subject, source.path.appending("r"), check)
    }

    /// A file that changes, or vanishes, after it was listed is never read as if it were the old one.
    @Test(arguments: StorageServer.Kind.available.filter { $0 != .s3 })
    func changesBehindTheListing(_ kind: StorageServer.Kind) throws {
        let source = try TemporaryFolder()
        for name in ["longer", "shorter", "later", "gone"] {
            let file = source.path.appending(name)
            try TestFiles.write(file, Array(repeating: 7, count: 100))
            try TestFiles.setTime(file, FileTime(seconds: 1_300_000_000))
        }
        let place = try StorageServer.shared(kind).place(copying: source.path)
        let storage = try RcloneStorage(#require(RcloneAddress(place.address())), .running())
        let folder = try #require(place.folder)
        try TestFiles.write(folder.appending("longer"), Array(repeating: 8, count: 101))
        try TestFiles.write(folder.appending("shorter"), Array(repeating: 8, count: 99))
        try TestFiles.setTime(folder.appending("later"), FileTime(seconds: 1_300_000_001))
        try TestFiles.remove(folder.appending("gone"))
        try StorageServer.shared(kind).waitUntilSeen()
        for (name, kind) in [
            ("longer", .changedWhileReading), ("shorter", .changedWhileReading),
            ("later", .changedWhileReading),
            ("gone", .missing),
        ] as [(RemoteName, FileProblem.Kind)] {
            let problem = #expect(throws: FileProblem.self) { try storage.read([name], limit: .note) }
            #expect(problem?.kind == kind, "\(name): \(String(describing: problem))")
        }
        let again = try storage.listedAgain()
        #expect(try again.list(.root).listing.map(\.name) == ["later", "longer", "shorter"])
        #expect(try again.read(["longer"], limit: .note).array == Array(repeating: 8, count: 101))
    }

    /// A storage without times of its own is still read, and reports it.
    @Test(.enabled(if: StorageServer.Kind.wsgidav.isInstalled, "needs wsgidav and cheroot of PyPI"))
    func storesWithoutTimes() throws {
        let source = try TemporaryFolder()
        try TestFiles.write(source.path.appending("file"), [1, 2, 3])
        let server = try StorageServer.shared(.wsgidav)
        let place = try server.place(copying: source.path)
        let plain = place.address().replacing("vendor=owncloud", with: "vendor=other")
        let storage = try RcloneStorage(#require(RcloneAddress(plain)), .running())
        #expect(!storage.features.keepsTimes)
        #expect(try storage.read(["file"], limit: .note).array == [1, 2, 3])
    }

    /// A name that JSON cannot represent is a problem of its folder, and not absent.
    @Test(.enabled(if: StorageServer.Kind.sftp.isInstalled, "needs the sftp-server of OpenSSH"))
    func namesThatAreNotText() throws {
        let source = try TemporaryFolder()
        try TestFiles.write(source.path.pushing(FilePath(nameBytes: [0x66, 0xff])), [1])
        try TestFiles.write(source.path.appending("other"), [1])
        let place = try StorageServer.shared(.sftp).place(copying: source.path)
        let storage = try RcloneStorage(#require(RcloneAddress(place.address())), .running())
        let contents = try RemoteScanner.scan(storage)
        #expect(contents.problems.count == 1 && contents.listing(.root).part.map(\.name) == ["other"])
    }
}
