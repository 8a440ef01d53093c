import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSArchive
import TICDSCore

/// `ticds-remote snapshot`: snapshots for cron, and their removal.
@Suite(.waiting) struct RotationTests {
    /// Commands that are given the folder around a remote use the remote, and commands that are given a folder of
    /// snapshots use that folder.
    @Test func theFolderAroundARemoteIsRefused() throws {
        let demo = try DemoRemote(changeSets: 2)
        let around = FilePath(demo.path).removingLastComponent().string
        let result = try Program.run("ticds-remote", ["snapshot", demo.path, around, "--keep-daily", "3"])
        #expect(result.status == 3 && result.errors.contains("beside the remote"), "\(result.errors)")
    }

    private static func fixture() throws -> ArchiveFixture {
        let fixture = try ArchiveFixture(["--change-sets", "1"])
        try fixture.scratch.shell("mkdir back")
        return fixture
    }

    private func names(_ fixture: ArchiveFixture) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: fixture.path("back")))
            .filter { !$0.hasPrefix(".ticds-") }
    }

    private func document(_ result: Program.Result) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any])
    }

    @Test(arguments: ["zstd", "xz", "gzip", "zip"])
    func writesAnArchiveThatComesBack(format: String) throws {
        let fixture = try Self.fixture()
        let result = try fixture.snapshot(["--format", format, "--level", "1", "--json"])
        #expect(result.status == 0, "\(result.errors)")
        let archive = try #require(try document(result)["archive"] as? String)
        #expect(try names(fixture) == [FilePath(archive).lastComponent?.string ?? ""])
        #expect(try fixture.archive(["verify", archive]).output.hasPrefix("Intact: "))
        #expect(try TreeFacts(fixture.bring(archive)) == TreeFacts(fixture.root))
    }

    /// The time is in UTC, in any local zone; and cron gets no output.
    @Test func isQuietAndUniversal() throws {
        let fixture = try Self.fixture()
        let before = FileTime.now
        let result = try fixture.snapshot(["--quiet", "--keep-daily", "1"], ["TZ": "Asia/Tokyo"])
        #expect(result.status == 0 && result.output.isEmpty && result.errors.isEmpty, "\(result.errors)")
        let made = try #require(try names(fixture).first)
        #expect(made.wholeMatch(of: /com\.example\.cookbook-[0-9a-f]{16}-\d{8}T\d{6}Z\.tar\.zst/) != nil)
        let snapshot = try #require(DatedArchiveName(RemoteName(made), of: "com.example.cookbook"))
        #expect(snapshot.time >= FileTime(seconds: before.seconds) && snapshot.time <= .now)
    }

    /// Only files with the exact name of a snapshot of this app are removed.
    @Test func touchesNothingElse() throws {
        let fixture = try Self.fixture()
        try fixture.olderArchives(3)
        let app = try #require(try names(fixture).first).replacing(/-2020.*/, with: "")
        try fixture.scratch.shell("cd back; mv \(app)-20200103* \(app)-20190101T235959Z.tar.zst; rm .ticds-*")
        let old = try names(fixture).sorted()
        let others = [
            "\(app)-20200230T000000Z.tar.zst", "\(app)-20200101T240000Z.tar.zst",
            "\(app)-20200101T000000Z.tar",
            "\(app)-20200101T000000Z.tar.zst.part", "\(app)2-20200101T000000Z.tar.zst",
            "\(app)-2-20200101T000000Z.tar.zst", "x\(app)-20200101T000000Z.tar.zst",
            "\(app)-20200101t000000Z.tar.zst", "\(app)-+2020101T000000Z.tar.zst", "notes.txt",
            "COM.example.cookbook-20200101T000000Z.tar.zst",
        ]
        for name in others { try fixture.scratch.shell("echo \(name) > 'back/\(name)'") }
        try fixture.scratch.shell(
            """
            mkdir back/\(app)-20200103T000000Z.tar.zst
            ln -s ../demo back/\(app)-20200104T000000Z.tar.zst
            """)
        let before = try names(fixture)
        let shown = try fixture.snapshot(["--keep-monthly", "1", "--dry-run"])
        #expect(shown.status == 0 && shown.output.matches(of: /would remove/).count == 3, "\(shown.output)")
        #expect(try names(fixture) == before)
        #expect(!FileManager.default.fileExists(atPath: fixture.path("back/.ticds-snapshot.lock")))
        #expect(try fixture.snapshot([]).status == 0)
        #expect(try names(fixture).isSuperset(of: before), "without --keep nothing goes")
        let result = try fixture.snapshot(["--keep-monthly", "2", "--verbose"])
        #expect(result.status == 0, "\(result.errors)")
        let left = try names(fixture)
        // The newest of this month, and also the newest of the last earlier month with any.
        #expect(left.isSuperset(of: before.subtracting(old[0...1])))
        #expect(left.isDisjoint(with: old[0...1]))
        #expect(left.count == before.count - 2 + 1, "\(left)")
    }

    /// If a second already has a snapshot, the command waits for the next; if the following seconds also have one, the
    /// clock is wrong.
    @Test func neverTwoOfOneSecond() throws {
        let fixture = try Self.fixture()
        #expect(try fixture.snapshot([]).status == 0)
        let first = try #require(try names(fixture).first)
        let identifier = DatedArchiveName(RemoteName(first), of: "com.example.cookbook")?.identifier
        let now = FileTime.now.seconds
        func occupy(_ count: Int64) throws {
            for second in now...now + count {
                let name = DatedArchiveName(
                    "com.example.cookbook", identifier, FileTime(seconds: second), .zstd
                )
                .name
                try fixture.scratch.shell("touch 'back/\(name)'")
            }
        }
        try occupy(1)
        let before = try names(fixture)
        let result = try fixture.snapshot([])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try names(fixture).count == before.count + 1)
        try occupy(120)
        let refused = try fixture.snapshot([])
        #expect(refused.status == 3 && refused.errors.contains("clock"), "\(refused.errors)")
        #expect(!refused.errors.contains("--force"))
    }

    /// A snapshot from a fast clock does not displace the new one.
    @Test func futureArchives() throws {
        let fixture = try Self.fixture()
        let future = "com.example.cookbook-29991231T000000Z.tar.zst"
        try fixture.scratch.shell("touch back/\(future)")
        #expect(try fixture.snapshot(["--keep-daily", "1"]).status == 0)
        let left = try names(fixture)
        #expect(left.count == 2 && left.contains(future), "\(left)")
    }

    @Test func refusesToHarm() throws {
        let fixture = try Self.fixture()
        let inside = fixture.root.appending("Documents").string
        for folder in [inside, fixture.root.string, fixture.root.appending("Nowhere").string] {
            let result = try fixture.snapshot([], folder: folder)
            #expect(result.status == (folder.hasSuffix("Nowhere") ? 2 : 3), "\(result.errors)")
        }
        try fixture.scratch.shell(
            "ln -s '\(inside)' link; mkdir -p back/ClientDevices back/Documents back/own")
        #expect(try fixture.snapshot([], folder: fixture.path("link")).status == 3)
        #expect(try fixture.snapshot([], folder: fixture.path("back/own")).status == 3)
        let missing = try fixture.snapshot([], folder: fixture.path("not mounted"))
        #expect(missing.status == 2 && missing.errors.contains("mount"))
        #expect(!FileManager.default.fileExists(atPath: fixture.path("not mounted")))
        #expect(try fixture.snapshot(["--keep-daily", "0"]).status == 64)
        #expect(try fixture.snapshot(["--level", "20"]).status == 64)
    }

    /// The lock is one that `flock` of util-linux also uses.
    @Test func oneAtATime() throws {
        let fixture = try Self.fixture()
        let program = Program.path("ticds-remote")
        let held = """
            export XDG_STATE_HOME="$PWD/state"
            exec 9>back/.ticds-snapshot.lock; flock 9
            status=0; '\(program)' snapshot '\(fixture.root)' back 9>&- || status=$?
            test $status = 3; test -z "$(ls back)"
            '\(program)' snapshot '\(fixture.root)' back --lock-wait 60s 9>&- & waiting=$!
            for i in $(seq 200); do ls -l /proc/$waiting/fd | grep -q snapshot.lock && break; sleep 0.05; done
            flock -u 9; wait $waiting
            test "$(ls back | wc -l)" = 1
            """
        try fixture.scratch.shell(held)
    }

    /// If an entry was left out, the status shows it, and the old snapshots stay.
    @Test func keepsAllWhereTheNewOneIsNotWhole() throws {
        let fixture = try Self.fixture()
        try fixture.olderArchives(1)
        let old = try #require(try names(fixture).first)
        try fixture.scratch.shell("ln -s /etc/passwd '\(fixture.root)/link'")
        let result = try fixture.snapshot(["--keep-daily", "1"])
        #expect(result.status == 5 && result.errors.contains("the new one is incomplete"), "\(result.errors)")
        #expect(try names(fixture).contains(old) && names(fixture).count == 2)
    }

    /// Without the keys of the remote, it is unknown whether older snapshots belong to a different one.
    @Test func unreadableRemoteIsNoReasonToRemoveSnapshots() throws {
        let fixture = try Self.fixture()
        try fixture.olderArchives(1)
        let old = try #require(try names(fixture).first)
        try fixture.scratch.shell(
            """
            for document in '\(fixture.root)'/Documents/*; do
                mv "$document/IntegrityKey" "keys-$(basename "$document")"
                ln -s /nowhere "$document/IntegrityKey"
            done
            """)
        for words in [["--dry-run"], []] {
            let result = try fixture.snapshot(["--keep-daily", "1"] + words)
            #expect(result.status == 5 && result.errors.contains("a symbolic link"), "\(result.errors)")
            #expect(result.errors.contains("\(old). Keep them: "), "\(result.errors)")
            #expect(!result.errors.contains("by hand"))
        }
        #expect(try names(fixture).contains(old) && names(fixture).count == 2)
    }

    /// The kinds of problems that an application identifier can cause in a name.
    @Test func namesAreReadAsTheyAreWritten() throws {
        for form in ArchiveForm.allCases {
            for seconds: Int64 in [0, 951_782_399, 951_868_800, 4_102_444_799, 253_402_300_799] {
                for identifier in [nil, "0123456789abcdef"] {
                    let time = FileTime(seconds: seconds, nanoseconds: 5)
                    let name = DatedArchiveName("a-b", identifier, time, form)
                    #expect(DatedArchiveName(name.name, of: "a-b") == name)
                    #expect(DatedArchiveName(name.name, of: "a") == nil)
                }
            }
        }
        let epoch = DatedArchiveName("a", nil, FileTime(seconds: 1_000_000_000), .zip)
        #expect(epoch.name == "a-20010909T014640Z.zip")
    }
}

extension ArchiveFixture {
    /// Writes a snapshot of the remote.
    func snapshot(
        _ words: [String], _ environment: [String: String] = [:], folder: String? = nil,
        of remote: FilePath? = nil
    ) throws -> Program.Result {
        let state = ["XDG_STATE_HOME": path("state")].merging(environment) { $1 }
        return try Program.run(
            "ticds-remote", ["snapshot", (remote ?? root).string, folder ?? path("back")] + words,
            environment: state)
    }
}
