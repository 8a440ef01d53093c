import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Archives that are cut short or damaged: what is whole is told, and nothing of them is taken.
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

    /// In an archive that is not compressed, one wrong byte spoils one file.
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

    /// Without its manifest, every file of an archive can be read; the printed command takes it out.
    @Test(arguments: ["b.tar.gz", "it's an archive.tar.gz"])
    func damagedManifestLeavesFilesReadable(name: String) throws {
        let fixture = try ArchiveFixture()
        try damageManifest(of: fixture, at: "modified")
        try fixture.scratch.shell("gzip a.tar")
        let place = try fixture.scratch.write(name, FileBytes.read(FilePath(fixture.path("a.tar.gz"))).array)
        let result = try fixture.archive(["verify", place], succeeding: false)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(result.status == 1 && result.output.contains("the time of the entry that ends here"))
        #expect(
            lines.contains { $0.hasPrefix("Not intact: ") && $0.contains("but the manifest cannot be used") })
        let command = try #require(lines.first { $0.hasPrefix("Take the files out: ") })
            .dropFirst("Take the files out: ".count)
        try fixture.scratch.shell(String(command))
        try fixture.scratch.shell("diff -r rescued/com.example.cookbook '\(fixture.root)'")
        let listed = try fixture.archive(["list", place], succeeding: false)
        #expect(listed.status == 2 && listed.errors.contains("bsdtar -xf "), "\(listed.errors)")
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

    /// A byte that says nothing of what is in the archive may be wrong, such as the level of a compressor. What is said to
    /// be intact comes back equal.
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

    /// A command that needs a remote, or a file of one, names those that take the archive.
    @Test(arguments: [
        ["ticds-verify"], ["ticds-verify", "file"], ["ticds-inspect", "status"], ["ticds-changes", "list"],
    ])
    func commandsForRemotesNameThoseForArchives(words: [String]) throws {
        let fixture = try ArchiveFixture()
        for name in ["a.tar.zst", "a.tar.gz"] {
            let result = try Program.run(words[0], words.dropFirst() + [fixture.export(name)])
            #expect(result.status == 2 && result.output.isEmpty, "\(result.output)\(result.errors)")
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
