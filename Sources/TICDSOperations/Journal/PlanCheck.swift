import Base
import SystemCalls
import TICDSCore

/// Checks a plan before it is carried out.
struct PlanCheck {
    let worker: ActionWorker

    /// Refuses plans that cannot be carried out, such as an edited file of a plan.
    static func checkForm(_ plan: Plan) throws(FileProblem) {
        for action in plan.actions {
            let paths = [action.kind.path] + action.kind.innerPaths
            guard paths.allSatisfy(\.isSafe) else {
                throw FileProblem(
                    .refused, path: plan.root, "a path of the plan leads out of the remote",
                    found: action.kind.path.description, advice: "Make the plan again; do not edit it")
            }
            if case .setTime(let path, _, let seen) = action.kind, seen.kind != .file,
                seen.kind != .folder
            {
                throw FileProblem(
                    .refused, path: path.filePath(under: plan.root),
                    "only the times of files and folders can be set",
                    advice: "Make the plan again; do not edit it")
            }
        }
    }

    /// Checks the conditions of a plan, and what every action expects of the remote, before the first one is done. Entries that an earlier action
    /// makes or takes away are checked when their own action begins, as are folders above them; but where a folder is to
    /// go with what earlier actions leave in it, that is checked now.
    func checkAll(_ plan: Plan) throws(FileProblem) {
        for condition in plan.conditions { try condition.check(worker.storage.contents, since: worker.event) }
        var touched = TouchedPaths(by: plan.actions)
        var aboveTouched: Set<RemotePath> = []
        var aboveMade: Set<RemotePath> = []
        for (position, action) in plan.actions.enumerated() {
            let path = action.kind.path
            let isTouched = path.lineage.contains { touched.contains($0) }
            if !isTouched, !aboveTouched.contains(path) {
                try worker.check(action.kind)
            } else if case .moveToTrash(_, let seen) = action.kind, seen.kind == .folder, !isTouched,
                !aboveMade.contains(path)
            {
                try check(path, seen, without: touched)
            }
            touched.insert(path, of: position)
            var isRemoval = false
            if case .moveToTrash = action.kind { isRemoval = true }
            for folder in path.lineage.dropLast() {
                aboveTouched.insert(folder)
                if !isRemoval { aboveMade.insert(folder) }
            }
        }
    }

    /// Checks a folder as it will be once these entries are taken away.
    private func check(
        _ path: RemotePath, _ seen: EntryState, without removed: TouchedPaths
    ) throws(FileProblem) {
        let contents = worker.storage.contents
        let state = try EntryState(folder: path) { (folder) throws(FileProblem) in
            let entries = try contents.list(folder).whole()
            return FolderListing(entries.filter { !removed.contains(folder.appending($0.name)) })
        }
        guard state == seen else {
            throw .changed(path.filePath(under: contents.root), since: worker.event)
        }
    }
}

/// Paths of actions of a plan: a hash table of the numbers of the actions, which takes 16 to 32 bytes for each.
private struct TouchedPaths {
    private let actions: PlanActions
    /// The number of an action and a part of the hash of its path; nil for an empty place.
    private var places: [Place?]

    private struct Place {
        var action: UInt32
        var hash: UInt16
    }

    /// - Parameter actions: the actions whose paths may be inserted.
    init(by actions: PlanActions) {
        self.actions = actions
        var size = 16
        // ends: with the size of memory
        while size < 2 *| actions.count { size *= 2 }
        places = Array(repeating: nil, count: size)
    }

    func contains(_ path: RemotePath) -> Bool { places[place(of: path).place] != nil }

    /// Inserts the path of an action.
    mutating func insert(_ path: RemotePath, of action: Int) {
        let (place, hash) = place(of: path)
        if places[place] == nil { places[place] = Place(action: UInt32(clamping: action), hash: hash) }
    }

    /// The place of a path: where it is, or the empty one where it belongs.
    private func place(of path: RemotePath) -> (place: Int, hash: UInt16) {
        let hash = UInt(bitPattern: path.hashValue)
        let part = UInt16(truncatingIfNeeded: hash >> 48)
        var place = Int(hash & UInt(places.count - 1))
        while let found = places[place] {
            if found.hash == part, actions[Int(found.action)].kind.path == path { break }
            place = (place + 1) & (places.count - 1)
        }
        return (place, part)
    }
}

extension PlanAction.Kind {
    fileprivate var innerPaths: [RemotePath] {
        switch self {
        case .writeTree(_, let entries): entries.map(\.path) + entries.compactMap(\.content?.source)
        case .writeFile(_, let content, _), .replaceFile(_, let content, _, _):
            [content.source].compactMap(\.self)
        case .makeFolder, .adopt, .setTime, .moveToTrash, .restore: []
        }
    }
}

extension PlannedContent {
    /// The file of the remote whose bytes are copied, or recoded.
    var source: RemotePath? {
        switch self {
        case .copy(let source, _), .recoded(let source, _): source
        case .bytes, .trashed, .staged, .file: nil
        }
    }
}
