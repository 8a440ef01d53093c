import Base
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// A remote in a private staging folder. Only here does ticds change files in place, because no other process uses them
/// yet. Every change keeps the times of the file and of the folder around it.
public struct StagedRemote: Sendable {
    /// The absolute path; the name of the folder may differ from that of the new remote.
    public private(set) var root: FilePath
    /// Owner and modes of new files and folders.
    public let model: FileStatus

    /// The remote in the staging folder `root`.
    public init(root: FilePath, model: FileStatus) {
        self.root = root
        self.model = model
    }

    /// The storage of the remote.
    public var storage: LocalStorage { LocalStorage(root: root) }

    /// Replaces the bytes of a file.
    func replace(
        _ path: RemotePath, _ body: (inout FileWriter) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        try keepingTime(of: path.parent) { (folder) throws(FileProblem) in
            let name = FilePath(nameBytes: path.last?.bytes ?? [])
            let status = try folder.status(of: name)
            try write(in: folder, mode: status.mode, modified: status.modified, body)
            try folder.replace(name, in: folder, by: Self.scratch)
        }
    }

    func replace(_ path: RemotePath, with bytes: [UInt8]) throws(FileProblem) {
        try replace(path) { (file) throws(FileProblem) in try file.append(bytes) }
    }

    /// Writes a new file.
    func add(_ path: RemotePath, _ bytes: [UInt8]) throws(FileProblem) {
        try keepingTime(of: path.parent) { (folder) throws(FileProblem) in
            try write(in: folder, mode: model.modeOfFiles, modified: .now) {
                (file) throws(FileProblem) in try file.append(bytes)
            }
            try folder.move(Self.scratch, to: folder, as: FilePath(nameBytes: path.last?.bytes ?? []))
        }
    }

    func makeFolder(_ path: RemotePath) throws(FileProblem) {
        try keepingTime(of: path.parent) { (folder) throws(FileProblem) in
            let name = FilePath(nameBytes: path.last?.bytes ?? [])
            try folder.makeFolder(name, mode: 0o700)
            try folder.folder(name).adopt(like: model)
        }
    }

    /// Renames an entry; the new name must be free. Does nothing if the entry does not exist.
    func rename(_ path: RemotePath, to name: RemoteName) throws(FileProblem) {
        guard try storage.statusIfPresent(of: path) != nil else { return }
        try keepingTime(of: path.parent) { (folder) throws(FileProblem) in
            try folder.move(
                FilePath(nameBytes: path.last?.bytes ?? []), to: folder,
                as: FilePath(nameBytes: name.bytes))
        }
    }

    /// The name of a temporary file. A change fails if the remote contains this name.
    private static let scratch = FilePath(".ticds-scratch")

    private func write(
        in folder: borrowing OwnedDescriptor, mode: UInt32, modified: FileTime,
        _ body: (inout FileWriter) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        var file = try FileWriter(Self.scratch, in: folder, mode: 0o600)
        try body(&file)
        try file.adopt(owner: model.owner, group: model.group, mode: mode)
        try file.finishUnsynced(modified: modified)
    }

    /// Changes an entry in a folder and sets the time of the folder back.
    func keepingTime(
        of path: RemotePath, _ body: (borrowing OwnedDescriptor) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let open = try path.open(below: OwnedDescriptor.folder(root))
        let before = try open.status().modified
        try body(open)
        try open.setTime(before, of: ".")
    }
}

extension FileWriter {
    /// Appends an array.
    mutating func append(_ bytes: [UInt8]) throws(FileProblem) {
        try SharedBytes(bytes).withUnsafeBytes { (buffer) throws(FileProblem) in try append(buffer) }
    }
}

extension StagedRemote {
    /// Encrypts an unencrypted remote: all files that clients encrypt.
    /// - Parameter application: the identifier that the remote will have.
    /// - Throws: `.refused` if it is already encrypted, or contains files that clients could not read afterwards.
    public func encrypt(
        _ secret: EncryptionSecret, application: RemoteName, progress: (Int, Int) -> Void
    ) throws(FileProblem) {
        let snapshot = try RemoteSnapshot.take(storage)
        guard !snapshot.isEncrypted else {
            throw FileProblem(
                .refused, path: root, "the incoming files are already encrypted",
                advice: "To set another password, use ticds-remote change-password afterwards")
        }
        let census = EncryptionCensus(ofPlain: snapshot, storage)
        if let exception = census.unreadable.first {
            throw FileProblem(
                .refused, path: exception.file.path.filePath(under: root),
                "cannot be encrypted: \(exception.problem)",
                advice:
                    "Leave out --encrypt, look at the result with ticds-verify, then use ticds-remote encrypt"
            )
        }
        try recode(census.sound, EncryptionRecoder(old: nil, new: secret.key), progress)
        let folder: RemotePath = [RemoteLayout.encryption]
        if try snapshot.tree[folder].whole == nil { try makeFolder(folder) }
        let place = RemoteLayout.encryptionTestPath.filePath(under: root)
        try add(RemoteLayout.encryptionTestPath, try secret.testFile(of: application, path: place))
        try add(RemoteLayout.saltPath, secret.salt)
    }

    func recode(
        _ files: ProtectedFiles, _ recoder: EncryptionRecoder, _ progress: (Int, Int) -> Void
    ) throws(FileProblem) {
        for (number, file) in files.enumerated() {
            try replace(file.file.path) { (output) throws(FileProblem) in
                try recoder.recode(file.file.path, in: storage) { (piece) throws(FileProblem) in
                    try output.append(piece)
                }
            }
            progress(number + 1, files.count)
        }
    }

    /// Decrypts an encrypted remote.
    /// - Throws: `.refused` if it contains unencrypted files, or files that the key does not open.
    public func decrypt(
        _ key: SyncKey, form: EncryptedFile.HMACForm, progress: (Int, Int) -> Void
    ) throws(FileProblem) {
        let snapshot = try RemoteSnapshot.take(storage)
        let census = EncryptionCensus(snapshot, storage, key: key, form: form)
        if let exception = (census.plain + census.unreadable).first {
            throw FileProblem(
                .refused, path: exception.file.path.filePath(under: root),
                "cannot be decrypted: \(exception.problem)",
                advice: "Look at the source with ticds-verify; or leave out --decrypt")
        }
        try recode(census.sound, EncryptionRecoder(old: key, form: form, new: nil), progress)
        for path in [RemoteLayout.saltPath, RemoteLayout.encryptionTestPath]
        where try snapshot.tree[path].whole != nil {
            try keepingTime(of: path.parent) { (folder) throws(FileProblem) in
                try folder.remove(FilePath(nameBytes: path.last?.bytes ?? []))
            }
        }
    }
}
