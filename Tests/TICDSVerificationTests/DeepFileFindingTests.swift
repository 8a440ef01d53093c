import CoreDataStore
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

/// Level deep: whole stores and registers compared with the change sets.
@Suite struct DeepFileFindingTests {
    private func storePath(_ remote: CleanRemote) -> String {
        "Documents/cookbook/WholeStore/\(remote.clients[0])/WholeStore.ticdsync"
    }

    @Test(arguments: [CleanRemote.Kind.plain, .encrypted])
    func objectsWithoutSyncID(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind)
        try remote.change(
            storeOf: 0,
            "UPDATE ZTAG SET ZTICDSSYNCID = NULL WHERE Z_PK IN (SELECT Z_PK FROM ZTAG LIMIT 2)")
        let findings = try remote.deepFindings()
        let finding = try #require(findings.first)
        #expect(findings.count == 1 && finding.kind == .objectsWithoutSyncID)
        #expect(finding.path.text == storePath(remote) && finding.client?.text == remote.clients[0])
        #expect(finding.found == "2 of Tag")
        #expect(finding.affected.allSatisfy { $0.newClients && $0.clients.isEmpty })
    }

    @Test func objectsWithOneSyncID() throws {
        let remote = try CleanRemote(.plain)
        let tag = try remote.object("Tag")
        try remote.change(storeOf: 0, "UPDATE ZTAG SET ZTICDSSYNCID = '\(tag)'")
        let findings = try remote.deepFindings()
        let finding = try #require(findings.first)
        #expect(findings.count == 1 && finding.kind == .sharedSyncID && finding.subject == tag)
        #expect(finding.found == "4 objects too many, such as Tag \(tag)")
        #expect(finding.path.text == storePath(remote))
    }

    /// A set that only the register contains, although no vacuum can have removed it; also without the password.
    @Test(arguments: [CleanRemote.Kind.plain, .encrypted])
    func aRegisteredSetIsGone(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 30)
        let register = try remote.registered(by: remote.clients[0])
        let limit = try #require(try remote.context().snapshot.document("cookbook")).vacuumLimit(now: .now)
        let sets = try remote.history().map(\.entry).filter {
            $0.client.text != remote.clients[0] && register.contains($0.file.identifier.text)
        }
        let old = try #require(sets.first { $0.file.modified < limit })
        try remote.remove(old.path.text)
        #expect(try remote.deepFindings() == [])
        let young = try #require(sets.first { $0.file.modified > limit })
        try remote.remove(young.path.text)
        for keyring in [remote.keyring, kind.isEncrypted ? RemoteKeyring(.locked) : remote.keyring] {
            let findings = try remote.deepFindings(keyring: keyring)
            let finding = try #require(findings.first)
            #expect(findings.count == 1 && finding.kind == .registeredSetIsGone)
            #expect(finding.path.last?.text == "AppliedSyncChangeSets.ticdsync")
            #expect(finding.subject == young.file.identifier.text)
            #expect(finding.client?.text == remote.clients[0])
        }
        // With a new key, clients begin from one of the stores. While one of them lacks the set, it is missing.
        let keys = "Documents/cookbook/IntegrityKey"
        let key = FilePath(
            "\(keys)/\(try #require(FileManager.default.contentsOfDirectory(atPath: remote.path(keys).string).first))"
        )
        let before = try FileStatus.of(remote.path(key.string)).modified
        try TestFiles.setTime(remote.path(key.string), .now)
        #expect(try remote.deepFindings().map(\.kind) == [.registeredSetIsGone])
        let stores = "Documents/cookbook/WholeStore"
        let name = "AppliedSyncChangeSets.ticdsync"
        let whole = try remote.plain("\(stores)/\(remote.clients[0])/\(name)")
        for client in try FileManager.default.contentsOfDirectory(atPath: remote.path(stores).string) {
            try remote.write("\(stores)/\(client)/\(name)", whole, encrypted: false)
        }
        #expect(try remote.deepFindings() == [])
        try TestFiles.setTime(remote.path(key.string), before)
        #expect(try Set(remote.deepFindings().map(\.kind)) == [.registeredSetIsGone])
        try remote.write(
            "\(young.path.parent.text)/.\(young.file.name.text).icloud", [1], encrypted: false)
        #expect(try remote.deepFindings() == [])
    }

    @Test func aDamagedSetThatARegisterNames() throws {
        let remote = try CleanRemote(.plain)
        let register = try remote.registered(by: remote.clients[0])
        let set = try #require(
            try remote.history().map(\.entry).last {
                $0.client.text != remote.clients[0] && register.contains($0.file.identifier.text)
            })
        let findings = try remote.deepFindings(damaged: [set.path])
        let finding = try #require(findings.first)
        #expect(findings.count == 1 && finding.kind == .appliedButUnreadable)
        #expect(finding.path == set.path && finding.client?.text == remote.clients[0])
        #expect(finding.affected.first?.clients.map(\.text) == [remote.clients[0]])
    }

    @Test func aSetThatNobodyRegistered() throws {
        let remote = try CleanRemote(.plain)
        // Before the limit, and with the name of a different author.
        let path = try remote.add(
            [.insert("Tag", "FOREIGN")], of: 1, at: 384_200_000, name: "OF-ANOTHER-MAKER")
        try remote.add([.insert("Tag", "OWN")], of: 1, at: 384_200_001)
        let findings = try remote.deepFindings()
        let finding = try #require(findings.first)
        #expect(findings.count == 1 && finding.kind == .unseenBeforeVacuum && finding.path.text == path)
    }

    @Test func withoutThePasswordNothingIsSaidAboutObjects() throws {
        let remote = try CleanRemote(.encrypted)
        try remote.add([.edit("Recipe", "NOBODY")], of: 1)
        #expect(try remote.deepFindings().count == 1)
        #expect(try remote.deepFindings(keyring: RemoteKeyring(.locked)) == [])
    }

    @Test func propertiesAreCheckedByTheModelOfTheStore() {
        var vocabulary = StoreVocabulary()
        #expect(!vocabulary.lacks("Recipe") && !vocabulary.lacks("title", of: "Recipe", in: .attribute))
        vocabulary.add(ModelOnly(entities: ["Recipe": ["title"]]))
        #expect(!vocabulary.lacks("Recipe") && vocabulary.lacks("Tag"))
        #expect(
            !vocabulary.lacks("title", of: "Recipe", in: .attribute)
                && vocabulary.lacks("colour", of: "Recipe", in: .attribute))
        vocabulary.add(ModelOnly(entities: ["Recipe": ["colour"], "Tag": []]))
        #expect(!vocabulary.lacks("Tag") && !vocabulary.lacks("colour", of: "Recipe", in: .attribute))
    }

    @Test func theIndexKeepsEveryObject() {
        var index = ObjectIndex()
        for number in 0..<20_000 {
            var entry = ObjectIndex.Entry()
            entry.set = UInt32(number)
            index[ObjectIndex.key("object \(number)")] = entry
        }
        #expect((0..<20_000).allSatisfy { index[ObjectIndex.key("object \($0)")]?.set == UInt32($0) })
        #expect(index[ObjectIndex.key("another")] == nil)
        var count = 0
        index.forEach { _, _ in count += 1 }
        #expect(count == 20_000)
        #expect(MemoryLayout<ObjectIndex.Entry>.stride == 8)
    }
}

/// A store that contains only its model.
private struct ModelOnly: PersistentStore {
    let path: FilePath = "/nowhere"
    let metadata: StoreMetadata
    let model: ManagedObjectModel?
    let notes: [StoreNote] = []

    init(entities: [String: [String]]) {
        model = ManagedObjectModel(
            entities: entities.map { name, attributes in
                EntityDescription(
                    name: name, className: name,
                    attributes: attributes.map { AttributeDescription(name: $0, type: .string) })
            })
        let hashes = entities.keys.map { ArchivedPair(key: .string($0), value: .data([])) }
        metadata = StoreMetadata(
            .dictionary([
                ArchivedPair(key: .string("NSStoreModelVersionHashes"), value: .dictionary(hashes))
            ]))
    }

    func objectCounts() throws(FileProblem) -> [EntityCount] { [] }
    func forEachObject(
        entity: String?, onDamage: (FileProblem) throws(FileProblem) -> Void,
        _ body: (StoredObject) throws(FileProblem) -> Void
    ) throws(FileProblem) {}
}
