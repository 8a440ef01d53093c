import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// An exported and imported remote is the same, to the byte and the nanosecond, and other programs open the archive.
@Suite struct ArchiveRoundTripTests {
    @Test(arguments: ["a.tar.zst", "a.tar.xz", "a.tgz", "a.zip"])
    func bringsBackEverything(name: String) throws {
        let fixture = try ArchiveFixture()
        try fixture.addStrangeNames()
        let before = try TreeFacts(fixture.root)
        let file = try fixture.export(name)
        let checked = try fixture.archive(["verify", file])
        #expect(checked.output.hasPrefix("Intact: "), "\(checked.output)")
        #expect(try TreeFacts(fixture.bring(file)).differences(from: before) == [])
        #expect(try TreeFacts(fixture.root) == before)
    }

    /// The same bytes for any number of threads, to a file or a pipe, without the present time.
    @Test(arguments: ["zst", "xz", "gz", "zip"])
    func sameInputGivesTheSameBytes(ending: String) throws {
        let fixture = try ArchiveFixture()
        try fixture.addStrangeNames()
        let one = try fixture.export("one.tar.\(ending)")
        let two = try fixture.export("two.\(ending)", ["--threads", "1"], ahead: 100)
        try fixture.scratch.shell("cmp '\(one)' '\(two)'")
        let format = ["zst": "zstd", "xz": "xz", "gz": "gzip", "zip": "zip"][ending] ?? ""
        let program = Program.path("ticds-archive")
        try fixture.scratch.shell(
            "'\(program)' export '\(fixture.root)' - --format \(format) | cmp - '\(one)'")
        try fixture.scratch.shell("cat '\(one)' | '\(program)' verify -")
        let list = try fixture.scratch.shell("cat '\(one)' | '\(program)' list -")
        #expect(list.contains("日本語テスト") && list.contains("caf\\xE9"))
    }

    /// A name that promises a different format is refused, and nothing is written.
    @Test(
        arguments: [
            ("a.tar", nil, "a.tar.zst"), ("A.TAR", nil, "A.tar.zst"), ("a.tar.bz2", nil, "a.tar.zst"),
            ("a.7z", nil, "a.tar.zst"), ("a.zip", "xz", "a.tar.xz"), ("a.tar.zst", "gzip", "a.tar.gz"),
            ("a.tgz", "zip", "a.zip"),
        ] as [(String, String?, String)])
    func namesOfOtherFormatsAreRefused(name: String, format: String?, right: String) throws {
        let fixture = try ArchiveFixture()
        let options = format.map { ["--format", $0] } ?? []
        let words = ["export", fixture.root.string, fixture.path(name)] + options
        let result = try fixture.archive(words, succeeding: false)
        #expect(result.status == 3, "\(result.errors)")
        #expect(result.errors.contains("Name the file \(fixture.path(right)),"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: fixture.path(name)))
        try fixture.archive(["export", fixture.root.string, fixture.path(right)] + options)
    }

    @Test(arguments: ["tar --zstd -xf", "bsdtar -xf", "unzip -q"])
    func otherProgramsOpenIt(command: String) throws {
        let fixture = try ArchiveFixture()
        let isZip = command.hasPrefix("unzip")
        // Old unzip supports only UTF-8, and writes other names in its own way.
        let file = try fixture.export(isZip ? "a.zip" : "a.tar.zst")
        try fixture.scratch.shell("mkdir out; cd out; \(command) '\(file)'")
        let out = try TreeFacts(fixture.place.appending("out").appending("com.example.cookbook"))
        let before = try TreeFacts(fixture.root)
        let differences =
            isZip ? out.inSeconds.differences(from: before.inSeconds) : out.differences(from: before)
        #expect(differences == [])
        let manifest = fixture.path("out/ticds-manifest.json")
        let read = try fixture.scratch.shell(
            "python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))[\"schema\"])' '\(manifest)'")
        #expect(read == "ticds.archive/1\n")
    }

    /// The digests in the manifest equal those of sha256sum.
    @Test func manifestHasTheDigests() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.zst")
        let listed = try fixture.archive(["list", file, "--json"])
        try Data(listed.bytes).write(to: URL(fileURLWithPath: fixture.path("list.json")))
        try fixture.scratch.shell(
            """
            python3 -c 'import json
            for e in json.load(open("list.json"))["entries"]:
                if e["sha256"]: print(e["sha256"] + "  " + e["path"])' > sums
            cd '\(fixture.root)'; sha256sum --quiet -c ../../sums; test $(wc -l < ../../sums) = $(find . -type f | wc -l)
            """)
    }

    /// The commands in ticds-archive-format(5).
    @Test(arguments: ["tar.zst", "tar.xz", "tar.gz", "zip"]) func manifestHasItsOwnDigest(ending: String)
        throws
    {
        let fixture = try ArchiveFixture()
        let first = try fixture.export("first.\(ending)")
        try fixture.scratch.shell("echo 5 > '\(fixture.root)/ReadMe.txt'")
        for file in [first, try fixture.export("next.\(ending)", ["--base", first])] {
            let printed = try fixture.scratch.shell(
                """
                bsdtar -xOf '\(file)' ticds-manifest.json | head -n -2 | sha256sum | cut -c-64
                bsdtar -xOf '\(file)' ticds-manifest.json | jq -r .sha256
                """
            ).split(separator: "\n")
            #expect(printed.count == 2 && printed[0] == printed[1] && printed[0].count == 64, "\(printed)")
        }
    }

    @Test(arguments: ["tar --format=posix -cf", "tar -czf", "bsdtar --format=pax -cf", "zip -qr"])
    func bringsInWhatOthersMade(command: String) throws {
        let fixture = try ArchiveFixture()
        if !command.hasPrefix("zip") { try fixture.addStrangeNames() }
        // Programs disagree on the writing of a fraction of a second before 1970.
        try fixture.scratch.shell("rm -f '\(fixture.root)/Strange/old'")
        let file = fixture.path(command.hasPrefix("zip") ? "other.zip" : "other.tar")
        try fixture.scratch.shell(
            "cd demo; \(command) '\(file)' com.example.cookbook 2>/dev/null || test $? = 1")
        let before = try TreeFacts(fixture.root)
        let after = try TreeFacts(fixture.bring(file))
        let keepsNanoseconds = command.contains("posix") || command.contains("pax")
        #expect(
            (keepsNanoseconds ? after : after.inSeconds)
                .differences(from: keepsNanoseconds ? before : before.inSeconds) == [])
        let shown = try fixture.archive(["import", file, fixture.path("com.example.cookbook"), "--dry-run"])
        #expect(shown.output.contains("no manifest"))
        #expect(!FileManager.default.fileExists(atPath: fixture.path("com.example.cookbook")))
        #expect(try fixture.archive(["verify", file]).errors.contains("no manifest"))
    }

    @Test func exportsParts() throws {
        let fixture = try ArchiveFixture()
        func paths(_ words: [String]) throws -> [String] {
            let file = try fixture.export("\(UUID().uuidString).tar.zst", words)
            let listed = try fixture.archive(["list", file, "--json"])
            let json = try JSONSerialization.jsonObject(with: Data(listed.bytes)) as? [String: Any]
            let entries = json?["entries"] as? [[String: Any]] ?? []
            return entries.compactMap { $0["path"] as? String }
        }
        let all = try paths([])
        let document = try paths(["--document", "pantry"])
        #expect(document.contains("Documents/pantry/documentInfo.plist"))
        #expect(!document.contains { $0.hasPrefix("Documents/cookbook") })
        #expect(document.count < all.count)
        let client = try paths(["--client", "Anna’s iPhone"])
        let devices = client.filter { $0.hasSuffix("deviceInfo.plist") }
        #expect(devices.count == 1)
        let sets = client.filter { $0.hasSuffix(".syncchg") }
        #expect(!sets.isEmpty && sets.allSatisfy { $0.contains("D28481A5") })
        let stores = try paths(["--only", "whole-stores"])
        #expect(
            stores.contains { $0.hasSuffix("WholeStore.ticdsync") }
                && !stores.contains { $0.hasSuffix(".syncchg") })
        #expect(
            try fixture.archive(
                ["export", fixture.root.string, fixture.path("x"), "--document", "nope"], succeeding: false
            ).status == 2)
    }

    @Test func refusesToHarm() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.zst")
        let taken = try fixture.archive(["export", fixture.root.string, file], succeeding: false)
        #expect(taken.status == 3 && taken.errors.contains("--force"))
        try fixture.archive(["export", fixture.root.string, file, "--force"])
        let inside = fixture.root.appending("a.tar.zst").string
        #expect(try fixture.archive(["export", fixture.root.string, inside], succeeding: false).status == 3)
        #expect(
            try fixture.archive(["export", fixture.root.string, "/dev/full"], succeeding: false).status == 3)
        // A link is reported, and left out.
        try fixture.scratch.shell("ln -s /etc/passwd '\(fixture.root)/link'")
        let linked = try fixture.archive(
            ["export", fixture.root.string, fixture.path("b.zip")], succeeding: false)
        #expect(linked.status == 5 && linked.errors.contains("a symbolic link"))
        #expect(try fixture.archive(["verify", fixture.path("b.zip")], succeeding: false).status == 5)
    }
}
