import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// The content of `IntegrityKey`, and its problems.
@Suite struct IntegrityKeyTests {
    static let place = "Documents/notes/IntegrityKey/"

    /// Two clients and a document with one key of the framework's form.
    static func remote(keys: [String] = ["0F1E2D3C-KEY"]) throws -> RemoteBuilder {
        let builder = try RemoteBuilder()
        try builder.skeleton().client("client-A", description: "Anna's Mac").client("client-B")
        try builder.document("notes").join("client-A", "notes").join("client-B", "notes")
        try TestFiles.remove(builder.root.pushing(FilePath(place + "0F1E2D3C-KEY")))
        for (number, key) in keys.enumerated() { try write(key, in: builder, day: number) }
        return builder
    }

    static func write(_ key: String, in builder: RemoteBuilder, day: Int) throws {
        let file = builder.root.pushing(FilePath(place + key))
        try TestFiles.write(file, try SmallFiles.integrityKey(originalDevice: "client-A", path: file))
        try TestFiles.setTime(file, FileTime(seconds: 1_300_000_000 + Int64(day) * 86_400))
    }

    static func folder(_ builder: RemoteBuilder) throws -> IntegrityKeyFolder {
        IntegrityKeyFolder(of: "notes", in: try RemoteSnapshot.take(builder.storage), builder.storage)
    }

    @Test func aSoundKey() throws {
        let folder = try Self.folder(Self.remote())
        #expect(folder.keys.map(\.name) == ["0F1E2D3C-KEY"])
        #expect(folder.keys.first?.content == .device("client-A"))
        #expect(folder.findings == [])
    }

    @Test func noKeyAtAll() throws {
        let remote = try Self.remote(keys: [])
        #expect(try Self.folder(remote).findings.map(\.kind) == [.noKey])
        try TestFiles.removeTree(remote.root.pushing(FilePath("Documents/notes/IntegrityKey")))
        let folder = try Self.folder(remote)
        #expect(folder.kind == nil)
        #expect(folder.findings.map(\.kind) == [.noKey])
    }

    @Test func severalKeys() throws {
        let folder = try Self.folder(Self.remote(keys: ["younger-name-1", "older-name-2"].reversed()))
        #expect(folder.keys.map(\.name) == ["older-name-2", "younger-name-1"])
        #expect(folder.findings.map(\.kind) == [.severalKeys])
        #expect(folder.findings.first?.path.last == "younger-name-1")
    }

    @Test func aShortKey() throws {
        let folder = try Self.folder(Self.remote(keys: ["abcd"]))
        #expect(folder.keys == [])
        #expect(folder.findings.map(\.kind) == [.shortKey])
    }

    /// Any name with five characters may be used, including hidden files and folders.
    @Test(
        arguments: [
            (".DS_Store", true), ("0F1E2D3C-KEY (1)", true), (".0F1E2D3C-KEY.icloud", true), ("x.tmp", true),
            (".tmp", false), ("._k", false),
        ])
    func strays(name: String, canBeTaken: Bool) throws {
        let remote = try Self.remote()
        try remote.write(Self.place + name, "stray")
        let folder = try Self.folder(remote)
        #expect(folder.keys.map(\.name) == ["0F1E2D3C-KEY"])
        #expect(folder.entries.first { $0.name == RemoteName(name) }?.canBeTaken == canBeTaken)
        #expect(folder.findings.map(\.kind) == (canBeTaken ? [.stray] : []))
    }

    @Test func foldersAndLinksAreStrays() throws {
        let remote = try Self.remote()
        try remote.makeFolder(Self.place + "folder")
        try remote.link(Self.place + "a-link", to: "0F1E2D3C-KEY")
        #expect(try Self.folder(remote).findings.map(\.kind) == [.stray, .stray])
    }

    @Test func contents() throws {
        func content(_ bytes: [UInt8]) -> IntegrityKeyContent { IntegrityKeyContent(SharedBytes(bytes)) }
        func archive(_ value: ArchivedValue) throws -> [UInt8] { try KeyedArchiveWriter.bytes(root: value) }
        let key = "kTICDSOriginalDeviceIdentifier"
        #expect(content([]) == .empty)
        #expect(content(try archive(.dictionary([key: .string("me")]))) == .device("me"))
        for value: ArchivedValue in [
            .string("me"), .dictionary([]), .dictionary([key: .integer(1)]),
            .dictionary([key: .string("me"), "more": .string("")]), .dictionary(["other": .string("me")]),
        ] {
            guard case .other = content(try archive(value)) else {
                Issue.record("\(value)")
                continue
            }
        }
        guard case .other = content(Array("key".utf8)) else {
            Issue.record("text")
            return
        }
    }

    @Test(arguments: ["plain-multi", "enc-multi"])
    func keysOfTheFramework(_ name: String) throws {
        let remote = try DescribedRemote(name)
        let snapshot = try RemoteSnapshot.take(remote.storage)
        #expect(!snapshot.documents.isEmpty)
        for document in snapshot.documents {
            let folder = IntegrityKeyFolder(of: document.identifier, in: snapshot, remote.storage)
            #expect(folder.findings == [])
            let entry = try #require(folder.entries.first)
            let device = try #require(entry.content?.originalDevice)
            let written = try SmallFiles.integrityKey(originalDevice: device, path: "/")
            #expect(try Archive(SharedBytes(written)) == Archive(remote.storage.read(entry.path)))
        }
    }

    /// The facts about a keyed archive that readers on any platform see. The order of the objects, and of the keys in
    /// the list of `$top`, depends on the machine that wrote it.
    struct Archive: Equatable {
        let version: ArchivedValue?
        let archiver: ArchivedValue?
        let top: [ArchivedValue]?
        let root: ArchivedValue
        let rootClass: String?
        /// Number of objects, and the scalars among them.
        let objects: Int?
        let scalars: Set<ArchivedValue>
        let classes: [ArchivedValue]

        init(_ bytes: SharedBytes) throws {
            let list = try BinaryPropertyList(bytes).value()
            version = list["$version"]
            archiver = list["$archiver"]
            top = list["$top"]?.pairs?.map(\.key)
            objects = list["$objects"]?.elements?.count
            let elements = list["$objects"]?.elements ?? []
            scalars = Set(elements.filter { $0.stringValue != nil })
            classes = elements.compactMap { $0["$classes"] }
            let reader = try KeyedArchiveReader(bytes)
            root = try reader.value(of: reader.root())
            rootClass = try reader.className(of: reader.root())
        }
    }
}
