import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// `ticds-store replay` on the demonstration, whose stores and change sets agree.
@Suite struct ReplayTests {
    /// A store with the later sets has the same objects as all sets alone; the same holds for zipped, encrypted,
    /// foldered and binary stores.
    @Test(arguments: ["plain", "encrypted", "zip", "folder", "pantry"])
    func storeAndLaterSetsAreAllSets(_ form: String) throws {
        let replayed = try ReplayedDemo(form == "encrypted" ? .encrypted : .plain)
        let document = form == "pantry" ? "pantry" : "cookbook"
        let stores = try replayed.demo.wholeStores.filter { $0.contains("Documents/\(document)/") }
        for store in stores {
            try replayed.demo.scratch.shell(
                form == "zip"
                    ? "cd \"$(dirname '\(store)')\"; mv WholeStore.ticdsync Store; touch -r Store t; python3 -m zipfile -c z Store; touch -r t z; rm t Store; mv z WholeStore.ticdsync"
                    : form == "folder"
                        ? "cd \"$(dirname '\(store)')\"; mv WholeStore.ticdsync Data; mkdir WholeStore.ticdsync; mv Data WholeStore.ticdsync/"
                        : "true")
        }
        let whole = try replayed.run("whole", ["--document", document])
        #expect(whole.result.status == 0, "\(whole.result.errors)")
        #expect(whole.report["start"]["notTaken"].count == 0 && whole.report["start"]["client"].text != nil)
        #expect(
            whole.report["changeSets"]["inStore"].number > 0
                && whole.report["changeSets"]["applied"].number > 0)
        let sets = try replayed.run("sets", ["--document", document, "--from-sets"])
        #expect(sets.result.status == 0)
        #expect(
            sets.report["changeSets"]["inStore"].number == 0 && sets.report["start"]["client"].text == nil)
        let objects = try replayed.objects(whole.file)
        #expect(objects == (try replayed.objects(sets.file)) && objects.split(separator: "\n").count > 20)
        let check = try Program.run(
            "ticds-store", ["check", whole.file, "--model", "\(replayed.demo.scratch.path)/contents"])
        #expect(check.status == 0, "\(check.output) \(check.errors)")
        #expect(try replayed.demo.scratch.shell("sqlite3 '\(whole.file)' 'PRAGMA integrity_check'") == "ok\n")
    }

    /// The register that a replay writes is enough for the installation of the store.
    @Test(arguments: [DemoRemote.Kind.plain, .encrypted])
    func replayedStoresCanBeInstalled(_ kind: DemoRemote.Kind) throws {
        let replayed = try ReplayedDemo(kind, changeSets: 20)
        let demo = replayed.demo
        let run = try replayed.run("Rescued", ["--document", "cookbook"])
        #expect(run.result.status == 0, "\(run.result.errors)")
        let register = try #require(run.report["register"].text)
        #expect(register == "\(run.file).AppliedSyncChangeSets.ticdsync")
        let lines = try demo.scratch.shell(
            "sqlite3 '\(register)' 'SELECT ZFILENAME FROM ZTICDSSYNCCHANGESET ORDER BY 1'")
        let files = try demo.scratch.shell(
            "find demo/*/Documents/cookbook/SyncChanges -name '*.syncchg' -printf '%f\\n' | LC_ALL=C sort")
        #expect(lines == files && !lines.isEmpty)
        let installed = try Program.run(
            "ticds-store",
            [
                "install", demo.path, run.file, "--document", "cookbook", "--client", "Børge’s iPad", "--yes",
            ] + demo.passwordOptions,
            environment: ["XDG_STATE_HOME": "\(demo.scratch.path)/state"])
        #expect(installed.status == 0, "\(installed.errors)")
        let verified = try Program.run(
            "ticds-verify", [demo.path, "--level", "deep"] + demo.passwordOptions)
        #expect(verified.status == 0, "\(verified.output)")
        let again = try replayed.run("Again", ["--document", "cookbook"])
        #expect(
            again.report["start"]["registeredChangeSets"].number == run.report["changeSets"]["applied"].number
                + run.report["changeSets"]["inStore"].number)
        #expect(again.report["changeSets"]["applied"].number == 0)
        #expect(try replayed.objects(again.file) == replayed.objects(run.file))
    }

    /// A register names no set that is not in the store.
    @Test func registersOfDamagedSets() throws {
        let replayed = try ReplayedDemo(.damaged, changeSets: 8)
        let run = try replayed.run("out", ["--document", "cookbook", "--from-sets"])
        let register = try #require(run.report["register"].text)
        let count = try replayed.demo.scratch.shell(
            "sqlite3 '\(register)' 'SELECT count(*) FROM ZTICDSSYNCCHANGESET'")
        #expect(count == "7\n")
        let installed = try Program.run(
            "ticds-store",
            [
                "install", replayed.demo.path, run.file, "--document", "cookbook", "--client", "Børge’s iPad",
                "--yes",
            ])
        #expect(installed.status == 3, "\(installed.errors)")
    }

    /// An empty file is a set whose content is missing: it is not in the store, and the register does not name it.
    @Test func emptySetsAreNotRegistered() throws {
        let replayed = try ReplayedDemo(.plain, changeSets: 8)
        let set = try #require(try replayed.demo.changeSets.last)
        try TestFiles.write(FilePath(set), [])
        let run = try replayed.run("out", ["--document", "cookbook", "--from-sets"])
        #expect(run.result.status == 5)
        #expect(run.report["changeSets"]["unreadable"].number == 1)
        let register = try #require(run.report["register"].text)
        let name = try #require(FilePath(set).lastComponent?.string)
        let count = try replayed.demo.scratch.shell(
            "sqlite3 '\(register)' \"SELECT count(*) FROM ZTICDSSYNCCHANGESET WHERE ZFILENAME = '\(name)'\"")
        #expect(count == "0\n")
    }

    /// An empty store with a full register would hide all sets from new clients.
    @Test func emptyStoresAreNotInstalled() throws {
        let replayed = try ReplayedDemo(.plain, changeSets: 4)
        let empty = try replayed.demo.scratch.write("empty.sqlite", [])
        let installed = try Program.run(
            "ticds-store",
            [
                "install", replayed.demo.path, empty, "--document", "cookbook", "--client", "Børge’s iPad",
                "--contains", "all", "--yes",
            ], environment: ["XDG_STATE_HOME": "\(replayed.demo.scratch.path)/state"])
        #expect(installed.status == 2 && installed.errors.contains("empty"), "\(installed.errors)")
    }

    /// A damaged set is reported with its place, and the others are applied.
    @Test func damagedSet() throws {
        let replayed = try ReplayedDemo(.damaged, changeSets: 8)
        let run = try replayed.run("out", ["--document", "cookbook", "--from-sets"])
        #expect(run.result.status == 5)
        #expect(run.report["changeSets"]["unreadable"].number == 1)
        #expect(run.report["changeSets"]["applied"].number == 7)
        #expect(run.report["warnings"][0]["kind"].text == "unreadableSet")
        #expect(run.report["warnings"][0]["places"][0]["changeSet"].text?.isEmpty == false)
        let text = try Program.run(
            "ticds-store", replayed.arguments("text", ["--document", "cookbook", "--from-sets"]))
        #expect(text.output.contains("1 change sets that cannot be read"))
    }

    /// Documents with every possible part.
    static func printedDocuments() throws -> [String] {
        let replayed = try ReplayedDemo(.damaged, changeSets: 8)
        let options = ["--document", "cookbook", "--until", "2013-04-01", "--json"]
        return [["--from-sets"], []].enumerated().map { number, more in
            (try? Program.run("ticds-store", replayed.arguments("\(number)", options + more)).output) ?? ""
        }
    }

    /// Hostile sets between intact ones: a fifo's name, garbage, empty files, other stores.
    @Test func hostileSets() throws {
        let replayed = try ReplayedDemo(.plain, changeSets: 8)
        let first = try #require(try replayed.demo.changeSets.first)
        let folder = FilePath(first).removingLastComponent()
        try TestFiles.write(folder.appending("0000000001.000000-a.syncchg"), [])
        try TestFiles.write(folder.appending("0000000002.000000-b.syncchg"), Array("CoreData garbage".utf8))
        try replayed.demo.scratch.shell(
            "cp '\(try replayed.demo.wholeStores[0])' '\(folder)/0000000003.000000-c.syncchg'; mkfifo '\(folder)/0000000004.000000-d.syncchg'"
        )
        let run = try replayed.run("out", ["--document", "cookbook", "--from-sets"])
        #expect(run.result.status == 5, "\(run.result.errors)")
        #expect(run.report["changeSets"]["applied"].number >= 8)
        #expect(run.report["changes"]["applied"].number > 20)
    }

    /// Nothing is replaced, nothing is left over, and the remote stays unchanged.
    @Test func refusals() throws {
        let replayed = try ReplayedDemo(.plain, changeSets: 4)
        let before = try replayed.demo.scratch.shell("cd demo; find . -printf '%p %s %T@\\n' | sort")
        let taken = try replayed.demo.scratch.write("taken.sqlite", Array("mine".utf8))
        let some = replayed.arguments("taken", ["--document", "cookbook"])
        #expect(try Program.run("ticds-store", some).status == 3)
        #expect(try Data(contentsOf: URL(filePath: taken)) == Data("mine".utf8))
        let forced = try Program.run("ticds-store", some + ["--force"])
        #expect(forced.status == 0, "\(forced.errors)")
        let inside = try Program.run(
            "ticds-store",
            [
                "replay", replayed.demo.path, "--document", "cookbook", "--to",
                "\(replayed.demo.path)/Documents/x.sqlite",
            ])
        #expect(inside.status == 3)
        let withoutModel = try Program.run(
            "ticds-store",
            [
                "replay", replayed.demo.path, "--document", "cookbook", "--to",
                "\(replayed.demo.scratch.path)/y.sqlite",
            ])
        #expect(withoutModel.status == 3 && withoutModel.errors.contains("--model"))
        #expect(try replayed.demo.scratch.shell("cd demo; find . -printf '%p %s %T@\\n' | sort") == before)
        #expect(try replayed.demo.scratch.shell("ls -A | grep -c -e replay -e y.sqlite || true") == "0\n")
    }

    /// The result of an earlier time, or without a client, contains less.
    @Test func momentsAndClients() throws {
        let replayed = try ReplayedDemo(.plain, changeSets: 40)
        let whole = try replayed.run("whole", ["--document", "cookbook"])
        let early = try replayed.run("early", ["--document", "cookbook", "--until", "2013-05-01"])
        #expect(early.result.status == 0, "\(early.result.errors)")
        #expect(early.report["changeSets"]["tooLate"].number > 0)
        #expect(try replayed.objects(early.file).count < replayed.objects(whole.file).count)
        let options = ["--document", "cookbook", "--without-client", "Anna’s iPhone"]
        let less = try replayed.run("less", options)
        #expect(less.report["changeSets"]["leftOut"].number > 0)
        #expect(less.report["start"]["client"].text == nil)
        #expect(less.report["start"]["notTaken"].count == 2)
        let some = try replayed.run("some", options + ["--from", "Anna’s MacBook Pro"])
        #expect(some.report["unknown"].texts("code").contains("clientInStore"))
    }

    /// An unreadable whole store may be the newest: an older one is used, and the file is named.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler")) func storesThatCannotBeRead()
        throws
    {
        let replayed = try ReplayedDemo(.plain, changeSets: 20)
        let library = try #require(FaultyProgram.library)
        let call = replayed.demo.scratch.path.appending("call")
        var environment = ["LD_PRELOAD": library.string, "TICDS_FAULT": "looks:\(call)"]
        func replay() throws -> Program.Result {
            try Program.run(
                "ticds-store", replayed.arguments("x", ["--document", "cookbook", "--force"]),
                environment: environment)
        }
        #expect(try replay().status == 0)
        let calls = try #require(Int(try String(contentsOfFile: call.string, encoding: .utf8).dropLast()))
        var isNamed = false
        for number in stride(from: calls, through: 1, by: -5) where !isNamed {
            environment["TICDS_FAULT"] = "\(FaultyProgram.Fault.blind(number, .ioError, call))"
            let result = try replay()
            guard result.output.contains("not used:") else { continue }
            #expect(result.status == 5, "\(number): \(result.output)")
            isNamed = result.errors.contains("WholeStore.ticdsync")
        }
        #expect(isNamed)
    }

    /// An entry that is not a file may be the newest store: it is also named.
    @Test(arguments: ["mkfifo", "ln -s nowhere"]) func storesThatAreNoFiles(command: String) throws {
        let replayed = try ReplayedDemo(.plain, changeSets: 20)
        let store = try #require(try replayed.demo.wholeStores.first { $0.contains("/cookbook/") })
        try replayed.demo.scratch.shell("rm '\(store)'; \(command) '\(store)'")
        let result = try Program.run("ticds-store", replayed.arguments("x", ["--document", "cookbook"]))
        #expect(result.status == 5 && result.output.contains("not used:"), "\(result.output)\(result.errors)")
        #expect(result.errors.contains("WholeStore.ticdsync"), "\(result.errors)")
    }

    /// A damaged whole store may also be the newest: an older one is used, the file is named, and the result is
    /// partial.
    @Test(arguments: ["printf garbage > STORE", ": > STORE", "truncate -s 5000 STORE"])
    func storesThatAreDamaged(command: String) throws {
        let replayed = try ReplayedDemo(.plain, changeSets: 20)
        let stores = try replayed.demo.wholeStores.filter { $0.contains("/cookbook/") }
        for store in stores {
            let line = command.replacingOccurrences(of: "STORE", with: "'\(store)'")
            try replayed.demo.scratch.shell("touch -r '\(store)' t; \(line); touch -r t '\(store)'")
        }
        let result = try Program.run("ticds-store", replayed.arguments("x", ["--document", "cookbook"]))
        #expect(result.status == 5 && result.output.contains("not used:"), "\(result.output)\(result.errors)")
        for store in stores { #expect(result.errors.contains("\(store): "), "\(result.errors)") }
    }

    /// A name that cannot be read is missing in the report, which states it.
    @Test func namesThatCannotBeRead() throws {
        let replayed = try ReplayedDemo(.plain, changeSets: 20)
        let store = try #require(try replayed.demo.wholeStores.first { $0.contains("/cookbook/") })
        let client = try #require(FilePath(store).parent.lastComponent?.string)
        let info = replayed.demo.root.pushing(FilePath("ClientDevices/\(client)/deviceInfo.plist"))
        try replayed.demo.scratch.shell("rm '\(info)'; mkfifo '\(info)'")
        let result = try Program.run(
            "ticds-store", replayed.arguments("x", ["--document", "cookbook", "--from", client]))
        #expect(result.output.contains("whole store of \(client)"), "\(result.output)")
        #expect(
            result.errors.contains("warning: a name cannot be read") && result.errors.contains("\(info): "),
            "\(result.errors)")
        let password = try replayed.demo.scratch.write("password", Array("open sesame".utf8))
        let encrypt = try Program.run(
            "ticds-remote",
            ["encrypt", replayed.demo.path, "--dry-run", "--skip-unreadable", "--password-file", password])
        #expect(
            encrypt.errors.contains("warning: a name cannot be read")
                && encrypt.errors.contains("\(info): "), "\(encrypt.output)\(encrypt.errors)")
    }

    /// Files of external data are copied; a missing one is reported.
    @Test func externalData() throws {
        let replayed = try ReplayedDemo(.plain, changeSets: 8)
        let store = try #require(try replayed.demo.wholeStores.first { $0.contains("cookbook") })
        let names = ["0A1B2C3D-0000-4000-8000-000000000001", "0A1B2C3D-0000-4000-8000-000000000002"]
        let rows = names.map { "x'02' || '\($0)' || x'00'" }
        try replayed.demo.scratch.shell(
            """
            sed -i 's/name="photo"/name="photo" allowsExternalBinaryDataStorage="YES"/' contents
            rm -r demo/*/Documents/cookbook/WholeStore/*
            \(ReplayedDemo.program("ticds-store")) replay demo --document cookbook --from-sets --model contents --to Data > log
            sqlite3 Data "UPDATE ZRECIPE SET ZPHOTO = CAST(\(rows[0]) AS BLOB) WHERE Z_PK = (SELECT min(Z_PK) FROM ZRECIPE)"
            sqlite3 Data "UPDATE ZRECIPE SET ZPHOTO = CAST(\(rows[1]) AS BLOB) WHERE Z_PK = (SELECT max(Z_PK) FROM ZRECIPE)"
            mkdir -p '\(store)/.Data_SUPPORT/_EXTERNAL_DATA'; mv Data '\(store)/'
            head -c 300000 /dev/urandom > '\(store)/.Data_SUPPORT/_EXTERNAL_DATA/\(names[0])'
            """)
        let run = try replayed.run("out", ["--document", "cookbook"])
        #expect(run.result.status == 5, "\(run.result.errors)")
        #expect(run.result.errors.contains("1 file of external data"))
        #expect(run.report["start"]["client"].text != nil)
        #expect(run.report["unknown"].texts("code").contains("externalDataMissing"))
        try replayed.demo.scratch.shell(
            "cmp .out_SUPPORT/_EXTERNAL_DATA/\(names[0]) '\(store)/.Data_SUPPORT/_EXTERNAL_DATA/\(names[0])'")
        try replayed.demo.scratch.shell("ln -s elsewhere '\(store)/.Data_SUPPORT/_EXTERNAL_DATA/\(names[1])'")
        let unread = try replayed.run("unread", ["--document", "cookbook"])
        #expect(
            unread.result.status == 5 && unread.result.errors.contains(names[1]), "\(unread.result.errors)")
        #expect(unread.report["unknown"].texts("code").contains("externalDataUnreadable"))
    }
}

/// A demonstration, its model, and the results of replays.
private struct ReplayedDemo {
    let demo: DemoRemote
    private let model: String

    init(_ kind: DemoRemote.Kind, changeSets: Int = 60) throws {
        demo = try DemoRemote(kind, changeSets: changeSets)
        model = try demo.scratch.write("contents", Array(Self.contents.utf8))
    }

    static func program(_ name: String) -> String { Program.path(name) }

    func arguments(_ name: String, _ options: [String]) -> [String] {
        ["replay", demo.path, "--to", "\(demo.scratch.path)/\(name).sqlite", "--model", model]
            + demo.passwordOptions + options
    }

    func run(
        _ name: String, _ options: [String]
    ) throws -> (result: Program.Result, report: ParsedJSON, file: String) {
        let result = try Program.run("ticds-store", arguments(name, options) + ["--json"])
        return (result, ParsedJSON(result.bytes), "\(demo.scratch.path)/\(name).sqlite")
    }

    /// The objects as lines, without keys; related objects appear by their sync IDs.
    func objects(_ file: String) throws -> String {
        try demo.scratch.shell(
            """
            sqlite3 '\(file)' "
            SELECT 'recipe', r.ZTICDSSYNCID, r.ZTITLE, r.ZCREATED, r.ZISFAVORITE, r.ZSERVINGS, r.ZSTEPS, quote(r.ZPHOTO) FROM ZRECIPE r ORDER BY 2;
            SELECT 'ingredient', i.ZTICDSSYNCID, i.ZNAME, i.ZAMOUNT, r.ZTICDSSYNCID FROM ZINGREDIENT i
              LEFT JOIN ZRECIPE r ON r.Z_PK = i.ZRECIPE ORDER BY 2;
            SELECT 'tag', t.ZTICDSSYNCID, t.ZNAME FROM ZTAG t ORDER BY 2;
            SELECT 'tagged', r.ZTICDSSYNCID, t.ZTICDSSYNCID FROM Z_2TAGS j JOIN ZRECIPE r ON r.Z_PK = j.Z_2RECIPES
              JOIN ZTAG t ON t.Z_PK = j.Z_3TAGS ORDER BY 2, 3"
            """)
    }

    private static let contents: String = {
        func attributes(_ list: [(String, String)]) -> String {
            (list + [("ticdsSyncID\" indexed=\"YES", "String")]).map {
                "<attribute name=\"\($0.0)\" optional=\"YES\" attributeType=\"\($0.1)\"/>"
            }.joined()
        }
        func relationship(
            _ name: String, _ to: String, _ inverse: String, _ many: Bool, _ rule: String = "Nullify"
        ) -> String {
            "<relationship name=\"\(name)\" optional=\"YES\" \(many ? "toMany=\"YES\"" : "maxCount=\"1\"") "
                + "deletionRule=\"\(rule)\" destinationEntity=\"\(to)\" inverseName=\"\(inverse)\"/>"
        }
        let recipe = attributes([
            ("created", "Date"), ("isFavorite", "Boolean"), ("photo", "Binary"), ("servings", "Integer 16"),
            ("steps", "String"), ("title", "String"),
        ])
        return """
            <?xml version="1.0" encoding="UTF-8"?><model>
            <entity name="Recipe">\(recipe)\(relationship("ingredients", "Ingredient", "recipe", true, "Cascade"))\
            \(relationship("tags", "Tag", "recipes", true))</entity>
            <entity name="Ingredient">\(attributes([("amount", "Decimal"), ("name", "String")]))\
            \(relationship("recipe", "Recipe", "ingredients", false))</entity>
            <entity name="Tag">\(attributes([("name", "String")]))\
            \(relationship("recipes", "Recipe", "tags", true))</entity></model>
            """
    }()
}
