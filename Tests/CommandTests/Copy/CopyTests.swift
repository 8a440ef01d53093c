import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// `ticds-remote copy`: a folder with the same content.
@Suite struct CopyTests {
    @Test func copiesEverything() throws {
        let fixture = try CopyFixture()
        try fixture.archive.addStrangeNames()
        let before = try TreeFacts(fixture.source)
        let shown = try fixture.copy(["--dry-run"])
        #expect(shown.status == 0 && shown.output.contains("Make "), "\(shown.errors)")
        #expect(!fixture.isThere && !FileManager.default.fileExists(atPath: fixture.path("state")))
        let result = try fixture.copy([])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try TreeFacts(fixture.target).differences(from: before) == [])
        #expect(try TreeFacts(fixture.source) == before)
        #expect(try fixture.leftovers() == [])
        let again = try fixture.copy([])
        #expect(again.status == 3 && again.errors.contains("--update"))
        #expect(try fixture.copy(["--update"]).output.contains("Nothing to do"))
        let undone = try fixture.run("ticds-journal", ["undo", fixture.target.string, "1", "--yes"])
        #expect(undone.status == 0 && !fixture.isThere, "\(undone.errors)")
    }

    @Test func bringsUpToDate() throws {
        let fixture = try CopyFixture()
        #expect(try fixture.copy([]).status == 0)
        let set = try #require(try fixture.changeSets().first)
        try fixture.shell(
            """
            cd '\(fixture.source)'; rm '\(set)'; mkdir -p Documents/new/deep; echo new > Documents/new/deep/file
            touch -d 2001-02-03T04:05:06.789 Documents/new/deep/file
            echo changed >> ReadMe.txt; rm -r Documents/pantry/WholeStore; echo file > Documents/pantry/WholeStore
            """)
        let before = try TreeFacts(fixture.target)
        #expect(try fixture.copy(["--update", "--dry-run"]).status == 0)
        #expect(try TreeFacts(fixture.target) == before)
        let result = try fixture.copy(["--update"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try TreeFacts(fixture.target).differences(from: TreeFacts(fixture.source)) == [])
        #expect(try fixture.leftovers() == [])
        #expect(try fixture.copy(["--update"]).output.contains("Nothing to do"))
        let undone = try fixture.run("ticds-journal", ["undo", fixture.target.string, "2", "--yes"])
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(try TreeFacts(fixture.target).differences(from: before) == [])
    }

    /// Times of folders are copied as well, even if nothing else has changed.
    @Test func timesOfFoldersAloneAreCopied() throws {
        let fixture = try CopyFixture()
        #expect(try fixture.copy([]).status == 0)
        let before = try TreeFacts(fixture.target)
        try fixture.shell(
            """
            cd '\(fixture.source)'; touch -d '2011-12-13 14:15:16.171819 UTC' . Documents Documents/pantry/WholeStore
            """)
        #expect(try fixture.copy(["--update", "--dry-run"]).output.contains("set time"))
        #expect(try TreeFacts(fixture.target) == before)
        #expect(try fixture.copy(["--update"]).status == 0)
        #expect(try TreeFacts(fixture.target).differences(from: TreeFacts(fixture.source)) == [])
        #expect(try TreeFacts(fixture.target).differences(from: before) != [])
        let undone = try fixture.run("ticds-journal", ["undo", fixture.target.string, "2", "--yes"])
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(try TreeFacts(fixture.target).differences(from: before) == [])
    }

    /// Only --checksum finds bytes that changed with the same size and time.
    @Test func comparesBytesWhenTold() throws {
        let fixture = try CopyFixture()
        #expect(try fixture.copy([]).status == 0)
        try fixture.shell(
            """
            cd '\(fixture.target)'; touch -r ReadMe.txt ../time
            printf X | dd of=ReadMe.txt conv=notrunc status=none; touch -r ../time ReadMe.txt
            """)
        #expect(try fixture.copy(["--update"]).output.contains("Nothing to do"))
        #expect(try fixture.copy(["--update", "--checksum"]).status == 0)
        #expect(try fixture.files(fixture.target) == fixture.files(fixture.source))
    }

    @Test func limitsWhatGoes() throws {
        let fixture = try CopyFixture()
        #expect(try fixture.copy([]).status == 0)
        for set in try fixture.changeSets() { try fixture.shell("rm '\(fixture.source)/\(set)'") }
        let before = try TreeFacts(fixture.target)
        let refused = try fixture.copy(["--update"])
        #expect(refused.status == 3 && refused.errors.contains("--max-delete"), "\(refused.errors)")
        #expect(try TreeFacts(fixture.target) == before)
        #expect(try fixture.leftovers() == [])
        #expect(try fixture.copy(["--update", "--max-delete", "100%"]).status == 0)
        #expect(try fixture.files(fixture.target) == fixture.files(fixture.source))
    }

    /// A volume that would give a file a different time gets no copy; the refusal names the file and the options.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"))
    func timesThatTheVolumeCannotKeep() throws {
        let fixture = try CopyFixture()
        let set = try #require(try fixture.changeSets().first)
        let program = FaultyProgram(name: "ticds-remote", home: FilePath(fixture.path("state")))
        func refusal(_ last: Int, step: Int) throws -> String {
            let words = ["copy", fixture.source.string, fixture.path("sync"), "--yes", "--quiet"]
            let result = try program.result(words, fault: .times(last: last, step: step))
            #expect(result.status == 3 && !fixture.isThere)
            #expect(result.errors.contains("ticds-archive export"), "\(result.errors)")
            #expect(try fixture.leftovers() == [])
            return result.errors
        }
        // Times as on ext4.
        try fixture.shell("touch -d 2500-01-01T00:00:00Z '\(fixture.source)/\(set)'")
        let late = try refusal(15_032_385_535, step: 1)
        for word in [
            set, "2500-01-01T00:00:00.000Z", "from 1901-12-13T20:45:52.000Z to 2446-05-10T22:38:55.000Z",
        ] {
            #expect(late.contains(word), "\(late)")
        }
        // Times as on ext4 with inodes of 128 bytes.
        try fixture.shell(
            "find '\(fixture.source)' -type f -exec touch -d 2012-01-01T00:00:00Z {} +; "
                + "touch -d 2012-01-02T00:00:00.25Z '\(fixture.source)/\(set)'")
        let fraction = try refusal(2_147_483_647, step: 1_000_000_000)
        for word in [
            set, "2012-01-02T00:00:00.250Z", "found 2012-01-02T00:00:00.000Z, to which that volume rounds",
        ] {
            #expect(fraction.contains(word), "\(fraction)")
        }
        #expect(try fixture.copy([]).status == 0)
    }

    @Test func refusesToHarm() throws {
        let fixture = try CopyFixture()
        for place in [fixture.source.string, fixture.source.string + "/Documents/com.example.cookbook"] {
            #expect(try fixture.copy([], to: place).status == 3, "\(place)")
        }
        #expect(try fixture.copy([], to: fixture.path("other name")).status == 3)
        for words in [["--checksum"], ["--update", "--encrypt"], ["--save-plan", "x"]] {
            #expect(try fixture.copy(words).status == 64, "\(words)")
        }
        try fixture.shell("ln -s /etc/passwd '\(fixture.source)/link'")
        let linked = try fixture.copy([])
        #expect(linked.status == 2 && linked.errors.contains("link"), "\(linked.errors)")
        #expect(!fixture.isThere)
    }

    @Test func identifiersAndEncryptionChange() throws {
        let fixture = try CopyFixture()
        let one = try fixture.archive.scratch.write("one", Array("first word".utf8))
        let two = try fixture.archive.scratch.write("two", Array("second word".utf8))
        let words = ["--rename-document", "pantry=larder", "--rename-application", "org.example.kitchen"]
        let made = try fixture.copy(words + ["--encrypt", "--new-password-file", one])
        #expect(made.status == 0, "\(made.errors)")
        let kitchen = fixture.path("sync/org.example.kitchen")
        func opens(_ place: String, _ password: String) throws -> Int32 {
            try fixture.run("ticds-remote", ["check-password", place, "--all", "--password-file", password])
                .status
        }
        #expect(try opens(kitchen, one) == 0)
        #expect(FileManager.default.fileExists(atPath: "\(kitchen)/Documents/larder"))
        try fixture.shell("mkdir again plain")
        func copy(_ place: String, _ words: [String]) throws -> Program.Result {
            try fixture.run(
                "ticds-remote",
                ["copy", kitchen, fixture.path(place), "--yes", "--decrypt", "--password-file"] + words)
        }
        #expect(try copy("again", [two]).status == 4)
        #expect(try copy("again", [one, "--encrypt", "--new-password-file", two]).status == 0)
        #expect(try opens(fixture.path("again/org.example.kitchen"), two) == 0)
        #expect(try opens(fixture.path("again/org.example.kitchen"), one) == 4)
        let back = ["--rename-document", "larder=pantry", "--rename-application", "com.example.cookbook"]
        #expect(try copy("plain", [one] + back).status == 0)
        let plain = FilePath(fixture.path("plain/com.example.cookbook"))
        // The files of the encryption are removed, except their empty folder.
        #expect(try fixture.files(plain) == fixture.files(fixture.source))
        #expect(try copy("plain", [one, "--update"] + back).output.contains("Nothing to do"))
        let mixed = try fixture.run("ticds-remote", ["copy", kitchen, plain.string, "--update", "--yes"])
        #expect(mixed.status == 3, "\(mixed.errors)")
    }
}

/// A remote, and a place for its copy.
struct CopyFixture {
    let archive: ArchiveFixture
    var source: FilePath { archive.root }
    var target: FilePath { FilePath(path("sync/com.example.cookbook")) }
    var isThere: Bool { FileManager.default.fileExists(atPath: target.string) }

    init() throws {
        archive = try ArchiveFixture(["--change-sets", "4"])
        try shell("mkdir sync")
    }

    func path(_ name: String) -> String { archive.path(name) }
    func shell(_ line: String) throws { try archive.scratch.shell(line) }

    func run(_ program: String, _ words: [String]) throws -> Program.Result {
        try Program.run(program, words, environment: ["XDG_STATE_HOME": path("state")])
    }

    func copy(_ words: [String], to place: String? = nil) throws -> Program.Result {
        try run("ticds-remote", ["copy", source.string, place ?? path("sync"), "--yes"] + words)
    }

    func files(_ folder: FilePath) throws -> [[UInt8]: TreeFacts.Fact] { try TreeFacts(folder).files }

    /// Change sets of the source, below it.
    func changeSets() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: source.string).filter {
            $0.hasSuffix(".syncchg")
        }.sorted()
    }

    /// The remains of copies in their place.
    func leftovers() throws -> [String] {
        guard FileManager.default.fileExists(atPath: path("state")) else { return [] }
        return try FileManager.default.subpathsOfDirectory(atPath: path("state")).filter {
            $0.contains("copy-") || $0.contains("incoming")
        }
    }
}

extension TreeFacts {
    /// The files without folders, whose times change with their content.
    var files: [[UInt8]: Fact] { facts.filter { $0.value.kind != .folder } }
}
