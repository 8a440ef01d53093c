import KeyedArchive
public import SystemCalls
public import SystemPackage

/// A remote that lies in a private folder on its way to its place. Here, and only here, files change where they are:
/// nobody else knows them yet. Every change keeps the time of the file and of the folders around it.
public struct StagedRemote: Sendable {
    /// Absolute; the name of the folder need not be that of the remote to be.
    public private(set) var root: FilePath
    /// Owner and modes of what comes anew.
    public let model: FileStatus

    /// The remote in the folder `root`, which lies aside.
    public init(root: FilePath, model: FileStatus) {
        self.root = root
        self.model = model
    }

    /// The way to its files.
    public var storage: LocalStorage { LocalStorage(root: root) }

    /// Puts other bytes in the place of a file.
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

    /// Writes a file that is not there.
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

    /// Gives an entry another name, which must be free; nothing happens where there is no such entry.
    func rename(_ path: RemotePath, to name: RemoteName) throws(FileProblem) {
        guard try storage.statusIfPresent(of: path) != nil else { return }
        try keepingTime(of: path.parent) { (folder) throws(FileProblem) in
            try folder.move(
                FilePath(nameBytes: path.last?.bytes ?? []), to: folder,
                as: FilePath(nameBytes: name.bytes))
        }
    }

    /// Gone after each change. Where something of that name has come in, the change fails.
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

    /// Changes something in a folder, whose time stays.
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
    /// Encrypts a plain remote: everything that is encrypted in one whose clients have the password.
    /// - Parameter application: the identifier that the remote will have.
    /// - Throws: `.refused` where it is encrypted already, or holds files that clients could not read then.
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
        if snapshot.tree[folder] == nil { try makeFolder(folder) }
        let place = RemoteLayout.encryptionTestPath.filePath(under: root)
        guard case .bytes(let test) = try secret.testFile(of: application, path: place) else { return }
        try add(RemoteLayout.encryptionTestPath, test.bytes)
        try add(RemoteLayout.saltPath, secret.salt)
    }

    func recode(
        _ files: [ProtectedFile], _ recoder: EncryptionRecoder, _ progress: (Int, Int) -> Void
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

    /// Makes an encrypted remote a plain one.
    /// - Throws: `.refused` where it is plain already, or holds files that are plain or that the key does not open.
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
        for path in [RemoteLayout.saltPath, RemoteLayout.encryptionTestPath] where snapshot.tree[path] != nil
        {
            try keepingTime(of: path.parent) { (folder) throws(FileProblem) in
                try folder.remove(FilePath(nameBytes: path.last?.bytes ?? []))
            }
        }
    }
}
