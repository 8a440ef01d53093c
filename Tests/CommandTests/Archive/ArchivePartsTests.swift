import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// `ticds-archive find`, `diff` and `extract`.
@Suite struct ArchivePartsTests {
    @Test func finds() throws {
        let fixture = try ArchiveFixture()
        let archives = [try fixture.export("a.tar.zst"), try fixture.export("b.zip")]
        let plain = fixture.path("plain.tar")
        try fixture.scratch.shell("tar cf plain.tar -C demo com.example.cookbook")
        for words in [
            ["--document", "pantry"], ["--document", "Family"],
            ["--client", "borge", "--type", "recentSync"],
            ["--name", "readme"], ["--type", "wholeStore", "--type", "register"],
        ] {
            let found = try (archives + [plain]).map {
                try fixture.archive(["find", $0, "--json"] + words).output
            }
            let paths = found.map {
                $0.split(separator: "\n").compactMap { $0.firstMatch(of: /"path":"([^"]*)"/)?.1 }
            }
            #expect(!paths[0].isEmpty && paths[0] == paths[1] && paths[0] == paths[2], "\(words): \(paths)")
        }
        let both = try fixture.archive(
            ["find"] + archives + ["--name", "documentInfo", "--document", "pantry"])
        #expect(both.output.contains("a.tar.zst ") && both.output.contains("b.zip "), "\(both.output)")
        let none = try fixture.archive(["find", archives[0], "--document", "nothing"], succeeding: false)
        #expect(none.status == 1 && none.errors.isEmpty, "\(none.errors)")
        #expect(none.output == "No entry matches the options.\n", "\(none.output)")
        let part = try fixture.archive(
            ["find", fixture.path("no.tar"), archives[0], "--name", "salt"], succeeding: false)
        #expect(part.status == 5 && part.errors.contains("no.tar"), "\(part.errors)")
    }

    @Test func comparesArchivesAndRemotes() throws {
        let fixture = try ArchiveFixture()
        let before = try fixture.export("before.tar.zst")
        for other in [fixture.root.string, try fixture.export("same.zip")] {
            let same = try fixture.archive(["diff", before, other])
            #expect(same.output == "No differences.\n", "\(same.output)")
        }
        try fixture.scratch.shell(
            """
            cd demo/com.example.cookbook; rm ReadMe.txt; echo new >Documents/pantry/new
            printf x | dd of=Documents/pantry/documentInfo.plist bs=1 seek=9 conv=notrunc 2>/dev/null
            touch -r Documents/cookbook Documents/pantry/documentInfo.plist; touch Documents/cookbook/documentInfo.plist
            """)
        let after = try fixture.export("after.zip")
        for words in [[before, fixture.root.string], [before, after]] {
            let result = try fixture.archive(["diff"] + words, succeeding: false)
            #expect(result.status == 1)
            for line in [
                #"added +4 B  Documents/pantry/new"#, #"removed +\d+ B +ReadMe.txt"#,
                #"changed +517 B +517 B  Documents/pantry/documentInfo.plist"#,
                #"other time .* Documents/cookbook/documentInfo.plist"#,
                #"4 differences: added 1, removed 1, changed 1, other time 1."#,
            ] { #expect(result.output.contains(try Regex(line)), "\(words), \(line): \(result.output)") }
        }
        let turned = try fixture.archive(["diff", fixture.root.string, before], succeeding: false)
        #expect(turned.output.contains("added 1, removed 1, changed 1"), "\(turned.output)")
        let remotes = try fixture.archive(
            ["diff", fixture.root.string, fixture.root.string], succeeding: false)
        #expect(remotes.status == 0, "\(remotes.errors)")
    }

    @Test func takesOut() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.zst")
        try fixture.archive(["extract", file, fixture.path("out"), "--document", "Pantry"])
        let out = fixture.place.appending("out").appending("com.example.cookbook")
        for part in ["Documents/pantry", "ClientDevices"] {
            let (old, new) = (
                try TreeFacts(fixture.root.pushing(FilePath(part))),
                try TreeFacts(out.pushing(FilePath(part)))
            )
            #expect(old == new, "\(old.differences(from: new))")
        }
        #expect(try FileStatus.ifPresent(out.pushing("Documents/cookbook")) == nil)
        #expect(try Program.run("ticds-inspect", ["status", out.string]).status == 0)
        try fixture.archive([
            "extract", file, fixture.path("one"), "--path", "Documents/pantry/documentInfo.plist",
        ])
        let names = try fixture.scratch.shell("cd one; find . -type f")
        #expect(names == "./com.example.cookbook/Documents/pantry/documentInfo.plist\n")
        let mode = try FileStatus.of(
            fixture.place.pushing("one/com.example.cookbook/Documents/pantry/documentInfo.plist")
        ).mode
        try fixture.scratch.shell("touch ordinary")
        let ordinary = try FileStatus.of(fixture.scratch.path.appending("ordinary")).mode
        #expect(mode == ordinary, "the umask decides, as with tar")
        // An archive whose rest is missing gives the files before that.
        let bytes = try FileBytes.read(FilePath(try fixture.export("plain.tar.gz", ["--level", "1"]))).array
        let cut = try fixture.scratch.write("cut.tar.gz", Array(bytes.dropLast(1000)))
        try fixture.archive(["extract", cut, fixture.path("early"), "--path", "ClientDevices"])
        let late = try fixture.archive(
            ["extract", cut, fixture.path("late"), "--path", "ReadMe.txt"], succeeding: false)
        #expect(late.status == 2, "\(late.errors)")
        #expect(
            late.errors.contains("ReadMe.txt could not be read, because the archive is damaged"),
            "\(late.errors)")
        #expect(late.errors.contains(/after \d+ unpacked bytes/), "\(late.errors)")
    }

    /// An archive of a part lacks the rest by design.
    @Test func entriesOutsideAPartAreNoDifferences() throws {
        let fixture = try ArchiveFixture()
        let whole = try fixture.export("whole.tar.zst")
        let part = try fixture.export("part.tar.zst", ["--document", "pantry"])
        let stores = try fixture.export("stores.zip", ["--only", "whole-stores"])
        for words in [[whole, part], [part, whole], [part, fixture.root.string], [stores, whole]] {
            let result = try fixture.archive(["diff"] + words, succeeding: false)
            #expect(result.status == 0, "\(words): \(result.output)")
            #expect(
                result.output.contains(/not part .*Documents\/cookbook/)
                    && result.output.contains("No differences in what both have."),
                "\(words): \(result.output)")
            let archive = words[0] == whole ? words[1] : words[0]
            #expect(
                result.output.contains(try Regex(#"Not compared: \d+ entries not part of \#(archive), "#)),
                "\(words): \(result.output)")
        }
        try fixture.scratch.shell("echo new >demo/com.example.cookbook/Documents/pantry/new")
        let changed = try fixture.archive(["diff", part, fixture.root.string], succeeding: false)
        #expect(changed.status == 1 && changed.output.contains("1 difference: added 1."), "\(changed.output)")
    }

    @Test func textInPlaceOfAnArchiveIsNamed() throws {
        let fixture = try ArchiveFixture(["--change-sets", "1"])
        let file = try fixture.export("a.tar.zst")
        for words in [["Family cookbook", file], [file, "Family cookbook"]] {
            let result = try fixture.archive(["find"] + words, succeeding: false)
            #expect(result.status == 2 && result.output.isEmpty, "\(result.output)\(result.errors)")
            #expect(
                result.errors.contains("ticds-archive find --name 'Family cookbook' \(file)"),
                "\(result.errors)")
        }
    }

    /// A document before the damage is extracted, although its companions come after it.
    @Test func documentBeforeTheDamageIsTakenOut() throws {
        let fixture = try ArchiveFixture()
        let zipped = try fixture.export("a.tar.gz")
        try fixture.scratch.shell(
            """
            gzip -dc '\(zipped)' >a.tar
            python3 - <<'PYTHON'
            import tarfile
            with tarfile.open("a.tar") as tar:
                readme = [m for m in tar if m.name.endswith("ReadMe.txt")][0]
                document = [m for m in tar if m.name.endswith("pantry/documentInfo.plist")][0]
            data = open("a.tar", "rb").read()
            open("readme.tar", "wb").write(data[:readme.offset])
            open("document.tar", "wb").write(data[:document.offset])
            PYTHON
            """)
        let early = try fixture.archive(
            ["extract", fixture.path("readme.tar"), fixture.path("out"), "--document", "pantry"],
            succeeding: false)
        #expect(early.status == 5, "\(early.errors)")
        #expect(
            early.errors.contains("ReadMe.txt could not be read, because the archive is damaged before it"),
            "\(early.errors)")
        try fixture.scratch.shell(
            "diff -r out/com.example.cookbook/Documents/pantry '\(fixture.root)/Documents/pantry'")
        let late = try fixture.archive(
            ["extract", fixture.path("document.tar"), fixture.path("no"), "--document", "pantry"],
            succeeding: false)
        #expect(late.status == 2, "\(late.errors)")
        #expect(
            late.errors.contains(
                "Documents/pantry/documentInfo.plist (and 1 other) could not be read, because the archive is damaged"
            ),
            "\(late.errors)")
        #expect(try FileStatus.ifPresent(fixture.place.appending("no")) == nil)
    }

    /// For a path that is nearly one of the archive, the error lists the matching paths, and `find` prints paths that
    /// can be pasted.
    @Test func nearlyRightPathGetsAdvice() throws {
        let fixture = try ArchiveFixture()
        let odd = fixture.root.appending("Documents/pantry/an odd name")
        try TestFiles.write(odd, [1])
        let plist = "--path Documents/pantry/documentInfo.plist"
        for file in [try fixture.export("a.tar.zst"), try fixture.export("a.zip")] {
            for (path, option) in [
                ("com.example.cookbook/Documents/pantry/documentInfo.plist", plist),
                ("pantry/documentInfo.plist", plist), ("documentInfo.plist", plist),
                ("Documents/pantry/*.plist", plist), ("*/documentInfo.pl?st", plist),
                ("pantr?", "--path Documents/pantry"),
                ("odd*", ""), ("*odd*", "--path 'Documents/pantry/an odd name'"),
            ] {
                let result = try fixture.archive(
                    ["extract", file, fixture.path("x"), "--path", path], succeeding: false)
                let advice = option.isEmpty ? "ticds-archive find shows" : "Did you mean --path "
                #expect(result.status == 2 && result.errors.contains(advice), "\(path): \(result.errors)")
                #expect(option.isEmpty || result.errors.contains(option), "\(path): \(result.errors)")
                #expect(result.errors.split(separator: "--path ").count <= 6, "\(path): \(result.errors)")
            }
            let found = try fixture.archive(["find", file, "--name", "odd"])
            #expect(found.output.contains(" 'Documents/pantry/an odd name'\n"), "\(found.output)")
        }
    }

    /// Nothing is overwritten, and nothing is left after a failure.
    @Test func refuses() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.zst")
        let before = try fixture.scratch.shell("find . | sort")
        for (words, status, message) in [
            ([file, fixture.path("demo"), "--document", "pantry"], Int32(3), "already exists"),
            ([file, fixture.root.appending("in").string, "--document", "pantry"], 3, "lies in a remote"),
            (
                [file, fixture.path("x"), "--path", "Documents/nothing"], 2,
                "does not contain Documents/nothing"
            ),
            ([file, fixture.path("x"), "--document", "nothing"], 2, "no such document"),
            ([file, fixture.path("x"), "--path", "../x"], 3, "not a path below a remote"),
            ([file, fixture.path("x"), "--path", "/etc/passwd"], 2, "does not contain etc/passwd"),
            ([file, fixture.path("no/x"), "--document", "pantry"], 2, "no such"),
            ([file, fixture.path("x")], 64, "Name what to take out"),
        ] {
            let result = try fixture.archive(["extract"] + words, succeeding: false)
            #expect(result.status == status && result.errors.contains(message), "\(words): \(result.errors)")
        }
        #expect(try fixture.scratch.shell("find . | sort") == before)
    }

    /// The command that the refusal prints brings a missing file back, and keeps those that are there.
    @Test func refusalOfRemoteNamesTheWayBackIntoIt() throws {
        let fixture = try ArchiveFixture()
        let file = try fixture.export("a.tar.zst")
        let before = try TreeFacts(fixture.root)
        try fixture.scratch.shell("rm -r '\(fixture.root)/Documents/cookbook/IntegrityKey'")
        let words = ["--path", "Documents/cookbook/IntegrityKey"]
        for place in [fixture.root, fixture.root.removingLastComponent()] {
            let refused = try fixture.archive(["extract", file, place.string] + words, succeeding: false)
            #expect(refused.status == 3)
            #expect(
                refused.errors.contains("ticds-archive import \(file) \(fixture.root) --on-existing skip;"),
                "\(refused.errors)")
        }
        try fixture.scratch.shell("mkdir plain; touch plain/file")
        let plain = try fixture.archive(["extract", file, fixture.path("plain")] + words, succeeding: false)
        #expect(plain.status == 3 && !plain.errors.contains("import"), "\(plain.errors)")
        try fixture.archive(["import", file, fixture.root.string, "--on-existing", "skip", "--yes"])
        let differences = try TreeFacts(fixture.root).differences(from: before)
        #expect(differences.filter { !["", "Documents", "Documents/cookbook"].contains($0) } == [])
    }

    /// The archives that import refuses are refused when parts of them are wanted, too.
    @Test(.enabled(if: Python.available)) func hostileArchives() throws {
        let fixture = try ArchiveFixture(["--change-sets", "1"])
        let some: Set = ["traversal", "link and through it", "twice"]
        for evil in HostileArchiveImportTests.evils where evil.name != "zero bomb" {
            guard LongTests.areWanted || some.contains(evil.name) else { continue }
            let script = Array((HostileArchiveImportTests.tar + evil.script + "\ntar.close()\n").utf8)
            let program = try fixture.scratch.write("evil.py", script)
            try fixture.scratch.shell("python3 '\(program)' evil.tar.gz")
            let file = fixture.path("evil.tar.gz")
            let extracted = try fixture.archive(
                [
                    "extract", file, fixture.path("out"), "--path", "Documents", "--path", "escape", "--path",
                    "ReadMe.txt",
                ],
                succeeding: false)
            #expect(extracted.status != 0, "\(evil.name)")
            #expect(try FileStatus.ifPresent(fixture.place.appending("out")) == nil, "\(evil.name)")
            #expect(try FileStatus.ifPresent(fixture.place.appending("escape")) == nil, "\(evil.name)")
            #expect(try FileStatus.ifPresent("/tmp/escape") == nil, "\(evil.name)")
            for words in [["find", file, "--name", "e"], ["diff", file, fixture.root.string]] {
                let result = try fixture.archive(words, succeeding: false)
                #expect([0, 1, 2, 3].contains(result.status), "\(evil.name), \(words): \(result.status)")
                #expect(
                    !result.output.contains("\u{1B}") && !result.errors.contains("\u{1B}"), "\(evil.name)")
            }
        }
    }
}
