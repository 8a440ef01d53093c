public import SystemCalls

/// Change sets of one client that another client of the document may not have applied yet.
///
/// What a client has applied shows in the register beside its whole store, as of the upload, and in its recent sync:
/// everything older it has fetched (ticds-protocol(7), 4.9). Both lag behind the truth, so this is an upper bound.
public struct UnappliedChangeSets: Hashable, Sendable {
    /// The client that may lack them.
    public var client: RemoteName
    /// How many there are at most.
    public var changeSets: Int
    /// The oldest of them.
    public var oldest: FileTime
    /// The time of the latest sign of what the client has applied; nil where there is none.
    public var asOf: FileTime?

    /// By client; those that have everything are left out.
    public static func of(
        _ author: RemoteName, _ document: DocumentSnapshot, _ report: DocumentReport
    ) -> [UnappliedChangeSets] {
        guard let times = document.client(author)?.changeSets.map(\.modified), !times.isEmpty else {
            return []
        }
        let others = report.clients.filter { $0.isMember && $0.identifier != author }
        return others.compactMap { other in
            let registered = other.lag.map { lag in lag.behind.first { $0.client == author } }
            // A register that names every set settles it.
            if case .some(.none) = registered { return nil }
            let newer = times.filter { time in other.lastSync.map { time > $0 } ?? true }
            guard let oldest = newer.min() else { return nil }
            let lacking = registered.flatMap(\.self)
            return UnappliedChangeSets(
                client: other.identifier, changeSets: min(newer.count, lacking?.changeSets ?? newer.count),
                oldest: max(oldest, lacking?.oldest ?? oldest),
                asOf: [other.lag?.asOf, other.lastSync].compactMap(\.self).max())
        }
    }
}
