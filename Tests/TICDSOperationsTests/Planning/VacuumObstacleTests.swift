import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore
import TICDSOperations

/// Obstacles that make a horizon unsafe are refused, and can be allowed by name.
@Suite struct VacuumObstacleTests {
    private func remote() throws -> VacuumRemote {
        var remote = try VacuumRemote("anna", "berta")
        let set = try remote.set("a", of: "anna", daysAgo: 100)
        try remote.store(of: "anna", daysAgo: 1, naming: [set])
        return remote
    }

    private func refusal(
        _ remote: VacuumRemote, _ change: (inout VacuumSettings) -> Void = { _ in }
    ) throws -> FileProblem? {
        do {
            _ = try remote.plan(change)
            return nil
        } catch let problem as FileProblem {
            return problem
        }
    }

    private func expectRefusal(
        _ remote: VacuumRemote, _ kind: VacuumObstacle.Kind, naming name: String, client: RemoteName?,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let rules: [VacuumSettings.Rule] = kind == .unreadableRegister ? [.applied] : [.applied, .framework]
        for rule in rules {
            let vacuum = try remote.analyse { $0.rule = rule }
            #expect(vacuum.obstacles.map(\.kind) == [kind], sourceLocation: location)
            #expect(vacuum.obstacles.first?.client == client, sourceLocation: location)
            let problem = try #require(try refusal(remote) { $0.rule = rule }, sourceLocation: location)
            #expect(problem.kind == .refused, sourceLocation: location)
            #expect(problem.advice?.contains("--allow-missing=\(name)") == true, sourceLocation: location)
            let allowed = try remote.analyse {
                $0.rule = rule
                $0.allowed = [name]
            }
            #expect(allowed.obstacles.isEmpty, sourceLocation: location)
            #expect(allowed.allowed.count == 1, sourceLocation: location)
            if let client {
                let ignored = try remote.analyse {
                    $0.rule = rule
                    $0.ignored = [client]
                }
                #expect(ignored.obstacles.isEmpty, sourceLocation: location)
            }
        }
    }

    @Test func placeholderOfARecentSync() throws {
        let remote = try remote()
        try remote.remove("RecentSyncs/berta.recentsync")
        let name = ".berta.recentsync.icloud"
        try remote.builder.write("Documents/notes/RecentSyncs/" + name, "placeholder")
        try expectRefusal(remote, .notDownloaded, naming: name, client: "berta")
        #expect(try remote.removed { $0.ignored = ["berta"] } == ["a"])
        #expect(try remote.removed { $0.allowed = [name] } == [], "nothing is known of Berta")
    }

    @Test func emptyRecentSync() throws {
        let remote = try remote()
        try remote.builder.write("Documents/notes/RecentSyncs/berta.recentsync", "")
        try expectRefusal(remote, .empty, naming: "berta.recentsync", client: "berta")
    }

    /// A listing does not show that a file with blocks contains only zeros.
    @Test func zerosWithBlocks() throws {
        var remote = try remote()
        let set = VacuumRemote.identifier("a", daysAgo: 100)
        try remote.store(of: "berta", daysAgo: 2, naming: [set])
        let young = try remote.set("young", of: "berta", daysAgo: 2)
        func zeros(_ inside: String, _ body: () throws -> Void) throws {
            let file = remote.builder.root.pushing(FilePath("Documents/notes/\(inside)"))
            let bytes = try FileBytes.read(file, limit: .changeSet).array
            let time = try FileStatus.of(file).modified
            try TestFiles.write(file, [UInt8](repeating: 0, count: 5000))
            try TestFiles.setTime(file, time)
            try body()
            try TestFiles.write(file, bytes)
            try TestFiles.setTime(file, time)
        }
        for (inside, client) in [
            ("SyncChanges/anna/\(set).syncchg", "anna"), ("RecentSyncs/berta.recentsync", "berta"),
            ("WholeStore/berta/WholeStore.ticdsync", "berta"),
        ] {
            let name = try #require(FilePath(inside).lastComponent?.string)
            try zeros(inside) {
                try expectRefusal(remote, .notDownloaded, naming: name, client: RemoteName(client))
            }
        }
        try zeros("SyncChanges/berta/\(young).syncchg") {
            let removed = try remote.removed()
            #expect(removed == ["a"])
        }
        #expect(try remote.removed() == ["a"])
    }

    /// A vacuum opens the sets that it would remove only if nothing else forbids it.
    @Test func refusedVacuumsOpenNoSet() throws {
        let remote = try VacuumRemote("anna", "berta")
        let set = try remote.set("a", of: "anna", daysAgo: 100)
        let file = remote.builder.root.pushing(FilePath("Documents/notes/SyncChanges/anna/\(set).syncchg"))
        let time = try FileStatus.of(file).modified
        try TestFiles.write(file, [UInt8](repeating: 0, count: 5000))
        try TestFiles.setTime(file, time)
        let refused = try remote.analyse()
        #expect(refused.obstacles.map(\.kind) == [.noWholeStores])
        #expect(refused.removable.count == 1)
        let allowed = try remote.analyse { $0.allowed = ["WholeStore"] }
        #expect(allowed.obstacles.map(\.kind) == [.notDownloaded])
        #expect(allowed.allowed.map(\.kind) == [.noWholeStores])
    }

    @Test func placeholderOfASet() throws {
        let remote = try remote()
        let folder = "Documents/notes/SyncChanges/berta"
        try remote.builder.write(folder + "/.0400000000.000000-X.syncchg.icloud", "placeholder")
        #expect(try refusal(remote)?.kind == .refused)
        #expect(try remote.removed { $0.allowed = [folder] } == ["a"])
        #expect(try refusal(remote) { $0.allowed = ["SyncChanges/berta"] } != nil)
    }

    @Test(arguments: ["nextcloud", "owncloud", "firm_virtual", "sciebo"])
    func placeholderOfANextcloud(suffix: String) throws {
        let remote = try remote()
        let name = "berta.recentsync.\(suffix)"
        try remote.remove("RecentSyncs/berta.recentsync")
        try remote.builder.write("Documents/notes/RecentSyncs/" + name, "x")
        try expectRefusal(remote, .notDownloaded, naming: name, client: "berta")
    }

    @Test(arguments: [
        "RecentSyncs/berta.recentsync", "SyncChanges/berta/0400000000.000000-X.syncchg",
        "WholeStore/berta/WholeStore.ticdsync",
    ])
    func filesOfOneByteOrOfZeros(place: String) throws {
        let remote = try remote()
        let name = try #require(FilePath(place).lastComponent?.string)
        let time = VacuumRemote.time(daysAgo: 200)
        try remote.builder.write("Documents/notes/" + place, "x", time: time)
        try expectRefusal(remote, .notDownloaded, naming: name, client: "berta")
        let path = remote.builder.root.pushing(FilePath("Documents/notes/" + place))
        let file = try FileDescriptor.open(path, .readWrite)
        try file.closeAfter {
            try file.resize(to: 0)
            try file.resize(to: 5_000)
        }
        try TestFiles.setTime(path, FileTime(seconds: time))
        try expectRefusal(remote, .notDownloaded, naming: name, client: "berta")
    }

    @Test func partialDownloadOfAStore() throws {
        let remote = try remote()
        try remote.builder.write("\(remote.place("anna"))/WholeStore.ticdsync.part", "half")
        #expect(try refusal(remote)?.kind == .refused)
    }

    @Test func strayElsewhereIsNoObstacle() throws {
        let remote = try remote()
        try remote.builder.write("Documents/notes/.x.icloud", "placeholder")
        try remote.builder.write("Documents/other/RecentSyncs/.x.icloud", "placeholder")
        #expect(try remote.analyse().obstacles.isEmpty)
    }

    @Test func missingRecentSync() throws {
        let remote = try remote()
        try remote.remove("RecentSyncs/berta.recentsync")
        try expectRefusal(remote, .noRecentSync, naming: "berta.recentsync", client: "berta")
        #expect(try remote.removed { $0.ignored = ["berta"] } == ["a"])
        #expect(try remote.removed { $0.allowed = ["berta.recentsync"] } == [])
    }

    @Test func recentSyncInTheFuture() throws {
        let remote = try remote()
        try remote.synchronised("berta", daysAgo: -0.9)
        #expect(try remote.removed() == ["a"])
        try remote.synchronised("berta", daysAgo: -400)
        try expectRefusal(remote, .recentSyncInFuture, naming: "berta.recentsync", client: "berta")
        #expect(try remote.removed { $0.allowed = ["berta.recentsync"] } == [])
    }

    @Test func folderWithoutAStore() throws {
        let remote = try remote()
        try remote.builder.makeFolder(remote.place("berta"))
        try expectRefusal(remote, .noWholeStore, naming: "berta", client: "berta")
        #expect(try remote.removed { $0.allowed = ["berta"] } == ["a"])
    }

    @Test func noStoreAtAll() throws {
        let remote = try VacuumRemote("anna", "berta")
        try remote.set("a", of: "anna", daysAgo: 100)
        try expectRefusal(remote, .noWholeStores, naming: "WholeStore", client: nil)
        #expect(try remote.removed { $0.allowed = ["WholeStore"] } == ["a"])
    }

    @Test func unreadableRegister() throws {
        var remote = try remote()
        try remote.store(of: "berta", daysAgo: 2, naming: [])
        remote.registers["berta"] = .some(nil)
        let name = "AppliedSyncChangeSets.ticdsync"
        try expectRefusal(remote, .unreadableRegister, naming: name, client: "berta")
        #expect(try remote.removed { $0.ignored = ["berta"] } == ["a"])
        #expect(try remote.removed { $0.allowed = [name] } == [])
    }

    /// A store that is shorter than its header says cannot start a new client.
    @Test(arguments: ["sqlite", "binary"]) func storeThatIsCutOff(form: String) throws {
        let remote = try remote()
        var head = [UInt8](repeating: 0, count: 100)
        if form == "sqlite" {
            head.replaceSubrange(0..<16, with: Array("SQLite format 3\0".utf8))
            // Pages of 4096 bytes, and ten of them.
            (head[16], head[31]) = (0x10, 10)
        } else {
            head.replaceSubrange(0..<8, with: Array("CoreData".utf8))
            // The keyed archive of objects, from 64 on and 4096 bytes long.
            (head[39], head[46]) = (64, 0x10)
        }
        let name = "WholeStore.ticdsync"
        let path = remote.builder.root.pushing(FilePath("\(remote.place("anna"))/\(name)"))
        let time = try FileStatus.of(path).modified
        for length in [48, 100] {
            try TestFiles.write(path, Array(head[..<length]))
            try TestFiles.setTime(path, time)
            #expect(try remote.analyse().obstacles.map(\.kind) == [.damagedStore])
            #expect(try refusal(remote)?.kind == .refused)
            #expect(try remote.removed { $0.allowed = [name] } == ["a"])
        }
        try TestFiles.write(path, head + [UInt8](repeating: 0, count: 10 * 4096 - 100))
        try TestFiles.setTime(path, time)
        #expect(try remote.removed() == ["a"])
    }

    @Test("Real registers are read from disk, and garbage is none") func registerOnDisk() throws {
        let remote = try remote()
        let snapshot = try RemoteSnapshot.take(remote.builder.storage)
        let sources = VacuumSources(remote.builder.storage)
        #expect(
            VacuumPlanner.analyse(snapshot, remote.settings(), sources)[0].obstacles.map(\.kind)
                == [.unreadableRegister])
        let name = "AppliedSyncChangeSets.ticdsync"
        let register = remote.builder.root.pushing(FilePath("\(remote.place("anna"))/\(name)"))
        try TestFiles.removeTree(register)
        let set = VacuumRemote.identifier("a", daysAgo: 100)
        try ChangeSetRegisterWriter.write([RegisteredChangeSet(identifier: set)], to: register)
        let listed = try RemoteSnapshot.take(remote.builder.storage)
        let vacuum = VacuumPlanner.analyse(listed, remote.settings(), sources)[0]
        // The store of this remote is a text.
        #expect(vacuum.obstacles.map(\.kind) == [.damagedStore])
        #expect(vacuum.removable.count == 1)
    }

    @Test("The newest store is in the way even where its client is ignored") func newestRegister() throws {
        var remote = try remote()
        try remote.store(of: "berta", daysAgo: 0.5, naming: [])
        remote.registers["berta"] = .some(nil)
        #expect(try refusal(remote) { $0.ignored = ["berta"] } != nil)
    }

    @Test func emptyRemoteHasNothingToDo() throws {
        let builder = try RemoteBuilder()
        try builder.skeleton()
        let snapshot = try RemoteSnapshot.take(builder.storage)
        let settings = VacuumSettings(now: VacuumRemote.now)
        let vacuums = VacuumPlanner.analyse(snapshot, settings, VacuumSources(builder.storage))
        let listed = try ListedRemote(root: builder.root, snapshot)
        #expect(try VacuumPlanner.plan(vacuums, of: listed, settings).actions.isEmpty)
    }

    @Test func refusalNamesAFewAndCountsTheRest() throws {
        let remote = try remote()
        for number in 0..<8 {
            try remote.builder.write("Documents/notes/RecentSyncs/.c\(number).icloud", "placeholder")
        }
        let found = try #require(try refusal(remote)?.found)
        #expect(found.contains("c0") && found.contains("c4") && !found.contains("c5"))
        #expect(found.hasSuffix("and 3 more"))
    }
}
