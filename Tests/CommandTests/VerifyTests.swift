import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// `ticds-verify` as scripts and users run it.
@Suite struct VerifyTests {
    @Test func aSoundRemoteEndsWithZero() throws {
        let demo = try DemoRemote(changeSets: 4)
        let result = try Program.run("ticds-verify", [demo.path, "--level", "deep"])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.hasPrefix("\(demo.path): "))
        #expect(result.output.contains("at level deep"))
        #expect(result.errors.isEmpty)
    }

    @Test func findingsEndWithOne() throws {
        let demo = try DemoRemote(.damaged)
        let result = try Program.run("ticds-verify", [demo.path])
        #expect(result.status == 1)
        #expect(result.output.contains("error TICDS-0612"), "\(result.output)")
        #expect(result.output.contains("Document cookbook (Family cookbook)"))
        #expect(result.output.contains("Anna’s"), "clients are called by their names")
        #expect(result.output.contains("    $ "), "there is a command that helps")
    }

    /// The threshold, the ignored kinds, and the number of shown findings.
    @Test func findingsCanBeChosen() throws {
        let demo = try DemoRemote(.damaged, changeSets: 40)
        func run(_ words: String...) throws -> Program.Result {
            try Program.run("ticds-verify", [demo.path] + words)
        }
        #expect(try run("--ignore", "TICDS-0612").status == 0)
        #expect(try run("--ignore", "0612", "--fail-on", "note").status == 1, "uploads leave leftovers")
        let only = try run("--only", "0612")
        #expect(only.status == 1)
        #expect(
            only.output.contains(/: 1 error; \d+ findings? left out \(--only, --ignore\)\n/), "\(only.output)"
        )
        #expect(!only.output.contains("TICDS-09"))
        let few = try run("--max-findings", "1")
        #expect(few.output.contains("not shown (--max-findings)"), "\(few.output)")
        #expect(try run("--ignore", "nonsense").status == 64)
        #expect(try run("--fail-on", "nonsense").status == 64)
        #expect(try run("--max-findings", "-1").status == 64)
    }

    /// The verdict says what it does not cover.
    @Test func verdictNamesWhatOptionsLeaveOut() throws {
        let demo = try DemoRemote(.damaged, changeSets: 40)
        func run(_ words: String...) throws -> String {
            try Program.run("ticds-verify", [demo.path] + words).output
        }
        let others = "left out (--only, --ignore)"
        for words in [["--ignore", "0612"], ["--only", "0101"]] {
            for line in [[], ["--one-line"]] {
                let result = try Program.run("ticds-verify", [demo.path] + words + line)
                #expect(result.status == 0 && result.output.contains(others), "\(words): \(result.output)")
                #expect(!result.output.contains("nothing wrong"), "\(words): \(result.output)")
            }
        }
        #expect(try run("--only", "0101").contains(": no finding of those that were asked for; "))
        #expect(try run("--repair", "--dry-run", "--only", "0101").contains(others))
        #expect(try run("--document", "pantry").contains("; of the documents, only pantry was verified"))
        #expect(
            try run("--document", "pantry", "--one-line").contains(
                "; of the documents, only pantry was verified"))
        let all = try run()
        #expect(!all.contains("left out") && !all.contains("was verified"), "\(all)")
        let info = "\(demo.path)/Documents/cookbook/documentInfo.plist"
        let file = try Program.run("ticds-verify", ["file", info, "--only", "0101"])
        #expect(file.output == "Examined 1 file: 0 findings.\n", "\(file.output)")
        try TestFiles.write(FilePath(info), Array("nothing".utf8))
        let damaged = try Program.run("ticds-verify", ["file", info, "--only", "0101"])
        #expect(damaged.output == "Examined 1 file: 0 findings; 1 finding \(others).\n", "\(damaged.output)")
    }

    @Test(.enabled(if: Python.available)) func jsonLinesEndWithASummary() throws {
        let demo = try DemoRemote(.damaged)
        let result = try Program.run("ticds-verify", [demo.path, "--json"])
        let script = """
            found = lines(sys.argv[1])
            assert found[-1]['schema'] == 'ticds.verify/1'
            summary = found.pop()
            assert found and all(line['schema'] == 'ticds.finding/1' for line in found)
            assert summary['errors'] == sum(line['severity'] == 'error' for line in found) == 1
            assert summary['complete'] and summary['left']['count'] == 0
            assert [line['reason'] for line in summary['slow']] and all(line['count'] > 0 for line in summary['slow'])
            assert sum(line['count'] for line in summary['counts']) == len(found)
            bad = [line for line in found if line['code'] == 'TICDS-0612'][0]
            assert bad['document'] == 'cookbook' and bad['path'].endswith('.syncchg') and bad['remedy']
            for step in bad['remedy']:
                assert set(step) == {'command', 'sentence'} and (step['command'] is None) != (step['sentence'] is None)
            assert any((step['command'] or '').startswith('ticds-') for step in bad['remedy']), bad['remedy']
            assert all(step['sentence'] is None or step['sentence'][0].isupper() for step in bad['remedy'])
            assert bad['client'] in bad['path']
            assert all(bad['client'] not in one['clients'] for one in bad['affected'])
            assert os.path.isfile(os.path.join(summary['remote'], bad['path']))
            """
        #expect(try PythonCheck.complaint(script, on: [result.bytes]) == "")
    }

    /// The remedies work: the repair, which can be undone, and the manual steps.
    @Test func theRemediesHelp() throws {
        let demo = try DemoRemote(changeSets: 4)
        let home = try Scratch()
        try home.shell("printf x >> '\(try demo.changeSets[0])'")
        let found = try Program.run("ticds-verify", [demo.path, "--only", "0603"])
        let commands = found.output.split(separator: "\n").filter { $0.hasPrefix("    $ ") }
            .map { String($0.dropFirst(6)) }
        try #require(commands.count == 4, "\(found.output)")
        let environment = ["HOME": home.path.string]
        func shell(_ command: String) throws -> Program.Result {
            try Program.shell(
                "p=$PWD; cd '\(home.path)' && PATH=$p:$PATH && \(command)", environment: environment)
        }
        func check(_ command: String, finds status: Int32) throws {
            let done = try shell(command)
            #expect(done.status == 0, "\(command): \(done.errors)")
            #expect(try Program.run("ticds-verify", [demo.path, "--only", "0603"]).status == status)
        }
        let salvage = try shell(commands[0])
        #expect(salvage.status == 5, "\(salvage)")
        let left = try shell(commands[1])
        #expect(left.status == 0 && !left.output.isEmpty, "\(left)")
        try check("\(commands[2]) --yes", finds: 0)
        try check("ticds-journal undo \(demo.path) 1 --yes", finds: 1)
        try check(commands[3], finds: 0)
        #expect(try RemoteFiles.named(".syncchg", below: home.path).count == 2, "nothing is deleted")
    }

    /// The edits reach every client, and the file has its original content again.
    @Test func aSetWithoutItsEndIsWrittenAgain() throws {
        let demo = try DemoRemote(.damaged, changeSets: 40)
        let home = ["HOME": demo.scratch.path.string]
        let repair = try Program.run(
            "ticds-verify", [demo.path, "--repair", "--only", "0612", "--yes"], environment: home)
        #expect(repair.status == 0 && repair.output.contains("written again from its"), "\(repair)")
        let after = try Program.run("ticds-verify", [demo.path])
        #expect(after.status == 0, "\(after.output)")
        #expect(
            try Program.run("ticds-journal", ["undo", demo.path, "1", "--yes"], environment: home).status == 0
        )
        #expect(try Program.run("ticds-verify", [demo.path, "--only", "0612"]).status == 1)
    }

    @Test func encryptedRemotes() throws {
        let demo = try DemoRemote(.encrypted)
        let locked = try Program.run("ticds-verify", [demo.path])
        #expect(locked.status == 4)
        #expect(locked.output.contains("TICDS-0509"), "\(locked.output)")
        let first = locked.output.prefix { $0 != "\n" }
        #expect(first.contains("files not opened (no password)"), "\(first)")
        #expect(!locked.output.contains("harmless"))
        let meant = try Program.run("ticds-verify", [demo.path, "--without-password"])
        #expect(meant.status == 0 && meant.output.contains("files not opened"), "\(meant.output)")
        for level in ["names", "headers"] {
            let shallow = try Program.run("ticds-verify", [demo.path, "--level", level])
            #expect(shallow.status == 0 && !shallow.output.contains("not opened"), "\(shallow.output)")
        }
        let json = try Program.run("ticds-verify", [demo.path, "--json", "--level", "deep"])
        #expect(json.status == 4 && json.output.contains("\"complete\":false"), "\(json.output)")
        #expect(
            json.output.contains(#""notOpened":{"count":"#)
                && !json.output.contains(#""notOpened":{"count":0"#))
        let both = ["--without-password"] + demo.passwordOptions
        #expect(try Program.run("ticds-verify", [demo.path] + both).status == 64)
        let page = demo.scratch.path.appending("report.html").string
        let report = try Program.run("ticds-inspect", ["report", demo.path, "--html", page])
        #expect(report.status == 4 && report.output.contains("files not opened"), "\(report.output)")
        let open = try Program.run("ticds-verify", [demo.path] + demo.passwordOptions)
        #expect(open.status == 0, "\(open.output)")
        #expect(!open.output.contains("TICDS-05"))
        let wrong = try demo.scratch.write("wrong", Array("wrong".utf8))
        #expect(try Program.run("ticds-verify", [demo.path, "--password-file", wrong]).status == 4)
    }

    /// An unchecked file is not reported as intact: neither a property list of 33 MiB nor a zip that grows endlessly.
    @Test func whatIsTooLargeToBeCheckedIsAWarning() throws {
        let demo = try DemoRemote()
        try demo.scratch.shell(
            """
            cd '\(demo.path)/ClientDevices'; file=$(ls -d */deviceInfo.plist | head -n 1)
            truncate -s 33M "$file"
            """)
        let list = try Program.run("ticds-verify", [demo.path])
        #expect(list.status == 1 && list.output.contains("warning TICDS-0719"), "\(list.output)")
        #expect(!list.output.contains("harmless"), "\(list.output)")
        let bomb = try DemoRemote()
        try bomb.scratch.shell(
            """
            python3 - '\(try #require(try bomb.wholeStores.first))' <<'END'
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as zip:
                with zip.open('cookbook', 'w') as entry:
                    for _ in range(300): entry.write(bytes(1 << 20))
            END
            """)
        let zip = try Program.run("ticds-verify", [bomb.path])
        #expect(zip.status == 1 && zip.output.contains("warning TICDS-0719"), "\(zip.output)")
    }

    @Test func whatIsNoRemoteCannotBeChecked() throws {
        #expect(try Program.run("ticds-verify", ["/nowhere"]).status == 2)
        #expect(try Program.run("ticds-verify", ["/usr/lib"]).status == 2)
        #expect(try Program.run("ticds-verify", []).status == 64)
    }

    @Test func singleFiles() throws {
        let demo = try DemoRemote(.damaged)
        let sets = try demo.changeSets
        let all = try Program.run("ticds-verify", ["file"] + sets)
        #expect(all.status == 1)
        #expect(all.output.contains("TICDS-0612"))
        #expect(all.output.contains("Examined 8 files: 1 finding."), "\(all.output)")
        let scratch = try Scratch()
        try scratch.shell("cp '\(sets[0])' alone.syncchg; head -c 300 alone.syncchg > cut.syncchg")
        let alone = try Program.run("ticds-verify", ["file", "\(scratch.path)/alone.syncchg"])
        #expect(alone.status == 0, "\(alone.output)")
        let cut = try Program.run("ticds-verify", ["file", "\(scratch.path)/cut.syncchg"])
        #expect(cut.status == 1)
        #expect(cut.output.contains("TICDS-0603"), "\(cut.output)")
        // There is no remote around the file that a repair could change.
        let here = try scratch.shell("'\(Program.path("ticds-verify"))' file cut.syncchg || test $? = 1")
        #expect(here.contains("TICDS-0603") && here.contains("./cut.syncchg"), "\(here)")
        for output in [here, cut.output] { #expect(!output.contains("--repair"), "\(output)") }
        #expect(try Program.run("ticds-verify", ["file", "/nowhere"]).status == 2)
        #expect(try Program.run("ticds-verify", ["file", "/nowhere", sets[0]]).status == 5)
    }

    @Test func everyCodeIsExplained() throws {
        let list = try Program.run("ticds-verify", ["explain"])
        let codes = list.output.matches(of: /TICDS-\d{4}/).map { String($0.0) }
        #expect(codes.count > 60)
        let pages = try Program.run("ticds-verify", ["explain"] + codes)
        #expect(pages.status == 0)
        for code in codes { #expect(pages.output.contains("\(code): ")) }
        #expect(try Program.run("ticds-verify", ["explain", "TICDS-9999"]).status == 64)
    }

    @Test func theManualPageIsThatOfTheCatalogue() throws {
        let page = try FileBytes.read(FilePath(ManualPage.package.path).appending("man/ticds-findings.7"))
        let written = try Program.run("ticds-verify", ["explain", "--manual"])
        #expect(written.bytes == page.array, "make manual renews it")
    }
}
