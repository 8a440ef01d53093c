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
        let csv = try Program.run(
            "ticds-store",
            [
                "export", store, "--model", model, "--to", "-", "--entity", "Ingredient", "--where",
                "recipe.title CONTAINS[c] 'A'", "--columns", "name,recipe.title", "--sort", "name:desc",
                "--limit", "7",
            ])
        let table = try demo.scratch.shell(
            """
            sqlite3 -csv -header cookbook.sqlite "SELECT i.Z_PK AS primaryKey, i.ZNAME AS name, r.ZTITLE AS [recipe.title] \
            FROM ZINGREDIENT i JOIN ZRECIPE r ON r.Z_PK = i.ZRECIPE \
            WHERE r.ZTITLE LIKE '%a%' ORDER BY i.ZNAME DESC, i.Z_PK LIMIT 7"
            """)
        #expect(csv.status == 0 && csv.errors == "", "\(csv.errors)")
        #expect(
            csv.output.replacing("\r\n", with: "\n")
                == table.replacing("\r\n", with: "\n").replacing("\"", with: ""))
        let one = demo.scratch.path.appending("one.csv").string
        _ = try Program.run(
            "ticds-store", ["export", store, "--model", model, "--to", one, "--entity", "Ingredient"])
        #expect(try String(contentsOfFile: one, encoding: .utf8).hasPrefix("primaryKey,"))
    }

    /// --skip-empty omits exactly the empty parts of the whole export.
    @Test func skipsOnlyWhatIsEmpty() throws {
        let demo = try DemoRemote(changeSets: 10)
        let model = demo.root.removingLastComponent().appending("Cookbook.xcdatamodel").string
        let store = demo.scratch.path.appending("cookbook.sqlite").string
        _ = try Program.run(
            "ticds-store",
            ["replay", demo.path, "--document", "cookbook", "--model", model, "--to", store])
        _ = try demo.scratch.shell(
            "sqlite3 cookbook.sqlite 'UPDATE ZINGREDIENT SET ZNAME = NULL; DELETE FROM ZRECIPE'")
        func export(_ words: [String]) throws -> [String: [[String: Any]]] {
            let result = try Program.run(
                "ticds-store", ["export", store, "--model", model, "--to", "-", "--format", "json"] + words)
            let whole = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
            return try #require(whole?["entities"] as? [String: [[String: Any]]])
        }
        let whole = try export([])
        let shown = try export(["--skip-empty"])
        #expect(whole["Recipe"]?.isEmpty == true && shown["Recipe"] == nil)
        func isEmpty(_ value: Any?) -> Bool { value is NSNull || (value as? [Any])?.isEmpty == true }
        for (entity, objects) in whole where !objects.isEmpty {
            let kept = try #require(shown[entity])
            for (object, part) in zip(objects, kept) {
                for group in ["attributes", "relationships"] {
                    let (all, rest) = (object[group] as? [String: Any], part[group] as? [String: Any])
                    for (name, value) in all ?? [:] where rest?[name] == nil {
                        #expect(isEmpty(value), "\(entity).\(name)")
                    }
                    for name in rest?.keys.map({ $0 }) ?? [] {
                        let values = objects.map { ($0[group] as? [String: Any])?[name] }
                        #expect(!values.allSatisfy(isEmpty), "\(entity).\(name)")
                    }
                }
            }
            #expect(kept.count == objects.count)
        }
        #expect((shown["Ingredient"]?.first?["attributes"] as? [String: Any])?["name"] == nil)
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
        for words in [
            ["--to", "-"], ["--to", "-", "--format", "csv"], ["--to", "a.db", "--entity", "Note"],
            ["--to", "a.db", "--skip-empty"], ["--to", "a.json", "--limit", "3"],
        ] {
            let result = try Program.run("ticds-store", ["export", "/nowhere"] + words)
            #expect(result.status == 64 && !result.errors.isEmpty, "\(words): \(result.errors)")
        }
    }
}
