import Base
import SystemCalls
package import TICDSCore

/// Checks modification times, which order the change sets and limit the vacuum.
package struct TimesCheck: RemoteCheck {
    let context: VerificationContext
    let document: DocumentSnapshot
    package let rules: TimeRules
    private let limits: VacuumLimits
    package let clients: [ClientTimes]

    package init(_ context: VerificationContext, _ document: DocumentSnapshot) {
        self.context = context
        self.document = document
        let rules = TimeRules(now: context.now.boundedSeconds, isEncrypted: context.snapshot.isEncrypted)
        let limits = VacuumLimits(document, now: context.now.boundedSeconds)
        clients = document.clients.map { ClientTimes($0, rules, limits) }
        self.rules = rules
        self.limits = limits
    }

    static func findings(_ context: VerificationContext) -> [Finding] {
        context.snapshot.documents.flatMap { TimesCheck(context, $0).findings() }
    }

    private func findings() -> [Finding] {
        var findings = clients.flatMap(futureSets) + clients.flatMap(shifted) + futureFiles() + quietClients()
        let concerned = clients.filter { $0.dated > 0 && $0.clockOffset == nil }
        if concerned.count > 1, concerned.allSatisfy(\.isWhollyOff) {
            let folder = document.path.appending(RemoteLayout.syncChanges)
            findings.append(timesLost(concerned, at: folder, client: nil))
        } else {
            findings += clients.flatMap { client in
                client.areTimesLost
                    ? [timesLost([client], at: client.client.path, client: client.client.identifier)]
                    : singleSets(client)
            }
        }
        return findings
    }

    private func futureSets(_ times: ClientTimes) -> [Finding] {
        guard times.future.count <= ClientTimes.Examples.most else {
            return [
                finding(
                    .changeSetsInFuture, at: times.client.path, times, expected: "at most \(context.now)",
                    found: "\(times.future.count) change sets with later times")
            ]
        }
        return times.future.positions.map { position in
            let set = times.client.changeSets[position]
            let nominal = ChangeSetIdentifier.nominalTime(set.identifier)
            let right = nominal.map { min($0, context.now) } ?? context.now
            return finding(
                .changeSetInFuture, at: times.client.path.appending(set.name), times, subject: right.iso,
                expected: "at most \(context.now)", found: set.modified.iso)
        }
    }

    private func shifted(_ times: ClientTimes) -> [Finding] {
        guard let offset = times.clockOffset else { return [] }
        let word = offset > 0 ? "later" : "earlier"
        return [
            finding(
                .clockOff, at: times.client.path, times, expected: "times near those in the names",
                // bounded: boundedSeconds
                found: "times that are \(abs(offset)) seconds \(word) in all change sets")
        ]
    }

    private func singleSets(_ times: ClientTimes) -> [Finding] {
        var findings: [Finding] = []
        for position in times.mismatched.positions {
            let set = times.client.changeSets[position]
            guard let nominal = ChangeSetIdentifier.nominalTime(set.identifier) else { continue }
            let isEarly = rules.isEarly(set.modified.boundedSeconds, nominal: nominal.seconds)
            findings.append(
                finding(
                    .changeSetTimeOff, at: times.client.path.appending(set.name), times, subject: nominal.iso,
                    expected: nominal.iso, found: set.modified.iso,
                    effects: isEarly ? Self.effectsOfEarly : nil))
        }
        if let finding = unseen(times) { findings.append(finding) }
        return findings
    }

    private static let effectsOfEarly = [
        Effect(.misorders, .everyoneElse), Effect(.vacuumsTooMuch, .everyoneElse),
    ]

    /// A finding for each client, about the first of these sets.
    private func unseen(_ times: ClientTimes) -> Finding? {
        guard let position = times.unseen.positions.first else { return nil }
        let set = times.client.changeSets[position]
        guard let nominal = ChangeSetIdentifier.nominalTime(set.identifier) else { return nil }
        let limit = FileTime(seconds: limits.limit)
        let others = times.unseen.count > 1 ? ", and \(times.unseen.count - 1) more such sets" : ""
        var finding = finding(
            .vacuumTakesUnseen, at: times.client.path.appending(set.name), times, subject: nominal.iso,
            expected: "not before \(limit), the limit of the vacuum", found: set.modified.iso + others)
        let clients = limits.clients(before: nominal.seconds, without: times.client.identifier)
        finding.affected = [Affected(.silentlyLost, clients: clients)]
        return finding
    }

    private func timesLost(_ clients: [ClientTimes], at path: RemotePath, client: RemoteName?) -> Finding {
        let sets = clients.reduce(0) { $0 + $1.dated }
        let off = clients.reduce(0) { $0 + ($1.isSpanTooShort ? $1.dated : $1.mismatched.count) }
        let early = clients.contains { $0.early > 0 }
        let names = clients.compactMap(\.names)
        let times = clients.compactMap(\.client.changeSets.times)
        return context.finding(
            .timesLost, at: path, document: document.identifier, client: client,
            expected: Self.span(
                names.map { FileTime(seconds: $0.lowerBound) }.min(),
                names.map { FileTime(seconds: $0.upperBound) }.max()),
            found: "\(off) of \(sets) change sets with other times, "
                + Self.span(times.map(\.lowerBound).min(), times.map(\.upperBound).max()),
            effects: early ? Self.effectsOfEarly : nil)
    }

    private static func span(_ first: FileTime?, _ last: FileTime?) -> String {
        "\(first?.iso ?? "?") to \(last?.iso ?? "?")"
    }

    func finding(
        _ kind: FindingKind, at path: RemotePath, _ times: ClientTimes, subject: String? = nil,
        expected: String, found: String, effects: [Effect]? = nil
    ) -> Finding {
        context.finding(
            kind, at: path, document: document.identifier, client: times.client.identifier, subject: subject,
            expected: expected, found: found, effects: effects)
    }

    func futureFiles() -> [Finding] {
        let activities = Dictionary(clients.map { ($0.client.identifier, $0.lastActivity) }) { first, _ in
            first
        }
        var findings: [Finding] = []
        for sync in document.recentSyncs where rules.isInFuture(sync.file.modified) {
            findings.append(futureFile(sync.file, sync.client, activities))
        }
        for store in document.wholeStores {
            guard let file = store.store, rules.isInFuture(file.modified) else { continue }
            let effects = [Effect(.vacuumsTooMuch, .newClients), Effect(.cannotDownload, .newClients)]
            findings.append(futureFile(file, store.client, activities, effects: effects))
        }
        return findings
    }

    private func futureFile(
        _ file: RemoteFile, _ client: RemoteName, _ activities: [RemoteName: Int64?], effects: [Effect]? = nil
    ) -> Finding {
        let info = context.snapshot.tree[RemoteLayout.deviceInfo(of: client)].part?.modified
        let activity = (activities[client] ?? nil).map { FileTime(seconds: $0) }
        let right = [activity ?? info ?? context.now, context.now].min() ?? context.now
        return context.finding(
            .fileInFuture, at: file.path, document: document.identifier, client: client, subject: right.iso,
            expected: "at most \(context.now)", found: file.modified.iso, effects: effects)
    }

    func quietClients() -> [Finding] {
        let syncs = Dictionary(
            document.recentSyncs.map { ($0.client, $0.file.modified.boundedSeconds) }
        ) { first, _ in first }
        let activities = clients.map { client in
            [syncs[client.client.identifier], client.lastActivity].compactMap(\.self).max()
        }
        guard let latest = activities.compactMap(\.self).filter({ !rules.isInFuture($0) }).max() else {
            return []
        }
        return zip(clients, activities).compactMap { client, last in
            guard let last, last < latest - TimeRules.longestSilence else { return nil }
            return quiet(client, last: last, latest, hasSync: syncs[client.client.identifier] != nil)
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
