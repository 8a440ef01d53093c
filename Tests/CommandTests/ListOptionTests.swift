import Foundation
import SystemPackage
import Testing

/// Options before the name of a command, and lists of commands.
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
        #expect(largest.count == 3 && largest[0].contains("WholeStore"), "\(largest)")
        #expect(largest[2] == "and \(all.count - 2) more, which --limit leaves out", "\(largest)")
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
        let archive = "\(demo.scratch.path)/a.tar.zst"
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

    /// A different program packs the remote with or without the folder around it.
    @Test(arguments: [
        "ticds", "tar -C demo -cf a.tar com.example.cookbook", "tar -C demo/com.example.cookbook -cf a.tar .",
    ])
    func archivesAreFilteredByDescriptions(maker: String) throws {
        let demo = try DemoRemote(changeSets: 20)
        let archive = "\(demo.scratch.path)/a.tar"
        try demo.scratch.shell(
            maker == "ticds" ? "ticds-archive export '\(demo.path)' a.tar.zst; mv a.tar.zst a.tar" : maker)
        func list(_ words: [String]) throws -> [String] {
            let result = try Program.run("ticds-archive", ["list", archive, "--json"] + words)
            #expect(result.status == 0, "\(result.errors)")
            let object = try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any]
            return (object?["entries"] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String }
        }
        let sets = try list(["--type", "changeSet", "--document", "family cookbook"])
        #expect(sets.count == (try demo.changeSets.count))
        let phone = try list(["--client", "annas iphone"])
        #expect(phone.contains { $0.hasSuffix("deviceInfo.plist") })
        #expect(phone.allSatisfy { $0.contains("/D28481A5") || $0.contains("-D28481A5") }, "\(phone)")
        let several = try Program.run("ticds-archive", ["list", archive, "--client", "anna"])
        #expect(several.status == 2 && several.errors.contains("several clients"), "\(several.errors)")
    }

    @Test func unknownDescriptionsInArchivesAreNamed() throws {
        let demo = try DemoRemote(.encrypted)
        let archive = "\(demo.scratch.path)/a.tar.zst"
        #expect(try Program.run("ticds-archive", ["export", demo.path, archive]).status == 0)
        for words in [["list", archive], ["diff", archive, demo.path]] {
            let result = try Program.run("ticds-archive", words + ["--document", "Family cookbook"])
            #expect(result.status == 2 && result.output == "", "\(result.output)")
            #expect(result.errors.contains("descriptions in this archive are encrypted"), "\(result.errors)")
        }
        #expect(try Program.run("ticds-archive", ["list", archive, "--document", "cookbook"]).status == 0)
        let line = "ticds-archive list - --document 'Family cookbook' < '\(archive)'"
        let piped = try Program.shell(line)
        #expect(piped.status == 2 && piped.errors.contains("the archive as a file"), "\(piped.errors)")
        let taken = try Program.shell(
            "cd '\(demo.scratch.path)'; ticds-archive extract - out --document 'Family cookbook' < '\(archive)'"
        )
        #expect(taken.status == 2 && taken.errors.contains("descriptions are unknown"), "\(taken.errors)")
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

    /// The result of a vacuum names the command that empties the trash, and that command prints the freed space.
    @Test func makingRoomSaysHowMuch() throws {
        let demo = try DemoRemote(changeSets: 40)
        let variables = ["HOME": demo.scratch.path.string, "XDG_STATE_HOME": "\(demo.scratch.path)/state"]
        let vacuum = try Program.run("ticds-vacuum", [demo.path, "--yes"], environment: variables)
        #expect(vacuum.status == 0, "\(vacuum.errors)")
        let line = try #require(vacuum.output.split(separator: "\n").first { $0.contains("takes ") })
        let size = try #require(line.firstMatch(of: /takes ([0-9.]+ k?M?B)\. .*: ticds-journal (prune .*)$/))
        let prune = try Program.shell("ticds-journal \(size.2) --yes", environment: variables)
        #expect(prune.output.hasSuffix(": freed \(size.1).\n"), "\(prune.output)\(prune.errors)")
    }

    /// A client that was deleted from the app is found by its description in its tombstones.
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

    /// A list that --limit shortens has a note, and a complete list has none.
    @Test(arguments: [
        ["ticds-changes", "list"], ["ticds-inspect", "stores"], ["ticds-inspect", "documents"],
        ["ticds-inspect", "tree"], ["ticds-store", "list"], ["ticds-changes", "dump"],
        ["ticds-changes", "stats"], ["ticds-inspect", "clients"], ["ticds-inspect", "timeline"],
    ])
    func cutListsSaySo(words: [String]) throws {
        let demo = try DemoRemote(changeSets: 20)
        func list(_ limit: Int) throws -> String {
            let result = try Program.run(words[0], [words[1], demo.path, "--limit", "\(limit)"])
            #expect(result.status == 0, "\(result.errors)")
            return result.output
        }
        #expect(try list(1).contains(/and ([0-9]+ )?more, which --limit leaves out/))
        #expect(try !list(100_000).contains("more, which"))
    }

    @Test func storesAreSorted() throws {
        let demo = try DemoRemote(changeSets: 20)
        for program in ["ticds-inspect", "ticds-store"] {
            let name = program == "ticds-store" ? "list" : "stores"
            let result = try Program.run(program, [name, demo.path, "--sort", "size", "--json"])
            let object = try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any]
            let sizes = (object?["stores"] as? [[String: Any]] ?? []).compactMap { $0["size"] as? Int }
            #expect(sizes.count > 1 && sizes == sizes.sorted(by: >), "\(result.output)\(result.errors)")
        }
    }

    @Test func statisticsAreSortedAndLimited() throws {
        let demo = try DemoRemote(changeSets: 20)
        func entities(_ words: [String]) throws -> [String: Int] {
            let result = try Program.run("ticds-changes", ["stats", demo.path, "--json"] + words)
            let object = try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any]
            return object?["byEntity"] as? [String: Int] ?? [:]
        }
        let all = try entities([])
        let largest = all.max { ($0.value, $1.key) < ($1.value, $0.key) }
        #expect(try entities(["--limit", "1"]).first?.key == largest?.key)
        #expect(try entities(["--limit", "1", "--sort", "name"]).first?.key == all.keys.min())
    }

    @Test func limitCutsTheLargestValues() throws {
        let demo = try DemoRemote(changeSets: 20)
        func largest(_ words: [String]) throws -> Program.Result {
            try Program.run("ticds-changes", ["stats", demo.path, "--largest", "5"] + words)
        }
        let text = try largest(["--limit", "2"]).output
        let end = try #require(text.range(of: "LARGEST VALUES")).lowerBound
        #expect(text[end...].hasSuffix("\nand 3 more, which --limit leaves out\n"), "\(text)")
        let json = try largest(["--limit", "2", "--json"])
        let fields = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any]
        #expect((fields?["largestValues"] as? [Any])?.count == 2, "\(json.output)")
    }

    @Test func clientsAreSortedAndLimited() throws {
        let demo = try DemoRemote(changeSets: 20)
        func clients(_ words: [String]) throws -> [[String: Any]] {
            let result = try Program.run("ticds-inspect", ["clients", demo.path, "--json"] + words)
            #expect(result.status == 0, "\(result.errors)")
            let fields = try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any]
            return fields?["clients"] as? [[String: Any]] ?? []
        }
        func sizes(_ clients: [[String: Any]]) -> [Int] {
            clients.compactMap { ($0["changeSets"] as? [String: Any])?["bytes"] as? Int }
        }
        let all = sizes(try clients([]))
        #expect(all.count > 1)
        #expect(sizes(try clients(["--sort", "size"])) == all.sorted(by: >), "\(all)")
        #expect(sizes(try clients(["--sort", "size", "--limit", "1"])) == [all.max()])
        #expect(try clients(["--until", "1980"]).isEmpty)
    }

    @Test func operationsAreSorted() throws {
        let demo = try DemoRemote(changeSets: 20)
        let variables = ["HOME": demo.scratch.path.string, "XDG_STATE_HOME": "\(demo.scratch.path)/state"]
        for words in [
            ["client", "delete", demo.path, "borges ipad", "--document", "pantry"],
            ["document", "delete", demo.path, "cookbook"],
            ["client", "delete", demo.path, "annas iphone", "--document", "pantry"],
        ] {
            let done = try Program.run("ticds", words + ["--yes"], environment: variables)
            #expect(done.status == 0, "\(done.errors)")
        }
        func trash(_ words: [String]) throws -> [Int] {
            let result = try Program.run(
                "ticds-journal", ["list", "--json"] + words, environment: variables)
            #expect(result.status == 0, "\(result.errors)")
            let fields = try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any]
            let remotes = fields?["remotes"] as? [[String: Any]] ?? []
            return remotes.flatMap { $0["operations"] as? [[String: Any]] ?? [] }.compactMap {
                ($0["trash"] as? [String: Any])?["bytes"] as? Int
            }
        }
        let all = try trash([])
        #expect(all.count == 3 && all != all.sorted(by: >), "\(all)")
        #expect(try trash(["--sort", "size"]) == all.sorted(by: >))
        #expect(try trash(["--sort", "modified"]) == all)
    }

    @Test func archivesAreComparedByDocumentAndClient() throws {
        let demo = try DemoRemote(changeSets: 20)
        let archive = "\(demo.scratch.path)/a.tar.zst"
        #expect(try Program.run("ticds-archive", ["export", demo.path, archive]).status == 0)
        try demo.scratch.shell("rm '\(demo.path)'/Documents/*/RecentSyncs/*")
        func removed(_ words: [String]) throws -> [String] {
            let result = try Program.run("ticds-archive", ["diff", archive, demo.path, "--json"] + words)
            #expect(result.status == 1, "\(result.errors)")
            let fields = try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any]
            return (fields?["differences"] as? [[String: Any]] ?? []).compactMap { $0["path"] as? String }
        }
        let all = try removed([])
        let pantry = try removed(["--document", "pantry"])
        #expect(!pantry.isEmpty && pantry == all.filter { $0.hasPrefix("Documents/pantry/") }, "\(all)")
        let phone = try removed(["--client", "annas iphone"])
        #expect(!phone.isEmpty && phone.count < all.count, "\(all)")
        let none = try Program.run("ticds-archive", ["diff", archive, demo.path, "--client", "nobody"])
        #expect(none.status == 2, "\(none.errors)")
    }

    /// A folder of snapshots represents its archives where several arguments are possible.
    @Test func foldersOfArchivesAreSearchedAndNotCompared() throws {
        let demo = try DemoRemote(changeSets: 20)
        let folder = "\(demo.scratch.path)/archives"
        try demo.scratch.shell("mkdir '\(folder)'")
        for name in ["a.tar.zst", "b.tar.zst"] {
            #expect(try Program.run("ticds-archive", ["export", demo.path, "\(folder)/\(name)"]).status == 0)
        }
        let found = try Program.run(
            "ticds-archive", ["find", folder, "--type", "salt", "--type", "documentInfo"])
        #expect(
            found.status == 0 && found.output.contains("a.tar") && found.output.contains("b.tar"),
            "\(found.errors)")
        let diff = try Program.run("ticds-archive", ["diff", folder, "\(folder)/a.tar.zst"])
        #expect(diff.status == 2 && diff.errors.contains("such as \(folder)/b.tar"), "\(diff.errors)")
        let remote = try Program.run("ticds-archive", ["find", demo.path])
        #expect(remote.status == 2 && remote.errors.contains("ticds-inspect tree"), "\(remote.errors)")
    }

    /// Accents alone are ignored in a search, so that nothing remains of it.
    @Test(arguments: [
        ["ticds-changes", "search", "R", "\u{301}"], ["ticds-changes", "log", "R", "\u{301}"],
        ["ticds-archive", "find", "--name", "\u{301}", "R"], ["ticds-archive", "find", "--name", "", "R"],
    ])
    func textsOfWhichNothingCountsAreRefused(words: [String]) throws {
        let demo = try DemoRemote()
        let result = try Program.run(words[0], words.dropFirst().map { $0 == "R" ? demo.path : $0 })
        #expect(result.status == 64 && result.errors.contains("every "), "\(result.errors)")
    }

    /// An unreadable set may concern the object: the result is partial.
    @Test func unknownObjectBesideADamagedSetIsPartial() throws {
        let demo = try DemoRemote(.damaged, changeSets: 12)
        let result = try Program.run("ticds-changes", ["log", demo.path, "nothing that exists"])
        #expect(result.status == 5, "\(result.errors)")
        #expect(result.errors.contains("no change that could be read concerns an object"))
        let sound = try DemoRemote()
        let whole = try withExtendedLifetime(sound) {
            try Program.run("ticds-changes", ["log", sound.path, "nothing that exists"])
        }
        #expect(whole.status == 1, "\(whole.errors)")
    }

    @Test func objectsAreFollowedWithFilters() throws {
        let demo = try DemoRemote(changeSets: 40)
        let soup = try Program.run("ticds-changes", ["search", demo.path, "Bread soup", "--limit", "1"])
            .output
        let object = try #require(soup.firstMatch(of: /insert Recipe ([0-9A-F-]+)/)).1
        let words = ["log", demo.path, String(object), "--json"]
        let all = try Program.run("ticds-changes", words).output.split(separator: "\n")
        let some = try Program.run("ticds-changes", words + ["--type", "insert"]).output.split(
            separator: "\n")
        #expect(!some.isEmpty && some == all.filter { $0.contains("\"type\":\"insert\"") }, "\(all)")
    }
}
