import CoreDataStore
public import SystemCalls
import SystemPackage
public import TICDSCore

/// Identifiers occur in names of files and folders, in `documentInfo.plist`, `deviceInfo.plist` and their copies among
/// the tombstones, in integrity keys and in registers (ticds-remote-format(5), 1.3, 1.4, 3.4). Change sets contain
/// none. The content of a whole store belongs to the app, and stays as it is.
extension StagedRemote {
    /// Changes the identifiers of documents and clients.
    /// - Parameter keyring: opens `documentInfo.plist` and `deviceInfo.plist` if the remote is encrypted.
    /// - Throws: `.unknownName` for identifiers that do not occur, `.refused` for new identifiers that are taken or
    ///   invalid.
    public func rename(_ renames: IdentifierRenames, keyring: RemoteKeyring) throws(FileProblem) {
        if renames.isEmpty { return }
        let snapshot = try RemoteSnapshot.take(storage)
        try check(renames, snapshot)
        // First the contents, while the snapshot still has the old paths.
        for document in snapshot.documents { try renameContents(of: document, renames, keyring) }
        for tombstone in snapshot.deletedDocuments {
            try renameDocument(in: tombstone.file, renames, keyring)
        }
        for device in snapshot.clientDevices {
            if let info = device.deviceInfo.part { try renameClient(in: info, renames, keyring) }
        }
        try renameEntries(snapshot, renames)
    }

    private func renameContents(
        of document: DocumentSnapshot, _ renames: IdentifierRenames, _ keyring: RemoteKeyring
    ) throws(FileProblem) {
        if let info = document.documentInfo.part { try renameDocument(in: info, renames, keyring) }
        for tombstone in document.deletedClients { try renameClient(in: tombstone.file, renames, keyring) }
        for key in document.integrityKeys {
            let content = IntegrityKeyContent(try storage.read(key.path, limit: .integrityKey))
            guard let old = content.originalDevice, let new = renames.clients[RemoteName(old)] else {
                continue
            }
            let bytes = try SmallFiles.integrityKey(originalDevice: new.text, path: place(key.path))
            try replace(key.path, with: bytes)
        }
        for store in document.wholeStores {
            if let register = store.register { try renameClients(inRegister: register.path, renames) }
        }
        for file in document.temporaryFiles where file.path.last == RemoteLayout.appliedSyncChangeSets {
            try renameClients(inRegister: file.path, renames)
        }
    }

    private func renameDocument(
        in file: RemoteFile, _ renames: IdentifierRenames, _ keyring: RemoteKeyring
    ) throws(FileProblem) {
        guard file.size > 0 else { return }
        let path = place(file.path)
        let before = try DocumentInfo(keyring.read(storage, file.path, limit: .propertyList), path: path)
        var info = before
        info.identifier = renamed(info.identifier, renames.documents)
        info.originalDeviceIdentifier = renamed(info.originalDeviceIdentifier, renames.clients)
        if info != before { try seal(try info.bytes(path: path), file.path, keyring) }
    }

    private func renameClient(
        in file: RemoteFile, _ renames: IdentifierRenames, _ keyring: RemoteKeyring
    ) throws(FileProblem) {
        guard file.size > 0, !renames.clients.isEmpty else { return }
        let path = place(file.path)
        let before = try DeviceInfo(keyring.read(storage, file.path, limit: .propertyList), path: path)
        var info = before
        info.identifier = renamed(info.identifier, renames.clients)
        if info != before { try seal(try info.bytes(path: path), file.path, keyring) }
    }

    private func renamed(_ text: String?, _ names: [RemoteName: RemoteName]) -> String? {
        text.map { names[RemoteName($0)]?.text ?? $0 }
    }

    private func seal(_ plain: [UInt8], _ path: RemotePath, _ keyring: RemoteKeyring) throws(FileProblem) {
        try replace(path, with: try keyring.sealed(plain, path: place(path)))
    }

    /// A register is never encrypted; only the names of the clients in its lines change.
    private func renameClients(
        inRegister path: RemotePath, _ renames: IdentifierRenames
    ) throws(FileProblem) {
        let head = try storage.head(path, count: PlainSignature.headSize)
        guard !renames.clients.isEmpty, PlainSignature(head) == .sqlite else { return }
        let status = try storage.status(of: path)
        try keepingTime(of: path.parent) { (folder) throws(FileProblem) in
            do throws(SQLiteError) {
                try Self.updateRegister(place(path), renames)
            } catch {
                throw FileProblem(
                    .damaged, path: place(path), "the clients in this register cannot be renamed",
                    found: "\(error)", advice: "Leave out --rename-client, or verify the remote first")
            }
            try folder.setTime(status.modified, of: FilePath(nameBytes: path.last?.bytes ?? []))
        }
    }

    private static func updateRegister(
        _ file: FilePath, _ renames: IdentifierRenames
    ) throws(SQLiteError) {
        let connection = try SQLiteConnection(
            uri: SQLiteURI.uri(of: file, immutable: false), mode: .readWrite)
        try connection.execute("BEGIN IMMEDIATE")
        let lines = try connection.rows("SELECT Z_PK, ZCLIENTIDENTIFIER FROM ZTICDSSYNCCHANGESET") {
            row -> (key: Int64, client: String)? in
            guard let key = row.integer(0), let client = row.text(1) else { return nil }
            return renames.clients[RemoteName(client)].map { (key, $0.text) }
        }
        for line in lines {
            var update = try connection.prepare(
                "UPDATE ZTICDSSYNCCHANGESET SET ZCLIENTIDENTIFIER = ? WHERE Z_PK = ?")
            try update.bind(line.client, at: 1)
            update.bind(line.key, at: 2)
            try update.run()
        }
        try connection.execute("COMMIT")
    }

    private func renameEntries(
        _ snapshot: RemoteSnapshot, _ renames: IdentifierRenames
    ) throws(FileProblem) {
        typealias Layout = RemoteLayout
        for (old, new) in renames.clients.sorted(by: { $0.key < $1.key }) {
            try rename([Layout.clientDevices, old], to: new)
            for document in snapshot.documents {
                let folder = document.path
                let places = [Layout.syncChanges, Layout.syncCommands, Layout.wholeStore].map { [$0] }
                for names in places + [[Layout.temporaryFiles, Layout.wholeStore]] {
                    try rename(RemotePath(folder.names + names + [old]), to: new)
                }
                for (names, suffix) in [
                    (Layout.recentSyncs, Layout.recentSyncSuffix),
                    (Layout.deletedClients, Layout.propertyListSuffix),
                ] {
                    let file = folder.appending(names).appending(old.appending(suffix: suffix))
                    try rename(file, to: new.appending(suffix: suffix))
                }
            }
        }
        for (old, new) in renames.documents.sorted(by: { $0.key < $1.key }) {
            try rename(Layout.document(old), to: new)
            let suffix = Layout.propertyListSuffix
            try rename(
                [Layout.information, Layout.deletedDocuments, old.appending(suffix: suffix)],
                to: new.appending(suffix: suffix))
        }
    }

    private func check(_ renames: IdentifierRenames, _ snapshot: RemoteSnapshot) throws(FileProblem) {
        let documents = snapshot.documents.map(\.identifier) + snapshot.deletedDocuments.map(\.identifier)
        try check(renames.documents, Set(documents), "document")
        var clients = Set(snapshot.clientDevices.map(\.identifier))
        for document in snapshot.documents {
            clients.formUnion(document.clients.map(\.identifier))
            clients.formUnion(document.wholeStores.map(\.client))
            clients.formUnion(document.recentSyncs.map(\.client))
            clients.formUnion(document.deletedClients.map(\.identifier))
        }
        try check(renames.clients, clients, "client")
    }

    private func check(
        _ names: [RemoteName: RemoteName], _ known: Set<RemoteName>, _ noun: String
    ) throws(FileProblem) {
        var taken = Set(known.map { $0.text.lowercased() })
        for (old, new) in names.sorted(by: { $0.key < $1.key }) {
            guard known.contains(old) else {
                throw FileProblem(
                    .unknownName, path: root, "there is no \(noun) \"\(old)\" among the incoming files",
                    found: known.sorted().map(\.description).listed(10),
                    advice: "Give its complete identifier")
            }
            if let objection = IdentifierRules.objection(to: new) {
                throw FileProblem(
                    .refused, path: root, "the new identifier \"\(new)\" \(objection)",
                    advice: "Choose another identifier")
            }
            guard new.bytes.count <= 240, taken.insert(new.text.lowercased()).inserted else {
                throw FileProblem(
                    .refused, path: root, "the new identifier \"\(new)\" is taken, or too long",
                    advice: "Choose another one")
            }
        }
    }

    private func place(_ path: RemotePath) -> FilePath { path.filePath(under: root) }
}

/// New identifiers for documents and clients.
public struct IdentifierRenames: Sendable, Hashable {
    /// New identifiers of documents, by the old ones.
    public var documents: [RemoteName: RemoteName]
    /// New identifiers of clients, by the old ones.
    public var clients: [RemoteName: RemoteName]

    /// Renames; by default none.
    public init(documents: [RemoteName: RemoteName] = [:], clients: [RemoteName: RemoteName] = [:]) {
        self.documents = documents
        self.clients = clients
    }

    /// Whether everything keeps its identifier.
    public var isEmpty: Bool { documents.isEmpty && clients.isEmpty }
}
