import Foundation

/// The JSON that the commands print on the demonstration remote and elsewhere: at least a document of each schema.
enum PrintedDocuments {
    /// The documents, made once for all tests that use them.
    private static let made = Result { try make() }

    static var all: [String] {
        get throws { try made.get() }
    }

    private static func make() throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "manual-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let remote = folder.path
        let made = try Program.run("ticds", ["demo", remote, "--damage", "--json", "--change-sets", "60"])
        var printed = [made.output]
        for command in ReadingCommand.inspecting {
            printed.append(try Program.run("ticds-inspect", [command, remote, "--json"]).output)
        }
        let page = ["report", remote, "--html", folder.path + ".html", "--json"]
        defer { try? FileManager.default.removeItem(atPath: folder.path + ".html") }
        printed.append(try Program.run("ticds-inspect", page).output)
        for command in ["list", "stats"] {
            printed.append(try Program.run("ticds-changes", [command, remote, "--json"]).output)
        }
        let clients = ["Anna’s iPhone", "Anna’s MacBook Pro"]
        let differ = ["--remote", remote, "--document", "pantry", "--json"]
        printed.append(try Program.run("ticds-changes", ["diff"] + clients + differ).output)
        printed.append(try Program.run("ticds-client", ["show", remote, clients[0], "--json"]).output)
        let changes = try Program.run("ticds-changes", ["dump", remote, "--json"])
        printed += changes.output.split(separator: "\n").map(String.init)
        let events = try Program.run("ticds-changes", ["dump", remote, "--timesketch"]).output
        printed += events.split(separator: "\n").prefix(10).map(String.init)
        printed += changes.errors.split(separator: "\n").filter { $0.hasPrefix("{") }.map(String.init)
        printed.append(try Program.run("ticds", ["version", "--json"]).output)
        let vacuum = ["--dry-run", "--leftovers", "--ignore-client", "Børge’s iPad"]
        printed.append(try Program.run("ticds-vacuum", [remote, "--json"] + vacuum).output)
        for words in [[remote, "--level", "deep"], ["explain", "0201"], [remote, "--as-new-client"]] {
            let lines = try Program.run("ticds-verify", words + ["--json"]).output
            printed += lines.split(separator: "\n").map(String.init)
        }
        let log = folder.appending(path: "log").path
        let told = ["--json", "--progress", "json", "--log-file", log, "--log-format", "json"]
        let lines = try Program.run("ticds-verify", [remote] + told).errors
        printed += (lines + (try String(contentsOfFile: log, encoding: .utf8))).split(separator: "\n")
            .filter { $0.hasPrefix("{") }.map(String.init)
        printed.append(try Program.run("ticds-integrity", ["check", remote, "--json"]).output)
        printed.append(try Program.run("ticds-remote", ["check-password", remote, "--json"]).output)
        printed += try JournaledDemo.printedDocuments()
        printed += try ArchiveFixture.printedDocuments()
        printed += try ReplayTests.printedDocuments()
        printed += try StoreDocuments.printed()
        printed += try BinaryRecoverTests.printedDocuments()
        printed += try ModelDocuments.printed()
        printed += try ConflictTests.printedDocuments()
        printed += try FleetFixture.printedDocuments()
        let state = folder.path + ".state"
        defer { try? FileManager.default.removeItem(atPath: state) }
        let deletion = ["delete", remote, "pantry", "--yes", "--json", "--verbose"]
        let deleted = try Program.run("ticds-document", deletion, environment: ["XDG_STATE_HOME": state])
        printed += deleted.errors.split(separator: "\n").map(String.init)
        return printed
    }
}
