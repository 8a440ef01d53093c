import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// `ticds-vacuum` shows, asks, and removes.
@Suite struct VacuumTests {
    private func run(_ demo: DemoRemote, _ options: [String]) throws -> Program.Result {
        try Program.run(
            "ticds-vacuum", [demo.path] + options, environment: Self.environment(demo.scratch))
    }

    private static func environment(_ scratch: Scratch) -> [String: String] {
        ["XDG_STATE_HOME": scratch.path.appending("state").string, "TZ": "UTC"]
    }

    private func sets(_ demo: DemoRemote) throws -> [String] {
        try RemoteFiles.named(".syncchg", below: demo.root.appending("Documents"))
    }

    private func analysis(_ demo: DemoRemote, _ options: [String] = []) throws -> (Int32, [String: Any]) {
        let result = try run(demo, ["--dry-run", "--json"] + options)
        let any = try JSONSerialization.jsonObject(with: Data(result.bytes))
        return (result.status, try #require(any as? [String: Any]))
    }

    private func documents(_ analysis: [String: Any]) throws -> [[String: Any]] {
        try #require(analysis["documents"] as? [[String: Any]])
    }

    private func number(_ object: [String: Any], _ key: String, _ inner: String) -> Int? {
        (object[key] as? [String: Any])?[inner] as? Int
    }

    @Test func dryRunTellsWhoHoldsBack() throws {
        let demo = try DemoRemote(changeSets: 60)
        let before = try TreeImage(of: demo.root)
        let result = try run(demo, ["--dry-run"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("Document cookbook (Family cookbook)"))
        #expect(result.output.contains("Held back by Børge’s iPad"))
        #expect(result.output.contains("Horizon: 2013-"))
        #expect(result.output.hasSuffix("Nothing was changed.\n"))
        #expect(try TreeImage(of: demo.root) == before)
    }

    @Test(arguments: [DemoRemote.Kind.plain, .encrypted]) func analysisAsJSON(kind: DemoRemote.Kind) throws {
        let demo = try DemoRemote(kind, changeSets: 60)
        let (status, analysis) = try analysis(demo)
        #expect(status == 0)
        #expect(analysis["schema"] as? String == "ticds.vacuum/1")
        #expect(analysis["rule"] as? String == "applied")
        #expect(analysis["keepWithin"] as? Int == 30 * 86_400)
        let documents = try documents(analysis)
        #expect(documents.map { $0["document"] as? String } == ["cookbook", "pantry"])
        for document in documents {
            let clients = try #require(document["clients"] as? [[String: Any]])
            for key in ["removable", "kept"] {
                let sum = clients.compactMap { number($0, key, "count") }.reduce(0, +)
                #expect(number(document, key, "count") == sum)
            }
            #expect((document["obstacles"] as? [Any])?.isEmpty == true)
        }
        let none = try self.analysis(demo, ["--keep-within", "9999w", "--document", "pantry"])
        #expect(try self.documents(none.1).map { number($0, "removable", "count") } == [0])
    }

    @Test func removesAndTakesBack() throws {
        let demo = try DemoRemote(changeSets: 60)
        let before = try TreeImage(of: demo.root)
        let all = try sets(demo)
        let wanted = try documents(try analysis(demo, ["--leftovers"]).1)
            .compactMap { number($0, "removable", "count") }.reduce(0, +)
        let result = try run(demo, ["--yes", "--leftovers", "--max-delete", "100%"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(wanted > 0)
        #expect(try sets(demo).count == all.count - wanted)
        let verified = try Program.run("ticds-verify", [demo.path, "--json"])
        #expect(!verified.output.contains("\"severity\":\"error\""), "\(verified.output)")
        let again = try run(demo, ["--yes", "--leftovers"])
        #expect(again.status == 0)
        #expect(again.output.hasSuffix("Nothing to do.\n"))
        let undone = try Program.run(
            "ticds-journal", ["undo", demo.path, "1", "--yes"], environment: Self.environment(demo.scratch))
        #expect(undone.status == 0, "\(undone.errors)")
        #expect(
            undone.output.contains(#/  restore: [0-9]+ change sets of Anna’s MacBook Pro, /#),
            "\(undone.output)")
        #expect(try sets(demo) == all)
        let after = try TreeImage(of: demo.root)
        #expect(Set(after.entries.keys) == Set(before.entries.keys))
        for (path, entry) in before.entries where entry.status.kind == .file {
            #expect(after.entries[path]?.content == entry.content)
            #expect(after.entries[path]?.status.modified == entry.status.modified)
        }
    }

    /// The end of a vacuum, and the remedy of the finding, name a command for what uploads left.
    @Test func leftoversAreNamedWithTheirCommand() throws {
        let demo = try DemoRemote(changeSets: 60)
        let first = try run(demo, ["--yes", "--max-delete", "100%"])
        #expect(
            first.output.contains(/in temporary files\. To remove them: ticds-vacuum .* --leftovers\n$/),
            "\(first.output)\(first.errors)")
        let kept = try sets(demo)
        let alone = try run(demo, ["--yes", "--leftovers-only"])
        #expect(alone.status == 0 && alone.output.contains("leftovers of uploads"), "\(alone.output)")
        #expect(!alone.output.contains("To remove them: ticds-vacuum"), "\(alone.output)")
        #expect(try sets(demo) == kept)
        let verified = try Program.run("ticds-verify", [demo.path, "--json"])
        #expect(!verified.output.contains("TICDS-0901"), "\(verified.output)")
    }

    @Test func remedyOfLeftoversRemovesThemAlone() throws {
        let demo = try DemoRemote(changeSets: 60)
        let all = try sets(demo)
        let shown = try Program.run("ticds-verify", [demo.path]).output
        let commands = shown.matches(of: /\$ (ticds-vacuum .* --leftovers-only)\n/).map(\.1)
        #expect(!commands.isEmpty, "\(shown)")
        let script = commands.map { "\($0) --yes" }.joined(separator: "\n")
        let result = try Program.shell(
            "cd '\(demo.scratch.path)'\n\(script)", environment: Self.environment(demo.scratch))
        #expect(result.status == 0, "\(result.errors)")
        #expect(try sets(demo) == all)
        #expect(try !Program.run("ticds-verify", [demo.path, "--json"]).output.contains("TICDS-0901"))
    }

    @Test func ignoringAClientByNameFreesMore() throws {
        let demo = try DemoRemote(changeSets: 60)
        func removable(_ options: [String]) throws -> Int {
            try documents(try analysis(demo, options).1).compactMap { number($0, "removable", "count") }
                .reduce(0, +)
        }
        let all = try removable([])
        #expect(try removable(["--ignore-client", "Børge’s iPad"]) > all)
        #expect(try removable(["--newest-store"]) >= all)
        #expect(try removable(["--client", "Anna’s iPhone"]) < all)
    }

    @Test func lockedDescriptionNeedsThePassword() throws {
        let demo = try DemoRemote(.encrypted, changeSets: 60)
        let words = ["--dry-run", "--ignore-client", "Børge’s iPad", "--max-delete", "100%"]
        let locked = try run(demo, words)
        #expect(locked.status == 4 && locked.errors.contains("--password-file"), "\(locked.errors)")
        let opened = try run(demo, words + demo.passwordOptions)
        #expect(opened.status == 0, "\(opened.errors)")
    }

    /// A dry run has the same status as the run.
    @Test func dryRunOfRefusedPlanEndsAsTheRun() throws {
        let demo = try DemoRemote(changeSets: 60)
        let words = ["--ignore-client", "Børge’s iPad"]
        for options in [["--dry-run"], ["--dry-run", "--json"], ["--yes"]] {
            let result = try run(demo, words + options)
            #expect(result.status == 3 && result.errors.contains("--max-delete 5"), "\(result.errors)")
        }
        #expect(try run(demo, words + ["--dry-run", "--max-delete", "100%"]).status == 0)
    }

    @Test func refusesWhatIsUnsafeAndSaysWhatToDo() throws {
        let demo = try DemoRemote(changeSets: 60)
        let folder = demo.root.appending("Documents").appending("cookbook").appending("RecentSyncs")
        let files = try RemoteFiles.named(".recentsync", below: folder)
        for file in files { try FileManager.default.removeItem(atPath: file) }
        let (status, analysis) = try analysis(demo)
        #expect(status == 3)
        let cookbook = try documents(analysis)[0]
        let obstacles = try #require(cookbook["obstacles"] as? [[String: Any]])
        #expect(obstacles.allSatisfy { $0["kind"] as? String == "noRecentSync" })
        let result = try run(demo, ["--yes"])
        #expect(result.status == 3)
        #expect(result.errors.contains("--ignore-client"))
        #expect(result.errors.contains("--allow-missing"))
        let allowed = ["--dry-run", "--allow-missing", "Documents/cookbook/RecentSyncs"]
        #expect(try run(demo, allowed).status == 0)
        #expect(try run(demo, ["--dry-run", "--document", "pantry"]).status == 0)
    }

    @Test(arguments: [
        ["--framework-rule", "--keep-within", "3d"], ["--framework-rule", "--newest-store"],
        ["--keep-within", "soon"],
    ])
    func wrongUsage(options: [String]) throws {
        let demo = try DemoRemote(changeSets: 4)
        #expect(try run(demo, options).status == 64)
    }

    @Test func equalsTheFrameworkOnDisk() throws {
        let scratch = try Scratch()
        try SampleRemote.copy("op-vacuum", into: scratch.path)
        let result = try Program.run(
            "ticds-vacuum",
            [
                scratch.path.appending("before").string, "--framework-rule", "--client",
                "B2C0D0A4-0001-4A11-8E1D-0000000000AA", "--yes",
            ], environment: Self.environment(scratch))
        #expect(result.status == 0, "\(result.errors)")
        let differences = try scratch.shell("diff -r before after")
        #expect(differences.isEmpty)
        let times = "find . -type f -printf '%P %s %T@\\n' | sort"
        let mine = try scratch.shell("cd before; \(times)")
        #expect(try scratch.shell("cd after; \(times)") == mine)
        #expect(mine.contains("PLACEHOLDER"))
    }
}
