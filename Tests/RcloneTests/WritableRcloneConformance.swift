import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import Rclone
@testable import TICDSCore

/// What `WritableStorageConformance` asks of a folder and of memory, asked of real servers.
@Suite(.enabled(if: InstalledRclone.path != nil, "needs rclone 1.72")) struct WritableRcloneConformance {
    enum Kind: String, CaseIterable, Sendable {
        case local, sftp, webdav, wsgidav

        var server: StorageServer.Kind? { StorageServer.Kind(rawValue: rawValue) }

        /// The nearest where long tests are not wanted.
        static let available = (LongTests.areWanted ? allCases : [.sftp]).filter {
            $0.server?.isInstalled ?? true
        }
    }

    /// Sets a cache of its own, once for all tests of the process.
    init() throws { _ = try #require(RcloneStorageTests.cache) }

    /// A remote of a few files in a server, an operation that has begun, and its access.
    struct Trial {
        let remote: ChangedRemote
        let storage: WritableRclone
        let places: OperationPlaces
        let operation: any OperationStorage

        static let info: RemotePath = ["Documents", "notes", "documentInfo.plist"]
        static let time = FileTime(seconds: 1_200_000_000)

        init(_ kind: Kind) throws {
            remote = try ChangedRemote()
            try TestFiles.removeTree(
                ChangedRemote.sets.appending("link").filePath(under: remote.root))
            storage = try Self.storage(kind, remote)
            let state = RemoteState(root: storage.address.root, stateHome: remote.home.path)
            try state.make()
            let journal = try Journal.open(state)
            let staging = try storage.chooseStaging(for: state)
            let plan = Plan(root: state.root, command: "test", summary: "Test")
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
        ) throws -> WritableRclone {
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

        /// All that the remote contains, but the times of folders.
        func image() throws -> [RemotePath: [String]] {
            let contents = storage.contents
            return try MemoryStorage(copying: contents).entries.mapValues { entry in
                [
                    "\(entry.kind)", entry.kind == .folder ? "" : entry.modified.iso,
                    hexadecimalDigits(of: entry.bytes.array),
                ]
            }
        }
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
            // A second call ends what a first has left.
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

    /// Also what another program writes after the folder was listed for an entry before.
    @Test(arguments: Kind.available) func seesWhatComesMeanwhile(kind: Kind) throws {
        let trial = try Trial(kind)
        for name in ["0", "1"] { _ = try trial.staged(name) }
        let folder: RemotePath = ["Documents", "notes"]
        try trial.operation.move(.slot(.staged("0")), to: .remote(folder.appending("zero")), seen: nil)
        let file = trial.remote.home.path.appending("other")
        try TestFiles.write(file, [7])
        try trial.storage.engine.uploadFile(
            file, to: RclonePlace(address: trial.storage.address, path: folder.appending("one")))
        let error = #expect(throws: FileProblem.self) {
            try trial.operation.move(.slot(.staged("1")), to: .remote(folder.appending("one")), seen: nil)
        }
        #expect(error?.kind == .refused)
        #expect(try trial.storage.contents.read(folder.appending("one"), limit: .note).array == [7])
        #expect(try trial.operation.isThere(.slot(.staged("1"))))
    }

    /// What is not what the plan saw stays at its place.
    @Test(arguments: Kind.available) func movesOnlyWhatWasSeen(kind: Kind) throws {
        let trial = try Trial(kind)
        let before = try trial.image()
        let old = StoragePlace.slot(trial.places.old(0))
        for path in [Trial.info, ChangedRemote.sets] {
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

    /// The whole remote goes and comes as any other entry.
    @Test(arguments: Kind.available) func movesTheRemote(kind: Kind) throws {
        let trial = try Trial(kind)
        let before = try trial.image()
        let seen = try trial.state(.root)
        let old = StoragePlace.slot(trial.places.old(0))
        try trial.operation.move(.remote(.root), to: old, seen: seen)
        #expect(try !trial.operation.isThere(.remote(.root)))
        try trial.operation.move(old, to: .remote(.root), seen: seen)
        #expect(try trial.image() == before)
    }

    /// What a storage cannot do in one step it refuses; plans for it have no such steps.
    @Test(arguments: Kind.available) func refusesReplacementsAndTimes(kind: Kind) throws {
        let trial = try Trial(kind)
        let before = try trial.image()
        let seen = try trial.state(Trial.info)
        _ = try trial.staged("0")
        #expect(throws: FileProblem.self) {
            try trial.operation.replace(
                Trial.info, by: trial.places.new(0), keeping: (trial.places.old(0), seen))
        }
        #expect(throws: FileProblem.self) { try trial.operation.setTime(Trial.time, of: Trial.info) }
        try trial.operation.setTime(Trial.time, of: ChangedRemote.sets)
        #expect(try trial.image() == before)
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

    /// Only what is not there is missing.
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

    @Test(arguments: Kind.available) func locksOut(kind: Kind) throws {
        let trial = try Trial(kind)
        let journals = try ["one", "two"].map { name in
            let state = RemoteState(
                root: trial.storage.address.root, stateHome: trial.remote.home.path.appending(name))
            try state.make()
            return state
        }
        func lock(_ state: RemoteState) throws -> any StorageLock {
            try trial.storage.lock(
                Journal.open(state), command: "test", until: Deadline(seconds: 0), warn: { _ in })
        }
        let first = try lock(journals[0])
        let error = #expect(throws: FileProblem.self) { _ = try lock(journals[1]) }
        #expect(error?.isBusy == true)
        try first.renew()
        first.end()
        withExtendedLifetime(first) {}
    }
}
