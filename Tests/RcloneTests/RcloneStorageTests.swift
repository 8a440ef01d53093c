import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSVerification

@testable import Rclone

/// A folder in a storage behaves like the same local folder.
@Suite(.enabled(if: InstalledRclone.path != nil, "needs rclone 1.72")) struct RcloneStorageTests {
    init() throws { _ = try InstalledRclone.cache.get() }

    @Test(arguments: [CleanRemote.Kind.plain, .encryptedAndZipped]) func folder(_ kind: CleanRemote.Kind)
        throws
    {
        let remote = try CleanRemote(kind)
        try compare(remote, ":local:" + remote.root.string, resolution: 1)
    }

    /// Names that have a meaning in a URL, or for rclone.
    @Test(arguments: ["a]b", "[x]", "a b%20?c#d", "é,;&='\"", "{a}", "a:b", "-"]) func names(_ name: String)
        throws
    {
        let remote = try CleanRemote(changeSets: 2)
        let folder = remote.folder.path.appending(name)
        try FileManager.default.moveItem(atPath: remote.root.string, toPath: folder.string)
        let address = try #require(RcloneAddress("rclone::local:" + remote.folder.path.string))
        let storage = try RcloneStorage(address.appending(name), RcloneEngine())
        let own = LocalStorage(root: folder)
        var problems: [String] = []
        try RemoteScanner.scan(own).forEachFile(below: .root) { file in
            do {
                if try storage.read(file.path).array != own.read(file.path).array {
                    problems.append("\(file.path) differs")
                }
            } catch { problems.append("\(error)") }
        }
        #expect(problems == [])
    }

    @Test(arguments: StorageServer.Kind.available) func server(_ kind: StorageServer.Kind) throws {
        let remote = try CleanRemote()
        let place = try StorageServer.shared(kind).place(copying: remote.root)
        try compare(remote, place.location(), resolution: kind.resolution)
    }

    private func compare(_ remote: CleanRemote, _ place: String, resolution: Int32) throws {
        let address = try #require(RcloneAddress("rclone:" + place))
        let engine = try RcloneEngine()
        let storage = try RcloneStorage(address, engine)
        let tree = try RemoteScanner.scan(remote.storage)
        let other = try RemoteScanner.scan(storage)
        #expect(other.problems.isEmpty)
        #expect(Set(tree.folders.keys) == Set(other.folders.keys))
        for (folder, listing) in tree.folders {
            let its = other.listing(folder).part
            #expect(its.map(\.name) == listing.map(\.name), "\(folder)")
            for (one, other) in zip(listing, its) where one.kind == .file {
                #expect(one.kind == other.kind && one.size == other.size)
                #expect(one.modified.seconds == other.modified.seconds, "\(folder)/\(one.name)")
                #expect(
                    one.modified.nanoseconds / resolution == other.modified.nanoseconds / resolution,
                    "\(folder)/\(one.name)")
                let path = folder.appending(one.name)
                let bytes = try remote.storage.read(path)
                #expect(try storage.read(path).array == bytes.array)
                #expect(try storage.open(path).hasSameBytes(as: remote.storage.open(path)))
                #expect(try storage.head(path, count: 16).array == Array(bytes.array.prefix(16)))
                #expect(try storage.read(path, range: 3..<1 << 40).array == Array(bytes.array.dropFirst(3)))
            }
        }
        let missing = #expect(throws: FileProblem.self) { try storage.read(["Documents", "none"]) }
        #expect(missing?.kind == .missing)
        let folder = #expect(throws: FileProblem.self) { try storage.read(["Documents"]) }
        #expect(folder?.kind == .unreadable)
    }

    /// Another command that trims the cache leaves a copy that is being made, although the copy has the time of its
    /// original.
    @Test func aCopyThatIsBeingMadeStays() throws {
        let mirror = try ContentCache()
        let file = RemoteFile(path: ["large"], size: 3, modified: FileTime(seconds: 0))
        let address = try #require(RcloneAddress("rclone::local:/nowhere"))
        let place = mirror.place(file, version: RandomName.make(), of: address)
        let other = mirror.place(file, version: RandomName.make(), of: address)
        let copy = try mirror.add(place, size: 3) { (new) throws(FileProblem) in
            try NewFile.write([1, 2, 3], to: new, modified: FileTime(seconds: 0))
            // The cache is trimmed when it is released.
            _ = try ContentCache().add(other, [1])
        }
        #expect(try copy.bytes(in: 0..<3).array == [1, 2, 3])
    }

    /// The second reader fetches nothing: it works without a server.
    @Test func mirror() throws {
        let remote = try CleanRemote()
        let server = try StorageServer(.webdav)
        let place = try server.place(copying: remote.root)
        let address = try #require(RcloneAddress(place.address()))
        let storage = try RcloneStorage(address, RcloneEngine())
        var files: [RemoteFile] = []
        try RemoteScanner.scan(storage).forEachFile(below: .root) { files.append($0) }
        storage.prepareToRead { files }
        server.stop()
        for file in files {
            #expect(try storage.read(file.path).array == remote.storage.read(file.path).array)
        }
    }

    /// The head of a large file is also kept, and is used for nothing else.
    @Test func headOfALargeFile() throws {
        let remote = try CleanRemote()
        let large: RemotePath = ["Documents", "large"]
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        try remote.write(large.text, bytes, encrypted: false)
        let server = try StorageServer(.webdav)
        let address = try #require(RcloneAddress(server.place(copying: remote.root).address()))
        let storage = try RcloneStorage(address, RcloneEngine())
        for range in [0..<4_096, 0..<4_097, 1..<4_096, 0..<4_096, 0..<100_000] {
            #expect(try storage.read(large, range: range).array == Array(bytes[range]))
        }
        server.stop()
        #expect(try storage.head(large, count: 4_096).array == Array(bytes[..<4_096]))
    }
}
