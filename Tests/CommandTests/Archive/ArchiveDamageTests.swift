import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Archives that are truncated or damaged: intact files are listed, and nothing is imported.
@Suite struct ArchiveDamageTests {
    private func expectRefused(_ file: String, _ fixture: ArchiveFixture, _ comment: String) throws {
        let target = fixture.place.appending("target")
        if !FileManager.default.fileExists(atPath: target.string) { try TestFiles.makeFolder(target) }
        let result = try fixture.archive(["import", file, target.string, "--yes"], succeeding: false)
        #expect(result.status == 2 || result.status == 3, "\(comment): \(result.status) \(result.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: target.string) == [], "\(comment)")
    }

    @Test(arguments: ["tar.zst", "tar.xz", "tar.gz", "zip"])
    func cutShortAnywhere(ending: String) throws {
        let fixture = try ArchiveFixture()
        let bytes = try FileBytes.read(FilePath(try fixture.export("a.\(ending)"))).array
        for part in [1, 40, 70, 99] {
            let file = try fixture.scratch.write("cut-\(part)", Array(bytes[..<(bytes.count * part / 100)]))
            let result = try fixture.archive(["verify", file], succeeding: false)
            #expect(result.status == 1, "\(part): \(result.status) \(result.output) \(result.errors)")
            #expect(result.output.contains("ot intact"), "\(part): \(result.output)")
            try expectRefused(file, fixture, "\(ending) \(part)")
        }
        let last = try fixture.scratch.write("last", Array(bytes.dropLast()))
        #expect(try fixture.archive(["verify", last], succeeding: false).status == 1)
    }

    /// In an uncompressed archive, one wrong byte spoils one file.
    @Test func oneWrongByte() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.zst")
        try fixture.scratch.shell("zstd -q -d '\(file)' -o a.tar 2>/dev/null || bsdtar -cf a.tar @'\(file)'")
        try fixture.scratch.shell(
            """
            python3 - <<'PYTHON'
            import tarfile
            with tarfile.open("a.tar") as tar:
                member = [m for m in tar if m.name.endswith("WholeStore.ticdsync")][0]
            with open("a.tar", "r+b") as file:
                file.seek(member.offset_data + member.size // 2)
                byte = file.read(1)[0]
                file.seek(-1, 1)
                file.write(bytes([byte ^ 1]))
            PYTHON
            """)
        let result = try fixture.archive(["verify", fixture.path("a.tar"), "--json"], succeeding: false)
        #expect(result.status == 1)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any])
        let findings = try #require(json["findings"] as? [[String: Any]])
        #expect(findings.count == 1 && json["end"] is NSNull)
        #expect((findings.first?["problem"] as? String)?.contains("SHA-256") == true)
        try expectRefused(fixture.path("a.tar"), fixture, "one byte")
    }

    /// Without its manifest, every file of an archive can be read; the printed command extracts it.
    @Test(arguments: ["b.tar.gz", "it's an archive.tar.gz"])
    func damagedManifestLeavesFilesReadable(name: String) throws {
        let fixture = try ArchiveFixture()
        try damageManifest(of: fixture, at: "modified")
        try fixture.scratch.shell("gzip a.tar")
        let place = try fixture.scratch.write(name, FileBytes.read(FilePath(fixture.path("a.tar.gz"))).array)
        let result = try fixture.archive(["verify", place], succeeding: false)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(result.status == 1 && result.output.contains("damaged (another SHA-256, or none)"))
        #expect(
            lines.contains { $0.hasPrefix("Not intact: ") && $0.contains("but the manifest cannot be used") })
        try fixture.scratch.shell(try Self.command(in: result.output))
        try fixture.scratch.shell("diff -r rescued/com.example.cookbook '\(fixture.root)'")
        let listed = try fixture.archive(["list", place], succeeding: false)
        #expect(
            listed.status == 2 && listed.errors.contains("ticds-archive verify prints"), "\(listed.errors)")
    }

    /// The command that `verify` prints for a damaged archive.
    private static func command(in output: String) throws -> String {
        let start = "Take out what can be read: "
        return String(
            try #require(output.split(separator: "\n").first { $0.hasPrefix(start) }, "\(output)")
                .dropFirst(start.count))
    }

    private static let hasPrograms = ["bsdtar", "tar", "unzip", "zstd", "gzip", "xz"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
    }

    /// For each kind of damage the printed command extracts as many files as the best of the usual programs.
    @Test(
        .enabled(if: Python.available && hasPrograms, "needs Python, bsdtar, unzip, zstd and xz"),
        arguments: ["tar", "tar.zst", "tar.gz", "tar.xz", "zip"],
        ["cut", "flipped", "flippedEarly", "header"])
    func printedCommandTakesOutTheMost(ending: String, damage: String) throws {
        let fixture = try ArchiveFixture()
        try fixture.scratch.shell(
            "for i in 1 2 3 4; do head -c 90000 /dev/urandom >'\(fixture.root)'/Documents/pantry/n$i; done")
        let isPlain = ending == "tar"
        let file = try fixture.export(isPlain ? "a.tar.gz" : "a.\(ending)")
        if isPlain { try fixture.scratch.shell("gzip -d a.tar.gz") }
        let name = isPlain ? "a.tar" : URL(fileURLWithPath: file).lastPathComponent
        try fixture.scratch.shell(
            """
            python3 - '\(name)' \(damage) <<'PYTHON'
            import sys, tarfile
            name, damage = sys.argv[1:]
            data = bytearray(open(name, "rb").read())
            at = {"cut": 60, "flipped": 60, "flippedEarly": 33, "header": 40}[damage] * len(data) // 100
            if damage != "cut" and name.endswith(".tar"):
                with tarfile.open(name) as tar:
                    place = {"flipped": 20, "flippedEarly": 12, "header": 9}[damage]
                    at = [m for m in tar if m.isfile()][place].offset_data - (512 if damage == "header" else 0)
            if damage == "cut":
                del data[at:]
            else:
                for i in range(8):
                    data[at + i] ^= 0x55
            open(name, "wb").write(data)
            PYTHON
            """)
        let output = try fixture.archive(["verify", fixture.path(name)], succeeding: false).output
        let own = try intactFiles(Self.command(in: output).replacing("rescued", with: "own"), "own", fixture)
        let others = [
            "mkdir OUT; bsdtar -xf \(name) -C OUT", "mkdir OUT; tar -xf \(name) -C OUT",
            "unzip -qo \(name) -d OUT",
            "mkdir OUT; zstd -dcf \(name) | tar -xf - -C OUT",
            "mkdir OUT; gzip -dcf \(name) | tar -xf - -C OUT",
            "mkdir OUT; xz -dcf \(name) | tar -xf - -C OUT",
        ]
        #expect(own > 0, "\(output)")
        for (number, command) in others.enumerated() {
            let count = try intactFiles(command.replacing("OUT", with: "o\(number)"), "o\(number)", fixture)
            #expect(own >= count, "\(command): \(count), and only \(own): \(output)")
        }
    }

    /// The number of files of the remote that a command extracts intact.
    private func intactFiles(_ command: String, _ folder: String, _ fixture: ArchiveFixture) throws -> Int {
        let count = try fixture.scratch.shell(
            """
            { \(command); } >/dev/null 2>&1 </dev/null || true
            cd '\(fixture.root.removingLastComponent())'
            find com.example.cookbook -type f -exec cmp -s {} '\(fixture.path(folder))'/{} ';' -print | wc -l
            """)
        return try #require(Int(count.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// Files after the damage are not reported as missing, and both kinds of files are counted and listed.
    @Test(arguments: ["tar.zst", "zip"])
    func intactFilesAreCountedBesideOthers(ending: String) throws {
        let fixture = try ArchiveFixture()
        let bytes = try FileBytes.read(FilePath(try fixture.export("a.\(ending)"))).array
        let cut = try fixture.scratch.write("cut", Array(bytes[..<(bytes.count * 7 / 10)]))
        let result = try fixture.archive(["verify", cut], succeeding: false)
        #expect(
            result.output.contains("ReadMe.txt: could not be read: the archive is damaged before it"),
            "\(result.output)")
        #expect(!result.output.contains("not in the archive"), "\(result.output)")
        let counts = try #require(
            result.output.firstMatch(of: /Not intact: (\d+) of (\d+) files as archived, .*; (\d+) damaged/),
            "\(result.output)")
        let json = try #require(
            try JSONSerialization.jsonObject(
                with: Data(fixture.archive(["verify", cut, "--json"], succeeding: false).bytes))
                as? [String: Any])
        let intact = try #require(json["intact"] as? [String])
        #expect("\(intact.count)" == counts.1 && json["lostFiles"] as? Int == Int(counts.3))
        #expect(intact.count + (json["lostFiles"] as? Int ?? 0) == Int(counts.2))
        for path in intact { #expect(try FileStatus.of(fixture.root.pushing(FilePath(path))).kind == .file) }
        let listed = try fixture.archive(["list", cut])
        #expect(listed.output.contains("The contents were not read: ticds-archive verify reads them."))
    }

    /// Of the archive itself nothing is lacking: what was not decompressed is not said to be missing.
    @Test func bytesBehindTheEndHideNoFiles() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.zst")
        try fixture.scratch.shell("(cat '\(file)'; seq 100) > garbage.tar.zst")
        let result = try fixture.archive(["verify", fixture.path("garbage.tar.zst")], succeeding: false)
        #expect(result.status == 1 && !result.output.contains("not in the archive"), "\(result.output)")
        let command = try Self.command(in: result.output)
        try fixture.scratch.shell("\(command) || test -d rescued/com.example.cookbook")
        try fixture.scratch.shell("diff -r rescued/com.example.cookbook '\(fixture.root)'")
    }

    @Test func damagedSchemaOfTheManifestLeavesFilesReadable() throws {
        let fixture = try ArchiveFixture()
        try damageManifest(of: fixture, at: "ticds.archive/")
        let result = try fixture.archive(["verify", fixture.path("a.tar")], succeeding: false)
        #expect(result.status == 1 && result.output.contains("but the manifest cannot be used"), "\(result)")
        #expect(!result.output.contains("0 files can be read"), "\(result)")
    }

    /// Writes the archive `a.tar` with a wrong first byte of a word of its manifest.
    private func damageManifest(of fixture: ArchiveFixture, at word: String) throws {
        let file = try fixture.export("a.tar.gz")
        try fixture.scratch.shell(
            """
            gzip -d '\(file)'
            python3 - <<'PYTHON'
            with open("a.tar", "r+b") as file:
                at = file.read(1 << 20).index(b'\(word)')
                file.seek(at)
                file.write(b"x")
            PYTHON
            """)
    }

    /// A byte without influence on the content may be wrong, such as the level of a compressor. A file that is reported
    /// as intact is restored unchanged.
    @Test func randomDamage() throws {
        let fixture = try ArchiveFixture()
        let whole = try TreeFacts(fixture.root)
        var random = RandomNumbers()
        for ending in ["tar.zst", "zip"] {
            let bytes = try FileBytes.read(FilePath(try fixture.export("a.\(ending)"))).array
            for number in 0..<20 {
                var damaged = bytes
                let offset = Int.random(in: bytes.indices, using: &random)
                damaged[offset] ^= UInt8.random(in: 1...255, using: &random)
                let file = try fixture.scratch.write("\(ending)-\(number)", damaged)
                let result = try fixture.archive(["verify", file], succeeding: false)
                guard result.status == 0 else {
                    #expect([1, 2].contains(result.status), "offset \(offset): \(result.errors)")
                    continue
                }
                let differences = try TreeFacts(fixture.bring(file)).differences(from: whole)
                #expect(differences == [], "\(ending), offset \(offset)")
            }
        }
    }

    /// A command that needs a file or a replica names the commands for archives.
    @Test(arguments: [["ticds-verify", "file"], ["ticds-model", "show"], ["ticds-sync", "status"]])
    func commandsForFilesNameThoseForArchives(words: [String]) throws {
        let fixture = try ArchiveFixture()
        for name in ["a.tar.zst", "a.tar.gz", "a.zip"] {
            let result = try Program.run(words[0], words.dropFirst() + [fixture.export(name)])
            #expect(
                [2, 3].contains(result.status) && result.output.isEmpty, "\(result.output)\(result.errors)")
            for command in ["ticds-archive verify", "ticds-archive list"] {
                #expect(result.errors.contains(command), "\(result.errors)")
            }
        }
    }

    @Test func strangersAreNoArchives() throws {
        let fixture = try ArchiveFixture()
        for (name, bytes) in [
            ("empty", []), ("text", Array("hello, world".utf8)),
            ("zeros", Array(repeating: 0, count: 10_240)),
        ]
            as [(String, [UInt8])]
        {
            let file = try fixture.scratch.write(name, bytes)
            try expectRefused(file, fixture, name)
        }
        #expect(try fixture.archive(["verify", fixture.path("text")], succeeding: false).status == 2)
        #expect(try fixture.archive(["list", fixture.path("nothing")], succeeding: false).status == 2)
    }
}
