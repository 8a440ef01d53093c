import Base
import CoreDataStore
import Mounting
import SystemCalls
import SystemPackage
import TICDSCore

/// `documents/NAME/stores`: the whole stores that clients uploaded, decrypted and unzipped.
struct StoresFolder: VirtualFolder {
    let remote: MountedRemote
    let document: RemoteName

    var modified: FileTime {
        // try?: the time of a folder that cannot be listed does not matter
        let stores = (try? remote.now().document(document))?.snapshot.wholeStores ?? []
        return stores.compactMap { $0.store?.modified }.max() ?? FileTime(seconds: 0)
    }

    func listing() throws(FileProblem) -> VirtualListing {
        let moment = try remote.now()
        let shown = try moment.document(document)
        let stores = shown.snapshot.wholeStores.filter { $0.store != nil }
        let names = moment.names(of: stores.map { ($0.client, suffix(of: $0, at: moment)) })
        var entries = zip(names, stores).map { name, store in
            (name, VirtualNode.file(StoreCopyFile(remote: remote, store: store)))
        }
        var taken: Set<String> = []
        for (name, store) in zip(names, stores) {
            let support = StoreExtraction.support(FilePath(name)).string
            let folders = externalData(of: store, in: shown.snapshot, at: moment)
            guard !folders.isEmpty, taken.insert(support).inserted else { continue }
            entries.append((support, .folder(SupportFolder(remote: remote, places: folders))))
        }
        return VirtualListing(
            entries,
            problem: moment.snapshot.gap(inNamesOf: shown.snapshot.path.appending(RemoteLayout.wholeStore)))
    }

    /// The folders of the remote in which the external data of a store are; none if there are none, or if they are in
    /// the zip of the store.
    private func externalData(
        of store: WholeStoreSnapshot, in document: DocumentSnapshot, at moment: RemoteMoment
    ) -> [RemotePath] {
        guard let file = store.store else { return [] }
        let inside = file.path.appending(WholeStoreFolder.storeName)
        let shared = document.path.appending(RemoteLayout.wholeStore)
            .appending(RemoteLayout.sharedExternalData)
        let places = [inside, file.path].compactMap { WholeStoreFolder.externalData(of: $0) } + [shared]
        return places.filter { moment.snapshot.tree.folders[$0]?.isEmpty == false }
    }
}

extension StoresFolder {
    /// Also finds the empty log and index of an SQLite store, which the listing does not show: SQLite opens a store that
    /// was written with a write-ahead log only with these two, if it cannot make them.
    func entry(named name: String) throws(FileProblem) -> VirtualNode? {
        let listing = try listing()
        if let position = listing.position(of: name) { return listing.node(at: position) }
        for suffix in ["-wal", "-shm"] {
            guard let stem = name.before(ending: ".sqlite" + suffix),
                let position = listing.position(of: stem + ".sqlite")
            else { continue }
            return .file(FixedFile(SharedBytes([]), modified: listing.node(at: position).modified))
        }
        if let problem = listing.problem { throw problem }
        return nil
    }

    /// Larger stores that are encrypted or zipped are taken for SQLite stores until somebody opens them.
    private static let examined: Int64 = 16 << 20

    /// The ending of the name that tells the kind of a store.
    private func suffix(of store: WholeStoreSnapshot, at moment: RemoteMoment) -> String {
        guard let file = store.store else { return ".sqlite" }
        // try?: opening the file says why it cannot be read
        let head = try? moment.storage.head(file.path, count: PlainSignature.headSize)
        var kind = head.map { WholeStoreKind(head: $0, kind: .file, isEncrypted: moment.keyring.isEncrypted) }
        if [.zip, .encrypted].contains(kind), file.size <= Self.examined {
            // try?: as above
            kind = try? StoreCopyFile(remote: remote, store: store).copy().kind
        }
        switch kind {
        case .binary: return ".storedata"
        case .xml: return ".xml"
        default: return ".sqlite"
        }
    }
}

/// `.NAME_SUPPORT`, where Core Data and ticds look for the external data of the store NAME.
private struct SupportFolder: VirtualFolder {
    let remote: MountedRemote
    let places: [RemotePath]

    var modified: FileTime { ExternalDataFolder(remote: remote, places: places).modified }

    func listing() -> VirtualListing {
        VirtualListing([("_EXTERNAL_DATA", .folder(ExternalDataFolder(remote: remote, places: places)))])
    }
}

/// The external data of a store, from all folders in which forms of whole stores keep them.
private struct ExternalDataFolder: VirtualFolder {
    let remote: MountedRemote
    let places: [RemotePath]

    private var folders: [RawFolder] { places.map { RawFolder(remote: remote, path: $0) } }

    var modified: FileTime { folders.map(\.modified).max() ?? FileTime(seconds: 0) }

    func listing() throws(FileProblem) -> VirtualListing {
        var entries: [(name: String, node: VirtualNode)] = []
        var problem: FileProblem?
        var taken: Set<String> = []
        for folder in folders {
            let listing = try folder.listing()
            problem = problem ?? listing.problem
            for position in 0..<listing.count where taken.insert(listing.name(at: position)).inserted {
                entries.append((listing.name(at: position), listing.node(at: position)))
            }
        }
        return VirtualListing(entries, problem: problem)
    }

    func entry(named name: String) throws(FileProblem) -> VirtualNode? {
        for folder in folders {
            if let node = try folder.entry(named: name) { return node }
        }
        return nil
    }
}

/// A whole store as `ticds-store extract` copies it.
private struct StoreCopyFile: VirtualFile {
    let remote: MountedRemote
    let store: WholeStoreSnapshot

    var modified: FileTime { store.store?.modified ?? FileTime(seconds: 0) }

    func open() throws(FileProblem) -> any VirtualContent { try copy() }

    func copy() throws(FileProblem) -> ExtractedStore {
        let moment = try remote.now()
        var hasher = Hasher()
        hasher.combine(store)
        let key = StateCache.Key(kind: .store, path: store.path, fingerprint: hasher.finalize())
        return try remote.states.get(key) { () throws(FileProblem) in
            try ExtractedStore(store, at: moment)
        }
    }
}

/// The copy of a whole store in a private folder.
final class ExtractedStore: VirtualContent, KeptOnDisk {
    let size: Int64
    let kind: WholeStoreKind
    private let folder: TemporaryFolder
    private let open: LocalFile

    init(_ store: WholeStoreSnapshot, at moment: RemoteMoment) throws(FileProblem) {
        guard let file = store.store else {
            throw FileProblem(
                .noSuchFileOrDirectory, path: store.path.filePath(under: moment.storage.root))
        }
        folder = try TemporaryFolder(prefix: "ticds-mount")
        let target = folder.path.appending("Store.sqlite")
        folder.represent(file.path.filePath(under: moment.storage.root), as: "Store.sqlite")
        let opened = try WholeStoreFile.open(file.path, in: moment.storage, keyring: moment.keyring)
        // External data are shown where they are.
        let extraction = StoreExtraction(
            source: opened.path, externalData: nil, modified: opened.modified, mode: 0o600, gaps: opened.gaps)
        kind = try extraction.write(to: target, isReplacing: false).kind
        open = LocalFile(try OwnedDescriptor.file(target))
        size = try open.status().size
    }

    func read(_ range: Range<Int>) throws(FileProblem) -> SharedBytes {
        let range = range.clamped(to: 0..<Int(size))
        let bytes = try PrivateBytes(count: range.count, path: open.path)
        let count = try open.read(into: bytes.memory, at: range.lowerBound)
        return bytes.shared(0..<count)
    }
}
