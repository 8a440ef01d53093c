import Synchronization
public import SystemCalls
public import SystemPackage
public import TICDSCore

/// A remote as commands work with it: found, listed, and opened with the password when something needs it.
public struct OpenRemote: Sendable {
    /// The application folder.
    public let path: FilePath
    public let storage: any RemoteStorage
    public let snapshot: RemoteSnapshot
    private let password: PasswordOptions
    private let unreadNames = UnreadNames()
    /// What opens without asking: locked where no password is configured.
    private let configured: Result<RemoteKeyring, FileProblem>

    /// Finds the remote at `named` and lists it. No password is asked for yet.
    public init(_ named: FilePath, _ password: PasswordOptions) throws(FileProblem) {
        path = try RemoteLocation.find(named)
        let storage = Self.storage(at: path)
        let snapshot = try RemoteSnapshot.take(storage)
        self.storage = storage
        self.snapshot = snapshot
        self.password = password
        configured = Result { () throws(FileProblem) in
            try Self.opened(storage, password, others: snapshot.signsOfEncryption) { () throws(FileProblem) in
                try password.configured()
            }
        }
    }

    /// The way to the files of a remote. Here commands choose a storage.
    public static func storage(at root: FilePath) -> any RemoteStorage { LocalStorage(root: root) }

    /// The keyring for reading contents; asks for the password where the remote is encrypted and none is configured.
    public func keyring() throws(FileProblem) -> RemoteKeyring {
        let keyring = try configured.get()
        return keyring.state == .locked
            ? try Self.keyring(storage, password, others: snapshot.signsOfEncryption) : keyring
    }

    /// Why the remote may not be what it looks like: one sign says that it is encrypted, and another that it is not.
    public var contradiction: FileProblem? {
        if case .failure(let problem) = configured, problem.finding != nil { problem } else { nil }
    }

    /// Refuses a remote with a contradiction: for commands that open nothing, and write.
    public func refuseContradiction() throws(FileProblem) {
        if let contradiction { throw contradiction }
    }

    /// The keyring for checking the remote: as the clients see it, who ask for the salt alone. Where it is locked,
    /// `asks` has the password asked for on the terminal, if there is one.
    public func keyringForVerification(asks: Bool) throws(FileProblem) -> RemoteKeyring {
        guard try PasswordCheck.salt(of: storage) != nil else {
            return RemoteKeyring(.plain, form: password.form)
        }
        let keyring = try configured.get()
        guard keyring.state == .locked, asks, PasswordPrompt.isPossible else { return keyring }
        return try Self.keyring(storage, password, others: snapshot.signsOfEncryption)
    }

    /// The same without a password, even where one is configured.
    public func keyringWithoutPassword() throws(FileProblem) -> RemoteKeyring {
        RemoteKeyring(try PasswordCheck.salt(of: storage) == nil ? .plain : .locked, form: password.form)
    }

    /// Whether this machine remembers that the remote was encrypted.
    public func remembersEncryption() throws(FileProblem) -> Bool {
        try Self.state(of: storage)?.remembersEncryption() ?? false
    }

    /// The keyring as far as it opens without asking: locked where no password is configured.
    public func keyringWithoutAsking() throws(FileProblem) -> RemoteKeyring { try configured.get() }

    /// The keyring of a storage; asks for the password where that is encrypted.
    /// - Parameter others: files that clients encrypt; by default the remote's info files.
    public static func keyring(
        _ storage: any RemoteStorage, _ password: PasswordOptions, others: [RemotePath]? = nil
    ) throws(FileProblem) -> RemoteKeyring {
        try opened(storage, password, others: others) { () throws(FileProblem) in
            try password.password(for: storage.root)
        }
    }

    /// What could not be listed, and the files with names for people that could not be read until now.
    public var gaps: [FileProblem] { snapshot.problems + unreadNames.problems }

    /// Reports what could not be listed or read, and so is missing in what the command shows.
    /// - Parameter shown: what the command has shown to be unread already.
    /// - Returns: `status`, or `partial` where that says that all is well.
    public func reportGaps(
        _ output: OutputOptions, _ status: ExitStatus = .success, besides shown: Set<FilePath> = []
    ) -> ExitStatus {
        let gaps = gaps
        for problem in gaps where !shown.contains(problem.path) { output.report(problem) }
        return status == .success && !gaps.isEmpty ? .partial : status
    }

    /// Warns of the names that could not be read until now: the command shows identifiers in their place.
    public func warnOfNames(_ output: OutputOptions) {
        for problem in unreadNames.problems {
            output.warn("a name cannot be read, its identifier is shown instead: \(problem)")
        }
    }

    /// For commands that plan a change, after the names were asked for.
    /// - Throws: why a part of the remote could not be listed or read.
    public func checkRead() throws(FileProblem) {
        if let gap = gaps.first(where: \.isUnread) { throw gap }
    }

    /// The one place where a command opens a remote.
    private static func opened(
        _ storage: any RemoteStorage, _ options: PasswordOptions, others: [RemotePath]?,
        password: () throws(FileProblem) -> [UInt8]?
    ) throws(FileProblem) -> RemoteKeyring {
        let keyring = try PasswordCheck.open(storage, others: others, form: options.form) {
            () throws(FileProblem) in
            try password().map { String(decoding: $0, as: UTF8.self) }
        }
        try state(of: storage)?.checkEncryption(hasSalt: keyring.isEncrypted)
        if keyring.key != nil { PrivateOutput.begin() }
        return keyring
    }

    /// Nil where this machine has no place for a journal, and so none that remembers anything.
    private static func state(of storage: any RemoteStorage) throws(FileProblem) -> RemoteState? {
        guard let home = try? Environment.stateHome else { return nil }  // try?: HOME is not set
        return RemoteState(root: try storage.root.resolved() ?? storage.root, stateHome: home)
    }

    /// The documents with their descriptions, as far as these can be read without asking for a password.
    public func documents() -> [NamedItem] {
        let keyring = readableKeyring
        return snapshot.documents.map { document in
            let info = document.documentInfo.flatMap { file in
                unreadNames.attempt { () throws(FileProblem) in
                    try DocumentInfo(
                        keyring.read(storage, file.path, limit: .propertyList),
                        path: file.path.filePath(under: path))
                }
            }
            return NamedItem(identifier: document.identifier.text, description: info?.description)
        }
    }

    /// A client with its description, as far as that can be read without asking for a password.
    public func named(_ client: RemoteName) -> NamedItem {
        NamedItem(identifier: client.text, description: description(of: client, readableKeyring))
    }

    /// What people call the clients, by identifier, as far as `keyring` opens their files; by default as far as these
    /// can be read without asking for a password.
    public func clientNames(_ keyring: RemoteKeyring? = nil) -> [String: String] {
        let keyring = keyring ?? readableKeyring
        var names: [String: String] = [:]
        for device in snapshot.clientDevices {
            names[device.identifier.text] = description(of: device.identifier, keyring)
        }
        return names
    }

    /// Names are left out where the password does not open them; whoever needs it gets the error.
    private var readableKeyring: RemoteKeyring {
        unreadNames.attempt { () throws(FileProblem) in try configured.get() } ?? RemoteKeyring(.locked)
    }

    private func description(of client: RemoteName, _ keyring: RemoteKeyring) -> String? {
        let file = RemoteLayout.deviceInfo(of: client)
        let info = unreadNames.attempt { () throws(FileProblem) in
            try DeviceInfo(
                keyring.read(storage, file, limit: .propertyList), path: file.filePath(under: path))
        }
        return info?.description
    }
}

/// Files with names for people that could not be read; identifiers stand in for the names.
private final class UnreadNames: Sendable {
    private let found = Mutex<[FilePath: FileProblem]>([:])

    var problems: [FileProblem] {
        found.withLock { $0.values.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) } }
    }

    /// What `body` gives; nil where it fails, for whatever reason. A file that could not be read is kept.
    func attempt<Value>(_ body: () throws(FileProblem) -> Value) -> Value? {
        do throws(FileProblem) {
            return try body()
        } catch {
            if error.isUnread || error.kind == .limit { found.withLock { $0[error.path] = error } }
            return nil
        }
    }
}
