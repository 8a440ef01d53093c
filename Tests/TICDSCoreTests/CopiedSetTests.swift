import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSCore

/// Copies of change sets and other files under the names of many services.
@Suite struct CopiedSetTests {
    private static let client = "CLIENT-A"
    private static let stem = "0388521234.123456-0A1B"
    private static let folder: RemotePath = RemoteLayout.syncChanges(of: "CLIENT-A", in: "Notebook")

    private func builder(_ content: String = "content of the set") throws -> RemoteBuilder {
        try RemoteBuilder().skeleton().client(Self.client).document("Notebook").join(Self.client, "Notebook")
            .changeSet(Self.stem, of: Self.client, in: "Notebook", time: 1_366_828_434, content: content)
    }

    private func write(_ name: RemoteName, _ content: String, in builder: RemoteBuilder) throws {
        let path = Self.folder.appending(name).filePath(under: builder.root)
        try TestFiles.write(path, Array(content.utf8))
    }

    private func copies(_ snapshot: RemoteSnapshot) -> [RemoteName: RemoteName?] {
        let copies = snapshot.strays.filter { $0.kind == .conflictedCopy }
        return Dictionary(copies.map { ($0.path.last ?? "", $0.twin) }) { one, _ in one }
    }

    private func sets(_ snapshot: RemoteSnapshot) -> Int? {
        snapshot.document("Notebook")?.clients.first?.changeSets.count
    }

    /// The text after the stem, by service: OneDrive's is the name of a computer, without a word for a conflict.
    private static let marks = [
        "-DESKTOP-X", "-ABC", "-1", "_Andy-PC_Jan-03-0901-2013_CaseConflict_1",
        "_Andy-PC_Jan-03-0901-2013_Conflict", ".Conflict", ".Conflict2", "-conflict-2018-10-01T10_00_00Z",
        "-conflict-abc", ".sync-conflict-20200101-120000-ABCDEFG",
        "(Conflict_bob (Web browser)_2020-03-25-22-50-36)", ".conflicted", " (conflicted)", " [conflicted]",
        " - Copy", " - Copy (2)", " - Kopie", " copy", " copy 2", "(1)", " (1)", " 2",
        "2", "10", "copy", "C", "0", "Kopie", "_2",
        " (Bob's conflicted copy 2013-05-01)", " (Konflikt durch Groß- und Kleinschreibung)", "（競合）",
    ]
    private static let wordless: Set<String> = [
        "-DESKTOP-X", "-ABC", "-1", "2", "10", "copy", "C", "0", "Kopie", "_2",
    ]

    @Test func theSameBytesAreACopyWhateverTheName() throws {
        let builder = try builder()
        for mark in Self.marks { try write(Self.marked(mark), "content of the set", in: builder) }
        let snapshot = try RemoteSnapshot.take(builder.storage)
        let found = copies(snapshot)
        for mark in Self.marks { #expect(found[Self.marked(mark)] == Self.marked(""), "\(mark)") }
        #expect(sets(snapshot) == 1 && snapshot.strays.count == Self.marks.count)
        #expect(snapshot.problems.isEmpty)
    }

    @Test(arguments: ["another content!!!", "another size"])
    func otherBytesAreACopyOnlyWhereAWordSaysSo(_ content: String) throws {
        let builder = try builder()
        for mark in Self.marks { try write(Self.marked(mark), content + mark, in: builder) }
        let snapshot = try RemoteSnapshot.take(builder.storage)
        let found = copies(snapshot)
        for mark in Self.marks {
            #expect((found[Self.marked(mark)] != nil) == !Self.wordless.contains(mark), "\(mark)")
        }
        #expect(sets(snapshot) == 1 + Self.wordless.count)
    }

    private static func marked(_ mark: String) -> RemoteName { RemoteName("\(stem)\(mark).syncchg") }

    @Test(arguments: ["1388521234.123456-0A1B-2", "0388521234.123456-0A2", "388521234.123456-0A1B"])
    func namesThatOnlyLookAlikeAreSets(_ name: String) throws {
        let builder = try builder()
        try write(RemoteName(name + ".syncchg"), "content of the set", in: builder)
        let snapshot = try RemoteSnapshot.take(builder.storage)
        #expect(snapshot.strays == [] && sets(snapshot) == 2)
    }

    /// The framework ends a UUID with or without a process number: both are names that it made.
    @Test(arguments: ["0388521234.123456-", "0388521234,123456-", "0007-", ""])
    func namesOfTheFrameworkAreSets(_ time: String) throws {
        let plain = time + "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        let long = plain + "-1234-0000056789ABCDEF"
        let marked = [plain + "-99", plain + "-99-56", plain + "2", long + "2", long + "-1"]
        let builder = try builder()
        for name in [plain, long] + marked {
            try write(RemoteName(name + ".syncchg"), "the same bytes", in: builder)
        }
        let snapshot = try RemoteSnapshot.take(builder.storage)
        #expect(Set(copies(snapshot).keys) == Set(marked.map { RemoteName($0 + ".syncchg") }))
        #expect(sets(snapshot) == 3)
    }

    @Test(arguments: [
        "", "-", "2", "E621E1F8", "E621E1F8-C36C-495A-93FC-0C247A3E6E5",
        "E621E1F8-C36C-495A-93FC-0C247A3E6E5G",
        "007-E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F-",
        "E621E1F8-C36C-495A-93FC-0C247A3E6E5F-12-", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F--0000056789ABCDEF",
        "E621E1F8-C36C-495A-93FC-0C247A3E6E5F-99999999999999999999999-0000056789ABCDEF-1",
    ])
    func otherNamesAreNotOfTheFramework(_ name: String) {
        let isOfFramework = Array(name.utf8).withUnsafeBytes { ChangeSetIdentifier.isOfFramework($0) }
        #expect(!isOfFramework)
    }

    @Test(arguments: ["", "x"]) func setsWithoutContentAreNoCopies(_ content: String) throws {
        let builder = try builder(content)
        try write(RemoteName("\(Self.stem)-DESKTOP-X.syncchg"), content, in: builder)
        #expect(copies(try RemoteSnapshot.take(builder.storage)) == [:])
    }

    @Test func namesThatAreNotUTF8HaveCopies() throws {
        let builder = try builder()
        let (stem, suffix): ([UInt8], [UInt8]) = ([0x66, 0xFF, 0xFE], Array(".syncchg".utf8))
        let original = RemoteName(stem + suffix)
        let marked = RemoteName(stem + Array("-DESKTOP-\u{FC}".utf8) + [0xFF] + suffix)
        let bracketed = RemoteName(stem + Array("(1)".utf8) + suffix)
        for name in [original, marked] { try write(name, "foreign", in: builder) }
        try write(bracketed, "different", in: builder)
        let snapshot = try RemoteSnapshot.take(builder.storage)
        #expect(copies(snapshot) == [marked: original, bracketed: original])
        #expect(sets(snapshot) == 2)
    }

    @Test func aCopyOfACopyIsACopyOfTheOriginal() throws {
        let builder = try builder()
        try write(RemoteName("\(Self.stem)-PC.syncchg"), "content of the set", in: builder)
        try write(RemoteName("\(Self.stem)-PC-PC.syncchg"), "content of the set", in: builder)
        try write(RemoteName("\(Self.stem)-PC-MAC.syncchg"), "different contents", in: builder)
        let original = RemoteName("\(Self.stem).syncchg")
        let snapshot = try RemoteSnapshot.take(builder.storage)
        #expect(
            copies(snapshot) == [
                RemoteName("\(Self.stem)-PC.syncchg"): original,
                RemoteName("\(Self.stem)-PC-PC.syncchg"): original,
            ])
        #expect(sets(snapshot) == 2)
    }

    /// The listing alone shows which files are read: none if names or sizes do not match.
    @Test func ordinarySetsAreNotRead() throws {
        let builder = try builder()
        for number in 0..<200 {
            try write(
                RemoteName("0388521234.\(100_000 + number)-0A1B.syncchg"), "content of the set", in: builder)
        }
        try write(RemoteName("\(Self.stem)-PC.syncchg"), "of another size", in: builder)
        #expect(CopiedSets.candidates(in: try builder.storage.list(Self.folder).listing).isEmpty)
    }

    @Test func manyCopiesAreComparedWithTheirOriginalsAlone() throws {
        let builder = try builder()
        let originals = 0..<100
        for number in originals {
            let stem = "0388521234.\(100_000 + number)-0A1B"
            for mark in ["", "-PC", "-PC-2", "-MAC"] {
                try write(RemoteName(stem + mark + ".syncchg"), "set \(100 + number)", in: builder)
            }
        }
        let candidates = CopiedSets.candidates(in: try builder.storage.list(Self.folder).listing)
        #expect(candidates.count == 3 * originals.count)
        #expect(candidates.values.reduce(0) { $0 + $1.count } == 4 * originals.count)
        let snapshot = try RemoteSnapshot.take(builder.storage)
        #expect(copies(snapshot).count == 3 * originals.count)
        #expect(sets(snapshot) == originals.count + 1)
    }

    @Test func largeSetsAreComparedToTheirEnd() throws {
        let content = String(repeating: "0123456789", count: 20_000)
        let builder = try builder(content)
        try write(RemoteName("\(Self.stem)-PC.syncchg"), content, in: builder)
        try write(RemoteName("\(Self.stem)-MAC.syncchg"), content.dropLast() + "x", in: builder)
        #expect(
            Array(copies(try RemoteSnapshot.take(builder.storage)).keys) == [
                RemoteName("\(Self.stem)-PC.syncchg")
            ])
    }

    @Test func aCopyThatCannotBeReadIsAProblem() throws {
        let builder = try builder()
        try write(RemoteName("\(Self.stem)-PC.syncchg"), "content of the set", in: builder)
        let snapshot = try RemoteSnapshot.take(UnreadableStorage(inner: builder.storage))
        #expect(snapshot.problems.map(\.kind) == [.unreadable])
        #expect(sets(snapshot) == 2)
    }

    // MARK: Other files and folders

    @Test(arguments: [
        " (Selective Sync Conflict)", " (permission conflicts)", " (view only conflicts)",
        " (shared folder conflict)", " (Konflikt durch selektive Synchronisierung)",
        " (conflictos de solo lectura)", " (選択型同期の競合)", " (konflikt folderu udostępnionego)",
    ])
    func foldersOfConflictsAreNoClientsAndNoDocuments(_ mark: String) throws {
        let builder = try builder()
            .makeFolder("Documents/Notebook\(mark)").makeFolder("ClientDevices/Gone\(mark)")
            .makeFolder("Documents/Notebook/SyncChanges/\(Self.client)\(mark)")
        let snapshot = try RemoteSnapshot.take(builder.storage)
        #expect(
            copies(snapshot) == [
                RemoteName("Notebook\(mark)"): "Notebook", RemoteName("Gone\(mark)"): nil,
                RemoteName("\(Self.client)\(mark)"): RemoteName(Self.client),
            ])
        #expect(snapshot.documents.map(\.identifier) == ["Notebook"] && snapshot.clientDevices.count == 1)
        #expect(snapshot.document("Notebook")?.clients.count == 1)
    }

    @Test(arguments: [
        "documentInfo.plist.conflicted", "documentInfo - Copy.plist", "Copy of documentInfo.plist",
        "documentInfo.Conflict.plist", "documentInfo(1).plist", "documentInfo.plist (1)",
    ])
    func copiesOfFilesKnowTheirOriginals(_ name: String) throws {
        let builder = try builder().write("Documents/Notebook/\(name)", "xx")
        #expect(copies(try RemoteSnapshot.take(builder.storage)) == [RemoteName(name): "documentInfo.plist"])
    }

    /// The recent syncs of all clients may have the same bytes: a longer name belongs to a different client.
    @Test func recentSyncsWithTheSameBytesAreOfTwoClients() throws {
        let builder = try builder().client("\(Self.client)-2").client("\(Self.client)-copywriter")
        for client in ["", "-2", "-copywriter"] {
            try builder.recentSync(of: Self.client + client, in: "Notebook", time: 1_366_828_434)
        }
        let snapshot = try RemoteSnapshot.take(builder.storage)
        #expect(snapshot.strays == [] && snapshot.document("Notebook")?.recentSyncs.count == 3)
    }
}

/// A storage whose copies cannot be opened.
private struct UnreadableStorage: RemoteStorage {
    let inner: LocalStorage
    var root: FilePath { inner.root }

    func list(_ folder: RemotePath) throws(FileProblem) -> FolderContents { try inner.list(folder) }
    func status(of path: RemotePath) throws(FileProblem) -> FileStatus { try inner.status(of: path) }
    func read(_ file: RemotePath, limit: ReadLimit) throws(FileProblem) -> SharedBytes {
        try inner.read(file, limit: limit)
    }
    func read(_ file: RemotePath, range: Range<Int>) throws(FileProblem) -> SharedBytes {
        guard file.text.hasSuffix("-PC.syncchg") else { return try inner.read(file, range: range) }
        throw FileProblem(.permissionDenied, path: file.filePath(under: root))
    }
}
