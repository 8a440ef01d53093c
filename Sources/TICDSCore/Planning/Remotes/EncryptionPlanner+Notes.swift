import SystemCalls

/// What a person should read before the encryption of a remote is changed.
extension EncryptionPlanner {
    /// What a client that works without encryption does with an encrypted change set (ticds-protocol(7), 7.3-1;
    /// core-data-binary-store(5), 1).
    public static let fateOfEncryptedSet = """
        takes an encrypted change set for a damaged store, and crashes on it at every synchronisation
        """

    func addNotes(to plan: inout Plan, skipped: [EncryptionCensus.Exception]) {
        plan.note(
            .reason,
            "Change sets, whole stores, descriptions and tombstones are \(fullAction); the names and times of files stay, as do "
                + "registers, recent syncs and integrity keys, which are never encrypted")
        addConsequences(to: &plan)
        plan.note(.warning, "Close every client until this is done: \(danger)")
        if case .decrypt = goal {
        } else {
            plan.note(
                .warning,
                "Without the new password nobody can open the remote: if the password is lost, everything in the remote is lost"
            )
        }
        for exception in skipped {
            plan.note(
                .warning,
                "\(exception.file.path) stays as it is (\(exception.problem)): \(fate(of: exception))")
        }
    }

    private var fullAction: String {
        switch goal {
        case .encrypt: "encrypted"
        case .decrypt: "decrypted"
        case .changePassword: "encrypted under a key made of the new password and a new salt"
        }
    }

    private var danger: String {
        switch goal {
        case .encrypt:
            "a client that is running \(Self.fateOfEncryptedSet)"
        case .decrypt:
            "a client that is running continues to encrypt its uploads, which the others then take for damaged"
        case .changePassword:
            "a client that is running continues with the old key, and no other client can open what it uploads"
        }
    }

    private func addConsequences(to plan: inout Plan) {
        let clients = snapshot.clientDevices
        if clients.isEmpty { plan.note(.consequence, "No client is registered") }
        for client in clients {
            plan.note(.consequence, "\(names.name(of: client.identifier)) \(behaviour)")
        }
        switch goal {
        case .encrypt:
            plan.note(
                .consequence,
                "The files uploaded so far remain unencrypted in the trash of this operation until you empty it "
                    + "(ticds-journal prune), in back-ups, and in the history of a cloud service")
        case .decrypt:
            plan.note(.consequence, "From now on, everyone who can read the folder can read its contents")
            plan.note(
                .consequence,
                "The keys in the keychains of the clients stay there; they open older copies of the remote")
        case .changePassword:
            plan.note(
                .consequence,
                "The old password still opens older copies of the remote: back-ups, the history of a cloud service, the "
                    + "trash of this operation")
        }
    }

    private var behaviour: String {
        switch goal {
        case .encrypt:
            "asks for the password when it next registers, and keeps the key in its keychain"
        case .decrypt: "no longer asks for a password"
        case .changePassword:
            "finds that the key in its keychain does not fit, forgets it, and asks for the new password when it next "
                + "registers"
        }
    }

    private func fate(of exception: EncryptionCensus.Exception) -> String {
        let isChangeSet = FileRole(of: exception.file.path, kind: .file) == .changeSet
        if case .decrypt = goal {
            return isChangeSet ? "a client \(Self.fateOfEncryptedSet)" : "no client can read it"
        }
        return isChangeSet ? "it blocks the clients that have not applied it" : "no client can read it"
    }
}
