import SystemCalls
import TICDSCore

/// Recent syncs and whole stores: their times limit vacuum.
extension TimesJudge {
    func futureFiles() -> [Finding] {
        let signs = Dictionary(clients.map { ($0.client.identifier, $0.lastSign) }) { first, _ in first }
        var findings: [Finding] = []
        for sync in document.recentSyncs where rules.isInFuture(sync.file.modified) {
            findings.append(futureFile(sync.file, sync.client, signs))
        }
        for store in document.wholeStores {
            guard let file = store.store, rules.isInFuture(file.modified) else { continue }
            let effects = [Effect(.vacuumsTooMuch, .newClients), Effect(.cannotDownload, .newClients)]
            findings.append(futureFile(file, store.client, signs, effects: effects))
        }
        return findings
    }

    private func futureFile(
        _ file: RemoteFile, _ client: RemoteName, _ signs: [RemoteName: Int64?], effects: [Effect]? = nil
    ) -> Finding {
        let info = context.snapshot.tree[RemoteLayout.deviceInfo(of: client)]?.modified
        let sign = (signs[client] ?? nil).map { FileTime(seconds: $0) }
        let right = [sign ?? info ?? context.now, context.now].min() ?? context.now
        return context.finding(
            .fileInFuture, at: file.path, document: document.identifier, client: client, subject: right.iso,
            expected: "at most \(context.now)", found: file.modified.iso, effects: effects)
    }
}
