import SystemCalls
import TICDSCore

/// Clients that have fallen behind the others of the document.
extension TimesJudge {
    func quietClients() -> [Finding] {
        let syncs = Dictionary(
            document.recentSyncs.map { ($0.client, $0.file.modified.boundedSeconds) }
        ) { first, _ in first }
        let signs = clients.map { client in
            [syncs[client.client.identifier], client.lastSign].compactMap(\.self).max()
        }
        guard let latest = signs.compactMap(\.self).filter({ !rules.isInFuture($0) }).max() else { return [] }
        return zip(clients, signs).compactMap { client, sign in
            guard let sign, sign < latest - TimeRules.longestSilence else { return nil }
            return quiet(client, last: sign, latest, hasSync: syncs[client.client.identifier] != nil)
        }
    }

    private func quiet(_ times: ClientTimes, last: Int64, _ latest: Int64, hasSync: Bool) -> Finding {
        let totals = times.client.changeSets.totals
        var finding = finding(
            .quietClient, at: times.client.path, times,
            expected:
                "a synchronisation or change set near \(FileTime(seconds: latest)), the latest in the document",
            found: "the latest on \(FileTime(seconds: last)), and \(counted(totals.count, "change set"))",
            effects: (hasSync ? [Effect(.stopsVacuum, .everyone)] : [])
                + (totals.count > 0 ? [Effect(.wastesSpace, .nobody)] : []))
        finding.bytes = totals.bytes
        return finding
    }
}
