import Foundation
import SystemPackage
import Testing

/// `ticds-store dump` with a condition, on a store of the demonstration, compared with the sqlite3 shell.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"))) struct StoreQueryTests
{
    @Test func findsWhatSQLFinds() throws {
        let demo = try DemoRemote(changeSets: 40)
        let model = demo.root.removingLastComponent().appending("Cookbook.xcdatamodel").string
        let store = demo.scratch.path.appending("cookbook.sqlite").string
        _ = try Program.run(
            "ticds-store",
            ["replay", demo.path, "--document", "cookbook", "--model", model, "--to", store])
        func dump(_ words: [String]) throws -> [[String: Any]] {
            let result = try Program.run("ticds-store", ["dump", store, "--model", model, "--json"] + words)
            #expect(result.status == 0 && result.errors == "", "\(result.errors)")
            return try result.output.split(separator: "\n").map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
        }
        let found = try dump([
            "--entity", "Ingredient", "--where", "recipe.title CONTAINS[c] 'A' AND NOT name = nil",
            "--columns",
            "name,recipe.title", "--sort", "name:desc",
        ])
        let rows = try demo.scratch.shell(
            """
            sqlite3 cookbook.sqlite "SELECT i.Z_PK FROM ZINGREDIENT i JOIN ZRECIPE r ON r.Z_PK = i.ZRECIPE \
            WHERE r.ZTITLE LIKE '%a%' AND i.ZNAME IS NOT NULL ORDER BY i.ZNAME DESC, i.Z_PK"
            """
        ).split(separator: "\n").map(String.init)
        #expect(found.map { "\($0["primaryKey"] ?? "")" } == rows && rows.count > 5)
        #expect(
            found.allSatisfy {
                ($0["attributes"] as? [String: Any])?.keys.sorted() == ["name", "recipe.title"]
            })
        #expect(try dump(["--entity", "Recipe", "--limit", "3"]).count == 3)
    }

    @Test func mistakesAreUsage() throws {
        for words in [
            ["--where", "a = 1"], ["--entity", "Note", "--where", "a ="],
            ["--entity", "Note", "--limit", "-1"],
            ["--entity", "Note", "--columns", "a,,b"], ["--entity", "Note", "--columns", "a:desc"],
        ] {
            let result = try Program.run("ticds-store", ["dump", "/nowhere"] + words)
            #expect(result.status == 64 && !result.errors.isEmpty, "\(words): \(result.errors)")
        }
    }
}
