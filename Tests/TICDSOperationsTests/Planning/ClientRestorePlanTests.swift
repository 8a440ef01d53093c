import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// The plans for the return of a removed client, and for the registration of a client.
@Suite struct ClientRestorePlanTests {
    private static let tombstone = "Documents/notes/DeletedClients/second.plist"
    private static let folders = [
        "Documents/notes/SyncChanges/second", "Documents/notes/SyncCommands/second",
    ]

    /// The second client was removed as by the framework.
    private func removed() throws -> RemoteBuilder {
        let remote = try RemoteBuilder.two().write(Self.tombstone, "info", time: 1_300_000_000)
        for path in Self.folders + ["Documents/notes/RecentSyncs/second.recentsync"] {
            try TestFiles.removeTree(remote.root.pushing(FilePath(path)))
        }
        try TestFiles.removeTree(remote.root.pushing(FilePath("Documents/notes/WholeStore/second")))
        return remote
    }

    private func trash(_ paths: [String]) -> TrashedEntries {
        let entries = paths.enumerated().map { number, path in
            let seen = EntryState(kind: .folder, size: 1, modified: nil, files: 1, listing: "00")
            let slot = TrashPlace(operation: 7, action: number + 1)
            return (RemotePath(text: path), TrashedEntries.Entry(slot: slot, seen: seen))
        }
        return TrashedEntries(
            Dictionary(entries) { one, _ in one }, moved: FileTime(seconds: 1_399_000_000))
    }

    @Test func emptyFoldersWhereTheTrashHasNothing() throws {
        let plan = try ClientRestorePlanner(try removed().planned(), trash: TrashedEntries())
            .plan("second", in: "notes")
        #expect(plan.lines == Self.folders.map { "folder \($0)" } + ["trash \(Self.tombstone)"])
        #expect(plan.command == "ticds-client restore")
        #expect(plan.texts(.warning).contains { $0.contains("its new folder is empty") })
    }

    @Test func everythingComesBackFromTheTrash() throws {
        let paths = ClientRestorePlanner.places(of: "second", in: "notes").joined().map(\.text)
        let remote = try removed()
        let trash = trash(paths)
        let plan = try ClientRestorePlanner(try remote.planned(), trash: trash).plan("second", in: "notes")
        #expect(plan.lines == paths.dropLast().map { "restore \($0)" } + ["trash \(Self.tombstone)"])
        let entry = try #require(trash[RemotePath(text: Self.folders[0])])
        #expect(
            plan.actions[0].kind
                == .restore(path: RemotePath(text: Self.folders[0]), slot: entry.slot, seen: entry.seen))
        #expect(plan.texts(.reason) == ["The trash still contains what was removed on 2014-05-02 03:06"])
        #expect(!plan.texts(.warning).contains { $0.contains("new folder is empty") })
    }

    @Test func aClientOfTheApplicationNoMore() throws {
        let remote = try removed()
        try TestFiles.removeTree(remote.root.pushing(FilePath("ClientDevices/second")))
        var plan = try ClientRestorePlanner(try remote.planned(), trash: trash(["ClientDevices/second"]))
            .plan("second", in: "notes")
        #expect(plan.lines.first == "restore ClientDevices/second")
        plan = try ClientRestorePlanner(try remote.planned(), trash: TrashedEntries())
            .plan("second", in: "notes")
        #expect(
            plan.actions[0].kind
                == .writeTree(
                    path: ["ClientDevices", "second"],
                    entries: [
                        TreeEntry(
                            path: ["deviceInfo.plist"],
                            content: .copy(
                                of: RemotePath(text: Self.tombstone), seen: try remote.state(Self.tombstone)),
                            modified: FileTime(seconds: 1_300_000_000))
                    ]))
        #expect(plan.lines.last == "trash \(Self.tombstone)")
    }

    /// The dead end of ticds-protocol(7), 4.2: neither folder nor tombstone.
    @Test func withoutATombstone() throws {
        let remote = try removed()
        try TestFiles.removeTree(remote.root.pushing(FilePath(Self.tombstone)))
        let plan = try ClientRestorePlanner(try remote.planned(), trash: TrashedEntries())
            .plan("second", in: "notes")
        #expect(plan.lines == Self.folders.map { "folder \($0)" })
    }

    @Test func aMemberKeepsItsFolders() throws {
        let remote = try RemoteBuilder.two()
        var plan = try ClientRestorePlanner(try remote.planned(), trash: trash(Self.folders))
            .plan("second", in: "notes")
        #expect(plan.actions.isEmpty)
        try remote.write(Self.tombstone, "info")
        plan = try ClientRestorePlanner(try remote.planned(), trash: trash(Self.folders))
            .plan("second", in: "notes")
        #expect(plan.lines == ["trash \(Self.tombstone)"])
    }

    @Test func refusesAStranger() throws {
        let planner = ClientRestorePlanner(try removed().planned(), trash: TrashedEntries())
        for name in ["stranger", "..", "", "a/b"] {
            let problem = try #require(throws: FileProblem.self) {
                try planner.plan(RemoteName(name), in: "notes")
            }
            #expect(problem.kind == .refused, "\(name)")
        }
        #expect(throws: FileProblem.self) { try planner.plan("second", in: "nothing") }
    }

    @Test func joiningADocument() throws {
        let planner = RegistrationPlanner(try removed().client("third").planned(), command: "test")
        func plan(_ client: String) throws -> Plan {
            try planner.plan(registering: DeviceInfo(description: nil, identifier: client), joining: "notes")
        }
        #expect(
            try plan("third").lines
                == ["folder Documents/notes/SyncChanges/third", "folder Documents/notes/SyncCommands/third"])
        #expect(
            try plan("second").lines
                == Self.folders.map { "folder \($0)" } + ["trash \(Self.tombstone)"])
        #expect(try plan("first").actions.isEmpty)
    }

    @Test func registeringAClient() throws {
        let planner = RegistrationPlanner(try RemoteBuilder.two().planned(), command: "test")
        let info = DeviceInfo(description: "New", identifier: "third")
        let plan = try planner.plan(registering: info)
        #expect(plan.lines == ["tree ClientDevices/third"])
        #expect(try plan.bytes(0, ["deviceInfo.plist"]) == info.bytes(path: "info"))
        let known = DeviceInfo(description: "Again", identifier: "first")
        #expect(try planner.plan(registering: known).actions.isEmpty)
    }

    @Test(arguments: ["", ".", "..", "a/b", "abcd", ".hidden", "FIRST", "nul\0name", "desktop.ini", "🎷"])
    func refusesIdentifiersThatDoHarm(name: String) throws {
        let planner = RegistrationPlanner(try RemoteBuilder.two().planned(), command: "test")
        let problem = try #require(throws: FileProblem.self) {
            try planner.plan(registering: DeviceInfo(description: nil, identifier: name))
        }
        #expect(problem.kind == .refused)
    }

    /// The longest name of a client's files has a suffix of eleven bytes.
    @Test func lengthOfIdentifiers() throws {
        let planner = RegistrationPlanner(try RemoteBuilder.two().planned(), command: "test")
        for (length, isGood) in [(244, true), (245, false)] {
            let info = DeviceInfo(description: nil, identifier: String(repeating: "x", count: length))
            #expect(((try? planner.plan(registering: info)) != nil) == isGood)
        }
    }
}
