import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Commands that read take an archive in the place of a remote, and print the same.
@Suite(.waiting) struct ArchivePlaceTests {
    /// A demonstration remote and an archive of it.
    private struct Place {
        let demo: DemoRemote
        let archive: String
        /// A folder in which nothing may be written.
        let state: Scratch

        init(_ kind: DemoRemote.Kind, _ form: String) throws {
            demo = try DemoRemote(kind, changeSets: 6)
            state = try Scratch()
            // What an archive never has, so that it is unknown.
            try demo.scratch.shell("find demo -type l -delete")
            let folder = demo.scratch.path.appending("archives")
            try TestFiles.makeFolder(folder)
            let first = folder.appending(form == "incremental" ? "full.tar.zst" : "a.\(form)").string
            try Self.export(demo, first, [])
            guard form == "incremental" else {
                archive = first
                return
            }
            try demo.scratch.shell("cd '\(demo.path)'; echo new > new.txt; touch -d 2013-05-01 ReadMe.txt")
            archive = folder.appending("later.tar.zst").string
            try Self.export(demo, archive, ["--base", first])
        }

        private static func export(_ demo: DemoRemote, _ file: String, _ options: [String]) throws {
            let made = try Program.run("ticds-archive", ["export", demo.path, file] + options)
            try #require(made.status == 0, "\(made.errors)")
        }

        var root: String { "\(archive)/com.example.cookbook" }
        var environment: [String: String] {
            ["HOME": state.path.string, "TMPDIR": state.path.string, "XDG_STATE_HOME": "\(state.path)/state"]
        }

        func run(_ program: String, _ arguments: [String]) throws -> Program.Result {
            try Program.run(program, arguments, environment: environment)
        }
    }

    private static func commands(on remote: String) -> [ReadingCommand] {
        let others = [
            ("ticds-client", ["show", remote, "D28481A5"]), ("ticds-inspect", ["metrics", remote]),
            ("ticds-store", ["check", remote, "--document", "cookbook"]),
            ("ticds-store", ["dump", remote, "--document", "pantry", "--client", "Anna's MacBook"]),
            ("ticds-integrity", ["check", remote]), ("ticds-changes", ["diff", remote]),
        ]
        return ReadingCommand.all(on: remote)
            + others.map { ReadingCommand(program: $0.0, arguments: $0.1, schema: nil) }
    }

    /// The output and the errors without the place, and without the duration of a run.
    private static func comparable(_ result: Program.Result, _ places: [String]) -> String {
        var text = result.output + result.errors
        for place in places { text = text.replacing(place, with: "ROOT") }
        // Work by hand is for the remote that is imported from the archive.
        return text.withoutRemedies.replacing(#/\n *(\$ |An archive is never).*/#, with: "")
            .replacing(#/"location": "[a-z]+",\s*"capabilities": (null|\{[^}]*\}),\s*/#, with: "")
            .replacing(#/"seconds": ?[0-9.]+| in [0-9.]+ m?s\b/#, with: "")
    }

    @Test(arguments: DemoRemote.Kind.allCases, ["tar.zst", "zip", "incremental"])
    func printsTheSameAsOnItsFolder(kind: DemoRemote.Kind, form: String) throws {
        let place = try Place(kind, form)
        let (mine, its) = (Self.commands(on: place.demo.path), Self.commands(on: place.archive))
        for (folder, archive) in zip(mine, its) {
            for options in [[], ["--json"]] {
                let password = place.demo.passwordOptions
                let expected = try folder.run(options, password: password, environment: place.environment)
                let found = try archive.run(options, password: password, environment: place.environment)
                #expect(found.status == expected.status, "\(archive.text): \(found.errors)")
                #expect(
                    Self.comparable(found, [place.root, place.archive])
                        == Self.comparable(expected, [place.demo.path]), "\(archive.text) \(options)")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.state.path.string) == [])
    }

    /// The location that commands print is one that they take.
    @Test func takesTheLocationThatItPrints() throws {
        let place = try Place(.plain, "tar.zst")
        let whole = try place.run("ticds-inspect", ["status", place.archive])
        #expect(whole.status == 0, "\(whole.errors)")
        #expect(try place.run("ticds-inspect", ["status", place.root]).output == whole.output)
        #expect(try place.run("ticds-inspect", ["status", "\(place.archive)/other"]).status == 2)
        let variable = place.environment.merging(["TICDS_REMOTE": place.archive]) { $1 }
        #expect(try Program.run("ticds-inspect", ["status"], environment: variable).output == whole.output)
    }

    /// Commands that read stores take the path of a whole store in an archive, and name it in place of their copy.
    @Test(arguments: DemoRemote.Kind.allCases, ["tar.zst", "zip", "incremental"])
    func takesPathsOfWholeStores(kind: DemoRemote.Kind, form: String) throws {
        let place = try Place(kind, form)
        let stores = "Documents/cookbook/WholeStore"
        let clients = try FileManager.default.contentsOfDirectory(atPath: "\(place.demo.path)/\(stores)")
        let store = "\(stores)/\(try #require(clients.min()))/WholeStore.ticdsync"
        let commands: [(program: String, before: [String], after: [String])] = [
            ("ticds-store", ["info"], []), ("ticds-store", ["info"], ["--json"]),
            ("ticds-store", ["dump"], ["--entity", "Recipe"]),
            ("ticds-store", ["dump"], ["--entity", "none"]),
            ("ticds-store", ["history"], []), ("ticds-store", ["check"], []),
            ("ticds-store", ["recover"], ["--deleted"]),
            ("ticds-model", ["find"], [place.demo.scratch.path.appending("demo").string]),
        ]
        for (program, before, after) in commands {
            let results = try [place.demo.path, place.root, place.archive].map { root in
                try place.run(program, before + ["\(root)/\(store)"] + after + place.demo.passwordOptions)
            }
            let texts = results.map { Self.comparable($0, [place.root, place.archive, place.demo.path]) }
            #expect(results.map(\.status) == results.map { _ in results[0].status }, "\(before): \(texts)")
            #expect(texts[1] == texts[0] && texts[2] == texts[0], "\(before): \(texts)")
            #expect(!texts[1].contains("/proc/self") && !texts[1].contains("/ticds."), "\(texts[1])")
        }
        let missing = try place.run("ticds-store", ["info", "\(place.root)/Documents/no/WholeStore/x"])
        #expect(missing.status == 2 || missing.status == 4, "\(missing.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.state.path.string) == [])
    }

    /// Commands that change a remote refuse an archive, and write nothing.
    @Test func isNeverChanged() throws {
        let place = try Place(.plain, "tar.zst")
        let archive = place.archive
        let before = try FileBytes.read(FilePath(archive), limit: .anyFile).array
        let commands: [(String, [String])] = [
            ("ticds-client", ["delete", archive, "Anna's iPhone", "--yes"]),
            ("ticds-document", ["delete", archive, "pantry", "--yes"]),
            ("ticds-vacuum", [archive, "--yes"]), ("ticds-verify", [archive, "--repair", "--yes"]),
            ("ticds-remote", ["encrypt", archive, "--password-command", "echo x", "--yes"]),
            ("ticds-remote", ["encrypt", archive]), ("ticds-remote", ["change-password", archive]),
            ("ticds-remote", ["decrypt", archive]), ("ticds-remote", ["remove", archive, "--yes"]),
            ("ticds-integrity", ["reset", archive, "--document", "pantry", "--yes"]),
            ("ticds-remote", ["copy", place.demo.path, archive, "--yes"]),
            ("ticds-remote", ["snapshot", archive, place.state.path.string]),
            ("ticds-fleet", ["add", archive]),
        ]
        for (program, arguments) in commands {
            let result = try place.run(program, arguments)
            #expect(result.status == 3, "\(program) \(arguments): \(result.status) \(result.errors)")
        }
        #expect(try FileBytes.read(FilePath(archive), limit: .anyFile).array == before)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(place.demo.scratch.path)/archives").count
                == 1)
    }

    /// The samples are archives with one remote, or with the remotes before and after an operation.
    @Test(.enabled(if: Samples.available, "needs the samples")) func readsTheSamples() throws {
        let state = try Scratch()
        let folder = Samples.path("remotes")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()
        let archives = names.filter { $0.hasSuffix(".tar.gz") }
        #expect(archives.count > 10)
        for name in archives {
            let archive = folder.appending(name).string
            let all = try state.shell("rm -rf x; mkdir x; tar -xzf '\(archive)' -C x; ls x").split(
                separator: "\n")
            for part in all {
                let arguments = ["list", "\(archive)/\(part)", "--utc"]
                let found = try Program.run("ticds-changes", arguments)
                let expected = try Program.run("ticds-changes", ["list", "\(state.path)/x/\(part)", "--utc"])
                #expect(found.status == expected.status, "\(name) \(part): \(found.errors)")
                #expect(found.output == expected.output, "\(name) \(part)")
            }
            let whole = try Program.run("ticds-changes", ["list", archive])
            #expect(
                whole.status == 0 || whole.errors.contains("several remotes")
                    || whole.errors.contains("no remote"), "\(name): \(whole.errors)")
        }
    }

    // MARK: Folders of snapshots

    private static func snapshots(_ names: [String]) throws -> Place {
        let place = try Place(.plain, "tar.zst")
        for name in names {
            let file = "com.example.cookbook-0123456789abcdef-\(name).tar.zst"
            try place.demo.scratch.shell("mkdir -p back; cp -p archives/a.tar.zst 'back/\(file)'")
        }
        return place
    }

    @Test(arguments: [
        ("latest", "20131106T080000Z"), ("2013-11-05", "20131105T200000Z+before-update"),
        ("2013-11-04", "20131103T090000Z"), ("2013", "20131106T080000Z"),
        ("2013-11-05T10:00", "20131105T095959Z"),
        ("2013-11-05T20:00:00Z", "20131105T200000Z+before-update"),
        ("before-update", "20131105T200000Z+before-update"), ("2012-12-31", nil), ("nothing", nil), ("", nil),
    ])
    func choosesASnapshot(choice: String, expected: String?) throws {
        let place = try Self.snapshots([
            "20131103T090000Z", "20131105T095959Z", "20131105T200000Z+before-update", "20131106T080000Z",
        ])
        let folder = place.demo.scratch.path.appending("back").string
        let result = try place.run("ticds-inspect", ["status", "\(folder):\(choice)", "--json"])
        guard let expected else {
            #expect(result.status == 2, "\(result.errors)")
            return #expect(result.errors.contains("there is no snapshot"), "\(result.errors)")
        }
        #expect(result.output.contains("-\(expected).tar.zst/com.example.cookbook\""), "\(result.output)")
    }

    /// A tag that reads like a time is taken only if it means the same snapshot.
    @Test func choiceThatIsATimeAndAnotherTagIsAmbiguous() throws {
        let place = try Self.snapshots([
            "20130101T000000Z+2013-11", "20130201T000000Z+2012", "20131106T080000Z",
            "20140101T000000Z+latest",
        ])
        let folder = place.demo.scratch.path.appending("back").string
        func snapshot(_ choice: String) throws -> Program.Result {
            try place.run("ticds-inspect", ["status", "\(folder):\(choice)", "--json"])
        }
        let twofold = try snapshot("2013-11")
        #expect(twofold.status == 2 && twofold.errors.contains("also the tag"), "\(twofold.errors)")
        #expect(try snapshot("latest").output.contains("20140101T000000Z+latest.tar.zst"))
        #expect(try snapshot("2012").output.contains("20130201T000000Z+2012.tar.zst"))
        #expect(try snapshot("2013-11-06").output.contains("20131106T080000Z.tar.zst"))
    }

    @Test func folderOfSnapshotsIsNoArchive() throws {
        let place = try Self.snapshots(["20131103T090000Z", "20131105T200000Z+mine"])
        let folder = place.demo.scratch.path.appending("back").string
        let result = try place.run("ticds-archive", ["extract", folder, "--path", "ReadMe.txt", "--to", "-"])
        #expect(result.status == 2 && result.bytes.isEmpty)
        #expect(result.errors.contains("ticds-archive list \(folder) "), "\(result.errors)")
    }

    @Test func namesTheSnapshotsOfAFolder() throws {
        let place = try Self.snapshots(["20131103T090000Z", "20131105T200000Z+mine"])
        let folder = place.demo.scratch.path.appending("back").string
        let plain = try place.run("ticds-inspect", ["status", folder])
        #expect(plain.status == 2)
        #expect(plain.errors.contains("is a folder of snapshots") && plain.errors.contains(":latest"))
        // A file of this name comes first.
        try place.demo.scratch.shell("cp archives/a.tar.zst back:latest; rm back/*Z.tar.zst")
        let own = try place.run("ticds-inspect", ["status", "\(folder):latest", "--json"])
        #expect(own.output.contains("/back:latest/com.example.cookbook\""), "\(own.output)\(own.errors)")
        // Two remotes.
        try place.demo.scratch.shell(
            "rm back:latest; cp archives/a.tar.zst back/com.example.other-fedcba9876543210-20131101T000000Z.tar.zst"
        )
        let several = try place.run("ticds-inspect", ["status", "\(folder):latest"])
        #expect(several.status == 2 && several.errors.contains("several remotes"), "\(several.errors)")
    }

    @Test func listsTheSnapshotsOfAFolder() throws {
        let place = try Self.snapshots(["20131103T090000Z", "20131105T200000Z+mine"])
        let folder = place.demo.scratch.path.appending("back").string
        let text = try place.run("ticds-archive", ["list", folder, "--utc"])
        #expect(text.status == 0, "\(text.errors)")
        #expect(text.output.contains("2013-11-05 20:00:00  mine"), "\(text.output)")
        try place.demo.scratch.shell(
            "printf x > back/com.example.cookbook-0123456789abcdef-20131106T000000Z.zip")
        try place.demo.scratch.shell(
            "ln -s ../archives/a.tar.zst back/com.example.cookbook-0123456789abcdef-20131104T000000Z.tar.zst")
        let json = try place.run("ticds-archive", ["list", folder, "--json"])
        #expect(json.status == 5 && json.errors.contains("20131106T000000Z.zip"), "\(json.errors)")
        #expect(!json.errors.contains("20131104T000000Z"), "\(json.errors)")
        let parsed = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any]
        let snapshots = parsed?["snapshots"] as? [[String: Any]]
        #expect(snapshots?.map { $0["tag"] as? String } == [nil, nil, "mine", nil])
        #expect(try place.run("ticds-archive", ["list", folder, "--type", "wholeStore"]).status == 64)
        #expect(try place.run("ticds-archive", ["list", "\(folder):latest"]).status != 0)
        #expect(try place.run("ticds-archive", ["list", "\(folder):mine"]).status == 0)
    }

    // MARK: Other commands of ticds-archive

    @Test func comparesAnyTwoPlaces() throws {
        let place = try Place(.plain, "tar.zst")
        try place.demo.scratch.shell(
            "cp -a demo other; echo changed >> other/com.example.cookbook/ReadMe.txt")
        let other = place.demo.scratch.path.appending("other/com.example.cookbook").string
        for (one, two) in [(place.archive, other), (place.demo.path, other), (place.root, other)] {
            let result = try place.run("ticds-archive", ["diff", one, two, "--json"])
            #expect(result.status == 1, "\(result.errors)")
            #expect(result.output.contains(#""path": "ReadMe.txt""#), "\(result.output)")
            #expect(try place.run("ticds-archive", ["diff", two, one]).status == 1)
        }
        #expect(try place.run("ticds-archive", ["diff", place.demo.path, place.demo.path]).status == 0)
    }

    @Test(arguments: ["tar.zst", "zip"]) func writesOneFileToStandardOutput(form: String) throws {
        let place = try Place(.encrypted, form)
        let path = "Documents/pantry/documentInfo.plist"
        let bytes = try FileBytes.read(place.demo.root.pushing(FilePath(path)), limit: .anyFile).array
        for words in [["--to", "-"], ["-"]] {
            let result = try place.run("ticds-archive", ["extract", place.archive, "--path", path] + words)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.bytes == bytes)
        }
        let folder = try place.run("ticds-archive", ["extract", place.archive, "-", "--path", "Documents"])
        #expect(folder.status == 3 && folder.bytes.isEmpty, "\(folder.errors)")
        #expect(try place.run("ticds-archive", ["extract", place.archive, "--path", path]).status == 64)
        #expect(
            try place.run("ticds-archive", ["extract", place.archive, "-", "--path", "none"]).status == 2)
        #expect(
            try place.run("ticds-archive", ["extract", place.archive, "-", "--path", path, "--path", path])
                .status
                == 64)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.state.path.string) == [])
    }

    // MARK: Damage

    /// An archive that was made of a part, or that lacks something, says so.
    @Test func saysWhatItLacks() throws {
        let place = try Place(.plain, "tar.zst")
        let part = "\(place.archive).part.tar.zst"
        _ = try place.run("ticds-archive", ["export", place.demo.path, part, "--document", "pantry"])
        let status = try place.run("ticds-inspect", ["status", part])
        #expect(status.errors.contains("only a part of a remote"), "\(status.errors)")
        try place.demo.scratch.shell("ln -s nowhere '\(place.demo.path)/Documents/pantry/link'")
        let lacking = "\(place.archive).lacking.tar.zst"
        _ = try place.run("ticds-archive", ["export", place.demo.path, lacking])
        let found = try place.run("ticds-inspect", ["status", lacking])
        #expect(found.status == 5, "\(found.output)")
        #expect(found.errors.contains("left out when the archive was made"), "\(found.errors)")
    }

    /// A truncated archive has all names, and says which contents it lacks.
    @Test func truncatedArchiveIsNoShorterAnswer() throws {
        let place = try Place(.plain, "tar.zst")
        try place.demo.scratch.shell(
            "size=$(stat -c %s archives/a.tar.zst); truncate -s $((size / 2)) archives/a.tar.zst")
        let status = try place.run("ticds-changes", ["list", place.archive])
        let whole = try place.run("ticds-changes", ["list", place.demo.path])
        #expect(status.output.split(separator: "\n").count == whole.output.split(separator: "\n").count)
        let dump = try place.run("ticds-changes", ["dump", place.archive])
        #expect(dump.status == 5, "\(dump.errors)")
        let verify = try place.run("ticds-verify", [place.archive])
        #expect(verify.status == 5 || verify.status == 1, "\(verify.status) \(verify.errors)")
        let told = verify.output + verify.errors
        #expect(told.contains("cannot be read from the archive"), "\(told)")
        #expect(told.contains("$ ticds-archive verify \(place.archive)"), "\(told)")
    }

    /// Commands against a finding are for the remote that is imported from the archive.
    @Test func remediesNeedAnImport() throws {
        let place = try Place(.damaged, "tar.zst")
        let verify = try place.run("ticds-verify", [place.archive])
        #expect(verify.status == 1, "\(verify.errors)")
        let lines = verify.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let commands = lines.filter { $0.hasPrefix("$ ") }
        #expect(commands.contains("$ ticds-archive import \(place.archive) REMOTE"), "\(verify.output)")
        #expect(commands.contains { $0.hasPrefix("$ ticds-verify REMOTE --repair") }, "\(verify.output)")
        #expect(!commands.contains { $0.contains(place.root) }, "\(verify.output)")
    }

    /// A file that is no archive, and an archive without a remote.
    @Test func refusesOtherFiles() throws {
        let place = try Place(.plain, "tar.zst")
        let scratch = place.demo.scratch
        try scratch.shell(
            "mkdir x; echo x > x/y; tar -czf x.tar.gz x; printf 'SQLite format 3\\0' > store.zip")
        let none = try place.run("ticds-inspect", ["status", "\(scratch.path)/x.tar.gz"])
        #expect(
            none.status == 2 && none.errors.contains("there is no remote in the archive"), "\(none.errors)")
        let store = try place.run("ticds-inspect", ["status", "\(scratch.path)/store.zip"])
        #expect(store.status == 2 && store.errors.contains("an SQLite or binary store"), "\(store.errors)")
        let long = String(repeating: "x", count: 300)
        #expect(try place.run("ticds-inspect", ["status", "\(scratch.path)/\(long)"]).status == 2)
        try scratch.shell("mkfifo pipe.tar")
        #expect(try place.run("ticds-inspect", ["status", "\(scratch.path)/pipe.tar"]).status == 2)
    }
}
