import SystemCalls
import TICDSCore
import TICDSOperations
import TICDSVerification

extension RepairPlanner {
    mutating func time(_ finding: Finding) throws(FileProblem) -> Verdict {
        guard let time = finding.subject.flatMap({ FileTime(iso: $0) }) else {
            return .left("the right time is not known")
        }
        guard snapshot.tree[finding.path].part?.kind == .file else {
            return .left("it is a folder, and every change in a folder sets its time again")
        }
        try actions.setTime(finding.path, time, for: finding.kind)
        return .repaired
    }

    mutating func timesFromNames(_ finding: Finding) throws(FileProblem) -> Verdict {
        guard let document = finding.document.flatMap(snapshot.document) else {
            return .left("the document is not known")
        }
        let check = TimesCheck(context, document)
        let concerned = check.clients.filter {
            finding.client == nil || $0.client.identifier == finding.client
        }
        for times in concerned {
            switch finding.kind {
            case .changeSetsInFuture: try dateFutureSets(of: times, check.rules, for: finding.kind)
            case .vacuumTakesUnseen: try dateUnseenSets(of: times, document, for: finding.kind)
            default: try dateLostSets(of: times, check.rules, for: finding.kind)
            }
        }
        if finding.kind == .timesLost {
            notes.add(
                .warning,
                "Recent syncs and whole stores of \(document.identifier) have probably lost their times as well; their "
                    + "names do not contain them, so they stay: no client should vacuum before all have synchronised"
            )
        }
        return .repaired
    }

    /// Skips the sets of a client whose clock differs by a fixed amount.
    private mutating func dateLostSets(
        of times: ClientTimes, _ rules: TimeRules, for kind: FindingKind
    ) throws(FileProblem) {
        guard times.clockOffset == nil, times.areTimesLost || times.isWhollyOff else { return }
        for set in times.client.changeSets {
            guard let nominal = ChangeSetIdentifier.nominalTime(set.identifier), nominal != set.modified,
                rules.isBelievable(nominal: nominal.seconds)
            else { continue }
            let modified = set.modified.boundedSeconds
            let isOff =
                rules.isEarly(modified, nominal: nominal.seconds)
                || rules.isLate(modified, nominal: nominal.seconds)
            guard isOff || times.isSpanTooShort else { continue }
            try actions.setTime(times.client.path.appending(set.name), nominal, for: kind)
        }
    }

    private mutating func dateFutureSets(
        of times: ClientTimes, _ rules: TimeRules, for kind: FindingKind
    ) throws(FileProblem) {
        for set in times.client.changeSets where rules.isInFuture(set.modified) {
            let nominal = ChangeSetIdentifier.nominalTime(set.identifier) ?? context.now
            try actions.setTime(times.client.path.appending(set.name), min(nominal, context.now), for: kind)
        }
    }

    /// Dates all sets that a vacuum would remove before another client has fetched them; the finding names only one.
    private mutating func dateUnseenSets(
        of times: ClientTimes, _ document: DocumentSnapshot, for kind: FindingKind
    ) throws(FileProblem) {
        let limits = VacuumLimits(document, now: context.now.boundedSeconds)
        for (position, set) in times.client.changeSets.enumerated() {
            guard let nominal = ChangeSetIdentifier.nominalTime(set.identifier) else { continue }
            let both = SetTimes(
                position: position, nominal: nominal.seconds, modified: set.modified.boundedSeconds)
            guard limits.takesUnseen(both, of: times.client.identifier) else { continue }
            try actions.setTime(times.client.path.appending(set.name), nominal, for: kind)
        }
    }
}
