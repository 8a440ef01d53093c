import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// An archive is made in pieces, on several threads and in several ways. The result does not depend on that.
@Suite struct ArchivePiecesTests {
    /// More data than stays in memory in any form, and files that need several pieces.
    @Test func manyPiecesMakeOneArchive() throws {
        let fixture = try ArchiveFixture()
        try fixture.scratch.shell(
            """
            cd '\(fixture.root)'; mkdir Many Zoo; head -c 66000000 /dev/urandom > all
            head -c 9000000 all > Zoo/large; head -c 8387072 all > Zoo/two-pieces
            split -b 700000 -d -a 3 all Many/part; mv all Many/part050-large; : > Many/part050-none
            """)
        let one = try fixture.export("one.tar.zst", ["--threads", "1"])
        let two = try fixture.export("two.tar.zst")
        try fixture.scratch.shell("cmp '\(one)' '\(two)'")
        let program = Program.path("ticds-archive")
        try fixture.scratch.shell("'\(program)' export '\(fixture.root)' - | cmp - '\(one)'")
        #expect(try fixture.archive(["verify", one]).output.hasPrefix("Intact: "))
        let frames = try fixture.scratch.shell("zstd -l '\(one)' | tail -n 1")
        #expect((Int(frames.split(separator: " ").first ?? "") ?? 0) > 30, "\(frames)")
        try fixture.scratch.shell(
            """
            mkdir out; zstd -dc '\(one)' | tar -C out -xf -; rm out/ticds-manifest.json
            diff -r '\(fixture.root)' out/com.example.cookbook
            """)
    }

    /// The archives without random parts: pieces that are compressed at once, later, or from files that are read again.
    @Test(arguments: LongTests.areWanted ? ["xz", "gz"] : ["gz"]) func piecesOfOtherCompressors(
        ending: String
    ) throws {
        let fixture = try ArchiveFixture()
        try fixture.scratch.shell(
            """
            cd '\(fixture.root)'; mkdir Many; yes 'some text, again and again' | head -c 60000000 > all
            split -b 900000 -d -a 3 all Many/part; head -c 30000000 all > Many/part020-large; rm all
            """)
        let one = try fixture.export("one.tar.\(ending)", ["--threads", "1", "--level", "1"])
        let two = try fixture.export("two.tar.\(ending)", ["--level", "1"])
        try fixture.scratch.shell("cmp '\(one)' '\(two)'")
        #expect(try fixture.archive(["verify", one]).output.hasPrefix("Intact: "))
        let tool = ending == "xz" ? "xz" : "gzip"
        try fixture.scratch.shell(
            """
            mkdir out; \(tool) -dc '\(one)' | tar -C out -xf -; rm out/ticds-manifest.json
            diff -r '\(fixture.root)' out/com.example.cookbook
            """)
    }

    /// A manifest that several threads write equals the one in a zip.
    @Test func manifestInSeveralParts() throws {
        let fixture = try ArchiveFixture(["--change-sets", "1"])
        try fixture.scratch.shell(
            "cd '\(fixture.root)'; mkdir Many; cd Many; seq -f 'file%.0f' 16500 | xargs touch; echo 1 > file7"
        )
        let one = try fixture.export("one.tar.zst", ["--threads", "1"])
        for count in ["2", "3"] {
            let other = try fixture.export("other-\(count).tar.zst", ["--threads", count])
            try fixture.scratch.shell("cmp '\(one)' '\(other)'")
        }
        let zip = try fixture.export("one.zip")
        try fixture.scratch.shell(
            """
            zstd -dc '\(one)' | tar -xOf - ticds-manifest.json > manifest
            bsdtar -xOf '\(zip)' ticds-manifest.json | cmp - manifest
            python3 -c 'import json; assert len(json.load(open("manifest"))["entries"]) > 16500'
            head -n -2 manifest | sha256sum | cut -c-64 | grep -qFf - manifest
            test "$(zstd -dc '\(one)' | tar -tf - | head -n 1)" = ticds-manifest.json
            """)
        #expect(try fixture.archive(["verify", one]).output.hasPrefix("Intact: "))
    }

    /// Names and times that the basic header of tar cannot contain.
    @Test(arguments: ["tar --zstd -xf", "bsdtar -xf"]) func longNames(command: String) throws {
        let fixture = try ArchiveFixture(["--change-sets", "1"])
        var folder = fixture.root.appending("Long")
        try TestFiles.makeFolder(folder)
        for length in [60, 99, 100, 101, 155, 156, 255] {
            folder = folder.appending(String(repeating: "d", count: length))
            try TestFiles.makeFolder(folder)
            for name in [1, 98, 99, 100, 101, 102, 255] {
                try NewFile.write(
                    [UInt8](repeating: 1, count: name),
                    to: folder.appending(String(repeating: "f", count: name)),
                    modified: FileTime(seconds: Int64(name) << 26, nanoseconds: Int32(name)))
            }
        }
        let times: [(Int64, Int32)] = [(0, 0), (0, 1), (-1, 0), (-1, 999_999_999), (1, 500_000_000)]
        for (number, time) in times.enumerated() {
            try NewFile.write(
                [], to: folder.appending("time\(number)"),
                modified: FileTime(seconds: time.0, nanoseconds: time.1))
        }
        let file = try fixture.export("a.tar.zst")
        let before = try TreeFacts(fixture.root)
        #expect(try TreeFacts(fixture.bring(file)).differences(from: before) == [])
        try fixture.scratch.shell("mkdir out; cd out; \(command) '\(file)'")
        let out = try TreeFacts(fixture.place.appending("out").appending("com.example.cookbook"))
        // Programs disagree on the reading of a fraction of a second before 1970.
        #expect(out.differences(from: before).filter { !$0.hasSuffix("time3") } == [])
    }
}
