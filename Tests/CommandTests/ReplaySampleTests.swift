import Foundation
import SystemPackage
import TestSupport
import Testing

/// `ticds-store replay` on every remote of the framework, with models of the samples: whole stores of three apps, plain,
/// zipped and encrypted, and change sets that are placeholders.
@Suite(.enabled(if: Samples.available, "needs the samples")) struct ReplaySampleTests {
    /// The beginnings of digests of the models among the samples.
    private static let knownModels = ["4nwzFE/h", "gKA6BvCI"]

    @Test(arguments: SampleRemote.names + SampleRemote.pairs)
    func replaysEveryDocument(_ name: String) throws {
        let scratch = try Scratch()
        try SampleRemote.copy(name, into: scratch.path)
        let file = try Fixtures.remotes.appending("\(name).json")
        let description = ParsedJSON(Array(try Data(contentsOf: URL(filePath: file.string))))
        let password = try scratch.write("password", Array((description["password"].text ?? "").utf8))
        // A pair contains the same documents twice, except those that the operation creates or removes.
        let part = ["after", "remote"].first {
            FileManager.default.fileExists(atPath: "\(scratch.path)/\($0)")
        }
        let parent = "\(scratch.path)/\(try #require(part))"
        let applications = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        for application in applications {
            let remote = SampleDocuments(
                scratch, "\(parent)/\(application)",
                description["password"].text == nil ? [] : ["--password-file", password])
            let documents = try remote.documents()
            for document in documents { try remote.check(document, Self.knownModels) }
            if documents.isEmpty {
                let result = try remote.replay([])
                #expect(result.status == 2 && result.errors.contains("no document"), "\(result.errors)")
            }
        }
    }
}

/// The documents of one unpacked remote.
private struct SampleDocuments {
    let scratch: Scratch
    let root: String
    let options: [String]

    init(_ scratch: Scratch, _ root: String, _ options: [String]) {
        self.scratch = scratch
        self.root = root
        self.options = options
    }

    func documents() throws -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/Documents")) ?? []
        return names.sorted()
    }

    var file: String { "\(scratch.path)/replayed.sqlite" }
    private var models: String { Samples.path("sqlite-stores").string }

    func replay(_ words: [String]) throws -> Program.Result {
        try scratch.shell("rm -rf '\(file)'* .replayed_SUPPORT")
        return try Program.run(
            "ticds-store", ["replay", root, "--to", file, "--model", models, "--json"] + options + words)
    }

    /// The newest store with an existing model is used, with all its objects; every set is counted correctly.
    func check(_ document: String, _ known: [String]) throws {
        let list = try Program.run("ticds-store", ["list", root, "--document", document, "--json"] + options)
        let stores = ParsedJSON(list.bytes)["stores"]
        let usable = (0..<stores.count).map { stores[$0] }
            .filter { known.contains($0["model"]["digest"].text ?? "") }
            .max { ($0["modified"].text ?? "") < ($1["modified"].text ?? "") }
        let files = "find '\(root)/Documents/\(document)/SyncChanges' -name '*.syncchg'"
        let sets = Int(try scratch.shell("\(files) | wc -l").filter(\.isNumber)) ?? 0
        let result = try replay(["--document", document])
        guard let usable else {
            #expect(result.status == 3 && result.errors.contains("--model"), "\(document): \(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: file))
            return
        }
        #expect(result.status == (sets > 0 ? 5 : 0), "\(document): \(result.errors)")
        let report = ParsedJSON(result.bytes)
        #expect(report["start"]["client"].text == usable["client"].text)
        #expect(report["changeSets"]["unreadable"].number == sets)
        #expect(report["changeSets"]["applied"].number == 0)
        let check = try Program.run("ticds-store", ["check", file, "--model", models, "--json"])
        #expect(check.status == 0, "\(document): \(check.output)")
        #expect(ParsedJSON(check.bytes)["stores"][0]["objects"].number == usable["objects"].number)
        #expect(try scratch.shell("sqlite3 '\(file)' 'PRAGMA integrity_check'") == "ok\n")
        let register = try scratch.shell(
            "sqlite3 '\(report["register"].text ?? "")' 'SELECT count(*) FROM ZTICDSSYNCCHANGESET'")
        #expect(register == "0\n")
    }
}
