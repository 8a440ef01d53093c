import Foundation
import Glibc
import Mounting
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// The trees of `ticds-inspect mount`, without a mount: what the files contain is what other commands print.
@Suite struct MountTreeTests {
    private func tree(_ demo: DemoRemote) throws -> MountedTree {
        try MountedTree(remote: demo.path, model: model(demo), demo.passwordOptions)
    }

    private func model(_ demo: DemoRemote) -> String { "\(demo.scratch.path)/demo/Cookbook.xcdatamodel" }

    /// Other tests run in this process, whose files would become private.
    @Test func fileMaskOfTheTestsStays() throws {
        func mask() throws -> Substring? {
            try String(contentsOfFile: "/proc/self/status", encoding: .utf8).split(separator: "\n").first {
                $0.hasPrefix("Umask:")
            }
        }
        let before = try #require(try mask())
        _ = try tree(DemoRemote(.encrypted))
        #expect(try mask() == before)
    }

    private func documents(_ demo: DemoRemote) throws -> [(name: String, identifier: String)] {
        let list = try Program.run(
            "ticds-inspect", ["documents", demo.path, "--json"] + demo.passwordOptions)
        let documents = ParsedJSON(list.bytes)["documents"]
        return (0..<documents.count).map {
            (documents[$0]["description"].text ?? "", documents[$0]["identifier"].text ?? "")
        }
    }

    @Test(arguments: [DemoRemote.Kind.plain, .encrypted]) func changesAreThoseOfDump(
        _ kind: DemoRemote.Kind
    ) throws {
        let demo = try DemoRemote(kind, changeSets: 40)
        let tree = try tree(demo)
        let documents = try documents(demo)
        #expect(try tree.names("documents").sorted() == documents.map(\.name).sorted())
        for (name, identifier) in documents {
            let folder = "documents/\(name)/changes"
            let names = try tree.names(folder)
            for (ending, options, joint) in [(".json", ["--json"], ""), (".txt", [], "\n")] {
                let dump = try Program.run(
                    "ticds-changes",
                    ["dump", demo.path, "--document", identifier, "--utc"] + options + demo.passwordOptions)
                let texts = try names.filter { $0.hasSuffix(ending) }.map { try tree.text("\(folder)/\($0)") }
                #expect(texts.joined(separator: joint) == dump.output)
            }
            // The order of names is the order of application.
            #expect(names == names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
        }
    }

    /// All files, or those of one form.
    @Test(arguments: [1, 2]) func contentsAreMadeInAdvanceWhereFilesAreReadInOrder(_ step: Int) throws {
        let demo = try DemoRemote(.plain, changeSets: 300)
        let tree = try tree(demo)
        let folders = try documents(demo).map { "documents/\($0.name)/changes" }
        let largest = try #require(try folders.max { try tree.names($0).count < tree.names($1).count })
        guard case .folder(let folder)? = try tree.node(largest) else {
            Issue.record("no folder")
            return
        }
        let listing = try folder.listing()
        func file(_ position: Int) -> (any VirtualFile)? {
            if case .file(let file) = listing.node(at: position) { file } else { nil }
        }
        func made() -> [Int] { (0..<listing.count).filter { file($0)?.knownSize != nil } }
        let first = step - 1
        try #require(listing.count > first + 110 * step)
        file(first)?.readAhead()
        let atFirst = made()
        #expect(atFirst == (1...64).map { first + $0 * step })
        for number in 1..<32 { file(first + number * step)?.readAhead() }
        #expect(made() == atFirst)
        file(first + 32 * step)?.readAhead()
        #expect(made() == (1...96).map { first + $0 * step })
        file(first + 5 * step)?.readAhead()
        file(first + 100 * step)?.readAhead()
        #expect(made() == (1...96).map { first + $0 * step })
    }

    @Test(arguments: [DemoRemote.Kind.plain, .encrypted]) func objectsAreThoseOfReplay(
        _ kind: DemoRemote.Kind
    ) throws {
        let demo = try DemoRemote(kind, changeSets: 40)
        let tree = try tree(demo)
        for (name, identifier) in try documents(demo) {
            var times: [String?] = [nil]
            times += try tree.names("documents/\(name)/at")
            times.append("2013-01-05T12:00")
            for time in times {
                let file = "\(demo.scratch.path)/\(identifier)-\(time ?? "newest").sqlite"
                let replay = try Program.run(
                    "ticds-store",
                    [
                        "replay", demo.path, "--document", identifier, "--to", file, "--utc", "--model",
                        model(demo),
                    ]
                        + (time.map { ["--until", $0] } ?? []) + demo.passwordOptions)
                let folder = "documents/\(name)/" + (time.map { "at/\($0)/objects" } ?? "objects")
                guard replay.status == 0 else {
                    #expect(try tree.names(folder) == ["PROBLEMS.txt"], "\(replay.errors)")
                    continue
                }
                let dump = try Program.run(
                    "ticds-store", ["dump", file, "--json", "--keys", "auto", "--model", model(demo)])
                let expected = try MountedTree.canonical(lines: dump.output)
                #expect(try tree.objects(folder) == expected, "\(name) \(time ?? "")")
                #expect(!expected.isEmpty || time != nil)
            }
        }
    }

    /// Before and after the upload of a whole store, a replay starts from different stores, and gives the objects different
    /// primary keys.
    @Test func stateHasOneFormWhateverItStartsFrom() throws {
        let demo = try DemoRemote(changeSets: 60)
        let list = try Program.run("ticds-inspect", ["stores", demo.path, "--json", "--utc"])
        let stores = ParsedJSON(list.bytes)["stores"]
        let uploads = (0..<stores.count).filter { stores[$0]["document"].text == "cookbook" }
            .compactMap { stores[$0]["modified"].text }
        let tree = try tree(demo)
        var differing = 0
        for upload in uploads {
            // The seconds around the upload.
            let second = try Date("\(upload.prefix(19))Z", strategy: .iso8601)
            let times = [second, second + 1].map { $0.formatted(.iso8601) }
            let dumps = try times.enumerated().map { position, time in
                let file = "\(demo.scratch.path)/\(upload)-\(position).sqlite"
                let replay = try Program.run(
                    "ticds-store",
                    [
                        "replay", demo.path, "--document", "cookbook", "--to", file, "--until", time,
                        "--model", model(demo),
                    ])
                #expect(replay.status == 0, "\(replay.errors)")
                return try Program.run("ticds-store", ["dump", file, "--json"]).output
            }
            if dumps[0] != dumps[1] { differing += 1 }
            let folders = times.map { "documents/Family cookbook/at/\($0)/objects" }
            #expect(try tree.objects(folders[0]) == tree.objects(folders[1]))
            for entity in try tree.names(folders[0]) {
                let names = try folders.map { try tree.names("\($0)/\(entity)").sorted() }
                #expect(names[0] == names[1])
            }
        }
        #expect(differing > 0)
    }

    @Test func daysAreTheSameInAnyOrder() throws {
        let demo = try DemoRemote(changeSets: 60)
        let folder = "documents/Family cookbook/at"
        let ascending = try tree(demo)
        let days = try ascending.names(folder)
        let expected = try days.map { try ascending.objects("\(folder)/\($0)/objects") }
        #expect(Set(expected).count > 10)
        // The states that the walk through all days went on from do not exist here.
        for (position, day) in days.enumerated().filter({ $0.offset % 7 == 3 }) {
            #expect(try tree(demo).objects("\(folder)/\(day)/objects") == expected[position])
        }
        let descending = try tree(demo)
        for (position, day) in days.enumerated().reversed() where position % 3 != 0 {
            #expect(try descending.objects("\(folder)/\(day)/objects") == expected[position])
        }
    }

    @Test func historiesAreThoseOfLog() throws {
        let demo = try DemoRemote(changeSets: 40)
        let tree = try tree(demo)
        var compared = 0
        for (name, identifier) in try documents(demo) {
            tree.forEachFile("documents/\(name)/objects", onProblem: { Issue.record("\($0): \($1)") }) {
                place, file in
                guard place.hasSuffix(".history.txt"), compared < 12 else { return }
                do {
                    let object = try tree.bytes(place.replacing(".history.txt", with: ".json"))
                    let id = ParsedJSON(object)["attributes"]["ticdsSyncID"].text ?? ""
                    let log = try Program.run(
                        "ticds-changes", ["log", demo.path, id, "--document", identifier, "--utc"])
                    let text = String(decoding: try MountedTree.bytes(of: file), as: UTF8.self)
                    #expect(log.status != 0 || text == log.output, "\(place)")
                    compared += 1
                } catch {
                    Issue.record(error)
                }
            }
        }
        #expect(compared > 0)
    }

    @Test func newestObjectsHaveHistoriesAlsoAfterALaterTime() throws {
        let demo = try DemoRemote(changeSets: 20)
        let tree = try tree(demo)
        let folder = "documents/Family cookbook"
        let later = try tree.names("\(folder)/at/2100-01-01/objects/Recipe")
        #expect(!later.isEmpty && later.allSatisfy { $0.hasSuffix(".json") })
        let newest = try tree.names("\(folder)/objects/Recipe")
        #expect(newest.filter { $0.hasSuffix(".json") } == later)
        #expect(newest.count == 2 * later.count)
        let history = try #require(newest.last)
        #expect(try tree.text("\(folder)/objects/Recipe/\(history)").contains("Recipe"))
    }

    @Test(arguments: [DemoRemote.Kind.plain, .encrypted]) func storesAreThoseOfExtract(
        _ kind: DemoRemote.Kind
    ) throws {
        let demo = try DemoRemote(kind)
        let tree = try tree(demo)
        var compared = 0
        for (name, identifier) in try documents(demo) {
            for store in try tree.names("documents/\(name)/stores") {
                let client = store.replacing(/\.(sqlite|storedata)$/, with: "")
                let copy = "\(demo.scratch.path)/\(compared).sqlite"
                let result = try Program.run(
                    "ticds-store",
                    ["extract", demo.path, copy, "--document", identifier, "--client", client]
                        + demo.passwordOptions)
                try #require(result.status == 0, "\(result.errors)")
                let expected = try Data(contentsOf: URL(filePath: copy))
                #expect(Data(try tree.bytes("documents/\(name)/stores/\(store)")) == expected)
                compared += 1
            }
        }
        #expect(compared > 0)
    }

    @Test(arguments: DemoRemote.Kind.allCases) func everyFileCanBeRead(_ kind: DemoRemote.Kind) throws {
        let demo = try DemoRemote(kind)
        let tree = try tree(demo)
        var count = 0
        var problems: [String] = []
        tree.forEachFile(onProblem: { problems.append("\($0): \($1)") }) { place, file in
            do {
                #expect(try MountedTree.bytes(of: file).count == Int(file.size()), "\(place)")
                count += 1
            } catch {
                problems.append("\(place): \(error)")
            }
        }
        #expect(count > 30)
        if kind == .damaged {
            let verify = try Program.run("ticds-verify", [demo.path, "--level", "deep", "--json"])
            #expect(verify.status == 1)
        } else {
            #expect(problems == [])
        }
    }

    @Test func damagedSetSaysWhatIsWrong() throws {
        let demo = try DemoRemote()
        let set = try #require(try demo.changeSets.first)
        try demo.scratch.shell(
            "touch -r '\(set)' time; head -c 700 '\(set)' > cut; cp cut '\(set)'; touch -r time '\(set)'")
        let tree = try tree(demo)
        let folder = "documents/Family cookbook/changes"
        let texts = try tree.names(folder).map { try tree.text("\(folder)/\($0)") }
        #expect(texts.contains { $0.contains("\"schema\":\"ticds.error/1\"") })
        #expect(texts.contains { $0.contains("error: ") && $0.contains(".syncchg") })
        #expect(!texts.contains(""))
    }

    @Test func remoteThatIsGoneIsNoAbsence() throws {
        let client = FuseClient(GoneFolder())
        #expect(client.lookUp("anything", in: 1) == .failure(EIO))
        #expect(client.open(1, isFolder: true) == .failure(EIO))
    }

    @Test func storeThatIsGoneIsNoAbsence() throws {
        let demo = try DemoRemote()
        let file = "\(demo.scratch.path)/copy.sqlite"
        let store = try #require(try demo.wholeStores.first)
        try demo.scratch.shell("cp '\(store)' copy.sqlite")
        let client = FuseClient(try MountedTree(store: file).top)
        let objects = try #require(client.lookUp("objects", in: 1).value)
        #expect(client.open(objects, isFolder: true).value != nil)
        try demo.scratch.shell("mv copy.sqlite away")
        #expect(client.open(objects, isFolder: true) == .failure(EIO))
        #expect(client.lookUp("anything", in: objects) == .failure(EIO))
    }

    @Test func changeInTheLogOfAStoreIsSeen() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("/cookbook/") })
        try demo.scratch.shell("cp '\(store)' copy.sqlite; sqlite3 copy.sqlite 'PRAGMA journal_mode = wal'")
        let tree = try MountedTree(store: "\(demo.scratch.path)/copy.sqlite")
        #expect(try !tree.objects("objects").contains { $0.contains("only in the log") })
        try demo.scratch.shell(
            "sqlite3 copy.sqlite '.dbconfig no_ckpt_on_close on' \"UPDATE ZRECIPE SET ZTITLE = 'only in the log'\"; test -s copy.sqlite-wal"
        )
        #expect(try tree.objects("objects").contains { $0.contains("only in the log") })
    }

    @Test func storeShowsItsObjects() throws {
        let demo = try DemoRemote()
        let file = "\(demo.scratch.path)/copy.sqlite"
        let extract = try Program.run(
            "ticds-store",
            ["replay", demo.path, "--document", "cookbook", "--to", file, "--model", model(demo)])
        try #require(extract.status == 0, "\(extract.errors)")
        let dump = try Program.run("ticds-store", ["dump", file, "--json", "--keys", "auto"])
        let tree = try MountedTree(store: file)
        #expect(try tree.names() == ["README.txt", "objects"])
        #expect(try tree.objects("objects") == MountedTree.canonical(lines: dump.output))
        let named = try Program.run(
            "ticds-store", ["dump", file, "--json", "--keys", "auto", "--model", model(demo)])
        let withModel = try MountedTree(store: file, model: model(demo))
        #expect(try withModel.objects("objects") == MountedTree.canonical(lines: named.output))
    }

    @Test func dayBefore1970IsListed() throws {
        let demo = try DemoRemote()
        let set = try #require(try demo.changeSets.first)
        try demo.scratch.shell("touch -d @-1 '\(set)'")
        #expect(try tree(demo).names("documents/Family cookbook/at").first == "1969-12-31")
    }
}

/// A folder that cannot be listed.
private struct GoneFolder: VirtualFolder {
    let modified = FileTime(seconds: 0)

    func listing() throws(FileProblem) -> VirtualListing {
        throw FileProblem(.unreadable, path: "remote", "cannot be read")
    }
}
