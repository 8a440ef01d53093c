import Base
import Mounting
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore

/// A remote as one listing showed it, with the names under which a mount shows its parts.
final class RemoteMoment: Sendable {
    let storage: any RemoteStorage
    let snapshot: RemoteSnapshot
    let keyring: RemoteKeyring
    let style: TextStyle
    /// The documents, in the order of their names.
    let documents: [ShownDocument]
    /// The descriptions of the clients, by identifier.
    let clientNames: [String: String]
    /// The reason why a description could not be read.
    let unreadName: FileProblem?
    private let kept = Mutex(Kept())

    /// A document and its name in the mount.
    struct ShownDocument: Sendable {
        let name: String
        let snapshot: DocumentSnapshot
        /// A number that changes with everything that its states depend on.
        let fingerprint: Int
        /// The latest time of a change set or whole store.
        let modified: FileTime
    }

    /// Parts that were made on request.
    private struct Kept {
        var changes: [RemoteName: VirtualListing] = [:]
        var folders: [RemotePath: VirtualListing] = [:]
        var gone: [RemotePath: GoneSets] = [:]
    }

    init(
        _ storage: any RemoteStorage, _ snapshot: RemoteSnapshot, _ keyring: RemoteKeyring, _ style: TextStyle
    ) {
        self.storage = storage
        self.snapshot = snapshot
        self.keyring = keyring
        self.style = style
        var unread: FileProblem?
        func read<Info>(_ path: RemotePath, _ info: (SharedBytes, FilePath) throws(FileProblem) -> Info)
            -> Info?
        {
            do throws(FileProblem) {
                let place = path.filePath(under: storage.root)
                return try info(keyring.read(storage, path, limit: .propertyList), place)
            } catch {
                if error.isUnread { unread = unread ?? error }
                return nil
            }
        }
        var clients: [String: String] = [:]
        for device in snapshot.clientDevices {
            let info = read(RemoteLayout.deviceInfo(of: device.identifier)) {
                (bytes, path) throws(FileProblem) in
                try DeviceInfo(bytes, path: path)
            }
            clients[device.identifier.text] = info?.description
        }
        clientNames = clients
        var names = VirtualNames()
        documents = snapshot.documents.map { document in
            let info = document.documentInfo.part.flatMap { file in
                read(file.path) { (bytes, path) throws(FileProblem) in try DocumentInfo(bytes, path: path) }
            }
            let identifier = document.identifier.text
            return ShownDocument(
                name: names.next(info?.description ?? identifier, or: identifier), snapshot: document,
                fingerprint: document.fingerprint, modified: document.lastChange)
        }
        unreadName = unread
    }

    /// The document with this identifier.
    /// - Throws: `.missing` if it is gone.
    func document(_ identifier: RemoteName) throws(FileProblem) -> ShownDocument {
        if let found = documents.first(where: { $0.snapshot.identifier == identifier }) { return found }
        let place = RemoteLayout.document(identifier)
        if let gap = snapshot.gap(at: place) { throw gap }
        throw FileProblem(.noSuchFileOrDirectory, path: place.filePath(under: storage.root))
    }

    /// The description of a client, otherwise its identifier.
    func name(of client: RemoteName) -> String { clientNames[client.text] ?? client.text }

    /// The names of files of clients, with their endings. No two are the same without their endings, and they
    /// leave room for `.NAME_SUPPORT` and `NAME.sqlite-wal`.
    func names(of clients: [(client: RemoteName, suffix: String)]) -> [String] {
        var names = VirtualNames()
        let room = ".sqlite-wal".utf8.count
        return clients.map { names.next(name(of: $0.client), or: $0.client.text, room: room) + $0.suffix }
    }

    /// The change sets of a document, as a mount shows them.
    func changes(of document: ShownDocument, _ remote: MountedRemote) -> VirtualListing {
        let identifier = document.snapshot.identifier
        if let known = kept.withLock({ $0.changes[identifier] }) { return known }
        let made = ChangesListing(of: document, at: self).folder(remote)
        kept.withLock { $0.changes[identifier] = made }
        return made
    }

    /// The sets that clients have applied, and that the remote no longer contains.
    func goneSets(of document: DocumentSnapshot) -> GoneSets {
        if let known = kept.withLock({ $0.gone[document.path] }) { return known }
        let made = GoneSets(from: document, in: storage)
        kept.withLock { $0.gone[document.path] = made }
        return made
    }

    /// The entries of a folder of the remote, as a mount shows them.
    func folder(_ path: RemotePath, _ remote: MountedRemote) -> VirtualListing {
        if let known = kept.withLock({ $0.folders[path] }) { return known }
        let made = RawFolder.listing(path, at: self, remote)
        kept.withLock { $0.folders[path] = made }
        return made
    }
}

extension DocumentSnapshot {
    /// The latest time of a change set or whole store.
    fileprivate var lastChange: FileTime {
        var last = wholeStores.compactMap { $0.store?.modified }.max() ?? FileTime(seconds: 0)
        for client in clients {
            for position in client.changeSets.indices {
                last = max(last, client.changeSets.modified(at: position))
            }
        }
        return last
    }

    /// A number that changes with each change set and whole store.
    fileprivate var fingerprint: Int {
        var hasher = Hasher()
        hasher.combine(identifier)
        for client in clients {
            hasher.combine(client.identifier)
            for position in client.changeSets.indices {
                client.changeSets.withIdentifier(at: position) { hasher.combine(bytes: $0) }
                hasher.combine(client.changeSets.size(at: position))
                hasher.combine(client.changeSets.modified(at: position))
            }
        }
        hasher.combine(wholeStores)
        hasher.combine(sharedExternalData)
        return hasher.finalize()
    }
}
