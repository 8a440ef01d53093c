import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

/// Area 06, one damage in each test, on unencrypted and on encrypted remotes.
@Suite struct ChangeSetFindingTests {
    private static let kinds: [CleanRemote.Kind] = [.plain, .encrypted]

    private func insert(_ id: String?) -> SyncChange {
        SyncChange(
            type: .insert, entity: "Recipe", objectSyncID: id,
            changedAttributes: .dictionary(["ticdsSyncID": .string(id ?? "")]), timestamp: 1)
    }

    /// The only finding, about the first change set.
    private func only(_ remote: CleanRemote) throws -> Finding {
        let found = try remote.contents()
        #expect(found.count == 1, "\(found.summary)")
        let finding = try #require(found.first)
        #expect(
            finding.path
                == RemotePath(try remote.changeSet().split(separator: "/").map { RemoteName(String($0)) }))
        #expect(finding.client?.text == remote.clients[0])
        #expect(finding.document == "cookbook")
        return finding
    }

    @Test(arguments: kinds) func noKnownKind(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        try remote.write(try remote.changeSet(), Array("This is no change set but a letter to my aunt.".utf8))
        #expect(try only(remote).kind == .notAChangeSet)
        #expect(try remote.headers().map(\.kind) == (kind == .plain ? [.notAChangeSet] : []))
    }

    /// Zeros with blocks, which only their bytes reveal.
    @Test(arguments: kinds, [8, 112, 5_008]) func nothingButZeros(kind: CleanRemote.Kind, size: Int) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        try remote.write(try remote.changeSet(), [UInt8](repeating: 0, count: size), encrypted: false)
        #expect(try only(remote).kind == .contentNotHere)
        #expect(try remote.headers().map(\.kind) == [.contentNotHere])
        try remote.write(try remote.changeSet(), [UInt8](repeating: 0, count: size) + [1], encrypted: false)
        #expect(try only(remote).kind != .contentNotHere)
    }

    @Test(arguments: kinds) func sqlite(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let folder = try TemporaryFolder()
        let path = folder.path.appending("set")
        var writer = try SQLiteStoreWriter(creating: path, model: FrameworkModels.syncChange)
        let attributes: [StoredAttribute] = [
            StoredAttribute(name: "changeType", value: .integer(10)),
            StoredAttribute(name: "objectEntityName", value: .string("Recipe")),
            StoredAttribute(name: "objectSyncID", value: .string("A")),
            StoredAttribute(name: "localTimeStamp", value: .date(1)),
        ]
        try writer.insert(
            StoredObject(
                entity: FrameworkModels.syncChangeEntity, primaryKey: 1, attributes: attributes,
                relationships: []))
        try writer.finish()
        let bytes = try FileBytes.read(path).array
        try remote.write(try remote.changeSet(), bytes)
        #expect(try only(remote).kind == .sqliteChangeSet)
        try remote.write(try remote.changeSet(), Array(bytes.dropLast(100)))
        #expect(try remote.contents().map(\.kind) == [.sqliteChangeSet, .changeSetDamaged])
    }

    /// Intact sets in every form need only the fast check; all others are counted with the reason.
    @Test(arguments: kinds) func slowChecksAreCounted(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let path = try remote.changeSet()
        let sound = try ChangeSetWriter.bytes(of: [insert("A")])
        func slow(_ bytes: [UInt8]) throws -> [String] {
            try remote.write(path, bytes)
            let report = Verifier(try remote.context(keyring: nil)).verify().report
            return report.slow.map { "\($0.count) \($0.reason.name)" }
        }
        for form in KeyedArchiveForm.all { #expect(try slow(form.rewritten(store: sound)) == []) }
        #expect(try slow(ChangeSetWriter.bytes(of: [insert(nil)])) == ["1 finding"])
        #expect(try slow(Array(sound.dropLast())) == ["1 structure"])
        let object = ArchivedValue.object(ArchivedObject(className: "C", fields: []))
        let strange = SyncChange(
            type: .attribute, entity: "Recipe", objectSyncID: "A", key: "title", changedAttributes: object,
            timestamp: 1)
        #expect(try slow(ChangeSetWriter.bytes(of: [strange])) == ["1 class"])
        var deep = ArchivedValue.array([])
        for _ in 0..<125 { deep = .array([deep]) }
        let nested = SyncChange(
            type: .attribute, entity: "Recipe", objectSyncID: "A", key: "title", changedAttributes: deep,
            timestamp: 1)
        #expect(try slow(ChangeSetWriter.bytes(of: [nested])) == ["1 limits"])
    }

    @Test(arguments: kinds) func damagedAsAWhole(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let bytes = try remote.plain(try remote.changeSet())
        for count in [63, 64, 200, bytes.count / 2, bytes.count - 1] {
            try remote.write(try remote.changeSet(), Array(bytes.prefix(count)))
            // The changes are in the first half, the metadata in the second.
            let expected: FindingKind = count < bytes.count / 2 ? .changeSetDamaged : .changeSetCutOff
            #expect(try only(remote).kind == expected, "\(count) bytes")
        }
        try remote.write(try remote.changeSet(), bytes + [0])
        #expect(try only(remote).kind == .changeSetDamaged)
    }

    /// Nobody takes a place for a size.
    @Test(arguments: kinds) func truncatedSetNamesItsSizeApartFromTheHeader(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let bytes = try remote.plain(try remote.changeSet())
        try remote.write(try remote.changeSet(), Array(bytes.prefix(200)))
        let finding = try only(remote)
        #expect(finding.found?.hasPrefix("damaged binary store: 200 bytes in all; ") == true)
        let expected = try #require(finding.expected)
        let sentence =
            /a file of at least ([0-9]+) bytes, whose header names ([0-9]+) bytes of metadata at offset ([0-9]+)/
        let numbers = try #require(expected.wholeMatch(of: sentence)).output
        let size = try #require(Int(numbers.1))
        let length = try #require(Int(numbers.2))
        let offset = try #require(Int(numbers.3))
        #expect(size == bytes.count && offset + length == size)
    }

    /// The commands for salvage would end with an error.
    @Test(arguments: kinds) func setWithoutWholeChangeIsOnlyRestored(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let bytes = try remote.plain(try remote.changeSet())
        for count in [64, 200] {
            try remote.write(try remote.changeSet(), Array(bytes.prefix(count)))
            let finding = try only(remote)
            #expect(finding.kind == .changeSetDamaged && finding.isLost, "\(count) bytes")
            #expect(finding.found?.hasSuffix("; no change is whole") == true, "\(finding.found ?? "")")
            let lines = finding.remedy(under: remote.root)
            #expect(
                lines.map { String($0.prefix(28)) } == [
                    "Restore the file from a back", "ticds-verify \(remote.root)".prefix(28).description,
                    "Or by hand:", "mkdir -p ~/ticds-set-aside &",
                ], "\(lines)")
            #expect(
                finding.remedy(under: remote.root, isLoose: true).map(FindingKind.isCommand) == [false, true])
        }
    }

    @Test(arguments: kinds) func damagedSQLiteSetNamesTheCommandForStores(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        try remote.write(try remote.changeSet(), Array("SQLite format 3\0".utf8) + [1, 2, 3])
        let finding = try #require(try remote.contents().first { $0.kind == .changeSetDamaged })
        #expect(finding.found?.contains("ticds-store recover") == true, "\(finding.found ?? "")")
        #expect(!finding.remedy(under: remote.root).contains { $0.hasPrefix("ticds-changes") })
    }

    @Test(arguments: kinds) func damagedChanges(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        var writer = BinaryStoreWriter(
            metadata: .binary(of: FrameworkModels.syncChange, uuid: .random()))
        for key in 1...5 {
            let entity: ArchivedValue = key > 2 ? .string("Recipe") : .integer(7)
            try writer.append(
                entity: FrameworkModels.syncChangeEntity, primaryKey: Int64(key),
                slots: [
                    .integer(10), .null, .null, .date(1), entity, .string("A"), .null, .null,
                ])
        }
        try remote.write(try remote.changeSet(), try writer.finish())
        let finding = try only(remote)
        #expect(finding.kind == .changeDamaged)
        #expect(finding.found?.hasPrefix("2 of 5") == true)
    }

    @Test(arguments: kinds) func anotherModel(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        var entity = try #require(FrameworkModels.syncChange[FrameworkModels.syncChangeEntity])
        entity.attributes[0].isOptional = false
        var writer = BinaryStoreWriter(
            metadata: .binary(of: ManagedObjectModel(entities: [entity]), uuid: .random()))
        try writer.append(
            entity: FrameworkModels.syncChangeEntity, primaryKey: 1,
            slots: [.integer(10), .null, .null, .date(1), .string("Recipe"), .string("A"), .null, .null])
        try remote.write(try remote.changeSet(), try writer.finish())
        #expect(try only(remote).kind == .foreignChangeSetModel)
    }

    /// Clients send sets of any size, and so does ticds.
    @Test(arguments: kinds) func largeChangeSetIsChecked(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let photo = SyncChange(
            type: .attribute, entity: "Recipe", objectSyncID: "A", key: "photo",
            changedAttributes: .data([UInt8](repeating: 7, count: 33 << 20)), timestamp: 1)
        try remote.replaceChangeSet([insert("A"), photo])
        #expect(try remote.contents().summary == [])
        try remote.replaceChangeSet([insert("A"), photo, insert(nil)])
        #expect(try only(remote).kind == .changeWithoutSyncID)
    }

    @Test(arguments: kinds) func changesWithoutSyncID(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        try remote.replaceChangeSet([insert("A"), insert(nil), insert(nil)])
        let finding = try only(remote)
        #expect(finding.kind == .changeWithoutSyncID)
        #expect(finding.found == "2, first: change 2 of Recipe")
        #expect(
            finding.affected.first?.clients.map(\.text).sorted() == remote.clients.dropFirst().sorted())
    }

    @Test(arguments: kinds) func noChanges(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        try remote.replaceChangeSet([])
        #expect(try only(remote).kind == .noChanges)
    }

    @Test func noBytesInsideTheEncryption() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 3)
        try remote.write(try remote.changeSet(), [])
        #expect(try only(remote).kind == .noChanges)
    }

    @Test(arguments: kinds) func unknownType(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        try remote.replaceChangeSet([
            insert("A"), SyncChange(type: .unknown(7), entity: "Recipe", objectSyncID: "A", timestamp: 2),
        ])
        let finding = try only(remote)
        #expect(finding.kind == .unknownChangeType)
        #expect(finding.found == "1, first: type 7 of change 2")
    }

    @Test(arguments: [
        SyncChange(type: .insert, entity: "Recipe", objectSyncID: "A", timestamp: 2),
        SyncChange(type: .attribute, entity: "Recipe", objectSyncID: "A", timestamp: 2),
        SyncChange(type: .toOne, entity: "Recipe", objectSyncID: "A", key: "tag", timestamp: 2),
        SyncChange(
            type: .addToMany, entity: "Recipe", objectSyncID: "A", key: "tags", relatedEntity: "Tag",
            timestamp: 2),
    ])
    func incomplete(change: SyncChange) throws {
        let remote = try CleanRemote(.plain, changeSets: 3)
        try remote.replaceChangeSet([insert("A"), change])
        #expect(try only(remote).kind == .incompleteChange)
    }
}
