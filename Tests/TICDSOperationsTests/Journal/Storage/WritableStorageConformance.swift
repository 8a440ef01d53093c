import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import Rclone
@testable import TICDSCore
@testable import TICDSOperations

/// The requirements for every storage that plans change: the local folder, with the trash on the same volume and on a
/// different one, memory, and real servers.
@Suite struct WritableStorageConformance {
    enum Kind: String, CaseIterable, Sendable {
        case folder, folderFarTrash, memory
        case local, sftp, webdav, wsgidav

        static let onThisMachine = [folder, folderFarTrash, memory].filter {
            $0 != .folderFarTrash || OtherVolume.folder != nil
        }
        /// Only the nearest if long tests are not wanted.
        static let elsewhere =
            InstalledRclone.path == nil
            ? []
            : (LongTests.areWanted ? [local, sftp, webdav, wsgidav] : [sftp]).filter {
                $0.server?.isInstalled ?? true
            }
        static let available = onThisMachine + elsewhere

        var server: StorageServer.Kind? { StorageServer.Kind(rawValue: rawValue) }
        var isElsewhere: Bool { server != nil || self == .local }
    }

    /// A remote of a few files, an operation that has begun, and its access.
    struct Trial {
        let remote: ChangedRemote
        let storage: any WritableStorage
        let memory: MemoryRemote?
        let state: RemoteState
        let places: OperationPaths
        let operation: any OperationStorage

        static let info: RemotePath = ["Documents", "notes", "documentInfo.plist"]
        static let time = FileTime(seconds: 1_200_000_000)

        init(_ kind: Kind) throws {
            remote = try ChangedRemote(home: kind == .folderFarTrash ? OtherVolume.folder : nil)
            if kind.isElsewhere {
                try TestFiles.removeTree(ChangedRemote.sets.appending("link").filePath(under: remote.root))
            }
            (storage, memory) = try Self.storage(kind, remote)
            state =
                kind.isElsewhere
                ? RemoteState(root: storage.contents.root, stateHome: remote.home.path) : remote.state
            try state.make()
            let journal = try Journal.open(state)
            let staging = try storage.chooseStaging(for: state)
            let plan = Plan(root: storage.contents.root, command: "test", summary: "Test")
            let number = try journal.begin(
                plan, staging: staging.folder, trashIsNear: staging.trashIsNear, keepsTrash: true,
                undoing: nil)
            places = try journal.places(of: number)
            try places.make()
            operation = storage.operation(at: places)
            try operation.makeStaging()
        }

        static func storage(
            _ kind: Kind, _ remote: ChangedRemote
        ) throws -> (any WritableStorage, MemoryRemote?) {
            if kind.isElsewhere { return (try rclone(kind, remote), nil) }
            guard kind == .memory else { return (WritableFolder(root: remote.canonicalRoot), nil) }
            var copy = try MemoryStorage(copying: remote.builder.storage, root: remote.canonicalRoot)
            // A link has no size there, and no target.
            copy.entries = copy.entries.filter { $0.value.kind != .symbolicLink }
            let memory = MemoryRemote(copy)
            return (memory, memory)
        }

        private static func rclone(_ kind: Kind, _ remote: ChangedRemote) throws -> WritableRclone {
            _ = try InstalledRclone.cache.get()
            let place = try StorageServer.shared(kind.server ?? .sftp).place(copying: remote.root)
            let text = kind == .local ? "rclone::local:\(place.folder?.string ?? "")" : place.address()
            let address = try #require(RcloneAddress(text))
            let engine = try RcloneEngine.running()
            return WritableRclone(
                address: address, engine: engine, features: try engine.features(of: address))
        }

        /// Makes a file, or a folder with that file in it, and stages it.
        func staged(_ name: String, isFolder: Bool = false) throws -> EntryState {
            let entry = places.entry(.staged(name))
            if isFolder { try TestFiles.makeFolder(entry.path) }
            let file = isFolder ? entry.path.appending("file") : entry.path
            try TestFiles.write(file, [1, 2, 3])
            try TestFiles.setTime(file, Self.time)
            return try operation.stage(.staged(name), made: entry.contents)
        }

        func state(_ path: RemotePath) throws -> EntryState { try operation.state(of: .remote(path)) }

        /// The whole content of the remote.
        func image() throws -> MemoryImage { try MemoryImage(storage.contents) }
    }

    @Test(arguments: Kind.available) func stagesAndMovesIn(kind: Kind) throws {
        let trial = try Trial(kind)
        for isFolder in [false, true] {
            let name = isFolder ? "1" : "0"
            let slot = StoragePlace.slot(.staged(name))
            #expect(try !trial.operation.isThere(slot))
            let before = try trial.image()
            let made = try trial.staged(name, isFolder: isFolder)
            #expect(try trial.image() == before)
            #expect(try trial.operation.isThere(slot) && trial.operation.state(of: slot) == made)
            #expect(made.kind == (isFolder ? .folder : .file) && made.size == 3)
            // A second call completes the first one.
            #expect(try trial.operation.stage(.staged(name), made: made) == made)
            let path: RemotePath = ["Documents", RemoteName("new\(name)")]
            #expect(try !trial.operation.isThere(.remote(path)))
            try trial.operation.move(slot, to: .remote(path), seen: nil)
            try trial.operation.sync(around: path)
            #expect(try trial.state(path) == made && !trial.operation.isThere(slot))
            let file = isFolder ? path.appending("file") : path
            #expect(try trial.storage.contents.read(file, limit: .note).array == [1, 2, 3])
            #expect(try trial.storage.contents.status(of: file).modified == Trial.time)
        }
    }

    @Test(arguments: Kind.available) func neverReplacesAnything(kind: Kind) throws {
        let trial = try Trial(kind)
        _ = try trial.staged("0")
        let full = try trial.staged("0.old")
        let slot = StoragePlace.slot(.staged("0"))
        let before = try trial.image()
        for path in [Trial.info, ["Documents"], ChangedRemote.sets] as [RemotePath] {
            #expect(throws: FileProblem.self) { try trial.operation.move(slot, to: .remote(path), seen: nil) }
            #expect(throws: FileProblem.self) {
                try trial.operation.move(.remote(path), to: .slot(.staged("0.old")), seen: nil)
            }
        }
        #expect(throws: FileProblem.self) {
            try trial.operation.move(slot, to: .remote(["none", "x"]), seen: nil)
        }
        #expect(try trial.image() == before)
        #expect(try trial.operation.isThere(slot))
        #expect(try trial.operation.state(of: .slot(.staged("0.old"))) == full)
    }

    /// An entry that differs from the plan stays in its place.
    @Test(arguments: Kind.available) func movesOnlyWhatWasSeen(kind: Kind) throws {
        let trial = try Trial(kind)
        let before = try trial.image()
        let sets = ChangedRemote.sets
        let old = StoragePlace.slot(trial.places.old(0))
        for path in [Trial.info, sets] {
            let seen = try trial.state(path)
            var other = seen
            other.size += 1
            let error = #expect(throws: FileProblem.self) {
                try trial.operation.move(.remote(path), to: old, seen: other)
            }
            #expect(error?.kind == .refused)
            #expect(try trial.image() == before && !trial.operation.isThere(old))
            try trial.operation.move(.remote(path), to: old, seen: seen)
            #expect(try !trial.operation.isThere(.remote(path)))
            #expect(try trial.operation.state(of: old) == seen)
            try trial.operation.move(old, to: .remote(path), seen: seen)
            #expect(try trial.image() == before)
        }
    }

    @Test(arguments: Kind.onThisMachine) func replacesAndKeepsAFile(kind: Kind) throws {
        let trial = try Trial(kind)
        let (old, new) = (trial.places.old(0), trial.places.new(0))
        let seen = try trial.state(Trial.info)
        let before = try trial.image()
        let made = try trial.staged("0")
        var other = seen
        other.size += 1
        #expect(throws: FileProblem.self) {
            try trial.operation.replace(Trial.info, by: new, keeping: (old, other))
        }
        #expect(try trial.image() == before && trial.operation.isThere(.slot(new)))
        // Also if an earlier call has already kept the file.
        try trial.operation.replace(Trial.info, by: new, keeping: (old, seen))
        #expect(try trial.state(Trial.info) == made && !trial.operation.isThere(.slot(new)))
        #expect(try trial.operation.state(of: .slot(old)) == seen)
        try trial.operation.replace(Trial.info, by: old, keeping: nil)
        #expect(try trial.image() == before && !trial.operation.isThere(.slot(old)))
    }

    @Test(arguments: Kind.onThisMachine) func setsTimes(kind: Kind) throws {
        let trial = try Trial(kind)
        let time = FileTime(seconds: 1_111_111_111)
        for path in [Trial.info, ChangedRemote.sets] {
            try trial.operation.setTime(time, of: path)
            #expect(try trial.storage.contents.status(of: path).modified == time)
        }
    }

    @Test(arguments: Kind.available) func fetchesWholeEntries(kind: Kind) throws {
        let trial = try Trial(kind)
        for (name, isFolder) in [("0", false), ("1", true)] {
            let made = try trial.staged(name, isFolder: isFolder)
            let place = EntryPlace(folder: trial.places.trashFolder, name: name)
            try trial.operation.fetch(.staged(name), to: place)
            #expect(try place.contents == made)
            let file = isFolder ? place.path.appending("file") : place.path
            #expect(try FileBytes.read(file).array == [1, 2, 3])
            #expect(try trial.operation.state(of: .slot(.staged(name))) == made)
        }
    }

    /// Only an entry that does not exist is missing.
    @Test(arguments: Kind.available) func saysWhatIsMissing(kind: Kind) throws {
        let trial = try Trial(kind)
        let before = try trial.image()
        for place in [.remote(["none"]), .slot(.staged("7"))] as [StoragePlace] {
            #expect(try !trial.operation.isThere(place))
            let error = #expect(throws: FileProblem.self) { try trial.operation.state(of: place) }
            #expect(error?.kind == .missing)
            let other = StoragePlace.slot(.staged("8"))
            #expect(throws: FileProblem.self) { try trial.operation.move(place, to: other, seen: nil) }
        }
        #expect(try trial.operation.isThere(.remote(.root)))
        let error = #expect(throws: FileProblem.self) {
            try trial.operation.isThere(.remote(["none", "x"]))
        }
        #expect(error?.kind == .missing)
        try trial.operation.removeStaging()
        try trial.operation.removeStaging()
        #expect(try !trial.operation.isThere(.slot(.staged("0"))))
        #expect(try trial.image() == before)
    }

    @Test(arguments: Kind.onThisMachine) func locksOut(kind: Kind) throws {
        let remote = try ChangedRemote()
        let (storage, _) = try Trial.storage(kind, remote)
        let journal = try Journal.open(remote.state)
        func lock() throws -> any StorageLock {
            try storage.lock(journal, command: "test", until: Deadline(seconds: 0), warn: { _ in })
        }
        let first = try lock()
        #expect(throws: FileProblem.self) { _ = try lock() }
        try first.renew()
        withExtendedLifetime(first) {}
        first.end()
    }
}

/// Everything in a remote, except the times of folders that change with their content.
struct MemoryImage: Equatable {
    private struct Entry: Equatable {
        var kind: FileKind
        var bytes: [UInt8]
        var modified: FileTime?
    }

    private var entries: [RemotePath: Entry] = [:]

    init(_ storage: any RemoteStorage) throws {
        for (path, entry) in try MemoryStorage(copying: storage).entries {
            entries[path] = Entry(
                kind: entry.kind, bytes: entry.bytes.array,
                modified: entry.kind == .folder ? nil : entry.modified)
        }
    }
}
