import CoreDataStore
import KeyedArchive
import SystemCalls
import TICDSVerification
import TestSupport
import Testing
@testable import TICDSCore
@testable import TICDSDemonstration

/// The simulated synchronisation of damaged remotes: the end of the run, and its error.
@Suite struct SimulationDamageTests {
    private let changes = "Documents/cookbook/SyncChanges"

    @Test func aStrayBlocksAllButItsOwner() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let stray = "\(changes)/\(remote.clients[0])/desktop.ini"
        try remote.write(stray, [1])
        for variant in Variant.allCases {
            let stop = try #require(try remote.simulate(remote.clients[1], variant).stop)
            #expect(stop.stage == .preSync && stop.outcome == .fails)
            #expect(stop.error == (variant == .dropbox ? .dropboxClient : .fileManager))
            #expect(stop.paths.map(\.text) == [stray])
            #expect(stop.sentence.contains("desktop.syncchg"))
            #expect(try remote.simulate(remote.clients[0], variant).stop == nil)
            #expect(try remote.simulate(nil, variant).stop == stop)
        }
    }

    @Test func aHiddenFileBlocksDropboxOnly() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        try remote.write("\(changes)/\(remote.clients[0])/.DS_Store", [1])
        for variant in Variant.allCases {
            let stop = try remote.simulate(remote.clients[1], variant).stop
            #expect(stop?.error == (variant == .dropbox ? .dropboxClient : nil))
        }
    }

    @Test func aPlainFileAmongTheClients() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        try remote.write("\(changes)/notes.txt", [1])
        for variant in Variant.allCases {
            let simulation = try remote.simulate(remote.clients[1], variant)
            #expect(simulation.stop == nil)
            let listed = try #require(simulation.steps.first { $0.name == "List the change sets" })
            #expect(listed.paths.map(\.text) == ["\(changes)/notes.txt"])
        }
    }

    /// Entries that were not listed here may exist for the client.
    @Test(arguments: [
        "ClientDevices", "Encryption", "Documents", "Documents/cookbook/SyncChanges",
        "Documents/cookbook/SyncChanges/CLIENT", "Documents/pantry",
    ])
    func nothingIsForetoldOfWhatWasNotListed(place: String) throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let whole = try RemoteScanner.scan(remote.storage)
        let names = place.split(separator: "/").map { RemoteName(String($0)) }
        let tree = RemoteTree(
            root: whole.root, folders: whole.folders.filter { !$0.key.names.starts(with: names) },
            problems: [
                FileProblem(.unreadable, path: RemotePath(names).filePath(under: whole.root), "no permission")
            ])
        let context = VerificationContext(
            storage: remote.storage, snapshot: RemoteSnapshot(tree), keyring: remote.keyring, now: .now)
        for client in [RemoteName(remote.clients[0]), nil] {
            for run in SyncSimulator.runs(
                client: client, document: "cookbook", variant: .fileManager, context)
            {
                #expect(run.isUnseen == (place != "Documents/pantry"))
                if run.isUnseen { #expect(run.outcome == .unknown && run.steps.count == 1) }
            }
        }
    }

    /// A missing document may have been deleted: the tombstone decides, and its folder was not listed.
    @Test func unlistedTombstonesLeaveAMissingDocumentUnknown() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let whole = try RemoteScanner.scan(remote.storage)
        let names: [RemoteName] = [RemoteLayout.information, RemoteLayout.deletedDocuments]
        let tree = RemoteTree(
            root: whole.root, folders: whole.folders.filter { !$0.key.names.starts(with: names) },
            problems: [
                FileProblem(.unreadable, path: RemotePath(names).filePath(under: whole.root), "no permission")
            ])
        let context = VerificationContext(
            storage: remote.storage, snapshot: RemoteSnapshot(tree), keyring: remote.keyring, now: .now)
        for (document, isUnseen) in [("gone", true), ("cookbook", false)] {
            let runs = SyncSimulator.runs(
                client: nil, document: RemoteName(document), variant: .fileManager, context)
            #expect(runs.allSatisfy { $0.isUnseen == isUnseen }, "\(document)")
        }
    }

    @Test func noIntegrityKey() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let folder = "Documents/cookbook/IntegrityKey"
        try remote.remove(folder)
        try remote.write("\(folder)/abcd", [1])
        for variant in Variant.allCases {
            let member = try remote.simulate(remote.clients[0], variant)
            #expect(
                member.stop?.error == .integrityKeyMissing
                    && member.steps.map(\.stage) == [.preSync, .vacuum])
            #expect(member.nextStart.last?.outcome == .fails)
            let newcomer = try remote.simulate(nil, variant)
            #expect(newcomer.stop?.stage == .documentRegistration)
            #expect(newcomer.stop?.error == (variant == .dropbox ? .incompleteStructure : nil))
        }
        try remote.remove(folder)
        for variant in Variant.allCases {
            #expect(try remote.simulate(remote.clients[0], variant).stop?.error == .integrityKeyMissing)
        }
    }

    @Test func severalIntegrityKeys() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        try remote.write("Documents/cookbook/IntegrityKey/.DS_Store", [1])
        let simulation = try remote.simulate(remote.clients[0], .fileManager)
        let step = try #require(simulation.steps.first)
        #expect(step.outcome == .unknown && step.error == .integrityKeysDiffer && step.paths.count == 2)
        #expect(simulation.nextStart.contains { $0.outcome == .unknown })
        #expect(simulation.stop == nil)
    }

    @Test func itsOwnFolderIsGone() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let client = remote.clients[2]
        try remote.remove("\(changes)/\(client)")
        for variant in Variant.allCases {
            let orphan = try remote.simulate(client, variant)
            #expect(orphan.standing == .orphaned)
            #expect(orphan.steps.contains { $0.stage == .documentRegistration && $0.outcome == .skipped })
            #expect(orphan.changeSets.count > 0)
            #expect(orphan.stop == nil)
            let sending = try #require(orphan.steps.first { $0.name == "Send its own edits" })
            #expect(sending.outcome == (variant == .fileManager ? .unknown : .done))
            #expect(sending.error == (variant == .fileManager ? .fileManager : nil))
            #expect(orphan.outcome == sending.outcome)
        }
        try remote.write("Documents/cookbook/DeletedClients/\(client).plist", [1])
        for variant in Variant.allCases {
            let removed = try remote.simulate(client, variant)
            #expect(removed.standing == .removed)
            #expect(
                removed.steps.contains { $0.name == "Find that it was removed" && $0.outcome == .silentLoss })
            // Its folder in SyncCommands still exists.
            #expect(removed.stop?.error == (variant == .dropbox ? nil : .fileManager))
        }
        try remote.remove("Documents/cookbook/SyncCommands/\(client)")
        for variant in Variant.allCases {
            #expect(try remote.simulate(client, variant).stop == nil)
        }
    }

    @Test func aSetThatDoesNotDecrypt() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 6)
        let name = try #require(try remote.changeSets(of: remote.clients[0]).last)
        let set = "\(changes)/\(remote.clients[0])/\(name)"
        try remote.damage(set) { $0[20] ^= 1 }
        for variant in Variant.allCases {
            let simulation = try remote.simulate(remote.clients[1], variant)
            #expect(simulation.stop?.stage == .preSync && simulation.stop?.error == .encryption)
            #expect(simulation.stop?.paths.map(\.text) == [set])
            #expect(simulation.changeSets.filter { $0.fate == .cannotBeFetched }.map(\.path.text) == [set])
        }
    }

    @Test func aPlainSetInAnEncryptedRemote() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 6)
        let name = try #require(try remote.changeSets(of: remote.clients[0]).last)
        let set = "\(changes)/\(remote.clients[0])/\(name)"
        try remote.write(set, try remote.plain(set), encrypted: false)
        #expect(try remote.simulate(remote.clients[1], .fileManager).stop?.error == .encryption)
    }

    /// The content of the file, its fate in an unencrypted remote, and in the iCloud variant.
    @Test(arguments: [
        ([UInt8](), SimulatedChangeSet.Fate.swallowedAsEmpty), ([1, 2, 3], .swallowedAsEmpty),
        ([UInt8](repeating: 7, count: 100), .crashes),
    ])
    func aDamagedPlainSet(content: [UInt8], fate: SimulatedChangeSet.Fate) throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let name = try #require(try remote.changeSets(of: remote.clients[0]).last)
        let set = "\(changes)/\(remote.clients[0])/\(name)"
        try remote.write(set, content)
        let simulation = try remote.simulate(remote.clients[1], .fileManager)
        #expect(simulation.changeSets.first { $0.path.text == set }?.fate == fate)
        let step = try #require(simulation.steps.first { $0.paths.map(\.text) == [set] })
        #expect(step.stage == .sync)
        #expect(step.outcome == (fate == .crashes ? .wouldCrash : .silentLoss))
        #expect((simulation.stop == nil) == (fate != .crashes))
    }

    @Test func aCutSetIsSwallowedAndAnUnknownVersionCrashes() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let name = try #require(try remote.changeSets(of: remote.clients[0]).last)
        let set = "\(changes)/\(remote.clients[0])/\(name)"
        let sound = try remote.plain(set)
        func fate() throws -> SimulatedChangeSet.Fate? {
            try remote.simulate(remote.clients[1], .fileManager).changeSets
                .first { $0.path.text == set }?.fate
        }
        try remote.write(set, sound.dropLast(30))
        #expect(try fate() == .swallowedAsEmpty)
        var other = sound
        other[11] = 2
        try remote.write(set, other)
        #expect(try fate() == .crashes)
        try remote.write(set, sound)
        #expect(try fate() == .applied)
        let change = SyncChange(type: .delete, entity: "Recipe", objectSyncID: nil, timestamp: 1)
        try remote.write(set, try ChangeSetWriter.bytes(of: [change]))
        #expect(try fate() == .mayCrash)
        #expect(try remote.simulate(remote.clients[1], .fileManager).stop == nil)
    }

    /// The changes that raise in the framework, and those that it ignores (ticds-protocol(7), 2.2); `OBJECT` means an
    /// object that every whole store has.
    @Test(
        arguments: [
            (.edit("Gadget", "A"), true, .unknown), (.delete("Gadget", "A"), true, .fails),
            (.insert("Gadget", "A"), true, .fails), (.edit("", "A"), true, .done),
            (.edit("Recipe", "OBJECT", key: "colour"), true, .unknown),
            (.edit("Recipe", "OBJECT"), false, .done), (.edit("Recipe", "A"), false, .done),
            (
                SyncChange(type: .attribute, entity: "Recipe", objectSyncID: "OBJECT", timestamp: 1), true,
                .done
            ),
            (
                SyncChange(
                    type: .toOne, entity: "Ingredient", objectSyncID: "OBJECT", key: "shop",
                    relatedEntity: "Recipe", timestamp: 1), true, .fails
            ),
            (
                SyncChange(
                    type: .toOne, entity: "Ingredient", objectSyncID: "OBJECT", key: "recipe",
                    relatedEntity: "Shop", timestamp: 1), true, .fails
            ),
            (
                SyncChange(
                    type: .addToMany, entity: "Recipe", objectSyncID: "OBJECT", key: "shops",
                    relatedEntity: "Tag",
                    changedRelationships: .string("B"), timestamp: 1), false, .done
            ),
        ] as [(SyncChange, Bool, SimulationStep.Outcome)])
    func changesOfANewerVersion(
        change: SyncChange, raises: Bool, onICloud: SimulationStep.Outcome
    ) throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        var change = change
        if change.objectSyncID == "OBJECT" { change.objectSyncID = try remote.syncID(of: change.entity) }
        let set = try remote.add([change], of: 0)
        for client in [remote.clients[1], remote.clients[2], nil] {
            let simulation = try remote.simulate(client, .fileManager)
            let found = try #require(simulation.changeSets.first { $0.path.text == set })
            #expect(found.fate == (raises ? .raises : .applied), "\(found.reason ?? "")")
            #expect(simulation.outcome == (raises ? .wouldCrash : .done), "\(simulation.summary)")
            guard raises else { continue }
            #expect(found.reason?.hasPrefix("change 1 ") == true)
            #expect(simulation.stop?.stage == .sync && simulation.stop?.paths == [found.path])
        }
        #expect(try remote.simulate(remote.clients[1], .iCloud).outcome == onICloud)
    }

    /// A client only warns of a change of an object that it lacks. A new client has the objects of its whole store and
    /// the sets; an existing one may have more.
    @Test func aChangeOfAnObjectThatMayBeMissing() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let set = try remote.add([.edit("Recipe", "NOBODY", key: "colour")], of: 0)
        func fate(_ client: String?) throws -> SimulatedChangeSet.Fate? {
            try remote.simulate(client, .fileManager).changeSets.first { $0.path.text == set }?.fate
        }
        #expect(try fate(nil) == .applied)
        #expect(try remote.simulate(nil, .fileManager).outcome == .done)
        #expect(try fate(remote.clients[1]) == .mayCrash)
        #expect(try remote.simulate(remote.clients[1], .fileManager).outcome == .unknown)
        try remote.add([.insert("Recipe", "NOBODY")], of: 0, at: 405_300_000)
        for client in [remote.clients[1], nil] { #expect(try fate(client) == .raises) }
        try remote.add([.delete("Recipe", "NOBODY")], of: 0, at: 405_300_001)
        for client in [remote.clients[1], nil] { #expect(try fate(client) == .applied) }
    }

    /// A file that is too short for a set is a loss if a register shows that it was one.
    @Test func anEmptySetThatARegisterNames() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let stray = "\(changes)/\(remote.clients[0])/0405400000.000000-ADDED.syncchg"
        try remote.write(stray, [])
        #expect(try remote.simulate(remote.clients[1], .fileManager).outcome == .unknown)
        let known = try #require(
            try remote.registered(by: remote.clients[0]).sorted().first { name in
                try remote.changeSets(of: remote.clients[0]).contains(name + ".syncchg")
            })
        try remote.remove(stray)
        try remote.write("\(changes)/\(remote.clients[0])/\(known).syncchg", [])
        #expect(try remote.simulate(remote.clients[1], .fileManager).outcome == .silentLoss)
    }

    /// Binary stores show entities, but no properties.
    @Test func whatOnlyAModelTells() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        try remote.add([.edit("Recipe", "A")], of: 0, in: "pantry")
        func run(_ model: ManagedObjectModel?) throws -> Simulation {
            SyncSimulator.run(
                client: nil, document: "pantry", variant: .fileManager, model: model, try remote.context())
        }
        let dark = try run(nil)
        #expect(dark.outcome == .unknown && dark.stop == nil, "\(dark.summary)")
        #expect(dark.changeSets.contains { $0.fate == .notCompared })
        #expect(try run(DemonstrationModel.model).outcome == .done)
        #expect(try run(ManagedObjectModel(entities: [])).outcome == .wouldCrash)
    }

    @Test func anEncryptedSetInAPlainRemote() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let name = try #require(try remote.changeSets(of: remote.clients[0]).last)
        try remote.write(
            "\(changes)/\(remote.clients[0])/\(name)", [UInt8](repeating: 0xA7, count: 96 + 160))
        let simulation = try remote.simulate(remote.clients[1], .fileManager)
        #expect(simulation.outcome == .wouldCrash)
        #expect(simulation.stop?.sentence.contains(EncryptedFile.fateOfEncryptedSet) == true)
    }

    @Test func aSaltThatComesWhileAClientRuns() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        try remote.write("Encryption/salt.ticdsync", [UInt8](repeating: 5, count: 16))
        let runs = try remote.simulations(remote.clients[0], keyring: RemoteKeyring(.locked))
        #expect(runs.map(\.start) == [.running, .anew])
        #expect(runs.map(\.outcome) == [.done, .fails])
        #expect(runs.allSatisfy { $0.nextStart.isEmpty })
    }

    @Test func aSaltThatGoesWhileAClientRuns() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 6)
        try remote.remove("Encryption/salt.ticdsync")
        try remote.remove("Encryption/test.ticdsync")
        let runs = try remote.simulations(remote.clients[1], keyring: RemoteKeyring(.plain))
        #expect(runs.map(\.start) == [.running, .anew])
        #expect(runs.map(\.outcome) == [.unknown, .wouldCrash])
    }

    @Test func aClientThatWasRemovedWhileItRuns() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let client = remote.clients[2]
        for folder in ["SyncChanges", "SyncCommands", "WholeStore"] {
            try remote.remove("Documents/cookbook/\(folder)/\(client)")
        }
        try remote.write("Documents/cookbook/DeletedClients/\(client).plist", [1])
        let runs = try remote.simulations(client)
        #expect(runs.map(\.start) == [.running, .anew])
        #expect(runs.map(\.outcome) == [.unknown, .silentLoss])
        #expect(runs[0].steps.contains { $0.name == "Write its recent sync" && $0.outcome == .done })
    }

    @Test func withoutRecentSyncsTheVacuumFails() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        try remote.remove("Documents/cookbook/RecentSyncs")
        for variant in Variant.allCases {
            let last = try remote.simulate(remote.clients[0], variant).steps.last
            #expect(last?.stage == .vacuum && (last?.outcome == .fails) == (variant != .dropbox))
        }
    }

    @Test func aYoungStoreNeedsNoRegister() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let folder = "Documents/cookbook/WholeStore/\(remote.clients[0])"
        try remote.remove("\(folder)/AppliedSyncChangeSets.ticdsync")
        try remote.remove("Documents/cookbook/WholeStore/\(remote.clients[2])")
        try TestFiles.setTime(remote.path("\(folder)/WholeStore.ticdsync"), FileTime(seconds: 1_000_000_000))
        #expect(try remote.simulate(nil, .fileManager).outcome == .done)
    }

    @Test func saltWithoutTestFile() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 6)
        try remote.remove("Encryption/test.ticdsync")
        for variant in Variant.allCases {
            let newcomer = try remote.simulate(nil, variant)
            #expect(newcomer.stop?.stage == .applicationRegistration)
            #expect(newcomer.stop?.error == (variant == .dropbox ? .dropboxClient : .encryption))
            let member = try remote.simulate(remote.clients[0], variant)
            #expect(member.stop == nil && member.nextStart.last?.outcome == .fails)
        }
    }

    @Test func oneIdentifierTwice() throws {
        for kind in [CleanRemote.Kind.plain, .encrypted] {
            let remote = try CleanRemote(kind, changeSets: 6)
            let name = try #require(try remote.changeSets(of: remote.clients[0]).last)
            let content = try remote.plain("\(changes)/\(remote.clients[0])/\(name)")
            try remote.write("\(changes)/\(remote.clients[2])/\(name)", content)
            let simulation = try remote.simulate(remote.clients[1], .fileManager)
            #expect(simulation.stop?.error == (kind == .encrypted ? .fileManager : nil))
            #expect(simulation.changeSets.filter { $0.path.last?.text == name }.count == 1)
            #expect(try remote.simulate(remote.clients[1], .iCloud).stop == nil)
        }
    }

    @Test func aWholeStoreWithoutItsRegister() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        let folder = "Documents/cookbook/WholeStore/\(remote.clients[0])"
        try remote.remove("\(folder)/AppliedSyncChangeSets.ticdsync")
        let simulation = try remote.simulate(nil, .fileManager)
        #expect(simulation.steps.contains { $0.name == "Fetch the register" && $0.outcome == .unknown })
        #expect(simulation.changeSets.count == 6)
        try remote.write("\(folder)/AppliedSyncChangeSets.ticdsync", [1, 2, 3])
        #expect(try remote.simulate(nil, .fileManager).changeSets.count == 6)
    }

    @Test func noWholeStore() throws {
        let remote = try CleanRemote(.plain, changeSets: 6)
        for client in [0, 2] {
            try remote.remove("Documents/cookbook/WholeStore/\(remote.clients[client])")
        }
        for variant in Variant.allCases {
            #expect(try remote.simulate(nil, variant).stop?.error == .noUploadedStore)
            #expect(try remote.simulate(remote.clients[0], variant).stop == nil)
        }
        try remote.write("Documents/cookbook/WholeStore/\(remote.clients[0])/junk", [1])
        for variant in Variant.allCases {
            let simulation = try remote.simulate(remote.clients[0], variant)
            let last = try #require(simulation.steps.last)
            #expect(simulation.stop == nil && last.stage == .vacuum && last.outcome == .fails)
            #expect(last.error == (variant == .dropbox ? nil : .fileManager))
            #expect(simulation.vacuumLimit == nil)
        }
    }

    @Test func aWholeStoreThatDoesNotDecrypt() throws {
        let remote = try CleanRemote(.encrypted, changeSets: 6)
        let store = "Documents/cookbook/WholeStore/\(remote.clients[0])/WholeStore.ticdsync"
        try remote.damage(store) { $0[300] ^= 1 }
        for variant in Variant.allCases {
            let simulation = try remote.simulate(nil, variant)
            let step = try #require(simulation.steps.first { $0.name == "Fetch and install the store" })
            #expect(step.outcome == (variant == .dropbox ? .silentLoss : .fails))
            #expect(step.error == (variant == .dropbox ? nil : .encryption))
            #expect(step.paths.map(\.text) == [store])
        }
    }
}

extension CleanRemote {
    /// The sync ID of an object of `cookbook` in the first client's whole store.
    func syncID(of entity: String) throws -> String {
        let path: RemotePath = [
            "Documents", "cookbook", "WholeStore", RemoteName(clients[0]), "WholeStore.ticdsync",
        ]
        let file = try WholeStoreFile.open(path, in: storage, keyring: keyring)
        var found: String?
        try PersistentStores.open(file.path).forEachObject(entity: entity) { object in
            let value = object.attributes.first { $0.name.lowercased() == "ticdssyncid" }?.value
            found = found ?? value?.stringValue
        }
        return try #require(found)
    }
}
