import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// Collects the conflicts and warnings of a run, each with the set that caused it.
final class RunLog {
    private(set) var events: [SyncEvent] = []
    private(set) var client = ""
    private(set) var changeSet = ""
    /// True while sets are applied again: their warnings were logged the first time.
    var isSilent = false
    private var conflicts = 0
    private var warnings = 0
    private let time: Double

    /// - Parameter time: the time of the run, in seconds since 2001-01-01 00:00:00 UTC.
    init(time: Double) { self.time = time }

    func begin(_ set: FetchedSet) {
        client = set.client.text
        changeSet = set.identifier
    }

    func add(_ notice: SyncNotice) {
        if isSilent { return }
        warnings += 1
        keep(SyncEvent(notice, time: time, client: client, changeSet: changeSet))
    }

    func add(_ conflict: SyncConflict, _ resolution: SyncResolution) {
        conflicts += 1
        var event = SyncEvent(time: time, kind: .conflict)
        event.entity = conflict.entity
        event.syncID = conflict.syncID
        event.key = conflict.key
        event.local = conflict.local
        event.remote = conflict.remote
        event.client = client
        event.changeSet = changeSet
        event.resolution = "\(resolution)"
        keep(event)
    }

    private func keep(_ event: SyncEvent) { if events.count < RunReport.eventLimit { events.append(event) } }

    func fill(_ report: inout RunReport) {
        report.conflicts = conflicts
        report.warnings = warnings
        report.events = events
    }
}

/// Resolves conflicts by the policy.
struct ConflictResolver {
    let policy: ConflictPolicy
    let log: RunLog
    let document: FilePath
    let ask: (OpenConflict) throws(FileProblem) -> SyncResolution

    func resolve(_ conflict: SyncConflict) throws(FileProblem) -> SyncResolution {
        let resolution = try resolution(of: conflict)
        log.add(conflict, resolution)
        return resolution
    }

    private func resolution(of conflict: SyncConflict) throws(FileProblem) -> SyncResolution {
        switch policy.choice(entity: conflict.entity, attribute: conflict.key) {
        case .remote: return .remote
        case .local: return .local
        case .newest:
            guard let local = conflict.localTime, let remote = conflict.remoteTime else { return .remote }
            return local > remote ? .local : .remote
        case .ask:
            return try ask(
                OpenConflict(conflict: conflict, client: log.client, changeSet: log.changeSet))
        case .fail:
            throw FileProblem(
                .refused, path: document,
                "“\(conflict.key)” of \(conflict.entity) \(conflict.syncID) was changed here "
                    + "and by client \(log.client), and the policy is to stop at conflicts",
                advice: "Decide with --conflicts, or with a rule in Replica.json")
        }
    }
}
