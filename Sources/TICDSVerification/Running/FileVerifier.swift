import CoreDataStore
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Verifies single files of one remote.
public struct FileVerifier: Sendable {
    private let context: VerificationContext
    /// The findings of the level `names`, by path: computed once for all files.
    private let ofNames: [RemotePath: [Finding]]

    /// Runs the checks of the level `names` on the whole remote, since some of their findings are about single files.
    public init(_ context: VerificationContext) {
        self.context = context
        ofNames = Dictionary(grouping: ListingCheck.findings(context), by: \.path)
    }

    /// The faults of one file of the remote: of its path and name, and of its contents.
    /// - Throws: what the process lacked for the file, such as memory.
    public func findings(of path: RemotePath) throws(FileProblem) -> [Finding] {
        var findings = ofNames[path] ?? []
        if let file = context.examinedFile(path) { findings += try context.contentsFindings(of: file) }
        return findings.sorted(by: Finding.precedes)
    }

    /// The faults of a file outside a remote, recognised by its first bytes. Throws if it is not a regular file.
    public static func findings(ofLoose path: FilePath, now: FileTime) throws(FileProblem) -> [Finding] {
        guard let name = path.lastComponent else {
            throw FileProblem(
                .missing, path: path, "cannot be used as the name of a file", advice: "Give another name")
        }
        let status = try FileStatus.of(path)
        guard status.kind == .file else {
            throw FileProblem(.unsupported, path: path, "not a plain file", expected: "a file")
        }
        let context = VerificationContext(
            storage: LocalStorage(root: path.parent),
            snapshot: RemoteSnapshot(RemoteTree(root: path.parent, folders: [:], problems: [])),
            keyring: RemoteKeyring(.plain), now: now)
        let inside: RemotePath = [RemoteName(name.bytes)]
        let file = ExaminedFile(
            path: inside, role: try LooseFile.role(of: path), size: status.size, modified: status.modified)
        return try context.contentsFindings(of: file)
    }
}

/// Recognises the role of a file outside a remote by its contents.
enum LooseFile {
    /// A file with an unknown beginning gets the role that its extension suggests, or counts as a change set.
    static func role(of path: FilePath) throws(FileProblem) -> FileRole {
        let content = ForeignContent.of(path)
        if let content, content.isOwnArchive { throw noFile(path, content) }
        let head = try FileBytes.head(path, count: XMLKind.headSize)
        switch PlainSignature(head) {
        case .zip: return .wholeStore
        case .binaryStore, .sqlite: return try store(path)
        case .xml where XMLKind(head) == .store: return .wholeStore
        case .binaryPropertyList, .xml: return try list(path)
        case nil:
            if path.extension != "ticdsync", path.extension != "syncchg", let content, content.isArchive {
                throw noFile(path, content)
            }
            return path.extension == "ticdsync" ? .wholeStore : .changeSet
        }
    }

    private static func noFile(_ path: FilePath, _ content: ForeignContent) -> FileProblem {
        FileProblem(
            .unsupported, path: path, "is not a file of a remote", found: content.name, advice: content.advice
        )
    }

    private static func store(_ path: FilePath) throws(FileProblem) -> FileRole {
        let store = try unlessInvalid { () throws(FileProblem) in try PersistentStores.open(path) }
        guard let hashes = store?.metadata.versionHashes else {
            return path.extension == "syncchg" ? .changeSet : .wholeStore
        }
        if hashes[FrameworkModels.syncChangeSetEntity] != nil { return .register }
        return hashes[FrameworkModels.syncChangeEntity] == nil ? .wholeStore : .changeSet
    }

    private static func list(_ path: FilePath) throws(FileProblem) -> FileRole {
        let info = try unlessInvalid { () throws(FileProblem) in
            try DocumentInfo(FileBytes.read(path, limit: .information), path: path)
        }
        if info != nil, path.extension == "recentsync" { return .recentSync }
        let isNamed = path.lastComponent?.string == RemoteLayout.documentInfo.text
        return info?.identifier == nil && !isNamed ? .deviceInfo : .documentInfo
    }
}
