import Foundation
import SystemPackage
import Testing

/// What the commands for stores print as JSON, one of each schema.
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
        try run(["extract", stores[0], demo.scratch.path.appending("copy").string])
        try run(["compare", stores[0], stores[1]], isLines: true)
        try run(["export", stores[0], "--to", demo.scratch.path.appending("csv").string])
        for format in ["json", "jsonl"] {
            try run(["export", stores[0], "--to", "-", "--format", format], isLines: true)
        }
        try demo.scratch.shell("sqlite3 '\(stores[0])' 'UPDATE Z_PRIMARYKEY SET Z_MAX = 0'")
        try run(["check", demo.path])
        return printed
    }
}
