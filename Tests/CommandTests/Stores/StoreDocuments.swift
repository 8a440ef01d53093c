import Foundation
import SystemPackage
import Testing

/// The JSON output of the commands for stores, one of each schema.
enum StoreDocuments {
    static func printed() throws -> [String] {
        let demo = try DemoRemote()
        let stores = try demo.wholeStores
        var printed: [String] = []
        func run(_ arguments: [String], isLines: Bool = false) throws {
            let output = try Program.run("ticds-store", arguments + ["--json"]).output
            printed += isLines ? output.split(separator: "\n").map(String.init) : [output]
        }
        try run(["list", demo.path])
        try run(["info", stores[0]])
        try run(["dump", stores[0], "--keys", "sync-ids"], isLines: true)
        try demo.scratch.shell(
            """
            cp '\(stores[0])' history.sqlite; sqlite3 history.sqlite "
            CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR);
            CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, \
            ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB);
            INSERT INTO ATRANSACTION VALUES (1, 5e8, 'Ann'); INSERT INTO ACHANGE VALUES (1, 2, 1, 7, 1, x'05', 'gone')"
            """)
        try run(["history", demo.scratch.path.appending("history.sqlite").string], isLines: true)
        try run(["extract", stores[0], demo.scratch.path.appending("copy").string])
        try run(["compare", stores[0], stores[1]], isLines: true)
        try run(["export", stores[0], "--to", demo.scratch.path.appending("csv").string])
        try run(["recover", stores[0]], isLines: true)
        try run(["recover", stores[0], "--to", demo.scratch.path.appending("recovered.db").string])
        let model = demo.root.removingLastComponent().appending("Cookbook.xcdatamodel").string
        let xml = demo.scratch.path.appending("new.xml").string
        try run(["migrate", stores[0], "--to", xml, "--model", model])
        let retyped = """
            <model><entity name="Recipe"><attribute name="title" optional="YES" attributeType="Date"/></entity></model>
            """
        let new = try demo.scratch.write("retyped.contents", Array(retyped.utf8))
        try run(["migrate", stores[0], "--to", xml, "--force", "--model", model, "--to-model", new])
        for format in ["json", "jsonl"] {
            try run(["export", stores[0], "--to", "-", "--format", format], isLines: true)
        }
        let store = try #require(stores.first { $0.contains("cookbook/WholeStore") })
        let named = ["--model", model]
        let source = demo.scratch.path.appending("out.json").string
        try run(["export", store, "--to", source] + named)
        try run(["import", source, "--to", demo.scratch.path.appending("new.sqlite").string] + named)
        try demo.scratch.shell("sqlite3 '\(stores[0])' 'UPDATE Z_PRIMARYKEY SET Z_MAX = 0'")
        try run(["check", demo.path])
        return printed
    }
}
