import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSCore
@testable import TICDSOperations

/// Whether the content of a file is local.
@Suite struct AbsentContentTests {
    // MARK: Names

    @Test(arguments: [
        (".a.plist.icloud", 200, "a.plist"), (".a.PLIST.iCloud", 200, "a.PLIST"), (".a.icloud", 0, "a"),
        ("a.syncchg.nextcloud", 1, "a.syncchg"), ("a.syncchg.owncloud", 1, "a.syncchg"),
        ("a.NextCloud", 1, "a"), ("a.syncchg.firm_virtual", 1, "a.syncchg"),
        ("a.syncchg.sciebo", 1, "a.syncchg"), ("c.recentsync.x", 1, "c.recentsync"),
        ("documentInfo.plist.x", 1, "documentInfo.plist"), ("salt.ticdsync.x", 1, "salt.ticdsync"),
    ])
    func namesThatStandForOthers(_ name: String, _ size: Int64, _ original: String) {
        #expect(CloudPlaceholder.original(of: RemoteName(name), size: size)?.text == original)
        let entry = FolderEntry(
            name: RemoteName(name), kind: .file, size: size, modified: FileTime(seconds: 0))
        #expect(CloudPlaceholder.original(of: entry)?.text == original)
    }

    @Test(arguments: [
        ("a.icloud", 200), (".icloud", 200), ("..icloud", 0), (".nextcloud", 1), ("a.syncchg", 1),
        ("a.syncchg.sciebo", 2), ("a.syncchg.sciebo", 0), ("notes.txt", 1), ("a._virtual", 1),
        ("_virtual", 1), (".syncchg.x", 1), ("a.syncchg.tmp", 1), ("a.syncchg.part", 1), ("", 1), (".", 1),
    ])
    func otherNames(_ name: String, _ size: Int64) {
        #expect(CloudPlaceholder.original(of: RemoteName(name), size: size) == nil)
    }

    /// A document or a client may have such a name.
    @Test func foldersStandForNothing() {
        func entry(_ name: RemoteName, _ kind: FileKind) -> FolderEntry {
            FolderEntry(name: name, kind: kind, size: 1, modified: FileTime(seconds: 0))
        }
        #expect(CloudPlaceholder.original(of: entry("my.nextcloud", .folder)) == nil)
        #expect(CloudPlaceholder.original(of: entry(".notes.icloud", .folder)) == "notes")
        #expect(CloudPlaceholder.original(of: entry("a.syncchg.nextcloud", .symbolicLink)) == nil)
    }

    // MARK: Bytes

    @Test func bytesDecide() {
        func absence(_ bytes: [UInt8]) -> CloudPlaceholder? {
            bytes.withUnsafeBytes { CloudPlaceholder.of($0) }
        }
        #expect(absence([]) == nil && absence([7]) == .oneByte && absence([0]) == .oneByte)
        #expect(absence([0, 0]) == .zeros && absence([0, 1]) == nil && absence([1, 0]) == nil)
        for count in [511, 512, 513, 70_000] {
            var bytes = [UInt8](repeating: 0, count: count)
            #expect(absence(bytes) == .zeros)
            bytes[count - 1] = 1
            #expect(absence(bytes) == nil)
        }
    }

    private func builder() throws -> RemoteBuilder {
        try RemoteBuilder().skeleton().client("A").document("notes").join("A", "notes")
            .changeSet("0388521234.000000-X", of: "A", in: "notes", time: 1_366_828_434)
    }

    private static let set = "Documents/notes/SyncChanges/A/0388521235.000000-Y.syncchg"

    /// Makes a file without blocks.
    private func hole(_ builder: RemoteBuilder, _ path: String, _ size: Int64) throws {
        try builder.write(path, "")
        let file = try FileDescriptor.open(builder.root.pushing(FilePath(path)), .readWrite)
        try file.closeAfter { try file.resize(to: size) }
    }

    @Test(arguments: [2, 512, 4_096, 100_000, 1 << 40])
    func fullSizeWithoutContent(_ size: Int64) throws {
        let builder = try builder()
        try hole(builder, Self.set, size)
        let snapshot = try RemoteSnapshot.take(builder.storage)
        #expect(snapshot.strays.map(\.kind) == [.notDownloaded])
        #expect(snapshot.absentFiles.map(\.absence) == [.zeros])
        #expect(snapshot.documents[0].clients[0].changeSets.count == 2, "it is a change set all the same")
        #expect(snapshot.absence()?.kind == .missing)
    }

    /// The hint alone decides nothing: a file begins with zeros, and continues with other bytes.
    @Test func zerosAtTheBeginningAreContent() throws {
        let builder = try builder()
        try hole(builder, Self.set, 100_000)
        let file = try FileDescriptor.open(builder.root.pushing(FilePath(Self.set)), .readWrite)
        try file.closeAfter { _ = try file.writeAll(toAbsoluteOffset: 99_999, [1]) }
        #expect(try RemoteSnapshot.take(builder.storage).strays == [])
        let opened = try builder.storage.open(
            RemotePath(Self.set.split(separator: "/").map { RemoteName("\($0)") }))
        #expect(try CloudPlaceholder.of(opened) == nil)
    }

    /// Without the hint the listing reads nothing; a reader of the file detects it.
    @Test func zerosWithBlocks() throws {
        let builder = try builder()
        try builder.write(Self.set, String(repeating: "\0", count: 5_000))
        let snapshot = try RemoteSnapshot.take(builder.storage)
        #expect(snapshot.strays == [])
        let path = RemotePath(Self.set.split(separator: "/").map { RemoteName("\($0)") })
        let problem = #expect(throws: FileProblem.self) {
            try RemoteKeyring(.plain).read(builder.storage, path)
        }
        #expect(problem?.kind == .missing && problem?.found == CloudPlaceholder.zeros.text)
    }

    @Test func blocksAreNoChange() throws {
        let folder = try TemporaryFolder()
        let file = folder.path.appending("file")
        try TestFiles.write(file, [1, 2])
        var status = try FileStatus.of(file)
        let before = status
        status.blocks = BlockHint(isNone: !before.blocks.isNone)
        #expect(status == before && Set([status, before]).count == 1)
    }

    // MARK: Places

    @Test(arguments: [
        ("ClientDevices/A/deviceInfo.plist", CloudPlaceholder.oneByte),
        ("Encryption/salt.ticdsync", .oneByte),
        ("Documents/notes/documentInfo.plist", .oneByte), (set, .oneByte),
        ("Documents/notes/WholeStore/A/WholeStore.ticdsync", .oneByte),
        ("Documents/notes/WholeStore/A/AppliedSyncChangeSets.ticdsync", .oneByte),
        ("Documents/notes/RecentSyncs/A.recentsync", nil), ("ReadMe.txt", nil),
        ("Documents/notes/IntegrityKey/0F1E2D3C-KEY", nil), ("Documents/notes/DeletedClients/B.plist", nil),
        ("Documents/notes/WholeStore/A/WholeStore.ticdsync/Data", nil),
        ("Documents/notes/WholeStore/SharedExternalData/blob", nil),
        ("Documents/notes/TemporaryFiles/WholeStore/A/WholeStore.ticdsync", nil),
    ])
    func oneByte(_ path: String, _ absence: CloudPlaceholder?) throws {
        let builder = try builder().write(path, "x")
        let found = try RemoteSnapshot.take(builder.storage).absentFiles
        #expect(found.map(\.absence) == (absence.map { [$0] } ?? []))
    }

    /// Clients follow links, so a link hides the entries that they read at its place; elsewhere it hides nothing.
    @Test(arguments: [
        ("Documents/notes/SyncChanges/A/0388521235.000000-Y.syncchg", true),
        ("Documents/notes/SyncChanges/B", true), ("Documents/other", true), ("Documents/notes", true),
        ("Documents/notes/WholeStore/A/WholeStore.ticdsync", true), ("Documents/notes/WholeStore/B", true),
        ("Documents/notes/WholeStore/A/AppliedSyncChangeSets.ticdsync", true),
        ("Documents/notes/SyncChanges", true), ("Documents", true),
        ("ClientDevices/A/deviceInfo.plist", true),
        ("Documents/notes/SyncChanges/A/0388521235.000000-Y.txt", false),
        ("Documents/notes/SyncChanges/A/.0388521235.000000-Y.syncchg", false),
        ("Documents/notes/SyncChanges/.B", false), ("Documents/notes/TemporaryFiles/link", false),
        ("link", false),
    ])
    func linksWhereClientsRead(path: String, isRead: Bool) throws {
        for kind in [CloudPlaceholder.symbolicLink, .specialFile] {
            let builder = try builder()
            let place = builder.root.pushing(FilePath(path))
            try? TestFiles.removeTree(place)
            try TestFiles.makeFolders(place.removingLastComponent())
            if kind == .symbolicLink {
                try TestFiles.link(place, to: "/nowhere")
            } else {
                try TestFiles.makeFifo(place)
            }
            let snapshot = try RemoteSnapshot.take(builder.storage)
            #expect(snapshot.absentFiles.map(\.absence) == (isRead ? [kind] : []))
            let names = path.split(separator: "/").map { RemoteName("\($0)") }
            let problem = snapshot.gap(below: RemotePath(Array(names.dropLast())))
            #expect(problem?.path == (isRead ? place : nil) && problem?.isUnread != false)
            #expect((snapshot.gap(at: RemotePath(names + ["x"])) != nil) == isRead)
            #expect((snapshot.gap(inNamesOf: RemotePath(names)) != nil) == isRead)
            #expect((try refusal(builder, RemotePath(Array(names.prefix(2)))) != nil) == isRead)
        }
    }

    /// The parts of a store may have any size; a part of zeros without blocks is not local.
    @Test func partsOfAStore() throws {
        let builder = try builder()
        try hole(builder, "Documents/notes/WholeStore/A/WholeStore.ticdsync/Data", 5_000)
        try hole(builder, "Documents/notes/WholeStore/SharedExternalData/blob", 5_000)
        try hole(builder, "Documents/notes/TemporaryFiles/WholeStore/A/WholeStore.ticdsync", 5_000)
        try builder.write("Documents/notes/WholeStore/SharedExternalData/other.nextcloud", "x")
        let found = try RemoteSnapshot.take(builder.storage).absentFiles
        #expect(found.map { $0.path.last?.text } == ["Data", "blob", "other.nextcloud"])
        #expect(found.map(\.absence) == [.zeros, .zeros, .placeholder])
    }

    // MARK: What follows

    private func refusal(
        _ builder: RemoteBuilder, _ path: RemotePath, allowing: Set<String> = []
    ) throws -> FileProblem? {
        var plan = Plan(root: builder.root, command: "test", summary: "Test")
        plan.add(.makeFolder(path: path))
        do throws(FileProblem) {
            try RemoteSnapshot.take(builder.storage).refuseAbsence(from: plan, allowing: allowing)
            return nil
        } catch {
            return error
        }
    }

    @Test func refusesWhatBelongsTogether() throws {
        let builder = try builder().document("other").write(Self.set + ".nextcloud", "x")
        let name = "0388521235.000000-Y.syncchg.nextcloud"
        let problem = try #require(try refusal(builder, ["Documents", "notes", "RecentSyncs", "x"]))
        #expect(problem.kind == .refused && problem.path.lastComponent?.string == name)
        #expect(problem.found == "a placeholder of a sync service")
        #expect(problem.advice?.hasSuffix("--allow-missing=\(name)") == true)
        #expect(try refusal(builder, ["Documents", "other", "x"]) == nil)
        #expect(try refusal(builder, ["ClientDevices", "x"]) == nil)
        #expect(try refusal(builder, ["Documents"]) != nil, "all documents")
        let folder = "Documents/notes/SyncChanges"
        for allowed in [name, Self.set + ".nextcloud", folder] {
            #expect(try refusal(builder, ["Documents", "notes"], allowing: [allowed]) == nil)
        }
        #expect(try refusal(builder, ["Documents", "notes"], allowing: ["SyncChanges/A"]) != nil)
    }

    /// The sources of a plan's copies may be outside of its changes.
    @Test func refusesCopiesOfWhatIsNotHere() throws {
        let info: RemotePath = ["ClientDevices", "A", "deviceInfo.plist"]
        let builder = try builder().write(info.text, "x")
        let snapshot = try RemoteSnapshot.take(builder.storage)
        var plan = Plan(root: builder.root, command: "test", summary: "Test")
        plan.add(
            .writeFile(
                path: ["Documents", "notes", "DeletedClients", "A.plist"],
                content: .copy(of: info, seen: try snapshot.tree.state(of: info)), modified: nil))
        let problem = #expect(throws: FileProblem.self) {
            try snapshot.refuseAbsence(from: plan, allowing: [])
        }
        #expect(problem?.kind == .refused && problem?.path == info.filePath(under: builder.root))
        try snapshot.refuseAbsence(from: plan, allowing: ["deviceInfo.plist"])
    }

    /// A description behind a placeholder is unknown, and not missing.
    @Test func descriptionsThatAreNotHere() throws {
        let builder = try builder().makeFolder("ClientDevices/B")
            .write("ClientDevices/C/.deviceInfo.plist.icloud", "p").makeFolder("Documents/none")
            .write("Documents/other/.documentInfo.plist.icloud", "p")
        let snapshot = try RemoteSnapshot.take(builder.storage)
        let missing = snapshot.clientDevices.filter(\.deviceInfo.isMissing).map(\.identifier)
        #expect(missing.contains("B") && !missing.contains("C"))
        #expect(snapshot.clientDevices.first { $0.identifier == "C" }?.deviceInfo.problem?.kind == .missing)
        #expect(snapshot.document("none")?.documentInfo.isMissing == true)
        #expect(snapshot.document("other")?.documentInfo.problem?.kind == .missing)
    }

    /// Without its salt a remote counts as an unencrypted one, which affects everything.
    @Test func theSaltConcernsAll() throws {
        let builder = try builder().write("Encryption/.salt.ticdsync.icloud", "placeholder")
        #expect(try refusal(builder, ["Documents", "notes", "x"])?.kind == .refused)
        #expect(try refusal(builder, ["Information", "x"])?.kind == .refused)
    }

    @Test func placeholdersOfFolders() throws {
        let builder = try builder().write(".ClientDevices.icloud", "p").write("Documents/.other.icloud", "p")
        #expect(try refusal(builder, ["ClientDevices", "x"]) != nil)
        #expect(try refusal(builder, ["Documents", "other", "x"]) != nil)
        #expect(try refusal(builder, ["Documents", "notes", "x"]) == nil)
    }

    @Test func countsAndNamesTheFirst() throws {
        let builder = try builder()
        for number in 1...7 { try builder.write("\(Self.set).\(number).owncloud", "x") }
        let problem = try #require(try RemoteSnapshot.take(builder.storage).absence())
        #expect(problem.problem == "the content of 7 files is not on this machine")
        #expect(problem.path == builder.root && problem.found?.hasSuffix("; and 2 more") == true)
        let other: RemotePath = ["Documents", "other"]
        #expect(try RemoteSnapshot.take(builder.storage).absence(below: [other]) == nil)
    }

    @Test func aSaltThatIsNotHere() throws {
        for salt in ["x", String(repeating: "\0", count: 16)] {
            let builder = try builder().write("Encryption/salt.ticdsync", salt)
            let problem = #expect(throws: FileProblem.self) { try PasswordCheck.salt(of: builder.storage) }
            #expect(problem?.kind == .missing)
        }
    }

    @Test func encryptionCountsThemAmongTheUnreadable() throws {
        let builder = try builder().write(Self.set, "x").write(Self.set + ".nextcloud", "x")
        try hole(builder, "Documents/notes/documentInfo.plist", 300)
        let census = EncryptionCensus(
            ofPlain: try RemoteSnapshot.take(builder.storage), builder.storage)
        let found = census.unreadable.filter { $0.problem.contains("not on this machine") }
        #expect(found.count == 3, "\(census.unreadable)")
    }

    @Test func copiesAreWholeOrNone() throws {
        let builder = try builder().write(Self.set, "x")
        let problem = #expect(throws: FileProblem.self) { try CopyPlanner.tree(of: builder.storage) }
        #expect(problem?.kind == .refused)
        #expect(throws: Never.self) { try CopyPlanner.tree(of: builder.storage, allowing: [Self.set]) }
    }
}
