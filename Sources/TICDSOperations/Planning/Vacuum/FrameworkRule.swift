import Base
import SystemCalls
import TICDSCore

/// The framework's own vacuum (ticds-protocol(7), 1.9, File Manager): removes everything that is older than every whole
/// store and every entry of `RecentSyncs`.
struct FrameworkRule: VacuumRule {
    let holders: [VacuumHolder]
    /// The time before which everything is removed.
    let limit: FileTime
    private let times: [(sync: FileTime?, store: FileTime?)]
    private let isOpen: Bool

    init(_ document: VacuumInput) {
        var times: [RemoteName: (sync: FileTime?, store: FileTime?)] = [:]
        for entry in document.snapshot.tree.listing(document.path.appending(RemoteLayout.recentSyncs)).part {
            let client = entry.name.removing(suffix: RemoteLayout.recentSyncSuffix) ?? entry.name
            times[client, default: (nil, nil)].sync = entry.modified
        }
        for client in document.facts where client.store != nil {
            times[client.identifier, default: (nil, nil)].store = client.store
        }
        let ignored = document.settings.ignored
        let counted = times.filter { !ignored.contains($0.key) }.sorted { $0.key < $1.key }
        holders = counted.map { VacuumHolder(client: $0.key, isIgnored: false) }
        self.times = counted.map(\.value)
        let stores = counted.compactMap(\.value.store)
        let syncs = counted.compactMap(\.value.sync)
        let now = document.settings.now
        limit = min(stores.min() ?? now, syncs.min() ?? now)
        isOpen = stores.isEmpty || syncs.isEmpty
    }

    func role(of index: Int, _ entry: VacuumEntry, number: Int, author: RemoteName) -> NeededBy {
        var role: NeededBy = []
        if let sync = times[index].sync, entry.modified >= sync { role.insert(.client) }
        if let store = times[index].store, entry.modified >= store { role.insert(.store) }
        return role
    }

    func need(of index: Int) -> VacuumNeed { .asRoles }

    /// Without a store or without a recent sync, the present time is the limit.
    func isYoung(_ entry: VacuumEntry) -> Bool { isOpen && entry.modified >= limit }

    /// Removable entries that were uploaded after the last synchronisation of a member other than their author.
    func unfetched(_ folders: [VacuumFolder], _ document: VacuumInput) -> FileTotals {
        var unfetched = FileTotals()
        for folder in folders where document.settings.isSelected(folder.client) {
            let others = document.facts.filter { $0.isMember && $0.identifier != folder.client }
            guard let first = others.compactMap(\.lastSync).min() else { continue }
            for entry in folder.entries where entry.modified < limit && entry.latest > first {
                unfetched.add(entry.size)
            }
        }
        return unfetched
    }
}
