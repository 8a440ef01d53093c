package import SystemCalls
import SystemPackage
import TICDSCore

/// Does single actions, undoes them, and finds out from the storage which actions were done. No other code changes a
/// remote.
struct ActionWorker {
    let places: OperationPaths
    let storage: any OperationStorage
    /// The event since which an unexpected entry has changed, for the errors; nil if the errors name none.
    var event: String? = FileProblem.planning

    /// Whether an action has been done, by what is in its slots.
    func isDone(_ position: Int, _ change: PlanAction.Kind) throws(FileProblem) -> Bool {
        switch change {
        case .makeFolder, .writeFile, .writeTree, .adopt, .replaceFile:
            try !storage.isThere(.slot(places.new(position)))
        case .restore(_, let trash, _): try !storage.isThere(.slot(places.source(position, trash)))
        case .moveToTrash: try storage.isThere(.slot(places.old(position)))
        // The times of folders are set at the end.
        case .setTime(_, _, let seen) where seen.kind == .folder: false
        // Not compared with the time that was wanted: some file systems round it.
        case .setTime(let path, _, let seen):
            try storage.contents.status(of: path).modified != seen.modified
        }
    }

    /// Checks that the remote is as the action expects it.
    /// - Throws: `.refused` if it is not.
    func check(_ change: PlanAction.Kind) throws(FileProblem) {
        let path = change.path
        let place = path.filePath(under: storage.contents.root)
        let isThere = try storage.isThere(.remote(path))
        switch change {
        case .makeFolder, .writeFile, .writeTree, .adopt, .restore:
            if isThere { throw .taken(place) }
        case .setTime(_, _, let seen) where seen.kind == .folder:
            guard isThere else { throw .vanished(place, since: event) }
            guard try storage.contents.status(of: path).kind == .folder else {
                throw .changed(place, since: event)
            }
        case .replaceFile(_, _, _, let seen), .setTime(_, _, let seen), .moveToTrash(_, let seen):
            guard isThere else { throw .vanished(place, since: event) }
            guard try storage.state(of: .remote(path)) == seen else { throw .changed(place, since: event) }
        }
    }

    /// Does an action that has been prepared and has not been done.
    func act(_ position: Int, _ change: PlanAction.Kind) throws(FileProblem) {
        let path = change.path
        switch change {
        case .makeFolder, .writeFile, .writeTree, .adopt:
            try storage.move(.slot(places.new(position)), to: .remote(path), seen: nil)
        case .restore(_, let trash, _):
            try storage.move(.slot(places.source(position, trash)), to: .remote(path), seen: nil)
        case .replaceFile(_, _, _, let seen):
            try check(change)
            try storage.replace(path, by: places.new(position), keeping: (places.old(position), seen))
        case .setTime(_, let modified, let seen):
            try check(change)
            if seen.kind == .folder { return }
            try storage.setTime(modified, of: path)
        case .moveToTrash(_, let seen):
            try storage.move(.remote(path), to: .slot(places.old(position)), seen: seen)
        }
    }

    /// Undoes an action that has been done. `made` is what it put into the remote.
    func revert(_ position: Int, _ change: PlanAction.Kind, made: EntryState?) throws(FileProblem) {
        let path = change.path
        let old = places.old(position)
        switch change {
        case .makeFolder, .writeFile, .writeTree, .adopt:
            try moveOut(path, to: places.new(position), made)
        case .restore(_, let trash, _):
            try moveOut(path, to: places.source(position, trash), made)
        case .replaceFile(_, _, _, let seen):
            let now = try storage.state(of: .remote(path))
            if now == seen, try !storage.isThere(.slot(old)) { return }
            guard now == made || now == seen else { throw changed(path) }
            try storage.replace(path, by: old, keeping: nil)
        case .setTime(_, let modified, let seen):
            guard let before = seen.modified,
                try storage.contents.status(of: path).modified == modified
            else { return }
            try storage.setTime(before, of: path)
        case .moveToTrash:
            try storage.move(.slot(old), to: .remote(path), seen: nil)
        }
    }

    private func moveOut(
        _ path: RemotePath, to slot: StagedSlot, _ made: EntryState?
    ) throws(FileProblem) {
        guard try storage.state(of: .remote(path)) == made else { throw changed(path) }
        try storage.move(.remote(path), to: .slot(slot), seen: nil)
    }

    private func changed(_ path: RemotePath) -> FileProblem {
        .changed(path.filePath(under: storage.contents.root))
    }
}

extension FileProblem {
    private static let advice = "Another program is changing the remote; look at it, then make the plan again"

    /// The event since which nothing that a plan concerns may change.
    package static let planning = "the plan was made"

    static func changed(_ path: FilePath, since event: String? = planning) -> FileProblem {
        differs(path, "changed", event)
    }
    static func vanished(_ path: FilePath, since event: String? = planning) -> FileProblem {
        differs(path, "vanished", event)
    }
    private static func differs(_ path: FilePath, _ verb: String, _ event: String?) -> FileProblem {
        let words = ["has", verb, "since", event].compactMap(\.self)
        return FileProblem(.refused, path: path, words.joined(separator: " "), advice: advice)
    }
    static func taken(_ path: FilePath) -> FileProblem {
        FileProblem(
            .refused, path: path, "is there already", expected: "nothing of this name", advice: advice)
    }
}
