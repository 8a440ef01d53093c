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
        return VirtualListing(
            names,
            problem: moment.snapshot.gap(inNamesOf: shown.snapshot.path.appending(RemoteLayout.wholeStore)),
            isFolder: { _ in false }
        ) { [remote] in .file(StoreCopyFile(remote: remote, store: stores[$0])) }
    }
}

extension StoresFolder {
    /// Also finds the empty log and index of an SQLite store, which the listing does not show: SQLite opens a store that
    /// was written with a write-ahead log only with these two, if it cannot make them.
    func entry(named name: String) throws(FileProblem) -> VirtualNode? {
        let listing = try listing()
        if let position = listing.position(of: name) { return listing.node(at: position) }
        for suffix in ["-wal", "-shm"] where name.hasSuffix(".sqlite" + suffix) {
            guard let position = listing.position(of: String(name.dropLast(suffix.count))) else { continue }
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
        let extraction = StoreExtraction(
            source: opened.path, externalData: try StoreExtraction.externalData(beside: opened.path),
            modified: opened.modified, mode: 0o600, gaps: opened.gaps)
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
