import KeyedArchive
import SystemCalls
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore
import TICDSSync

/// Level deep: the objects according to the changes of a document.
@Suite struct DeepFindingTests {
    private let later = CleanRemote.later

    @Test(arguments: CleanRemote.Kind.allCases)
    func aSoundRemoteHasNone(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 60)
        #expect(try remote.deepFindings("cookbook") == [])
        #expect(try remote.deepFindings("pantry") == [])
    }

    @Test(arguments: [CleanRemote.Kind.plain, .encryptedAndZipped], ["cookbook", "pantry"])
    func aChangeToAnObjectThatNobodyInserted(kind: CleanRemote.Kind, document: String) throws {
        let remote = try CleanRemote(kind)
        let path = try remote.add(
            [.edit("Recipe", "NOBODY", at: 1), .edit("Recipe", "NOBODY", at: 2)], of: 1, in: document)
        // It is reported once, although a different set is also about the object.
        try remote.add([.edit("Recipe", "NOBODY", at: 3)], of: 0, at: later + 9, in: document)
        // The set is so old that a vacuum may have removed related sets.
        try remote.add([.edit("Recipe", "LONG-GONE")], of: 1, at: 384_000_000, in: document)
        // The removal of a missing object is harmless, and a changed object may have been deleted.
        try remote.add([.edit("Tag", "DELETED")], of: 1, at: later + 10, in: document)
        try remote.add([.delete("Tag", "DELETED")], of: 0, at: later + 11, in: document)
        let findings = try remote.deepFindings(RemoteName(document))
        let finding = try #require(findings.first)
        #expect(findings.count == 1 && finding.kind == .changeToNoObject)
        #expect(finding.path.text == path && finding.subject == "NOBODY")
        #expect(finding.found == "2 changes, the first of Recipe NOBODY")
        #expect(
            finding.affected.first?.clients.map(\.text) == [remote.clients[0], remote.clients[2]].sorted())
        #expect(finding.remedy(under: remote.root)[0].hasSuffix(" NOBODY"))
    }

    @Test func aRelationshipToAnObjectThatNobodyInserted() throws {
        let remote = try CleanRemote(.plain)
        let ingredient = try remote.object("Ingredient")
        let path = try remote.add([.move(ingredient, to: "NOBODY")], of: 1)
        let removal = SyncChange(
            type: .removeFromMany, entity: "Tag", objectSyncID: try remote.object("Tag"), key: "recipes",
            relatedEntity: "Recipe", changedRelationships: .string("NEVER"), timestamp: 1)
        try remote.add([removal], of: 1, at: later + 1)
        let findings = try remote.deepFindings()
        #expect(findings.map(\.kind) == [.targetIsNoObject] && findings.first?.path.text == path)
        #expect(findings.first?.subject == "NOBODY")
        #expect(
            findings.first?.found == "1 change, of Ingredient \(ingredient): its recipe leads to NOBODY")
    }

    @Test func insertedTwice() throws {
        let remote = try CleanRemote(.plain)
        let path = try remote.add([.insert("Tag", try remote.object("Tag"), at: 7)], of: 1)
        // Not after a deletion.
        try remote.add([.insert("Tag", "AGAIN")], of: 0, at: later + 1)
        try remote.add([.delete("Tag", "AGAIN")], of: 0, at: later + 2)
        try remote.add([.insert("Tag", "AGAIN", at: 3)], of: 0, at: later + 3)
        let findings = try remote.deepFindings()
        #expect(findings.map(\.kind) == [.insertedTwice] && findings.first?.path.text == path)
    }

    @Test func changedAfterDeletion() throws {
        let remote = try CleanRemote(.plain)
        let tag = try remote.object("Tag")
        try remote.add([.delete("Tag", tag)], of: 0)
        let path = try remote.add([.edit("Tag", tag)], of: 1, at: later + 1)
        let findings = try remote.deepFindings()
        #expect(findings.map(\.kind) == [.changeAfterDeletion] && findings.first?.path.text == path)
    }

    /// Only SQLite stores show which entity is a subentity of another.
    @Test(arguments: ["cookbook", "pantry"])
    func aTargetOfTheWrongEntity(document: String) throws {
        let remote = try CleanRemote(.plain)
        let name = RemoteName(document)
        let ingredient = try remote.object("Ingredient", in: name)
        let path = try remote.add(
            [.move(ingredient, to: try remote.object("Tag", in: name))], of: 1, in: document)
        let findings = try remote.deepFindings(name)
        #expect(findings.map(\.kind) == (document == "cookbook" ? [.targetOfWrongEntity] : []))
        #expect(findings.allSatisfy { $0.path.text == path && $0.expected == "Recipe" })
    }

    @Test func anEntityThatNoStoreKnows() throws {
        let remote = try CleanRemote(.plain)
        for document in ["cookbook", "pantry"] {
            let path = try remote.add([.insert("Spaceship", "S1")], of: 1, in: document)
            try remote.add([.insert("Spaceship", "S2")], of: 1, at: later + 1, in: document)
            let findings = try remote.deepFindings(RemoteName(document))
            #expect(findings.map(\.kind) == [.unknownToStores] && findings.first?.path.text == path)
        }
    }

    @Test(arguments: [CleanRemote.Kind.plain, .encrypted])
    func oneSetUnderTwoNames(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind)
        let set = try #require(try remote.history().last { $0.changes.contains { $0.type == .insert } })
        let path = "Documents/cookbook/SyncChanges/\(remote.clients[0])/0405400000.000000-COPY.syncchg"
        try remote.write(
            path, try remote.plain(set.entry.path.text), time: FileTime(seconds: 1_383_800_000))
        let findings = try remote.deepFindings()
        #expect(findings.map(\.kind) == [.equalChangeSets] && findings.first?.path.text == path)
        #expect(findings.first?.subject == set.entry.file.identifier.text)
    }

    @Test func deletedAndInsertedInOneSet() throws {
        let remote = try CleanRemote(.plain)
        let path = try remote.add([.delete("Tag", "X", at: 1), .insert("Tag", "X", at: 2)], of: 1)
        try remote.add([.insert("Tag", "Y", at: 1), .delete("Tag", "Y", at: 2)], of: 1, at: later + 1)
        let findings = try remote.deepFindings()
        #expect(findings.map(\.kind) == [.deletedAndInserted] && findings.first?.path.text == path)
    }

    /// The sync ID that an object got late is recorded under that same sync ID.
    @Test func aSyncIDThatIsRewritten() throws {
        let remote = try CleanRemote(.plain)
        let tag = try remote.object("Tag")
        func rewrite(_ value: ArchivedValue) -> SyncChange {
            var change = SyncChange.edit("Tag", tag, key: SyncID.attribute)
            change.changedAttributes = value
            return change
        }
        try remote.add([rewrite(.string(tag))], of: 1)
        let path = try remote.add([rewrite(.string("ANOTHER")), rewrite(.null)], of: 1, at: later + 1)
        let findings = try remote.deepFindings()
        #expect(findings.map(\.kind) == [.syncIDRewritten] && findings.first?.path.text == path)
        #expect(findings.first?.found?.contains("ANOTHER") == true)
    }

    @Test func aChangeBeforeTheInsert() throws {
        let remote = try CleanRemote(.plain)
        let path = try remote.add([.edit("Tag", "LATE")], of: 1)
        try remote.add([.insert("Tag", "LATE")], of: 0, at: later + 1)
        let findings = try remote.deepFindings()
        #expect(findings.map(\.kind) == [.changeBeforeInsert] && findings.first?.path.text == path)
    }

    /// Objects from an unreadable set are unknown, and so are those only in an unreadable store.
    @Test func whatCannotBeReadIsNotChecked() throws {
        let remote = try CleanRemote(.plain)
        let damaged = try remote.add([.insert("Tag", "IN-DAMAGED")], of: 0)
        try remote.add([.edit("Tag", "IN-DAMAGED")], of: 1, at: later + 1)
        #expect(try remote.deepFindings() == [])
        let path = try #require(try remote.history().first { $0.entry.path.text == damaged }?.entry.path)
        #expect(try remote.deepFindings(damaged: [path]) == [])
        for content in [[1, 2, 3], []] as [[UInt8]] {
            try remote.write(damaged, content, encrypted: false)
            #expect(try remote.deepFindings() == [])
        }
        try remote.remove(damaged)
        #expect(try remote.deepFindings().map(\.kind) == [.changeToNoObject])
        let store = "Documents/cookbook/WholeStore/\(remote.clients[0])/WholeStore.ticdsync"
        try remote.write(store, [1, 2, 3])
        #expect(try remote.deepFindings() == [])
    }

    /// The sets above the limit are counted under a kind that the earlier sets have.
    @Test(arguments: [FindingKind.changeToNoObject, .targetIsNoObject])
    func thereIsAnEndToFindingsOfOneKind(kind: FindingKind) throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let ingredient = try remote.object("Ingredient")
        for number in 0..<LimitedFindings.limit + 20 {
            let nobody = "NOBODY-\(number)"
            let change: SyncChange =
                kind == .changeToNoObject ? .edit("Tag", nobody) : .move(ingredient, to: nobody)
            try remote.add([change], of: 1, at: later + Double(number), name: "SET-\(number)")
        }
        let findings = try remote.deepFindings()
        #expect(findings.count == LimitedFindings.limit && findings.allSatisfy { $0.kind == kind })
        #expect(findings.last?.found?.hasSuffix("; the same in 20 more change sets") == true)
    }
}
