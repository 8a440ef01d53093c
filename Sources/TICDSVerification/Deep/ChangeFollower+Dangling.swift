import TICDSCore

extension ChangeFollower {
    /// Reports references to objects that no set inserted, or that a later set inserted. Only the sets with such
    /// references are read again.
    mutating func checkReferences() {
        guard stores.isComplete else { return }
        var sets: Set<UInt32> = []
        let last = UInt32(clamping: firstUnread)
        index.forEach { _, entry in
            if entry.set <= last, entry.absence != nil { sets.insert(entry.set) }
        }
        let order = sets.sorted()
        for set in order.prefix(LimitedFindings.limit) { readAgain(Int(set) - 1) }
        limited.addUnseen(
            order.count - LimitedFindings.limit,
            of: [.changeToNoObject, .targetIsNoObject, .changeBeforeInsert])
    }

    private mutating func readAgain(_ number: Int) {
        let entry = history[number]
        guard let reader = reader(entry) else { return }
        var tally = SetTally()
        // try?: bytes in memory; what is wrong with them was found before
        try? reader.forEachChange(onDamage: { _ in }) { change in count(change, number, &tally) }
        for finding in tally.findings(at: entry, context) { limited.add(finding) }
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

/// The reason why an object did not exist when a change referred to it.
enum Absence {
    /// No set inserted it, or a later set did.
    case never, late
}

extension ObjectIndex.Entry {
    /// The reason; nil if the object is in a whole store, or was inserted in time, or was ever deleted: a vacuum may
    /// have removed the set that inserted a deleted object.
    var absence: Absence? {
        guard flags.contains(.referenced), flags.isDisjoint(with: [.inStore, .everDeleted, .ambiguous]) else {
            return nil
        }
        if flags.contains(.insertedLate) { return .late }
        return flags.contains(.inserted) ? nil : .never
    }
}
