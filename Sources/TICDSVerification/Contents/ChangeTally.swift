import SystemCalls
import TICDSCore

/// Counts the faults in the changes of one set by kind, and keeps the first of each.
struct ChangeTally {
    private struct Count {
        var number = 0
        var first: String?

        mutating func add(_ text: @autoclosure () -> String) {
            if number == 0 { first = text() }
            number += 1
        }

        var text: String { "\(number), first: \(first ?? "")" }
    }

    private var total = 0
    private var damaged = 0
    private var firstDamage: FileProblem?
    private var withoutSyncID = Count()
    private var unknownType = Count()
    private var incomplete = Count()
    private(set) var largestKey: Int64 = 0

    mutating func add(_ problem: FileProblem) {
        total += 1
        damaged += 1
        if firstDamage == nil { firstDamage = problem }
    }

    mutating func add(_ change: ChangeOutline) {
        total += 1
        largestKey = max(largestKey, change.primaryKey)
        if !change.hasSyncID { withoutSyncID.add("change \(change.primaryKey) of \(change.entity)") }
        if case .unknown(let type) = change.type {
            unknownType.add("type \(type) of change \(change.primaryKey)")
        } else if let part = missingPart(change) {
            incomplete.add("\(part) of change \(change.primaryKey) (\(change.type.name) \(change.entity))")
        }
    }

    /// The first part that the type of a change requires and the change lacks; nil if there is none
    /// (ticds-remote-format(5), 3.3).
    private func missingPart(_ change: ChangeOutline) -> String? {
        if change.entity.isEmpty { return "objectEntityName" }
        return switch change.type {
        case .insert: !change.hasAttributes ? "changedAttributes" : nil
        case .attribute: !change.hasKey ? "relevantKey" : nil
        case .toOne:
            !change.hasKey ? "relevantKey" : !change.hasRelatedEntity ? "relatedObjectEntityName" : nil
        case .addToMany, .removeFromMany:
            !change.hasKey
                ? "relevantKey"
                : !change.hasRelatedEntity
                    ? "relatedObjectEntityName" : !change.hasRelatedSyncID ? "changedRelationships" : nil
        case .delete, .unknown: nil
        }
    }

    func findings(_ checked: CheckedFile) -> [Finding] {
        var findings: [Finding] = []
        if let problem = firstDamage {
            findings.append(
                checked.finding(
                    .changeDamaged, offset: problem.offset, expected: problem.expected,
                    found: "\(damaged) of \(total), first: \(problem.text)"))
        }
        if withoutSyncID.number > 0 {
            findings.append(checked.finding(.changeWithoutSyncID, found: withoutSyncID.text))
        }
        if total == 0 { findings.append(checked.finding(.noChanges)) }
        if unknownType.number > 0 {
            findings.append(
                checked.finding(.unknownChangeType, expected: "1 to 5 or 10", found: unknownType.text))
        }
        if incomplete.number > 0 {
            findings.append(checked.finding(.incompleteChange, found: incomplete.text))
        }
        return findings
    }
}
