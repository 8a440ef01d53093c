public import SystemCalls
public import SystemPackage
public import TICDSCore

/// Plans a new remote: what an app's first client makes (ticds-remote-format(5), 1.3; ticds-protocol(7), 1.1-A).
public struct RemoteCreationPlanner: Sendable {
    /// A client that is registered from the start.
    public struct Client: Hashable, Sendable {
        /// The name of its folder in `ClientDevices`.
        public var identifier: RemoteName
        public var description: String

        /// A client with an identifier and the device's name.
        public init(identifier: RemoteName, description: String) {
            self.identifier = identifier
            self.description = description
        }
    }

    let root: FilePath
    let application: RemoteName
    let clients: [Client]
    let secret: EncryptionSecret?

    /// - Parameters:
    ///   - root: the folder of the new remote, absolute and without links; its name is the application identifier.
    ///   - secret: the secret of an encrypted remote.
    /// - Throws: `.refused` if the folder exists or would lie in another remote, and for client identifiers that are
    ///   not allowed or occur twice.
    public init(at root: FilePath, clients: [Client], secret: EncryptionSecret?) throws(FileProblem) {
        self.root = root
        application = RemoteName(root.lastComponent?.bytes ?? [])
        self.clients = clients
        self.secret = secret
        try refuseUnlessFree()
        try refuseUnlessSound()
    }

    /// The plan: one action, so that the folder appears as a whole. A client that saw a part of it would take the
    /// remote for an unencrypted one.
    public func plan(command: String) throws(FileProblem) -> Plan {
        var plan = Plan(
            root: root, command: command,
            summary: "Create \(secret == nil ? "a plain" : "an encrypted") remote for \(application)")
        plan.explain(
            "The name of the folder must be the identifier that the app uses; otherwise the app does not find it"
        )
        if secret == nil {
            plan.addConsequence(
                "Clients register without a password, and everyone who has the folder can read everything in it"
            )
        } else {
            plan.addConsequence(
                "Every client asks for the password when it registers, and keeps the key in its keychain")
            plan.warn("A lost password cannot be replaced: everything in the folder is lost with it")
        }
        plan.add(.writeTree(path: .root, entries: try entries()))
        return plan
    }

    /// Skeleton, salt, test file, then everything else (ticds-protocol(7), A-3).
    private func entries() throws(FileProblem) -> [TreeEntry] {
        typealias Layout = RemoteLayout
        var entries = [
            TreeEntry(path: [Layout.clientDevices]), TreeEntry(path: [Layout.documents]),
            TreeEntry(path: [Layout.encryption]), TreeEntry(path: [Layout.information]),
            TreeEntry(path: [Layout.information, Layout.deletedDocuments]),
            TreeEntry(path: [Layout.information, Layout.deletedClients]),
        ]
        if let secret {
            let test = try secret.testFile(of: application, path: place(Layout.encryptionTestPath))
            entries.append(TreeEntry(path: Layout.saltPath, content: .bytes(PlannedBytes(secret.salt))))
            entries.append(TreeEntry(path: Layout.encryptionTestPath, content: .bytes(PlannedBytes(test))))
        }
        entries.append(
            TreeEntry(path: [Layout.readMe], content: .bytes(PlannedBytes(Array(Self.readMe.utf8)))))
        for client in clients {
            let file = Layout.deviceInfo(of: client.identifier)
            let info = DeviceInfo(description: client.description, identifier: client.identifier.text)
            let plain = try info.bytes(path: place(file))
            let sealed = try secret?.sealed(plain, path: place(file)) ?? plain
            entries.append(TreeEntry(path: file.parent))
            entries.append(TreeEntry(path: file, content: .bytes(PlannedBytes(sealed))))
        }
        return entries
    }

    private func place(_ path: RemotePath) -> FilePath { path.filePath(under: root) }

    private func refuseUnlessFree() throws(FileProblem) {
        guard root.lastComponent?.kind == .regular else {
            throw FileProblem(
                .refused, path: root, "cannot be used as the name of a folder", advice: "Give another name")
        }
        guard try FileStatus.ifPresent(root) == nil else {
            throw FileProblem(
                .refused, path: root, "something with that name already exists",
                advice: "Name a folder that does not exist yet; its name must be the app's identifier")
        }
        try RemoteLocation.refuseInside(root, "the new remote would lie inside another one")
    }

    private func refuseUnlessSound() throws(FileProblem) {
        var seen: Set<String> = []
        for client in clients {
            if let objection = IdentifierRules.objection(to: client.identifier) {
                throw FileProblem(
                    .refused, path: root, "the client \"\(client.identifier)\" \(objection)",
                    advice: "Choose another identifier")
            }
            guard seen.insert(client.identifier.text.lowercased()).inserted else {
                throw FileProblem(
                    .refused, path: root,
                    "the client \"\(client.identifier)\" is given twice; only capitals differ",
                    advice: "Name each client once")
            }
        }
    }

    static let readMe = """
        In this folder an app keeps the data of its documents in step between devices.

        Every file is read by all of them. Please do not rename, move, change or remove anything in here, and do not put \
        anything into it.

        """
}
