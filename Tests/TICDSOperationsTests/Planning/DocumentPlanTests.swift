import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// The plans for the creation, deletion and return of documents (ticds-protocol(7), 1.2 and 1.11).
@Suite struct DocumentPlanTests {
    private static let tombstone = "Information/DeletedDocuments/tasks.plist"

    private func tasks() -> DocumentCreationPlanner.NewDocument {
        .init(identifier: "tasks", description: "To do", originalDevice: "first", integrityKey: "KEY-1")
    }

    @Test func aNewDocumentIsComplete() throws {
        let remote = try RemoteBuilder.two()
        let plan = try DocumentCreationPlanner(try remote.planned()).plan(tasks())
        #expect(plan.lines == ["tree Documents/tasks"])
        guard case .writeTree(_, let entries) = plan.actions[0].kind else { return }
        let files: Set<String> = ["documentInfo.plist", "IntegrityKey/KEY-1"]
        #expect(
            Set(entries.filter { $0.content == nil }.map(\.path.text))
                == [
                    "WholeStore", "SyncChanges", "SyncCommands", "RecentSyncs", "DeletedClients",
                    "IntegrityKey",
                    "TemporaryFiles", "TemporaryFiles/WholeStore",
                ])
        #expect(Set(entries.filter { $0.content != nil }.map(\.path.text)) == files)
        let info = try DocumentInfo(
            SharedBytes(try #require(plan.bytes(0, ["documentInfo.plist"]))), path: "info")
        #expect(
            info
                == DocumentInfo(
                    identifier: "tasks", description: "To do", originalDeviceIdentifier: "first",
                    originalDeviceDescription: "The first"))
        #expect(
            try plan.bytes(0, ["IntegrityKey", "KEY-1"])
                == SmallFiles.integrityKey(originalDevice: "first", path: "key"))
        #expect(plan.texts(.consequence).contains { $0.contains("no whole store") })
    }

    @Test func integrityKeysAreNewEachTime() {
        let documents = (0..<2).map { _ in
            DocumentCreationPlanner.NewDocument(
                identifier: "tasks", description: "", originalDevice: "first")
        }
        #expect(documents[0].integrityKey != documents[1].integrityKey)
        #expect(ArchivedUUID(text: documents[0].integrityKey.text) != nil)
    }

    /// `documentInfo.plist` is encrypted, the integrity key never.
    @Test func whatIsEncrypted() throws {
        let remote = try RemoteBuilder.two()
        let key = try #require(SyncKey(bytes: [UInt8](repeating: 7, count: 32)))
        try remote.encrypt(key)
        let keyring = RemoteKeyring(.checked(key))
        let plan = try DocumentCreationPlanner(try remote.planned(keyring: keyring)).plan(tasks())
        let bytes = try #require(plan.bytes(0, ["documentInfo.plist"]))
        let plain = try EncryptedFile.decrypt(SharedBytes(bytes), with: key, path: "info")
        #expect(try DocumentInfo(plain, path: "info").description == "To do")
        #expect(
            try plan.bytes(0, ["IntegrityKey", "KEY-1"])
                == SmallFiles.integrityKey(originalDevice: "first", path: "key"))
        let locked = DocumentCreationPlanner(try remote.planned(keyring: RemoteKeyring(.locked)))
        #expect(try #require(throws: FileProblem.self) { try locked.plan(tasks()) }.kind == .encrypted)
        let old = DocumentCreationPlanner(
            try remote.planned(keyring: RemoteKeyring(.checked(key), form: .before2011June)))
        #expect(try #require(throws: FileProblem.self) { try old.plan(tasks()) }.kind == .refused)
    }

    @Test func createdAgainAfterDeletion() throws {
        let remote = try RemoteBuilder.two().client("third").write(Self.tombstone, "old")
        try remote.makeFolder("ClientDevices/without")
        let plan = try DocumentCreationPlanner(try remote.planned()).plan(tasks())
        #expect(plan.lines == ["tree Documents/tasks", "trash \(Self.tombstone)"])
        guard case .writeTree(_, let entries) = plan.actions[0].kind else { return }
        let tombstones = entries.filter { $0.path.names.first == "DeletedClients" && $0.content != nil }
        #expect(
            tombstones.map(\.path.text) == ["DeletedClients/second.plist", "DeletedClients/third.plist"])
        let info = "ClientDevices/second/deviceInfo.plist"
        #expect(
            tombstones.first?.content == .copy(of: RemotePath(text: info), seen: try remote.state(info)))
        #expect(
            tombstones.first?.modified == FileTime(seconds: 1_300_000_000, nanoseconds: 123_456_789))
        // The client knows the key of the deleted document.
        #expect(
            plan.texts(.consequence).contains { $0.contains("including the original device, starts again") })
        #expect(plan.texts(.warning).contains { $0.hasPrefix("without has no deviceInfo.plist") })
    }

    @Test func missingFoldersAreMade() throws {
        let remote = try RemoteBuilder().makeFolder("ClientDevices").client("first")
        let plan = try DocumentCreationPlanner(try remote.planned()).plan(tasks())
        #expect(plan.lines == ["folder Documents", "tree Documents/tasks"])
        let blocked = try RemoteBuilder().client("first").write("Documents", "a file")
        #expect(throws: FileProblem.self) {
            try DocumentCreationPlanner(try blocked.planned()).plan(tasks())
        }
    }

    @Test(
        arguments: [
            "", ".", "..", "../notes", "a/b", "list", ".notes", "Notes", "notes", "notes 2", "nul\0es",
        ])
    func refusesIdentifiersThatDoHarm(name: String) throws {
        let planner = DocumentCreationPlanner(try RemoteBuilder.two().planned())
        var document = tasks()
        document.identifier = RemoteName(name)
        let problem = try #require(throws: FileProblem.self) { try planner.plan(document) }
        #expect(problem.kind == .refused)
        #expect(problem.advice != nil)
    }

    @Test func deletionLeavesATombstone() throws {
        let remote = try RemoteBuilder.two()
        let info = "Documents/notes/documentInfo.plist"
        try TestFiles.setTime(remote.root.pushing(FilePath(info)), FileTime(seconds: 1_310_000_000))
        let plan = try DocumentDeletionPlanner(try remote.planned()).plan("notes")
        let tombstone: RemotePath = ["Information", "DeletedDocuments", "notes.plist"]
        #expect(
            plan.actions.map(\.kind) == [
                .writeFile(
                    path: tombstone, content: .copy(of: RemotePath(text: info), seen: try remote.state(info)),
                    modified: FileTime(seconds: 1_310_000_000)),
                .moveToTrash(path: ["Documents", "notes"], seen: try remote.state("Documents/notes")),
            ])
        #expect(
            plan.texts(.reason).contains { $0.hasPrefix("3 change sets and 1 whole store will be removed") })
        #expect(plan.texts(.reason).contains("Its clients: The first (first) and The second (second)"))
        try remote.write("Information/DeletedDocuments/notes.plist", "old")
        #expect(
            try DocumentDeletionPlanner(try remote.planned()).plan("notes").lines
                == ["replace \(tombstone)", "trash Documents/notes"])
        #expect(throws: FileProblem.self) {
            try DocumentDeletionPlanner(try remote.planned()).plan("nothing")
        }
    }

    @Test func deletionWithoutDocumentInfo() throws {
        let remote = try RemoteBuilder.two()
        try TestFiles.removeTree(remote.root.pushing(FilePath("Documents/notes/documentInfo.plist")))
        try TestFiles.removeTree(remote.root.pushing(FilePath("Information")))
        let planned = try remote.planned()
        let problem = try #require(throws: FileProblem.self) {
            try DocumentDeletionPlanner(planned).plan("notes")
        }
        #expect(problem.kind == .refused)
        let plan = try DocumentDeletionPlanner(planned, standIn: true).plan("notes")
        #expect(
            plan.lines == [
                "folder Information", "folder Information/DeletedDocuments",
                "write Information/DeletedDocuments/notes.plist", "trash Documents/notes",
            ])
        let info = try DocumentInfo(SharedBytes(try #require(plan.bytes(2))), path: "info")
        #expect(info.identifier == "notes")
        #expect(info.originalDeviceIdentifier == nil)
    }

    @Test func deletionWarnsOfLivelyClientsAndLostData() throws {
        let remote = try RemoteBuilder.two()
        try remote.recentSync(of: "first", in: "notes", time: RemoteBuilder.now.seconds - 60)
        try TestFiles.removeTree(remote.root.pushing(FilePath("Documents/notes/WholeStore/second")))
        let warnings = try DocumentDeletionPlanner(try remote.planned()).plan("notes").texts(.warning)
        #expect(warnings.contains { $0.hasPrefix("The first (first) was active") })
        #expect(warnings.contains { $0.contains("no whole store contains their data") })
        #expect(warnings.count == 2)
    }

    @Test func returnFromTheTrash() throws {
        let remote = try RemoteBuilder.two().write(Self.tombstone, "old")
        let path: RemotePath = ["Documents", "tasks"]
        let entry = TrashedEntries.Entry(
            slot: TrashPlace(operation: 3, action: 1),
            seen: EntryState(kind: .folder, size: 0, modified: nil, files: 0, listing: "00"))
        let trash = TrashedEntries([path: entry], moved: FileTime(seconds: 1_399_000_000))
        let plan = try DocumentRestorePlanner(try remote.planned(), trash: trash).plan("tasks")
        #expect(plan.lines == ["restore Documents/tasks", "trash \(Self.tombstone)"])
        #expect(plan.actions[0].kind == .restore(path: path, slot: entry.slot, seen: entry.seen))
        let problem = try #require(throws: FileProblem.self) {
            try DocumentRestorePlanner(try remote.planned(), trash: TrashedEntries()).plan("tasks")
        }
        #expect(problem.kind == .refused)
        #expect(problem.advice?.contains("back-up") == true)
        // The document was copied back by hand: only the tombstone remains to remove.
        try remote.document("tasks")
        let rest = try DocumentRestorePlanner(try remote.planned(), trash: trash).plan("tasks")
        #expect(rest.lines == ["trash \(Self.tombstone)"])
        #expect(
            try DocumentRestorePlanner(try remote.planned(), trash: trash).plan("notes").actions.isEmpty)
    }
}
