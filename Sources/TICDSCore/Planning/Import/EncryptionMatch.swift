import SystemCalls

/// Checks whether files of one remote can be added to another.
enum EncryptionMatch {
    /// One salt serves a whole remote (ticds-protocol(7), 6.1): files under another key would open for nobody.
    /// - Throws: `.refused` if the two have different encryption.
    static func check(_ incoming: any RemoteStorage, with existing: RemoteSnapshot) throws(FileProblem) {
        if existing.tree.listing(.root).isEmpty { return }
        let new = try PasswordCheck.salt(of: incoming)
        let storage = LocalStorage(root: existing.root)
        let old = try PasswordCheck.salt(of: storage)
        if old == nil,
            let problem = try EncryptionSigns.contradiction(in: storage, existing.signsOfEncryption)
        {
            throw problem
        }
        if new == old { return }
        let problem =
            switch (new == nil, old == nil) {
            case (true, false): "the remote is encrypted, and the incoming files are not"
            case (false, true): "the incoming files are encrypted, and the remote is not"
            default: "the incoming files are encrypted with another salt, and therefore with another key"
            }
        throw FileProblem(
            .refused, path: existing.root, problem,
            advice: "Write them to a separate place, and give them the encryption of the remote")
    }
}
