import Base
import Synchronization
package import SystemCalls
package import SystemPackage
package import TICDSCore
package import TICDSOperations

/// A remote in memory that plans change. Its slots are not local places, and the trash is on a different volume, as for
/// the executor with a remote storage.
package final class MemoryRemote: Sendable {
    private struct Contents {
        var remote: MemoryStorage
        /// The content of the staging folder; nil if there is none.
        var staging: [RemotePath: MemoryStorage.Entry]?
        var holder: String?
    }

    private let kept: Mutex<Contents>

    package init(_ storage: MemoryStorage) { kept = Mutex(Contents(remote: storage)) }

    /// The remote now.
    package var storage: MemoryStorage { kept.withLock(\.remote) }

    /// Whether a staging folder is left.
    package var hasStaging: Bool { kept.withLock { $0.staging != nil } }
}

extension MemoryRemote: WritableStorage {
    package var contents: any RemoteStorage { storage }
    package var hasMovesOnly: Bool { false }

    package func lock(
        _ journal: borrowing Journal, command: String, until deadline: Deadline, warn: (String) -> Void
    ) throws(FileProblem) -> any StorageLock {
        let isFree = kept.withLock { contents in
            defer { contents.holder = contents.holder ?? command }
            return contents.holder == nil
        }
        guard isFree else {
            throw FileProblem(.refused, path: storage.root, "another command is changing this remote")
        }
        return MemoryLock(self)
    }

    package func chooseStaging(
        for state: RemoteState
    ) throws(FileProblem) -> (folder: FilePath, trashIsNear: Bool) {
        (state.folder.appending("staging").appending(RandomName.make()), false)
    }

    package func operation(at places: OperationPaths) -> any OperationStorage {
        MemoryOperation(remote: self, places: places)
    }

    private final class MemoryLock: StorageLock {
        private let remote: MemoryRemote
        init(_ remote: MemoryRemote) { self.remote = remote }
        deinit { remote.kept.withLock { $0.holder = nil } }
        func begin(_ number: Int64, _ summary: String, staging: FilePath) {}
        func end() {}
        func renew() {}
    }
}

extension MemoryRemote {
    private typealias Entries = [RemotePath: MemoryStorage.Entry]

    /// The entry at a place, and everything below it by paths relative to it.
    private func tree(_ place: StoragePlace) throws(FileProblem) -> Entries {
        try kept.withLock { (contents) throws(FileProblem) in
            let (entries, path) = try Self.find(place, in: contents)
            let tree = entries.filter { $0.key.names.starts(with: path.names) }
            guard tree[path] != nil else {
                throw FileProblem(.noSuchFileOrDirectory, path: FilePath("/\(place)"))
            }
            return Self.rebased(tree, from: path, to: .root)
        }
    }

    private static func rebased(_ entries: Entries, from old: RemotePath, to new: RemotePath) -> Entries {
        var moved: Entries = [:]
        for (path, entry) in entries {
            moved[RemotePath(new.names + path.names.dropFirst(old.names.count))] = entry
        }
        return moved
    }

    private static func find(
        _ place: StoragePlace, in contents: Contents
    ) throws(FileProblem) -> (entries: Entries, path: RemotePath) {
        switch place {
        case .remote(let path):
            guard path.names.count < 2 || contents.remote.entries[path.parent]?.kind == .folder else {
                throw FileProblem(
                    .noSuchFileOrDirectory, path: path.filePath(under: contents.remote.root))
            }
            return (contents.remote.entries, path)
        case .slot(.staged(let name)):
            return (contents.staging ?? [:], [RemoteName(name)])
        case .slot(.trash):
            throw FileProblem(.unsupported, path: contents.remote.root, "the trash is elsewhere")
        }
    }

    private func isThere(_ place: StoragePlace) throws(FileProblem) -> Bool {
        try kept.withLock { (contents) throws(FileProblem) in
            let (entries, path) = try Self.find(place, in: contents)
            return path.names.isEmpty || entries[path] != nil
        }
    }

    private func state(of place: StoragePlace) throws(FileProblem) -> EntryState {
        let tree = try tree(place)
        return try MemoryStorage(root: storage.root, Self.rebased(tree, from: .root, to: ["x"])).state(
            of: ["x"])
    }

    /// Puts a tree at an empty place, or removes the entry there.
    private func put(_ tree: Entries?, at place: StoragePlace) throws(FileProblem) {
        try kept.withLock { (contents) throws(FileProblem) in
            var (entries, path) = try Self.find(place, in: contents)
            if let tree {
                guard entries[path] == nil else { throw problem(.fileExists, place) }
                entries.merge(Self.rebased(tree, from: .root, to: path)) { $1 }
            } else {
                entries = entries.filter { !$0.key.names.starts(with: path.names) }
            }
            switch place {
            case .remote: contents.remote.entries = entries
            case .slot:
                guard contents.staging != nil else { throw problem(.noSuchFileOrDirectory, place) }
                contents.staging = entries
            }
        }
    }

    private func problem(_ number: Errno, _ place: StoragePlace) -> FileProblem {
        FileProblem.writing(number, path: FilePath("/\(place)"))
    }

    private struct MemoryOperation: OperationStorage {
        let remote: MemoryRemote
        let places: OperationPaths

        var contents: any RemoteStorage { remote.storage }

        func model() -> FileStatus { HostIdentity.privateModel }

        func isThere(_ place: StoragePlace) throws(FileProblem) -> Bool { try remote.isThere(place) }

        func state(of place: StoragePlace) throws(FileProblem) -> EntryState { try remote.state(of: place) }

        func rehearse(_ actions: PlanActions, _ timedFolders: [RemotePath]) {}

        func makeStaging() { remote.kept.withLock { $0.staging = [:] } }

        func removeStaging() { remote.kept.withLock { $0.staging = nil } }

        func stage(_ slot: StagedSlot, made: EntryState) throws(FileProblem) -> EntryState {
            let place = places.entry(slot)
            let status = try FileStatus.of(place.path)
            var tree: Entries = [:]
            if status.kind == .folder {
                tree = try MemoryStorage(copying: LocalStorage(root: place.path)).entries
                tree[.root] = .init(kind: .folder, modified: status.modified)
            } else {
                tree[.root] = .init(try FileBytes.read(place.path).array, modified: status.modified)
            }
            try remote.put(nil, at: .slot(slot))
            try remote.put(tree, at: .slot(slot))
            return try state(of: .slot(slot))
        }

        func move(_ old: StoragePlace, to new: StoragePlace, seen: EntryState?) throws(FileProblem) {
            if let seen, try state(of: old) != seen {
                throw FileProblem(.refused, path: contents.root, "has changed since the plan was made")
            }
            let tree = try remote.tree(old)
            try remote.put(tree, at: new)
            try remote.put(nil, at: old)
        }

        func replace(
            _ file: RemotePath, by slot: StagedSlot, keeping kept: (slot: StagedSlot, seen: EntryState)?
        ) throws(FileProblem) {
            if let kept {
                guard try state(of: .remote(file)) == kept.seen else {
                    throw FileProblem(.refused, path: contents.root, "has changed since the plan was made")
                }
                try remote.put(nil, at: .slot(kept.slot))
                try remote.put(remote.tree(.remote(file)), at: .slot(kept.slot))
            }
            let tree = try remote.tree(.slot(slot))
            try remote.put(nil, at: .remote(file))
            try remote.put(tree, at: .remote(file))
            try remote.put(nil, at: .slot(slot))
        }

        func setTime(_ time: FileTime, of path: RemotePath) throws(FileProblem) {
            _ = try remote.tree(.remote(path))
            remote.kept.withLock { $0.remote.entries[path]?.modified = time }
        }

        func fetch(_ slot: StagedSlot, to place: EntryPlace) throws(FileProblem) {
            let tree = try remote.tree(.slot(slot)).sorted { $0.key < $1.key }
            do {
                for (path, entry) in tree {
                    let target = path.filePath(under: place.path)
                    if entry.kind == .folder {
                        try TestFiles.makeFolder(target)
                    } else {
                        try TestFiles.write(target, entry.bytes.array)
                    }
                }
                for (path, entry) in tree.reversed() {
                    try TestFiles.setTime(path.filePath(under: place.path), entry.modified)
                }
            } catch {
                throw FileProblem(.writeFailed, path: place.path, "\(error)")
            }
        }

        func sync(around path: RemotePath) {}
    }
}
