public import SystemCalls
public import SystemPackage

/// Plans to encrypt a remote, to decrypt it, or to give it another password (ticds-protocol(7), 6.4, 6.5).
public struct EncryptionPlanner: Sendable {
    /// What the remote is to become.
    public enum Goal: Sendable {
        /// Encrypted, with a new password.
        case encrypt(EncryptionSecret)
        /// Plain.
        case decrypt
        /// Encrypted, with another password than now.
        case changePassword(EncryptionSecret)
    }

    let snapshot: RemoteSnapshot
    let goal: Goal
    let census: EncryptionCensus
    let names: ClientNames

    /// - Parameters:
    ///   - census: of this snapshot, under the present key.
    ///   - names: what people call the clients.
    /// - Throws: `.refused` where the remote is already encrypted, or is not encrypted.
    public init(
        of snapshot: RemoteSnapshot, _ goal: Goal, census: EncryptionCensus, names: ClientNames
    ) throws(FileProblem) {
        self.snapshot = snapshot
        self.goal = goal
        self.census = census
        self.names = names
        if case .encrypt = goal {
            guard !snapshot.isEncrypted else {
                throw FileProblem(
                    .refused, path: snapshot.root, "the remote is already encrypted",
                    advice: "Use change-password for another password")
            }
        } else if !snapshot.isEncrypted {
            throw FileProblem(.refused, path: snapshot.root, "the remote is not encrypted")
        }
    }

    /// The plan. Files keep their times.
    ///
    /// A plain client takes an encrypted change set for a damaged one and skips it for ever, while a client with a key
    /// merely fails to fetch a plain one (ticds-protocol(7), 7.3). So the salt, by which clients tell that a remote is
    /// encrypted, comes before the first encrypted file and goes after the last; with a new password it changes first, so
    /// that nobody who registers meanwhile writes under the old one.
    /// - Parameters:
    ///   - root: the remote, absolute and without links.
    ///   - skippingUnreadable: leaves files as they are that should be encrypted and are not, or do not open.
    /// - Throws: `.refused` with the names of such files where they are not to be skipped.
    public func plan(
        root: FilePath, command: String, skippingUnreadable: Bool = false
    ) throws(FileProblem) -> Plan {
        let exceptions = exceptions
        if !exceptions.isEmpty, !skippingUnreadable { throw refusal(exceptions) }
        var plan = Plan(root: root, command: command, summary: summary)
        addNotes(to: &plan, skipped: exceptions)
        switch goal {
        case .encrypt(let secret), .changePassword(let secret):
            try addSecret(secret, to: &plan)
            try addFiles(to: &plan)
        case .decrypt:
            try addFiles(to: &plan)
            for path in [RemoteLayout.saltPath, RemoteLayout.encryptionTestPath]
            where snapshot.tree[path] != nil {
                plan.add(.moveToTrash(path: path, seen: try snapshot.tree.state(of: path)))
            }
        }
        return plan
    }

    private var summary: String {
        let application = snapshot.applicationIdentifier
        let files = census.sound.count == 1 ? "one file" : "\(census.sound.count) files"
        return switch goal {
        case .encrypt: "Encrypt \(application): \(files)"
        case .decrypt: "Decrypt \(application): \(files)"
        case .changePassword: "Change the password of \(application): \(files) encrypted anew"
        }
    }

    /// Files that stand in the way. Plain ones do even where all shall be plain: anybody who may write can have put
    /// them there, and afterwards nobody could tell them any more from what the clients wrote.
    private var exceptions: [EncryptionCensus.Exception] { census.plain + census.unreadable }

    private func addSecret(_ secret: EncryptionSecret, to plan: inout Plan) throws(FileProblem) {
        let folder: RemotePath = [RemoteLayout.encryption]
        if snapshot.tree[folder] == nil { plan.add(.makeFolder(path: folder)) }
        let test = try secret.testFile(
            of: snapshot.applicationIdentifier,
            path: RemoteLayout.encryptionTestPath.filePath(under: snapshot.root))
        try write(test, to: RemoteLayout.encryptionTestPath, &plan)
        try write(.bytes(PlannedBytes(secret.salt)), to: RemoteLayout.saltPath, &plan)
    }

    private func write(_ content: PlannedContent, to path: RemotePath, _ plan: inout Plan) throws(FileProblem)
    {
        if snapshot.tree[path] == nil {
            plan.add(.writeFile(path: path, content: content, modified: nil))
        } else {
            let seen = try snapshot.tree.state(of: path)
            plan.add(.replaceFile(path: path, content: content, modified: nil, seen: seen))
        }
    }

    private func addFiles(to plan: inout Plan) throws(FileProblem) {
        for protected in census.sound {
            let file = protected.file
            let seen = EntryState(file)
            plan.add(
                .replaceFile(
                    path: file.path, content: .recoded(from: file.path, seen: seen), modified: file.modified,
                    seen: seen), because: action)
        }
    }

    /// What becomes of each file.
    private var action: String {
        switch goal {
        case .encrypt: "encrypted"
        case .decrypt: "decrypted"
        case .changePassword: "encrypted anew"
        }
    }

    private func refusal(_ exceptions: [EncryptionCensus.Exception]) -> FileProblem {
        let named = exceptions.prefix(10).map { "\($0.file.path): \($0.problem)" }
        let more = exceptions.count > 10 ? ["and \(exceptions.count - 10) more"] : []
        let isOne = exceptions.count == 1
        return FileProblem(
            .refused, path: snapshot.root,
            isOne ? "one file stands in the way" : "\(exceptions.count) files stand in the way",
            found: (named + more).joined(separator: "; "),
            advice: "Look at \(isOne ? "it" : "them") with ticds-verify; --skip-unreadable leaves "
                + "\(isOne ? "it" : "them") as \(isOne ? "it is" : "they are")")
    }
}
