import SystemCalls
import TICDSCore

extension VerificationContext {
    /// The files that are opened, in the order of their paths: all but those whose content is known not to be here.
    func examinedFiles(of document: RemoteName?) -> [ExaminedFile] {
        let strays = strayFiles
        var files: [ExaminedFile] = []
        let folder = document.map { RemoteLayout.document($0) } ?? .root
        snapshot.tree.forEachFile(below: folder) { file in
            if let examined = ExaminedFile(file, among: strays) { files.append(examined) }
        }
        return files
    }

    /// The file at a path, if it is one that is opened.
    func examinedFile(_ path: RemotePath) -> ExaminedFile? {
        guard let entry = snapshot.tree[path], entry.kind == .file else { return nil }
        return ExaminedFile(RemoteFile(path: path, entry), among: strayFiles)
    }

    /// Strays that are not what their place says, and whether their content is here. An empty file is what its place
    /// says, and so are one that nobody reads and one whose name has a twin.
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
    /// A file with the role that its place gives it. A stray has none: it is read, and not checked. Nil for a stray
    /// whose content is not on this machine: it has a finding of its own.
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
