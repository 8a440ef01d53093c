import SystemCalls

/// Finds the change sets that nobody needs any more, and plans their removal.
///
/// ## The rule
///
/// A change set may be needed by two sorts of readers: by clients that have not fetched it, and by clients to come,
/// which start from a whole store and fetch what its register does not name. Both are known only from outside. So a
/// set goes when all of this holds; *its time* is the later of its modification time (that of the last edit) and the
/// time in its name (that of the upload), and *the margin* is ``VacuumSettings/keepWithin``:
///
/// 1. Its time lies at least the margin back.
/// 2. For every client but its author: the register beside the client's whole store names it, or the client
///    synchronised at least the margin after its time. A client that synchronises fetches everything that lies in the
///    remote; the margin is for a set that came late, from a device without a network or through a slow sync service,
///    and for clocks that disagree. Clients are the members, and those that have a recent sync but neither a folder nor
///    a tombstone, since they go on to receive.
/// 3. For every whole store that a client could start from: the register beside it names it. The times of stores prove
///    nothing, because they are those of the app's last write, which may be younger than the last sync. A store without
///    a register names nothing, as the framework has it: who starts from it fetches every set.
///
/// A client that is ignored counts in neither, except that its whole store counts where it has the latest time of all:
/// new clients take that of themselves. With ``VacuumSettings/countsNewestStoreOnly`` no other store counts.
///
/// The margin is what the rule rests on where there is no register: a set that takes longer than that to reach a
/// client is lost to it. It cannot see, either, that a client has put in another's older whole store, or lost what it
/// fetched in a crash, and has not synchronised since.
public enum VacuumPlanner {
    /// Looks at documents (by default at all).
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
            young: FileTotals(), leftovers: [], obstacles: [], allowed: [], unseen: FileTotals())
        let finder = VacuumObstacles(document: document, storage: sources.storage)
        var obstacles = finder.listed()
        switch document.settings.rule {
        case .applied:
            let folders = folders(document) { VacuumFolder($0, start: $1) }
            let rule = AppliedRule(document, sources)
            let tally = VacuumTally(rule, folders, document.settings)
            vacuum.horizon = tally.oldestKept
            vacuum.take(tally, rule, document)
            obstacles += rule.obstacles
        case .framework:
            let tree = document.snapshot.tree
            let folders = folders(document) {
                VacuumFolder(everythingOf: $0, in: tree.listing($0.path), start: $1)
            }
            let rule = FrameworkRule(document)
            let tally = VacuumTally(rule, folders, document.settings)
            vacuum.horizon = rule.limit
            vacuum.unseen = rule.unseen(folders, document)
            vacuum.take(tally, rule, document)
        }
        obstacles += finder.inContents(vacuum.clients)
        vacuum.sort(obstacles, document)
        if document.settings.takesLeftovers { vacuum.leftovers = VacuumLeftovers(document).find() }
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
    fileprivate mutating func take(_ tally: VacuumTally, _ rule: some VacuumRule, _ document: VacuumInput) {
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

    /// What the framework takes for a recent sync though it is none.
    private func stray(_ name: RemoteName, in document: VacuumInput) -> VacuumClient {
        let listing = document.snapshot.tree.listing(document.path.appending(RemoteLayout.recentSyncs))
        let file = listing[name] ?? listing[RemoteName(name.bytes + RemoteLayout.recentSyncSuffix.utf8)]
        return VacuumClient(
            identifier: name, isMember: false, isIgnored: false, storeCounts: false,
            lastSync: file?.modified, store: nil, register: nil)
    }

    fileprivate mutating func sort(_ found: [VacuumObstacle], _ document: VacuumInput) {
        var seen: Set<RemotePath> = []
        for obstacle in found where seen.insert(obstacle.path).inserted {
            let isIgnored = obstacle.client.map { document.settings.ignored.contains($0) } ?? false
            let client = document.facts.first { $0.identifier == obstacle.client }
            let isCountedStore = isIgnored && (client.map(document.storeCounts) ?? false)
            let isOfStore = obstacle.path.names.dropFirst(2).first == RemoteLayout.wholeStore
            if obstacle.path.isNamed(in: document.settings.allowed) {
                allowed.append(obstacle)
            } else if !isIgnored || (isCountedStore && isOfStore) {
                obstacles.append(obstacle)
            }
        }
    }
}
