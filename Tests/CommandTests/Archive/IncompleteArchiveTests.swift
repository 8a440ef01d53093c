import Foundation
import SystemPackage
import Testing

/// Archives that lack something of the remote, since it could not be read when they were made.
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

    /// What is taken out or restored lacks the same.
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
