import Synchronization
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
    private let unreadNames = UnreadNames()
    /// The keyring with the configured password; locked if none is configured.
    private let configured: Result<RemoteKeyring, FileProblem>

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

    /// Warns of the descriptions that could not be read so far: the command shows identifiers instead.
    package func warnOfNames(_ context: CommandContext) {
        for problem in unreadNames.problems {
            context.warn("a name cannot be read, its identifier is shown instead: \(problem)")
        }
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
    private var unread: FileProblem? { gaps.first(where: \.isUnread) }

    /// The first error that hides documents or their names.
    private var unreadDocument: FileProblem? {
        let folder = RemotePath([RemoteLayout.documents]).filePath(under: path)
        return gaps.first { gap in
            gap.isUnread
                && (folder.starts(with: gap.path) || gap.path.parent == folder
                    || gap.path.lastComponent?.string == RemoteLayout.documentInfo.text)
        }
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

    /// The documents with their descriptions, as far as these can be read without asking for a password.
    package func documents() -> Seen<[NamedItem]> {
        let keyring = readableKeyring
        let items = snapshot.documents.map { document in
            guard let file = document.documentInfo?.path else {
                let info = RemoteLayout.documentInfo(of: document.identifier)
                return NamedItem(document.identifier, locked: snapshot.gap(at: info))
            }
            let info = unreadNames.attempt { () throws(FileProblem) in
                try DocumentInfo(
                    keyring.read(storage, file, limit: .propertyList), path: file.filePath(under: path))
            }
            return NamedItem(
                document.identifier, info?.description,
                locked: unreadNames.lock(of: file.filePath(under: path)))
        }
        return Seen(items, unreadDocument)
    }

    /// The document that the options mean.
    /// - Throws: `FileProblem` of kind `unknownName` or `ambiguous` that lists what there is.
    package func document(_ options: DocumentOptions) throws(FileProblem) -> DocumentSnapshot {
        let item = try options.one(of: documents(), in: path)
        if let document = snapshot.document(item.identifier) { return document }
        throw FileProblem(.missing, path: path, "the document is gone", found: item.identifier.text)
    }

    /// The one of `clients` that an option names.
    /// - Throws: `FileProblem` of kind `unknownName` or `ambiguous` that lists what there is.
    package func client(
        _ name: String, option: String, among clients: some Sequence<RemoteName>
    ) throws(FileProblem) -> RemoteName {
        let names = NameResolver(
            noun: "client", option: option, remote: path, items: named(Array(clients)))
        return try names.item(name).identifier
    }

    /// The clients of the remote that the options name; nil if they name none. Of several that fit a name, the only one
    /// among `preferred` counts.
    package func clients(
        _ options: ClientOptions, preferring preferred: Set<RemoteName>
    ) throws(FileProblem) -> Set<RemoteName>? {
        guard options.isNarrowed else { return nil }
        func names(_ clients: Set<RemoteName>) -> NameResolver {
            NameResolver(noun: "client", option: "--client", remote: path, items: named(clients.sorted()))
        }
        let all = preferred.union(snapshot.clientDevices.map(\.identifier))
            .union(snapshot.documents.flatMap(\.clients).map(\.identifier))
        var chosen: Set<RemoteName> = []
        for name in options.clients {
            do throws(FileProblem) {
                chosen.insert(try names(all).item(name).identifier)
            } catch {
                guard error.kind == .ambiguous else { throw error }
                chosen.insert(try names(preferred).item(name).identifier)
            }
        }
        return chosen
    }

    /// Clients with their descriptions, as far as these can be read without asking for a password.
    package func named(_ clients: [RemoteName]) -> Seen<[NamedItem]> {
        let items = clients.map {
            named($0, description(in: RemoteLayout.deviceInfo(of: $0), readableKeyring))
        }
        return Seen(items, unread)
    }

    /// A client with the description that ``clientNames(_:)`` has read.
    package func named(_ client: RemoteName, _ description: String?) -> NamedItem {
        let file = RemoteLayout.deviceInfo(of: client)
        return NamedItem(
            client, description,
            locked: unreadNames.lock(of: file.filePath(under: path))
                ?? (description == nil ? snapshot.gap(at: file) : nil))
    }

    /// The descriptions of the clients, by identifier, as far as `keyring` opens their files; by default as far as these
    /// can be read without asking for a password; with the reason why one, or a client, may be missing.
    package func clientNames(_ keyring: RemoteKeyring? = nil) -> Seen<[String: String]> {
        let keyring = keyring ?? readableKeyring
        var names: [String: String] = [:]
        for device in snapshot.clientDevices {
            names[device.identifier.text] = description(
                in: RemoteLayout.deviceInfo(of: device.identifier), keyring)
        }
        return Seen(names, unread)
    }

    /// Locked if the configured password fails: descriptions are then left out, and ``keyring()`` throws the error.
    private var readableKeyring: RemoteKeyring {
        unreadNames.attempt { () throws(FileProblem) in try configured.get() } ?? RemoteKeyring(.locked)
    }

    /// The descriptions of removed clients, which their tombstones have, as far as these can be read without asking for a
    /// password.
    package func removedClients() -> [RemoteName: String] {
        let keyring = readableKeyring
        var names: [RemoteName: String] = [:]
        for tombstone in snapshot.documents.flatMap(\.deletedClients) where names[tombstone.identifier] == nil
        {
            names[tombstone.identifier] = description(in: tombstone.file.path, keyring)
        }
        return names
    }

    private func description(in file: RemotePath, _ keyring: RemoteKeyring) -> String? {
        let info = unreadNames.attempt { () throws(FileProblem) in
            try DeviceInfo(
                keyring.read(storage, file, limit: .propertyList), path: file.filePath(under: path))
        }
        return info?.description
    }
}

/// Files with descriptions that could not be read; commands show identifiers instead.
private final class UnreadNames: Sendable {
    private let found = Mutex<[FilePath: FileProblem]>([:])

    /// Files that could not be read for another reason than the password.
    var problems: [FileProblem] {
        found.withLock(\.values).filter { $0.isUnread || $0.kind == .limit }
            .sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    }

    /// Why a file could not be read, if only the password is lacking or wrong, or a service has not delivered the file.
    func lock(of file: FilePath) -> FileProblem? {
        found.withLock { $0[file] }.flatMap {
            [.encrypted, .wrongPassword, .missing].contains($0.kind) ? $0 : nil
        }
    }

    /// What `body` returns; nil if it throws. Remembers a file that could not be read.
    func attempt<Value>(_ body: () throws(FileProblem) -> Value) -> Value? {
        do throws(FileProblem) {
            return try body()
        } catch {
            found.withLock { $0[error.path] = error }
            return nil
        }
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

extension RemoteKeyring {
    /// The error for names that only lack the password; nil if the keyring opens them.
    package func missingPassword(of root: FilePath) -> FileProblem? {
        state == .locked ? FileProblem(.encrypted, path: root, "encrypted, and no password is given") : nil
    }
}

/// Finds clients and documents by the names that people give them.
extension ReportedRemote {
    /// Clients that are registered with the application, or merely mentioned by a document.
    /// - Parameter removed: the descriptions of removed clients, as far as they are known.
    private func namedClients(removed descriptions: [RemoteName: String]) -> [NamedItem] {
        let removed = Set(report.documents.flatMap(\.deletedClients.part))
        return report.clients.map {
            NamedItem(
                $0.identifier, $0.description ?? descriptions[$0.identifier],
                locked: locked ?? snapshot.gap(at: RemoteLayout.deviceInfo(of: $0.identifier)))
        }
            + removed.subtracting(report.clients.map(\.identifier)).sorted().map {
                NamedItem($0, descriptions[$0], locked: locked)
            }
    }

    private var locked: FileProblem? { keyring.missingPassword(of: root) }

    package var namedDocuments: Seen<[NamedItem]> {
        let items = report.documents.map {
            NamedItem(
                $0.identifier, $0.description,
                locked: locked ?? snapshot.gap(at: RemoteLayout.documentInfo(of: $0.identifier)))
        }
        return Seen(items, report.unread)
    }

    /// Documents of which only a tombstone is left.
    package var namedDeletedDocuments: [NamedItem] {
        report.deletedDocuments.filter { snapshot.document($0.identifier) == nil }.map {
            NamedItem($0.identifier, $0.description, locked: locked)
        }
    }

    /// The client that an argument or option names.
    /// - Parameters:
    ///   - option: nil if an argument names it.
    ///   - removed: the descriptions of removed clients, as far as they are known.
    package func client(
        named name: String, option: String? = nil, removed: [RemoteName: String] = [:]
    ) throws(FileProblem) -> RemoteName {
        let names = NameResolver(
            noun: "client", option: option, remote: root,
            items: Seen(namedClients(removed: removed), report.unread))
        return try names.item(name).identifier
    }

    /// The document that an argument names.
    package func document(named name: String) throws(FileProblem) -> RemoteName {
        let names = NameResolver(noun: "document", option: nil, remote: root, items: namedDocuments)
        return try names.item(name).identifier
    }

    /// The document that the options mean.
    package func document(_ options: DocumentOptions) throws(FileProblem) -> RemoteName {
        try options.one(of: namedDocuments, in: root).identifier
    }
}

extension RemoteAddress {
    /// The same; a folder is named without symbolic links.
    package func storageWithoutLinks() throws(FileProblem) -> any RemoteStorage {
        let storage = try storage()
        guard case .folder = self, let root = try storage.root.resolved() else { return storage }
        return LocalStorage(root: root)
    }

    /// Finds the remote: the place itself, or the only remote among its subfolders.
    /// - Parameter workers: threads that may read a folder at once.
    package func storage(workers: Int = Cores.count) throws(FileProblem) -> any RemoteStorage {
        switch self {
        case .folder(let path): return LocalStorage(root: try RemoteLocation.find(path), workers: workers)
        case .elsewhere(let address):
            let storage = try address.findRemote()
            if let capabilities = storage.capabilities, capabilities.timeResolution == nil {
                Messages.line(
                    "\(storage.root): this storage does not keep times, so the order of change sets depends on "
                        + "the times in their names")
            }
            return storage
        }
    }
}
