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
        var touched: Set<RemotePath> = []
        var aboveTouched: Set<RemotePath> = []
        var aboveMade: Set<RemotePath> = []
        for action in plan.actions {
            let path = action.kind.path
            let isTouched = path.lineage.contains(where: touched.contains)
            if !isTouched, !aboveTouched.contains(path) {
                try worker.check(action.kind)
            } else if case .moveToTrash(_, let seen) = action.kind, seen.kind == .folder, !isTouched,
                !aboveMade.contains(path)
            {
                try check(path, seen, without: touched)
            }
            touched.insert(path)
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
        _ path: RemotePath, _ seen: EntryState, without removed: Set<RemotePath>
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
