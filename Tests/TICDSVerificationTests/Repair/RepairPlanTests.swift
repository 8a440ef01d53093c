import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSRepair
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore
import TICDSOperations

/// The actions of a plan, and the omitted ones with the reasons.
@Suite struct RepairPlanTests {
    private let pantry = "Documents/pantry"

    @Test func everyKindThatIsRepairedIsTried() {
        let tried = Set(
            RepairNamesTests.damages.map(\.code) + ContentsDamage.all.map(\.code)
                + ["0210", "0213", "0222", "0401", "0402", "0404", "0406", "0407", "0508", "0811"])
        let repaired = Catalogue.all.filter { $0.repair != .byHand }.map { String($0.code.suffix(4)) }
        #expect(Set(repaired).subtracting(tried) == [])
    }

    @Test func onlyWhatIsNotRepairedHasNoText() {
        for repair in Repair.allCases { #expect((repair.text == nil) == (repair == .byHand)) }
        #expect(Catalogue.all.contains { $0.repair == .byHand })
    }

    @Test func theRemedyNamesTheCommand() throws {
        for kind in Catalogue.all {
            let names = kind.generalRemedy.contains("ticds-verify REMOTE --repair --only \(kind.code)")
            #expect(names == (kind.repair != .byHand), "\(kind.code)")
        }
    }

    /// Files that would be lost are copied first, wrong entries are removed, missing ones are made; nothing inside a
    /// removed entry has a separate action.
    @Test func oneActionForEachEntryInOrder() throws {
        let remote = try DamagedRemote()
        let client = remote.clients[1]
        let copy = "\(pantry)/SyncChanges/\(client) (1)"
        let set = "0405000000.000000-ONLY-HERE.syncchg"
        try remote.write("\(copy)/\(set)", time: 1_383_307_200)
        try remote.write("\(copy)/desktop.ini")
        try remote.write("\(pantry)/SyncChanges/\(client)/desktop.ini")
        try remote.remove("\(pantry)/TemporaryFiles")
        try remote.remove("ClientDevices/\(client)/deviceInfo.plist")
        try remote.setTime(
            "\(pantry)/RecentSyncs/\(client).recentsync", FileTime(seconds: 1_400_009_000))
        let repair = try RepairedRemote(remote).plan()
        #expect(
            repair.plan.steps == [
                "write \(pantry)/SyncChanges/\(client)/\(set)",
                "trash \(pantry)/SyncChanges/\(client)/desktop.ini", "trash \(copy)",
                "folder \(pantry)/TemporaryFiles", "folder \(pantry)/TemporaryFiles/WholeStore",
                "write ClientDevices/\(client)/deviceInfo.plist",
                "time \(pantry)/RecentSyncs/\(client).recentsync",
            ])
        #expect(repair.left.isEmpty)
        let written = try #require(repair.plan.actions.first)
        let seen = EntryState(kind: .file, size: 2, modified: FileTime(seconds: 1_383_307_200))
        #expect(
            written.kind
                == .writeFile(
                    path: RemotePath("\(pantry)/SyncChanges/\(client)/\(set)".names),
                    content: .copy(of: RemotePath("\(copy)/\(set)".names), seen: seen),
                    modified: FileTime(seconds: 1_383_307_200)))
    }

    @Test func theSetThatOnlyTheCopyHoldsIsKeptWithItsTime() throws {
        let remote = try DamagedRemote()
        let copy = "\(pantry)/SyncChanges/\(remote.clients[0]) (1)"
        let set = "0405000000.000000-ONLY-HERE.syncchg"
        try remote.write("\(copy)/\(set)", "edits", time: 1_383_307_200)
        try RepairedRemote(remote).repair()
        let kept = remote.path("\(pantry)/SyncChanges/\(remote.clients[0])/\(set)")
        #expect(try FileBytes.read(kept).array == Array("edits".utf8))
        #expect(try FileStatus.of(kept).modified == FileTime(seconds: 1_383_307_200))
    }

    /// A set that a joint listing takes for a copy stays behind, whichever folder contains its original.
    @Test func copiesOfSetsDoNotComeAlong() throws {
        let remote = try DamagedRemote()
        let folder = "\(pantry)/SyncChanges/\(remote.clients[0])"
        let set = try remote.changeSets(of: 0, in: "pantry")[0]
        let stem = set.dropFirst(folder.count + 1).dropLast(".syncchg".count)
        let new = "0405000000.000000-ONLY-HERE"
        try remote.copy(set, to: "\(folder) (1)/\(stem)-DESKTOP-1.syncchg")
        try remote.write("\(folder) (1)/\(new).syncchg", "edits", time: 1_383_307_200)
        try remote.write("\(folder) (1)/\(new)-DESKTOP-1.syncchg", "edits")
        try remote.write("\(folder) (1)/\(new)-conflict-1.syncchg", "other edits")
        try remote.write("\(folder) (2)/\(new)-PC.syncchg", "edits")
        let repaired = RepairedRemote(remote)
        let plan = try repaired.repair().plan
        #expect(
            plan.steps == ["write \(folder)/\(new).syncchg", "trash \(folder) (1)", "trash \(folder) (2)"])
        for (text, kind) in [
            ("1 change set that only \(folder) (1) contains: kept in \(folder)", PlanNote.Kind.reason),
            ("2 change sets in \(folder) (1) with the same bytes as another: not kept", .reason),
            ("1 change set in \(folder) (2) with the same bytes as another: not kept", .reason),
        ] { #expect(plan.notes.contains { $0.text == text && $0.kind == kind }, "\(plan.texts)") }
        #expect(plan.notes.count { $0.kind == .warning && $0.text.contains("but other bytes") } == 1)
        #expect(Set(try repaired.codes()).isDisjoint(with: ["TICDS-0210", "TICDS-0211"]))
    }

    @Test func aFolderWithTheCopyOfASetThatIsNowhereStays() throws {
        let remote = try DamagedRemote()
        let folder = "\(pantry)/SyncChanges/\(remote.clients[0]) (1)"
        try remote.write("\(folder)/0405000000.000000-X (conflicted copy).syncchg", "edits")
        let repair = try RepairedRemote(remote).plan()
        #expect(!repair.plan.steps.contains("trash \(folder)"))
        let left = try #require(repair.left.first { $0.finding.path.text == folder })
        #expect(left.reason?.contains("may be the only copy") == true)
    }

    @Test func severalFindingsOnOneFileAreOneAction() throws {
        let remote = try CleanRemote(.plain)
        let set = try remote.changeSet()
        try remote.write(set, Array("A letter".utf8))
        try TestFiles.setTime(remote.path(set), FileTime(seconds: 1_900_000_000))
        let repaired = RepairedRemote(remote)
        #expect(Set(try repaired.codes()) == ["TICDS-0401", "TICDS-0601"])
        let plan = try repaired.plan().plan
        #expect(plan.steps == ["trash \(set)"])
        #expect(plan.texts.contains { $0.contains("never reach clients that have not applied it") })
    }

    // MARK: Copies

    @Test(arguments: [false, true]) func aCopyGoesWhileItsOriginalIsSound(encrypted: Bool) throws {
        let remote = try DamagedRemote(encrypted: encrypted)
        let set = try remote.changeSets(of: 1)[0]
        try remote.copy(set, to: set.dropLast(".syncchg".count) + " (1).syncchg")
        let folder = "\(pantry)/IntegrityKey"
        let key = try #require(
            try remote.storage.list(["Documents", "pantry", "IntegrityKey"]).listing.first?.name)
        try remote.copy("\(folder)/\(key)", to: "\(folder)/\(key) (1)")
        let repaired = RepairedRemote(remote)
        #expect(Set(try repaired.codes()) == ["TICDS-0210", "TICDS-0213"])
        #expect(try repaired.repair().plan.actions.count == 2)
        #expect(try repaired.codes() == [])
    }

    /// Two sets of the same size are two sets.
    @Test func aCopiedFolderOfOtherBytesStays() throws {
        let remote = try DamagedRemote()
        let folder = "Documents/cookbook/SyncChanges"
        let sets = try remote.changeSets(of: 1)
        for set in sets { try remote.copy(set, to: folder + " (1)" + set.dropFirst(folder.count)) }
        let set = sets[0]
        let copied = folder + " (1)" + set.dropFirst(folder.count)
        let repaired = RepairedRemote(remote)
        #expect(try repaired.plan().plan.steps == ["trash \(folder) (1)"])
        let status = try FileStatus.of(remote.path(copied))
        try remote.write(
            copied, String(repeating: "x", count: Int(status.size)), time: status.modified.seconds)
        let repair = try repaired.plan()
        #expect(repair.plan.actions.isEmpty)
        let left = try #require(repair.left.first { $0.finding.kind == .copiedFile })
        #expect(left.reason == "it contains something that its original does not contain")
    }

    /// The copy of a client's folder may contain the only intact copy of a set.
    @Test func aCopiedClientFolderWithAnotherVersionOfASetStays() throws {
        let remote = try DamagedRemote()
        let sets = try remote.changeSets(of: 1)
        let folder = "Documents/cookbook/SyncChanges/\(remote.clients[1])"
        for set in sets { try remote.copy(set, to: folder + " (1)" + set.dropFirst(folder.count)) }
        let set = sets[0]
        let repaired = RepairedRemote(remote)
        #expect(try repaired.plan().plan.steps == ["trash \(folder) (1)"])
        let status = try FileStatus.of(remote.path(set))
        try remote.write(
            set, String(repeating: "x", count: Int(status.size)), time: status.modified.seconds)
        let repair = try repaired.plan()
        #expect(!repair.plan.steps.contains("trash \(folder) (1)"))
        let left = try #require(repair.left.first { $0.finding.kind == .copiedClientFolder })
        #expect(left.reason?.contains("has other bytes") == true, "\(left.reason ?? "")")
        // Once the damaged set is removed, the intact one moves to its place.
        try remote.remove(set)
        #expect(try repaired.plan().plan.steps == ["write \(set)", "trash \(folder) (1)"])
    }

    @Test func aDamagedCopyOfADamagedSetStaysAndSoDoesTheSet() throws {
        let remote = try DamagedRemote()
        let set = try remote.changeSets(of: 1)[0]
        let copy = set.dropLast(".syncchg".count) + " (1).syncchg"
        let time = try FileStatus.of(remote.path(set)).modified
        try remote.write(set, "", time: time.seconds)
        try remote.write(String(copy), "damaged, too", time: time.seconds)
        let repair = try RepairedRemote(remote).plan()
        #expect(repair.plan.actions.isEmpty)
        #expect(Set(repair.left.map(\.finding.kind)) == [.copiedChangeSet, .emptyChangeSet])
        let reasons = repair.left.compactMap(\.reason)
        #expect(reasons.contains { $0.contains("intact one") }, "\(reasons)")
        #expect(reasons.contains { $0.contains("not intact") }, "\(reasons)")
    }

    @Test func aDocumentThatLooksLikeACopyStays() throws {
        let remote = try DamagedRemote()
        try remote.makeFolder("Documents/pantry 2")
        let repair = try RepairedRemote(remote).plan()
        #expect(!repair.plan.steps.contains { $0.contains("trash") })
    }

    @Test(arguments: [false, true]) func anEmptySetGoesAndItsLossIsTold(encrypted: Bool) throws {
        let remote = try DamagedRemote(encrypted: encrypted)
        let set = try remote.changeSets(of: 0)[1]
        let time = try FileStatus.of(remote.path(set)).modified
        try remote.write(set, "")
        try remote.setTime(set, time)
        let repaired = RepairedRemote(remote)
        #expect(try repaired.codes() == ["TICDS-0222"])
        let plan = try repaired.repair().plan
        #expect(plan.steps == ["trash \(set)"])
        let warning = try #require(plan.notes.first { $0.kind == .warning }?.text)
        #expect(warning.contains("client \(remote.clients[0])"))
        for other in [1, 2] { #expect(warning.contains(remote.clients[other])) }
        #expect(try repaired.codes() == [])
    }

    // MARK: What is not done

    @Test func nothingIsDoneWhilePlaceholdersAreThere() throws {
        let remote = try DamagedRemote()
        try remote.write("\(pantry)/desktop.ini")
        try remote.remove("\(pantry)/documentInfo.plist")
        try remote.write("\(pantry)/.documentInfo.plist.icloud")
        let repaired = RepairedRemote(remote)
        #expect(throws: FileProblem.self) { try repaired.plan() }
        let forced = try repaired.plan(ignoring: [.cloudPlaceholder])
        #expect(forced.plan.steps == ["trash \(pantry)/desktop.ini"])
    }

    @Test func nothingIsDoneWhileContentIsElsewhere() throws {
        let remote = try DamagedRemote()
        try remote.write("\(pantry)/desktop.ini")
        try remote.write("\(pantry)/documentInfo.plist", "x")
        let repaired = RepairedRemote(remote)
        let problem = #expect(throws: FileProblem.self) { try repaired.plan() }
        #expect(problem?.kind == .refused && problem?.advice?.contains("TICDS-0224") == true)
        let forced = try repaired.plan(ignoring: [.contentNotHere])
        #expect(forced.plan.steps == ["trash \(pantry)/desktop.ini"])
    }

    @Test func nothingIsDoneWhileADownloadIsYoung() throws {
        let remote = try DamagedRemote()
        try remote.write("\(pantry)/SyncChanges/\(remote.clients[0])/a.syncchg.part", time: 1_399_999_000)
        #expect(throws: FileProblem.self) { try RepairedRemote(remote).plan() }
    }

    @Test func theOnlyWholeStoreStays() throws {
        let remote = try CleanRemote(.plain)
        try remote.remove("Documents/cookbook/WholeStore/\(remote.clients[2])")
        try remote.write(remote.wholeStore(), Array("A store of paper and string.".utf8))
        let repair = try RepairedRemote(remote).plan()
        #expect(repair.plan.actions.isEmpty)
        #expect(repair.left.map(\.finding.kind) == [.notAWholeStore])
        #expect(repair.left[0].reason?.contains("no other whole store") == true)
    }

    @Test func setsThatAreMostlyBadHaveOneCause() throws {
        let remote = try CleanRemote(.plain)
        for client in 0..<3 {
            for name in try remote.changeSets(of: remote.clients[client]) {
                try remote.write(
                    "Documents/cookbook/SyncChanges/\(remote.clients[client])/\(name)", Array("xx".utf8))
            }
        }
        let repair = try RepairedRemote(remote).plan()
        #expect(repair.plan.actions.isEmpty)
        #expect(repair.left.allSatisfy { $0.reason?.contains("in common") == true })
    }

    @Test func withoutThePasswordNothingIsWrittenEncrypted() throws {
        let remote = try DamagedRemote(encrypted: true)
        try remote.remove("\(pantry)/documentInfo.plist")
        let context = VerificationContext(
            storage: remote.storage, snapshot: try RemoteSnapshot.take(remote.storage),
            keyring: RemoteKeyring(.locked), now: FileTime(seconds: 1_400_000_000))
        let findings = ListingCheck.findings(context)
        let repair = try RepairPlanner.plan(
            findings, among: findings, context, root: remote.root, command: "test")
        #expect(repair.plan.actions.isEmpty)
        #expect(repair.left.map(\.finding.kind) == [.documentInfoMissing])
        #expect(repair.left[0].reason?.contains("password") == true)
    }

    @Test func aLinkInThePlaceOfAFolderStays() throws {
        let remote = try DamagedRemote()
        try remote.remove("\(pantry)/SyncChanges/\(remote.clients[1])")
        try TestFiles.link(remote.path("\(pantry)/SyncChanges/\(remote.clients[1])"), to: "/tmp")
        let repair = try RepairedRemote(remote).plan()
        #expect(!repair.plan.steps.contains { $0.hasPrefix("trash") })
        #expect(repair.left.contains { $0.finding.kind == .symbolicLink && $0.reason != nil })
    }

    // MARK: What is made

    @Test(arguments: [false, true]) func deviceInfoComesFromATombstone(encrypted: Bool) throws {
        let remote = try DamagedRemote(encrypted: encrypted)
        let client = remote.clients[1]
        let info = "ClientDevices/\(client)/deviceInfo.plist"
        let bytes = try FileBytes.read(remote.path(info)).array
        try remote.copy(info, to: "Documents/cookbook/DeletedClients/\(client).plist")
        try remote.remove("ClientDevices/\(client)")
        let repaired = RepairedRemote(remote)
        #expect(Set(try repaired.codes()) == ["TICDS-0305", "TICDS-0307"])
        try repaired.repair()
        #expect(try repaired.codes() == [])
        #expect(try FileBytes.read(remote.path(info)).array == bytes)
    }

    @Test(arguments: [false, true]) func documentInfoComesFromKeyAndDevice(encrypted: Bool) throws {
        let remote = try DamagedRemote(encrypted: encrypted)
        let path = "\(pantry)/documentInfo.plist"
        let before = try info(remote, path)
        try remote.remove(path)
        try RepairedRemote(remote).repair()
        let made = try info(remote, path)
        #expect(made.identifier == "pantry")
        #expect(made.originalDeviceIdentifier == before.originalDeviceIdentifier)
        #expect(made.originalDeviceDescription == before.originalDeviceDescription)
        let raw = try FileBytes.read(remote.path(path))
        #expect(remote.clean.keyring.needsDecryption(raw) == encrypted)
    }

    private func info(_ remote: DamagedRemote, _ path: String) throws -> DocumentInfo {
        let bytes = try remote.clean.keyring.plainBytes(try FileBytes.read(remote.path(path)), path: "x")
        return try DocumentInfo(bytes, path: "x")
    }

    @Test func theKeyThatNamesTheCreatorIsKept() throws {
        let remote = try DamagedRemote()
        let folder = "\(pantry)/IntegrityKey"
        let key = try #require(
            try remote.storage.list(["Documents", "pantry", "IntegrityKey"]).listing.first?.name)
        try remote.write("\(folder)/OLDER-BUT-EMPTY", "", time: 1_300_000_000)
        let plan = try RepairedRemote(remote).plan().plan
        #expect(plan.steps == ["trash \(folder)/OLDER-BUT-EMPTY"])
        #expect(plan.texts.contains { $0.contains("the key \(key)") && $0.contains("created the document") })
        #expect(plan.notes.contains { $0.kind == .warning && $0.text.contains("throws away the edits") })
    }

    @Test func findingsThatAreLeftAreNamedInThePlan() throws {
        let remote = try DamagedRemote()
        try remote.remove("\(pantry)/IntegrityKey")
        let repair = try RepairedRemote(remote).plan()
        #expect(repair.left.map(\.finding.kind) == [.integrityKeyMissing])
        #expect(repair.plan.texts.contains { $0.hasPrefix("Not repaired: TICDS-0302") })
    }
}

extension String {
    fileprivate var names: [RemoteName] { split(separator: "/").map { RemoteName(String($0)) } }
}
