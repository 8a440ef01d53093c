import SystemCalls
import TICDSCore

/// The rule of ``VacuumPlanner``: removes sets that all clients are known to have.
struct RegisterRule: VacuumRule {
    let holders: [VacuumHolder]
    /// The registers that count but cannot be read.
    let obstacles: [VacuumObstacle]
    private let evidence: [Evidence]
    private let settings: VacuumSettings
    private let youngest: FileTime

    /// The known facts about one holder.
    private struct Evidence {
        var client: RemoteName
        /// Whether the holder fetches sets itself.
        var receives: Bool
        /// Whether new clients may start from the holder's whole store.
        var hasStore: Bool
        /// The sets that the holder's register names; nil without a register.
        var applied: ChangeSetBits?
        /// The time up to which sets were in the remote when the holder synchronised.
        var caughtUp: FileTime?
    }

    init(_ document: VacuumInput, _ sources: VacuumSources) {
        settings = document.settings
        youngest = settings.now.before(settings.keepWithin)
        let table = ChangeSetTable(document.document.clients)
        var holders: [VacuumHolder] = []
        var evidence: [Evidence] = []
        var obstacles: [VacuumObstacle] = []
        for client in document.facts {
            let isIgnored = document.isIgnored(client)
            let storeCounts = document.storeCounts(client)
            let applied = Self.applied(client, table, sources)
            if case .failure(let problem) = applied, let path = client.register?.path,
                storeCounts || !isIgnored
            {
                obstacles.append(VacuumObstacle(.unreadableRegister, path, unread: problem))
            }
            var known = Evidence(
                client: client.identifier, receives: client.receives, hasStore: storeCounts,
                applied: try? applied.get(),  // try?: the problem is an obstacle, above
                caughtUp: Self.caughtUp(client, document))
            if isIgnored {
                var missed = known
                missed.hasStore = client.store != nil && !storeCounts
                holders.append(VacuumHolder(client: client.identifier, isIgnored: true))
                evidence.append(missed)
                known.receives = false
            }
            guard known.receives || known.hasStore else { continue }
            holders.append(VacuumHolder(client: client.identifier, isIgnored: false))
            evidence.append(known)
        }
        self.holders = holders
        self.evidence = evidence
        self.obstacles = obstacles
    }

    func role(of index: Int, _ entry: VacuumEntry, number: Int, author: RemoteName) -> NeededBy {
        if evidence[index].applied?.contains(number) == true { return [] }
        var role: NeededBy = []
        if evidence[index].hasStore { role.insert(.store) }
        if evidence[index].receives, evidence[index].caughtUp.map({ $0 < entry.latest }) ?? true,
            evidence[index].client != author
        {
            role.insert(.client)
        }
        return role
    }

    func need(of index: Int) -> VacuumNeed {
        let holder = evidence[index]
        guard holder.receives, !holder.hasStore, holder.applied == nil else { return .asRoles }
        return .everythingAfter(holder.caughtUp)
    }

    func isYoung(_ entry: VacuumEntry) -> Bool { entry.latest > youngest }

    /// The latest time of sets that were certainly in the remote when a client synchronised.
    private static func caughtUp(
        _ client: VacuumInput.ClientFacts, _ document: VacuumInput
    ) -> FileTime? {
        guard let lastSync = client.lastSync, !document.isInFuture(lastSync) else { return nil }
        return min(lastSync, document.settings.now).before(document.settings.keepWithin)
    }

    // MARK: Registers

    private static func applied(
        _ client: VacuumInput.ClientFacts, _ table: ChangeSetTable, _ sources: VacuumSources
    ) -> Result<ChangeSetBits?, FileProblem> {
        guard let register = client.register else { return .success(nil) }
        var bits = ChangeSetBits(count: table.count)
        do throws(FileProblem) {
            try sources.forEachApplied(register.path) { identifier in
                var identifier = identifier
                identifier.withUTF8 { bytes in
                    table.forEach(UnsafeRawBufferPointer(bytes)) { bits.insert($0) }
                }
            }
            return .success(bits)
        } catch {
            return .failure(error)
        }
    }
}
