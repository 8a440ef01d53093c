import Foundation
import SystemPackage
import Testing

/// Options before the name of a command, and what commands list.
@Suite struct ListOptionTests {
    @Test(arguments: [
        ["ticds", "--json", "inspect", "clients"],
        ["ticds", "--utc", "--color", "never", "inspect", "--json", "clients"],
        ["ticds", "--color=never", "--json", "insp", "cli"], ["ticds-inspect", "--json", "clients"],
        ["ticds-inspect", "-q", "--json", "cli"],
    ])
    func optionsOfEveryCommandMayStandBeforeItsName(words: [String]) throws {
        let demo = try DemoRemote(changeSets: 2)
        let usual = try Program.run("ticds-inspect", ["clients", demo.path, "--json"])
        let result = try Program.run(words[0], words.dropFirst() + [demo.path])
        #expect(result.status == 0 && result.output == usual.output, "\(result.output)\(result.errors)")
    }

    @Test(arguments: [
        ["--lines", "inspect"], ["--color"], ["--json"], ["--json", "--", "inspect"], ["--color", "inspect"],
    ])
    func otherWordsBeforeTheNameAreRefused(words: [String]) throws {
        let result = try Program.run("ticds", words)
        #expect(result.status == 64, "\(result.output)\(result.errors)")
    }

    private func tree(_ demo: DemoRemote, _ words: [String]) throws -> [String] {
        let result = try Program.run("ticds-inspect", ["tree", demo.path] + words)
        #expect(result.status == 0, "\(result.errors)")
        return result.output.split(separator: "\n").map(String.init)
    }

    @Test func treesAreFilteredSortedAndLimited() throws {
        let demo = try DemoRemote(changeSets: 20)
        let all = try tree(demo, [])
        let sets = try tree(demo, ["--type", "changeSet", "--document", "cookbook"])
        #expect(sets.count == (try demo.changeSets.count) && sets.allSatisfy { $0.hasSuffix(".syncchg") })
        let own = try tree(demo, ["--type", "changeSet", "--client", "annas iphone"])
        #expect(!own.isEmpty && own.count < sets.count)
        #expect(all.filter(Set(sets).contains) == sets)
        let largest = try tree(demo, ["--sort", "size", "--limit", "2", "--bytes"])
        #expect(largest.count == 2 && largest[0].contains("WholeStore"), "\(largest)")
        let latest = try tree(demo, ["--sort", "modified"])
        #expect(Set(latest) == Set(all) && latest == latest.sorted { $0.prefix(19) > $1.prefix(19) })
        let early = try tree(demo, ["--until", "2013-04"])
        let late = try tree(demo, ["--since", "2013-04"])
        #expect(!early.isEmpty && !late.isEmpty && Set(early + late) == Set(all))
        let wrong = try Program.run("ticds-inspect", ["tree", demo.path, "--type", "sets"])
        #expect(wrong.status == 64 && wrong.errors.contains("changeSet"))
    }

    @Test func archivesAreFilteredAsTrees() throws {
        let demo = try DemoRemote(changeSets: 20)
        let archive = "\(demo.scratch.path)/a.tar"
        #expect(try Program.run("ticds-archive", ["export", demo.path, archive]).status == 0)
        func list(_ words: [String]) throws -> [String] {
            let result = try Program.run("ticds-archive", ["list", archive, "--json"] + words)
            #expect(result.status == 0, "\(result.errors)")
            let object = try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any]
            return (object?["entries"] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String }
        }
        let sets = try list(["--type", "changeSet", "--document", "cookbook"])
        #expect(sets.count == (try demo.changeSets.count))
        #expect(
            try list(["--client", "D28481A5", "--type", "changeSet"]).allSatisfy { $0.contains("/D28481A5") })
        #expect(try list(["--sort", "size", "--limit", "1"]).first?.contains("WholeStore") == true)
        let nobody = try Program.run("ticds-archive", ["list", archive, "--client", "nobody"])
        #expect(nobody.status == 2 && nobody.errors.contains("D28481A5"))
    }

    @Test func setsAreSortedAndLimited() throws {
        let demo = try DemoRemote(changeSets: 20)
        func sizes(_ words: [String]) throws -> [Int] {
            let result = try Program.run("ticds-changes", ["list", demo.path, "--json"] + words)
            #expect(result.status == 0, "\(result.errors)")
            let object = try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any]
            return (object?["changeSets"] as? [[String: Any]] ?? []).compactMap { $0["size"] as? Int }
        }
        let all = try sizes([])
        #expect(try sizes(["--limit", "3"]) == Array(all.prefix(3)))
        #expect(try sizes(["--sort", "size"]) == all.sorted(by: >))
        #expect(try sizes(["--sort", "size", "--limit", "2"]) == Array(all.sorted(by: >).prefix(2)))
        #expect(try Program.run("ticds-changes", ["list", demo.path, "--limit", "0"]).status == 64)
    }

    /// The result of a vacuum says what empties the trash, and that says what was freed.
    @Test func makingRoomSaysHowMuch() throws {
        let demo = try DemoRemote(changeSets: 40)
        let variables = ["HOME": demo.scratch.path.string, "XDG_STATE_HOME": "\(demo.scratch.path)/state"]
        let vacuum = try Program.run("ticds-vacuum", [demo.path, "--yes"], environment: variables)
        #expect(vacuum.status == 0, "\(vacuum.errors)")
        let line = try #require(vacuum.output.split(separator: "\n").last)
        let size = try #require(line.firstMatch(of: /takes ([0-9.]+ k?M?B)\. .*: ticds-journal (prune .*)$/))
        let prune = try Program.shell("ticds-journal \(size.2) --yes", environment: variables)
        #expect(prune.output.hasSuffix(": freed \(size.1).\n"), "\(prune.output)\(prune.errors)")
    }

    /// A client that was deleted from the application is found by its description, which its tombstones have.
    @Test func deletedClientsAreFoundByTheirDescription() throws {
        let demo = try DemoRemote(changeSets: 8)
        let variables = ["HOME": demo.scratch.path.string, "XDG_STATE_HOME": "\(demo.scratch.path)/state"]
        let words = ["delete", demo.path, "borges ipad", "--from-application", "--yes"]
        let deleted = try Program.run("ticds-client", words, environment: variables)
        #expect(deleted.status == 0, "\(deleted.errors)")
        let restored = try Program.run(
            "ticds-client", ["restore", demo.path, "Børge's iPad", "--document", "cookbook", "--yes"],
            environment: variables)
        #expect(restored.status == 0, "\(restored.errors)")
        #expect(
            restored.output.contains("The client stays removed from 1 other document: ticds-journal undo 1"),
            "\(restored.output)")
    }
}
