import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// `ticds-remote copy` into storages.
@Suite(.enabled(if: InstalledRclone.path != nil, "needs rclone 1.72"), .waiting) struct StorageUploadTests {
    typealias Kind = StorageServer.Kind

    /// Servers on which a folder moves as a whole; only one of them if long tests are not wanted.
    static let moving = (LongTests.areWanted ? [.sftp, .webdav, .wsgidav] : [.sftp]).filter {
        Kind.available.contains($0)
    }

    /// A local remote, and an empty folder on a server that the configuration of rclone knows as `nas`.
    struct Setting {
        let demo: DemoRemote
        let server: StorageServer
        /// The empty folder in rclone's form, and the place of the copy.
        let around: ServedFolder
        let environment: [String: String]

        init(_ kind: Kind, _ demoKind: DemoRemote.Kind = .plain, port: Int? = nil) throws {
            demo = try DemoRemote(demoKind, changeSets: 4)
            server = try StorageServer.shared(kind)
            around = server.newPlace()
            if let folder = around.folder { try TestFiles.makeFolder(folder) }
            environment = Self.environment(demo, server, port: port)
        }

        static func environment(
            _ demo: DemoRemote, _ server: StorageServer, port: Int? = nil
        ) -> [String: String] {
            let folder = demo.scratch.path
            var environment = [
                "TICDS_RCLONE": InstalledRclone.path?.string ?? "", "HOME": folder.string,
                "XDG_CACHE_HOME": folder.appending("cache").string,
                "XDG_STATE_HOME": folder.appending("state").string, "TMPDIR": folder.string,
            ]
            // The connection string in the form of a configuration.
            let words = server.storage(port: port).dropFirst().dropLast().split(separator: ",")
            environment["RCLONE_CONFIG_NAS_TYPE"] = String(words[0])
            for word in words.dropFirst() {
                let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
                environment["RCLONE_CONFIG_NAS_\(parts[0].uppercased())"] = parts[1].filter { $0 != "'" }
            }
            return environment
        }

        /// The folder around the copy, and the copy, as arguments.
        var parent: String { "rclone:nas:" + (around.location().split(separator: ":").last ?? "") }
        var place: String { parent + "/com.example.cookbook" }

        func run(_ program: String, _ words: [String]) throws -> Program.Result {
            try Program.run(program, words, environment: environment)
        }

        func copy(_ options: [String] = []) throws -> Program.Result {
            // A bucket has no empty folder to name.
            try run(
                "ticds-remote",
                ["copy", demo.path, server.kind == .s3 ? place : parent, "--yes"] + options)
        }

        /// Downloads the copy with rclone alone, and compares every name, time and byte.
        func compare() throws {
            let target = demo.scratch.path.appending("back")
            if try FileStatus.ifPresent(target) != nil { try TestFiles.removeTree(target) }
            try around.fetch(to: target)
            let names = try FileManager.default.contentsOfDirectory(atPath: target.string)
            #expect(names == ["com.example.cookbook"])
            try StorageCopyTests.compare(
                demo.root, target.appending("com.example.cookbook"), resolution: server.kind.resolution)
        }

        /// The names in the folder around the copy.
        func names() throws -> [String] {
            let target = demo.scratch.path.appending("look")
            if try FileStatus.ifPresent(target) != nil { try TestFiles.removeTree(target) }
            try TestFiles.makeFolder(target)
            try around.fetch(to: target)
            return try FileManager.default.contentsOfDirectory(atPath: target.string).sorted()
        }
    }

    /// A copy has every file with its bytes and its time, in the precision of the storage; an update copies only
    /// changed files, and both can be undone.
    @Test(arguments: moving) func copiesAndUpdates(kind: Kind) throws {
        let setting = try Setting(kind)
        let copied = try setting.copy()
        #expect(copied.status == 0, "\(copied.errors)")
        try setting.compare()
        let refused = try setting.copy()
        #expect(refused.status == 3 && refused.errors.contains("--update"), "\(refused.errors)")
        let same = try setting.copy(["--update", "--checksum"])
        #expect(same.status == 0 && same.output.contains("Nothing to do"), "\(same.output)\(same.errors)")

        let scratch = setting.demo.scratch
        try scratch.shell(
            """
            cp -a demo older; cd demo/com.example.cookbook/Documents/pantry
            echo new > SyncChanges/new.syncchg; rm -r WholeStore
            for f in RecentSyncs/*; do echo longer >> "$f"; done
            """)
        let updated = try setting.copy(["--update"])
        #expect(updated.status == 0, "\(updated.errors)")
        try setting.compare()

        try scratch.shell("rm -r demo; mv older demo")
        let undone = try setting.run("ticds-journal", ["undo", setting.place, "2", "--yes"])
        #expect(undone.status == 0, "\(undone.errors)")
        try setting.compare()
        let gone = try setting.run("ticds-journal", ["undo", setting.place, "1", "--yes"])
        #expect(gone.status == 0, "\(gone.errors)")
        #expect(try setting.names() == [])
    }

    /// Copies from one server to another, with different names and encryption.
    @Test(.enabled(if: LongTests.areWanted, "long: make check runs it"))
    func betweenServers() throws {
        let setting = try Setting(.webdav)
        let source = try StorageServer.shared(.sftp).newPlace()
        let folder = try #require(source.folder)
        try TestFiles.makeFolder(folder)
        try setting.demo.scratch.shell("cp -a demo/com.example.cookbook '\(folder)'")
        let copied = try setting.run(
            "ticds-remote", ["copy", source.address("com.example.cookbook"), setting.parent, "--yes"])
        #expect(copied.status == 0, "\(copied.errors)")
        try setting.compare()
        let secret = try setting.demo.scratch.password("sesame")
        let changed = try setting.run(
            "ticds-remote",
            [
                "copy", source.address("com.example.cookbook"), setting.parent, "--yes",
                "--rename-application", "com.example.other", "--encrypt", "--new-password-file", secret,
            ])
        #expect(changed.status == 0, "\(changed.errors)")
        let opened = try setting.run(
            "ticds-remote",
            ["check-password", setting.parent + "/com.example.other", "--password-file", secret, "--all"])
        #expect(opened.status == 0, "\(opened.errors)")
    }

    /// Copies into a bucket, file by file; the same command continues an interrupted copy, and other entries stay.
    @Test(
        .enabled(
            if: LongTests.areWanted && Kind.available.contains(.s3), "long, needs moto: make check runs it"))
    func intoABucket() throws {
        let setting = try Setting(.s3)
        let copied = try setting.copy()
        #expect(copied.status == 0, "\(copied.errors)")
        try setting.compare()
        // The copy is complete, or the rest is uploaded.
        #expect(try setting.copy().status == 0)
        let rclone = InstalledRclone.path?.string ?? ""
        let config = setting.environment.filter { $0.key.hasPrefix("RCLONE_") }
            .map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
        func bucket(_ line: String) throws {
            try setting.demo.scratch.shell("\(config) \(rclone) --config /dev/null \(line)")
        }
        let inside = String(setting.place.dropFirst("rclone:".count))
        try bucket("delete '\(inside)/ClientDevices'")
        let resumed = try setting.copy()
        #expect(resumed.status == 0, "\(resumed.errors)")
        try setting.compare()

        let update = try setting.copy(["--update"])
        #expect(update.status == 3 && update.errors.contains("cannot be updated"), "\(update.errors)")
        let deletion = try setting.run(
            "ticds-client", ["delete", setting.place, "Anna’s iPhone", "--document", "cookbook", "--yes"])
        #expect(deletion.status == 3 && deletion.errors.contains("ticds-remotes(7)"), "\(deletion.errors)")
        try setting.demo.scratch.shell("echo other > other")
        try bucket("copyto other '\(inside)/Documents/foreign'")
        let refused = try setting.copy()
        #expect(refused.status == 3 && refused.errors.contains("foreign"), "\(refused.errors)")
    }

    /// A copy that is killed at some moment leaves no part of a remote under its name, and the next copy completes it.
    @Test(.enabled(if: LongTests.areWanted, "long: make check runs it"), arguments: moving)
    func killed(kind: Kind) throws {
        let first = try Setting(kind)
        let start = ContinuousClock.now
        #expect(try first.copy().status == 0)
        let length = start.duration(to: .now) / .milliseconds(1)
        var numbers = RandomNumbers(9)
        for round in 0..<RcloneWritingTests.rounds {
            let setting = try Setting(kind)
            let pause = Double.random(in: 0.1..<1.05, using: &numbers) * length / 1_000
            let target = round % 2 == 0 ? "$command" : "$(ps -o pid= --ppid $command)"
            _ = try Program.shell(
                """
                ticds-remote copy '\(setting.demo.path)' '\(setting.parent)' --yes >/dev/null 2>&1 & command=$!
                sleep \(pause); kill -9 \(target); wait
                """, environment: setting.environment)
            let visible = try setting.names().filter { !$0.hasPrefix(".") }
            if !visible.isEmpty {
                try StorageCopyTests.compare(
                    setting.demo.root,
                    setting.demo.scratch.path.appending("look").appending("com.example.cookbook"),
                    resolution: kind.resolution)
            }
            var again = try setting.copy(["--update"])
            if again.status != 0, again.errors.contains("journal recover") {
                let recovery = try setting.run("ticds-journal", ["recover", setting.place])
                #expect(recovery.status == 0, "after \(pause) s: \(recovery.errors)")
                again = try setting.copy(["--update"])
            }
            #expect(again.status == 0, "after \(pause) s: \(again.errors)")
            try setting.compare()
        }
    }

    /// A remote that a storage cannot store is refused before any upload.
    @Test func refusals() throws {
        var setting = try Setting(.webdav)
        var environment = setting.environment
        environment["RCLONE_CONFIG_NAS_VENDOR"] = "other"
        func errors(_ words: [String]) throws -> String {
            let result = try Program.run(
                "ticds-remote", ["copy"] + words + ["--yes"], environment: environment)
            #expect(result.status != 0)
            return result.errors
        }
        let withoutTimes = try errors([setting.demo.path, setting.parent])
        #expect(
            withoutTimes.contains("keeps no modification times")
                && withoutTimes.contains("ticds-archive export"))
        environment = setting.environment
        #expect(try errors([setting.demo.path, setting.parent + "/none"]).contains("identifier"))
        #expect(
            try errors([setting.demo.path, setting.parent + "/none/com.example.cookbook"]).contains(
                "no such folder"))
        #expect(
            try errors([setting.demo.path, "rclone::local:" + setting.demo.scratch.path.string])
                .contains("configuration of rclone"))
        // Two sets of the same second, whose names are in a different order than their times.
        try setting.demo.scratch.shell(
            """
            cd demo/com.example.cookbook/Documents/cookbook/SyncChanges; cd "$(ls | head -n 1)"; set -- *.syncchg
            touch -d '2020-01-01 10:00:00.9' "$1"; touch -d '2020-01-01 10:00:00.1' "$2"
            """)
        #expect(try errors([setting.demo.path, setting.parent]).contains("rounds times"))
        #expect(try setting.names() == [])
        setting = try Setting(.webdav)
        let copied = try setting.copy()
        #expect(copied.status == 0, "\(copied.errors)")
        environment = setting.environment
        #expect(
            try errors([setting.demo.path, setting.place + "/Documents"]).contains("inside another remote"))
        #expect(
            try errors([
                setting.demo.path, setting.place + "/Documents/com.example.cookbook",
            ]).contains("inside another remote"))
    }
}
