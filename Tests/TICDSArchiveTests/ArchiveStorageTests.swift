import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

@testable import TICDSArchive

/// A remote in an archive has the entries, times and bytes of the folder of which the archive was made, and what is not
/// believed is an error, never an absence.
@Suite struct ArchiveStorageTests {
    /// An archive of a remote, and what it must have.
    private struct Archived {
        let remote: CleanRemote
        let scratch: TemporaryFolder
        var file: FilePath

        init(_ form: ArchiveForm, _ kind: CleanRemote.Kind = .plain, changeSets: Int = 12) throws {
            remote = try CleanRemote(kind, changeSets: changeSets)
            scratch = try TemporaryFolder(prefix: "ticds-test")
            file = scratch.path.appending("a\(form.ending)")
            try export(form, to: file)
        }

        func export(_ form: ArchiveForm, to file: FilePath, on earlier: FilePath? = nil) throws {
            let earlier = try earlier.map { try EarlierArchive($0) }
            let exporter = ArchiveExporter(
                remote.storage, .init(form: form, program: "test", earlier: earlier))
            _ = try ArchiveFile.export(exporter, to: file)
        }

        func storage(bound: Int64? = nil) throws -> ArchiveStorage {
            try ArchiveStorage(file, workers: 2, spoolBound: bound)
        }
    }

    private typealias Content = Result<[UInt8], FileProblem>

    /// Every file of a remote, and every folder as an empty file.
    private static func contents(
        of storage: any RemoteStorage, sorted isEarlier: (RemotePath, RemotePath) -> Bool = { $0 < $1 }
    ) throws -> [RemotePath: Content] {
        let tree = try RemoteScanner.scan(storage)
        var files: [RemotePath] = []
        tree.forEachFile(below: .root) { files.append($0.path) }
        var contents: [RemotePath: Content] = [:]
        for file in files.sorted(by: isEarlier) {
            contents[file] = Content { () throws(FileProblem) in
                try storage.read(file, limit: .anyFile).array
            }
        }
        for folder in tree.folders.keys { contents[folder] = .success([]) }
        return contents
    }

    /// What the listings show, without what only a folder has.
    private static func listings(of storage: any RemoteStorage) throws -> [RemotePath: [FolderEntry]] {
        try RemoteScanner.scan(storage).folders.mapValues { listing in
            listing.map { entry in
                let size = entry.kind == .folder ? 0 : entry.size
                return FolderEntry(name: entry.name, kind: entry.kind, size: size, modified: entry.modified)
            }
        }
    }

    @Test(arguments: ArchiveForm.allCases, CleanRemote.Kind.allCases)
    func hasTheEntriesAndBytesOfItsFolder(form: ArchiveForm, kind: CleanRemote.Kind) throws {
        let archived = try Archived(form, kind)
        let storage = try archived.storage()
        let folder = archived.remote.storage
        #expect(storage.root == archived.file.appending(archived.remote.root.lastComponent?.string ?? ""))
        #expect(try Self.listings(of: storage) == Self.listings(of: folder))
        #expect(try storage.status(of: .root).modified == folder.status(of: .root).modified)
        #expect(try Self.contents(of: storage) == Self.contents(of: folder))
        let missing: RemotePath = ["Documents", "none"]
        #expect(try storage.statusIfPresent(of: missing) == nil)
        #expect(throws: FileProblem.self) { try storage.read(["Documents"], limit: .anyFile) }
    }

    /// In any order, with a spool that keeps nothing for long.
    @Test(arguments: [ArchiveForm.zstd, .zip]) func readsBackwardsWithASmallSpool(form: ArchiveForm) throws {
        let archived = try Archived(form)
        let storage = try archived.storage(bound: 20_000)
        let expected = try Self.contents(of: archived.remote.storage)
        #expect(try Self.contents(of: storage, sorted: { $1 < $0 }) == expected)
        #expect(try Self.contents(of: storage) == expected)
    }

    @Test func staysReadableWhileItsBytesLeaveTheSpool() throws {
        let archived = try Archived(.zstd)
        let storage = try archived.storage(bound: 0)
        let store = "Documents/cookbook/WholeStore/\(archived.remote.clients[0])/WholeStore.ticdsync"
        let file = RemotePath(store.split(separator: "/").map { RemoteName(String($0)) })
        let bytes = try archived.remote.storage.read(file, limit: .anyFile).array
        let open = try storage.open(file)
        _ = try Self.contents(of: storage)
        #expect(try open.head(count: bytes.count + 1).array == bytes)
    }

    @Test(arguments: [ArchiveForm.zstd, .xz, .zip]) func readsFilesOfEarlierArchives(form: ArchiveForm) throws
    {
        var archived = try Archived(form)
        for number in 1...3 {
            let later = archived.scratch.path.appending("\(number)\(form.ending)")
            let note = archived.remote.path("ReadMe.txt")
            if try FileStatus.ifPresent(note) != nil { try TestFiles.remove(note) }
            try TestFiles.write(note, Array("note \(number)".utf8))
            try archived.export(form, to: later, on: archived.file)
            archived.file = later
        }
        let storage = try archived.storage()
        #expect(try Self.listings(of: storage) == Self.listings(of: archived.remote.storage))
        let expected = try Self.contents(of: archived.remote.storage)
        #expect(try Self.contents(of: storage) == expected)
        #expect(try Self.contents(of: archived.storage(bound: 5_000), sorted: { $1 < $0 }) == expected)

        // Without the earlier archive, its files are unread.
        try TestFiles.remove(archived.scratch.path.appending("a\(form.ending)"))
        let left = try Self.contents(of: archived.storage())
        #expect(left.keys == expected.keys)
        for (path, content) in left where content != expected[path] {
            guard case .failure(let problem) = content else {
                Issue.record("\(path) has other bytes")
                continue
            }
            #expect(problem.isUnread, "\(problem)")
        }
        #expect(left.values.contains { (try? $0.get()) == nil })
    }

    /// The archive stays the one that was opened; a program that writes into it is seen.
    @Test func archiveThatIsReplacedStaysTheOneThatWasOpened() throws {
        let archived = try Archived(.zstd)
        let expected = try Self.contents(of: archived.remote.storage)
        let storage = try archived.storage()
        let other = archived.scratch.path.appending("other")
        try TestFiles.write(other, Array("something else".utf8))
        try NewFile.rename(other, to: archived.file)
        #expect(try Self.contents(of: storage) == expected)
    }

    @Test func archiveThatIsWrittenIntoIsUnread() throws {
        let archived = try Archived(.zstd)
        let storage = try archived.storage(bound: 0)
        let descriptor = try FileDescriptor.open(archived.file, .writeOnly, options: [.append])
        try descriptor.closeAfter { _ = try descriptor.writeAll([1, 2, 3]) }
        // From the last file to the first, so that the archive is read again.
        let contents = try Self.contents(of: storage, sorted: { $1 < $0 })
        let kinds = contents.values.compactMap { content in
            if case .failure(let problem) = content { problem.kind } else { nil }
        }
        #expect(kinds.count > 10 && kinds.allSatisfy { $0 == .changedWhileReading })
    }

    /// Whatever byte of an archive is damaged: it cannot be opened, or each file has its bytes or is unread.
    @Test(arguments: [ArchiveForm.zstd, .gzip, .xz, .zip]) func damagedByteNeverGivesOtherBytes(
        form: ArchiveForm
    ) throws {
        let archived = try Archived(form, changeSets: 4)
        let expected = try Self.contents(of: archived.remote.storage)
        let listings = try Self.listings(of: archived.remote.storage)
        let bytes = try FileBytes.read(archived.file, limit: .anyFile).array
        var random = RandomNumbers(UInt64(form.ending.utf8.count))
        var (opened, unread) = (0, 0)
        for number in 0..<120 {
            var damaged = bytes
            let place = Int(random.next() % UInt64(bytes.count))
            switch number % 4 {
            case 0: damaged[place] ^= UInt8(1 << (random.next() % 8))
            case 1: damaged.removeSubrange(place...)
            case 2: damaged.removeSubrange(place..<min(bytes.count, place + 16))
            default: for offset in place..<min(bytes.count, place + 40) { damaged[offset] = 0 }
            }
            try TestFiles.remove(archived.file)
            try TestFiles.write(archived.file, damaged)
            let found: [RemotePath: Content]
            do {
                let storage = try archived.storage()
                #expect(try Self.listings(of: storage) == listings)
                found = try Self.contents(of: storage)
            } catch is FileProblem { continue }
            opened += 1
            #expect(found.keys == expected.keys)
            for (path, content) in found {
                switch content {
                case .success: #expect(content == expected[path], "\(path)")
                case .failure(let problem):
                    unread += 1
                    #expect(problem.isUnread, "\(path): \(problem)")
                }
            }
        }
        #expect(opened > 10 && unread > 10, "\(opened) \(unread)")
    }

    // MARK: Archives of other programs

    /// Archives that tar(1) and zip(1) made of a remote or of the folder around it.
    @Test(arguments: [
        "tar -cf a -C '@' .", "tar -cf a -C '@/..' app", "tar -czf a -C '@/..' app",
        "tar -cjf a -C '@/..' app",
        "tar -cf a -C '@/..' app --format=gnu", "cd '@/..'; python3 -m zipfile -c ../a app",
    ]) func hasTheBytesWithoutAManifest(command: String) throws {
        let remote = try CleanRemote()
        let scratch = try TemporaryFolder(prefix: "ticds-test")
        let folder = scratch.path.appending("in").appending("app")
        try Self.shell(
            "cd '\(scratch.path)'; mkdir in; cp -a '\(remote.root)' in/app; "
                + command.replacing("@", with: folder.string))
        let storage = try ArchiveStorage(scratch.path.appending("a"))
        #expect(!storage.hasManifest)
        #expect(try Self.contents(of: storage) == Self.contents(of: remote.storage))
    }

    /// The header of each member repeats the name and the times of the directory, and is their only check.
    @Test func zipWithDamagedDirectoryIsRefused() throws {
        let remote = try CleanRemote()
        let scratch = try TemporaryFolder(prefix: "ticds-test")
        try Self.shell("cd '\(scratch.path)'; cp -a '\(remote.root)' app; zip -qr a.zip app")
        let file = scratch.path.appending("a.zip")
        let intact = try FileBytes.read(file, limit: .anyFile).array
        let contents = try Self.contents(of: ArchiveStorage(file))
        let starts = intact.indices.dropLast(4).filter { intact[$0...].starts(with: [0x50, 0x4B, 1, 2]) }
        #expect(starts.count == contents.count)
        for start in starts.dropFirst().enumerated().filter({ $0.offset % 7 == 0 }).map(\.element) {
            let name = Int(intact[start + 28]) + Int(intact[start + 29]) << 8
            // The last byte of the name, the time of day, and the time in UTC.
            for place in [start + 45 + name, start + 13, start + 46 + name + 6] {
                var bytes = intact
                bytes[place] ^= 0x80
                try TestFiles.remove(file)
                try TestFiles.write(file, bytes)
                #expect(throws: FileProblem.self, "\(place)") { try ArchiveStorage(file) }
            }
        }
    }

    /// gzip(1) writes a checksum behind the content, which is the only check of an archive without a manifest.
    @Test(arguments: [
        ("cat a.gz", true), ("cat a.gz; head -c 700 /dev/zero", true), ("cat 1.gz 2.gz", true),
        ("head -c -8 a.gz; tail -c 8 a.gz | tr '\\000-\\377' '\\001-\\377\\000'", false),
        ("head -c -4 a.gz", false), ("cat 1.gz; head -c -5 2.gz", false), ("cat 1.gz", false),
        ("head -c -5 1.gz; tail -c 5 a.gz; cat 2.gz", false), ("cat 1.gz; tail -c +2 2.gz", false),
    ]) func gzipIsBelievedWithItsChecksum(command: String, isIntact: Bool) throws {
        let remote = try CleanRemote()
        let scratch = try TemporaryFolder(prefix: "ticds-test")
        try Self.shell(
            """
            cd '\(scratch.path)'; cp -a '\(remote.root)' app; tar --format=posix -cf a.tar app; gzip -k a.tar
            mv a.tar.gz a.gz; head -c 30000 a.tar | gzip > 1.gz; tail -c +30001 a.tar | gzip > 2.gz
            (\(command)) > b.tar.gz
            """)
        let file = scratch.path.appending("b.tar.gz")
        if isIntact {
            #expect(try Self.contents(of: ArchiveStorage(file)) == Self.contents(of: remote.storage))
        } else {
            let error = try #require(throws: FileProblem.self) { try ArchiveStorage(file) }
            #expect(error.kind == .damaged, "\(error)")
        }
    }

    private static func shell(_ line: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-ec", line]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}

/// Reading that begins at the frame of a member.
@Suite struct ZstdFramesTests {
    /// A remote whose archive has many frames, with a file of many frames in the middle.
    private static func archive() throws -> (scratch: TemporaryFolder, root: FilePath, file: FilePath) {
        let scratch = try TemporaryFolder(prefix: "ticds-test")
        let root = scratch.path.appending("com.example.app")
        var random = RandomNumbers(7)
        for folder in ["ClientDevices", "Documents", "Documents/d"] {
            try TestFiles.makeFolders(root.pushing(FilePath(folder)))
        }
        for number in 0..<60 {
            let size = number == 30 ? 30 << 20 : 700_000
            let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                for place in buffer.indices { buffer[place] = UInt8(truncatingIfNeeded: random.next() >> 59) }
                count = size
            }
            try TestFiles.write(root.pushing(FilePath("Documents/d/f\(100 + number)")), bytes)
        }
        let file = scratch.path.appending("a.tar.zst")
        _ = try ArchiveFile.export(
            ArchiveExporter(LocalStorage(root: root), .init(form: .zstd, program: "test")), to: file)
        return (scratch, root, file)
    }

    @Test func readsAnyMemberFromItsFrame() throws {
        let (scratch, root, file) = try Self.archive()
        defer { withExtendedLifetime(scratch) {} }
        let open = try OpenArchive(file)
        let frames = try open.frames()
        #expect(frames.starts.count > 20)
        let bytes = try FileBytes.read(file, limit: .anyFile)
        for start in frames.starts {
            #expect(bytes.array(start..<start + 4) == [0x28, 0xB5, 0x2F, 0xFD])
        }
        let storage = try ArchiveStorage(file, workers: 1, spoolBound: 4 << 20)
        let folder = LocalStorage(root: root)
        for number in [59, 0, 31, 30, 29, 58, 1, 30, 45] {
            let path: RemotePath = ["Documents", "d", RemoteName("f\(100 + number)")]
            #expect(
                try storage.read(path, limit: .anyFile).array == folder.read(path, limit: .anyFile).array,
                "\(number)")
        }
    }

    /// Members behind damage are readable; those in it are unread.
    @Test func readsBehindDamage() throws {
        let (scratch, root, file) = try Self.archive()
        defer { withExtendedLifetime(scratch) {} }
        let frames = try OpenArchive(file).frames().starts
        var bytes = try FileBytes.read(file, limit: .anyFile).array
        let damaged = frames[6] + 5_000
        for place in damaged..<damaged + 200 { bytes[place] = 0xA5 }
        try TestFiles.remove(file)
        try TestFiles.write(file, bytes)
        let storage = try ArchiveStorage(file, workers: 1, spoolBound: nil)
        let folder = LocalStorage(root: root)
        var unread = 0
        for number in 0..<60 {
            let path: RemotePath = ["Documents", "d", RemoteName("f\(100 + number)")]
            do {
                #expect(
                    try storage.read(path, limit: .anyFile).array == folder.read(path, limit: .anyFile).array)
            } catch {
                #expect(error.isUnread, "\(error)")
                unread += 1
            }
        }
        #expect((1...4).contains(unread), "\(unread)")
    }
}
