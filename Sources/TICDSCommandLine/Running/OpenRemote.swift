package import SystemCalls
package import SystemPackage
package import TICDSCore
package import TICDSOperations
package import TICDSStorages

/// A remote in the form for commands: found, listed, and opened with the password when it is needed.
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
    /// The reason why the local state could not show whether the remote was encrypted; nil if it could.
    package let unreadState: FileProblem?
    /// The operation that was interrupted or is still running; nil without one.
    package let unfinished: FileProblem?

    /// Finds the remote at `named` and lists it, without asking for a password.
    /// - Parameter countsSets: whether ordinary change sets are only counted: for reports that do not name them.
    package init(
        _ named: RemoteAddress, _ password: PasswordOptions, _ context: CommandContext,
        countsSets: Bool = false
    ) throws(FileProblem) {
        try self.init(named.storage(workers: context.workers), password, context, countsSets: countsSets)
    }

    /// Lists a remote that was already found.
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
        let top = snapshot.tree.listing(.root)
        if top.isWhole, top.part.isEmpty {
            throw FileProblem(
                .unreadable, path: path, "was listed as empty, although there was a remote a moment ago",
                advice: "Try again; if it stays so, look at what the storage shows")
        }
        self.storage = storage
        self.snapshot = snapshot
        self.password = password
        style = context.noteStyle
        var unread: FileProblem?
        configured = Result { () throws(FileProblem) in
            try Self.opened(
                storage, password, others: snapshot.signsOfEncryption, onUnreadState: { unread = $0 }
            ) { () throws(FileProblem) in
                try password.configured()
            }
        }
        unreadState = unread
        if let unread { context.warn(Self.warning(of: unread)) }
        unfinished = Self.unfinished(of: storage)
        if let unfinished { context.warn(unfinished.description) }
    }

    /// The operation on a storage that was interrupted, or that is still running, as the refusal of others.
    /// - Returns: nil if there is none, and if the journal cannot be read: whoever changes the remote then reports why.
    package static func unfinished(of storage: any RemoteStorage) -> FileProblem? {
        // try?: as the result says
        guard let state = try? journalState(of: storage),
            let first = (try? OperationRecovery.unfinished(state))?.first  // try?: as above
        else { return nil }
        return FileProblem(
            .refused, path: storage.root,
            "operation \(first.number) (\(first.summary)) has not been ended, so that the remote may be half changed",
            advice: "Unless it is still running: ticds-journal recover \(ShellWord.quoted(storage.root))")
    }

    /// Refuses a remote with an operation that has not been ended, for commands that would take it for something else.
    package func refuseUnfinished() throws(FileProblem) {
        if let unfinished { throw unfinished }
    }

    private static func warning(of unreadState: FileProblem) -> String {
        "it is unknown whether the remote was encrypted, and nothing can be written into it: \(unreadState)"
    }

    /// Refuses a remote that cannot be changed, before a command asks for a password.
    package func refuseReadOnly() throws(FileProblem) {
        if let refusal = storage.capabilities?.refusal { throw refusal }
    }

    /// The folder of the remote without links on the way, or its address in a storage, for a plan.
    /// - Throws: `.refused` if the remote cannot be changed.
    package var root: FilePath {
        get throws(FileProblem) {
            if let capabilities = storage.capabilities,
                let problem = snapshot.problems.first ?? capabilities.refusal
            {
                throw problem
            }
            return try place
        }
    }

    /// The same, whether the remote can be changed or not.
    private var place: FilePath {
        get throws(FileProblem) { storage.capabilities == nil ? try path.resolved() ?? path : path }
    }

    /// The storage through which a plan or a journal changes its remote.
    /// - Throws: `.refused` if the remote cannot be changed.
    package static func writable(at root: FilePath) throws(FileProblem) -> any WritableStorage {
        try StorageSchemes.address(root.string)?.writable() ?? WritableFolder(root: root)
    }

    /// Prepares the storage for reading the files below folders, or the wanted ones among them.
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
            ? try Self.keyring(
                storage, password, others: snapshot.signsOfEncryption, onUnreadState: { _ in }) : keyring
    }

    /// The contradiction that makes it doubtful whether the remote is encrypted: its signs disagree.
    package var contradiction: FileProblem? {
        if case .failure(let problem) = configured, problem.finding != nil { problem } else { nil }
    }

    /// Refuses a remote with a contradiction, for commands that write and open nothing.
    package func refuseContradiction() throws(FileProblem) {
        if let contradiction { throw contradiction }
    }

    /// The keyring for verifying the remote as clients see it: they check only the salt. If it is locked and `asks` is
    /// true, the command asks for the password on the terminal, if there is one.
    package func keyringForVerification(asks: Bool) throws(FileProblem) -> RemoteKeyring {
        guard try PasswordCheck.salt(of: storage) != nil else {
            return RemoteKeyring(.plain, form: password.form)
        }
        let keyring = try configured.get()
        guard keyring.state == .locked, asks, PasswordPrompt.isPossible else { return keyring }
        return try Self.keyring(
            storage, password, others: snapshot.signsOfEncryption, onUnreadState: { _ in })
    }

    /// The keyring for verifying without a password, even if one is configured.
    package func keyringWithoutPassword() throws(FileProblem) -> RemoteKeyring {
        RemoteKeyring(try PasswordCheck.salt(of: storage) == nil ? .plain : .locked, form: password.form)
    }

    /// Whether the local state remembers that the remote was encrypted; false if it cannot be read, for which
    /// ``unreadState`` is the reason.
    package func remembersEncryption() throws(FileProblem) -> Bool {
        do throws(FileProblem) {
            return try Self.journalState(of: storage)?.remembersEncryption() ?? false
        } catch {
            guard unreadState != nil else { throw error }
            return false
        }
    }

    /// The keyring without a question: locked if no password is configured.
    package func keyringWithoutAsking() throws(FileProblem) -> RemoteKeyring { try configured.get() }

    /// The keyring of a storage. Asks for the password if the remote is encrypted and none is configured. A wrong
    /// password on the terminal may be typed again, up to three times in total.
    /// - Parameters:
    ///   - others: files that clients encrypt; by default the remote's info files.
    ///   - onUnreadState: receives the reason why the local state cannot be read; by default it is printed.
    package static func keyring(
        _ storage: any RemoteStorage, _ password: PasswordOptions, others: [RemotePath]? = nil,
        onUnreadState: (FileProblem) -> Void = { Messages.line("warning: \(warning(of: $0))") }
    ) throws(FileProblem) -> RemoteKeyring {
        var problem: FileProblem?
        for _ in 1...PasswordPrompt.tries {
            if problem != nil {
                PasswordPrompt.tell("This password does not open the remote. Type it again.")
            }
            do throws(FileProblem) {
                return try opened(
                    storage, password, others: others, onUnreadState: onUnreadState
                ) { () throws(FileProblem) in
                    try password.password(for: storage.root)
                }
            } catch {
                guard error.kind == .wrongPassword, !password.isConfigured else { throw error }
                problem = problem ?? error
            }
        }
        throw problem ?? FileProblem(.encrypted, path: storage.root, "encrypted, and no password is given")
    }

    /// The errors of listing, and of the files with descriptions that could not be read so far.
    package var gaps: [FileProblem] { snapshot.problems + unreadNames.problems }

    /// Reports the parts that could not be listed or read and are therefore missing from the output.
    /// - Parameter shown: the parts that the command has already reported as unread.
    /// - Returns: `status`, or `partial` instead of `success` if anything is missing.
    package func reportGaps(
        _ context: CommandContext, _ status: ExitStatus = .success, besides shown: Set<FilePath> = []
    ) -> ExitStatus {
        let gaps = gaps
        for problem in gaps where !shown.contains(problem.path) { context.report(problem) }
        return status == .success && !gaps.isEmpty ? .partial : status
    }

    /// Whether everything could be listed and everything requested so far could be read.
    package var isWhole: Bool { unread == nil }

    /// The remote for planners that need no report, completely listed.
    /// - Parameter names: the descriptions of the clients; see ``clientNames(_:)``.
    /// - Throws: the reason why a folder could not be listed.
    package func listed(names: [String: String]) throws(FileProblem) -> ListedRemote {
        try ListedRemote(root: root, snapshot, names: ClientNames(names), style: style)
    }

    /// The reason why a part of the remote could not be listed or read; nil if everything requested so far could be
    /// read.
    var unread: FileProblem? { gaps.first(where: \.isUnread) }

    /// The only place in which a command opens a remote. A local state that cannot be read stops no reading; without
    /// it, `Executor` writes nothing.
    private static func opened(
        _ storage: any RemoteStorage, _ options: PasswordOptions, others: [RemotePath]?,
        onUnreadState: (FileProblem) -> Void, password: () throws(FileProblem) -> [UInt8]?
    ) throws(FileProblem) -> RemoteKeyring {
        let keyring = try PasswordCheck.open(storage, others: others, form: options.form) {
            () throws(FileProblem) in
            try password().map { String(decoding: $0, as: UTF8.self) }
        }
        do throws(FileProblem) {
            try journalState(of: storage)?.checkEncryption(hasSalt: keyring.isEncrypted)
        } catch {
            guard error.kind == .unreadable else { throw error }
            onUnreadState(error)
        }
        if keyring.key != nil { PrivateFiles.begin() }
        return keyring
    }

    /// The local state of a storage; nil if there is no place for a journal, so that nothing is remembered.
    package static func journalState(of storage: any RemoteStorage) throws(FileProblem) -> RemoteState? {
        // try?: HOME is not set
        guard let home = try? Environment.stateHome else { return nil }
        if let capabilities = storage.capabilities {
            return capabilities.hasLastingName ? RemoteState(root: storage.root, stateHome: home) : nil
        }
        return RemoteState(root: try storage.root.resolved() ?? storage.root, stateHome: home)
    }
}

/// The input of commands that change clients and documents.
extension OpenRemote {
    /// The remote in the form for planners.
    /// - Parameter keyring: may be locked if nothing must be encrypted; descriptions are then missing.
    package func planned(_ keyring: RemoteKeyring) throws(FileProblem) -> PlannedRemote {
        _ = try root
        return try PlannedRemote(reported(keyring), style: style)
    }

    /// The remote in the form for people.
    /// - Parameter keyring: may be locked; descriptions are then missing.
    package func reported(_ keyring: RemoteKeyring) throws(FileProblem) -> ReportedRemote {
        try ReportedRemote(root: place, storage, snapshot, keyring: keyring)
    }

    /// The entries of each group of paths that are still in the trash. All entries of a group come from one operation.
    package func trashed(_ groups: [[RemotePath]]) throws(FileProblem) -> TrashedEntries {
        let state = RemoteState(root: try root, stateHome: try Environment.stateHome)
        return try TrashedEntries.find(groups, state)
    }
}
