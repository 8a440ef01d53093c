import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// The plan for the removal of a client (ticds-protocol(7), 1.10).
@Suite struct ClientDeletionPlanTests {
    private static let places = [
        "trash Documents/notes/SyncChanges/second", "trash Documents/notes/SyncCommands/second",
        "trash Documents/notes/RecentSyncs/second.recentsync", "trash Documents/notes/WholeStore/second",
    ]
    private static let tombstone = "Documents/notes/DeletedClients/second.plist"

    @Test func tombstoneFirstThenThePieces() throws {
        let remote = try RemoteBuilder.two()
        let plan = try ClientDeletionPlanner(remote.planned()).plan("second", from: .document("notes"))
        #expect(plan.lines == ["write \(Self.tombstone)"] + Self.places)
        let info = "ClientDevices/second/deviceInfo.plist"
        #expect(
            plan.actions[0].kind
                == .writeFile(
                    path: RemotePath(text: Self.tombstone),
                    content: .copy(of: RemotePath(text: info), seen: try remote.state(info)),
                    modified: FileTime(seconds: 1_300_000_000, nanoseconds: 123_456_789)))
        let changes = "Documents/notes/SyncChanges/second"
        #expect(
            plan.actions[1].kind
                == .moveToTrash(path: RemotePath(text: changes), seen: try remote.state(changes)))
        #expect(plan.command == "ticds-client delete")
        #expect(plan.summary == "Delete client The second (second) from document Notes (notes)")
        #expect(plan.texts(.reason).contains { $0.contains("TemporaryFiles of Notes (notes) stay") })
        #expect(plan.texts(.consequence).count == 4)
    }

    @Test func anOldTombstoneIsReplaced() throws {
        let remote = try RemoteBuilder.two().write(Self.tombstone, "old", time: 1_200_000_000)
        let plan = try ClientDeletionPlanner(remote.planned()).plan("second", from: .document("notes"))
        #expect(plan.lines == ["replace \(Self.tombstone)"] + Self.places)
        guard case .replaceFile(_, _, _, let seen) = plan.actions[0].kind else { return }
        #expect(try seen == remote.state(Self.tombstone))
    }

    @Test func aFolderInPlaceOfTheTombstoneGoesFirst() throws {
        let remote = try RemoteBuilder.two().makeFolder(Self.tombstone)
        let plan = try ClientDeletionPlanner(remote.planned()).plan("second", from: .document("notes"))
        #expect(plan.lines == ["trash \(Self.tombstone)", "write \(Self.tombstone)"] + Self.places)
    }

    @Test func aMissingFolderOfTombstonesIsMade() throws {
        let remote = try RemoteBuilder.two()
        try TestFiles.removeTree(remote.root.pushing(FilePath("Documents/notes/DeletedClients")))
        let plan = try ClientDeletionPlanner(remote.planned()).plan("second", from: .document("notes"))
        #expect(
            plan.lines == ["folder Documents/notes/DeletedClients", "write \(Self.tombstone)"] + Self.places)
    }

    /// The framework would report success and leave the rest.
    @Test(arguments: [true, false]) func finishesAnInterruptedRemoval(hasTombstone: Bool) throws {
        let remote = try RemoteBuilder.two()
        if hasTombstone { try remote.write(Self.tombstone, "old", time: 1_200_000_000) }
        try TestFiles.removeTree(remote.root.pushing(FilePath("Documents/notes/SyncChanges/second")))
        let plan = try ClientDeletionPlanner(remote.planned()).plan("second", from: .document("notes"))
        let verb = hasTombstone ? "replace" : "write"
        #expect(plan.lines == ["\(verb) \(Self.tombstone)"] + Self.places.dropFirst())
        #expect(plan.texts(.reason).contains { $0.contains("interrupted") })
    }

    @Test func nothingThereNothingToDo() throws {
        let remote = try RemoteBuilder.two().client("third")
        let planner = ClientDeletionPlanner(try remote.planned())
        for scope in [ClientDeletionPlanner.Scope.document("notes"), .allDocuments] {
            let plan = try planner.plan("third", from: scope)
            #expect(plan.actions.isEmpty)
            #expect(plan.texts(.reason) == ["there is nothing of A Mac (third) to delete"])
        }
        #expect(try planner.plan("third", from: .application).lines == ["trash ClientDevices/third"])
        #expect(try planner.plan("unknown", from: .application).actions.isEmpty)
    }

    @Test func fromTheApplication() throws {
        let remote = try RemoteBuilder.two().document("tasks").join("second", "tasks").document("other")
        let plan = try ClientDeletionPlanner(remote.planned()).plan("second", from: .application)
        #expect(
            plan.lines == ["write \(Self.tombstone)"] + Self.places + [
                "trash Documents/notes/TemporaryFiles/WholeStore/second",
                "write Documents/tasks/DeletedClients/second.plist",
                "trash Documents/tasks/SyncChanges/second", "trash Documents/tasks/SyncCommands/second",
                "trash ClientDevices/second",
            ])
        #expect(plan.texts(.consequence).contains { $0.contains("registers with the application again") })
        let documents = try ClientDeletionPlanner(remote.planned()).plan("second", from: .allDocuments)
        #expect(
            documents.lines == plan.lines.filter { !$0.contains("Temporary") && !$0.contains("Devices") })
    }

    @Test func refusesWithoutDeviceInfo() throws {
        let remote = try RemoteBuilder.two()
        try TestFiles.removeTree(remote.root.pushing(FilePath("ClientDevices/second")))
        let planned = try remote.planned()
        for scope in [ClientDeletionPlanner.Scope.document("notes"), .application] {
            let problem = try #require(throws: FileProblem.self) {
                try ClientDeletionPlanner(planned).plan("second", from: scope)
            }
            #expect(problem.kind == .refused)
            #expect(problem.advice?.contains("--without-device-info") == true)
        }
        let plan = try ClientDeletionPlanner(planned, standIn: true).plan("second", from: .document("notes"))
        #expect(plan.lines == ["write \(Self.tombstone)"] + Self.places)
        let bytes = try #require(plan.bytes(0))
        let info = try DeviceInfo(SharedBytes(bytes), path: "tombstone")
        #expect(info == DeviceInfo(description: nil, identifier: "second"))
    }

    /// The tombstone was a copy of the missing file.
    @Test func aTombstoneThatIsThereStaysWithoutDeviceInfo() throws {
        let remote = try RemoteBuilder.two().write(Self.tombstone, "old", time: 1_200_000_000)
        try TestFiles.removeTree(remote.root.pushing(FilePath("ClientDevices/second")))
        let plan = try ClientDeletionPlanner(remote.planned()).plan("second", from: .document("notes"))
        #expect(plan.lines == Self.places)
    }

    @Test func theStandInIsEncryptedWhereTheRemoteIs() throws {
        let remote = try RemoteBuilder.two()
        let key = try #require(SyncKey(bytes: [UInt8](repeating: 7, count: 32)))
        try remote.encrypt(key)
        try TestFiles.removeTree(remote.root.pushing(FilePath("ClientDevices/second")))
        let keyring = RemoteKeyring(.checked(key))
        let planner = ClientDeletionPlanner(try remote.planned(keyring: keyring), standIn: true)
        let bytes = try #require(try planner.plan("second", from: .document("notes")).bytes(0))
        #expect(EncryptedFile.canHaveSize(bytes.count))
        let plain = try keyring.plainBytes(SharedBytes(bytes), path: "tombstone")
        #expect(try DeviceInfo(plain, path: "tombstone").identifier == "second")
        let locked = ClientDeletionPlanner(try remote.planned(keyring: RemoteKeyring(.locked)), standIn: true)
        let problem = try #require(throws: FileProblem.self) {
            try locked.plan("second", from: .document("notes"))
        }
        #expect(problem.kind == .encrypted)
    }

    @Test func saysWhoHasNotAppliedWhat() throws {
        let remote = try RemoteBuilder.two()
        var plan = try ClientDeletionPlanner(remote.planned()).plan("second", from: .document("notes"))
        #expect(
            plan.texts(.warning).contains {
                $0.hasPrefix(
                    "The first (first) may not have applied 2 change sets of the client in Notes (notes)")
            })
        try remote.recentSync(of: "first", in: "notes", time: 1_390_000_003)
        plan = try ClientDeletionPlanner(remote.planned()).plan("second", from: .document("notes"))
        #expect(!plan.texts(.warning).contains { $0.contains("may not have applied") })
        try TestFiles.removeTree(
            remote.root.pushing(FilePath("Documents/notes/RecentSyncs/first.recentsync")))
        plan = try ClientDeletionPlanner(remote.planned()).plan("second", from: .document("notes"))
        #expect(
            plan.texts(.warning).contains {
                $0.contains("may not have applied 3 change sets")
                    && $0.contains("what it has applied is unknown")
            })
    }

    @Test func warnsOfALivelyClientAndOfTheOnlyWholeStore() throws {
        let remote = try RemoteBuilder.two()
        var warnings = try ClientDeletionPlanner(remote.planned()).plan("second", from: .document("notes"))
            .texts(.warning)
        #expect(warnings.contains { $0.contains("The only whole store of Notes (notes) will be removed") })
        #expect(!warnings.contains { $0.contains("recently") })
        try remote.wholeStore(of: "first", in: "notes", time: 1_380_000_000)
        let yesterday = RemoteBuilder.now.seconds - RemoteBuilder.day
        try remote.recentSync(of: "second", in: "notes", time: yesterday)
        warnings = try ClientDeletionPlanner(remote.planned()).plan("second", from: .document("notes"))
            .texts(.warning)
        #expect(!warnings.contains { $0.contains("The only whole store") })
        #expect(warnings.contains { $0.contains("recently, on 2014-05-12 16:53") })
        try remote.recentSync(of: "second", in: "notes", time: yesterday - 40 * RemoteBuilder.day)
        try remote.changeSet("new", of: "second", in: "notes", time: yesterday)
        warnings = try ClientDeletionPlanner(remote.planned()).plan("second", from: .document("notes"))
            .texts(.warning)
        #expect(warnings.contains { $0.contains("recently") })
    }

    @Test func warnsOfFilesThatAreNotHere() throws {
        let remote = try RemoteBuilder.two().write(
            "Documents/notes/SyncChanges/second/.set9.syncchg.icloud", "placeholder")
        let plan = try ClientDeletionPlanner(remote.planned()).plan("second", from: .document("notes"))
        #expect(
            plan.texts(.warning).contains { $0.contains("SyncChanges/second contains 1 file whose content") })
    }

    /// Clients follow a link, and the planner does not: it is unknown what the plan would leave.
    @Test(arguments: ["WholeStore/second", "SyncChanges"]) func linksAreRefused(place: String) throws {
        let remote = try RemoteBuilder.two()
        let path = "Documents/notes/\(place)"
        try TestFiles.removeTree(remote.root.pushing(FilePath(path)))
        try remote.link(path, to: "/etc")
        let problem = try #require(throws: FileProblem.self) { try remote.planned() }
        #expect(problem.path.string.hasSuffix(path) && problem.found?.contains("symbolic link") == true)
    }

    @Test(arguments: ["", ".", "..", "a/b", "../second", "nul\0", "SharedExternalData"]) func hostileNames(
        name: String
    ) throws {
        let planner = ClientDeletionPlanner(try RemoteBuilder.two().planned())
        let problem = try #require(throws: FileProblem.self) {
            try planner.plan(RemoteName(name), from: .application)
        }
        #expect(problem.kind == .refused)
        #expect(throws: FileProblem.self) { try planner.plan("second", from: .document(RemoteName(name))) }
    }

    @Test func shortNamesAreRemarkable() throws {
        let remote = try RemoteBuilder.two().client("abc").join("abc", "notes")
        let plan = try ClientDeletionPlanner(remote.planned()).plan("abc", from: .application)
        #expect(plan.lines.count == 4)
        #expect(plan.texts(.warning).contains { $0.contains("fewer than five characters") })
    }
}
