import TICDSCore

/// The folder of an entry, by what clients do with that folder. The effects of a stray depend on it.
enum RemotePlace: Hashable {
    /// `SyncChanges/<client>`
    case changeSets(document: RemoteName, client: RemoteName)
    /// `SyncChanges`
    case clients(document: RemoteName)
    case integrityKey(document: RemoteName)
    case recentSyncs(document: RemoteName)
    /// `WholeStore`
    case wholeStores(document: RemoteName)
    case clientDevices
    case documents
    /// A folder from which clients read only files with fixed names, or nothing.
    case elsewhere(document: RemoteName?)

    /// The place of the entry at `path`.
    init(of path: RemotePath) {
        let folder = path.names.dropLast()
        guard folder.first == RemoteLayout.documents else {
            self =
                folder.elementsEqual([RemoteLayout.clientDevices])
                ? .clientDevices : .elsewhere(document: nil)
            return
        }
        guard folder.count > 1 else {
            self = .documents
            return
        }
        let document = folder[1]
        switch (folder.count, folder.count > 2 ? folder[2] : nil) {
        case (3, RemoteLayout.syncChanges): self = .clients(document: document)
        case (4, RemoteLayout.syncChanges): self = .changeSets(document: document, client: folder[3])
        case (3, RemoteLayout.integrityKey): self = .integrityKey(document: document)
        case (3, RemoteLayout.recentSyncs): self = .recentSyncs(document: document)
        case (3, RemoteLayout.wholeStore): self = .wholeStores(document: document)
        default: self = .elsewhere(document: document)
        }
    }

    var document: RemoteName? {
        switch self {
        case .changeSets(let document, _), .clients(let document), .integrityKey(let document),
            .recentSyncs(let document), .wholeStores(let document):
            document
        case .elsewhere(let document): document
        case .clientDevices, .documents: nil
        }
    }

    /// The client whose folder of change sets it is; nil for other folders.
    var client: RemoteName? { if case .changeSets(_, let client) = self { client } else { nil } }
}
