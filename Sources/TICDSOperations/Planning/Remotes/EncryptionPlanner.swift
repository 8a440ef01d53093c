import Base
public import SystemCalls
import SystemPackage
public import TICDSCore

/// Plans to encrypt a remote, to decrypt it, or to change its password (ticds-protocol(7), 3.4, 3.5).
public struct EncryptionPlanner: Sendable {
    /// The aim of the plan.
    public enum Goal: Sendable {
        /// Encrypts the remote with a new password.
        case encrypt(EncryptionSecret)
        /// Decrypts the remote.
        case decrypt
        /// Changes the password of the remote.
        case changePassword(EncryptionSecret)
    }

    private let remote: ListedRemote
    private let goal: Goal
    private let census: EncryptionCensus
    private var snapshot: RemoteSnapshot { remote.snapshot }

    /// - Parameter census: the census of this listing, under the present key.
    /// - Throws: `.refused` if the remote is already encrypted, or is not encrypted.
    public init(
        of remote: ListedRemote, _ goal: Goal, census: EncryptionCensus
    ) throws(FileProblem) {
        self.remote = remote
        self.goal = goal
        self.census = census
        if case .encrypt = goal {
            guard !snapshot.isEncrypted else {
                throw FileProblem(
                    .refused, path: snapshot.root, "the remote is already encrypted",
                    advice: "Use change-password for another password")
            }
        } else if !snapshot.isEncrypted {
            throw FileProblem(
                .refused, path: snapshot.root, "the remote is not encrypted",
                advice: "To encrypt it, use ticds-remote encrypt")
        }
    }

    /// The plan. Files keep their times.
    ///
    /// An unencrypted client takes an encrypted change set for a damaged one and skips it permanently, while a client
    /// with a key only fails to fetch an unencrypted one (ticds-protocol(7), 4.3). Clients tell by the salt that a
    /// remote is encrypted, so the salt comes before the first encrypted file and goes after the last. With a new
    /// password the salt changes first, so that no client that registers at that time writes under the old password.
    /// - Parameter skippingUnreadable: whether to leave files as they are that should be encrypted but are not, or that
    ///   do not open.
    /// - Throws: `.refused` with the names of such files, unless they are skipped.
    public func plan(command: String, skippingUnreadable: Bool = false) throws(FileProblem) -> Plan {
        let exceptions = exceptions
        if !exceptions.isEmpty, !skippingUnreadable { throw refusal(exceptions) }
        var plan = Plan(root: remote.root, command: command, summary: summary)
        addNotes(to: &plan, skipped: exceptions)
        switch goal {
        case .encrypt(let secret), .changePassword(let secret):
            try addSecret(secret, to: &plan)
            try addFiles(to: &plan)
        case .decrypt:
            try addFiles(to: &plan)
            for path in [RemoteLayout.saltPath, RemoteLayout.encryptionTestPath]
            where try snapshot.tree[path].whole != nil {
                plan.add(
                    .moveToTrash(path: path, seen: try snapshot.tree.state(of: path)),
                    because: "without it, clients work without encryption")
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
        case .changePassword: "Change the password of \(application): \(files) encrypted again"
        }
    }

    /// Files that prevent the plan. Unencrypted files prevent even a decryption: anyone with write access can have put
    /// them there, and afterwards they could not be distinguished from the clients' files.
    private var exceptions: [EncryptionCensus.Exception] { census.plain + census.unreadable }

    private func addSecret(_ secret: EncryptionSecret, to plan: inout Plan) throws(FileProblem) {
        let folder: RemotePath = [RemoteLayout.encryption]
        if try snapshot.tree[folder].whole == nil { plan.add(.makeFolder(path: folder)) }
        let test = try secret.testFile(
            of: snapshot.applicationIdentifier,
            path: RemoteLayout.encryptionTestPath.filePath(under: snapshot.root))
        try write(
            test, to: RemoteLayout.encryptionTestPath, because: "clients try the new password on it", &plan)
        try write(
            secret.salt, to: RemoteLayout.saltPath,
            because: "shows clients that the remote is encrypted, and makes the key out of the new password",
            &plan)
    }

    private func write(
        _ bytes: [UInt8], to path: RemotePath, because reason: String, _ plan: inout Plan
    ) throws(FileProblem) {
        let content = PlannedContent.bytes(PlannedBytes(bytes))
        if try snapshot.tree[path].whole == nil {
            plan.add(.writeFile(path: path, content: content, modified: nil), because: reason)
        } else {
            let seen = try snapshot.tree.state(of: path)
            plan.add(
                .replaceFile(path: path, content: content, modified: nil, seen: seen), because: reason)
        }
    }

    private func addFiles(to plan: inout Plan) throws(FileProblem) {
        // Growing would take twice the memory.
        plan.actions.reserveCapacity(plan.actions.count +| census.sound.count)
        for protected in census.sound {
            let file = protected.file
            let seen = EntryState(file)
            plan.add(
                .replaceFile(
                    path: file.path, content: .recoded(from: file.path, seen: seen), modified: file.modified,
                    seen: seen), because: words.action)
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

    // MARK: What a person should read before the encryption of a remote is changed

    func addNotes(to plan: inout Plan, skipped: [EncryptionCensus.Exception]) {
        plan.explain(
            "Change sets, whole stores, descriptions and tombstones are \(words.fullAction); the names and times of files stay, as do "
                + "registers, recent syncs and integrity keys, which are never encrypted")
        addConsequences(to: &plan)
        plan.warn("Close every client until this is done: \(words.danger)")
        if case .decrypt = goal {
        } else {
            plan.warn(
                "Without the new password nobody can open the remote: if the password is lost, everything in the remote is lost"
            )
        }
        for exception in skipped {
            let path = exception.file.path
            let text = "\(path) stays as it is (\(exception.problem)): \(fate(of: exception))"
            plan.notes.append(PlanNote(kind: .warning, text: text, leftOut: path))
        }
    }

    private func addConsequences(to plan: inout Plan) {
        let clients = snapshot.clientDevices
        if clients.isEmpty { plan.addConsequence("No client is registered") }
        for client in clients {
            plan.addConsequence("\(remote.names.name(of: client.identifier)) \(words.behaviour)")
        }
        for consequence in words.consequences { plan.addConsequence(consequence) }
    }

    /// The effect of the plan on each file, in short and in full; the behaviour of a client that runs at the same time;
    /// the behaviour of every client afterwards; and the other consequences.
    private typealias Words = (
        action: String, fullAction: String, danger: String, behaviour: String, consequences: [String]
    )

    private var words: Words {
        switch goal {
        case .encrypt:
            (
                "encrypted with the new password", "encrypted",
                "a client that is running \(EncryptedFile.fateOfEncryptedSet)",
                "asks for the password when it next registers, and keeps the key in its keychain",
                [
                    "The files uploaded so far remain unencrypted in the trash of this operation until you empty it "
                        + "(ticds-journal prune), in back-ups, and in the history of a cloud service"
                ]
            )
        case .decrypt:
            (
                "decrypted", "decrypted",
                "a client that is running continues to encrypt its uploads, which the others then take for damaged",
                "no longer asks for a password",
                [
                    "From now on, everyone who can read the folder can read its contents",
                    "The keys in the keychains of the clients stay there; they open older copies of the remote",
                ]
            )
        case .changePassword:
            (
                "decrypted with the old password, and encrypted with the new one",
                "encrypted under a key made of the new password and a new salt",
                "a client that is running continues with the old key, and no other client can open what it uploads",
                "finds that the key in its keychain does not fit, forgets it, and asks for the new password when it "
                    + "next registers",
                [
                    "The old password still opens older copies of the remote: back-ups, the history of a cloud "
                        + "service, the trash of this operation"
                ]
            )
        }
    }

    private func fate(of exception: EncryptionCensus.Exception) -> String {
        let isChangeSet = FileRole(of: exception.file.path, kind: .file) == .changeSet
        if case .decrypt = goal {
            return isChangeSet ? "a client \(EncryptedFile.fateOfEncryptedSet)" : "no client can read it"
        }
        return isChangeSet ? "it blocks the clients that have not applied it" : "no client can read it"
    }
}
