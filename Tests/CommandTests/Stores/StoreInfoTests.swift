import Base
import Foundation
import SystemPackage
import TestSupport
import Testing

/// `ticds-store info` and `history`, compared with the sqlite3 shell.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"))) struct StoreInfoTests {
    private func object(_ result: Program.Result) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any])
    }

    /// A writable copy of a sample with its log.
    private func copy(_ sample: String, _ scratch: Scratch) throws -> String {
        let source = Samples.path("sqlite-stores/\(sample)").string
        for suffix in ["", "-wal"] {
            try scratch.shell("cp '\(source)\(suffix)' 'copy.sqlite\(suffix)' 2>/dev/null || true")
        }
        return scratch.path.appending("copy.sqlite").string
    }

    @Test(
        .enabled(if: Samples.available, "needs the samples"),
        arguments: [
            "history/NoteStore.sqlite", "history/knowledgec-10.13.db", "free-pages/CLSLocationCache.sqlite",
            "moody/Moody-4.moody", "recipes/Recipes.sqlite", "surfjournal/SurfJournalModel.sqlite",
        ])
    func whatAStoreIs(_ sample: String) throws {
        let scratch = try Scratch()
        let path = try copy(sample, scratch)
        let before = try scratch.shell("ls -l --time-style=full-iso copy.sqlite*")
        let info = try Program.run("ticds-store", ["info", path, "--json"])
        #expect(info.status == 0 && info.errors == "", "\(info.errors)")
        #expect(try scratch.shell("ls -l --time-style=full-iso copy.sqlite*") == before)
        let found = try object(info)
        let database = try #require(found["database"] as? [String: Any])
        func number(_ sql: String) throws -> Int? {
            Int(try scratch.shell("sqlite3 copy.sqlite \"\(sql)\"").trimmingCharacters(in: .newlines))
        }
        #expect(database["pages"] as? Int == (try number("PRAGMA page_count")))
        #expect(database["freePages"] as? Int == (try number("PRAGMA freelist_count")))
        let entities = try #require(found["entities"] as? [[String: Any]])
        #expect(entities.count == (try number("SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_ENT < 16000")))
        for entity in entities {
            let name = entity["name"] as? String ?? ""
            let table = entity["table"] as? String ?? ""
            let counted = try number(
                "SELECT count(*) FROM \(table) WHERE Z_ENT = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(name)')"
            )
            #expect(entity["objects"] as? Int == counted, "\(name)")
            #expect((entity["versionHash"] as? String)?.count == 64)
        }
        let history = database["history"] as? [String: Any]
        #expect((history != nil) == sample.hasPrefix("history"))
        if let history {
            #expect(history["transactions"] as? Int == (try number("SELECT count(*) FROM ATRANSACTION")))
            #expect(history["changes"] as? Int == (try number("SELECT count(*) FROM ACHANGE")))
        }
        let text = try Program.run("ticds-store", ["info", path])
        #expect(text.status == 0 && text.output.contains("written by: Core Data "), "\(text.output)")
    }

    @Test(
        .enabled(if: Samples.available, "needs the samples"),
        arguments: ["history/NoteStore.sqlite", "history/knowledgec-10.13.db"])
    func persistentHistory(_ sample: String) throws {
        let scratch = try Scratch()
        let path = try copy(sample, scratch)
        let history = try Program.run("ticds-store", ["history", path, "--json"])
        #expect(history.status == 0, "\(history.errors)")
        let lines = try history.output.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        let text =
            sample.contains("Note")
            ? "(SELECT ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK = t.ZPROCESSIDTS)" : "t.ZPROCESSID"
        let rows = try scratch.shell(
            """
            sqlite3 -separator '|' copy.sqlite "SELECT c.Z_PK, c.ZTRANSACTIONID, coalesce(\(text), ''), \
            CASE ZCHANGETYPE WHEN 0 THEN 'insert' WHEN 1 THEN 'update' ELSE 'delete' END, p.Z_NAME, c.ZENTITYPK, \
            length(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace( \
            hex(coalesce(ZCOLUMNS, x'')), '0', ''), '1', 'x'), '2', 'x'), '4', 'x'), '8', 'x'), '3', 'xx'), '5', 'xx'), '6', 'xx'), '9', 'xx'), \
            'A', 'xx'), 'C', 'xx'), '7', 'xxx'), 'B', 'xxx'), 'D', 'xxx'), 'E', 'xxx'), 'F', 'xxxx')) \
            FROM ACHANGE c JOIN ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID JOIN Z_PRIMARYKEY p ON p.Z_ENT = c.ZENTITY \
            ORDER BY 2, 1"
            """)
        let found = lines.map { line in
            [
                "\(line["change"] ?? "")", "\(line["transaction"] ?? "")", line["process"] as? String ?? "",
                line["kind"] as? String ?? "", line["entity"] as? String ?? "", "\(line["primaryKey"] ?? "")",
                "\((line["columns"] as? [Int])?.count ?? -1)",
            ].joined(separator: "|")
        }
        #expect(found.count > 100 && found.joined(separator: "\n") + "\n" == rows)
        #expect(lines.allSatisfy { ($0["time"] as? String)?.hasPrefix("20") == true })
        if sample.contains("knowledge") {
            #expect(lines.contains { ($0["tombstone"] as? [Any])?.isEmpty == false })
        }
        let shown = try Program.run("ticds-store", ["history", path])
        #expect(shown.status == 0 && shown.output.contains("    insert "), "\(shown.output.prefix(300))")
        let name = try #require(lines.first?["entity"] as? String)
        let some = try Program.run("ticds-store", ["history", path, "--json", "--entity", name])
        #expect(some.output.split(separator: "\n").count == lines.count { $0["entity"] as? String == name })
        #expect(try Program.run("ticds-store", ["history", path, "--entity", "Nothing"]).status == 2)
    }

    /// A transaction without a time may be in any span.
    @Test(.enabled(if: Samples.available, "needs the samples")) func spanKeepsChangesWithoutTime() throws {
        let scratch = try Scratch()
        let path = try copy("history/NoteStore.sqlite", scratch)
        try scratch.shell(
            """
            sqlite3 copy.sqlite "UPDATE ATRANSACTION SET ZTIMESTAMP = CASE Z_PK % 2 WHEN 0 THEN NULL ELSE 9e999 END \
            WHERE Z_PK IN (SELECT min(Z_PK) FROM ATRANSACTION UNION SELECT max(Z_PK) FROM ATRANSACTION)"
            """)
        let kept = try Program.run("ticds-store", ["history", path, "--since", "2100", "--json"])
        let count = kept.output.split(separator: "\n").count
        #expect(kept.status == 0 && count > 0, "\(kept.errors)")
        let note = "listed although the time is unknown: "
        for option in ["--since", "--until"] {
            let words = ["history", path, option, option == "--since" ? "2100" : "1990"]
            let text = try Program.run("ticds-store", words)
            #expect(text.output.hasSuffix("\n\(note)\(count)\n"), "\(text.output)")
            let cut = try Program.run("ticds-store", words + ["--limit", "1"])
            #expect(
                cut.output.contains("more, which --limit leaves out; \(note)1\n") == (count > 1),
                "\(cut.output)")
        }
        #expect(try !Program.run("ticds-store", ["history", path]).output.contains(note))
    }

    @Test func withoutHistory() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first)
        let result = try Program.run("ticds-store", ["history", store])
        #expect(result.status == 2 && result.errors.contains("no persistent history"), "\(result.errors)")
        #expect(try Program.run("ticds-store", ["info", store]).status == 0)
    }

    /// Oddities of a store are reported.
    @Test func oddities() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("cookbook/WholeStore") })
        try demo.scratch.shell(
            "sqlite3 '\(store)' 'UPDATE ZRECIPE SET Z_ENT = 99 WHERE Z_PK = (SELECT min(Z_PK) FROM ZRECIPE)'")
        let info = try Program.run("ticds-store", ["info", store])
        #expect(info.output.contains("odd: rows of the table ZRECIPE belong to no entity"), "\(info.output)")
    }
}
