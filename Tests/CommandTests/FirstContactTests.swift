import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Mistakes that cost users time, or files, when they used ticds for the first time.
@Suite struct FirstContactTests {
    private func run(_ demo: DemoRemote, _ words: [String]) throws -> Program.Result {
        try Program.run(
            "ticds", words, environment: ["XDG_STATE_HOME": demo.scratch.path.string, "TZ": "UTC"])
    }

    private func export(_ demo: DemoRemote, _ target: String, _ options: [String] = []) throws
        -> Program.Result
    {
        try run(
            demo,
            [
                "store", "export", demo.path, "--document", "cookbook", "--newest", "--model",
                "\(demo.scratch.path)/demo/Cookbook.xcdatamodel", "--to", "\(demo.scratch.path)/\(target)",
            ] + options)
    }

    @Test func exportFillsEmptyFolder() throws {
        let demo = try DemoRemote()
        try demo.scratch.shell("mkdir out")
        let result = try export(demo, "out")
        #expect(result.status == 0, "\(result.errors)")
        #expect(try demo.scratch.shell("ls out").contains("Recipe.csv"))
    }

    @Test func forceLeavesForeignFilesAlone() throws {
        let demo = try DemoRemote()
        try demo.scratch.shell("mkdir -p out/sub; echo thesis > out/thesis.txt; echo x > out/sub/x")
        let refused = try export(demo, "out", ["--force"])
        #expect(refused.status == 3)
        #expect(refused.errors.contains("thesis.txt") && refused.errors.contains("sub"), "\(refused.errors)")
        #expect(
            try demo.scratch.shell("cat out/thesis.txt out/sub/x; ls out") == "thesis\nx\nsub\nthesis.txt\n")
        #expect(try demo.scratch.shell("ls -A | grep -c '^[.]ticds' || true") == "0\n")
        try demo.scratch.shell("rm -r out")
        #expect(try export(demo, "out").status == 0)
        #expect(try export(demo, "out").status == 3)
        let replaced = try export(demo, "out", ["--force"])
        #expect(replaced.status == 0, "\(replaced.errors)")
    }

    @Test(arguments: [[], ["--password-file", "wrong"]])
    func encryptedNamesNeedThePassword(_ options: [String]) throws {
        let demo = try DemoRemote(.encrypted)
        let wrong = try demo.scratch.write("wrong", Array("wrong".utf8))
        let given = options.map { $0 == "wrong" ? wrong : $0 }
        for words in [
            ["verify", demo.path, "--as-client", "Borges iPad"],
            ["changes", "list", demo.path, "--document", "Family cookbook"],
            ["client", "show", demo.path, "Borges iPad"],
        ] {
            let result = try run(demo, words + given)
            #expect(result.status == 4, "\(words): \(result.errors)")
            #expect(!result.errors.contains("there is no"), "\(words): \(result.errors)")
            let opened = try run(demo, words + demo.passwordOptions)
            #expect([0, 1].contains(opened.status), "\(words): \(opened.errors)")
        }
    }

    @Test func pruneEmptiesTrashAtOnce() throws {
        let demo = try DemoRemote(changeSets: 40)
        let vacuum = try run(demo, ["vacuum", demo.path, "--yes"])
        try #require(vacuum.status == 0, "\(vacuum.errors)")
        #expect(!vacuum.output.contains("\\n"))
        let lines = vacuum.output.split(separator: "\n")
        let end = lines.suffix(3).map(String.init)
        try #require(end.count == 3)
        #expect(end[0].hasPrefix("Done. To undo it: ") && end[1].contains("--larger-than 0"), "\(end)")
        #expect(end[2].hasSuffix(" --leftovers"), "\(end)")
        let pruned = try run(demo, ["journal", "prune", demo.path, "--older-than", "0s", "--yes"])
        #expect(pruned.output.contains("freed "), "\(pruned.output) \(pruned.errors)")
    }

    /// In the first night there is nothing to prune yet, and a vacuum of leftovers alone says nothing of change sets.
    @Test func firstNightAndLeftovers() throws {
        let demo = try DemoRemote(changeSets: 12)
        let folder = demo.scratch.path.appending("snapshots").string
        try demo.scratch.shell("mkdir snapshots")
        let prune = ["journal", "prune", folder, "--older-than", "30d", "--yes", "--quiet"]
        #expect(try run(demo, prune).errors.contains("is not a remote"))
        #expect(try run(demo, ["remote", "snapshot", demo.path, folder, "--quiet"]).status == 0)
        let pruned = try run(demo, prune)
        #expect(pruned.status == 0 && pruned.output.isEmpty && pruned.errors.isEmpty, "\(pruned.errors)")
        let vacuum = try run(demo, ["vacuum", demo.path, "--leftovers-only", "--dry-run"])
        #expect(vacuum.status == 0 && vacuum.output.contains("what uploads left"), "\(vacuum.output)")
        #expect(!vacuum.output.contains("change set"), "\(vacuum.output)")
    }

    /// Whoever names a store in place of a remote learns which commands read it.
    @Test func storeInPlaceOfARemoteIsNamed() throws {
        let demo = try DemoRemote()
        for store in try demo.wholeStores {
            for words in [["inspect", "status", store], ["verify", store]] {
                let result = try run(demo, words)
                #expect(result.status == 2, "\(words): \(result.errors)")
                #expect(result.errors.contains("found an SQLite or binary store"), "\(result.errors)")
                #expect(result.errors.contains("ticds-store info shows what it is"), "\(result.errors)")
            }
        }
    }

    @Test func undoNamesTheOperationInTheWay() throws {
        let demo = try DemoRemote(changeSets: 40)
        for words in [
            ["vacuum", demo.path, "--yes"], ["document", "delete", demo.path, "cookbook", "--yes"],
        ] {
            try #require(try run(demo, words).status == 0)
        }
        let refused = try run(demo, ["journal", "undo", demo.path, "1", "--yes"])
        #expect(refused.status == 3)
        #expect(refused.errors.contains("First undo operation 2"), "\(refused.errors)")
        for number in ["2", "1"] {
            let undone = try run(demo, ["journal", "undo", demo.path, number, "--yes"])
            #expect(undone.status == 0, "\(undone.errors)")
        }
    }

    @Test func exportSaysWhatItLacks() throws {
        let demo = try DemoRemote(changeSets: 40)
        let sets = try demo.changeSets.filter { $0.contains("/cookbook/") }
        let newest = try #require(
            sets.max { $0.split(separator: "/").last ?? "" < $1.split(separator: "/").last ?? "" })
        try demo.scratch.shell("truncate -s 100 '\(newest)'")
        let result = try export(demo, "out")
        #expect(result.status == 5)
        #expect(result.errors.contains("change sets that cannot be read (1): "), "\(result.errors)")
        func whole(_ folder: String) throws -> Program.Result {
            try run(
                demo,
                [
                    "store", "export", demo.path, "--document", "cookbook", "--client", "Anna’s MacBook Pro",
                    "--to", "\(demo.scratch.path)/\(folder)", "--model",
                    "\(demo.scratch.path)/demo/Cookbook.xcdatamodel",
                ])
        }
        let behind = try whole("whole")
        #expect(behind.errors.contains(/lacks [0-9]+ change sets? of the document/), "\(behind.errors)")
        let registers = try RemoteFiles.named("AppliedSyncChangeSets.ticdsync", below: demo.root)
        for register in registers { try TestFiles.write(FilePath(register), Array("no register".utf8)) }
        let unread = try whole("unread")
        #expect(unread.status == behind.status, "\(unread.errors)")
        let words = ["the register of the whole store cannot be read", "AppliedSyncChangeSets.ticdsync"]
        #expect(words.allSatisfy { unread.errors.contains($0) }, "\(unread.errors)")
    }

    @Test func helpSuggestsTopics() throws {
        let result = try Program.run("ticds", ["help", "recipies"])
        #expect(result.status == 64 && result.errors.contains("Did you mean recipes?"), "\(result.errors)")
    }
}
