import SystemCalls
import SystemPackage
import TICDSCore

/// The folders of a replica and its remote whose changes a replica synchronises.
struct WatchedPlaces {
    /// Hashes of the names, sizes and times at one moment. Swift seeds hashes per process, so only compare them within
    /// one.
    struct Observation: Hashable {
        var remote: Int
        var store: Int
        var configuration: Int
    }

    let replica: ReplicaFolder
    private let document: FilePath
    private let own: RemoteName

    init(_ replica: ReplicaFolder, _ configuration: ReplicaConfiguration) {
        self.replica = replica
        own = RemoteName(configuration.client)
        document = RemoteLayout.document(RemoteName(configuration.document))
            .filePath(under: FilePath(configuration.remote))
    }

    /// Folders of the remote: `SyncChanges`, `SyncCommands`, the folders of the other clients in them, and `IntegrityKey`.
    var remoteFolders: [FilePath] {
        [RemoteLayout.syncChanges, RemoteLayout.syncCommands].flatMap { name in
            let folder = document.pushing(FilePath(nameBytes: name.bytes))
            return [folder] + clients(in: folder)
        } + [document.pushing(FilePath(nameBytes: RemoteLayout.integrityKey.bytes))]
    }

    private func clients(in folder: FilePath) -> [FilePath] {
        var names: [[UInt8]] = []
        // try?: a folder that cannot be opened is listed again at each interval, and the run reports why
        guard let open = try? OwnedDescriptor.folder(folder) else { return [] }
        try? DirectoryReader.forEachEntry(of: open) { name, status in  // try?: the same
            guard case .success(let status) = status, status.kind == .folder else { return }
            names.append(Array(name))
        }
        return names.filter { $0 != own.bytes }.sorted { $0.lexicographicallyPrecedes($1) }
            .map { folder.pushing(FilePath(nameBytes: $0)) }
    }

    func observe() -> Observation {
        var remote = Hasher()
        for folder in remoteFolders { remote.combine(Self.entries(of: folder)) }
        return Observation(
            remote: remote.finalize(), store: Self.state(of: replica.store),
            configuration: Self.state(of: replica.configuration))
    }

    /// A hash of the entries of a folder, independent of their order.
    private static func entries(of folder: FilePath) -> Int {
        var sum = 0
        // try?: counts as a change; the next run reports the reason
        guard let open = try? OwnedDescriptor.folder(folder) else { return -1 }
        try? DirectoryReader.forEachEntry(of: open) { name, status in  // try?: the same
            var entry = Hasher()
            entry.combine(bytes: name)
            if case .success(let status) = status, status.kind == .file {
                entry.combine(status.size)
                entry.combine(status.modified)
            }
            sum = sum &+ entry.finalize()
        }
        return sum
    }

    private static func state(of file: FilePath) -> Int {
        // try?: counts as a change; the next run reports the reason
        guard let status = try? FileStatus.of(file) else { return 0 }
        var state = Hasher()
        state.combine(status.inode)
        state.combine(status.size)
        state.combine(status.modified)
        return state.finalize()
    }
}
