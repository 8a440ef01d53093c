import Synchronization
import SystemCalls

/// Files whose content is not here, although a listing does not tell: it looks for zeros in files without blocks only
/// (``AbsentContent``). A vacuum rests on recent syncs and whole stores, and takes sets away, so that it looks at the
/// beginning of these.
struct VacuumContents {
    private let document: VacuumDocument
    private let storage: any RemoteStorage

    /// What is in the way of a vacuum that takes what `clients` have at their positions.
    static func obstacles(
        _ clients: [VacuumClient], _ document: VacuumDocument, _ storage: any RemoteStorage
    ) -> [VacuumObstacle] {
        let contents = VacuumContents(document: document, storage: storage)
        return contents.evidence() + clients.flatMap(contents.removable)
    }

    private func evidence() -> [VacuumObstacle] {
        let syncs = document.document.recentSyncs.map(\.file.path)
        let stores = document.facts.compactMap(\.storeFolder).flatMap(stores)
        return (syncs + stores).compactMap { obstacle($0) }
    }

    /// The file that is a whole store, or those that may be it in a store that is a folder.
    private func stores(in folder: RemotePath) -> [RemotePath] {
        let store = folder.appending(RemoteLayout.wholeStoreFile)
        if document.snapshot.tree[store]?.kind == .file { return [store] }
        return document.snapshot.tree.listing(store).filter {
            $0.kind == .file && WholeStoreFolder.mayBeStore($0.name)
        }.map { store.appending($0.name) }
    }

    private func removable(of client: VacuumClient) -> [VacuumObstacle] {
        let folder = RemoteLayout.syncChanges(of: client.identifier, in: document.document.identifier)
        let listing = document.snapshot.tree.listing(folder)
        let opened = storage.openFolder(folder)
        let found = Mutex<[VacuumObstacle]>([])
        ParallelWork.forEach(below: client.positions.count, workers: Cores.count) { number in
            let entry = listing[Int(client.positions[number])]
            guard entry.kind == .file, entry.size > 0,
                let obstacle = obstacle(folder.appending(entry.name), opened?.open(entry.name))
            else { return }
            found.withLock { $0.append(obstacle) }
        }
        return found.withLock { $0 }.sorted { $0.path < $1.path }
    }

    /// - Parameter opened: the file, where that could be opened.
    private func obstacle(_ path: RemotePath, _ opened: (any OpenedFile)? = nil) -> VacuumObstacle? {
        do throws(FileProblem) {
            let file: any OpenedFile
            if let opened { file = opened } else { file = try storage.open(path) }
            guard let absence = try AbsentContent.of(file) else { return nil }
            return VacuumObstacle(
                kind: .notDownloaded, path: path, client: VacuumObstacle.client(of: path),
                problem: "\(path) is \(absence.text)")
        } catch {
            if error.kind == .missing { return nil }
            return VacuumObstacle(
                kind: .unreadable, path: path, client: VacuumObstacle.client(of: path),
                problem: "\(path) cannot be read: \(error.problem)")
        }
    }
}
