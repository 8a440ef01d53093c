import Base
import CoreDataStore
import CoreDataTools
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSSync

/// Several replicas, each with its own copy of the remote that a cloud service fills late, in a different order, with
/// repeated files, and without their times; conflicts are decided in varying ways. The variable TICDS_CONVERGENCE sets
/// the number of runs, those above 40 with owners only, TICDS_SEED chooses others, and TICDS_HISTORY=owners:SEED, say,
/// tells one run step by step.
@Suite struct ConvergenceTests {
    private static let count = Int(ProcessInfo.processInfo.environment["TICDS_CONVERGENCE"] ?? "") ?? 8

    /// The kind and the seed of the one history that is wanted.
    private static let wanted = ProcessInfo.processInfo.environment["TICDS_HISTORY"]?.split(separator: ":")

    static var isOneHistory: Bool { wanted != nil }

    private static func seeds(_ edits: CloudRun.Edits) -> [UInt64] {
        if let wanted { return wanted[0] == edits.rawValue ? [wanted.last.flatMap { UInt64($0) } ?? 0] : [] }
        return (0..<UInt64(edits == .owners ? count : min(count, 40))).map {
            RandomNumbers.seed &* 1_000_000 &+ $0
        }
    }

    @Test(arguments: [CloudRun.Edits.apart, .everywhere, .owners])
    func allReplicasEndEqual(_ edits: CloudRun.Edits) throws {
        var (applied, removed) = (0, 0)
        for seed in Self.seeds(edits) {
            var run = try CloudRun(seed: seed, edits)
            do {
                try run.work()
                #expect(try run.settle(), "seed \(seed), \(edits): no end of sending")
            } catch {
                Issue.record("seed \(seed): \(error)")
                continue
            }
            if Self.isOneHistory { try run.keep() }
            let documents = try run.replicas.map { try $0.objects(ordered: false) }
            for document in documents.dropFirst() {
                #expect(document == documents[0], "seed \(seed), \(edits)")
            }
            #expect(try run.replayed() == documents[0], "seed \(seed), \(edits): the sets alone")
            for replica in run.replicas {
                #expect(try run.complaints(replica) == [], "seed \(seed), \(edits)")
            }
            if edits == .apart { #expect(run.conflicts == 0, "seed \(seed)") }
            applied += run.setsApplied
            removed += run.removedWithOwner
        }
        #expect(applied > min(Self.count, 40) || Self.isOneHistory)
        #expect(removed > 0 || edits != .owners || Self.isOneHistory)
    }
}

/// One random history of edits, deliveries and runs.
struct CloudRun {
    enum Edits: String, Sendable {
        /// No client changes the objects of another one.
        case apart
        case everywhere
        /// Objects with owners are inserted, moved and deleted everywhere, under every delete rule.
        case owners
    }

    private(set) var replicas: [TestReplica] = []
    private(set) var conflicts = 0
    private(set) var setsApplied = 0
    private(set) var removedWithOwner = 0
    private let edits: Edits
    private let hub: SyncedRemote
    var random: Generator
    var made = 0
    private let contents: String

    init(seed: UInt64, _ edits: Edits) throws {
        self.edits = edits
        contents = edits == .owners ? OwnerModel.contents : SyncModel.contents
        random = Generator(seed: seed)
        hub = try SyncedRemote()
        let clients = (0..<3).map { "Client-\($0)" }
        for client in clients { try hub.builder.client(client).join(client, SyncedRemote.document) }
        for client in clients {
            let copy = hub.scratch.path.appending("cloud-\(client)")
            try FileManager.default.copyItem(atPath: hub.root.string, toPath: copy.string)
            replicas.append(
                try TestReplica(client, copy, at: hub.scratch.path.appending(client), model: contents))
        }
    }

    mutating func work() throws {
        if edits == .everywhere { try begin() }
        if edits == .owners { try beginWithOwners() }
        for _ in 0..<(12 + random.below(12)) {
            let number = random.below(replicas.count)
            switch random.below(4) {
            case 0, 1:
                for _ in 0..<(1 + random.below(4)) {
                    if edits == .owners { try editOwners(number) } else { try edit(number) }
                }
            case 2: try run(number)
            default: try deliver(number, all: false)
            }
        }
    }

    /// Makes objects that all replicas have, so that edits conflict.
    private mutating func begin() throws {
        for number in 1...2 {
            try replicas[0].insertNote("C0-N-\(number)", title: "note \(number)")
            for (table, entity) in [("ZFOLDER", 1), ("ZTAG", 4), ("ZPICTURE", 3)] {
                try replicas[0].edit(
                    "INSERT INTO \(table) (Z_ENT, ZNAME, ZTICDSSYNCID) "
                        + "VALUES (\(entity), 'first \(number)', 'C0-\(entity)-\(number)')")
            }
        }
        try share()
    }

    /// Gives all replicas the content of the first one.
    mutating func share() throws {
        try run(0)
        for number in replicas.indices { try deliver(number, all: true) }
        for number in replicas.indices { try run(number) }
    }

    /// Delivers everything everywhere, and runs all replicas until none has anything to send.
    /// - Returns: false if a replica still sends after many rounds.
    mutating func settle() throws -> Bool {
        var quiet = 0
        for _ in 0..<10 {
            var isQuiet = true
            for number in replicas.indices {
                try deliver(number, all: true)
                if try run(number) { isQuiet = false }
                try deliver(number, all: true)
            }
            // The last sent set arrives in the next round.
            quiet = isQuiet ? quiet + 1 : 0
            if quiet == 2 { return true }
        }
        return false
    }

    /// Prints a line if one history is requested.
    func tell(_ text: @autoclosure () -> String) {
        if ConvergenceTests.isOneHistory { print(text()) }
    }

    /// - Returns: whether the run applied or sent anything.
    @discardableResult
    private mutating func run(_ number: Int) throws -> Bool {
        var options = RunOptions()
        options.conflicts = ConflictPolicy(otherwise: [.remote, .local, .newest][random.below(3)])
        let report = try replicas[number].run(options)
        if let sent = report.sent, random.below(3) == 0 { try age(sent.identifier, number) }
        tell("run \(number): \(options.conflicts) \(report)")
        conflicts += report.conflicts
        setsApplied += report.setsApplied
        removedWithOwner += report.removedWithOwner
        guard report.badSets.isEmpty else { throw report.badSets[0].problem }
        return report.sent != nil || report.setsApplied > 0
    }

    /// Copies the replicas and their remotes to a folder that stays.
    func keep() throws {
        let place = FileManager.default.temporaryDirectory.appending(path: "ticds-history").path
        if FileManager.default.fileExists(atPath: place) { try FileManager.default.removeItem(atPath: place) }
        try FileManager.default.copyItem(atPath: hub.scratch.path.string, toPath: place)
        try FileManager.default.copyItem(atPath: hub.root.string, toPath: place + "/hub")
        print("the replicas and their remotes are in \(place)")
    }

    /// Gives a set the time of an edit that was made long before it was sent, as in the framework's sets.
    private mutating func age(_ identifier: String, _ number: Int) throws {
        let file = replicas[number].remote.pushing(
            FilePath("Documents/\(SyncedRemote.document)/SyncChanges/Client-\(number)/\(identifier).syncchg"))
        try TestFiles.setTime(file, FileTime(seconds: FileTime.now.seconds - Int64(random.below(1000))))
    }

    /// Delivers sets from the replica's copy to the hub, and from there to the copy; some of them, or all.
    private mutating func deliver(_ number: Int, all: Bool) throws {
        let (mine, all) = (replicas[number].remote, all)
        for (source, target) in [(mine, hub.root), (hub.root, mine)] {
            for file in try sets(source) where all || random.below(3) > 0 {
                let place = target.pushing(FilePath(file))
                if FileManager.default.fileExists(atPath: place.string) { continue }
                try copy(source.pushing(FilePath(file)), place, losesTime: random.below(4) == 0)
                tell("\(source == mine ? "from" : "to") \(number): \(file)")
                guard !all, random.below(12) == 0, !file.contains("copy") else { continue }
                let twin = file.replacingOccurrences(of: ".syncchg", with: " (conflicted copy).syncchg")
                let double = target.pushing(FilePath(twin))
                if FileManager.default.fileExists(atPath: double.string) { continue }
                try copy(source.pushing(FilePath(file)), double, losesTime: random.below(4) == 0)
            }
        }
    }

    private func copy(_ source: FilePath, _ target: FilePath, losesTime: Bool) throws {
        let modified = try losesTime ? FileTime.now : FileStatus.of(source).modified
        try NewFile.write(FileBytes.read(source).array, to: target, modified: modified)
    }

    private func sets(_ root: FilePath) throws -> [String] {
        let folder = "Documents/\(SyncedRemote.document)/SyncChanges"
        return try (0..<3).flatMap { number in
            let path = "\(folder)/Client-\(number)"
            return try FileManager.default.contentsOfDirectory(atPath: root.pushing(FilePath(path)).string)
                .sorted().map { "\(path)/\($0)" }
        }
    }
}

// MARK: What is edited

extension CloudRun {
    private mutating func edit(_ number: Int) throws {
        let replica = replicas[number]
        made += 1
        let note = try someNote(replica, number)
        switch random.below(10) {
        case 0, 1: try replica.insertNote("C\(number)-N\(made)", title: "title \(made)")
        case 2:
            try replica.edit(
                "INSERT INTO ZFOLDER (Z_ENT, ZNAME, ZTICDSSYNCID) VALUES (1, 'F', 'C\(number)-F\(made)')")
        case 3: try replica.edit("INSERT INTO ZTAG (Z_ENT, ZNAME) VALUES (4, 'tag \(made)')")
        case 4: try replica.edit("UPDATE ZNOTE SET ZTITLE = 'edit \(made)' WHERE Z_PK = \(note)")
        case 5: try replica.edit("UPDATE ZNOTE SET ZTEXT = NULL, ZCOUNT = \(made) WHERE Z_PK = \(note)")
        case 6:
            let folder = try key("ZFOLDER", orderedBy: "ZTICDSSYNCID", replica)
            try replica.edit(
                "UPDATE ZNOTE SET ZFOLDER = \(folder.map { "\($0)" } ?? "NULL") WHERE Z_PK = \(note)")
        case 7:
            guard let tag = try key("ZTAG", orderedBy: "ZNAME", replica) else { return }
            try replica.edit(
                "INSERT OR IGNORE INTO \(join.table) (\(join.note), \(join.tag)) SELECT \(note), \(tag) "
                    + "WHERE EXISTS (SELECT 1 FROM ZNOTE WHERE Z_PK = \(note))")
        case 8:
            let cover = try key("ZPICTURE", orderedBy: "ZTICDSSYNCID", replica)
            try replica.edit(
                "UPDATE ZNOTE SET ZCOVER = \(cover.map { "\($0)" } ?? "NULL") WHERE Z_PK = \(note)")
        default:
            // Deletions win over edits; only own notes are deleted, so that no other edit is in doubt.
            if edits == .apart { try replica.edit("DELETE FROM ZNOTE WHERE Z_PK = \(note)") }
        }
    }

    private var join: (table: String, note: String, tag: String) { ("Z_2TAGS", "Z_2NOTES", "Z_4TAGS") }

    /// The key of a note that this client may edit; 0 if there is none.
    private mutating func someNote(_ replica: TestReplica, _ number: Int) throws -> Int64 {
        let own = edits == .apart ? "WHERE ZTICDSSYNCID LIKE 'C\(number)-%'" : ""
        return try key("ZNOTE \(own)", orderedBy: "ZTICDSSYNCID", replica) ?? 0
    }

    /// The key of a row; nil if there is none.
    mutating func key(
        _ table: String, orderedBy column: String, _ replica: TestReplica
    ) throws -> Int64? {
        let connection = try SQLiteConnection(
            uri: SQLiteURI.uri(of: replica.folder.store, immutable: false), mode: .readOnly)
        var rows = try connection.prepare("SELECT Z_PK FROM \(table) ORDER BY \(column)")
        var keys: [Int64] = []
        while try rows.step() { keys.append(rows.integer(0) ?? 0) }
        return keys.isEmpty ? nil : keys[random.below(keys.count)]
    }
}

// MARK: What comes of it

extension CloudRun {
    /// The document that the sets in the remote make without a store.
    func replayed() throws -> [String] {
        let path = hub.scratch.path.appending("replayed.sqlite")
        try SQLiteStoreWriter(creating: path, model: SyncModel.model(contents)).finish()
        let store = try WritableStore(path, model: SyncModel.model(contents), identifier: SyncID.attribute)
        let snapshot = try RemoteSnapshot.take(hub.builder.storage)
        let document = try #require(snapshot.document(RemoteName(SyncedRemote.document)))
        var replay = Replay()
        // Copies are applied once.
        replay.registered = Set(
            document.clients.flatMap(\.changeSets).map(\.identifier.text).filter { $0.contains("copy") })
        _ = try replay.run(
            ChangeHistory(of: document, order: .sending), in: hub.builder.storage, RemoteKeyring(.plain),
            into: store)
        try store.finish()
        return try Portrait.of(SQLiteStore(path, model: SyncModel.model(contents)), ordered: false)
    }

    /// The findings of the store check for a replica's document.
    func complaints(_ replica: TestReplica) throws -> [String] {
        try StoreChecker.check(SQLiteStore(replica.folder.store, model: SyncModel.model(contents))).findings
            .map { "\($0)" }
    }
}

/// Numbers from a seed.
struct Generator {
    private var state: UInt64

    init(seed: UInt64) { state = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func below(_ count: Int) -> Int {
        Int(truncatingIfNeeded: SeededNumbers.next(&state) % UInt64(count))
    }
}
