import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite struct StoreCompareTests {
    @Test(
        .enabled(if: Samples.available, "needs the samples"),
        arguments: StoreSample.all.filter { !$0.path.contains("surf") })
    func aStoreIsEqualToItself(_ sample: StoreSample) throws {
        let result = try Program.run(
            "ticds-store", ["compare", sample.path, sample.path, "--by", "primary-key", "--json"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(
            result.output.contains("\"different\":0,\"onlyInFirst\":0,\"onlyInSecond\":0,\"notCompared\":0"))
        #expect(!result.output.contains("\"same\":0,"))
    }

    @Test func differences() throws {
        let demo = try DemoRemote()
        let model = try CookbookModel.write(demo.scratch)
        let store = try #require(try demo.wholeStores.first { $0.contains("cookbook/WholeStore") })
        try demo.scratch.shell("cp '\(store)' a.sqlite; cp '\(store)' b.sqlite")
        let (a, b) = (
            demo.scratch.path.appending("a.sqlite").string, demo.scratch.path.appending("b.sqlite").string
        )
        let equal = try Program.run("ticds-store", ["compare", a, b, "--model", model])
        #expect(equal.status == 0 && equal.output.hasPrefix("By ticdsSyncID: 37 the same, 0 different"))
        // Different primary keys are not a difference; a title, a link, a missing and an additional object are.
        try demo.scratch.shell(
            """
            sqlite3 b.sqlite "UPDATE ZRECIPE SET ZTITLE = 'new' WHERE Z_PK = (SELECT min(Z_PK) FROM ZRECIPE); \
            UPDATE ZINGREDIENT SET Z_PK = Z_PK + 1000; \
            DELETE FROM ZINGREDIENT WHERE Z_PK = (SELECT max(Z_PK) FROM ZINGREDIENT WHERE ZRECIPE IS NULL); \
            INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZTICDSSYNCID, ZNAME) VALUES (900, 3, 1, 'added', 'x')"
            """)
        let result = try Program.run("ticds-store", ["compare", a, b, "--model", model, "--json"])
        #expect(result.status == 1, "\(result.errors)")
        let lines = try result.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let kinds = lines.compactMap { $0["kind"] as? String }
        #expect(kinds.contains("different") && kinds.contains("onlyInSecond"), "\(kinds)")
        let changed = try #require(lines.first { $0["kind"] as? String == "different" })
        let properties = try #require(changed["properties"] as? [[String: Any]])
        #expect(properties.count == 1 && properties[0]["name"] as? String == "title")
        #expect(properties[0]["second"] as? String == "new" && properties[0]["first"] is String)
        let added = try #require(lines.first { $0["kind"] as? String == "onlyInSecond" })
        #expect(added["key"] as? String == "added" && added["entity"] as? String == "Tag")
        let counts = try #require(lines.last)
        #expect(
            counts["schema"] as? String == "ticds.storeComparison/1"
                && counts["by"] as? String == "ticdsSyncID")
        #expect(counts["same"] as? Int == 36, "\(counts)")
        let keys = try Program.run("ticds-store", ["compare", a, b, "--by", "primary-key"])
        #expect(keys.status == 1 && keys.output.contains("+ Tag 900"))
    }

    /// Bytes are compared: differently written accents make a different identifier, and a different value.
    @Test func twinsAndDuplicates() throws {
        let demo = try DemoRemote()
        let model = try CookbookModel.write(demo.scratch)
        let store = try #require(try demo.wholeStores.first { $0.contains("cookbook/WholeStore") })
        try demo.scratch.shell(
            """
            cp '\(store)' a.sqlite
            sqlite3 a.sqlite "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZTICDSSYNCID, ZNAME) VALUES \
              (900, 3, 1, 'caf' || char(233), 'one'), (901, 3, 1, 'cafe' || char(769), 'two'), \
              (902, 3, 1, 'accent', char(233)), (903, 3, 1, 'twice', 'x')"
            cp a.sqlite b.sqlite
            sqlite3 b.sqlite "UPDATE ZTAG SET ZNAME = 'e' || char(769) WHERE Z_PK = 902; \
              INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZTICDSSYNCID, ZNAME) VALUES (904, 3, 1, 'twice', 'x'), \
              (905, 3, 1, NULL, 'nobody')"
            """)
        func compare(_ one: String, _ other: String) throws -> [[String: Any]] {
            let paths = [one, other].map { demo.scratch.path.appending($0).string }
            let result = try Program.run("ticds-store", ["compare"] + paths + ["--model", model, "--json"])
            #expect(result.status == 1, "\(result.errors)")
            return try result.output.split(separator: "\n").map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
        }
        for stores in [("a.sqlite", "b.sqlite"), ("b.sqlite", "a.sqlite")] {
            let lines = try compare(stores.0, stores.1)
            #expect(lines.compactMap { $0["key"] as? String } == ["accent"], "\(lines)")
            let counts = try #require(lines.last)
            #expect(counts["same"] as? Int == 40 && counts["notCompared"] as? Int == 2, "\(counts)")
        }
    }

    /// A binary store and an SQLite store contain the same objects.
    @Test func kindsDoNotMatter() throws {
        let demo = try DemoRemote()
        let model = try CookbookModel.write(demo.scratch)
        let stores = try demo.wholeStores
        let result = try Program.run("ticds-store", ["compare", stores[0], stores[2], "--model", model])
        #expect(result.output.contains("By ticdsSyncID: "), "\(result.errors)")
        // Without a model they have different names of properties.
        let blind = try Program.run("ticds-store", ["compare", stores[0], stores[2]])
        #expect(blind.status == 3 && blind.errors.contains("Name the model with --model"), "\(blind.errors)")
        let same = try Program.run("ticds-store", ["compare", stores[2], stores[2]])
        #expect(same.errors.contains("compared by primary key"), "\(same.errors)")
        #expect(
            try Program.run(
                "ticds-store", ["compare", stores[0], stores[2], "--model", model, "--by", "none"]
            ).status == 2)
    }

    @Test(.enabled(if: Samples.available, "needs the samples"))
    func storeWithoutModelGetsThatOfTheOtherOne() throws {
        let scratch = try Scratch()
        let store = Samples.path("sqlite-stores/bookmarks/Bookmarks_V4.sqlite").string
        for kind in ["sqlite", "binary", "xml"] {
            let copy = scratch.path.appending("copy.\(kind)").string
            let made = try Program.run("ticds-store", ["migrate", store, "--to", copy])
            #expect(made.status == 0, "\(made.errors)")
            for stores in [[store, copy], [copy, store]] {
                let result = try Program.run("ticds-store", ["compare"] + stores)
                #expect(
                    result.status == 0 && result.output.hasPrefix("By primary key: 10 the same"),
                    "\(result.output) \(result.errors)")
            }
        }
        // The model of the other store is not the one of this store.
        let other = Samples.path("sqlite-stores/moody/Moody.moody").string
        let result = try Program.run(
            "ticds-store", ["compare", other, scratch.path.appending("copy.sqlite").string])
        #expect(result.status == 3 && result.output.isEmpty, "\(result.output)")
        #expect(result.errors.contains("without the model the names of properties differ"))
    }
}
