import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations

/// The checks before the first action of an operation: whether the storage can keep the entries that the plan makes.
struct RcloneProbe {
    private let contents: any RemoteStorage
    private let address: RcloneAddress
    private let features: RcloneFeatures
    private let engine: RcloneEngine
    private let places: OperationPaths

    init(
        _ contents: any RemoteStorage, _ address: RcloneAddress, _ features: RcloneFeatures,
        _ engine: RcloneEngine, _ places: OperationPaths
    ) {
        self.contents = contents
        self.address = address
        self.features = features
        self.engine = engine
        self.places = places
    }

    /// - Throws: `.refused`, naming what is not possible.
    func run(_ actions: PlanActions) throws(FileProblem) {
        var listings: [RemotePath: FolderListing] = [:]
        var made: [MadeFile] = []
        for action in actions {
            let path = action.kind.path
            guard path.isUTF8 else { throw .unrepresentable(path.filePath(under: contents.root)) }
            if features.ignoresCase, action.kind.takesName { try checkCase(path, &listings) }
            made += try files(of: action.kind)
        }
        try checkOrder(of: made, actions)
    }

    // MARK: Names

    private func checkCase(
        _ path: RemotePath, _ listings: inout [RemotePath: FolderListing]
    ) throws(FileProblem) {
        let name: RemoteName
        let around: FolderListing
        if let last = path.last {
            name = last
            if let known = listings[path.parent] {
                around = known
            } else {
                around = try contents.entriesIfPresent(of: path.parent)
                listings[path.parent] = around
            }
        } else {
            guard let parent = address.parent else { return }
            name = RemoteName(address.name)
            around = try engine.listOnly(.root, of: parent, withDigests: false)[.root]
        }
        try refuseTwin(of: name, in: around, path)
    }

    private func refuseTwin(
        of name: RemoteName, in listing: FolderListing, _ path: RemotePath
    ) throws(FileProblem) {
        let twin = listing.first {
            $0.name != name && $0.name.text.lowercased() == name.text.lowercased()
        }
        if let twin { throw isTwin(path, of: twin.name) }
    }

    private func isTwin(_ path: RemotePath, of other: RemoteName) -> FileProblem {
        FileProblem(
            .refused, path: path.filePath(under: contents.root),
            "this storage takes names that differ in case alone for one", found: "\(other)",
            advice: "Copy to a storage that distinguishes capitals")
    }

    // MARK: Files

    /// A file that a plan makes, by its path in the remote.
    private struct MadeFile {
        var path: RemotePath
        var time: FileTime
    }

    /// The files that an action makes, with their future times.
    private func files(of change: PlanAction.Kind) throws(FileProblem) -> [MadeFile] {
        switch change {
        case .writeFile(let path, _, let modified):
            return modified.map { [MadeFile(path: path, time: $0)] } ?? []
        case .writeTree(let path, let entries):
            return entries.compactMap { entry in
                guard entry.content != nil, let modified = entry.modified else { return nil }
                return MadeFile(path: RemotePath(path.names + entry.path.names), time: modified)
            }
        case .adopt(let path, let staged):
            guard staged.seen.kind == .folder else {
                return staged.seen.modified.map { [MadeFile(path: path, time: $0)] } ?? []
            }
            return try files(in: staged.path, at: path)
        case .restore(let path, let slot, let seen):
            guard seen.kind == .folder else {
                return seen.modified.map { [MadeFile(path: path, time: $0)] } ?? []
            }
            return try files(in: EntryPlace.trash(slot, places.state).path, at: path)
        case .makeFolder, .replaceFile, .setTime, .moveToTrash: return []
        }
    }

    /// The files of a local folder that becomes the folder `path` of the remote.
    private func files(in folder: FilePath, at path: RemotePath) throws(FileProblem) -> [MadeFile] {
        let tree = try RemoteScanner.scan(LocalStorage(root: folder))
        if let problem = tree.problems.first { throw problem }
        for (inner, listing) in tree.folders {
            var seen: [String: RemoteName] = [:]
            for entry in listing {
                let place = RemotePath(path.names + inner.names + [entry.name])
                guard place.isUTF8 else { throw .unrepresentable(place.filePath(under: contents.root)) }
                if features.ignoresCase,
                    let twin = seen.updateValue(entry.name, forKey: entry.name.text.lowercased())
                {
                    throw isTwin(place, of: twin)
                }
            }
        }
        var files: [MadeFile] = []
        tree.forEachFile(below: .root) { file in
            files.append(MadeFile(path: RemotePath(path.names + file.path.names), time: file.modified))
        }
        return files
    }

    // MARK: Order

    /// Refuses times that the storage would round so that a set is applied before an earlier set of its document, of
    /// any client.
    private func checkOrder(of made: [MadeFile], _ actions: PlanActions) throws(FileProblem) {
        let gone = Set(actions.filter { !$0.kind.takesName }.map(\.kind.path))
        let sets = Dictionary(grouping: made.filter { $0.path.documentOfSet != nil }) {
            $0.path.documentOfSet ?? RemoteName("")
        }
        for (document, sets) in sets {
            let isExact = sets.allSatisfy { $0.time.rounded(downTo: features.precision) == $0.time }
            if isExact { continue }
            var timed = TimedSets(step: features.precision)
            for set in sets { timed.add(set.path.last ?? document, set.time) }
            let clients: RemotePath = [RemoteLayout.documents, document, RemoteLayout.syncChanges]
            for client in try contents.entriesIfPresent(of: clients) where client.kind == .folder {
                let folder = clients.appending(client.name)
                for entry in try contents.entriesIfPresent(of: folder) where entry.kind == .file {
                    let path = folder.appending(entry.name)
                    if path.lineage.contains(where: gone.contains) { continue }
                    timed.add(entry.name, entry.modified)
                }
            }
            guard let misplaced = timed.misplaced else { continue }
            throw FileProblem(
                .refused, path: clients.appending(misplaced).filePath(under: contents.root),
                "this storage rounds times so that the order of change sets would be another one",
                advice:
                    "Choose a storage with finer times, or work in a folder of this machine; see ticds-remotes(7)"
            )
        }
    }
}

extension FileProblem {
    /// The error for a name that is not UTF-8, which rclone requires.
    static func unrepresentable(_ path: FilePath) -> FileProblem {
        FileProblem(
            .refused, path: path, "this name cannot be stored there", expected: "UTF-8",
            advice: "Copy to this machine, or rename the file with ticds-verify --repair")
    }
}

extension PlanAction.Kind {
    /// Whether the action puts an entry at its path.
    fileprivate var takesName: Bool {
        switch self {
        case .makeFolder, .writeFile, .writeTree, .adopt, .restore: true
        case .replaceFile, .setTime, .moveToTrash: false
        }
    }
}
