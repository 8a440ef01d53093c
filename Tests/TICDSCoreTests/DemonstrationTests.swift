import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
@testable import TICDSDemonstration

@Suite struct DemonstrationTests {
    private static func make(_ settings: DemonstrationRemote.Settings) throws -> (
        TemporaryFolder, LocalStorage
    ) {
        let folder = try TemporaryFolder(prefix: "ticds-demo")
        let target = folder.path.appending("demo")
        try DemonstrationRemote.write(to: target, settings)
        return (folder, LocalStorage(root: try RemoteLocation.find(target)))
    }

    private static func records(
        _ storage: LocalStorage, _ keyring: RemoteKeyring
    ) throws -> (records: [ChangeRecord], problems: [FileProblem]) {
        var records: [ChangeRecord] = []
        var problems: [FileProblem] = []
        for document in try RemoteSnapshot.take(storage).documents {
            try ChangeHistory(of: document).forEachRecord(
                in: storage, keyring, onDamage: { problems.append($0) }, { records.append($0) })
        }
        return (records, problems)
    }

    @Test func everySetAndStoreIsSound() throws {
        let (folder, storage) = try Self.make(.init(changeSets: 40))
        let snapshot = try RemoteSnapshot.take(storage)
        #expect(snapshot.strays.isEmpty)
        #expect(snapshot.problems.isEmpty)
        #expect(snapshot.documents.map { $0.clients.map(\.changeSets.count).reduce(0, +) } == [40, 12])
        let (records, problems) = try Self.records(storage, RemoteKeyring(.plain))
        #expect(problems.isEmpty)
        #expect(
            Set(records.map(\.change.type.name)).isSuperset(of: ["insert", "attribute", "toOne", "addToMany"])
        )
        for document in snapshot.documents {
            for whole in document.wholeStores {
                let store = try #require(whole.store)
                let open = try PersistentStores.open(store.path.filePath(under: storage.root))
                #expect(try open.objectCounts().contains { $0.entity == "Recipe" })
                #expect(open.metadata.versionHashes.keys.sorted() == ["Ingredient", "Recipe", "Tag"])
            }
        }
        withExtendedLifetime(folder) {}
    }

    @Test("The stores have the first of two versions of the model; the second one renames")
    func modelVersions() throws {
        let (folder, storage) = try Self.make(.init(changeSets: 20, hasModelVersions: true))
        let models = folder.path.appending("demo").appending(DemonstrationRemote.versionedModelName)
        let versions = try ModelFile.versions(models)
        #expect(Set(versions.map(\.name)) == ["Cookbook", "Cookbook 2"])
        #expect(versions.first(where: \.isCurrent)?.name == "Cookbook 2")
        let paths = Dictionary(uniqueKeysWithValues: versions.map { ($0.name, $0.path) })
        let old = try ModelFile.load(try #require(paths["Cookbook"]))
        let new = try ModelFile.load(try #require(paths["Cookbook 2"]))
        let snapshot = try RemoteSnapshot.take(storage)
        let whole = try #require(snapshot.document("cookbook")?.wholeStores.first?.store)
        let store = try PersistentStores.open(whole.path.filePath(under: storage.root))
        let comparison = VersionHashComparison(model: old, storeHashes: store.metadata.versionHashes)
        #expect(comparison.fits)
        #expect(new["Keyword"]?.renamingIdentifier == "Tag")
        #expect(new.attributes(of: "Recipe").first { $0.name == "name" }?.renamingIdentifier == "title")
        withExtendedLifetime(folder) {}
    }

    /// Sets apply by modification time, then by identifier (ticds-remote-format(5), 3.5).
    @Test func historyIsInOrder() throws {
        let (folder, storage) = try Self.make(.init(changeSets: 40))
        let document = try #require(try RemoteSnapshot.take(storage).document("cookbook"))
        let history = ChangeHistory(of: document)
        let entries = (0..<history.count).map { history[$0] }
        #expect(entries.count == 40)
        #expect(Set(entries.map(\.client)).count == 3)
        for (one, other) in zip(entries, entries.dropFirst()) {
            #expect(
                one.file.modified < other.file.modified
                    || one.file.modified == other.file.modified && one.file.identifier < other.file.identifier
            )
        }
        let client = try #require(entries.first?.client)
        let own = ChangeHistory(of: document, clients: [client])
        #expect(own.count == entries.count { $0.client == client })
        let set = entries[7].file.identifier
        #expect(ChangeHistory(of: document, identifiers: [set]).count == 1)
        withExtendedLifetime(folder) {}
    }

    @Test func theEncryptedOneSaysTheSame() throws {
        let (plainFolder, plain) = try Self.make(.init(changeSets: 20))
        let (sealedFolder, sealed) = try Self.make(.init(changeSets: 20, password: "  päßwörd 🔑 "))
        let keyring = try PasswordCheck.open(sealed) { "päßwörd 🔑" }
        #expect(keyring.isEncrypted)
        let (records, problems) = try Self.records(sealed, keyring)
        #expect(problems.isEmpty)
        #expect(records == (try Self.records(plain, RemoteKeyring(.plain))).records)
        #expect(throws: FileProblem.self) { try PasswordCheck.open(sealed) { "wrong" } }
        withExtendedLifetime((plainFolder, sealedFolder)) {}
    }

    @Test func oneSetIsDamagedOnRequest() throws {
        let (folder, storage) = try Self.make(.init(changeSets: 20, isDamaged: true))
        let (records, problems) = try Self.records(storage, RemoteKeyring(.plain))
        #expect(problems.map(\.kind) == [.damaged])
        #expect(problems.first?.offset != nil)
        #expect(!records.isEmpty, "the other sets are still read")
        withExtendedLifetime(folder) {}
    }

    @Test func identifiersHaveTheOrderOfTheirTexts() {
        var random = SeededGenerator(seed: 7)
        let identifiers = (0..<500).map { _ in random.identifier() }
        #expect(identifiers.sorted().map(\.text) == identifiers.map(\.text).sorted())
        #expect(Set(identifiers.map(\.text)).count == identifiers.count)
        #expect(identifiers.allSatisfy { UInt8($0.text.prefix(2), radix: 16) == $0.start })
    }

    @Test func aFolderThatIsInUseIsRefused() throws {
        let folder = try TemporaryFolder(prefix: "ticds-demo")
        try NewFile.write([1], to: folder.path.appending("mine"))
        #expect(throws: FileProblem.self) { try DemonstrationRemote.write(to: folder.path) }
        #expect(try FileBytes.read(folder.path.appending("mine")).array == [1])
    }
}

/// A change set as old and derived versions of the framework save it.
@Test func anSQLiteChangeSetIsReadLikeABinaryOne() throws {
    let folder = try TemporaryFolder()
    let file = folder.path.appending("set.syncchg")
    var writer = try SQLiteStoreWriter(creating: file, model: FrameworkModels.syncChange)
    for (key, type) in [(Int64(1), Int128(10)), (2, 1)] {
        try writer.insert(
            StoredObject(
                entity: "TICDSSyncChange", primaryKey: key,
                attributes: [
                    StoredAttribute(name: "changeType", value: .integer(type)),
                    StoredAttribute(name: "objectEntityName", value: .string("Note")),
                    StoredAttribute(name: "objectSyncID", value: .string("n\(key)")),
                    StoredAttribute(name: "localTimeStamp", value: .date(1.5)),
                    StoredAttribute(
                        name: "changedAttributes",
                        value: type == 1 ? .dictionary(["title": .string("t")]) : .none),
                ], relationships: []))
    }
    try writer.finish()
    let reader = try ChangeSetReader(try FileBytes.read(file), path: "remote/set.syncchg")
    #expect(reader.count == 2)
    var changes: [SyncChange] = []
    try reader.forEachChange { changes.append($0) }
    #expect(changes.map(\.type) == [.insert, .delete])
    #expect(changes.first?.changedAttributes["title"] == .string("t"))
    let cut = SharedBytes(Array(try FileBytes.read(file).array.dropLast(5000)))
    let problem = #expect(throws: FileProblem.self) {
        try ChangeSetReader(cut, path: "remote/set.syncchg").forEachChange { _ in }
    }
    #expect(problem?.path == "remote/set.syncchg", "the copy's name is nobody's concern")
}
