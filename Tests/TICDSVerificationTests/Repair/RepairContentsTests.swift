import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSRepair
import TestSupport
import Testing

@testable import TICDSVerification
import TICDSCore

/// A repairable damage to the contents of a file.
struct ContentsDamage: Sendable, CustomTestStringConvertible {
    let code: String
    let kinds: [CleanRemote.Kind]
    let inflict: @Sendable (CleanRemote) throws -> Void
    var testDescription: String { code }

    init(
        _ code: String, _ kinds: [CleanRemote.Kind],
        _ inflict: @escaping @Sendable (CleanRemote) throws -> Void
    ) {
        self.code = code
        self.kinds = kinds
        self.inflict = inflict
    }

    private static let both: [CleanRemote.Kind] = [.plain, .encrypted]

    static let all = [
        ContentsDamage("0501", [.encrypted]) { try $0.remove("Encryption/test.ticdsync") },
        ContentsDamage("0504", [.encrypted, .encryptedAndZipped]) { remote in
            let files = [
                remote.deviceInfo(), "Documents/cookbook/documentInfo.plist", try remote.changeSet(),
                remote.wholeStore(),
            ]
            for file in files { try remote.write(file, try remote.plain(file), encrypted: false) }
        },
        ContentsDamage("0505", [.plain]) { remote in
            let key = SyncKey(password: "other", salt: [1, 2, 3])
            for file in [try remote.changeSet(), remote.wholeStore(), remote.deviceInfo()] {
                let secret = try EncryptedFile.encrypt(
                    SharedBytes(try remote.plain(file)), with: key, path: FilePath(file))
                try remote.write(file, secret.array)
            }
        },
        ContentsDamage("0506", [.encrypted]) { remote in
            let files = [
                try remote.changeSet(), remote.wholeStore(), remote.deviceInfo(), "Encryption/test.ticdsync",
                "Documents/cookbook/documentInfo.plist",
            ]
            for file in files { try remote.damage(file) { $0[70] ^= 1 } }
        },
        ContentsDamage("0507", [.encrypted]) { remote in
            for file in [try remote.changeSet(), remote.wholeStore(), remote.deviceInfo(of: 1)] {
                try remote.damage(file) { $0.removeLast(3) }
            }
        },
        ContentsDamage("0510", [.encrypted]) { remote in
            try remote.write(remote.register(), try remote.plain(remote.register()))
        },
        ContentsDamage("0601", both) { try $0.write(try $0.changeSet(), Array("A letter to my aunt.".utf8)) },
        ContentsDamage("0603", both) { remote in
            let bytes = try remote.plain(try remote.changeSet())
            try remote.write(try remote.changeSet(), bytes + [0])
        },
        ContentsDamage("0612", both) { remote in
            let bytes = try remote.plain(try remote.changeSet())
            try remote.write(try remote.changeSet(), Array(bytes.dropLast()))
        },
        ContentsDamage("0604", both) { remote in
            var writer = BinaryStoreWriter(
                metadata: .binary(of: FrameworkModels.syncChange, uuid: .random()))
            try writer.append(
                entity: FrameworkModels.syncChangeEntity, primaryKey: 1,
                slots: [.integer(10), .null, .null, .date(1), .integer(7), .string("A"), .null, .null])
            try remote.write(try remote.changeSet(), try writer.finish())
        },
        ContentsDamage("0605", both) { remote in
            var entity = try #require(FrameworkModels.syncChange[FrameworkModels.syncChangeEntity])
            entity.attributes[0].isOptional = false
            var writer = BinaryStoreWriter(
                metadata: .binary(of: ManagedObjectModel(entities: [entity]), uuid: .random()))
            try writer.append(
                entity: FrameworkModels.syncChangeEntity, primaryKey: 1,
                slots: [.integer(10), .null, .null, .date(1), .string("R"), .string("A"), .null, .null])
            try remote.write(try remote.changeSet(), try writer.finish())
        },
        ContentsDamage("0701", CleanRemote.Kind.allCases) {
            try $0.write($0.wholeStore(), Array("A store of paper and string.".utf8))
        },
        ContentsDamage("0702", both) { remote in
            let bytes = try remote.plain(remote.wholeStore())
            try remote.write(remote.wholeStore(), Array(bytes.dropLast(4096)))
        },
        ContentsDamage("0704", [.zipped, .encryptedAndZipped]) { remote in
            let bytes = try remote.plain(remote.wholeStore())
            try remote.write(remote.wholeStore(), Array(bytes.dropLast(200)))
        },
        ContentsDamage("0706", [.zipped, .encryptedAndZipped]) { remote in
            let store = try emptyStore(entity: "Recipe", attributes: ["title"])
            try remote.write(remote.wholeStore(), StoredZip.bytes([("../cookbook", store)]))
        },
        ContentsDamage("0714", both) { remote in
            for file in [remote.deviceInfo(of: 1), "Documents/pantry/documentInfo.plist"] {
                try remote.write(file, Array("<?xml version=\"1.0\"?><plist><dict>".utf8))
            }
        },
    ]
}

/// Damage inside files is repaired as far as possible without a decision, and causes no new fault.
@Suite struct RepairContentsTests {
    /// The store in the zip has a different model than the others.
    private static let comesWithIt: Set<String> = ["TICDS-0713"]

    @Test(arguments: ContentsDamage.all) func isRepaired(_ damage: ContentsDamage) throws {
        for kind in damage.kinds {
            let remote = try CleanRemote(kind)
            try damage.inflict(remote)
            let repaired = RepairedRemote(remote)
            let codes = Set(try repaired.codes()).subtracting(Self.comesWithIt)
            #expect(codes == ["TICDS-" + damage.code], "\(kind)")
            let before = try picture(of: remote.root)
            let repair = try repaired.repair()
            let left = repair.left.filter { !Self.comesWithIt.contains($0.finding.kind.code) }
            #expect(left.isEmpty, "\(left.map(\.reason))")
            #expect(try repaired.codes() == [], "\(kind)")
            try repaired.undo()
            #expect(try picture(of: remote.root) == before)
        }
    }

    @Test(.enabled(if: Python.available)) func filesOfTheFirstWeeksAreEncryptedAnew() throws {
        let remote = try CleanRemote(.encrypted)
        let set = try remote.changeSet()
        let plain = try remote.plain(set)
        let time = try FileStatus.of(remote.path(set)).modified
        let key = try #require(remote.key).bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        let script = """
            import sys, hmac
            key, path = bytes.fromhex(sys.argv[1]), sys.argv[2]
            body = open(path, 'rb').read()[:-32]
            open(path, 'wb').write(body + hmac.new(key, body[16:], 'sha256').digest())
            """
        #expect(Python.run(script, [key, remote.path(set).string]) != nil)
        try TestFiles.setTime(remote.path(set), time)
        let repaired = RepairedRemote(remote)
        #expect(try repaired.codes() == ["TICDS-0508"])
        #expect(try repaired.repair().left == [])
        #expect(try repaired.codes() == [])
        #expect(try remote.plain(set) == plain)
        #expect(try FileStatus.of(remote.path(set)).modified == time)
    }

    @Test func aSetThatWasSentTwiceGoes() throws {
        let remote = try CleanRemote(.plain)
        let set = try #require(try remote.history().last)
        let path = "\(set.entry.path.parent.text)/0405492800.000000-AGAIN.syncchg"
        try remote.write(
            path, try remote.plain(set.entry.path.text), time: FileTime(seconds: 1_383_800_000))
        var repaired = RepairedRemote(remote)
        repaired.level = .deep
        #expect(try repaired.codes() == ["TICDS-0811"])
        #expect(try repaired.repair().plan.steps == ["trash \(path)"])
        #expect(try repaired.codes() == [])
    }

    /// Anyone with write access to the folder can put an unencrypted file there; encrypted, it would look like a
    /// client's. The copy that a service made is intact: it replaces the damaged file.
    @Test(arguments: [CleanRemote.Kind.plain, .encrypted, .zipped], [true, false])
    func intactTwinTakesThePlaceOfTheDamagedFile(_ kind: CleanRemote.Kind, _ isStore: Bool) throws {
        let remote = try CleanRemote(kind)
        let path = isStore ? remote.wholeStore() : try remote.changeSet()
        let suffix = isStore ? ".ticdsync" : ".syncchg"
        let twin = path.dropLast(suffix.count) + " (1)" + suffix
        let (file, copy) = (remote.root.appending(path), remote.root.appending(String(twin)))
        let intact = try FileBytes.read(file, limit: .binaryStore).array
        let time = try FileStatus.of(file).modified
        try NewFile.write(intact, to: copy, modified: time)
        try remote.write(path, Array(try remote.plain(path).dropLast(100)))
        let repaired = RepairedRemote(remote)
        let findings = try repaired.findings()
        #expect(
            !findings.contains {
                $0.path == RemotePath(twin.split(separator: "/").map { RemoteName(String($0)) })
                    && $0.affected.contains { $0.consequence == .harmless }
            })
        let repair = try repaired.repair()
        #expect(repair.plan.steps == ["replace \(path)", "trash \(twin)"])
        #expect(repair.left.isEmpty)
        #expect(try FileBytes.read(file, limit: .binaryStore).array == intact)
        #expect(try FileStatus.of(file).modified == time || !isStore)
        #expect(try repaired.codes() == [])
        try repaired.undo()
        #expect(try FileBytes.read(copy, limit: .binaryStore).array == intact)
    }

    @Test func damagedTwinIsNeverPutInPlace() throws {
        let remote = try CleanRemote(.plain)
        let path = remote.wholeStore()
        let bytes = try remote.plain(path)
        try remote.write(path, Array(bytes.dropLast(100)))
        let twin = String(path.dropLast(".ticdsync".count) + " (1).ticdsync")
        try NewFile.write(Array(bytes.dropLast(5000)), to: remote.root.appending(twin))
        let repair = try RepairedRemote(remote).plan()
        #expect(repair.plan.steps == [] && !repair.left.isEmpty)
    }

    @Test func damagedSetSaysWhatCanBeSalvaged() throws {
        let remote = try CleanRemote(.plain)
        let bytes = try remote.plain(try remote.changeSet())
        let count = try ChangeSetReader(SharedBytes(bytes), path: FilePath("x")).count
        try remote.write(try remote.changeSet(), bytes + [0])
        let repaired = RepairedRemote(remote)
        let finding = try #require(try repaired.findings().first { $0.kind == .changeSetDamaged })
        #expect(
            finding.found?.contains("salvages \(count) of \(count) change") == true, "\(finding.found ?? "")")
        #expect(finding.remedy(under: remote.root).contains { $0.hasPrefix("ticds-changes recover ") })
        #expect(try repaired.plan().plan.texts.contains { $0.contains("ticds-changes recover") })
    }

    @Test func planForSetWithoutWholeChangeNamesNoSalvage() throws {
        let remote = try CleanRemote(.plain)
        let set = try remote.changeSet()
        try remote.write(set, Array(try remote.plain(set).prefix(200)))
        let plan = try RepairedRemote(remote).plan().plan
        #expect(plan.steps == ["trash \(set)"])
        #expect(!plan.texts.contains { $0.contains("ticds-changes recover") })
        #expect(plan.texts.contains { $0.contains("restore it from a back-up") }, "\(plan.texts)")
    }

    @Test(arguments: [CleanRemote.Kind.plain, .encrypted])
    func setWithoutItsEndIsWrittenAgain(kind: CleanRemote.Kind) throws {
        let remote = try CleanRemote(kind, changeSets: 3)
        let set = try remote.changeSet()
        let bytes = try remote.plain(set)
        let before = try changes(bytes)
        try remote.write(set, Array(bytes.dropLast()))
        let time = try FileStatus.of(remote.path(set)).modified
        let repaired = RepairedRemote(remote)
        let finding = try #require(try repaired.findings().first { $0.kind == .changeSetCutOff })
        #expect(finding.found?.hasSuffix("all of its \(counted(before.count, "change"))") == true)
        _ = try repaired.repair()
        #expect(try changes(try remote.plain(set)) == before)
        #expect(try FileStatus.of(remote.path(set)).modified == time)
        #expect(try repaired.codes() == [])
    }

    /// An app with merged models refuses a set that lacks the hashes of one of them.
    @Test func setWithoutItsEndGetsTheModelsOfItsNeighbours() throws {
        let remote = try CleanRemote(.plain, changeSets: 3)
        let set = try remote.changeSet()
        let bytes = try remote.plain(set)
        let models = try self.models(bytes)
        try remote.write(set, Array(bytes.dropLast()))
        _ = try RepairedRemote(remote).repair()
        #expect(try self.models(try remote.plain(set)) == models)
    }

    @Test func setWithoutItsEndStaysWhereNoOtherShowsTheModels() throws {
        let remote = try CleanRemote(.plain, changeSets: 1)
        let set = try remote.changeSet()
        try remote.write(set, Array(try remote.plain(set).dropLast()))
        let repair = try RepairedRemote(remote).plan()
        #expect(repair.plan.steps == [])
        #expect(repair.left.first?.reason?.contains("no other change set") == true)
    }

    private func models(_ bytes: [UInt8]) throws -> [String: [UInt8]] {
        try ChangeSetReader(SharedBytes(bytes), path: FilePath("set")).metadata.versionHashes
    }

    private func changes(_ bytes: [UInt8]) throws -> [SyncChange] {
        var all: [SyncChange] = []
        let reader = try ChangeSetReader(SharedBytes(bytes), path: FilePath("set"))
        try reader.forEachChange { all.append($0) }
        return all
    }

    @Test func plainFilesAreSetAsideAndNeverEncrypted() throws {
        let remote = try CleanRemote(.encrypted)
        let set = try remote.changeSet()
        try remote.write(set, try remote.plain(set), encrypted: false)
        let repaired = RepairedRemote(remote)
        let repair = try repaired.repair()
        #expect(repair.recoder == nil && repair.plan.steps == ["trash \(set)"])
        #expect(throws: FileProblem.self) { try FileStatus.of(remote.path(set)) }
        #expect(try repaired.codes() == [])
    }

    /// One repair is enough, whatever comes after the first bytes.
    @Test(arguments: ["bplist00", "CoreData", "SQLite format 3\0", "PK\u{3}\u{4}", "<?xml version"])
    func plainGarbageGoesAtOnce(_ start: String) throws {
        let remote = try CleanRemote(.encrypted)
        let files = [try remote.changeSet(), remote.deviceInfo(), "Documents/pantry/documentInfo.plist"]
        for file in files {
            try remote.write(file, Array("\(start) garbage, and nothing but garbage".utf8), encrypted: false)
        }
        let repaired = RepairedRemote(remote)
        #expect(Set(try repaired.codes()) == ["TICDS-0504"])
        #expect(try repaired.repair().left == [])
        #expect(try repaired.codes() == [])
    }

    /// New files would be unencrypted.
    @Test func nothingIsRepairedWhereTheSaltIsLost() throws {
        let remote = try CleanRemote(.encrypted)
        try remote.remove("Encryption/salt.ticdsync")
        try remote.remove(remote.deviceInfo())
        let context = try remote.context(keyring: RemoteKeyring(.plain))
        let found = Verifier(context).verify().report.findings
        let problem = #expect(throws: FileProblem.self) {
            try RepairPlanner.plan(found, among: found, context, root: remote.root, command: "test")
        }
        #expect(problem?.kind == .refused && problem?.finding == "TICDS-0502")
    }
}
