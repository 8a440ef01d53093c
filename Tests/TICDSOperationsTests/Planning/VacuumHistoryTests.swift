import Base
import SystemCalls
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// Clients that edit, synchronise, upload and join in random order, with vacuums in between: no set is removed that a
/// client, or one that starts from a whole store, still needs.
@Suite struct VacuumHistoryTests {
    @Test(arguments: 0..<14) func nothingThatIsNeededGoes(seed: UInt64) throws {
        var history = try VacuumHistory(seed: seed, marginDays: 30)
        try history.run(steps: 70)
        #expect(history.losses == [])
    }

    @Test("New clients that all take the newest store", arguments: 100..<106)
    func newestStore(seed: UInt64) throws {
        var history = try VacuumHistory(seed: seed, marginDays: 30, newestStoreOnly: true)
        try history.run(steps: 70)
        #expect(history.losses == [])
    }

    @Test("All but an ignored client", arguments: 200..<206) func ignoredClient(seed: UInt64) throws {
        var history = try VacuumHistory(seed: seed, marginDays: 30, ignored: "client-2")
        try history.run(steps: 70)
        #expect(history.losses == [])
    }

    @Test("The histories are such that vacuums find something, and that too small a margin loses something")
    func historiesAreHard() throws {
        var removed = 0
        var losses = 0
        for seed in 300..<306 as Range<UInt64> {
            var history = try VacuumHistory(seed: seed, marginDays: 30)
            try history.run(steps: 70)
            removed += history.removed
            var careless = try VacuumHistory(seed: seed, marginDays: 0)
            try careless.run(steps: 70)
            losses += careless.losses.count
        }
        #expect(removed > 5)
        #expect(losses > 0)
    }
}

/// One remote with its clients. Times are in days since the beginning.
private struct VacuumHistory {
    private struct Client {
        var applied: Set<String>
        var own: Set<String> = []
        var lastEdit: Double?
    }

    private struct ChangeSet {
        var author: String
        var uploaded: Double
        /// The delays of the other clients.
        var delays: UInt64

        /// The time at which a set arrives at a client: mostly soon, occasionally just within the margin.
        func arrival(for client: String) -> Double {
            var lottery = Lottery(state: client.utf8.reduce(delays) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
            let isSlow = lottery.number(below: 3) == 0
            return uploaded + lottery.fraction() * (isSlow ? VacuumHistory.longestDelay : 0.5)
        }
    }

    private struct Store {
        var register: Set<String>
        var time: Double
    }

    private static let length: Double = 1000
    static let longestDelay: Double = 29.5

    private var remote: VacuumRemote
    private var random: Lottery
    private let marginDays: Double
    private let newestStoreOnly: Bool
    private let ignored: String?
    private var today: Double = 0
    private var clients: [String: Client] = [:]
    private var sets: [String: ChangeSet] = [:]
    private var stores: [String: Store] = [:]
    private var joined = 0

    private(set) var removed = 0
    private(set) var losses: [String] = []

    init(seed: UInt64, marginDays: Double, newestStoreOnly: Bool = false, ignored: String? = nil) throws {
        remote = try VacuumRemote()
        random = Lottery(state: seed &* 7919 &+ 17)
        self.marginDays = marginDays
        self.newestStoreOnly = newestStoreOnly
        self.ignored = ignored
        try join()
        try synchronise("client-0")
        try upload("client-0")
    }

    mutating func run(steps: Int) throws {
        for _ in 0..<steps {
            today += random.fraction() * 8
            let client = random.element(of: clients.keys.sorted())
            switch random.number(below: 100) {
            case 0..<25: clients[client]?.lastEdit = today
            case 25..<65: try synchronise(client)
            case 65..<78: if Self.uploads(client) { try upload(client) }
            case 78..<82: if clients.count < 6 { try join() }
            case 82..<85: try startAnew(client)
            case 85..<87: if clients.count > 2, !newestStoreOnly { try leave(client) }
            default: try vacuum()
            }
        }
    }

    /// In most apps only some clients ever upload a whole store.
    private static func uploads(_ client: String) -> Bool { client.utf8.last.map { $0 % 2 == 0 } ?? false }

    /// The days before the end of the history, as the helper counts them.
    private func ago(_ day: Double) -> Double { Self.length - day }

    private mutating func join() throws {
        let name = "client-\(joined)"
        joined += 1
        try remote.builder.join(name, VacuumRemote.document)
        clients[name] = Client(applied: downloaded() ?? [])
    }

    /// The register of a store from which a client may start.
    private mutating func downloaded() -> Set<String>? {
        if newestStoreOnly { return stores.values.max { $0.time < $1.time }?.register }
        let names = stores.keys.filter { $0 != ignored }.sorted()
        return names.isEmpty ? nil : stores[random.element(of: names)]?.register
    }

    private mutating func synchronise(_ name: String) throws {
        let visible = sets.filter { $0.value.author != name && $0.value.arrival(for: name) <= today }
        clients[name]?.applied.formUnion(visible.keys)
        if let edited = clients[name]?.lastEdit {
            let set = try remote.set(
                "\(name)-\(today)", of: name, daysAgo: ago(edited), named: ago(today))
            sets[set] = ChangeSet(author: name, uploaded: today, delays: random.next())
            clients[name]?.own.insert(set)
            clients[name]?.lastEdit = nil
        }
        try remote.synchronised(name, daysAgo: ago(today))
    }

    private mutating func upload(_ name: String) throws {
        guard let client = clients[name], client.lastEdit == nil else { return }
        let time = newestStoreOnly ? today : today - random.fraction() * 40
        let register = client.applied.union(client.own)
        stores[name] = Store(register: register, time: time)
        try remote.store(of: name, daysAgo: ago(time), naming: register.sorted())
    }

    /// Installs the whole store of another client, and synchronises.
    private mutating func startAnew(_ name: String) throws {
        guard name != ignored, let register = downloaded() else { return }
        clients[name]?.applied = register
        clients[name]?.lastEdit = nil
        try synchronise(name)
    }

    private mutating func leave(_ name: String) throws {
        clients[name] = nil
        stores[name] = nil
        sets = sets.filter { $0.value.author != name }
        for path in ["SyncChanges/\(name)", "RecentSyncs/\(name).recentsync", "WholeStore/\(name)"] {
            try? remote.remove(path)
        }
        try remote.builder.write("Documents/notes/DeletedClients/\(name).plist", "tombstone")
    }

    private mutating func vacuum() throws {
        let plan: Plan
        do {
            plan = try remote.plan { settings in
                settings.now = FileTime(seconds: VacuumRemote.time(daysAgo: ago(today)))
                settings.keepWithin = Int64(marginDays * 86_400)
                settings.countsNewestStoreOnly = newestStoreOnly
                if let ignored { settings.ignored = [RemoteName(ignored)] }
            }
        } catch let problem as FileProblem where problem.kind == .refused {
            return
        }
        for action in plan.actions {
            let path = action.kind.path
            let identifier = String((path.last?.text ?? "").dropLast(".syncchg".count))
            check(identifier)
            sets[identifier] = nil
            removed += 1
            try remote.remove(path.names.dropFirst(2).map(\.text).joined(separator: "/"))
        }
    }

    private mutating func check(_ identifier: String) {
        for (name, client) in clients where name != ignored && !client.own.contains(identifier) {
            if !client.applied.contains(identifier) { losses.append("\(identifier) for \(name) on \(today)") }
        }
        let newest = stores.values.map(\.time).max()
        for (name, store) in stores where newestStoreOnly ? store.time == newest : name != ignored {
            if !store.register.contains(identifier) {
                losses.append("\(identifier) in the store of \(name) on \(today)")
            }
        }
    }
}

/// Random numbers that a seed reproduces.
private struct Lottery {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        var mixed = state ^ (state >> 29)
        mixed = mixed &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ (mixed >> 32)
    }

    mutating func number(below limit: Int) -> Int { Int(next() >> 1) % limit }
    mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
    mutating func element<Value>(of values: [Value]) -> Value { values[number(below: values.count)] }
}
