import SystemCalls
import TICDSCore

/// What vacuum of a document's clients would remove (ticds-protocol(7), 4.9), in seconds since 1970.
struct VacuumLimits {
    /// Sets older than this are removed.
    let limit: Int64
    /// Last synchronisations of the members, the earliest first.
    private let lastSyncs: [(client: RemoteName, time: Int64)]
    /// Clocks of two machines may disagree by so much.
    private static let tolerance: Int64 = 60

    init(_ document: DocumentSnapshot, now: Int64) {
        let members = Set(document.clients.map(\.identifier))
        let stores = document.wholeStores.compactMap { $0.store?.modified.boundedSeconds }
        let syncs = document.recentSyncs.map { (client: $0.client, time: $0.file.modified.boundedSeconds) }
        limit = min(stores.min() ?? now, syncs.map(\.time).min() ?? now)
        lastSyncs = syncs.filter { members.contains($0.client) }.sorted { $0.time < $1.time }
    }

    /// True for a set that was uploaded after the last synchronisation of another client and that vacuum removes.
    func takesUnseen(_ times: SetTimes, of author: RemoteName) -> Bool {
        guard times.modified < limit else { return false }
        guard let first = lastSyncs.first(where: { $0.client != author }) else { return false }
        return times.nominal > first.time + Self.tolerance
    }

    /// The clients that synchronised last before `time`, other than `author`, sorted.
    func clients(before time: Int64, without author: RemoteName) -> [RemoteName] {
        lastSyncs.prefix { $0.time + Self.tolerance < time }.map(\.client).filter { $0 != author }.sorted()
    }
}
