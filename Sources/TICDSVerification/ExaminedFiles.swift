import SystemCalls
import TICDSCore

extension VerificationContext {
    /// The files that are opened, in the order of their paths: all that have a role in a remote. What lies where it
    /// should not is a finding of its own and stays closed.
    func examinedFiles(of document: RemoteName?) -> [ExaminedFile] {
        let strays = closedStrays
        var files: [ExaminedFile] = []
        let folder = document.map { RemoteLayout.document($0) } ?? .root
        snapshot.tree.forEachFile(below: folder) { file in
            guard !strays.contains(file.path) else { return }
            let role = FileRole(of: file.path, kind: .file)
            guard role != .unknown else { return }
            files.append(ExaminedFile(file, role))
        }
        return files
    }

    /// The file at a path, if it is one that is opened.
    func examinedFile(_ path: RemotePath) -> ExaminedFile? {
        guard let entry = snapshot.tree[path], entry.kind == .file, !closedStrays.contains(path) else {
            return nil
        }
        let role = FileRole(of: path, kind: .file)
        return role == .unknown ? nil : ExaminedFile(RemoteFile(path: path, entry), role)
    }

    /// Strays that are not what their place says, and files without content, of which that is told already. An empty
    /// file is what its place says, and so are one that nobody reads and one whose name has a twin.
    private var closedStrays: Set<RemotePath> {
        let closed = snapshot.strays.lazy.filter { stray in
            switch stray.kind {
            case .emptyFile, .nameTwin: false
            case .notDownloaded: stray.absence != nil
            default: true
            }
        }
        return Set(closed.map(\.path))
    }
}

extension ExaminedFile {
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
