import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import TICDSCore
@testable import TICDSDemonstration
@testable import TICDSVerification

/// The simulation compared with the framework's behaviour (`PredictionFacts`).
@Suite struct PredictionTests {
    /// No prediction may be wrong; incomplete ones are counted, so that their number does not grow.
    @Test func foretellsWhatTheFrameworkDid() throws {
        var right = 0
        var open: [String] = []
        var wrong: [String] = []
        for line in PredictionFacts.lines.split(separator: "\n") {
            let fact = PredictionFact(line)
            for version in fact.versions {
                for (who, answer) in zip(PredictionFact.clients, fact.answers) where answer != "-" {
                    let row = "\(version) \(fact.damage), \(who): \(answer)"
                    let runs = try PredictedRemote(fact.damage).predictions(
                        who, version == "icloud" ? .iCloud : .fileManager)
                    let verdicts = Set(runs.map { Self.verdict($0, answer) })
                    let found = runs.map { "\($0.outcome) \($0.stop?.error?.code ?? 0)" }.joined(
                        separator: ", ")
                    if verdicts.isEmpty || verdicts.contains(.wrong) {
                        wrong.append("\(row); foretold: \(found)\n\(runs.first?.summary ?? "")")
                    } else if verdicts.contains(.open) {
                        open.append("\(row); foretold: \(found)")
                    } else {
                        right += 1
                    }
                }
            }
        }
        print("predictions: \(right) right, \(open.count) may or unknown, \(wrong.count) wrong")
        for row in open { print("  may or unknown: \(row)") }
        #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
        #expect(right + open.count == 271)
        #expect(right >= 150, "\(open.joined(separator: "\n"))")
    }

    private enum Verdict { case right, open, wrong }

    private static func verdict(_ run: Simulation, _ answer: String) -> Verdict {
        if run.outcome == .unknown { return .open }
        let code = run.stop?.error?.code
        let isRight =
            switch answer {
            case "ok": run.outcome == .done
            case "ok wiped": run.outcome == .silentLoss
            case "crash": run.outcome == .wouldCrash || code == 21
            case "hang": run.outcome == .fails && run.stop?.sentence.contains("never ends") == true
            // Core Data's errors, and no error at all.
            case "fails 0", "fails 256", "fails 259", "fails 134000": run.outcome == .fails && code == nil
            default: run.outcome == .fails && answer == "fails \(code ?? 0)"
            }
        return isRight ? .right : .wrong
    }

    /// Damage without a fact: no prediction is empty, and none reports success for unread data.
    @Test(arguments: ["app folder gone", "dir-empty Documents", "dir-remove Documents", "dir-remove Doc"])
    func whereEverythingIsGone(damage: String) throws {
        for who in PredictionFact.clients {
            for variant in Variant.allCases {
                let runs = try PredictedRemote(damage).predictions(who, variant)
                #expect(!runs.isEmpty && runs.allSatisfy { $0.outcome != .done }, "\(damage), \(who)")
            }
        }
    }
}

/// A line of the facts.
struct PredictionFact {
    static let clients = ["running", "anew", "new"]
    let damage: String
    let versions: [String]
    let answers: [String]

    init(_ line: Substring) {
        var cells: [String] = [""]
        for part in line.split(separator: " ") {
            if part == "|" {
                cells.append("")
            } else {
                cells[cells.count - 1] += (cells.last == "" ? "" : " ") + part
            }
        }
        damage = cells[0]
        versions = cells[1].split(separator: " ").map(String.init)
        answers = Array(cells[2...])
    }
}

/// A remote with one document, with the damage that a fact names.
private final class PredictedRemote {
    private static let document = "pantry"
    private let remote: DamagedRemote
    private let isEncrypted: Bool
    private let isOfStray: Bool
    /// A has the newest whole store in an encrypted remote, B in an unencrypted one. They represent the same client
    /// here.
    private let newest: String
    private let member: String
    private var place: String { "Documents/\(Self.document)" }
    private var model: ManagedObjectModel { DemonstrationModel.model }

    init(_ damage: String) throws {
        isEncrypted = damage.hasPrefix("E ")
        remote = try DamagedRemote(encrypted: isEncrypted)
        isOfStray = damage == "dir-stray-dir Documents" || damage == "second document stray"
        try remote.remove("Documents/cookbook")
        let context = try remote.context()
        let first = SyncSimulator.run(
            client: nil, document: RemoteName(Self.document), variant: .fileManager,
            model: DemonstrationModel.model, context)
        newest = try #require(first.wholeStore?.parent.last?.text)
        member = remote.clients[1]
        #expect(first.stop == nil && newest != member)
        try inflict(isEncrypted ? String(damage.dropFirst(2)) : damage)
    }

    /// The predictions of ticds for the document, as the command makes them.
    func predictions(_ who: String, _ variant: Variant) throws -> [Simulation] {
        let (context, isRefused) = try remote.simulationContext(isEncrypted ? CleanRemote.password : nil)
        let documents = SyncSimulator.documents(context)
        let named = documents.filter { $0.text == Self.document || $0.text.isEmpty }
        #expect(!named.isEmpty, "\(documents)")
        let client = who == "new" ? nil : RemoteName(member)
        return (isOfStray ? documents : named).flatMap { document in
            SyncSimulator.runs(
                client: client, document: document, variant: variant, model: model,
                refusesPassword: isRefused,
                context
            )
        }.filter { who == "new" || $0.isUnseen || $0.start.rawValue == who || isOnlyOne($0, who) }
    }

    /// Whether one line represents a running client and one that starts again, because both behave the same.
    private func isOnlyOne(_ run: Simulation, _ who: String) -> Bool {
        who == "anew" && run.start == .running && !run.nextStart.isEmpty
    }

    private func inflict(_ damage: String) throws {
        if damage.hasPrefix("set ") || damage.hasPrefix("stray ") { return try addSet(damage) }
        if try moveFolder(damage) { return }
        let words = damage.split(separator: " ").map(String.init)
        switch damage {
        case "doc recreated", "doc recreated empty with new key": try recreate()
        case "key replaced":
            try rename(try key, to: "\(place)/IntegrityKey/00112233-4455-NEW-KEY", fresh: true)
        case "icloud key": try rename(try key, to: "\(place)/IntegrityKey/.\(try keyName).icloud")
        case "key DS_Store only": try rename(try key, to: "\(place)/IntegrityKey/.DS_Store")
        case "key conflicted name":
            try rename(try key, to: "\(place)/IntegrityKey/\(try keyName) (conflicted copy)")
        case "rename-noext key": try rename(try key, to: "\(place)/IntegrityKey/\(try keyName).x")
        case "Encryption dir removed": try remote.remove("Encryption")
        case "Encryption renamed": try rename("Encryption", to: "Encryption 2")
        case "salt+test removed":
            try remote.remove(Self.salt)
            try remote.remove(Self.test)
        case "salt appears": try bytes(Self.salt, Self.noise(16))
        case "salt empty appears": try bytes(Self.salt, [])
        case "salt is dir": try remote.makeFolder(Self.salt)
        case "salt+test appear":
            try bytes(Self.salt, Self.noise(16))
            try bytes(Self.test, Self.noise(176))
        case "both stores gone": for client in try uploaders { try remote.remove(store(client)) }
        case "both stores no register": for client in try uploaders { try remote.remove(register(client)) }
        case "extra SyncCommands dir NEWBY": try remote.makeFolder("\(place)/SyncCommands/NEWBY")
        case "to-dir setB-new", "to-dir setC-new": try toFolder(try lastSet)
        default:
            let (verb, what) =
                words[0].hasPrefix("salt") || words[0] == "test" ? (words[1], words[0]) : (words[0], words[1])
            try change(file(what), verb)
        }
    }

    private static let salt = "Encryption/salt.ticdsync"
    private static let test = "Encryption/test.ticdsync"
    private static func noise(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ 77) }
    }
    private func store(_ client: String) -> String { "\(place)/WholeStore/\(client)/WholeStore.ticdsync" }
    private func register(_ client: String) -> String {
        "\(place)/WholeStore/\(client)/AppliedSyncChangeSets.ticdsync"
    }
    private var uploaders: [String] {
        get throws {
            try remote.storage.list(["Documents", RemoteName(Self.document), "WholeStore"]).listing.map(
                \.name.text)
        }
    }
    private var keyName: String {
        get throws {
            let names = try remote.storage.list(["Documents", RemoteName(Self.document), "IntegrityKey"])
            return try #require(names.listing.first?.name.text)
        }
    }
    private var key: String { get throws { "\(place)/IntegrityKey/\(try keyName)" } }
    private var lastSet: String {
        get throws { try #require(try remote.changeSets(of: 0, in: Self.document).last) }
    }

    private func file(_ name: String) throws -> String {
        switch name {
        case "salt": return Self.salt
        case "test": return Self.test
        case let name where name.hasPrefix("reg"): return register(newest)
        case "store-A", "store-B": return store(newest)
        default: throw UnknownDamage(name: name)
        }
    }

    private func bytes(_ inside: String, _ bytes: [UInt8], time: FileTime = FileTime(seconds: 1_390_000_000))
        throws
    {
        try TestFiles.makeFolders(remote.path(inside).removingLastComponent())
        try TestFiles.write(remote.path(inside), bytes)
        try remote.setTime(inside, time)
    }

    private func rename(_ inside: String, to other: String, fresh: Bool = false) throws {
        try NewFile.rename(remote.path(inside), to: remote.path(other))
        if fresh { try remote.setTime(other, FileTime(seconds: 1_390_000_000)) }
    }

    private func toFolder(_ inside: String) throws {
        let time = try FileStatus.of(remote.path(inside)).modified
        try remote.remove(inside)
        try remote.makeFolder(inside)
        try remote.setTime(inside, time)
    }

    private func change(_ inside: String, _ verb: String) throws {
        let time = try FileStatus.of(remote.path(inside)).modified
        var content = try FileBytes.read(remote.path(inside)).array
        switch verb {
        case "append": content += [1, 2, 3, 4]
        case "flip0": content[0] ^= 0xFF
        // In the middle of a store there may be a value, of which Core Data accepts any. The keyed archive begins at
        // byte 64.
        case "flip-mid" where inside.hasSuffix("WholeStore.ticdsync"): content[64] ^= 0xFF
        case "flip-mid": content[content.count / 2] ^= 0xFF
        case "flip-last": content[content.count - 1] ^= 0xFF
        case "half": content = Array(content.prefix(content.count / 2))
        case "minus1": content.removeLast()
        case "noise": content = Self.noise(content.count)
        case "zeros": content = [UInt8](repeating: 0, count: content.count)
        case "trunc0": content = []
        case "trunc10": content = Array(content.prefix(10))
        case "trunc70": content = Array(content.prefix(70))
        case "to-dir": return try toFolder(inside)
        case "remove": return try remote.remove(inside)
        case "dangling":
            try remote.remove(inside)
            return try TestFiles.link(remote.path(inside), to: "nowhere")
        case "rename-upper":
            return try rename(
                inside, to: inside.replacing("salt.", with: "SALT.").replacing("Applied", with: "APPLIED"))
        case "rename-noext": return try rename(inside, to: inside + ".x")
        case "icloud":
            let name = try #require(inside.split(separator: "/").last)
            return try rename(inside, to: inside.dropLast(name.count) + ".\(name).icloud")
        default: throw UnknownDamage(name: verb)
        }
        try bytes(inside, content, time: time)
    }

    /// Damage of the folders of documents. Returns false for other damage.
    private func moveFolder(_ damage: String) throws -> Bool {
        switch damage {
        case "app folder gone":
            for entry in try remote.storage.list(.root).listing { try remote.remove(entry.name.text) }
        case "dir-case Documents": try rename("Documents", to: "documents")
        case "dir-rename Documents": try rename("Documents", to: "Documents 2")
        case "dir-rename Doc": try rename(place, to: "\(place) 2")
        case "dir-remove Documents": try remote.remove("Documents")
        case "dir-remove Doc": try remote.remove(place)
        case "dir-empty Documents":
            try remote.remove("Documents")
            try remote.makeFolder("Documents")
        case "dir-empty Doc":
            try remote.remove(place)
            try remote.makeFolder(place)
        case "dir-to-file Documents":
            try remote.remove("Documents")
            try remote.write("Documents")
        case "dir-to-file Doc":
            try remote.remove(place)
            try remote.write(place)
        case "doc tombstone, doc gone":
            try remote.remove(place)
            try remote.write("Information/DeletedDocuments/\(Self.document).plist")
        case "dir-stray-dir Documents": try remote.makeFolder("Documents/stray")
        case "second document stray":
            try remote.makeFolder("Documents/second/SyncChanges")
            try remote.makeFolder("Documents/second/WholeStore")
        default: return false
        }
        return true
    }

    /// Creates the document again like a client, with its key, after all devices had registered.
    private func recreate() throws {
        try remote.remove("\(place)/IntegrityKey")
        for name in ["SyncChanges", "SyncCommands", "RecentSyncs", "WholeStore", "DeletedClients"] {
            try remote.remove("\(place)/\(name)")
            try remote.makeFolder("\(place)/\(name)")
        }
        try bytes("\(place)/IntegrityKey/00112233-4455-NEW-KEY", [1])
        let maker = remote.clients[0]
        try remote.makeFolder("\(place)/SyncChanges/\(maker)")
        try remote.makeFolder("\(place)/SyncCommands/\(maker)")
        let demo = try DamagedRemote(encrypted: isEncrypted)
        let from = "\(place)/WholeStore/\(newest)/WholeStore.ticdsync"
        try bytes(
            store(maker), try FileBytes.read(demo.path(from)).array, time: FileTime(seconds: 1_390_000_100))
    }

    /// Adds a set of the first client, later than all others.
    private func addSet(_ damage: String) throws {
        let inside = "\(place)/SyncChanges/\(remote.clients[0])/0405400000.000000-ADDED.syncchg"
        let time = try #require(FileTime(secondsSince2001: 405_400_000))
        switch damage {
        case "stray empty set": try bytes(inside, [], time: time)
        case "stray short set": try bytes(inside, Self.noise(10), time: time)
        default: try bytes(inside, try content(damage), time: time)
        }
    }

    private func content(_ damage: String) throws -> [UInt8] {
        let recipe = try syncID(of: "Recipe")
        let ingredient = try syncID(of: "Ingredient")
        func edit(_ entity: String, _ id: String?, _ key: String?) -> SyncChange {
            SyncChange(
                type: .attribute, entity: entity, objectSyncID: id, key: key,
                changedAttributes: .string("x"), timestamp: 1)
        }
        let change: SyncChange
        switch damage {
        case "set attr is relationship": change = edit("Ingredient", ingredient, "recipe")
        case "set one on to-many":
            change = SyncChange(
                type: .toOne, entity: "Recipe", objectSyncID: recipe, key: "ingredients",
                relatedEntity: "Ingredient", changedRelationships: .string(ingredient), timestamp: 1)
        case "set insert with unknown attr":
            change = SyncChange(
                type: .insert, entity: "Recipe", objectSyncID: "NEW",
                changedAttributes: .dictionary([ArchivedPair(key: .string("colour"), value: .string("x"))]),
                timestamp: 1)
        case "set nil entity": change = edit("", recipe, "title")
        case "set nil key": change = edit("Recipe", recipe, nil)
        case "set unknown entity": change = edit("Gadget", recipe, "title")
        case "set unknown attr, object missing": change = edit("Recipe", "NOBODY", "colour")
        case "set unknown attr, object there": change = edit("Recipe", recipe, "colour")
        case "set nil type":
            var writer = BinaryStoreWriter(metadata: .binary(of: FrameworkModels.syncChange, uuid: .random()))
            try writer.append(
                entity: FrameworkModels.syncChangeEntity, primaryKey: 1,
                slots: [
                    .null, .string("x"), .null, .date(1), .string("Recipe"), .string(recipe), .null,
                    .string("title"),
                ])
            return try writer.finish()
        default: throw UnknownDamage(name: damage)
        }
        return try ChangeSetWriter.bytes(of: [change])
    }

    /// The sync ID of an object in the newest whole store.
    private func syncID(of entity: String) throws -> String {
        let file = try WholeStoreFile.open(
            RemotePath(store(newest).split(separator: "/").map { RemoteName(String($0)) }),
            in: remote.storage,
            keyring: remote.clean.keyring)
        let opened = try PersistentStores.open(file.path, model: model, mismatch: .accept)
        var found: String?
        try opened.forEachObject(entity: entity) { object in
            found = found ?? object.attributes.first { $0.name == StoreObjects.syncID }?.value.stringValue
        }
        return try #require(found)
    }
}

extension DamagedRemote {
    /// The remote as `ticds-verify --as-client` opens it with a password, and whether the password opens nothing.
    func simulationContext(_ password: String?) throws -> (VerificationContext, refusesPassword: Bool) {
        var keyring = RemoteKeyring(.locked)
        var isRefused = false
        do throws(FileProblem) {
            keyring = try PasswordCheck.open(storage) { () throws(FileProblem) in password }
        } catch {
            // Without a salt clients take the remote for unencrypted.
            if error.kind == .refused { keyring = RemoteKeyring(.plain) }
            isRefused = error.kind == .wrongPassword
        }
        let context = VerificationContext(
            storage: storage, snapshot: try RemoteSnapshot.take(storage), keyring: keyring,
            now: FileTime(seconds: 1_400_000_000))
        return (context, isRefused)
    }
}

private struct UnknownDamage: Error { let name: String }
