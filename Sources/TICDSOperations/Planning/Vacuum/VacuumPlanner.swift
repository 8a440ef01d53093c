import Base
public import SystemCalls
import SystemPackage
public import TICDSCore

/// Finds the change sets that clients no longer need, and plans their removal.
///
/// ## The rule
///
/// A change set may be needed by two sorts of readers: by clients that have not fetched it, and by clients to come,
/// which start from a whole store and fetch what its register does not name. Both are known only from outside. The
/// vacuum removes a set when all of this holds; *its time* is the later of its modification time (that of the last
/// edit) and the time in its name (that of the upload), and *the margin* is ``VacuumSettings/keepWithin``:
///
/// 1. It is older than the margin.
/// 2. For every client but its author: the register beside the client's whole store names it, or the client
///    synchronised at least the margin after its time. A client that synchronises fetches everything in the remote; the
///    margin is for a set that came late, from a device without a network or through a slow sync service, and for
///    clocks that disagree. Clients are the members, and those that have a recent sync but neither a folder nor a
///    tombstone, since they continue to receive.
/// 3. For every whole store that a client could start from: the register beside it names it. The times of stores prove
///    nothing, because they are the times of the app's last write, which may be later than the last sync. A store
///    without a register names nothing, as in the framework: a client that starts from it fetches every set.
///
/// An ignored client counts in neither, except that its whole store counts if it has the latest time of all: new
/// clients download that by default. With ``VacuumSettings/countsNewestStoreOnly`` no other store counts.
///
/// Without a register, the rule depends on the margin: a client never gets a set that takes longer than the margin to
/// reach it. The rule also cannot see that a client was reset from an older whole store of another client, or lost
/// fetched sets in a crash, and has not synchronised since.
public enum VacuumPlanner {
    /// Decides about documents, by default about all.
    public static func analyse(
        _ snapshot: RemoteSnapshot, documents: Set<RemoteName>? = nil, _ settings: VacuumSettings,
        _ sources: VacuumSources
    ) -> [VacuumDecision] {
        snapshot.documents.filter { documents?.contains($0.identifier) ?? true }.map {
            analyse(VacuumInput($0, snapshot, settings), sources)
        }
    }

    private static func analyse(_ document: VacuumInput, _ sources: VacuumSources) -> VacuumDecision {
        var vacuum = VacuumDecision(
            document: document.document.identifier, rule: document.settings.rule, horizon: nil, clients: [],
            young: FileTotals(), leftovers: [], obstacles: [], allowed: [], unfetched: FileTotals())
        let finder = VacuumObstacles(document: document, sources: sources)
        var obstacles = finder.listed()
        switch document.settings.rule {
        case .applied:
            let folders = folders(document) { VacuumFolder($0, start: $1) }
            let rule = RegisterRule(document, sources)
            let tally = VacuumCounts(rule, folders, document.settings)
            vacuum.horizon = tally.oldestKept
            vacuum.take(tally, rule, document)
            obstacles += rule.obstacles
        case .framework:
            let tree = document.snapshot.tree
            let folders = folders(document) {
                VacuumFolder(everythingOf: $0, in: tree.listing($0.path).part, start: $1)
            }
            let rule = FrameworkRule(document)
            let tally = VacuumCounts(rule, folders, document.settings)
            vacuum.horizon = rule.limit
            vacuum.unfetched = rule.unfetched(folders, document)
            vacuum.take(tally, rule, document)
        }
        obstacles += finder.inContents(removesSets: vacuum.clients.contains { !$0.positions.isEmpty })
        vacuum.sort(obstacles, document)
        // A vacuum that is refused opens no set.
        if vacuum.obstacles.isEmpty { vacuum.sort(finder.inSets(vacuum.clients), document) }
        let leftovers = VacuumLeftovers(document).find()
        if document.settings.takesLeftovers {
            vacuum.leftovers = leftovers
        } else {
            for leftover in leftovers where leftover.reason == nil {
                vacuum.keptLeftovers.add(leftover.files)
            }
        }
        return vacuum
    }

    private static func folders(
        _ document: VacuumInput, _ make: (ClientChangeSets, _ start: Int) -> VacuumFolder
    ) -> [VacuumFolder] {
        var folders: [VacuumFolder] = []
        var start = 0
        for client in document.document.clients {
            let folder = make(client, start)
            start += folder.entries.count
            folders.append(folder)
        }
        return folders
    }
}

extension VacuumDecision {
    fileprivate mutating func take(_ tally: VacuumCounts, _ rule: some VacuumRule, _ document: VacuumInput) {
        young = tally.young
        var places: [RemoteName: Int] = [:]
        for client in document.facts {
            places[client.identifier] = clients.count
            clients.append(
                VacuumClient(
                    identifier: client.identifier, isMember: client.isMember,
                    isIgnored: document.isIgnored(client), storeCounts: document.storeCounts(client),
                    lastSync: client.lastSync, store: client.store, register: client.register?.modified))
        }
        for (client, folder) in zip(document.document.clients, tally.folders) {
            guard let place = places[client.identifier] else { continue }
            clients[place].removable = folder.removable
            clients[place].kept = folder.kept
            clients[place].positions = folder.positions
        }
        for (holder, hold) in zip(rule.holders, tally.holds) {
            if places[holder.client] == nil {
                places[holder.client] = clients.count
                clients.append(stray(holder.client, in: document))
            }
            guard let place = places[holder.client] else { continue }
            if holder.isIgnored { clients[place].missed = hold } else { clients[place].hold = hold }
        }
    }

    /// An entry that the framework takes for a recent sync although it is not one.
    private func stray(_ name: RemoteName, in document: VacuumInput) -> VacuumClient {
        let listing = document.snapshot.tree.listing(document.path.appending(RemoteLayout.recentSyncs)).part
        let file = listing[name] ?? listing[RemoteName(name.bytes + RemoteLayout.recentSyncSuffix.utf8)]
        return VacuumClient(
            identifier: name, isMember: false, isIgnored: false, storeCounts: false,
            lastSync: file?.modified, store: nil, register: nil)
    }

    fileprivate mutating func sort(_ found: [VacuumObstacle], _ document: VacuumInput) {
        var seen = Set((obstacles + allowed).map(\.path))
        for obstacle in found where seen.insert(obstacle.path).inserted {
            let isIgnored = obstacle.client.map { document.settings.ignored.contains($0) } ?? false
            let client = document.facts.first { $0.identifier == obstacle.client }
            let isCountedStore = isIgnored && (client.map(document.storeCounts) ?? false)
            let isOfStore = obstacle.path.names.dropFirst(2).first == RemoteLayout.wholeStore
            let isOfNobody = isIgnored && !(isCountedStore && isOfStore)
            let isListed = document.snapshot.tree.listing(obstacle.path).isWhole
            if let problem = obstacle.unread, !(isOfNobody && isListed) {
                // A folder or file that could not be read is not missing, so that no option allows it.
                unread = unread ?? problem
                obstacles.append(obstacle)
            } else if obstacle.path.isNamed(in: document.settings.allowed) {
                allowed.append(obstacle)
            } else if !isOfNobody {
                obstacles.append(obstacle)
            }
        }
    }
}

// The plan for the decisions, and its notes.

extension VacuumPlanner {
    /// The plan for the decisions about documents.
    /// - Throws: `.refused` if an obstacle makes the horizon of a document unsafe.
    public static func plan(
        _ vacuums: [VacuumDecision], of remote: ListedRemote, _ settings: VacuumSettings,
        command: String = "ticds-vacuum"
    ) throws(FileProblem) -> Plan {
        let (snapshot, style) = (remote.snapshot, remote.style)
        for vacuum in vacuums { try refuse(vacuum, snapshot) }
        var sets = FileTotals()
        for vacuum in vacuums { sets.add(vacuum.removable) }
        let leftovers = vacuums.flatMap(\.leftovers).filter { $0.reason == nil }
        var what = [counted(sets.count, "change set")]
        if !leftovers.isEmpty {
            if sets.count == 0 { what = [] }
            what.append("\(counted(leftovers.count, "leftover")) of uploads")
        }
        let summary = "Remove \(what.joined(separator: " and ")), \(style.size(freed(sets, leftovers)))"
        var plan = Plan(root: remote.root, command: command, summary: summary)
        plan.actions.reserveCapacity(sets.count + leftovers.count)
        for vacuum in vacuums {
            if vacuum.removable.count > 0 {
                try plan.dependOnFetching(of: vacuum.document, in: snapshot.tree)
            }
            try addSets(of: vacuum, snapshot, &plan)
            try addLeftovers(of: vacuum, snapshot, &plan)
            plan.notes += VacuumNotes(vacuum, style).notes
        }
        if sets.count > 0 {
            plan.addConsequence(
                "A client that is synchronising just now may fail once; its next synchronisation succeeds")
        }
        if sets.count > 0, snapshot.isEncrypted {
            plan.explain(
                "The whole stores are encrypted, and the vacuum does not look for damage in them; ticds-verify does"
            )
        }
        let kept = vacuums.keptLeftovers
        if kept.count > 0 {
            plan.explain(
                "With --leftovers, the vacuum also removes \(style.size(kept.bytes)) that uploads left")
        }
        if settings.takesLeftovers, sets.count > 0 {
            plan.explain(
                "The registers beside whole stores keep all their lines, which show what clients have applied"
            )
        }
        return plan
    }

    private static func freed(_ sets: FileTotals, _ leftovers: [VacuumLeftover]) -> Int64 {
        leftovers.reduce(into: sets) { $0.add($1.files) }.bytes
    }

    private static func addSets(
        of vacuum: VacuumDecision, _ snapshot: RemoteSnapshot, _ plan: inout Plan
    ) throws(FileProblem) {
        let reason =
            switch vacuum.rule {
            case .applied: "every client and every whole store that counts has it"
            case .framework: "older than every whole store and every recent sync"
            }
        for client in vacuum.clients where !client.positions.isEmpty {
            let folder = RemoteLayout.syncChanges(of: client.identifier, in: vacuum.document)
            let listing = try snapshot.tree.listing(folder).whole
            for position in client.positions {
                let entry = listing[Int(position)]
                let path = folder.appending(entry.name)
                let seen =
                    entry.kind == .folder
                    ? try snapshot.tree.state(of: path)
                    : EntryState(kind: entry.kind, size: entry.size, modified: entry.modified)
                plan.add(.moveToTrash(path: path, seen: seen), because: reason)
            }
        }
    }

    private static func addLeftovers(
        of vacuum: VacuumDecision, _ snapshot: RemoteSnapshot, _ plan: inout Plan
    ) throws(FileProblem) {
        for leftover in vacuum.leftovers where leftover.reason == nil {
            let seen = try snapshot.tree.state(of: leftover.path)
            plan.add(
                .moveToTrash(path: leftover.path, seen: seen),
                because: "an upload left it behind; no client reads it")
        }
    }

    // MARK: Refusal

    private static let shownObstacles = 5

    private static func refuse(_ vacuum: VacuumDecision, _ snapshot: RemoteSnapshot) throws(FileProblem) {
        if let unread = vacuum.unread { throw unread }
        guard !vacuum.obstacles.isEmpty else { return }
        let shown = vacuum.obstacles.prefix(shownObstacles).map(\.problem).joined(separator: "; ")
        let more = vacuum.obstacles.count - shownObstacles
        throw FileProblem(
            .refused, path: RemoteLayout.document(vacuum.document).filePath(under: snapshot.root),
            "the folder does not show which change sets every client has, so a vacuum could remove sets that are still needed",
            found: shown + (more > 0 ? "; and \(more) more" : ""), advice: advice(vacuum))
    }

    private static func advice(_ vacuum: VacuumDecision) -> String {
        let kinds = Set(vacuum.obstacles.map(\.kind))
        let isWaiting = !kinds.isDisjoint(with: [.notDownloaded, .empty])
        let name = vacuum.obstacles.first?.path.last.map { ShellWord.quoted($0.bytes) } ?? "NAME"
        let client = vacuum.obstacles.lazy.compactMap(\.client).first.map { ShellWord.quoted($0.bytes) }
        let wait = isWaiting ? "Let the sync service download everything; otherwise c" : "C"
        let ignore = client.map { "--ignore-client=\($0) if that client is gone, or with " } ?? ""
        return "\(wait)ontinue with \(ignore)--allow-missing=\(name)"
    }
}

/// The notes that the user should read before carrying out the vacuum of one document.
struct VacuumNotes {
    private(set) var notes: [PlanNote] = []
    private let name: String

    init(_ vacuum: VacuumDecision, _ style: TextStyle) {
        name = vacuum.document.description
        let removable = vacuum.removable
        if removable.count > 0 {
            let sets = "\(counted(removable.count, "change set")) (\(style.size(removable.bytes)))"
            let stay =
                "\(counted(vacuum.kept.count, "change set")) \(vacuum.kept.count == 1 ? "stays" : "stay")"
            add(.reason, "\(sets) can be removed, and \(stay)")
        }
        for client in vacuum.clients where client.isIgnored { ignored(client) }
        if vacuum.unfetched.count > 0 {
            add(
                .warning,
                "the framework's rule removes \(counted(vacuum.unfetched.count, "change set")) that a client has not "
                    + "fetched, because its last synchronisation was before their upload")
        }
        if removable.count > 0 {
            for obstacle in vacuum.allowed { add(.warning, "this obstacle was allowed: \(obstacle.problem)") }
        }
        for leftover in vacuum.leftovers {
            guard let reason = leftover.reason else { continue }
            add(.reason, "\(leftover.path) stays, because \(reason)")
        }
    }

    private mutating func ignored(_ client: VacuumClient) {
        let missed = client.missed
        if missed.notSynchronised > 0 {
            add(
                .warning,
                "client \(client.identifier) is ignored and may lack \(missed.notSynchronised) of the removed "
                    + "sets; if it comes back, it must load a whole store again")
        }
        if missed.notInStore > 0 {
            add(
                .warning,
                "clients that start from the whole store of \(client.identifier) will lack "
                    + "\(counted(missed.notInStore, "change set")) permanently")
        }
    }

    private mutating func add(_ kind: PlanNote.Kind, _ text: String) {
        notes.append(PlanNote(kind: kind, text: "Document \(name): \(text)"))
    }
}
