import SystemCalls
import TICDSCore

extension ChangeFollower {
    /// Tells what was wanted and never came, or came too late. Only the sets that it is about are read again.
    mutating func checkWanted() {
        guard stores.isComplete else { return }
        var sets: Set<UInt32> = []
        let last = UInt32(clamping: firstUnread)
        index.forEach { _, entry in
            if entry.set <= last, entry.absence != nil { sets.insert(entry.set) }
        }
        let order = sets.sorted()
        for set in order.prefix(LimitedFindings.limit) { readAgain(Int(set) - 1) }
        addUnseen(order.count - LimitedFindings.limit, of: .changeToNoObject)
    }

    private mutating func readAgain(_ number: Int) {
        let entry = history[number]
        guard let reader = reader(entry) else { return }
        var tally = SetTally()
        // try?: bytes in memory; what is wrong with them was found before
        try? reader.forEachChange(onDamage: { _ in }) { change in
            count(change, number, &tally)
        }
        for finding in tally.findings(at: entry, context) { add(finding) }
    }

    private func count(_ change: SyncChange, _ number: Int, _ tally: inout SetTally) {
        switch change.type {
        case .attribute, .toOne, .addToMany, .removeFromMany: break
        case .insert, .delete, .unknown: return
        }
        if let syncID = change.objectSyncID {
            switch absence(of: syncID, number) {
            case .never: tally.count(.changeToNoObject, change)
            case .late: tally.count(.changeBeforeInsert, change)
            case nil: break
            }
        }
        guard change.type == .toOne || change.type == .addToMany, let target = change.relatedSyncID else {
            return
        }
        let detail = "its \((change.key ?? "").prefix(200)) leads to \(target.prefix(200))"
        switch absence(of: target, number) {
        case .never: tally.count(.targetIsNoObject, change, subject: target, detail)
        case .late: tally.count(.changeBeforeInsert, change, subject: target, detail)
        case nil: break
        }
    }

    private func absence(of syncID: String, _ number: Int) -> Absence? {
        guard let entry = index[ObjectIndex.key(syncID)], entry.set == UInt32(clamping: number + 1) else {
            return nil
        }
        return entry.absence
    }
}

/// Why an object was not there when something was said about it.
enum Absence {
    case never, late
}

extension ObjectIndex.Entry {
    /// Nil where the object is in a whole store, or in order. Of one that somebody deleted the set that made it may
    /// have gone in a vacuum.
    var absence: Absence? {
        guard flags.contains(.wanted), flags.isDisjoint(with: [.inStore, .everDeleted, .ambiguous]) else {
            return nil
        }
        if flags.contains(.late) { return .late }
        return flags.contains(.inserted) ? nil : .never
    }
}
