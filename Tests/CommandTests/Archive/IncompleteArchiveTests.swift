import Foundation
import SystemPackage
import Testing

/// Archives that lack a part of the remote, since it could not be read when they were made.
@Suite struct IncompleteArchiveTests {
    private let fixture: ArchiveFixture
    private let file: String
    private var gap: String { "warning: Documents/pantry/link was left out of \(file): a symbolic link" }

    init() throws {
        fixture = try ArchiveFixture()
        file = fixture.path("a.tar.zst")
        try fixture.scratch.shell("ln -s /nowhere '\(fixture.root)/Documents/pantry/link'")
        let made = try fixture.archive(["export", fixture.root.string, file], succeeding: false)
        try #require(made.status == 5, "\(made.errors)")
    }

    private func run(_ words: [String]) throws -> Program.Result {
        try fixture.archive(words, succeeding: false)
    }

    @Test func intactButIncompleteEndsWithFive() throws {
        let text = try run(["verify", file])
        #expect(text.status == 5 && text.errors.contains(gap), "\(text.errors)")
        #expect(
            text.output.hasPrefix("Intact: ") && text.output.contains("Not complete: 1 entry of the remote"))
        let quiet = try run(["verify", file, "--quiet"])
        #expect(quiet.status == 5 && quiet.errors.contains(gap))
        let json = try run(["verify", file, "--json"])
        let document = try #require(
            try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
        let leftOut = try #require(document["leftOut"] as? [[String: Any]])
        #expect(json.status == 5 && document["whole"] as? Bool == true && leftOut.count == 1)
        try fixture.scratch.shell("head -c 4000 a.tar.zst > short.tar.zst")
        #expect(try run(["verify", fixture.path("short.tar.zst")]).status == 1)
    }

    @Test func searchesAndComparisonsEndWithFive() throws {
        let found = try run(["find", file, "--name", "nothing"])
        #expect(found.status == 5 && found.errors.contains(gap), "\(found.errors)")
        let same = try run(["diff", file, file])
        #expect(
            same.status == 5 && same.output == "No differences in what could be read.\n", "\(same.output)")
        #expect(same.errors.components(separatedBy: gap).count == 2, "\(same.errors)")
    }

    /// A list that may be shorter than the remote ends with 5, even if it is empty.
    @Test(arguments: ["list", "find"]) func listsEndWithFive(command: String) throws {
        let all = try run([command, file])
        #expect(all.status == 5 && all.errors.contains(gap), "\(all.output)\(all.errors)")
        let json = try run([command, file, "--json"])
        #expect(json.status == 5 && json.errors.contains("was left out of"), "\(json.errors)")
        let none = try run([command, file, "--until", "1970"])
        #expect(
            none.status == 5 && none.output.contains("None was seen, but there may be some"),
            "\(none.output)\(none.errors)")
    }

    @Test func emptySearchOfCompleteArchiveSaysSo() throws {
        try fixture.scratch.shell("rm '\(fixture.root)/Documents/pantry/link'")
        let complete = try fixture.export("complete.tar.zst")
        let none = try run(["find", complete, "--name", "nothing"])
        #expect(none.status == 1 && none.output.hasPrefix("No entry "), "\(none.output)\(none.errors)")
        let json = try run(["find", complete, "--name", "nothing", "--json"])
        #expect(json.status == 1 && json.output.isEmpty, "\(json.output)")
    }

    /// The archive of a remote with a link in place of a document.
    private func exportWithoutCookbook() throws -> String {
        try fixture.scratch.shell(
            "cd '\(fixture.root)/Documents' && rm pantry/link && mv cookbook '\(fixture.place)/aside' "
                + "&& ln -s /nowhere cookbook")
        let part = fixture.path("part.tar.zst")
        #expect(try run(["export", fixture.root.string, part]).status == 5)
        return part
    }

    @Test func leftOutEntriesAreUnknownDifferences() throws {
        let part = try exportWithoutCookbook()
        for (words, kind) in [([file, part], "removed"), ([part, file], "added")] {
            let text = try run(["diff"] + words + ["--document", "cookbook"])
            #expect(text.status == 5 && !text.output.contains(kind), "\(text.output)\(text.errors)")
            #expect(text.output.contains("No differences in what could be read.\nUnknown, since left out"))
            let json = try run(["diff"] + words + ["--json"])
            let document = try #require(
                try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
            let differences = try #require(document["differences"] as? [[String: Any]])
            let cookbook = differences.filter {
                ($0["path"] as? String)?.hasPrefix("Documents/cookbook") == true
            }
            #expect(!cookbook.isEmpty && cookbook.allSatisfy { $0["change"] as? String == "unknown" })
        }
    }

    @Test(arguments: [
        ["--path", "Documents/cookbook/WholeStore"], ["--path", "Documents/cookbook"],
        ["--document", "cookbook"],
    ])
    func leftOutPartEndsWithFive(words: [String]) throws {
        let part = try exportWithoutCookbook()
        let alone = try run(["extract", part, fixture.path("out")] + words)
        #expect(
            alone.status == 5 && alone.errors.contains("Documents/cookbook was left out when"),
            "\(alone.output)\(alone.errors)")
        #expect(try fixture.scratch.shell("ls -d out 2>/dev/null || true").isEmpty)
        let both = try run(["extract", part, fixture.path("out"), "--path", "Documents/pantry"] + words)
        #expect(both.status == 5 && both.errors.contains("Documents/cookbook was left out"), "\(both.errors)")
        #expect(try fixture.scratch.shell("find out -name pantry").contains("pantry"))
        let absent = try run(["extract", part, fixture.path("none"), "--path", "Documents/other"])
        #expect(absent.status == 2 && absent.errors.contains("does not contain Documents/other"))
    }

    /// Extracted and restored content lacks the same part.
    @Test func whatComesOutEndsWithFive() throws {
        let document = try run(["extract", file, fixture.path("pantry"), "--document", "pantry"])
        #expect(document.status == 5 && document.errors.contains(gap), "\(document.errors)")
        let other = try run(["extract", file, fixture.path("cookbook"), "--path", "Documents/cookbook"])
        #expect(other.status == 0 && other.errors.isEmpty, "\(other.errors)")
        try fixture.scratch.shell("mkdir in")
        let restored = try run(["import", file, fixture.path("in"), "--yes", "--quiet"])
        #expect(restored.status == 5 && restored.errors.contains(gap), "\(restored.errors)")
        #expect(try fixture.scratch.shell("ls in").contains("com.example.cookbook"))
    }
}
