public import SystemCalls
public import TICDSCore

/// A file of a remote that the verification opens.
public struct ExaminedFile: Sendable, Hashable {
    /// Its path in the remote.
    public var path: RemotePath
    /// The use of the file by clients.
    public var role: FileRole
    /// The listed size in bytes.
    public var size: Int64
    /// The listed modification time.
    public var modified: FileTime
    /// The inode number, if the listing has it.
    public var inode: UInt64?
    /// The document of the file; nil for files of the app.
    public var document: RemoteName?
    /// The author of a change set, or the owner of a whole store, register, device info, tombstone or recent sync.
    public var client: RemoteName?
}

extension VerificationContext {
    /// The files to open, in the order of their paths: those of the application and of all documents or one, except those
    /// whose content is known not to be local.
    package func examinedFiles(of document: RemoteName?) -> [ExaminedFile] {
        let strays = strayFiles
        var files: [ExaminedFile] = []
        snapshot.tree.forEachFile(below: .root) { file, inode in
            guard var examined = ExaminedFile(file, among: strays),
                document == nil || examined.document == nil || examined.document == document
            else { return }
            examined.inode = inode
            files.append(examined)
        }
        return files
    }

    package func examinedFile(_ path: RemotePath) -> ExaminedFile? {
        guard let entry = snapshot.tree[path].part, entry.kind == .file else { return nil }
        return ExaminedFile(RemoteFile(path: path, entry), among: strayFiles)
    }

    /// Strays that do not have the role of their path, each with whether its content is local. Empty files, and files
    /// whose name has a twin, keep the role of their path.
    private var strayFiles: [RemotePath: Bool] {
        let strays = snapshot.strays.lazy.filter { stray in
            switch stray.kind {
            case .emptyFile, .nameTwin: false
            case .notDownloaded: stray.absence != nil
            default: true
            }
        }
        return Dictionary(strays.map { ($0.path, $0.absence == nil) }, uniquingKeysWith: { $0 && $1 })
    }
}

extension ExaminedFile {
    /// A file with the role of its path. A stray has no role: it is read but not checked. Nil for a stray whose content
    /// is not local, which has a finding of its own.
    fileprivate init?(_ file: RemoteFile, among strays: [RemotePath: Bool]) {
        let isHere = strays[file.path]
        if isHere == false { return nil }
        self.init(file, isHere == nil ? FileRole(of: file.path, kind: .file) : .unknown)
    }

    init(_ file: RemoteFile, _ role: FileRole) {
        let names = file.path.names
        let isInDocument = names.first == RemoteLayout.documents && names.count > 2
        self.init(
            path: file.path, role: role, size: file.size, modified: file.modified,
            document: isInDocument ? names[1] : nil, client: Self.client(role, names))
    }

    private static func client(_ role: FileRole, _ names: [RemoteName]) -> RemoteName? {
        switch role {
        case .deviceInfo: names[1]
        case .changeSet, .commandSet, .wholeStore, .register: names[3]
        case .temporaryFile: names.count > 5 ? names[4] : nil
        case .recentSync: names.last?.removing(suffix: RemoteLayout.recentSyncSuffix)
        case .tombstone:
            names.first == RemoteLayout.documents
                ? names.last?.removing(suffix: RemoteLayout.propertyListSuffix) : nil
        default: nil
        }
    }
}

/// The folder of an entry, by the use that clients make of it. The effects of a stray depend on it.
package enum RemotePlace: Hashable {
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

    package init(of path: RemotePath) {
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

    /// The client to which a folder of change sets belongs; nil for other folders.
    var client: RemoteName? { if case .changeSets(_, let client) = self { client } else { nil } }
}
