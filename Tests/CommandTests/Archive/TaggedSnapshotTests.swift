import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSArchive
import TICDSCore

/// `ticds-remote snapshot --tag` and `--keep-tag`.
@Suite(.waiting) struct TaggedSnapshotTests {
    private static func fixture() throws -> ArchiveFixture {
        let fixture = try ArchiveFixture(["--change-sets", "40"])
        try fixture.scratch.shell("mkdir back")
        return fixture
    }

    private func names(_ fixture: ArchiveFixture) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.path("back")).filter {
            !$0.hasPrefix(".")
        }.sorted()
    }

    /// Writes a snapshot; returns the path of the archive.
    private func write(_ fixture: ArchiveFixture, _ words: [String] = []) throws -> String {
        let document = try self.document(fixture, words)
        return try #require(document["archive"] as? String)
    }

    private func document(
        _ fixture: ArchiveFixture, _ words: [String], status: Int32 = 0
    ) throws -> [String: Any] {
        let result = try fixture.snapshot(words + ["--json"])
        try #require(result.status == status, "\(result.errors)")
        return try #require(try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any])
    }

    /// `FOLDER:latest` chooses the newest snapshot.
    @Test func latestIsNoTag() throws {
        let result = try Self.fixture().snapshot(["--tag", "latest"])
        #expect(result.status == 64 && result.errors.contains("--tag latest"), "\(result.errors)")
    }

    /// The snapshots that a dry run would remove, and the reasons for keeping the others, by the ends of the names.
    private func decision(
        _ fixture: ArchiveFixture, _ words: [String], status: Int32 = 0
    ) throws -> (kept: [String: [String]], removed: Set<String>) {
        let document = try document(fixture, words + ["--dry-run"], status: status)
        func end(_ archive: [String: Any]) -> String {
            (archive["archive"] as? String ?? "").replacing(/.*Z/, with: "")
        }
        let kept = try #require(document["kept"] as? [[String: Any]])
        let removed = try #require(document["removed"] as? [[String: Any]])
        return (
            Dictionary(kept.map { (end($0), $0["reasons"] as? [String] ?? []) }) { $0 + $1 },
            Set(removed.map(end))
        )
    }

    @Test func standsInTheName() throws {
        let fixture = try Self.fixture()
        let file = try write(fixture, ["--tag", "before-update"])
        #expect(
            file.wholeMatch(
                of: /.*\/com\.example\.cookbook-[0-9a-f]{16}-\d{8}T\d{6}Z\+before-update\.tar\.zst/) != nil)
        #expect(try fixture.archive(["verify", file]).output.hasPrefix("Intact: "))
        #expect(try TreeFacts(fixture.bring(file)) == TreeFacts(fixture.root))
        let document = try document(fixture, ["--tag", "2", "--keep-last", "9"])
        #expect(document["tag"] as? String == "2")
        let kept = try #require(document["kept"] as? [[String: Any]])
        #expect(kept.map { $0["tag"] as? String } == ["before-update", "2"])
        let dry = try fixture.snapshot(["--dry-run", "--tag", "three"])
        #expect(dry.output.contains("Z+three.tar.zst"))
        for tag in ["", ".a", "a b", "ä", "x.zip"] {
            for option in ["--tag", "--keep-tag"] {
                let refused = try fixture.snapshot([option, tag])
                #expect(refused.status == 64 && refused.errors.contains("A tag has 1 to 64"), "\(refused)")
            }
        }
        #expect(try names(fixture).count == 2)
    }

    @Test func isKept() throws {
        let fixture = try Self.fixture()
        for tag in ["a", "b", "", "a"] { _ = try write(fixture, tag.isEmpty ? [] : ["--tag", tag]) }
        let before = try names(fixture)
        #expect(try document(fixture, [])["removed"] as? [String] == [])
        let alone = try decision(fixture, ["--keep-tag", "a"])
        #expect(alone.kept["+a.tar.zst"] == ["tag", "tag"] && alone.removed == ["+b.tar.zst", ".tar.zst"])
        let both = try decision(fixture, ["--keep-tag", "a", "--keep-tag", "b", "--tag", "b"])
        #expect(both.removed == [".tar.zst"])
        // The tag may be on a damaged archive: it neither counts nor is removed.
        let first = fixture.path("back/\(before[0])")
        var bytes = try FileBytes.read(FilePath(first)).array
        for position in bytes.count * 3 / 4..<bytes.count * 3 / 4 + 64 { bytes[position] ^= 0x55 }
        try TestFiles.write(FilePath(first), bytes)
        let result = try fixture.snapshot(["--keep-tag", "a", "--verbose"])
        #expect(result.status == 5 && result.errors.contains(before[0]), "\(result.errors)")
        let left = try names(fixture)
        #expect(left.filter { $0.hasSuffix("+a.tar.zst") }.count == 2 && left.count == 3, "\(left)")
        #expect(result.output.contains("(tag)"))
    }

    /// The second tag of an archive wins, whoever set it.
    @Test func neverTwoOfOneSecond() throws {
        let fixture = try Self.fixture()
        let first = try write(fixture)
        let now = FileTime.now.seconds
        let identifier = DatedArchiveName(
            RemoteName(FilePath(first).lastComponent?.string ?? ""), of: "com.example.cookbook")?.identifier
        for second in now...now + 120 {
            let name = DatedArchiveName(
                "com.example.cookbook", identifier, FileTime(seconds: second), .zip, tag: ArchiveTag("x"))
            try TestFiles.write(FilePath(fixture.path("back/\(name.name)")), [])
        }
        let refused = try fixture.snapshot([])
        #expect(refused.status == 3 && refused.errors.contains("of this second"), "\(refused)")
    }

    /// An archive on which others depend gets a tag by hand: nothing can be restored from these until it has its name
    /// again, the error gives the command, and it is never removed in that time.
    @Test func renamedBases() throws {
        let fixture = try Self.fixture()
        let base = try write(fixture, ["--tag", "first"])
        let later = try write(fixture, ["--incremental", "9", "--tag", "wanted"])
        let policy = ["--keep-last", "1", "--keep-tag", "wanted"]
        _ = try write(fixture, ["--tag", "third"])
        // A foreign archive begins with the same name.
        try fixture.scratch.shell("cp '\(later)' '\(base.replacing("+first", with: "+another"))'")
        for tag in ["", "+now its"] {
            let renamed = base.replacing("+first", with: tag)
            try fixture.scratch.shell("mv '\(base)' '\(renamed)'")
            let verified = try fixture.archive(["verify", later], succeeding: false)
            #expect(verified.status == 1)
            let line = try #require(verified.output.firstMatch(of: /Give it its former name: (mv .*)\.\n/)?.1)
            #expect(verified.output.contains("the same archive under another name"))
            if tag.isEmpty {
                let decision = try decision(fixture, policy, status: 5)
                #expect(decision.kept[".tar.zst"]?.contains("base") == true, "\(decision)")
                #expect(decision.removed == ["+third.tar.zst"])
            }
            try fixture.scratch.shell(String(line))
            #expect(try fixture.archive(["verify", later]).output.hasPrefix("Intact: "))
        }
        // With a second name both exist, and both are kept.
        try fixture.scratch.shell("ln '\(base)' '\(base.replacing("+first", with: ""))'; rm back/*+another*")
        let result = try fixture.snapshot(policy + ["--no-trash"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try names(fixture).count == 4)
        #expect(try fixture.archive(["verify", later]).output.hasPrefix("Intact: "))
    }

    /// File systems permit at most 255 bytes; the dry run checks that as well.
    @Test func longNames() throws {
        let fixture = try ArchiveFixture(["--change-sets", "1"])
        let name = String(repeating: "a", count: 180)
        try fixture.scratch.shell("mkdir back; mv '\(fixture.root)' 'demo/\(name)'")
        let root = fixture.place.appending("demo").appending(name)
        for words in [[], ["--dry-run"]] {
            let long = try fixture.snapshot(["--tag", String(repeating: "x", count: 40)] + words, of: root)
            #expect(long.status == 3 && long.errors.contains("Choose a shorter tag"), "\(long.errors)")
        }
        #expect(try fixture.snapshot(["--tag", "x"], of: root).status == 0)
        #expect(try names(fixture).count == 1)
    }

    /// The parents of an unreadable archive are unknown: nothing is removed, and the new snapshot is written.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func unreadableStrangers() throws {
        let fixture = try ArchiveFixture(["--change-sets", "1"])
        try fixture.scratch.shell("mkdir back")
        _ = try write(fixture)
        _ = try fixture.export("back/stranger.tar.zst")
        let program = FaultyProgram(name: "ticds-remote", home: fixture.place.appending("state"))
        let file = fixture.place.appending("call")
        for (options, expected) in [([], 0), (["--keep-tag", "x"], 5)] as [([String], Int32)] {
            let words =
                ["snapshot", fixture.root.string, fixture.path("back"), "--incremental", "3", "--dry-run"]
                + options
            #expect(try program.run(words, fault: .looks(file)) == 0)
            var met: Set<String> = []
            // The command reads the folder of snapshots at its end.
            let count = try FaultyProgram.number(in: file)
            for call in count * 4 / 5...count {
                try fixture.scratch.shell("rm -f '\(file)'")
                let status = try program.run(words, fault: .blind(call, .ioError, file))
                let what = try String(contentsOfFile: file.string, encoding: .utf8)
                // A thread reads ahead, so the failing call may be one whose result is not needed.
                guard what.contains("stranger"), !what.contains("pread") else { continue }
                met.insert(what)
                #expect(status == expected, "\(what)")
            }
            #expect(met.count > 1, "\(met)")
        }
    }

    /// An archive without an identifier stays adopted when it gets a tag.
    @Test func adoptions() throws {
        let fixture = try Self.fixture()
        let old = "com.example.cookbook-20200101T000000Z"
        try fixture.archive(["export", fixture.root.string, fixture.path("back/\(old).tar.zst")])
        let archive = fixture.path("back/\(old).tar.zst")
        #expect(try fixture.snapshot(["--adopt", archive]).status == 0)
        try fixture.scratch.shell("mv '\(archive)' 'back/\(old)+x.tar.zst'")
        let decision = try decision(fixture, ["--keep-tag", "x"])
        #expect(decision.kept["+x.tar.zst"] == ["tag"], "\(decision)")
    }
}
