import Base
import CFuse
import Foundation
import Mounting
import Synchronization
import SystemCalls
import TestSupport
import Testing

/// The messages between the kernel and a mount, without a kernel.
@Suite struct FuseServerTests {
    private static let time = FileTime(seconds: 1_367_400_000)

    private static func file(_ text: String) -> VirtualNode {
        .file(FixedFile(SharedBytes(Array(text.utf8)), modified: time))
    }

    private static let tree = FixedFolder(
        modified: time,
        [
            ("a.txt", file("some text")),
            ("folder", .folder(FixedFolder(modified: time, (0..<500).map { ("file \($0)", file("\($0)")) }))),
        ])

    @Test func filesAreReadInPieces() throws {
        let client = FuseClient(Self.tree)
        let node = try #require(client.lookUp("a.txt", in: 1).value)
        #expect(client.size(node) == 9)
        let handle = try #require(client.open(node).value)
        #expect(client.read(node, handle, at: 0, size: 4) == .success(Array("some".utf8)))
        #expect(client.read(node, handle, at: 4, size: 100) == .success(Array(" text".utf8)))
        #expect(client.read(node, handle, at: 9, size: 100) == .success([]))
        #expect(client.read(node, handle, at: .max, size: 100) == .failure(EINVAL))
        var release = fuse_release_in()
        release.fh = handle
        #expect(client.send(FUSE_RELEASE, node, FuseClient.bytes(release)) == .success([]))
        #expect(client.read(node, handle, at: 0, size: 4) == .failure(EBADF))
    }

    @Test(arguments: [false, true]) func foldersAreListedInPieces(_ withNodes: Bool) throws {
        let client = FuseClient(Self.tree)
        #expect(client.names(1, size: 4096, withNodes: withNodes) == [".", "..", "a.txt", "folder"])
        let node = try #require(client.lookUp("folder", in: 1).value)
        for size in [400, 4096, 1 << 17] as [UInt32] {
            #expect(client.names(node, size: size, withNodes: withNodes)?.count == 502)
        }
    }

    @Test func changedFileGetsANumberAndOpenOnesStay() throws {
        let folder = ChangingFolder()
        let client = FuseClient(folder)
        let node = try #require(client.lookUp("a.txt", in: 1).value)
        let handle = try #require(client.open(node).value)
        folder.text.withLock { $0 = "longer than before" }
        #expect(client.open(node) == .failure(ESTALE))
        let other = try #require(client.lookUp("a.txt", in: 1).value)
        let later = try #require(client.open(other).value)
        #expect(node != other && client.size(node) == 4 && client.size(other) == 18)
        folder.text.withLock { $0 = nil }
        #expect(client.read(node, handle, at: 0, size: 100) == .success(Array("text".utf8)))
        #expect(client.read(other, later, at: 0, size: 100) == .success(Array("longer than before".utf8)))
        #expect(client.open(other) == .failure(ENOENT))
        #expect(client.size(other) == nil)
    }

    /// The kernel may keep small contents under their numbers.
    @Test func numberHasOneContent() throws {
        let folder = ChangingFolder()
        let client = FuseClient(folder)
        let node = try #require(client.lookUp("a.txt", in: 1).value)
        let (direct, keeps) = (UInt32(1), UInt32(2))
        #expect(client.openFlags(node) == .success(keeps))
        #expect(client.openFlags(node) == .success(keeps))
        folder.text.withLock { $0 = "tixt" }
        #expect(client.lookUp("a.txt", in: 1).value == node)
        #expect(client.openFlags(node) == .failure(ESTALE))
        let other = try #require(client.lookUp("a.txt", in: 1).value)
        #expect(other != node && client.openFlags(other) == .success(keeps))
        folder.text.withLock { $0 = String(repeating: "x", count: 200_000) }
        let large = try #require(client.lookUp("a.txt", in: 1).value)
        #expect(client.openFlags(large) == .success(direct))
    }

    @Test(arguments: [["a", "b", "c"], ["c", "a", "\u{e9}", "B", "e\u{301}", "b"], [], ["one"]])
    func namesAreFoundInAnyOrder(
        _ names: [String]
    ) {
        let index = NameIndex(names)
        #expect(names.map { index.position(of: $0) } == Array(names.indices))
        #expect(["", "aa", "z", "ONE"].allSatisfy { index.position(of: $0) == nil })
    }

    @Test func namesThatDifferInNormalizationAreDifferentFiles() throws {
        let names = ["e\u{301}.txt", "\u{e9}.txt"]
        let client = FuseClient(
            FixedFolder(modified: Self.time, names.map { ($0, Self.file("\($0.unicodeScalars.count)")) }))
        let nodes = try names.map { try #require(client.lookUp($0, in: 1).value) }
        for (node, name) in zip(nodes, names) {
            let handle = try #require(client.open(node).value)
            let text = Array("\(name.unicodeScalars.count)".utf8)
            #expect(client.read(node, handle, at: 0, size: 9) == .success(text))
        }
    }

    @Test func absentNamesAreAbsent() {
        let client = FuseClient(Self.tree)
        #expect(client.lookUp("b.txt", in: 1) == .failure(ENOENT))
        #expect(client.lookUp("a.txt", in: 99) == .failure(ESTALE))
        #expect(client.send(FUSE_LOOKUP, 1, [0xFF, 0xFE, 0]) == .failure(ENOENT))
    }

    @Test(
        arguments: [FUSE_WRITE, FUSE_UNLINK, FUSE_MKDIR, FUSE_RENAME2, FUSE_CREATE, FUSE_SETATTR].map(
            \.rawValue))
    func nothingCanBeWritten(_ operation: UInt32) {
        #expect(FuseClient(Self.tree).send(fuse_opcode(operation)) == .failure(EROFS))
    }

    @Test func inodeNumbersStayAfterTheKernelForgot() throws {
        let client = FuseClient(Self.tree)
        let folder = try #require(client.lookUp("folder", in: 1).value)
        let before = try #require(client.lookUp("file 7", in: folder).value)
        let inode = try #require(client.inode(before))
        #expect(client.inode(try #require(client.lookUp("file 8", in: folder).value)) != inode)
        client.forget(before)
        #expect(client.size(before) == nil)
        let after = try #require(client.lookUp("file 7", in: folder).value)
        #expect(after != before)
        #expect(client.inode(after) == inode)
    }

    @Test func kernelIsAskedToForgetManyNodes() throws {
        let client = FuseClient(FuseServer(Self.tree, mostNodes: 100) { _ in })
        let folder = try #require(client.lookUp("folder", in: 1).value)
        for number in 0..<99 { _ = client.lookUp("file \(number)", in: folder) }
        #expect(client.server.messagesToForget.isEmpty)
        let last = try #require(client.lookUp("file 99", in: folder).value)
        let messages = client.server.messagesToForget
        // The header, the number of nodes, and the nodes: the last first, their folder at the end.
        try #require(messages.count == 1)
        let words = messages[0].withUnsafeBytes { bytes in
            (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self) }
        }
        #expect(words.count == 4 + 101)
        #expect(words[0] == UInt64(messages[0].count) | 9 << 32)
        #expect(words[1...3] == [0, 101, 0])
        #expect(words[4] == last)
        #expect(words.last == folder)
        // Not again at once: the kernel may use all of them.
        _ = client.lookUp("file 100", in: folder)
        #expect(client.server.messagesToForget.isEmpty)
    }

    @Test func shortAndUnknownMessagesAreRefused() {
        let client = FuseClient(Self.tree)
        for operation in 1...60 as ClosedRange<UInt32> {
            let answer = client.send(fuse_opcode(operation), 1, [1, 2, 3])
            #expect(answer.value?.isEmpty != false || operation == FUSE_STATFS.rawValue, "\(operation)")
        }
        #expect([UInt8](repeating: 0, count: 12).withUnsafeBytes { client.server.answer($0) } == nil)
    }

    @Test func versionIsAgreedOn() throws {
        let client = FuseClient(Self.tree)
        var input = [7, 38, 65_536, UInt32.max].flatMap { FuseClient.bytes($0) }
        let answer = try #require(client.send(FUSE_INIT, 0, input).value)
        #expect(answer.count == MemoryLayout<fuse_init_out>.size)
        input = [6, 38, 65_536, UInt32.max].flatMap { FuseClient.bytes($0) }
        #expect(client.send(FUSE_INIT, 0, input) == .failure(EPROTO))
    }

    @Test func namesAreSafeUniqueAndBounded() {
        var names = VirtualNames()
        let hostile = [
            "a/b", "..", ".", "", "a\u{0}b", "a\nb", "\u{202E}gpj.exe", "con", "NUL.txt", "-rf", "~root",
            "x.", "x ", "con .txt", "COM¹", "conout$", "Straße", "STRASSE", "ﬁ", "FI",
            "Soup", "soup", "SOUP", String(repeating: "ä", count: 400), String(repeating: "ä", count: 401),
            "é", "e\u{301}",
            "a:b*c?d\"e<f>g|h\\i",
        ]
        var seen: Set<String> = []
        for (number, text) in hostile.enumerated() {
            let name = names.next(text, suffix: ".json", or: "\(number)", room: 12)
            #expect(name.utf8.count <= 255 - 12 + 5, "\(name)")
            #expect(seen.insert(name.uppercased().lowercased()).inserted, "\(name)")
            #expect(
                !["con", "nul", "com¹", "conout$"].contains(
                    name.prefix { $0 != "." && $0 != " " }.lowercased()))
            #expect(name.hasSuffix(".json") && !name.hasPrefix(".") && !name.hasPrefix("-"), "\(name)")
            #expect(
                !name.unicodeScalars.contains { $0.value < 32 || "/\\:*?\"<>|".unicodeScalars.contains($0) })
        }
    }
}

/// A folder with one file, which changes.
final class ChangingFolder: VirtualFolder {
    let modified = FileTime(seconds: 0)
    let text = Mutex<String?>("text")

    func listing() -> VirtualListing {
        let text = text.withLock(\.self)
        guard let text else { return VirtualListing([]) }
        return VirtualListing([
            ("a.txt", .file(FixedFile(SharedBytes(Array(text.utf8)), modified: modified)))
        ])
    }
}
