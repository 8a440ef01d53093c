import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSCore

/// Remotes after interference by users, cloud services and broken programs.
@Suite struct RemoteHostileTests {
    static let client = "CLIENT-A"

    func builder() throws -> RemoteBuilder {
        try RemoteBuilder().skeleton().client(Self.client).document("Notebook").join(Self.client, "Notebook")
            .changeSet("0388521234.123456-X", of: Self.client, in: "Notebook", time: 1_366_828_434)
    }

    func strays(_ builder: RemoteBuilder) throws -> [String: Stray.Kind] {
        let strays = try RemoteSnapshot.take(builder.storage).strays
        return Dictionary(strays.map { ($0.path.last?.text ?? "", $0.kind) }) { one, _ in one }
    }

    @Test func soundRemoteHasNoStray() throws {
        let builder = try builder()
        let snapshot = try RemoteSnapshot.take(builder.storage)
        #expect(snapshot.strays == [] && snapshot.problems == [])
        #expect(snapshot.documents.first?.missingFolders == [])
    }

    @Test(arguments: [
        ("x (Bob's conflicted copy 2013-05-01).syncchg", Stray.Kind.conflictedCopy),
        ("0388521234.123456-X (1).syncchg", .conflictedCopy),
        ("0388521234.123456-X 2.syncchg", .conflictedCopy),
        (".0388.syncchg.icloud", .cloudPlaceholder), ("0388.syncchg.nextcloud", .cloudPlaceholder),
        ("0388521235.000000-Y.syncchg", .emptyFile),
        ("0388.syncchg.part", .partialDownload), ("0388.syncchg.tmp", .temporaryFile),
        (".DS_Store", .systemFile),
        ("desktop.ini", .systemFile), ("Icon\r", .systemFile), (".dropbox.attr", .systemFile),
        ("notes.txt", .unknown),
        ("0388521234.123456-x.syncchg", .nameTwin), (".hidden.syncchg", .unknown), (".syncchg", .unknown),
    ])
    func straysAmongChangeSets(_ name: String, _ kind: Stray.Kind) throws {
        let content = kind == .emptyFile ? "" : "content"
        let folder = "Documents/Notebook/SyncChanges/\(Self.client)/"
        let builder = try builder().write(folder + name, content)
        let snapshot = try RemoteSnapshot.take(builder.storage)
        // Either of a pair of twins may be called the twin.
        let found = snapshot.strays.map { ($0.path.last?.text.lowercased() ?? "", $0.kind) }
        #expect(found.count == 1 && found.first?.0 == name.lowercased() && found.first?.1 == kind)
        let isSet = kind == .emptyFile || kind == .nameTwin
        #expect(snapshot.documents.first?.clients.first?.changeSets.count == (isSet ? 2 : 1))
    }

    @Test func numbersInNamesWithoutAnOriginalAreData() throws {
        let builder = try builder().client("Client 2").client("Client (3)")
        #expect(try strays(builder) == [:])
        #expect(try RemoteSnapshot.take(builder.storage).clientDevices.count == 3)
    }

    @Test func linksAreNeverFollowed() throws {
        let outside = try TemporaryFolder()
        try TestFiles.write(outside.path.appending("secret"), [1, 2, 3])
        let builder = try builder()
            .link("Documents/Linked", to: outside.path.string)
            .link("ClientDevices/\(Self.client)/loop", to: "..")
            .link("Documents/Notebook/WholeStore/\(Self.client)", to: outside.path.string)
        let snapshot = try RemoteSnapshot.take(builder.storage)
        #expect(snapshot.strays.map(\.kind) == [.symbolicLink, .symbolicLink, .symbolicLink])
        #expect(snapshot.documents.map(\.identifier) == ["Notebook"])
        let error = #expect(throws: FileProblem.self) {
            try builder.storage.read(["Documents", "Linked", "secret"], limit: ReadLimit(10, "test"))
        }
        #expect(error?.kind == .missing || error?.kind == .unreadable)
        #expect(throws: FileProblem.self) { try builder.storage.list(["Documents", "Linked"]) }
    }

    @Test func namesThatAreNotUTF8AreKeptByTheirBytes() throws {
        let builder = try builder()
        let name: [UInt8] = [0x66, 0xFF, 0xFE, 0x0A] + Array("-set.syncchg".utf8)
        let folder = builder.root.pushing("Documents/Notebook/SyncChanges").pushing(FilePath(Self.client))
        try TestFiles.write(folder.pushing(FilePath(nameBytes: name)), [7])
        let snapshot = try RemoteSnapshot.take(builder.storage)
        let sets = try #require(snapshot.documents.first?.clients.first?.changeSets)
        let foreign = try #require(sets.first { !$0.name.isUTF8 })
        #expect(foreign.name.bytes == name)
        #expect(foreign.name.description == #"f\xFF\xFE\n-set.syncchg"#)
        let path = RemoteLayout.syncChanges(of: RemoteName(Self.client), in: "Notebook").appending(
            foreign.name)
        #expect(try builder.storage.read(path, limit: ReadLimit(10, "test")).array == [7])
    }

    @Test func twoUnicodeFormsAreTwoFilesAndReported() throws {
        let builder = try builder().client("Caf\u{E9}-client").client("Cafe\u{301}-client")
        let snapshot = try RemoteSnapshot.take(builder.storage)
        #expect(snapshot.clientDevices.count == 3)
        #expect(snapshot.strays.map(\.kind) == [.nameTwin])
    }

    @Test func filesWhereFoldersBelong() throws {
        let builder = try builder().write("Documents/file", "x").write("Documents/Other/SyncChanges", "x")
            .makeFolder("Documents/Notebook/documentInfo2").write("Documents/Notebook/SyncChanges/stray", "x")
        let found = try strays(builder)
        #expect(
            found == [
                "file": .wrongKind, "SyncChanges": .wrongKind, "documentInfo2": .unknown, "stray": .wrongKind,
            ])
        let other = try RemoteSnapshot.take(builder.storage).document("Other")
        #expect(other?.documentInfo.isMissing == true)
        #expect(other?.missingFolders.contains("SyncChanges") == true)
    }

    @Test func fifosAreReportedAndNotOpened() throws {
        let builder = try builder()
        try TestFiles.makeFifo(builder.root.appending("pipe"))
        #expect(try strays(builder) == ["pipe": .specialFile])
        let error = #expect(throws: FileProblem.self) {
            try builder.storage.read(["pipe"], limit: ReadLimit(10, "test"))
        }
        #expect(error?.kind == .unreadable)
    }

    @Test func deepNestingEnds() throws {
        let deep = (0..<60).map { _ in "d" }.joined(separator: "/")
        let builder = try builder().makeFolder("Documents/Notebook/TemporaryFiles/" + deep)
        let snapshot = try RemoteSnapshot.take(builder.storage)
        #expect(snapshot.problems.map(\.kind) == [.unreadable])
        #expect(snapshot.gap(below: .root) != nil && !snapshot.listed.isWhole)
        #expect(snapshot.documents.count == 1)
    }

    /// An entry without a status is not in a listing, so its folder may have more names.
    @Test func entriesWithoutStatusAreGapsOfNames() {
        let problem = FileProblem(.unreadable, path: "/remote/Documents/lost", "cannot be read")
        let tree = RemoteTree(
            root: "/remote", folders: [.root: FolderListing(), ["Documents"]: FolderListing()],
            problems: [problem])
        #expect(tree.gap(inNamesOf: ["Documents"]) == problem && tree.gap(inNamesOf: .root) == nil)
    }

    @Test func tenThousandStrays() throws {
        let builder = try builder()
        let folder = builder.root.pushing("Documents/Notebook/RecentSyncs")
        for number in 0..<10_000 { try TestFiles.write(folder.appending("stray-\(number)"), []) }
        #expect(try RemoteSnapshot.take(builder.storage).strays.count == 10_000)
    }

    @Test func whatVanishesIsAProblemAndTheRestIsServed() throws {
        let builder = try builder().client("CLIENT-B")
        let snapshot = try RemoteSnapshot.take(VanishingStorage(inner: builder.storage))
        #expect(snapshot.problems.map(\.kind) == [.missing])
        #expect(snapshot.documents.count == 1)
        #expect(snapshot.clientDevices.map { $0.deviceInfo.part != nil } == [false, true])
    }
}

/// A storage in which one listed folder has vanished when it is opened.
struct VanishingStorage: RemoteStorage {
    let inner: LocalStorage
    var root: FilePath { inner.root }

    func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents {
        if folder == ["ClientDevices", "CLIENT-A"] {
            throw FileProblem(.noSuchFileOrDirectory, path: folder.filePath(under: root))
        }
        return try inner.list(folder)
    }
    func status(of path: RemotePath) throws(FileProblem) -> FileStatus { try inner.status(of: path) }
    func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes {
        try inner.read(file, limit: limit)
    }
    func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes {
        try inner.read(file, range: range)
    }
}
