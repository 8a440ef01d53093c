public import SystemCalls
public import TICDSCore

/// Plans the steps of a client that registers with the app (ticds-protocol(7), 1.1-A7) and with an existing document
/// (4.2, A.6 and B).
public struct RegistrationPlanner: Sendable {
    private let remote: PlannedRemote
    private let command: String

    /// - Parameter command: the command that the plans name.
    public init(_ remote: PlannedRemote, command: String) {
        self.remote = remote
        self.command = command
    }

    /// Registers a client with the app; without actions if it is registered.
    /// - Throws: `.refused` for identifiers that clients would not see; `.encrypted` if the password is missing.
    public func plan(registering device: DeviceInfo) throws(FileProblem) -> Plan {
        let identifier = device.identifier ?? ""
        let client = RemoteName(identifier)
        let folder: RemotePath = [RemoteLayout.clientDevices]
        let path = folder.appending(client)
        var plan = Plan(
            root: remote.root, command: command, summary: "Register client \(client) with the application")
        try NewIdentifier(
            remote: remote, noun: "client", folder: folder, suffix: RemoteLayout.recentSyncSuffix
        ).check(client)
        guard remote[path] == nil else {
            plan.explain("The client is registered; its deviceInfo.plist is never written again")
            return plan
        }
        let file = RemoteLayout.deviceInfo(of: client).filePath(under: remote.root)
        let sealed = try remote.keyring.sealed(try device.bytes(path: file), path: file)
        let content = PlannedContent.bytes(PlannedBytes(sealed))
        try plan.addFolders(to: folder, in: remote.tree)
        plan.add(
            .writeTree(path: path, entries: [TreeEntry(path: [RemoteLayout.deviceInfo], content: content)]))
        return plan
    }

    /// Registers a client with a document and, if necessary, first with the app, in one operation.
    /// - Throws: as for the app alone; `.unknownName` for the document.
    public func plan(
        registering device: DeviceInfo, joining identifier: RemoteName
    ) throws(FileProblem) -> Plan {
        let client = RemoteName(device.identifier ?? "")
        let (document, _) = try remote.document(identifier)
        var plan = try plan(registering: device)
        plan.summary = "Register client \(client) with the application and document \(identifier)"
        try join(client, document, &plan)
        return plan
    }

    private func join(
        _ client: RemoteName, _ document: DocumentSnapshot, _ plan: inout Plan
    ) throws(FileProblem) {
        guard document.client(client) == nil else {
            return plan.explain("The client is registered with the document")
        }
        let places = ClientPlaces(of: client, in: document.identifier)
        try plan.addFolders(to: places.syncChanges, in: remote.tree)
        try plan.addFolders(to: places.syncCommands, in: remote.tree)
        try plan.addRemoval(
            Tombstones.path(of: client, in: document.identifier), in: remote.snapshot,
            because: "the client no longer counts as removed")
    }
}
