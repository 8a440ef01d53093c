import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import Rclone
@testable import TICDSCore
@testable import TICDSOperations

/// The differences between storages of rclone and a local folder, tested with real servers.
@Suite(.enabled(if: InstalledRclone.path != nil, "needs rclone 1.72")) struct WritableRcloneConformance {
    typealias Kind = WritableStorageConformance.Kind
    typealias Trial = WritableStorageConformance.Trial

    /// Also entries that another program writes after the folder was listed for an earlier entry.
    @Test(arguments: Kind.elsewhere) func seesWhatComesMeanwhile(kind: Kind) throws {
        let trial = try Trial(kind)
        for name in ["0", "1"] { _ = try trial.staged(name) }
        let folder: RemotePath = ["Documents", "notes"]
        try trial.operation.move(.slot(.staged("0")), to: .remote(folder.appending("zero")), seen: nil)
        let file = trial.remote.home.path.appending("other")
        try TestFiles.write(file, [7])
        let rclone = try #require(trial.storage as? WritableRclone)
        try rclone.engine.uploadFile(
            file, to: RclonePlace(address: rclone.address, path: folder.appending("one")))
        let error = #expect(throws: FileProblem.self) {
            try trial.operation.move(.slot(.staged("1")), to: .remote(folder.appending("one")), seen: nil)
        }
        #expect(error?.kind == .refused)
        #expect(try trial.storage.contents.read(folder.appending("one"), limit: .note).array == [7])
        #expect(try trial.operation.isThere(.slot(.staged("1"))))
    }

    /// The whole remote moves like any other entry.
    @Test(arguments: Kind.elsewhere) func movesTheRemote(kind: Kind) throws {
        let trial = try Trial(kind)
        let before = try trial.image()
        let seen = try trial.state(.root)
        let old = StoragePlace.slot(trial.places.old(0))
        try trial.operation.move(.remote(.root), to: old, seen: seen)
        #expect(try !trial.operation.isThere(.remote(.root)))
        try trial.operation.move(old, to: .remote(.root), seen: seen)
        #expect(try trial.image() == before)
    }

    /// A storage refuses actions that it cannot do in one step; plans for it have no such actions.
    @Test(arguments: Kind.elsewhere) func refusesReplacementsAndTimes(kind: Kind) throws {
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

    @Test(arguments: Kind.elsewhere) func locksOut(kind: Kind) throws {
        let trial = try Trial(kind)
        let journals = try ["one", "two"].map { name in
            let state = RemoteState(
                root: trial.state.root, stateHome: trial.remote.home.path.appending(name))
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
