import SystemCalls
import SystemPackage
import TestSupport
import TICDSCore
import TICDSOperations

/// A small remote for a vacuum: one document, its clients, and registers given in the test.
struct VacuumRemote {
    static let now = FileTime(seconds: 1_400_000_000)
    static let document = "notes"
    private static let day: Double = 86_400

    let builder: RemoteBuilder
    /// The sets in the register beside a client's whole store; nil if it cannot be read.
    var registers: [String: Set<String>?] = [:]

    /// The clients are members, and have just synchronised.
    init(_ clients: String...) throws {
        builder = try RemoteBuilder()
        try builder.skeleton().document(Self.document)
        for client in clients {
            try builder.client(client).join(client, Self.document)
            try synchronised(client, daysAgo: 0)
        }
    }

    static func time(daysAgo: Double) -> Int64 { now.seconds - Int64(daysAgo * day) }

    /// Adds a change set with the same time in its name, or a different one.
    @discardableResult
    func set(_ word: String, of client: String, daysAgo: Double, named: Double? = nil) throws -> String {
        let identifier = Self.identifier(word, daysAgo: named ?? daysAgo)
        try builder.changeSet(identifier, of: client, in: Self.document, time: Self.time(daysAgo: daysAgo))
        return identifier
    }

    static func identifier(_ word: String, daysAgo: Double) -> String {
        let seconds = time(daysAgo: daysAgo) - FileTime.secondsFrom1970To2001
        let digits = String(seconds)
        return String(repeating: "0", count: 10 - digits.count) + digits + ".000000-" + word
    }

    func synchronised(_ client: String, daysAgo: Double) throws {
        try builder.recentSync(of: client, in: Self.document, time: Self.time(daysAgo: daysAgo))
    }

    /// Adds a whole store with a register that names these sets.
    mutating func store(of client: String, daysAgo: Double, naming sets: [String]) throws {
        try storeWithoutRegister(of: client, daysAgo: daysAgo)
        try builder.write("\(place(client))/AppliedSyncChangeSets.ticdsync", "register")
        registers[client] = .some(Set(sets))
    }

    func storeWithoutRegister(of client: String, daysAgo: Double) throws {
        try builder.wholeStore(of: client, in: Self.document, time: Self.time(daysAgo: daysAgo))
    }

    func place(_ client: String) -> String { "Documents/\(Self.document)/WholeStore/\(client)" }

    func remove(_ path: String) throws {
        try TestFiles.removeTree(builder.root.pushing(FilePath("Documents/\(Self.document)/\(path)")))
    }

    // MARK: Vacuum

    var sources: VacuumSources {
        let registers = registers
        return VacuumSources(builder.storage) { path, body throws(FileProblem) in
            guard let register = registers[path.names[3].text] ?? nil else {
                throw FileProblem(.damaged, path: "register", "no register")
            }
            for identifier in register { body(identifier) }
        }
    }

    func settings(_ change: (inout VacuumSettings) -> Void = { _ in }) -> VacuumSettings {
        var settings = VacuumSettings(now: Self.now)
        change(&settings)
        return settings
    }

    func analyse(_ change: (inout VacuumSettings) -> Void = { _ in }) throws -> VacuumDecision {
        let snapshot = try RemoteSnapshot.take(builder.storage)
        return VacuumPlanner.analyse(snapshot, settings(change), sources)[0]
    }

    func plan(_ change: (inout VacuumSettings) -> Void = { _ in }) throws -> Plan {
        let snapshot = try RemoteSnapshot.take(builder.storage)
        let settings = settings(change)
        let vacuums = VacuumPlanner.analyse(snapshot, settings, sources)
        return try VacuumPlanner.plan(vacuums, of: ListedRemote(root: builder.root, snapshot), settings)
    }

    /// The short names of the removed sets, sorted; complete names of everything else.
    func removed(_ change: (inout VacuumSettings) -> Void = { _ in }) throws -> [String] {
        try plan(change).actions.map { action in
            guard case .moveToTrash(let path, _) = action.kind else { return "\(action.kind)" }
            let name = path.last?.text ?? ""
            guard name.hasSuffix(".syncchg"), let hyphen = name.firstIndex(of: "-") else { return name }
            return String(name[name.index(after: hyphen)...].dropLast(".syncchg".count))
        }.sorted()
    }
}
