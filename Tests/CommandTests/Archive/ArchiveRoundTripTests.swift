import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// What is exported and brought back is the same, to the byte and the nanosecond, and other programs open it.
@Suite struct ArchiveRoundTripTests {
    @Test(arguments: ["a.tar.zst", "a.tar.xz", "a.tgz", "a.zip"])
    func bringsBackEverything(name: String) throws {
        let ground = try ArchiveGround()
        try ground.addStrangeNames()
        let before = try TreeFacts(ground.root)
        let file = try ground.export(name)
        let checked = try ground.archive(["verify", file])
        #expect(checked.output.hasPrefix("Intact: "), "\(checked.output)")
        #expect(try TreeFacts(ground.bring(file)).differences(from: before) == [])
        #expect(try TreeFacts(ground.root) == before)
    }

    /// The same bytes from whatever number of threads, to a file or a pipe; and no time of now in them.
    @Test(arguments: ["zst", "xz", "gz", "zip"])
    func sameInputGivesTheSameBytes(ending: String) throws {
        let ground = try ArchiveGround()
        try ground.addStrangeNames()
        let one = try ground.export("one.tar.\(ending)")
        let two = try ground.export("two.\(ending)", ["--threads", "1"], ahead: 100)
        try ground.scratch.shell("cmp '\(one)' '\(two)'")
        let format = ["zst": "zstd", "xz": "xz", "gz": "gzip", "zip": "zip"][ending] ?? ""
        let program = Program.path("ticds-archive")
        try ground.scratch.shell("'\(program)' export '\(ground.root)' - --format \(format) | cmp - '\(one)'")
        try ground.scratch.shell("cat '\(one)' | '\(program)' verify -")
        let list = try ground.scratch.shell("cat '\(one)' | '\(program)' list -")
        #expect(list.contains("日本語テスト") && list.contains("caf\\xE9"))
    }

    @Test(arguments: ["tar --zstd -xf", "bsdtar -xf", "unzip -q"])
    func otherProgramsOpenIt(command: String) throws {
        let ground = try ArchiveGround()
        let isZip = command.hasPrefix("unzip")
        // Old unzip knows UTF-8 only, and writes a name in its own way for others.
        let file = try ground.export(isZip ? "a.zip" : "a.tar.zst")
        try ground.scratch.shell("mkdir out; cd out; \(command) '\(file)'")
        let out = try TreeFacts(ground.place.appending("out").appending("com.example.cookbook"))
        let before = try TreeFacts(ground.root)
        let differences =
            isZip ? out.inSeconds.differences(from: before.inSeconds) : out.differences(from: before)
        #expect(differences == [])
        let manifest = ground.path("out/ticds-manifest.json")
        let read = try ground.scratch.shell(
            "python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))[\"schema\"])' '\(manifest)'")
        #expect(read == "ticds.archive/1\n")
    }

    /// The digests in the manifest are those of sha256sum.
    @Test func manifestHasTheDigests() throws {
        let ground = try ArchiveGround()
        let file = try ground.export("a.tar.zst")
        let listed = try ground.archive(["list", file, "--json"])
        try Data(listed.bytes).write(to: URL(fileURLWithPath: ground.path("list.json")))
        try ground.scratch.shell(
            """
            python3 -c 'import json
            for e in json.load(open("list.json"))["entries"]:
                if e["sha256"]: print(e["sha256"] + "  " + e["path"])' > sums
            cd '\(ground.root)'; sha256sum --quiet -c ../../sums; test $(wc -l < ../../sums) = $(find . -type f | wc -l)
            """)
    }

    @Test(arguments: ["tar --format=posix -cf", "tar -czf", "bsdtar --format=pax -cf", "zip -qr"])
    func bringsInWhatOthersMade(command: String) throws {
        let ground = try ArchiveGround()
        if !command.hasPrefix("zip") { try ground.addStrangeNames() }
        // Programs do not agree on how a fraction of a second before 1970 is written.
        try ground.scratch.shell("rm -f '\(ground.root)/Strange/old'")
        let file = ground.path(command.hasPrefix("zip") ? "other.zip" : "other.tar")
        try ground.scratch.shell(
            "cd demo; \(command) '\(file)' com.example.cookbook 2>/dev/null || test $? = 1")
        let before = try TreeFacts(ground.root)
        let after = try TreeFacts(ground.bring(file))
        let keepsNanoseconds = command.contains("posix") || command.contains("pax")
        #expect(
            (keepsNanoseconds ? after : after.inSeconds)
                .differences(from: keepsNanoseconds ? before : before.inSeconds) == [])
        let shown = try ground.archive(["import", file, ground.path("com.example.cookbook"), "--dry-run"])
        #expect(shown.output.contains("no manifest"))
        #expect(!FileManager.default.fileExists(atPath: ground.path("com.example.cookbook")))
        #expect(try ground.archive(["verify", file]).errors.contains("no manifest"))
    }

    @Test func exportsParts() throws {
        let ground = try ArchiveGround()
        func paths(_ words: [String]) throws -> [String] {
            let file = try ground.export("\(UUID().uuidString).tar.zst", words)
            let listed = try ground.archive(["list", file, "--json"])
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
            try ground.archive(
                ["export", ground.root.string, ground.path("x"), "--document", "nope"], succeeding: false
            ).status == 2)
    }

    @Test func refusesToHarm() throws {
        let ground = try ArchiveGround()
        let file = try ground.export("a.tar.zst")
        let taken = try ground.archive(["export", ground.root.string, file], succeeding: false)
        #expect(taken.status == 3 && taken.errors.contains("--force"))
        try ground.archive(["export", ground.root.string, file, "--force"])
        let inside = ground.root.appending("a.tar.zst").string
        #expect(try ground.archive(["export", ground.root.string, inside], succeeding: false).status == 3)
        #expect(
            try ground.archive(["export", ground.root.string, "/dev/full"], succeeding: false).status == 3)
        // A link is named, and left out.
        try ground.scratch.shell("ln -s /etc/passwd '\(ground.root)/link'")
        let linked = try ground.archive(
            ["export", ground.root.string, ground.path("b.zip")], succeeding: false)
        #expect(linked.status == 5 && linked.errors.contains("a symbolic link"))
        #expect(try ground.archive(["verify", ground.path("b.zip")]).status == 0)
    }
}
