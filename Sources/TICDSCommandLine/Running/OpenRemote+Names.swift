import Synchronization
package import SystemCalls
import SystemPackage
package import TICDSCore
package import TICDSOperations

extension ClientNames {
    /// The descriptions that can be read without a password; an identifier stands in for any other.
    package init(readableIn storage: any RemoteStorage) {
        // try?: names for people
        let devices = (try? storage.list([RemoteLayout.clientDevices]))?.listing ?? FolderListing()
        var names: [String: String] = [:]
        for client in devices where client.kind == .folder {
            let file = RemoteLayout.deviceInfo(of: client.name)
            // try?: as above
            guard let bytes = try? RemoteKeyring(.plain).read(storage, file, limit: .propertyList),
                // try?: as above
                let info = try? DeviceInfo(bytes, path: file.filePath(under: storage.root))
            else { continue }
            names[client.name.text] = info.description
        }
        self.init(names)
    }
}

/// Documents and clients by their names for people.
extension OpenRemote {
    /// The documents with their descriptions, as far as these can be read without asking for a password.
    package func documents() -> Seen<[NamedItem]> {
        let keyring = readableKeyring
        let items = snapshot.documents.map { document in
            guard let file = document.documentInfo.part?.path else {
                return NamedItem(document.identifier, locked: document.documentInfo.problem)
            }
            let info = unreadNames.attempt { () throws(FileProblem) in
                try DocumentInfo(
                    keyring.read(storage, file, limit: .propertyList), path: file.filePath(under: path))
            }
            return NamedItem(
                document.identifier, info?.description,
                locked: unreadNames.lock(of: file.filePath(under: path)))
        }
        return Seen(items, unreadDocument)
    }

    /// The document that the options name.
    /// - Throws: `FileProblem` of kind `unknownName` or `ambiguous` that lists the documents.
    package func document(_ options: DocumentOptions) throws(FileProblem) -> DocumentSnapshot {
        let item = try options.one(of: documents(), in: path)
        if let document = snapshot.document(item.identifier) { return document }
        throw FileProblem(.missing, path: path, "the document is gone", found: item.identifier.text)
    }

    /// The client among `clients` that an option names.
    /// - Throws: `FileProblem` of kind `unknownName` or `ambiguous` that lists the clients.
    package func client(
        _ name: String, option: String, among clients: some Sequence<RemoteName>
    ) throws(FileProblem) -> RemoteName {
        let names = NameResolver(
            noun: "client", option: option, remote: path, items: named(Array(clients)))
        return try names.item(name).identifier
    }

    /// The clients of the remote that the options name; nil if they name none.
    /// - Parameter others: clients that may be missing among those of the remote, such as uploaders of whole stores.
    package func clients(
        _ options: ClientOptions, and others: Set<RemoteName>
    ) throws(FileProblem) -> Set<RemoteName>? {
        let all = others.union(snapshot.clientDevices.map(\.identifier))
            .union(snapshot.documents.flatMap(\.clients).map(\.identifier))
        return try options.chosen(of: named(all.sorted()), in: path)
    }

    /// Clients with their descriptions, as far as these can be read without asking for a password.
    package func named(_ clients: [RemoteName]) -> Seen<[NamedItem]> {
        let items = clients.map {
            named($0, description(in: RemoteLayout.deviceInfo(of: $0), readableKeyring))
        }
        return Seen(items, unread)
    }

    /// A client with the description that ``clientNames(_:)`` has read.
    package func named(_ client: RemoteName, _ description: String?) -> NamedItem {
        let file = RemoteLayout.deviceInfo(of: client)
        return NamedItem(
            client, description,
            locked: unreadNames.lock(of: file.filePath(under: path))
                ?? (description == nil ? snapshot.gap(at: file) : nil))
    }

    /// The descriptions of the clients, by identifier, as far as `keyring` opens their files; by default as far as
    /// these can be read without asking for a password. Includes the reason why a description, or a client, may be
    /// missing.
    package func clientNames(_ keyring: RemoteKeyring? = nil) -> Seen<[String: String]> {
        let keyring = keyring ?? readableKeyring
        var names: [String: String] = [:]
        for device in snapshot.clientDevices {
            names[device.identifier.text] = description(
                in: RemoteLayout.deviceInfo(of: device.identifier), keyring)
        }
        return Seen(names, unread)
    }

    /// The keyring for descriptions; locked if the configured password fails. Descriptions are then omitted, and
    /// ``keyring()`` throws the error.
    private var readableKeyring: RemoteKeyring {
        unreadNames.attempt { () throws(FileProblem) in try configured.get() } ?? RemoteKeyring(.locked)
    }

    /// The descriptions of removed clients from their tombstones, as far as these can be read without asking for a
    /// password.
    package func removedClients() -> [RemoteName: String] {
        let keyring = readableKeyring
        var names: [RemoteName: String] = [:]
        for tombstone in snapshot.documents.flatMap(\.deletedClients) where names[tombstone.identifier] == nil
        {
            names[tombstone.identifier] = description(in: tombstone.file.path, keyring)
        }
        return names
    }

    private func description(in file: RemotePath, _ keyring: RemoteKeyring) -> String? {
        let info = unreadNames.attempt { () throws(FileProblem) in
            try DeviceInfo(
                keyring.read(storage, file, limit: .propertyList), path: file.filePath(under: path))
        }
        return info?.description
    }

    /// The first error that hides documents or their names.
    private var unreadDocument: FileProblem? {
        let folder = RemotePath([RemoteLayout.documents]).filePath(under: path)
        return gaps.first { gap in
            gap.isUnread
                && (folder.starts(with: gap.path) || gap.path.parent == folder
                    || gap.path.lastComponent?.string == RemoteLayout.documentInfo.text)
        }
    }

    /// Warns of the descriptions that could not be read so far: the command shows identifiers instead.
    package func warnOfNames(_ context: CommandContext) {
        for problem in unreadNames.problems {
            context.warn("a name cannot be read, its identifier is shown instead: \(problem)")
        }
    }
}

/// Files with descriptions that could not be read; commands show identifiers instead.
final class UnreadNames: Sendable {
    private let found = Mutex<[FilePath: FileProblem]>([:])

    /// Files that could not be read for a reason other than the password.
    var problems: [FileProblem] {
        found.withLock(\.values).filter { $0.isUnread || $0.kind == .limit }
            .sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    }

    /// The reason why a file could not be read, if only the password is missing or wrong, or a service has not
    /// delivered the file.
    func lock(of file: FilePath) -> FileProblem? {
        found.withLock { $0[file] }.flatMap {
            [.encrypted, .wrongPassword, .missing].contains($0.kind) ? $0 : nil
        }
    }

    /// The result of `body`; nil if it throws. Records a file that could not be read.
    func attempt<Value>(_ body: () throws(FileProblem) -> Value) -> Value? {
        do throws(FileProblem) {
            return try body()
        } catch {
            found.withLock { $0[error.path] = error }
            return nil
        }
    }
}
