import Foundation
import SystemPackage
import TestSupport
import Testing

/// Results about remotes with a folder that cannot be listed: the parts that depend on it are marked, and no others.
@Suite(.enabled(if: VanishingFileTests.nobodyCanRun)) struct UnreadAnswerTests {
    /// A demonstration remote with unlistable folders below `Documents`.
    private final class Hidden {
        let demo: DemoRemote
        private let folders: [String]

        init(_ folders: String..., in demo: DemoRemote? = nil) throws {
            self.demo = try demo ?? DemoRemote(changeSets: 20)
            self.folders = folders.map { [path = self.demo.path] in "'\(path)/Documents/\($0)'" }
            try self.demo.scratch.shell("chmod 755 . demo; chmod -R a+rX demo; chmod a+w .")
            try self.demo.scratch.shell("chmod 000 \(self.folders.joined(separator: " "))")
        }

        deinit { _ = try? demo.scratch.shell("chmod 755 \(folders.joined(separator: " "))") }

        /// Runs a line in which `R` means the remote and `S` the folder beside it.
        func run(_ line: String) throws -> Program.Result {
            let words = line.split(separator: " ", omittingEmptySubsequences: false).map { word in
                switch word {
                case "R": "'\(demo.path)'"
                default: word.replacingOccurrences(of: "S/", with: "\(demo.scratch.path)/")
                }
            }
            return try VanishingFileTests.asNobody("./" + words.joined(separator: " "))
        }
    }

    private func device(_ demo: DemoRemote, _ name: String) throws -> String {
        let result = try Program.run("ticds-client", ["show", demo.path, name])
        return String(try #require(result.output.firstMatch(of: /identifier +(\S+)/)).1)
    }

    @Test(arguments: ["RecentSyncs", "WholeStore", "SyncChanges"])
    func vacuumNamesTheUnreadFolderAndCountsNothing(folder: String) throws {
        let hidden = try Hidden("cookbook/\(folder)")
        for words in ["", " --dry-run", " --dry-run --json", " --dry-run --allow-missing=\(folder)"] {
            let result = try hidden.run("ticds-vacuum R --document cookbook\(words)")
            #expect(result.status == 2, "\(words): \(result.output)\(result.errors)")
            #expect(result.errors.contains("Documents/cookbook/\(folder)"), "\(result.errors)")
            for text in ["--allow-missing", "no recent sync", "Held back by", "no whole store"] {
                #expect(!(result.output + result.errors).contains(text), "\(words): \(result.output)")
            }
        }
    }

    /// Hidden data of one client does not affect the others.
    @Test func vacuumKnowsWhatOtherClientsHoldBack() throws {
        let demo = try DemoRemote(changeSets: 20)
        let ipad = try device(demo, "Børge’s iPad")
        try demo.scratch.shell("rm '\(demo.path)/Documents/cookbook/RecentSyncs/\(ipad).recentsync'")
        try demo.scratch.shell(
            "echo bplist00 > '\(demo.path)/Documents/cookbook/RecentSyncs/.\(ipad).recentsync.icloud'")
        let result = try Program.run("ticds-vacuum", [demo.path, "--dry-run", "--document", "cookbook"])
        #expect(result.status == 3 && result.errors.contains("--allow-missing"), "\(result.errors)")
        #expect(!result.output.contains("Held back by Børge’s iPad"), "\(result.output)")
        #expect(result.output.contains("Held back by"), "\(result.output)")
    }

    /// Hidden times may be in any span.
    @Test func spanKeepsClientsWithUnknownSync() throws {
        let hidden = try Hidden("cookbook/RecentSyncs")
        let result = try hidden.run("ticds-inspect clients R --since 2100")
        #expect(result.status == 5, "\(result.errors)")
        let lines = result.output.split(separator: "\n")
        let notes = lines.compactMap { $0.firstMatch(of: /listed although the time is unknown: ([0-9]+)/) }
        #expect(notes.count == 2 && notes.allSatisfy { Int($0.1) == 3 }, "\(result.output)")
        let sets = try Hidden("cookbook/SyncChanges").run("ticds-inspect documents R --since 2100")
        #expect(
            sets.output.contains("cookbook") && !sets.output.contains("pantry ")
                && sets.output.contains("listed although the time is unknown: 1"), "\(sets.output)")
        let demo = try DemoRemote(changeSets: 4)
        let known = try Program.run("ticds-inspect", ["clients", demo.path, "--since", "2100"])
        #expect(
            known.status == 0 && known.output.hasPrefix("No client matches the options.\n"),
            "\(known.output)")
    }

    /// Hidden times of synchronisations make no number of change sets uncertain.
    @Test func timelineMarksOnlyWhatTheGapHides() throws {
        let words = "ticds-inspect timeline R --until 2013-06"
        let syncs = try Hidden("cookbook/RecentSyncs").run(words)
        let count = /Not shown: [0-9]+(\+?) change sets/
        let exact = try #require(syncs.output.firstMatch(of: count), "\(syncs.output)")
        #expect(syncs.status == 5 && exact.1.isEmpty, "\(syncs.output)")
        let sets = try Hidden("cookbook/SyncChanges").run(words)
        #expect(sets.status == 5 && !sets.output.contains(/Not shown: [0-9]+ change/), "\(sets.output)")
    }

    /// Entries below the deepest listed folder are not counted, so the numbers may be greater.
    @Test func foldersBelowTheDeepestMarkNumbers() throws {
        let demo = try DemoRemote(changeSets: 6)
        let deep = Array(repeating: "n", count: 60).joined(separator: "/")
        try demo.scratch.shell("mkdir -p '\(demo.path)/Documents/pantry/\(deep)'")
        let status = try Program.run("ticds-inspect", ["status", demo.path])
        #expect(status.output.contains(/[0-9]\+ files, [0-9]+ k?B\+/), "\(status.output)")
        #expect(status.status == 5 && status.errors.contains("nested too deep"), "\(status.errors)")
        let verified = try Program.run("ticds-verify", [demo.path, "--level", "names"])
        #expect(verified.status == 1 && verified.output.contains("nested too deep"), "\(verified.output)")
        // The content of a folder is not its size.
        #expect(
            verified.output.contains("found a folder\n") && !verified.output.contains("a folder, 0 B"),
            "\(verified.output)")
    }

    @Test func reportMarksNumbersOfHiddenFolders() throws {
        let hidden = try Hidden(
            "pantry/WholeStore", "pantry/SyncChanges", "pantry/TemporaryFiles")
        let result = try hidden.run("ticds-inspect report R --html - --level none")
        #expect(result.status == 5, "\(result.errors)")
        func cells(_ label: String) -> [String] {
            result.output.matches(of: /data-label="([^"]*)">(.*?)<\/t[dh]>/).filter { $0.1 == label }
                .map { String($0.2) }
        }
        for label in ["Not applied", "Changes", "Values", "Leftovers"] {
            let found = cells(label)
            #expect(!found.isEmpty, "\(label)")
            #expect(found.allSatisfy { $0.hasSuffix("+") || $0.contains("unknown") }, "\(label): \(found)")
        }
    }

    /// The verification reads files that the rest of the page does not need.
    @Test func pageSaysThatFindingsNameUnreadFiles() throws {
        let hidden = try Hidden("../ReadMe.txt")
        let result = try hidden.run("ticds-inspect report R --html -")
        #expect(result.status == 1, "\(result.errors)")
        #expect(result.output.contains("Everything but the files that the findings name could be read."))
    }

    @Test func clientShowNamesDocumentsThatMayHaveTheClient() throws {
        let hidden = try Hidden("pantry")
        let text = try hidden.run("ticds-client show R 'Børge’s iPad'")
        #expect(text.status == 5, "\(text.errors)")
        #expect(text.output.contains(/pantry .* unknown/), "\(text.output)")
        #expect(text.output.contains("pantry: what this client has there is unknown"), "\(text.output)")
        let json = try hidden.run("ticds-client show R 'Børge’s iPad' --json")
        let fields = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any]
        #expect(fields?["unknownDocuments"] as? [String] == ["pantry"], "\(json.output)")
    }

    @Test func clientsWithoutAStoreAreKnown() throws {
        let demo = try DemoRemote(changeSets: 20)
        let ipad = try device(demo, "Børge’s iPad")
        try demo.scratch.shell("rm -rf '\(demo.path)'/Documents/*/WholeStore/\(ipad)")
        let listed = try Program.run("ticds-store", ["list", demo.path, "--client", "Børge’s iPad"])
        #expect(listed.status == 0, "\(listed.errors)")
        #expect(listed.output == "There is no whole store of Børge’s iPad.\n", "\(listed.output)")
        let opened = try Program.run("ticds-store", ["info", demo.path, "--client", "Børge’s iPad"])
        #expect(opened.status == 2, "\(opened.output)")
        #expect(opened.errors.contains("there is no whole store of Børge’s iPad"), "\(opened.errors)")
    }

    /// A client that is missing in one of the documents is not an unknown client.
    @Test func clientsOfOneDocumentAreKnown() throws {
        let demo = try DemoRemote(changeSets: 20)
        let mac = try device(demo, "Anna’s MacBook Pro")
        try demo.scratch.shell("rm -rf '\(demo.path)/Documents/pantry/SyncChanges/\(mac)'")
        let all = try Program.run("ticds-changes", ["list", demo.path, "--client", mac])
        #expect(all.status == 0 && all.output.contains("cookbook"), "\(all.errors)")
        let pantry = try Program.run(
            "ticds-changes", ["list", demo.path, "--client", mac, "--document", "pantry"])
        #expect(pantry.status == 0, "\(pantry.errors)")
        #expect(pantry.output == "No change set matches the options.\n", "\(pantry.output)")
    }

    @Test func exportsOfUnreadDocumentsWriteNothing() throws {
        let hidden = try Hidden("cookbook")
        let result = try hidden.run(
            "ticds-store export R --document cookbook --newest --model S/demo/Cookbook.xcdatamodel --to S/out"
        )
        #expect(result.status == 2, "\(result.output)\(result.errors)")
        #expect(result.errors.contains("Documents/cookbook"), "\(result.errors)")
        #expect(!FileManager.default.fileExists(atPath: "\(hidden.demo.scratch.path)/out"))
    }

    @Test func exportsSayThatEditsAreMissing() throws {
        let hidden = try Hidden("cookbook/SyncChanges")
        let text = try hidden.run(
            "ticds-store export R --document cookbook --newest --model S/demo/Cookbook.xcdatamodel --to S/out"
        )
        #expect(text.status == 5, "\(text.output)\(text.errors)")
        #expect(text.output.contains("not complete"), "\(text.output)")
        #expect(text.output.contains("more may be missing"), "\(text.output)")
        #expect(text.errors.contains("edits may be missing"), "\(text.errors)")
        let json = try hidden.run(
            "ticds-store export R --document cookbook --newest --model S/demo/Cookbook.xcdatamodel --to S/out2 --json"
        )
        #expect(json.output.contains("\"complete\": false"), "\(json.output)")
    }

    /// Hidden folders of a different document do not make an export incomplete.
    @Test func exportsOfOtherDocumentsAreComplete() throws {
        let hidden = try Hidden("pantry")
        let json = try hidden.run(
            "ticds-store export R --document cookbook --newest --model S/demo/Cookbook.xcdatamodel --to S/out --json"
        )
        #expect(json.output.contains("\"complete\": true"), "\(json.output)\(json.errors)")
    }

    @Test(arguments: [
        "ticds-changes list R", "ticds-inspect tree R", "ticds-changes stats R",
    ])
    func linesBelowCutListsSayAtLeast(line: String) throws {
        let hidden = try Hidden("pantry/SyncChanges")
        let cut = try hidden.run("\(line) --limit 1")
        #expect(cut.output.contains(/and at least [0-9,]+ more, which --limit leaves out/), "\(cut.output)")
        let whole = try DemoRemote(changeSets: 20)
        let words = line.split(separator: " ").map { $0 == "R" ? whole.path : String($0) }
        let other = try Program.run(words[0], words.dropFirst() + ["--limit", "1"])
        #expect(other.output.contains("more, which --limit leaves out"), "\(other.errors)")
        #expect(!other.output.contains("at least"), "\(other.output)")
    }

    @Test(arguments: [
        ("ticds-changes list R --document pantry", "change set", "pantry/SyncChanges"),
        ("ticds-inspect tree R --document pantry --type changeSet", "entry", "pantry/SyncChanges"),
        ("ticds-inspect stores R --document pantry", "whole store", "pantry/WholeStore"),
        ("ticds-store list R --document pantry", "whole store", "pantry/WholeStore"),
    ])
    func emptyAnswersDependOnHiddenFolders(line: String, noun: String, folder: String) throws {
        let hidden = try Hidden(folder)
        let result = try hidden.run(line)
        let path = "\(hidden.demo.path)/Documents/\(folder)"
        #expect(
            result.output == "None was seen, but there may be some: \(path) could not be read.\n",
            "\(result.output)\(result.errors)")
        let words = line.split(separator: " ").map(String.init)
        let span =
            words[0] == "ticds-inspect" && words[1] == "tree" ? ["--until", "1980"] : ["--since", "2100"]
        let whole = try DemoRemote()
        let none = try Program.run(words[0], words.dropFirst().map { $0 == "R" ? whole.path : $0 } + span)
        #expect(
            none.output == "No \(noun) matches the options.\n", "\(none.output)\(none.errors)")
    }

    @Test func documentsThatCouldNotBeListedAreDoubted() throws {
        let hidden = try Hidden("")
        let result = try hidden.run("ticds-inspect documents R")
        #expect(result.output.hasPrefix("None was seen, but there may be some: "), "\(result.output)")
    }

    @Test func statisticsMarkTheHiddenClientAlone() throws {
        let demo = try DemoRemote(changeSets: 20)
        let ipad = try device(demo, "Børge’s iPad")
        let hidden = try Hidden("cookbook/SyncChanges/\(ipad)", in: demo)
        let text = try hidden.run("ticds-changes stats R --document cookbook")
        #expect(text.output.contains(/^[0-9,]+\+ changes\n/), "\(text.output)")
        #expect(text.output.contains(/Anna’s iPhone +[0-9,]+\n/), "\(text.output)")
        #expect(text.output.contains(/Børge’s iPad +unknown\n/), "\(text.output)")
        let json = try hidden.run("ticds-changes stats R --document cookbook --json")
        let fields = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any]
        #expect(fields?["incompleteClients"] as? [String] == [ipad], "\(json.output)")
    }

    /// Unreadable names and whole stores hide no change.
    @Test(arguments: ["cookbook/WholeStore", "../ClientDevices"])
    func statisticsAreExactBesideOtherGaps(folder: String) throws {
        let hidden = try Hidden(folder)
        let text = try hidden.run("ticds-changes stats R")
        #expect(text.status == 5 && !text.output.contains("+"), "\(text.output)")
        let json = try hidden.run("ticds-changes stats R --json")
        #expect(json.output.contains("\"complete\": true"), "\(json.output)")
    }
}
