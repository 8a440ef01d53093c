import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// The result of an imported archive.
@Suite struct ArchiveImportTests {
    private func verifies(_ root: FilePath, _ words: [String] = []) throws -> String? {
        let result = try Program.run("ticds-verify", [root.string, "--level", "deep"] + words)
        let errors = result.output.split(separator: "\n").filter { $0.contains("  error ") }
        return errors.isEmpty ? nil : errors.joined(separator: "\n")
    }

    @Test func goesIntoARemoteThatIsThere() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.zst")
        let root = try fixture.bring(file)
        let before = try TreeFacts(root)
        let same = try fixture.archive(["import", file, root.string, "--yes"])
        #expect(same.output.contains("Nothing to do."))
        try fixture.scratch.shell("rm -r '\(root)/Documents/pantry'; echo other > '\(root)/ReadMe.txt'")
        let words = ["import", file, root.string, "--yes"]
        let refused = try fixture.archive(words, succeeding: false)
        #expect(refused.status == 3 && refused.errors.contains("--on-existing"))
        #expect(!FileManager.default.fileExists(atPath: "\(root)/Documents/pantry"))
        try fixture.archive(words + ["--on-existing", "skip"])
        #expect(try TreeFacts(root).differences(from: before).contains("ReadMe.txt"))
        #expect(FileManager.default.fileExists(atPath: "\(root)/Documents/pantry/documentInfo.plist"))
        let damaged = try TreeFacts(root)
        try fixture.archive(words + ["--on-existing", "replace"])
        #expect(try TreeFacts(root).differences(from: before).filter { $0 != "" && $0 != "Documents" } == [])
        let undo = try Program.run(
            "ticds-journal", ["undo", root.string, "3", "--yes"],
            environment: ["XDG_STATE_HOME": fixture.path("state")])
        #expect(undo.status == 0, "\(undo.errors)")
        #expect(try TreeFacts(root).differences(from: damaged) == [])
    }

    /// Single files: a damaged one and one whose folder is gone come back, and other differences stay.
    @Test func putsSingleFilesBack() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.zst")
        let root = try fixture.bring(file)
        let before = try TreeFacts(root)
        let information = "Documents/cookbook/documentInfo.plist"
        try fixture.scratch.shell(
            "echo x > '\(root)/\(information)'; echo other > '\(root)/ReadMe.txt'; rm -r '\(root)/Documents/pantry'"
        )
        func run(_ paths: [String], _ options: [String] = [], succeeding: Bool = true) throws
            -> Program.Result
        {
            let words = ["import", file, root.string, "--yes"] + paths.flatMap { ["--path", $0] } + options
            return try fixture.archive(words, succeeding: succeeding)
        }
        let refused = try run([information], succeeding: false)
        #expect(refused.status == 3 && refused.errors.contains("--on-existing"), "\(refused.errors)")
        _ = try run([information, "Documents/pantry/documentInfo.plist"], ["--on-existing", "replace"])
        let differences = try TreeFacts(root).differences(from: before)
        #expect(!differences.contains(information) && differences.contains("ReadMe.txt"), "\(differences)")
        #expect(!differences.contains("Documents/pantry/documentInfo.plist"), "\(differences)")
        #expect(differences.contains("Documents/pantry/SyncChanges"), "\(differences)")
        _ = try run(["Documents/pantry"])
        #expect(try !TreeFacts(root).differences(from: before).contains("Documents/pantry/SyncChanges"))
        for wrong in ["Documents/nowhere", "../x", "/", "Documents/cookbook/documentInfo.plist/x"] {
            let result = try run([wrong], succeeding: false)
            #expect(result.status == 2 || result.status == 3, "\(wrong): \(result.output)\(result.errors)")
        }
        let new = try fixture.archive(
            ["import", file, fixture.path("elsewhere/com.example.cookbook"), "--path", information, "--yes"],
            succeeding: false)
        #expect(new.status != 0, "\(new.output)")
    }

    /// Times that the volume rounds, or cannot store, are reported.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func timesThatTheVolumeCannotKeep() throws {
        let fixture = try ArchiveFixture()
        try fixture.scratch.shell("touch -d 2500-01-01T00:00:00Z '\(fixture.root)/ReadMe.txt'")
        let file = try fixture.export("a.tar.zst")
        let library = try #require(FaultyProgram.library)
        let fault = FaultyProgram.Fault.times(last: 15_032_385_535, step: 1)
        try fixture.scratch.shell("mkdir new")
        let words = ["import", file, fixture.path("new"), "--dry-run"]
        func run(_ words: [String]) throws -> Program.Result {
            try Program.run(
                "ticds-archive", words,
                environment: [
                    "XDG_STATE_HOME": fixture.path("state"), "LD_PRELOAD": library.string,
                    "TICDS_FAULT": "\(fault)",
                ])
        }
        let result = try run(words)
        #expect(result.status == 5, "\(result.errors)")
        for word in [
            "warning: The volume cannot keep the times of 1 file,", "ReadMe.txt: 2446-05-10T22:38:55.000Z",
            "2500-01-01T00:00:00.000Z",
        ] {
            #expect(result.output.contains(word), "\(result.output)")
        }
        #expect(try !fixture.archive(words).output.contains("cannot keep"))
        let taken = try run(["extract", file, fixture.path("out"), "--path", "ReadMe.txt"])
        #expect(taken.status == 5 && taken.errors.contains("cannot keep the times"), "\(taken)")
        // Clients apply change sets by their times: files with wrong times are there, and the status shows it.
        let brought = try run(["import", file, fixture.path("new"), "--yes"])
        #expect(brought.status == 5 && brought.output.contains("cannot keep the times"), "\(brought)")
    }

    @Test func undoTakesTheWholeRemoteAway() throws {
        let fixture = try ArchiveFixture()
        let root = try fixture.bring(try fixture.export("a.tar.zst"))
        let undo = try Program.run(
            "ticds-journal", ["undo", root.string, "1", "--yes"],
            environment: ["XDG_STATE_HOME": fixture.path("state")])
        #expect(undo.status == 0, "\(undo.errors)")
        #expect(!FileManager.default.fileExists(atPath: root.string))
    }

    @Test(arguments: [false, true]) func renames(isEncrypted: Bool) throws {
        let demo = try DemoRemote(isEncrypted ? .encrypted : .plain)
        let scratch = try Scratch()
        let file = scratch.path.appending("a.tar.zst").string
        let state = ["XDG_STATE_HOME": scratch.path.string]
        let password = demo.passwordOptions
        _ = try Program.run("ticds-archive", ["export", demo.path, file])
        let root = scratch.path.appending("com.example.other")
        let client = try #require(
            try FileManager.default.contentsOfDirectory(atPath: "\(demo.path)/ClientDevices").sorted().first)
        let words = [
            "import", file, root.string, "--yes", "--rename-document", "pantry=larder", "--rename-client",
            "\(client)=CLIENT-NEW", "--rename-application", "com.example.other",
        ]
        if isEncrypted { #expect(try Program.run("ticds-archive", words, environment: state).status == 4) }
        let result = try Program.run("ticds-archive", words + password, environment: state)
        #expect(result.status == 0, "\(result.errors)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: root.string)
        #expect(!names.contains { $0.contains(client) || $0.contains("pantry") })
        #expect(names.contains("Documents/larder/documentInfo.plist"))
        #expect(names.contains("ClientDevices/CLIENT-NEW/deviceInfo.plist"))
        // Neither lists, nor tombstones, nor registers, nor times contradict the new names.
        #expect(try verifies(root, password) == nil)
        // The old name occurs only where it cannot be recognised: in the bytes of encrypted files.
        if !isEncrypted {
            let left = try Program.shell("grep -rl '\(client)' '\(root)' || true").output
            #expect(left.split(separator: "\n").allSatisfy { $0.contains("WholeStore.ticdsync") }, "\(left)")
        }
        let times = try TreeFacts(root).facts.values.map(\.modified).sorted()
        #expect(try times == TreeFacts(demo.root).facts.values.map(\.modified).sorted())
        let unknown = try Program.run(
            "ticds-archive",
            ["import", file, scratch.path.string, "--yes", "--rename-document", "nope=other"] + password,
            environment: state)
        #expect(unknown.status == 2 && unknown.errors.contains("nope"))
    }

    @Test func encryptsAndDecrypts() throws {
        let fixture = try ArchiveFixture()
        let secret = try fixture.scratch.password("open sesame")
        let plain = try fixture.export("plain.tar.zst")
        let sealed = try fixture.bring(plain, ["--encrypt", "--new-password-file", secret])
        let check = try Program.run(
            "ticds-remote", ["check-password", sealed.string, "--all", "--password-file", secret])
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        #expect(try verifies(sealed, ["--password-file", secret]) == nil)
        let file = fixture.path("decrypted.tar.zst")
        let words = ["export", sealed.string, file, "--decrypt"]
        #expect(try fixture.archive(words, succeeding: false).status == 4)
        try fixture.archive(words + ["--password-file", secret])
        let opened = try fixture.bring(file)
        #expect(try TreeFacts(opened).differences(from: try TreeFacts(fixture.root)) == [])
        // An encrypted remote is archived unchanged, without its password.
        let asItIs = fixture.path("sealed.tar.zst")
        try fixture.archive(["export", sealed.string, asItIs])
        #expect(try TreeFacts(fixture.bring(asItIs)).differences(from: TreeFacts(sealed)) == [])
        let mixed = try fixture.archive(["import", plain, sealed.string, "--yes"], succeeding: false)
        #expect(mixed.status == 3 && mixed.errors.contains("is encrypted"))
    }

    @Test func wantsTheNameOfTheApp() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.zst")
        let wrong = try fixture.archive(["import", file, fixture.path("wrong"), "--yes"], succeeding: false)
        #expect(wrong.status == 3 && wrong.errors.contains("--rename-application"))
        #expect(wrong.errors.contains("no such folder, in which to create com.example.cookbook. To give "))
        let command = "mkdir \(fixture.path("wrong"))"
        #expect(wrong.errors.hasSuffix(": \(command)\n"), "\(wrong.errors)")
        try fixture.scratch.shell(command)
        try fixture.archive(["import", file, fixture.path("wrong"), "--yes"])
        let other = try fixture.archive(
            [
                "import", file, fixture.path("wrong/com.example.cookbook"), "--rename-application",
                "com.other",
            ],
            succeeding: false)
        #expect(other.status == 3 && other.errors.contains("folder's name differs"), "\(other.errors)")
        #expect(
            try fixture.archive(["import", file, fixture.path("no/way"), "--yes"], succeeding: false).status
                == 2)
        let asked = try fixture.archive(
            ["import", file, fixture.path("com.example.cookbook")], succeeding: false)
        #expect(asked.status == 3)
        #expect(!FileManager.default.fileExists(atPath: fixture.path("com.example.cookbook")))
    }

    /// The archive contains little more than the manifest: a full reading finds it truncated.
    @Test func wantsTheNameOfTheAppBeforeItUnpacks() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.gz")
        let bytes = try FileBytes.read(FilePath(file)).array
        let cut = try fixture.scratch.write("cut.tar.gz", Array(bytes[..<(bytes.count * 9 / 10)]))
        let wrong = try fixture.archive(["import", cut, fixture.path("wrong"), "--yes"], succeeding: false)
        #expect(wrong.status == 3 && wrong.errors.contains("--rename-application"))
        let damaged = try fixture.archive(
            ["import", cut, fixture.path("com.example.cookbook"), "--yes"], succeeding: false)
        #expect(damaged.status == 2 && damaged.errors.contains("the end of the file"), "\(damaged.errors)")
    }

    @Test func takesMembersInAnyOrder() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.gz")
        try fixture.scratch.shell(
            """
            mkdir out; tar -xzf '\(file)' -C out; cd out
            (echo ticds-manifest.json; find com.example.cookbook | LC_ALL=C sort -r) > ../names
            tar -cf ../b.tar --no-recursion -T ../names
            """)
        let root = try fixture.bring(fixture.path("b.tar"))
        #expect(try TreeFacts(root).differences(from: TreeFacts(fixture.root)) == [])
    }

    /// Names in the code page CP437 with UTF-8 in the field 0x7075, as from 7-Zip and Info-ZIP, and backslashes, as
    /// from Windows.
    @Test(.enabled(if: Python.available)) func takesNamesOfOtherZips() throws {
        let fixture = try ArchiveFixture()
        let script = """
            import os, struct, zipfile, zlib
            class Info(zipfile.ZipInfo):
                raw = None
                def _encodeFilenameFlags(self): return self.raw, 0
            with zipfile.ZipFile('b.zip', 'w') as new:
                for folder, _, files in os.walk('com.example.cookbook'):
                    for file in files:
                        path = os.path.join(folder, file)
                        info = Info.from_file(path)
                        info.raw = path.replace('/', chr(92)).encode()
                        info.create_system = 0
                        new.writestr(info, open(path, 'rb').read())
                name = 'com.example.cookbook/Größe.txt'
                for right, raw in [(True, name.encode('cp437')), (False, b'com.example.cookbook/plain.txt')]:
                    info = Info(name if right else 'com.example.cookbook/plain.txt')
                    info.raw = raw
                    text = name.encode()
                    sum = zlib.crc32(raw if right else b'another name')
                    info.extra = struct.pack('<HHBL', 0x7075, len(text) + 5, 1, sum) + text
                    new.writestr(info, b'x')
            """
        let program = try fixture.scratch.write("zip.py", Array(script.utf8))
        try fixture.scratch.shell("cd demo; python3 '\(program)'; mv b.zip ..")
        let root = try fixture.bring(fixture.path("b.zip"))
        let names = try FileManager.default.contentsOfDirectory(atPath: root.string)
        #expect(Set(names).isSuperset(of: ["Größe.txt", "plain.txt", "Documents", "ReadMe.txt"]), "\(names)")
        #expect(try fixture.archive(["verify", fixture.path("b.zip")]).status == 0)
        for (path, fact) in try TreeFacts(fixture.root).facts where fact.kind == .file {
            let new = try FileBytes.read(FilePath(pathBytes: Array("\(root)/".utf8) + path)).array
            #expect(new == fact.content, "\(String(decoding: path, as: UTF8.self))")
        }
    }

    /// The modes are the same with any umask.
    @Test func givesAllFilesTheModeOfTheFolderAround() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.zst")
        let modes = try fixture.scratch.shell(
            """
            export XDG_STATE_HOME='\(fixture.path("state"))'; mkdir in; chmod 751 in; umask 077
            ticds-archive import '\(file)' in --yes --quiet >/dev/null
            find in -mindepth 1 -printf '%y %m\\n' | sort -u
            """)
        #expect(modes == "d 751\nf 640\n")
    }
}
