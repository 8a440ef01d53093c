public import SystemCalls
public import SystemPackage
public import TICDSCore

/// A remote as commands work with it: found, listed, and opened with the password when something needs it.
public struct OpenRemote: Sendable {
    /// The application folder.
    public let path: FilePath
    public let storage: LocalStorage
    public let snapshot: RemoteSnapshot
    private let password: PasswordOptions
    /// What opens without asking: locked where no password is configured.
    private let configured: Result<RemoteVault, FileProblem>

    /// Finds the remote at `named` and lists it. No password is asked for yet.
    public init(_ named: FilePath, _ password: PasswordOptions) throws(FileProblem) {
        path = try RemoteLocation.find(named)
        let storage = LocalStorage(root: path)
        let snapshot = try RemoteSnapshot.take(storage)
        self.storage = storage
        self.snapshot = snapshot
        self.password = password
        configured = Result { () throws(FileProblem) in
            try PasswordCheck.open(storage, others: snapshot.infoFiles, form: password.form) {
                () throws(FileProblem) in
                try password.configured().map { String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    /// The vault for reading contents; asks for the password where the remote is encrypted and none is configured.
    public func vault() throws(FileProblem) -> RemoteVault {
        let vault = try configured.get()
        return vault.state == .locked ? try Self.vault(storage, password, others: snapshot.infoFiles) : vault
    }

    /// The vault as far as it opens without asking: locked where no password is configured.
    public func vaultWithoutAsking() throws(FileProblem) -> RemoteVault { try configured.get() }

    /// The vault of a storage; asks for the password where that is encrypted. `others` are encrypted files with which a
    /// key can be tried where the remote's own test file is missing.
    public static func vault(
        _ storage: LocalStorage, _ password: PasswordOptions, others: [RemotePath] = []
    ) throws(FileProblem) -> RemoteVault {
        try PasswordCheck.open(storage, others: others, form: password.form) { () throws(FileProblem) in
            String(decoding: try password.password(for: storage.root), as: UTF8.self)
        }
    }

    /// The documents with their descriptions, as far as these can be read without asking for a password.
    public func documents() -> [NamedItem] {
        let vault = readableVault
        return snapshot.documents.map { document in
            let info = document.documentInfo.flatMap { file in
                try? DocumentInfo(vault.read(storage, file.path), path: file.path.filePath(under: path))
            }
            return NamedItem(identifier: document.identifier.text, description: info?.description)
        }
    }

    /// A client with its description, as far as that can be read without asking for a password.
    public func named(_ client: RemoteName) -> NamedItem {
        NamedItem(identifier: client.text, description: description(of: client, readableVault))
    }

    /// What people call the clients, by identifier, as far as `vault` opens their files; by default as far as these can
    /// be read without asking for a password.
    public func clientNames(_ vault: RemoteVault? = nil) -> [String: String] {
        let vault = vault ?? readableVault
        var names: [String: String] = [:]
        for device in snapshot.clientDevices {
            names[device.identifier.text] = description(of: device.identifier, vault)
        }
        return names
    }

    private var readableVault: RemoteVault { (try? configured.get()) ?? RemoteVault(.locked) }

    private func description(of client: RemoteName, _ vault: RemoteVault) -> String? {
        let file = RemoteLayout.deviceInfo(of: client)
        let info = try? DeviceInfo(vault.read(storage, file), path: file.filePath(under: path))
        return info?.description
    }
}

extension RemoteSnapshot {
    /// Encrypted files with which a key can be tried.
    fileprivate var infoFiles: [RemotePath] {
        clientDevices.compactMap(\.deviceInfo?.path) + documents.compactMap(\.documentInfo?.path)
    }
}
