import SystemCalls

/// Plans for storages that can neither replace a file in one step nor set the time of a file.
extension Plan {
    /// The plan with the same result, by moves to absent names alone: a replaced file moves to the trash first, and a
    /// file that gets a different time is written again. Times of folders are left out. Two notes say what such a
    /// storage cannot guarantee.
    package var byMovesOnly: Plan {
        var plan = self
        plan.actions = []
        for action in actions { plan.actions += Self.moves(for: action) }
        if plan.actions.isEmpty { return plan }
        var limits = [
            "on this storage a client could create one of these names during the change"
        ]
        if plan.actions.count > actions.count {
            limits.append("a file that is replaced is missing for a moment")
        }
        for limit in limits where !notes.contains(where: { $0.text == limit }) { plan.addConsequence(limit) }
        return plan
    }

    private static func moves(for action: PlanAction) -> [PlanAction] {
        switch action.kind {
        case .replaceFile(let path, let content, let modified, let seen):
            let new: PlanAction.Kind =
                if case .staged(let staged) = content {
                    .adopt(path: path, staged: staged)
                } else {
                    .writeFile(path: path, content: content, modified: modified)
                }
            return [
                PlanAction(.moveToTrash(path: path, seen: seen), reason: action.reason),
                PlanAction(new),
            ]
        case .setTime(_, _, let seen) where seen.kind == .folder: return []
        case .setTime(let path, let modified, let seen):
            let copy = PlannedContent.copy(of: path, seen: seen)
            return [
                PlanAction(.moveToTrash(path: path, seen: seen), reason: action.reason),
                PlanAction(.writeFile(path: path, content: copy, modified: modified)),
            ]
        case .makeFolder, .writeFile, .writeTree, .adopt, .moveToTrash, .restore: return [action]
        }
    }
}
