import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSArchive
import TICDSCore

/// Retention counts and removes only the snapshots of one remote.
@Suite(.waiting) struct RotationIdentityTests {
    /// All names except hidden ones.
    private func names(_ fixture: ArchiveFixture) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.path("back")).filter {
            !$0.hasPrefix(".")
        }
        .sorted()
    }

    private func fixture(_ older: Int = 0) throws -> ArchiveFixture {
        let fixture = try ArchiveFixture(["--change-sets", "1"])
        try fixture.scratch.shell("mkdir back")
        if older > 0 { try fixture.olderArchives(older) }
        return fixture
    }

    private func leftAlone(_ result: Program.Result) throws -> [String: String] {
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any])
        let left = try #require(document["leftAlone"] as? [[String: Any]])
        return Dictionary(
            left.compactMap { entry in
                guard let path = entry["archive"] as? String, let reason = entry["reason"] as? String else {
                    return nil
                }
                return (FilePath(path).lastComponent?.string ?? "", reason)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// Anna and Ben each have a remote of the same app and with the same integrity keys, and one folder for both.
    @Test func twoRemotesInOneFolder() throws {
        let fixture = try fixture()
        let ben = fixture.place.appending("ben").appending("com.example.cookbook")
        try fixture.scratch.shell("mkdir ben; cp -a demo/com.example.cookbook ben/")
        #expect(try fixture.snapshot(["--keep-daily", "7"]).status == 0)
        let anna = try names(fixture)
        for _ in 0..<3 {
            let result = try fixture.snapshot(["--keep-daily", "1"], of: ben)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("left 1 snapshot of other remotes alone"), "\(result.output)")
        }
        let left = try names(fixture)
        #expect(left.count == 2 && left.contains(anna[0]), "\(left)")
        let identifiers = left.compactMap {
            DatedArchiveName(RemoteName($0), of: "com.example.cookbook")?.identifier
        }
        #expect(Set(identifiers).count == 2)
    }

    /// Commands for both at the same moment: each ends well or reports that another is active, and neither remote loses
    /// its last snapshot.
    @Test func twoAtOnce() throws {
        let fixture = try fixture()
        try fixture.scratch.shell("mkdir ben; cp -a demo/com.example.cookbook ben/")
        let ben = fixture.place.appending("ben").appending("com.example.cookbook")
        #expect(try fixture.snapshot([]).status == 0)
        #expect(try fixture.snapshot([], of: ben).status == 0)
        let program = Program.path("ticds-remote")
        for _ in 0..<3 {
            try fixture.scratch.shell(
                """
                export XDG_STATE_HOME="$PWD/state"
                for remote in demo ben demo ben; do
                    { '\(program)' snapshot $remote/com.example.cookbook back --keep-daily 1 >/dev/null 2>>errors
                      echo $? >> statuses; } &
                done
                wait
                """)
            let identifiers = try names(fixture).compactMap {
                DatedArchiveName(RemoteName($0), of: "com.example.cookbook")?.identifier
            }
            #expect(Set(identifiers).count == 2, "\(identifiers)")
        }
        let statuses = try fixture.scratch.shell("sort statuses | uniq -c")
        let errors = try fixture.scratch.shell("cat errors")
        #expect(
            statuses.split(separator: "\n").allSatisfy { $0.hasSuffix(" 0") || $0.hasSuffix(" 3") },
            "\(errors)")
        for name in try names(fixture) {
            #expect(
                try fixture.archive(["verify", fixture.path("back/\(name)")], succeeding: false).status == 0)
        }
    }

    /// Removed snapshots are restored, with every byte, any number of times; and a remote's own trash is separate.
    @Test func whatWentComesBack() throws {
        let fixture = try fixture(2)
        let before = try names(fixture)
        let bytes = try before.map { try FileBytes.read(FilePath(fixture.path("back/\($0)"))).array }
        let result = try fixture.snapshot(["--keep-daily", "1"])
        #expect(result.status == 0 && result.output.contains("ticds-journal undo"), "\(result.output)")
        #expect(try names(fixture).count == 1)
        let state = ["XDG_STATE_HOME": fixture.path("state")]
        let listed = try Program.run("ticds-journal", ["list", fixture.path("back")], environment: state)
        #expect(listed.output.contains("Remove 2 snapshots of com.example.cookbook"), "\(listed.output)")
        let undone = try Program.run(
            "ticds-journal", ["undo", fixture.path("back"), "1", "--yes"], environment: state)
        #expect(undone.status == 0, "\(undone.errors)")
        for (name, wanted) in zip(before, bytes) {
            #expect(try FileBytes.read(FilePath(fixture.path("back/\(name)"))).array == wanted)
        }
        #expect(try names(fixture).count == 3)
        #expect(try fixture.snapshot(["--keep-daily", "1"]).status == 0)
        let pruned = try Program.run(
            "ticds-journal", ["prune", "--older-than", "0s", "--larger-than", "0", "--yes"],
            environment: state)
        #expect(pruned.status == 0, "\(pruned.errors)")
        #expect(try fixture.scratch.shell("find back -name '[0-9]*' -type f").isEmpty)
        #expect(try names(fixture).count == 1)
    }

    @Test func forGoodWhereSomebodySaysSo() throws {
        let fixture = try fixture(2)
        let result = try fixture.snapshot(["--keep-daily", "1", "--no-trash"])
        #expect(result.status == 0 && !result.output.contains("undo"), "\(result.output)")
        #expect(try names(fixture).count == 1)
        #expect(try fixture.scratch.shell("find back -type f ! -name '.*' | wc -l").contains("1"))
    }

    /// An empty trash of a folder on a lost volume is not created again in its place.
    @Test func aFolderThatIsGoneIsNotMadeAnew() throws {
        let fixture = try fixture(1)
        #expect(try fixture.snapshot(["--keep-daily", "1"]).status == 0)
        try fixture.scratch.shell("mv back gone")
        let state = ["XDG_STATE_HOME": fixture.path("state")]
        for words in [
            ["undo", fixture.path("back"), "1", "--yes"], ["prune", "--older-than", "0s", "--yes"],
        ] {
            let result = try Program.run(
                "ticds-journal", words,
                environment: state.merging(FaultyProgram.environment(ahead: 2)) { $1 })
            #expect(result.status == 2, "\(words): \(result.output) \(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: fixture.path("back")), "\(words)")
        }
        try fixture.scratch.shell("mv gone back")
        let undone = try Program.run(
            "ticds-journal", ["undo", fixture.path("back"), "1", "--yes"], environment: state)
        #expect(undone.status == 0, "\(undone.errors)")
    }

    /// Archives with future times never count.
    @Test func theFutureCountsForNothing() throws {
        let fixture = try fixture(3)
        let before = try names(fixture)
        let one = try #require(before.first)
        for year in 9990...9999 {
            let name = one.replacing(/-\d{8}T/, with: "-\(year)0101T")
            try fixture.scratch.shell("cp 'back/\(one)' 'back/\(name)'")
        }
        let result = try fixture.snapshot(["--keep-daily", "3"])
        #expect(result.status == 0 && result.errors.contains("-99990101T"), "\(result.errors)")
        #expect(result.errors.contains("from the future"), "\(result.errors)")
        let left = try names(fixture)
        #expect(left.count == 10 + 3 && left.contains(before[2]) && !left.contains(one), "\(left)")
    }

    /// An archive that is not certainly a snapshot of this remote neither counts nor is removed, and each is listed
    /// with the reason.
    @Test func nothingDoubtfulGoes() throws {
        let fixture = try fixture(2)
        let one = try #require(try names(fixture).first)
        let identifier = try #require(
            DatedArchiveName(RemoteName(one), of: "com.example.cookbook")?.identifier)
        func name(_ day: Int, _ remote: String? = nil) -> String {
            "com.example.cookbook-\(remote ?? identifier)-201901\(day)T000000Z.tar.zst"
        }
        try fixture.scratch.shell(
            """
            cp back/\(one) back/\(name(10, "0123456789abcdef"))
            cp back/\(one) back/com.example.cookbook-20190111T000000Z.tar.zst
            mkdir back/\(name(12)); ln -s \(one) back/\(name(13)); mkfifo back/\(name(14))
            touch back/\(name(15)); head -c 2000 back/\(one) > back/\(name(16)); echo hello > back/\(name(17))
            tar -C demo -cf - com.example.cookbook | zstd -q > back/\(name(18)) || bsdtar --zstd -cf back/\(name(18)) -C demo com.example.cookbook
            """)
        try fixture.archive(["export", fixture.root.string, fixture.path("back/\(name(19))")])
        try fixture.archive(
            ["export", fixture.root.string, fixture.path("back/\(name(20))"), "--document", "pantry"])
        let before = try names(fixture)
        let result = try fixture.snapshot(["--keep-daily", "1", "--json"])
        #expect(result.status == 5, "\(result.errors)")
        let expected = [
            name(10, "0123456789abcdef"): "otherRemote",
            "com.example.cookbook-20190111T000000Z.tar.zst": "unidentified", name(12): "notAFile",
            name(13): "notAFile", name(14): "notAFile", name(15): "unreadable", name(16): "unreadable",
            name(17): "unreadable", name(18): "misnamed", name(19): "misnamed", name(20): "misnamed",
        ]
        #expect(try leftAlone(result) == expected)
        let left = try names(fixture)
        #expect(Set(before).subtracting(left) == Set(before.filter { !expected.keys.contains($0) }))
        #expect(left.count == expected.count + 1)
    }

    /// An archive that its name would keep, but that is damaged after its manifest, does not prevent another from being
    /// kept.
    @Test func theDamagedKeepNothingOut() throws {
        let fixture = try fixture(1)
        let one = try #require(try names(fixture).first)
        let early = one.replacing(/-\d{8}T\d{6}Z/, with: "-20190101T010000Z")
        let late = one.replacing(/-\d{8}T\d{6}Z/, with: "-20190101T020000Z")
        try fixture.scratch.shell(
            """
            mv back/\(one) back/\(early); size=$(wc -c < back/\(early))
            head -c $((size - 100)) back/\(early) > back/\(late)
            """)
        for words in [["--dry-run"], []] {
            let result = try fixture.snapshot(["--keep-daily", "2"] + words)
            #expect(result.status == 5 && result.errors.contains(late), "\(result.errors)")
            let left = try names(fixture)
            #expect(left.contains(early) && left.contains(late), "\(left)")
        }
    }

    /// A missing permission is not a missing archive.
    @Test(.enabled(if: getuid() != 0, "root may read everything")) func noPermissionIsAnError() throws {
        let fixture = try fixture(2)
        let one = try #require(try names(fixture).first)
        try fixture.scratch.shell("chmod 0 back/\(one)")
        let result = try fixture.snapshot(["--keep-daily", "1"])
        #expect(result.status == 5 && result.errors.contains("permission"), "\(result.errors)")
        #expect(try names(fixture).contains(one))
    }

    /// An incomplete snapshot does not later displace a complete one of its day.
    @Test func theIncompleteKeepNothingOut() throws {
        let fixture = try fixture(1)
        let whole = try #require(try names(fixture).first)
        try fixture.scratch.shell("ln -s /nowhere '\(fixture.root)/link'")
        #expect(try fixture.snapshot([]).status == 5)
        let part = try #require(try names(fixture).last)
        let late = whole.replacing(/T\d{6}Z/, with: "T235959Z")
        try fixture.scratch.shell("mv back/\(part) back/\(late); rm '\(fixture.root)/link'")
        let result = try fixture.snapshot(["--keep-daily", "2", "--json"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try leftAlone(result) == [late: "incomplete"])
        #expect(try names(fixture).contains(whole))
    }

    /// A different remote in the place of the first: the snapshots of the first stay until the user adopts them.
    @Test func anotherRemoteInTheSamePlace() throws {
        let fixture = try fixture(2)
        let before = try names(fixture)
        let state = ["XDG_STATE_HOME": fixture.path("state")]
        for document in ["cookbook", "pantry"] {
            let reset = try Program.run(
                "ticds-integrity", ["reset", fixture.root.string, "--document", document, "--yes"],
                environment: state)
            #expect(reset.status == 0, "\(reset.errors)")
            let result = try fixture.snapshot(["--keep-daily", "9", "--json"])
            #expect(result.status == 0, "\(result.errors)")
            // As long as one document has its key, it is the same remote; this also applies to snapshots that share a
            // key indirectly.
            #expect(try leftAlone(result) == [:], "\(document)")
        }
        try fixture.scratch.shell("rm back/*\(Self.today)*")
        let result = try fixture.snapshot(["--keep-daily", "1", "--json"])
        #expect(result.status == 0 && result.errors.contains("--adopt"), "\(result.errors)")
        #expect(try leftAlone(result) == [before[0]: "otherKeys", before[1]: "otherKeys"])
        let adopted = try fixture.snapshot(
            ["--keep-daily", "1", "--adopt", fixture.path("back/\(before[0])"), "--dry-run"])
        for name in before {
            let line = "would remove \(fixture.path("back/\(name)"))"
            #expect(adopted.output.contains(line), "\(adopted.output)")
        }
        #expect(try names(fixture).count == 3)
        #expect(
            try fixture.snapshot(["--keep-daily", "1", "--adopt", fixture.path("back/\(before[0])")]).status
                == 0)
        #expect(try names(fixture).count == 1)
    }

    private static var today: String { String(FileTime.now.iso.prefix(10).filter { $0 != "-" }) }

    /// A remote without documents is not the same as one that had some: the sync service may have lost them.
    @Test func anEmptiedRemoteRemovesNothing() throws {
        let fixture = try fixture(3)
        let before = try names(fixture)
        try fixture.scratch.shell("rm -r '\(fixture.root)'/Documents/*")
        #expect(try fixture.snapshot(["--keep-daily", "1"]).status == 0)
        #expect(try Set(names(fixture)).isSuperset(of: before))
    }

    /// A remote that moved is a different one, until it adopts its earlier snapshots.
    @Test func aRemoteThatMoved() throws {
        let fixture = try fixture(3)
        let before = try names(fixture)
        let moved = fixture.place.appending("moved").appending("com.example.cookbook")
        try fixture.scratch.shell("mkdir moved; mv demo/com.example.cookbook moved/")
        let first = try fixture.snapshot(["--keep-daily", "1"], of: moved)
        #expect(first.status == 0 && first.output.contains("left 3 snapshots of other remotes alone"))
        #expect(try names(fixture).count == 4)
        let second = try fixture.snapshot(
            ["--keep-daily", "2", "--adopt", fixture.path("back/\(before[0])")], of: moved)
        #expect(second.status == 0, "\(second.errors)")
        #expect(try names(fixture).count == 2)
        // The snapshots stay adopted.
        #expect(try fixture.snapshot(["--keep-daily", "1"], of: moved).status == 0)
        #expect(try names(fixture).count == 1)
    }

    /// Archives whose names have no identifier, as from an export by hand, count once the user assigns them to a
    /// remote.
    @Test func exportsByHandCountOnceAdopted() throws {
        let fixture = try fixture()
        for day in 10...12 {
            try fixture.archive(
                [
                    "export", fixture.root.string,
                    fixture.path("back/com.example.cookbook-202001\(day)T000000Z.zip"),
                ])
        }
        let before = try names(fixture)
        let result = try fixture.snapshot(["--keep-daily", "1"])
        #expect(result.status == 0 && result.errors.contains("--adopt"), "\(result.errors)")
        #expect(try Set(names(fixture)).isSuperset(of: before))
        let options = before[0...1].flatMap { ["--adopt", fixture.path("back/\($0)")] }
        #expect(try fixture.snapshot(["--keep-daily", "1"] + options).status == 0)
        #expect(try names(fixture).count == 2 && names(fixture).contains(before[2]))
        for stranger in [
            fixture.root.string, fixture.path("back/nothing"), fixture.path("back/.ticds-snapshot.lock"),
        ] {
            let refused = try fixture.snapshot(["--adopt", stranger])
            #expect(refused.status == 3, "\(refused.errors)")
        }
    }

    /// An encrypted remote is identified without its password.
    @Test func anEncryptedRemote() throws {
        let demo = try DemoRemote(.encrypted, changeSets: 1)
        try demo.scratch.shell("mkdir back")
        let words = ["snapshot", demo.path, "\(demo.scratch.path)/back", "--keep-daily", "1"]
        let state = ["XDG_STATE_HOME": "\(demo.scratch.path)/state"]
        for _ in 0..<2 {
            let result = try Program.run("ticds-remote", words, environment: state)
            #expect(result.status == 0, "\(result.errors)")
        }
        #expect(try demo.scratch.shell("ls back").split(separator: "\n").count == 1)
    }

    /// A damaged file of ticds ends the command before anything is written.
    @Test func aDamagedIdentity() throws {
        let fixture = try fixture(1)
        try fixture.scratch.shell("echo nonsense > state/ticds/com.example.cookbook-*/identity")
        let before = try names(fixture)
        let result = try fixture.snapshot(["--keep-daily", "1"])
        #expect(result.status == 2 && result.errors.contains("identity"), "\(result.errors)")
        #expect(try names(fixture) == before)
    }
}

extension ArchiveFixture {
    /// Makes this many snapshots of the remote, from the first days of 2020, in the folder `back`.
    func olderArchives(_ count: Int) throws {
        let result = try snapshot(["--json"])
        try #require(result.status == 0, "\(result.errors)")
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any])
        let archive = try #require(document["archive"] as? String)
        for day in 1...count {
            let name = archive.replacing(/-\d{8}T\d{6}Z/, with: "-2020010\(day)T030000Z")
            try scratch.shell("cp '\(archive)' '\(name)'")
        }
        try scratch.shell("rm '\(archive)'")
    }
}
