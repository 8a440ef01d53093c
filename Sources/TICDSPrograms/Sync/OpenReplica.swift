import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSSync

/// A replica together with its remote, as long as a command works on them.
struct OpenReplica {
    let folder: ReplicaFolder
    let session: ReplicaSession
    let storage: any RemoteStorage
    private let password: PasswordOptions
    private let output: OutputOptions

    var configuration: ReplicaConfiguration { session.configuration }

    init(
        _ folder: ReplicaFolder, lockWait: DurationArgument?, _ password: PasswordOptions,
        _ output: OutputOptions
    ) throws(FileProblem) {
        self.folder = folder
        self.password = password
        self.output = output
        session = try ReplicaSession(folder, lockWait: lockWait?.seconds ?? 0)
        storage = LocalStorage(root: try Self.remote(of: session.configuration, folder))
    }

    /// The application folder. The configuration may have been edited by hand.
    static func remote(
        of configuration: ReplicaConfiguration, _ folder: ReplicaFolder
    ) throws(FileProblem) -> FilePath {
        let named = FilePath(configuration.remote)
        for (word, name) in [("document", configuration.document), ("client", configuration.client)] {
            guard !RemoteName(name).isSafe else { continue }
            throw FileProblem(
                .damaged, path: folder.configuration,
                "the \(word) \"\(name)\" cannot be the name of a folder", advice: "Correct the edit there")
        }
        guard named.isAbsolute else {
            throw FileProblem(
                .damaged, path: folder.configuration, "the path of the remote is not absolute",
                found: configuration.remote, advice: "Correct the edit there")
        }
        guard let root = try named.resolved() else {
            throw FileProblem(
                .missing, path: named, "the remote does not exist",
                advice: "Mount the drive; if the remote has moved, change its path in \(folder.configuration)"
            )
        }
        if folder.path.starts(with: root) {
            throw FileProblem(
                .refused, path: folder.path,
                "the replica lies inside the remote, where it would harm the clients",
                advice: "Move it out of the remote")
        }
        return root
    }

    /// The remote. Asks for the password if it needs one and none is configured.
    func remote() throws(FileProblem) -> ReplicaRemote {
        try remote(try OpenRemote.keyring(storage, password))
    }

    /// - Throws: `.refused` if the remote was encrypted when the replica was made, and is plain now.
    func remote(_ keyring: RemoteKeyring) throws(FileProblem) -> ReplicaRemote {
        try session.checkEncryption(keyring)
        return ReplicaRemote(
            storage: storage, keyring: keyring,
            state: RemoteState(root: storage.root, stateHome: try Environment.stateHome))
    }

    /// Registers the client of a replica that was prepared offline.
    /// - Throws: `.refused` if a run would be refused, too; then nothing is changed.
    func registerIfNew(_ keyring: RemoteKeyring, _ lockWait: DurationArgument?) throws(FileProblem) {
        guard try session.mustRegister(storage) else { return }
        let open = try OpenRemote(.folder(storage.root), password)
        let planner = RegistrationPlanner(try open.planned(keyring), command: "ticds-sync run")
        let plan = try planner.plan(registering: configuration)
        _ = try Registration(output: output, lockWait: lockWait?.seconds ?? 0).carryOut(
            plan, for: folder.path)
        if !output.quiet { Messages.line("registered as client \(configuration.client)") }
    }

    /// The description of a client, otherwise its identifier.
    func name(of client: String, _ keyring: RemoteKeyring) -> String {
        let file = RemoteLayout.deviceInfo(of: RemoteName(client))
        // try?: a name for people; the identifier stands in
        let info = try? DeviceInfo(
            keyring.read(storage, file, limit: .propertyList), path: file.filePath(under: storage.root))
        return info?.description ?? client
    }
}
