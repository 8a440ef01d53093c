import Base
import Foundation
import KeyedArchive
import Synchronization
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Archives that depend on earlier ones, and contain only new or changed files.
@Suite(.waiting) struct IncrementalArchiveTests {
    /// The changes of the remote between two archives: a set comes, one goes, one moves and gets a different name, a
    /// file gets different bytes of the same size, and another only a different time.
    private static func change(_ fixture: ArchiveFixture, _ number: Int) throws {
        try fixture.scratch.shell(
            """
            cd '\(fixture.root)/Documents/cookbook/SyncChanges'; cd "$(ls | head -n 1)"
            set -- *.syncchg
            cp -p "$1" '0999\(number)999999.000000-NEW.syncchg'; printf '\(number)' >> '0999\(number)999999.000000-NEW.syncchg'
            mv "$1" "../../moved-\(number)"
            cd '\(fixture.root)'; printf 'hello \(number)' > ReadMe.txt
            touch -d '2013-01-0\(number) 12:00:00.123456789' Documents/pantry/documentInfo.plist
            """)
    }

    /// A full archive, and two that depend on it, each with the state of the remote at that time.
    private static func chain(
        _ ending: String = "tar.zst", _ words: [String] = ["--change-sets", "6"], _ options: [String] = []
    ) throws -> (fixture: ArchiveFixture, files: [String], trees: [TreeFacts]) {
        let fixture = try ArchiveFixture(words)
        var files = [try fixture.export("monday.\(ending)", options)]
        var trees = [try TreeFacts(fixture.root)]
        for (number, day) in ["tuesday", "wednesday"].enumerated() {
            try change(fixture, number + 1)
            files.append(try fixture.export("\(day).\(ending)", options + ["--base", files[number]]))
            trees.append(try TreeFacts(fixture.root))
        }
        return (fixture, files, trees)
    }

    /// JSON without white space.
    private func plain(_ result: Program.Result) -> String { result.output.filter { !$0.isWhitespace } }

    private func size(_ path: String) throws -> Int64 { try FileStatus.of(FilePath(path)).size }

    @Test(arguments: ["tar.zst", "tar.xz", "tar.gz", "zip"])
    func comesBackWhole(ending: String) throws {
        let (fixture, files, trees) = try Self.chain(ending)
        for (file, tree) in zip(files, trees) {
            let verified = try fixture.archive(["verify", file])
            #expect(verified.output.hasPrefix("Intact: "), "\(verified.output)")
            let back = try TreeFacts(fixture.bring(file))
            #expect(back.differences(from: tree) == [])
        }
        #expect(try size(files[2]) < size(files[0]) / 2)
        // A full archive of the same moment gives the same output.
        let full = try fixture.export("full.\(ending)")
        #expect(try fixture.archive(["diff", full, files[2]]).output == "No differences.\n")
        let same = try fixture.archive(["diff", files[2], fixture.root.string])
        #expect(same.output == "No differences.\n")
        let listed = try fixture.archive(["list", files[2]]).output
        #expect(
            listed.contains("depends on tuesday.\(ending): ")
                && listed.contains("depends on monday.\(ending): "))
        let json = plain(try fixture.archive(["list", files[2], "--json"]))
        #expect(json.contains(#""base":"monday.\#(ending)""#))
        // The description of the document is in the first archive.
        let found = try fixture.archive(["find", files[2], "--document", "Family", "--type", "integrityKey"])
        #expect(found.output.contains("Documents/cookbook/IntegrityKey"), "\(found.output)")
        let out = fixture.path("out")
        try fixture.archive(["extract", files[2], out, "--document", "Pantry"])
        let document = fixture.place.appending("out/com.example.cookbook/Documents/pantry")
        #expect(
            try TreeFacts(document).differences(from: TreeFacts(fixture.root.appending("Documents/pantry")))
                == [])
    }

    /// The same remote with the same parent gives the same bytes; and no file is written twice.
    @Test func isReproducible() throws {
        let (fixture, files, _) = try Self.chain()
        let again = try fixture.export("again.tar.zst", ["--base", files[1], "--threads", "1"])
        #expect(try FileBytes.read(FilePath(again)).array == FileBytes.read(FilePath(files[2])).array)
        let nothing = try fixture.archive(
            ["export", fixture.root.string, fixture.path("thursday.tar.zst"), "--base", files[2], "--json"])
        #expect(plain(nothing).contains(#""stored":{"count":0,"bytes":0}"#), "\(nothing.output)")
    }

    @Test func encrypted() throws {
        let fixture = try ArchiveFixture()
        try fixture.scratch.shell("printf 'open sesame' > word")
        try fixture.scratch.shell(
            "rm -rf demo; ticds demo demo --encrypt --password-file word --change-sets 4 > /dev/null")
        let first = try fixture.export("a.tar.zst")
        try Self.change(fixture, 1)
        let second = try fixture.export("b.tar.zst", ["--base", first])
        #expect(try TreeFacts(fixture.bring(second)).differences(from: TreeFacts(fixture.root)) == [])
        try fixture.scratch.shell("find demo -name '*-NEW.syncchg' -delete")
        let open = ["--decrypt", "--password-file", fixture.path("word")]
        let third = try fixture.export("c.tar.zst", open)
        let fourth = try fixture.export("d.tar.zst", open + ["--base", third])
        #expect(try plain(fixture.archive(["list", fourth, "--json"])).contains(#""decrypted":true"#))
        #expect(try fixture.archive(["verify", fourth]).output.hasPrefix("Intact: "))
    }

    /// An earlier archive that is missing, a different one with its name, and a damaged one.
    @Test func brokenChains() throws {
        let (fixture, files, _) = try Self.chain()
        let commands = [
            ["verify", files[2]], ["import", files[2], fixture.path("in"), "--yes"],
            ["extract", files[2], fixture.path("out"), "--document", "pantry"],
            ["find", files[2], "--document", "Family"],
            ["export", fixture.root.string, fixture.path("new.tar.zst"), "--base", files[2]],
        ]
        try fixture.scratch.shell("mkdir in; mv monday.tar.zst elsewhere")
        for words in commands {
            let result = try fixture.archive(words, succeeding: false)
            let text = result.output + result.errors
            #expect(
                result.status != 0 && text.contains("monday.tar.zst: this earlier archive is missing"),
                "\(words): \(text)")
        }
        // Commands that need no earlier archive work without it.
        #expect(try fixture.archive(["list", files[2]]).status == 0)
        try fixture.scratch.shell("cp tuesday.tar.zst monday.tar.zst")
        for words in commands {
            let result = try fixture.archive(words, succeeding: false)
            let text = result.output + result.errors
            #expect(
                result.status != 0 && text.contains("is another archive than the one on which"),
                "\(words): \(text)")
        }
        // The manifest of the first archive is right, but a file in it is not.
        try fixture.scratch.shell(
            """
            mkdir un; bsdtar -xf elsewhere -C un
            f=$(find un -name '*.ticdsync' -path '*cookbook*' | head -n 1); printf 'X' | dd of="$f" bs=1 seek=100 conv=notrunc 2>&1
            cd un; bsdtar --format pax -cf ../monday.tar.zst ticds-manifest.json com.example.cookbook
            """)
        let damaged = try fixture.archive(["verify", files[2]], succeeding: false)
        #expect(
            damaged.status == 1 && damaged.output.contains("other bytes in"),
            "\(damaged.output) \(damaged.errors)")
        let refused = try fixture.archive(
            ["import", files[2], fixture.path("in"), "--yes"], succeeding: false)
        #expect(refused.status != 0 && refused.errors.contains("monday.tar.zst"), "\(refused.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.path("in")) == [])
    }

    @Test func refusals() throws {
        let (fixture, files, _) = try Self.chain()
        try fixture.scratch.shell(
            "mkdir other; printf garbage > garbage.tar.zst; bsdtar -cf foreign.tar demo")
        func refused(_ words: [String], _ text: String, status: Int32 = 3) throws {
            let result = try fixture.archive(["export", fixture.root.string] + words, succeeding: false)
            #expect(result.status == status && result.errors.contains(text), "\(words): \(result.errors)")
        }
        try refused([fixture.path("other/a.tar.zst"), "--base", files[0]], "lies in another folder")
        try refused([files[0], "--base", files[0], "--force"], "would replace one on which it rests")
        try refused([files[0], "--base", files[1], "--force"], "would replace one on which it rests")
        try refused(
            [fixture.path("a.tar.zst"), "--base", fixture.path("nothing")], "there is no such archive",
            status: 2)
        try refused(["-", "--base", files[0]], "--base needs a file", status: 64)
        try refused(
            [fixture.path("garbage.tar.zst"), "--base", fixture.path("garbage.tar.zst"), "--force"],
            "would replace one on which it rests")
        try refused([fixture.path("a.tar.zst"), "--base", fixture.path("foreign.tar")], "has no manifest")
        let piped = try Program.shell("cat '\(files[2])' | ticds-archive verify -")
        #expect(
            piped.status != 0 && (piped.output + piped.errors).contains("which standard input does not have"))
        #expect(!FileManager.default.fileExists(atPath: fixture.path("a.tar.zst")))
    }

    /// The damage of an archive on which a new one will depend. A failing disk does not change the time of a file.
    enum Damage: String, CaseIterable {
        case cut = "truncate -s -1000 "
        case flipped = "flip "
        case empty = "truncate -s 0 "
        case garbage = "printf garbage > "
    }

    private static let flip = """
        flip() { python3 -c '
        import os, sys
        path = sys.argv[1]
        status, bytes = os.stat(path), bytearray(open(path, "rb").read())
        bytes[len(bytes) * 3 // 4] ^= 16
        open(path, "wb").write(bytes)
        os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))' "$1"; }

        """

    /// An archive that depends on an unrestorable one could not be restored either: everything is written.
    @Test(arguments: Damage.allCases, ["monday", "tuesday"])
    func damagedBaseGivesFullArchive(_ damage: Damage, _ day: String) throws {
        let (fixture, files, _) = try Self.chain()
        try fixture.scratch.shell("\(Self.flip)\(damage.rawValue)\(day).tar.zst")
        let new = fixture.path("thursday.tar.zst")
        let words = ["export", fixture.root.string, new, "--base", files[1]]
        let result = try fixture.archive(words, succeeding: false)
        #expect(result.status == 5, "\(result)")
        #expect(
            result.errors.contains("a full archive is written") && result.errors.contains("\(day).tar.zst"))
        #expect(!(try fixture.archive(["list", new]).output.contains("depends on")))
        #expect(try TreeFacts(fixture.bring(new)).differences(from: TreeFacts(fixture.root)) == [])
    }

    @Test(arguments: Damage.allCases, [0, 1])
    func damagedBaseGivesFullSnapshot(_ damage: Damage, _ number: Int) throws {
        let fixture = try ArchiveFixture(["--change-sets", "40"])
        try fixture.scratch.shell("mkdir back")
        for number in 1...2 {
            try Self.change(fixture, number)
            #expect(try fixture.snapshot(["--incremental", "9"]).status == 0)
        }
        try Self.change(fixture, 3)
        let old = try snapshots(fixture)
        try fixture.scratch.shell("\(Self.flip)\(damage.rawValue)back/\(old[number])")
        let dry = try fixture.snapshot(["--incremental", "9", "--dry-run"])
        #expect(dry.status == 5 && dry.errors.contains("a full snapshot is written"), "\(dry)")
        let hooks = ["--on-success", "touch good", "--on-failure", "echo $TICDS_STATUS >&2"]
        let result = try fixture.snapshot(["--incremental", "9", "--json"] + hooks)
        #expect(result.status == 5 && plain(result).contains(#""bases":[]"#), "\(result)")
        #expect(result.errors.contains("a full snapshot is written") && result.errors.contains(old[number]))
        #expect(result.errors.hasSuffix("5\n") && !FileManager.default.fileExists(atPath: "good"))
        let new = try #require(Set(snapshots(fixture)).subtracting(old).first)
        let back = try TreeFacts(fixture.bring(fixture.path("back/\(new)")))
        #expect(back.differences(from: try TreeFacts(fixture.root)) == [])
        // The next one depends on the full archive again.
        try fixture.scratch.shell("cd '\(fixture.root)'; printf 'hello 4' > ReadMe.txt")
        let next = try fixture.snapshot(["--incremental", "9", "--json"])
        #expect(next.status == 0 && plain(next).contains(#""bases":[{"name":"\#(new)""#), "\(next)")
    }

    /// Malicious manifests.
    @Test(arguments: [
        ("\"name\":\"monday.tar.zst\"", "\"name\":\"../monday.tar.zst\""),
        ("\"name\":\"monday.tar.zst\"", "\"name\":\"/etc/passwd\""),
        ("\"name\":\"monday.tar.zst\"", "\"name\":\"fifo\""),
        ("\"name\":\"monday.tar.zst\"", "\"name\":\"tuesday.tar.zst\""),
        ("\"base\":0", "\"base\":7"), ("\"base\":0", "\"base\":-1"),
        ("\"base\":0", "\"base\":9223372036854775807"),
        ("\"base\":0", "\"size\":3"), ("ticds.archive/2", "ticds.archive/1"),
        ("ticds.archive/2", "ticds.archive/3"),
    ])
    func hostileManifests(_ old: String, _ new: String) throws {
        let fixture = try ArchiveFixture(["--change-sets", "2"])
        let first = try fixture.export("monday.tar.zst")
        try Self.change(fixture, 1)
        let second = try fixture.export("tuesday.tar.zst", ["--base", first])
        let script = """
            import sys
            \(ArchiveFixture.seal)
            path, old, new = sys.argv[1:]
            text = open(path).read()
            assert old in text
            open(path, 'wb').write(seal(text.replace(old, new).encode()))
            """
        try fixture.scratch.shell(
            """
            mkfifo fifo; mkdir un in; bsdtar -xf tuesday.tar.zst -C un
            python3 -c "$(printf '%s' '\(script.replacing("'", with: "'\\''"))')" un/ticds-manifest.json \
              '\(old)' '\(new)'
            cd un; bsdtar --format pax -cf ../tuesday.tar.zst ticds-manifest.json com.example.cookbook
            """)
        let damage = try fixture.archive(["verify", second], succeeding: false)
        if damage.output.contains("the manifest of the archive is damaged") {
            #expect(!damage.errors.contains("no manifest"), "\(damage)")
        }
        for words in [["verify", second], ["import", second, fixture.path("in"), "--yes"]] {
            let result = try fixture.archive(words, succeeding: false)
            // If only the name of the schema changes, the rest stays valid.
            let isHarmless = new == "ticds.archive/1"
            #expect(
                isHarmless ? result.status == 0 : [1, 2, 3, 4, 5].contains(result.status),
                "\(words): \(result)")
        }
    }

    /// A killed export leaves the complete archive or nothing.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func interrupted() throws {
        let (fixture, files, _) = try Self.chain("tar.zst", ["--change-sets", "2"])
        try Self.change(fixture, 3)
        let whole = try FileBytes.read(FilePath(fixture.export("whole.tar.zst", ["--base", files[2]]))).array
        let program = FaultyProgram(name: "ticds-archive", home: fixture.place)
        let countFile = fixture.place.appending("count")
        let words = ["export", fixture.root.string, fixture.path("n.tar.zst"), "--base", files[2]]
        #expect(try program.run(words, fault: .count(countFile)) == 0)
        let count = try FaultyProgram.number(in: countFile)
        try #require(count > 3)
        for call in 1...count {
            for fault in [FaultyProgram.Fault.kill(call), .fail(call, .noSpace)] {
                let file = FilePath(fixture.path("\(call)-\(fault.description.prefix(1)).tar.zst"))
                let status = try program.run(
                    ["export", fixture.root.string, file.string, "--base", files[2]], fault: fault)
                if FileManager.default.fileExists(atPath: file.string) {
                    #expect(try FileBytes.read(file).array == whole, "\(fault)")
                } else {
                    #expect(status != 0, "\(fault)")
                }
            }
        }
    }

    // MARK: Snapshots

    private func snapshots(_ fixture: ArchiveFixture) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: fixture.path("back")).filter {
            !$0.hasPrefix(".")
        }.sorted()
    }

    /// An archive on which a kept one depends is not pruned; it is pruned once none does.
    @Test func retentionKeepsBases() throws {
        let fixture = try ArchiveFixture(["--change-sets", "40"])
        try fixture.scratch.shell("mkdir back")
        var trees: [TreeFacts] = []
        for number in 1...4 {
            try Self.change(fixture, number)
            trees.append(try TreeFacts(fixture.root))
            let result = try fixture.snapshot(["--incremental", "3", "--keep-last", "1", "--json"])
            #expect(result.status == 0, "\(result.errors)")
            #expect(try snapshots(fixture).count == number, "\(result.output)")
            if number > 1 { #expect(plain(result).contains(#"["base"]"#)) }
        }
        let four = try snapshots(fixture)
        for (name, tree) in zip(four, trees) {
            let file = fixture.path("back/\(name)")
            #expect(try fixture.archive(["verify", file]).output.hasPrefix("Intact: "))
            #expect(try TreeFacts(fixture.bring(file)).differences(from: tree) == [])
        }
        // The chain has its largest length: the next archive contains everything, and the four are no longer needed.
        try Self.change(fixture, 5)
        FileTime.awaitNextSecond()
        let dry = try fixture.snapshot(["--incremental", "3", "--keep-last", "1", "--dry-run"])
        #expect(dry.output.matches(of: /would remove/).count == 4, "\(dry.output)")
        let full = try fixture.snapshot(["--incremental", "3", "--keep-last", "1"])
        #expect(full.status == 0, "\(full.errors)")
        let left = try snapshots(fixture)
        #expect(left.count == 1 && !four.contains(left[0]))
        // An archive that a user made by hand also counts.
        try Self.change(fixture, 6)
        try fixture.archive(
            [
                "export", fixture.root.string, fixture.path("back/by-hand.tar.zst"), "--base",
                fixture.path("back/\(left[0])"),
            ])
        try Self.change(fixture, 7)
        #expect(try fixture.snapshot(["--keep-last", "1"]).status == 0)
        #expect(try snapshots(fixture).contains(left[0]))
        #expect(
            try fixture.archive(["verify", fixture.path("back/by-hand.tar.zst")]).output.hasPrefix("Intact: ")
        )
    }

    /// An archive that depends on a damaged one does not count, and nothing is removed for it.
    @Test func damagedBases() throws {
        let fixture = try ArchiveFixture(["--change-sets", "40"])
        try fixture.scratch.shell("mkdir back")
        // A full archive that may be pruned, a full one, and two that depend on it.
        #expect(try fixture.snapshot([]).status == 0)
        #expect(try fixture.snapshot([]).status == 0)
        for number in 1...2 {
            try Self.change(fixture, number)
            #expect(try fixture.snapshot(["--incremental", "9"]).status == 0)
        }
        let before = try snapshots(fixture)
        let first = FilePath(fixture.path("back/\(before[1])"))
        var bytes = try FileBytes.read(first).array
        for position in bytes.count * 3 / 4..<bytes.count * 3 / 4 + 64 { bytes[position] ^= 0x55 }
        try TestFiles.write(first, bytes)
        try Self.change(fixture, 4)
        let result = try fixture.snapshot(["--incremental", "9", "--keep-last", "1"])
        #expect(result.status == 5, "\(result.output)")
        #expect(result.errors.contains("a full snapshot is written"), "\(result.errors)")
        #expect(result.errors.contains("no old snapshot is removed, because one is damaged"))
        let after = try snapshots(fixture)
        #expect(after.count == before.count + 1)
        // The parent is missing, so a full snapshot is written.
        try fixture.scratch.shell("rm 'back/\(before[1])' 'back/\(after[after.count - 1])'")
        let full = try fixture.snapshot(["--incremental", "9", "--json"])
        #expect(full.status == 5, "\(full.output)")
        #expect(full.errors.contains("a full snapshot is written"), "\(full.errors)")
        #expect(plain(full).contains(#""bases":[]"#), "\(full.output)")
    }
}
