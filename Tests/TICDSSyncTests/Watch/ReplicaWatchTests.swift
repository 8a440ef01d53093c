import Foundation
@testable import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSSync

/// Waits for changes to synchronise.
@Suite struct ReplicaWatchTests {
    /// A change during the wait: inotify reports it at once, elsewhere the next listing.
    @Test(arguments: WatchedChange.all, [true, false])
    func seesChanges(_ change: WatchedChange, seesAtOnce: Bool) throws {
        let fixture = try WatchFixture()
        var watch = try fixture.watch(seesAtOnce: seesAtOnce)
        watch.begin()
        #expect(watch.unwatched.isEmpty == seesAtOnce)
        fixture.later { try change.make(fixture) }
        let causes = try watch.next(isInterrupted: fixture.isTooLate)
        #expect(causes == [change.cause], "\(change.name)")
    }

    /// Changes between two waits are not lost.
    @Test(arguments: [true, false]) func seesWhatWasDoneMeanwhile(seesAtOnce: Bool) throws {
        let fixture = try WatchFixture()
        var watch = try fixture.watch(seesAtOnce: seesAtOnce)
        watch.begin()
        try fixture.write("Documents/notes/SyncChanges/other/1.syncchg")
        #expect(try watch.next(isInterrupted: fixture.isTooLate) == [.remote])
        try fixture.write("Documents/notes/SyncChanges/other/2.syncchg")
        #expect(try watch.next(isInterrupted: fixture.isTooLate) == [.remote])
    }

    /// A synchronisation's own changes cause no further one.
    @Test(arguments: [true, false]) func isBlindToItsOwnWork(seesAtOnce: Bool) throws {
        let fixture = try WatchFixture()
        var watch = try fixture.watch(seesAtOnce: seesAtOnce, interval: .milliseconds(100))
        watch.begin()
        try fixture.write("Documents/notes/SyncChanges/own/1.syncchg")
        try fixture.write("Documents/notes/RecentSyncs/own.recentsync")
        for name in ["AppliedSyncChangeSets.ticdsync", "ReplicaState.sqlite", "lock"] {
            try fixture.write("replica/\(name)")
        }
        let end = ContinuousClock.now + .seconds(1)
        #expect(try watch.next { .now > end } == nil)
    }

    @Test func triesAgainWhenAsked() throws {
        let fixture = try WatchFixture()
        var watch = try fixture.watch(seesAtOnce: false, interval: .milliseconds(50))
        let end = ContinuousClock.now + .milliseconds(300)
        #expect(try watch.next { .now > end } == nil)
        watch.tryAgain()
        #expect(try watch.next(isInterrupted: fixture.isTooLate) == [.remote])
    }

    /// A series of changes counts as one.
    @Test func waitsForQuiet() throws {
        let fixture = try WatchFixture()
        var watch = try fixture.watch(seesAtOnce: true)
        watch.begin()
        fixture.later {
            for number in 0..<8 {
                try fixture.write("Documents/notes/SyncChanges/other/\(number).syncchg")
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
        #expect(try watch.next(isInterrupted: fixture.isTooLate) == [.remote])
        #expect(try fixture.names(in: "Documents/notes/SyncChanges/other").count == 8)
    }

    /// A remote that vanishes and comes back is two changes.
    @Test func remoteThatIsGone() throws {
        let fixture = try WatchFixture()
        var watch = try fixture.watch(seesAtOnce: false, interval: .milliseconds(50))
        watch.begin()
        let (here, there) = (fixture.path("Documents"), fixture.path("Elsewhere"))
        for (from, to) in [(here, there), (there, here)] {
            try FileManager.default.moveItem(atPath: from.string, toPath: to.string)
            #expect(try watch.next(isInterrupted: fixture.isTooLate) == [.remote])
        }
    }

    @Test func networkDrives() throws {
        #expect(NetworkFileSystem.name(of: "/proc") == nil)
        #expect(NetworkFileSystem.name(of: "/no such folder") == nil)
    }
}

/// One possible change.
struct WatchedChange: Sendable, CustomTestStringConvertible {
    var name: String
    var cause: ReplicaWatch.Cause
    var make: @Sendable (WatchFixture) throws -> Void

    var testDescription: String { name }

    static let all: [WatchedChange] = [
        written("a set", "Documents/notes/SyncChanges/other/1.syncchg", .remote),
        written("a new client", "Documents/notes/SyncChanges/newcomer/1.syncchg", .remote),
        written("a command", "Documents/notes/SyncCommands/other/1.synccmd", .remote),
        written("a key", "Documents/notes/IntegrityKey/another", .remote),
        written("an edit", "replica/Document.sqlite", .store),
        written("an edit in a log", "replica/Document.sqlite-wal", .store),
        written("the configuration", "replica/Replica.json", .configuration),
    ]

    private static func written(_ name: String, _ path: String, _ cause: ReplicaWatch.Cause) -> Self {
        WatchedChange(name: name, cause: cause) { fixture in
            try fixture.write(path)
            // Only inotify reports a change of the log alone; the store's own file is written eventually.
            if path.hasSuffix("-wal") { try fixture.write("replica/Document.sqlite") }
        }
    }
}

/// A document with two clients, and a replica.
struct WatchFixture: Sendable {
    private let folder: TemporaryFolder
    private let end = ContinuousClock.now + .seconds(20)

    init() throws {
        folder = try TemporaryFolder(prefix: "ticds-watch")
        for path in [
            "SyncChanges/own", "SyncChanges/other", "SyncCommands/other", "IntegrityKey", "RecentSyncs",
        ] { try makeFolder("Documents/notes/\(path)") }
        for name in ["Document.sqlite", "Replica.json"] { try write("replica/\(name)") }
    }

    func path(_ path: String) -> FilePath { folder.path.pushing(FilePath(path)) }

    func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: self.path(path).string, withIntermediateDirectories: true)
    }

    /// Creates or extends a file.
    func write(_ path: String) throws {
        let place = self.path(path)
        try FileManager.default.createDirectory(
            atPath: place.removingLastComponent().string, withIntermediateDirectories: true)
        let file = try FileDescriptor.open(
            place, .writeOnly, options: [.create, .append], permissions: .ownerReadWrite)
        try file.closeAfter { _ = try file.writeAll("more".utf8) }
    }

    func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self.path(path).string)
    }

    func later(_ body: @escaping @Sendable () throws -> Void) {
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.1)
            try? body()
        }
    }

    var isTooLate: () -> Bool { { .now > end } }

    func watch(seesAtOnce: Bool, interval: Duration? = nil) throws -> ReplicaWatch {
        var settings = ReplicaWatch.Settings()
        settings.interval = interval ?? (seesAtOnce ? .seconds(600) : .milliseconds(200))
        settings.quiet = .milliseconds(200)
        let configuration = ReplicaConfiguration(
            remote: folder.path.string, document: "notes", client: "own", description: "test")
        let watcher: any FolderWatcher = seesAtOnce ? try InotifyWatcher() : TimerWatcher()
        return ReplicaWatch(ReplicaFolder(path("replica")), configuration, watcher, settings)
    }
}

/// A watcher that reports nothing and only waits, as in a network file system.
private final class TimerWatcher: FolderWatcher {
    func watch(_ folder: FilePath) -> Bool { false }

    func wait(milliseconds: Int32) throws(FileProblem) -> FolderEvents {
        usleep(UInt32(max(0, milliseconds)) * 1_000)
        return FolderEvents()
    }
}
