import Base
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations
import TICDSStorages

/// The names in a remote, read as cheaply as possible: from folder listings, and from the small files with
/// descriptions. Unreadable names are omitted.
struct CompletionNames {
    private let storage: any RemoteStorage
    private let keyring: RemoteKeyring
    /// The document to search, as the user named it; nil for all.
    private let wanted: String?

    /// The names for a request; nil if it names no remote.
    init?(_ request: CompletionRequest) {
        switch request.remote {
        case nil: return nil
        case .folder(let path): storage = LocalStorage(root: path)
        case .elsewhere(let address):
            // try?: completion offers what it can
            guard let found = try? address.recentRemote() else { return nil }
            storage = found
        }
        keyring = Self.keyring(storage, request)
        wanted = request.value(of: "--document")
    }

    private static func keyring(_ storage: any RemoteStorage, _ request: CompletionRequest) -> RemoteKeyring {
        // try?: completion offers what it can
        let opened = try? PasswordCheck.open(storage) { () throws(FileProblem) in request.password }
        return opened ?? RemoteKeyring(.locked)
    }

    /// Documents with their descriptions.
    var documents: [CompletionCandidate] {
        folders(in: [RemoteLayout.documents]).map { document in
            CompletionCandidate(
                document.text, name: description(ofDocument: RemoteLayout.documentInfo(of: document)))
        }
    }

    /// The clients of the remote, and clients that only documents mention.
    var clients: [CompletionCandidate] {
        let devices = folders(in: [RemoteLayout.clientDevices])
        var known = Set(devices)
        let others = chosenDocuments.flatMap {
            folders(in: RemoteLayout.document($0).appending(RemoteLayout.syncChanges))
        }
        .filter { known.insert($0).inserted }
        return (devices + others).map { CompletionCandidate($0.text, name: name(of: $0)) }
    }

    /// Change sets, the latest first by the times in their names.
    func changeSets(typed: String) -> [CompletionCandidate] {
        // The latest sets and the earliest, so that shells find the common beginning of all.
        var latest = LatestSets([CompletionCandidate].limit)
        for document in chosenDocuments {
            let folder = RemoteLayout.document(document).appending(RemoteLayout.syncChanges)
            for client in folders(in: folder) {
                add(of: client, folder.appending(client), beginningWith: Array(typed.utf8), to: &latest)
            }
        }
        let shown = latest.sets + [latest.earliest].compactMap(\.self)
        var names: [RemoteName: String] = [:]
        for client in Set(shown.map(\.client)) { names[client] = name(of: client) }
        return shown.map { set, client in
            let time = ChangeSetIdentifier.nominalTime(set).map { TextStyle().minute($0) }
            let author = names[client] ?? client.text
            return CompletionCandidate(
                set.text, note: [time, author].compactMap(\.self).joined(separator: ", "))
        }
    }

    /// Adds sets by their names alone; opens no set and requests no status.
    private func add(
        of client: RemoteName, _ folder: RemotePath, beginningWith start: [UInt8], to latest: inout LatestSets
    ) {
        let suffix = Array(RemoteLayout.changeSetSuffix.utf8)
        _ = try? storage.list(folder) { name in  // try?: completion offers what it can
            let end = name.count - suffix.count
            if end > 0,
                suffix.withUnsafeBytes({ UnsafeRawBufferPointer(rebasing: name[end...]).begins(with: $0) }),
                start.withUnsafeBytes({ name.begins(with: $0) })
            {
                latest.add(UnsafeRawBufferPointer(rebasing: name[..<end]), client)
            }
            return false
        }
    }

    /// Documents that have a tombstone.
    var deletedDocuments: [CompletionCandidate] {
        tombstones(in: [RemoteLayout.information, RemoteLayout.deletedDocuments]).map { name, file in
            CompletionCandidate(name.text, name: description(ofDocument: file))
        }
    }

    /// Clients of which a document has a tombstone.
    var deletedClients: [CompletionCandidate] {
        var known: Set<RemoteName> = []
        let folders = chosenDocuments.map { RemoteLayout.document($0).appending(RemoteLayout.deletedClients) }
        return folders.flatMap(tombstones).filter { known.insert($0.name).inserted }.map { name, file in
            CompletionCandidate(name.text, name: description(ofClient: file))
        }
    }

    private func tombstones(in folder: RemotePath) -> [(name: RemoteName, file: RemotePath)] {
        // try?: completion offers what it can
        guard let listing = try? storage.list(folder).listing else { return [] }
        return listing.compactMap { entry in
            guard entry.kind == .file, !entry.name.isHidden,
                let name = entry.name.removing(suffix: RemoteLayout.propertyListSuffix)
            else { return nil }
            return (name, folder.appending(entry.name))
        }
    }

    /// The document that `--document` names, otherwise all documents.
    private var chosenDocuments: [RemoteName] {
        let all = folders(in: [RemoteLayout.documents])
        guard let wanted, !wanted.isEmpty else { return all }
        let items = documents.map { NamedItem(RemoteName($0.value), $0.name) }
        let names = NameResolver(
            noun: "document", option: nil, remote: storage.root, items: .all(items))
        guard let found = try? names.item(wanted) else { return all }  // try?: completion offers what it can
        return all.filter { $0.text == found.identifier.text }
    }

    private func folders(in folder: RemotePath) -> [RemoteName] {
        // try?: completion offers what it can
        guard let listing = try? storage.list(folder).listing else { return [] }
        return listing.filter { $0.kind == .folder && !$0.name.isHidden }.map(\.name)
    }

    private func name(of client: RemoteName) -> String? {
        description(ofClient: RemoteLayout.deviceInfo(of: client))
    }

    private func description(ofDocument file: RemotePath) -> String? {
        guard let bytes = read(file) else { return nil }
        // try?: completion offers what it can
        return (try? DocumentInfo(bytes, path: file.filePath(under: storage.root)))?.description
    }

    private func description(ofClient file: RemotePath) -> String? {
        guard let bytes = read(file) else { return nil }
        // try?: completion offers what it can
        return (try? DeviceInfo(bytes, path: file.filePath(under: storage.root)))?.description
    }

    private func read(_ file: RemotePath) -> SharedBytes? {
        // try?: completion offers what it can
        try? keyring.read(storage, file, limit: .information)
    }
}

/// The latest of many change sets by name, and the earliest of all. If two sets have the same name, the one that was
/// found first counts as later.
private struct LatestSets {
    private let limit: Int
    /// The sets, with the latest first.
    private(set) var sets: [(set: RemoteName, client: RemoteName)] = []
    /// The earliest set; nil if `sets` contains all.
    private(set) var earliest: (set: RemoteName, client: RemoteName)?

    init(_ limit: Int) { self.limit = limit }

    mutating func add(_ set: UnsafeRawBufferPointer, _ client: RemoteName) {
        if sets.count == limit, !Self.isBefore(sets[limit - 1].set, set) {
            if let earliest, Self.isBefore(earliest.set, set) { return }
            return earliest = (RemoteName(set), client)
        }
        let place = sets.endOfPrefix { !Self.isBefore($0.set, set) }
        sets.insert((RemoteName(set), client), at: place)
        guard sets.count > limit else { return }
        let last = sets.removeLast()
        if let earliest, !(last.set < earliest.set) { return }
        earliest = last
    }

    private static func isBefore(_ one: RemoteName, _ other: UnsafeRawBufferPointer) -> Bool {
        one.bytes.withUnsafeBytes { $0.precedes(other) }
    }
}
