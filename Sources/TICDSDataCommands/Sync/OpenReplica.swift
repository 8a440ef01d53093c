import SystemCalls
import SystemPackage
import TICDSCommandLine
import TICDSCore
import TICDSOperations
import TICDSStorages
import TICDSSync

/// A replica with its remote, while a command works on them.
struct OpenReplica {
    let folder: ReplicaFolder
    let session: ReplicaSession
    /// The remote; a remote in a storage as it was last listed.
    private(set) var storage: any RemoteStorage
    private let password: PasswordOptions
    let context: CommandContext

    var configuration: ReplicaConfiguration { session.configuration }

    init(
        _ folder: ReplicaFolder, lockWait: DurationArgument?, _ password: PasswordOptions,
        _ context: CommandContext
    ) throws(FileProblem) {
        self.folder = folder
        self.password = password
        self.context = context
        session = try ReplicaSession(folder, lockWait: lockWait?.seconds ?? 0)
        storage = try Self.storage(of: session.configuration, folder)
    }

    /// The storage of the remote. A user may have edited the configuration.
    static func storage(
        of configuration: ReplicaConfiguration, _ folder: ReplicaFolder
    ) throws(FileProblem) -> any RemoteStorage {
        for (word, name) in [("document", configuration.document), ("client", configuration.client)] {
            guard !RemoteName(name).isSafe else { continue }
            throw FileProblem(
                .damaged, path: folder.configuration,
                "the \(word) \"\(name)\" cannot be the name of a folder", advice: "Correct the edit there")
        }
        let address = try address(of: configuration)
        guard case .folder(let named) = address else { return try address.storage() }
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
        return LocalStorage(root: root)
    }

    /// The address of the remote.
    static func address(of configuration: ReplicaConfiguration) throws(FileProblem) -> RemoteAddress {
        let address = try RemoteAddress(argument: configuration.remote)
        // Not `path(argument:)`: a relative path is an error in a file.
        if case .folder = address { return .folder(FilePath(configuration.remote)) }
        return address
    }

    /// The remote. Asks for the password if it needs one and none is configured.
    func remote() throws(FileProblem) -> ReplicaRemote {
        try remote(try OpenRemote.keyring(storage, password))
    }

    /// - Throws: `.refused` if the remote was encrypted when the replica was made, but no longer is.
    func remote(_ keyring: RemoteKeyring) throws(FileProblem) -> ReplicaRemote {
        try session.checkEncryption(keyring)
        let root = storage.root
        return ReplicaRemote(
            storage: storage, keyring: keyring,
            state: RemoteState(root: root, stateHome: try Environment.stateHome),
            writing: Result { () throws(FileProblem) in try OpenRemote.writable(at: root) })
    }

    /// Registers the client of a replica that was prepared offline.
    /// - Returns: the remote, listed again if the registration has changed it.
    /// - Throws: `.refused` if a run would also be refused; then nothing is changed.
    mutating func registered(
        _ remote: ReplicaRemote, _ lockWait: DurationArgument?
    ) throws(FileProblem) -> ReplicaRemote {
        guard try session.mustRegister(storage) else { return remote }
        try register(remote.keyring, lockWait)
        storage = try storage.listedAgain()
        return try self.remote(remote.keyring)
    }

    private func register(_ keyring: RemoteKeyring, _ lockWait: DurationArgument?) throws(FileProblem) {
        let open = try OpenRemote(storage, password, context)
        let planner = RegistrationPlanner(try open.planned(keyring), command: ReplicaSession.runCommand)
        let plan = try planner.plan(registering: configuration)
        _ = try Registration(context: context, lockWait: lockWait?.seconds ?? 0).carryOut(
            plan, for: folder.path)
        if !context.quiet { Messages.line("registered as client \(configuration.client)") }
    }

    /// The description of a client, otherwise its identifier.
    func name(of client: String, _ keyring: RemoteKeyring) -> String {
        let file = RemoteLayout.deviceInfo(of: RemoteName(client))
        // try?: a name for people; the identifier replaces it
        let info = try? DeviceInfo(
            keyring.read(storage, file, limit: .propertyList), path: file.filePath(under: storage.root))
        return info?.description ?? client
    }
}
