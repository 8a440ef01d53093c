import Foundation
import SystemPackage
import TestSupport
import Testing

/// `ticds store migrate --to-model`: stores of one version of a model become stores of another.
@Suite(.waiting) struct StoreMigrateModelTests {
    /// A store of the demonstration, its model, and a changed model.
    private struct Versions {
        let demo: DemoRemote
        let store: String
        let old: String
        let new: String
        let target: String

        init(_ changes: [(String, String)]) throws {
            demo = try DemoRemote()
            old = try CookbookModel.write(demo.scratch)
            let found = try demo.wholeStores.first { $0.contains("cookbook/WholeStore") }
            store = try #require(found)
            var text = try String(contentsOfFile: old, encoding: .utf8)
            for (before, after) in changes {
                try #require(text.contains(before))
                text = text.replacing(before, with: after)
            }
            new = try demo.scratch.write("new.contents", Array(text.utf8))
            target = demo.scratch.path.appending("new.sqlite").string
        }

        func migrate(_ more: [String] = []) throws -> Program.Result {
            try Program.run(
                "ticds-store", ["migrate", store, "--model", old, "--to-model", new, "--to", target] + more)
        }

        var isWritten: Bool { FileManager.default.fileExists(atPath: target) }

        func sql(_ query: String) throws -> String {
            try demo.scratch.shell("sqlite3 new.sqlite \"\(query)\"").trimmingCharacters(in: .newlines)
        }
    }

    private static let renamed = (
        "name=\"title\" optional=\"YES\"", "name=\"name\" optional=\"YES\" elementID=\"title\""
    )

    @Test func renamedAttributeKeepsItsValues() throws {
        let versions = try Versions([
            Self.renamed,
            (
                "<entity name=\"Tag\">",
                "<entity name=\"Tag\"><attribute name=\"rank\" attributeType=\"Integer 16\" defaultValueString=\"7\"/>"
            ),
        ])
        let plan = try versions.migrate(["--dry-run"])
        #expect(plan.status == 0, "\(plan.errors)")
        #expect(plan.output.contains("copied from title") && plan.output.contains("gets the default"))
        #expect(!versions.isWritten)
        let result = try versions.migrate()
        #expect(result.status == 0, "\(result.errors)")
        let check = try Program.run("ticds-store", ["check", versions.target, "--model", versions.new])
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        let titles = try versions.demo.scratch.shell(
            "sqlite3 '\(versions.store)' 'SELECT ZTITLE, ZTICDSSYNCID FROM ZRECIPE ORDER BY Z_PK'")
        #expect(try versions.sql("SELECT ZNAME, ZTICDSSYNCID FROM ZRECIPE ORDER BY Z_PK") + "\n" == titles)
        #expect(try versions.sql("SELECT DISTINCT ZRANK FROM ZTAG") == "7")
        let json = ParsedJSON(Array(try versions.migrate(["--force", "--json"]).output.utf8))
        #expect(json["schema"].text == "ticds.storeMigration/1")
        #expect(json["model"]["entities"].texts("source") == ["Ingredient", "Recipe", "Tag"])
        #expect(json["model"]["lostObjects"].number == 0)
    }

    @Test func removedEntityIsCounted() throws {
        let versions = try Versions([
            ("<entity name=\"Tag\">", "<entity name=\"Label\">"),
            (
                "destinationEntity=\"Tag\" inverseName=\"recipes\" inverseEntity=\"Tag\"",
                "destinationEntity=\"Label\" inverseName=\"recipes\" inverseEntity=\"Label\""
            ),
            ("name=\"tags\"", "name=\"labels\""), ("inverseName=\"tags\"", "inverseName=\"labels\""),
        ])
        let json = ParsedJSON(Array(try versions.migrate(["--json"]).output.utf8))
        #expect(json["complete"].number == 1)
        let tags = try versions.demo.scratch.shell(
            "sqlite3 '\(versions.store)' 'SELECT count(*) FROM ZTAG'")
        #expect("\(json["model"]["lostObjects"].number)\n" == tags)
        #expect(try versions.sql("SELECT count(*) FROM ZLABEL") == "0")
    }

    @Test func otherTypeIsRefused() throws {
        let versions = try Versions([
            (
                "name=\"steps\" optional=\"YES\" attributeType=\"String\"",
                "name=\"steps\" optional=\"YES\" attributeType=\"Binary\""
            )
        ])
        let result = try versions.migrate()
        #expect(result.status == 3 && !versions.isWritten)
        #expect(result.output.contains("String becomes Binary"))
        #expect(result.errors.contains("cannot be inferred"))
        let json = ParsedJSON(Array(try versions.migrate(["--json"]).output.utf8))
        #expect(json["schema"].text == "ticds.modelMigration/1" && json["possible"].number == 0)
        #expect(json["refusals"].texts("property") == ["steps"])
    }

    @Test func objectsThatStandInTheWayAreNamed() throws {
        let versions = try Versions([
            (
                "name=\"recipe\" optional=\"YES\" destinationEntity",
                "name=\"recipe\" destinationEntity"
            )
        ])
        let count = try versions.demo.scratch.shell(
            """
            sqlite3 '\(versions.store)' 'UPDATE ZINGREDIENT SET ZRECIPE = NULL WHERE Z_PK IN (SELECT Z_PK FROM ZINGREDIENT LIMIT 3);
            SELECT count(*) FROM ZINGREDIENT WHERE ZRECIPE IS NULL'
            """)
        #expect(count != "0\n")
        for more in [[], ["--dry-run"]] {
            let result = try versions.migrate(more + ["--json"])
            #expect(result.status == 3 && !versions.isWritten)
            let json = ParsedJSON(Array(result.output.utf8))
            #expect("\(json["obstacleCount"].number)\n" == count)
            #expect(json["obstacles"][0]["entity"].text == "Ingredient")
            #expect(json["obstacles"][0]["property"].text == "recipe")
            #expect(json["obstacles"][0]["label"].text != nil)
        }
        let text = try versions.migrate()
        #expect(text.status == 3 && text.output.contains("it is required, and leads to no object"))
    }

    @Test("A value of --set for a relationship counts, and its inverse does not bring the old links back")
    func relationshipsThatAreSet() throws {
        let versions = try Versions([])
        let result = try versions.migrate(["--set", "Ingredient.recipe = nil"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try versions.sql("SELECT count(*) FROM ZINGREDIENT WHERE ZRECIPE IS NOT NULL") == "0")
    }

    @Test("A store whose join table is gone is refused, and its other objects are written on request")
    func lostJoinTables() throws {
        let versions = try Versions([Self.renamed])
        let table = try versions.demo.scratch.shell(
            "sqlite3 '\(versions.store)' \"SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*TAGS'\"")
        try versions.demo.scratch.shell(
            "sqlite3 '\(versions.store)' 'DROP TABLE \(table.trimmingCharacters(in: .newlines))'")
        #expect(try versions.migrate().status == 3 && !versions.isWritten)
        #expect(try versions.migrate(["--skip-unreadable"]).status == 5 && versions.isWritten)
    }

    @Test func syncIDsAreNotDroppedUnasked() throws {
        let versions = try Versions([
            ("<attribute name=\"ticdsSyncID\" optional=\"YES\" attributeType=\"String\"/>", "")
        ])
        let refused = try versions.migrate()
        #expect(refused.status == 3 && !versions.isWritten && refused.errors.contains("--strip-sync"))
        let result = try versions.migrate(["--strip-sync"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            try versions.sql("SELECT count(*) FROM pragma_table_info('ZTAG') WHERE name LIKE '%SYNC%'") == "0"
        )
        let renamed = try Versions([
            ("name=\"ticdsSyncID\" optional", "name=\"other\" elementID=\"ticdsSyncID\" optional")
        ])
        #expect(try renamed.migrate().status == 3 && !renamed.isWritten)
        let kept = try Versions([Self.renamed])
        #expect(try kept.migrate(["--strip-sync"]).status == 0)
        #expect(try kept.sql("SELECT count(*) FROM ZTAG WHERE ZTICDSSYNCID IS NULL") == "0")
    }

    /// A remote, a document and a client in place of a store.
    @Test func storeOfARemoteIsMigrated() throws {
        let versions = try Versions([Self.renamed])
        let listed = try Program.run("ticds-store", ["list", versions.demo.root.string, "--json"])
        let client = try #require(
            ParsedJSON(Array(listed.output.utf8))["stores"].texts("client").first ?? nil, "\(listed.output)")
        let result = try Program.run(
            "ticds-store",
            [
                "migrate", versions.demo.root.string, "--document", "cookbook", "--client", client, "--model",
                versions.old, "--to-model", versions.new, "--to", versions.target,
            ])
        #expect(result.status == 0, "\(result.errors)")
        #expect(versions.isWritten)
    }

    @Test(.enabled(if: Samples.available, "needs the samples")) func folderOfVersionsGivesCurrentOne() throws
    {
        let scratch = try Scratch()
        let models = Samples.path("sqlite-stores/bookmarks/models").string
        try scratch.shell(
            """
            for v in '' -4; do mkdir -p M.xcdatamodeld/M$v.xcdatamodel; \
            cp '\(models)/BookmarksModel'$v.contents M.xcdatamodeld/M$v.xcdatamodel/contents; done
            printf '%s' '<plist version="1.0"><dict><key>_XCCurrentVersionName</key>\
            <string>M-4.xcdatamodel</string></dict></plist>' > M.xcdatamodeld/.xccurrentversion
            """)
        let folder = scratch.path.appending("M.xcdatamodeld").string
        let target = scratch.path.appending("new.sqlite").string
        let result = try Program.run(
            "ticds-store",
            [
                "migrate", Samples.path("sqlite-stores/bookmarks/Bookmarks_V1.sqlite").string, "--model",
                folder,
                "--to-model", folder, "--to", target,
            ])
        #expect(result.status == 0, "\(result.errors)")
        let check = try Program.run("ticds-store", ["check", target, "--model", folder])
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    @Test func folderWithoutCurrentVersionIsRefusedWithOptionsOfTheCommand() throws {
        let versions = try Versions([Self.renamed])
        try versions.demo.scratch.shell(
            "mkdir -p two.xcdatamodeld/a.xcdatamodel two.xcdatamodeld/b.xcdatamodel; "
                + "cp '\(versions.old)' two.xcdatamodeld/a.xcdatamodel/contents; "
                + "cp '\(versions.new)' two.xcdatamodeld/b.xcdatamodel/contents")
        let result = try Program.run(
            "ticds-store",
            [
                "migrate", versions.store, "--model", versions.old, "--to", versions.target, "--to-model",
                versions.demo.scratch.path.appending("two.xcdatamodeld").string,
            ])
        #expect(result.status == 2 && result.errors.contains("Name the file of one version."))
        #expect(!result.errors.contains("--model-version"), "\(result.errors)")
    }

    @Test func expressionThatGivesOldObjectsNamesTheFunction() throws {
        let versions = try Versions([Self.renamed])
        let wrong = try versions.migrate(["--set", "Recipe.tags = tags"])
        #expect(wrong.status == 3 && wrong.output.contains("destinations(…) gives the new ones"))
        #expect(wrong.errors.contains("ticds-store export and import"), "\(wrong.errors)")
        let right = try versions.migrate(["--set", "Recipe.tags = destinations(\"IEM_Transform_Tag\", tags)"])
        #expect(right.status == 0, "\(right.output) \(right.errors)")
    }
}
