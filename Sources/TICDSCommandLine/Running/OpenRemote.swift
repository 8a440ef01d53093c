package import SystemCalls
package import SystemPackage
package import TICDSCore
package import TICDSOperations
package import TICDSStorages

/// A remote as commands work with it: found, listed, and opened with the password when something needs it.
package struct OpenRemote: Sendable {
    /// The application folder.
    package let path: FilePath
    package let storage: any RemoteStorage
    package let snapshot: RemoteSnapshot
    private let password: PasswordOptions
    private let style: TextStyle
    let unreadNames = UnreadNames()
    /// The keyring with the configured password; locked if none is configured.
    let configured: Result<RemoteKeyring, FileProblem>

    /// Finds the remote at `named` and lists it. No password is asked for yet.
    /// - Parameter countsSets: whether ordinary change sets are only counted: for reports that do not name them.
    package init(
        _ named: RemoteAddress, _ password: PasswordOptions, _ context: CommandContext,
        countsSets: Bool = false
    ) throws(FileProblem) {
        try self.init(named.storage(workers: context.workers), password, context, countsSets: countsSets)
    }

    /// Lists a remote that was found already.
    package init(
        _ storage: any RemoteStorage, _ password: PasswordOptions, _ context: CommandContext,
        countsSets: Bool = false
    ) throws(FileProblem) {
        path = storage.root
        let snapshot: RemoteSnapshot
        if let listed = context.notes.takeListing(of: storage.root) {
            snapshot = RemoteSnapshot(listed)
        } else {
            snapshot = try RemoteSnapshot.take(storage, countsSets: countsSets)
        }
        self.storage = storage
        self.snapshot = snapshot
        self.password = password
        style = context.noteStyle
        configured = Result { () throws(FileProblem) in
            try Self.opened(storage, password, others: snapshot.signsOfEncryption) { () throws(FileProblem) in
                try password.configured()
            }
        }
    }

    /// The folder of the remote without links on the way, or its address in a storage, for a plan.
    /// - Throws: `.refused` if nothing can be changed there.
    package var root: FilePath {
        get throws(FileProblem) {
            guard let capabilities = storage.capabilities else { return try path.resolved() ?? path }
            if let problem = snapshot.problems.first ?? capabilities.refusal { throw problem }
            return path
        }
    }

    /// Storage in which a plan or a journal changes its remote.
    /// - Throws: `.refused` if nothing can be changed there.
    package static func writable(at root: FilePath) throws(FileProblem) -> any WritableStorage {
        try StorageSchemes.address(root.string)?.writable() ?? WritableFolder(root: root)
    }

    /// Has the storage prepare to read the files below folders, or those among them that are wanted.
    package func prepareToRead(
        below folders: [RemotePath] = [.root], where isWanted: (RemoteFile) -> Bool = { _ in true }
    ) {
        storage.prepareToRead {
            var files: [RemoteFile] = []
            for folder in folders {
                snapshot.tree.forEachFile(below: folder) { if isWanted($0) { files.append($0) } }
            }
            return files
        }
    }

    /// The keyring for reading contents. Asks for the password if the remote is encrypted and none is configured.
    package func keyring() throws(FileProblem) -> RemoteKeyring {
        let keyring = try configured.get()
        return keyring.state == .locked
            ? try Self.keyring(storage, password, others: snapshot.signsOfEncryption) : keyring
    }

    /// Why it is doubtful whether the remote is encrypted: one sign says yes, another one says no.
    package var contradiction: FileProblem? {
        if case .failure(let problem) = configured, problem.finding != nil { problem } else { nil }
    }

    /// Refuses a remote with a contradiction: for commands that write and open nothing.
    package func refuseContradiction() throws(FileProblem) {
        if let contradiction { throw contradiction }
    }

    /// The keyring for verifying the remote as clients see it: they look at the salt alone. If it is locked and `asks`
    /// is true, the command asks for the password on the terminal, if there is one.
    package func keyringForVerification(asks: Bool) throws(FileProblem) -> RemoteKeyring {
        guard try PasswordCheck.salt(of: storage) != nil else {
            return RemoteKeyring(.plain, form: password.form)
        }
        let keyring = try configured.get()
        guard keyring.state == .locked, asks, PasswordPrompt.isPossible else { return keyring }
        return try Self.keyring(storage, password, others: snapshot.signsOfEncryption)
    }

    /// The keyring for verifying without a password, even if one is configured.
    package func keyringWithoutPassword() throws(FileProblem) -> RemoteKeyring {
        RemoteKeyring(try PasswordCheck.salt(of: storage) == nil ? .plain : .locked, form: password.form)
    }

    /// Whether this machine remembers that the remote was encrypted.
    package func remembersEncryption() throws(FileProblem) -> Bool {
        try Self.state(of: storage)?.remembersEncryption() ?? false
    }

    /// The keyring without a question: locked if no password is configured.
    package func keyringWithoutAsking() throws(FileProblem) -> RemoteKeyring { try configured.get() }

    /// The keyring of a storage. Asks for the password if the remote is encrypted and none is configured. A password that
    /// was typed wrong on the terminal may be typed again, three times in all.
    /// - Parameter others: files that clients encrypt; by default the remote's info files.
    package static func keyring(
        _ storage: any RemoteStorage, _ password: PasswordOptions, others: [RemotePath]? = nil
    ) throws(FileProblem) -> RemoteKeyring {
        var problem: FileProblem?
        for _ in 1...PasswordPrompt.tries {
            if problem != nil {
                PasswordPrompt.tell("This password does not open the remote. Type it again.")
            }
            do throws(FileProblem) {
                return try opened(storage, password, others: others) { () throws(FileProblem) in
                    try password.password(for: storage.root)
                }
            } catch {
                guard error.kind == .wrongPassword, !password.isConfigured else { throw error }
                problem = problem ?? error
            }
        }
        throw problem ?? FileProblem(.encrypted, path: storage.root, "encrypted, and no password is given")
    }

    /// What could not be listed, and the files with descriptions that could not be read so far.
    package var gaps: [FileProblem] { snapshot.problems + unreadNames.problems }

    /// Reports what could not be listed or read and is therefore missing from the output.
    /// - Parameter shown: what the command has reported as unread already.
    /// - Returns: `status`, or `partial` instead of `success` if anything is missing.
    package func reportGaps(
        _ context: CommandContext, _ status: ExitStatus = .success, besides shown: Set<FilePath> = []
    ) -> ExitStatus {
        let gaps = gaps
        for problem in gaps where !shown.contains(problem.path) { context.report(problem) }
        return status == .success && !gaps.isEmpty ? .partial : status
    }

    /// Whether everything could be listed, and everything be read that was read so far.
    package var isWhole: Bool { unread == nil }

    /// The remote as planners see it that need no report: listed whole.
    /// - Parameter names: of the clients; see ``clientNames(_:)``.
    /// - Throws: why a folder could not be listed.
    package func listed(names: [String: String]) throws(FileProblem) -> ListedRemote {
        try ListedRemote(root: root, snapshot, names: ClientNames(names), style: style)
    }

    /// Why a part of the remote could not be listed or read; nil if all could that was read so far.
    var unread: FileProblem? { gaps.first(where: \.isUnread) }

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
        if keyring.key != nil { PrivateFiles.begin() }
        return keyring
    }

    /// Nil if this machine has no place for a journal, and therefore remembers nothing.
    private static func state(of storage: any RemoteStorage) throws(FileProblem) -> RemoteState? {
        // try?: HOME is not set
        guard let home = try? Environment.stateHome else { return nil }
        if let capabilities = storage.capabilities {
            return capabilities.hasLastingName ? RemoteState(root: storage.root, stateHome: home) : nil
        }
        return RemoteState(root: try storage.root.resolved() ?? storage.root, stateHome: home)
    }
}

/// What the commands that change clients and documents start from.
extension OpenRemote {
    /// The remote as planners see it.
    /// - Parameter keyring: may be locked if nothing has to be encrypted; descriptions are then missing.
    package func planned(_ keyring: RemoteKeyring) throws(FileProblem) -> PlannedRemote {
        try PlannedRemote(reported(keyring), style: style)
    }

    /// The remote as people see it.
    /// - Parameter keyring: may be locked; descriptions are then missing.
    package func reported(_ keyring: RemoteKeyring) throws(FileProblem) -> ReportedRemote {
        try ReportedRemote(root: root, storage, snapshot, keyring: keyring)
    }

    /// What the trash still contains of each group of paths. All entries of a group come from one operation.
    package func trashed(_ groups: [[RemotePath]]) throws(FileProblem) -> TrashedEntries {
        let state = RemoteState(root: try root, stateHome: try Environment.stateHome)
        return try TrashedEntries.find(groups, state)
    }
}
