import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Folders with a path that is longer than SQLite permits.
@Suite struct LongPathTests {
    /// A folder with a path of this many bytes.
    private func folder(in scratch: FilePath, bytes: Int) throws -> FilePath {
        var path = scratch
        while path.length < bytes - 1 {
            let rest = bytes - path.length - 1
            path.append(String(repeating: "x", count: rest > 210 ? 200 : rest))
        }
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
        return path
    }

    @Test(arguments: [505, 700]) func newDatabasesAreRefused(bytes: Int) throws {
        let fixture = try SyncFixture(changeSets: 6)
        let deep = try folder(in: fixture.demo.scratch.path, bytes: bytes)
        let store = fixture.place("rescued.sqlite")
        let replay = [
            "replay", fixture.demo.path, "--document", "cookbook", "--model", fixture.model, "--to",
        ]
        #expect(try fixture.run("ticds-store", replay + [store]).status == 0)
        for (program, words) in [
            ("ticds-store", replay + ["\(deep)/rescued.sqlite"]),
            ("ticds-store", ["recover", store, "--to", "\(deep)/recovered.sqlite"]),
            (
                "ticds-store",
                ["export", store, "--model", fixture.model, "--format", "sqlite", "--to", "\(deep)/plain"]
            ),
            (
                "ticds-sync",
                [
                    "clone", fixture.demo.path, "\(deep)/replica", "--document", "cookbook", "--model",
                    fixture.model, "--yes",
                ]
            ),
        ] {
            let result = try fixture.run(program, words)
            #expect(result.status == 2, "\(words[0])")
            let message = "the path is too long for SQLite (expected at most 504 bytes"
            #expect(result.errors.contains(message), "\(result.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: deep.string) == [], "\(words[0])")
        }
    }

    /// Reading continues with a copy, whether the path is absolute or not.
    @Test func storesAreRead() throws {
        let fixture = try SyncFixture(changeSets: 6)
        let deep = try folder(in: fixture.demo.scratch.path, bytes: 600)
        let words = "--document cookbook --model '\(fixture.model)' --to rescued.sqlite"
        let made = try fixture.shell(
            "ticds-store replay '\(fixture.demo.path)' \(words) && mv rescued.sqlite '\(deep)/'")
        #expect(made.status == 0, "\(made.errors)")
        for place in ["'\(deep)/rescued.sqlite'", "rescued.sqlite"] {
            let read = try fixture.shell(
                "cd '\(deep)' && ticds-store dump \(place) --model '\(fixture.model)'")
            #expect(read.status == 0 && read.output.contains("Recipe"), "\(read.errors)")
        }
    }
}
