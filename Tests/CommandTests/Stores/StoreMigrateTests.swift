import Base
import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@Suite(.waiting) struct StoreMigrateTests {
    static let kinds = ["sqlite", "binary", "xml"]

    /// Each object with its values and those of its destination objects, but without keys, which may change; of two
    /// outputs of `dump --json`.
    static let sameObjects = """
        import json, sys
        def read(path): return [json.loads(line) for line in open(path) if line.strip()]
        roots = json.load(open(sys.argv[3]))
        def signatures(objects):
            values = {}
            for o in objects:
                a = {k: v for k, v in o['attributes'].items() if v is not None}
                values[roots.get(o['entity'], o['entity']), o['primaryKey']] = o['entity'] + json.dumps(a, sort_keys=True)
            byKey = {}
            for (root, key), text in values.items(): byKey.setdefault(key, []).append(text)
            def targets(t):
                keys = t if isinstance(t, list) else [] if t is None else [t]
                return len(keys)
            return sorted(values[roots.get(o['entity'], o['entity']), o['primaryKey']]
                + json.dumps({k: targets(t) for k, t in o['relationships'].items()}, sort_keys=True) for o in objects)
        one, other = signatures(read(sys.argv[1])), signatures(read(sys.argv[2]))
        assert one == other, next((a, b) for a, b in zip(one + ['none'], other + ['none']) if a != b)
        assert one or not read(sys.argv[1])
        """

    static let readers: [String: String] = [
        "binary": """
        import plistlib, struct, sys
        d = open(sys.argv[1], 'rb').read()
        assert d[:8] == b'CoreData'
        mo, ml, po, pl = struct.unpack('>QQQQ', d[16:48])
        assert po == 64 and mo == 64 + pl and mo + ml == len(d)
        p = plistlib.loads(d[po:po + pl]); o = p['$objects']; U = lambda u: o[u.data]
        m = plistlib.loads(d[mo:mo + ml])
        nodes = [U(n) for n in U(p['$top']['mapData'])['NS.objects']]
        keys = {n['NSPrimaryKey64'] for n in nodes}
        assert len(keys) == len(nodes) and struct.unpack('>Q', d[48:56])[0] >= max(keys, default=0)
        for n in nodes:
            if 'NSRelatedNodes' not in n: continue
            for list in U(n['NSRelatedNodes'])['NS.objects']:
                for key in U(list)['NS.objects']: assert U(key) in keys
        print(len(nodes), end='')
        """,
        "xml": """
        import sys, xml.etree.ElementTree as tree
        root = tree.parse(sys.argv[1]).getroot()
        objects = root.findall('object')
        ids = {o.get('id') for o in objects}
        assert len(ids) == len(objects) and root[0].tag == 'databaseInfo'
        assert int(root[0].find('nextObjectID').text) >= max((int(i[1:]) for i in ids), default=101)
        for o in objects:
            assert o.get('type') == o.get('type').upper()
            for r in o.findall('relationship'):
                for i in (r.get('idrefs') or '').split(): assert i in ids
        print(len(objects), end='')
        """,
        "sqlite": """
        import sqlite3, sys, subprocess
        db = sqlite3.connect(sys.argv[1])
        assert db.execute('PRAGMA integrity_check').fetchone() == ('ok',)
        assert subprocess.run(['sqlite3', sys.argv[1], '.schema'], capture_output=True, check=True).stdout
        tables = [t for t, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        def columns(t): return [c[1] for c in db.execute('PRAGMA table_info("%s")' % t)]
        print(sum(db.execute('SELECT count(*) FROM "%s"' % t).fetchone()[0] for t in tables if 'Z_OPT' in columns(t)), end='')
        """,
    ]

    /// Each store of the samples becomes each kind and then SQLite again; another program reads the new store, and it
    /// has the same objects and no findings of its own.
    @Test(.enabled(if: Samples.available, "needs the samples"))
    func modelMayBeAStoreThatContainsIt() throws {
        let scratch = try Scratch()
        let store = Samples.path("sqlite-stores/bookmarks/Bookmarks_V4.sqlite").string
        let (binary, xml) = (
            scratch.path.appending("a.binary").string, scratch.path.appending("a.xml").string
        )
        _ = try Program.run("ticds-store", ["migrate", store, "--to", binary])
        let result = try Program.run("ticds-store", ["migrate", binary, "--to", xml, "--model", store])
        #expect(result.status == 0 && result.output.contains("10 objects"), "\(result.errors)")
        let none = try Program.run("ticds-store", ["dump", xml, "--model", binary])
        #expect(none.status == 2 && none.errors.contains("does not contain its model"), "\(none.errors)")
        let other = Samples.path("sqlite-stores/moody/Moody.moody").string
        let wrong = try Program.run("ticds-store", ["dump", xml, "--model", other])
        #expect(wrong.status == 3, "\(wrong.errors)")
    }

    @Test(
        .enabled(if: Samples.available && Python.available, "needs the samples"), arguments: StoreSample.all,
        kinds)
    func everySampleInEachKindAndBack(_ sample: StoreSample, _ kind: String) throws {
        let scratch = try Scratch()
        let model = ["--model", sample.models]
        let new = scratch.path.appending("new").string
        let back = scratch.path.appending("back.sqlite").string
        let first = try Program.run(
            "ticds-store", ["migrate", sample.path, "--to", new, "--type", kind, "--json"] + model)
        // The transformers of these apps give no keyed archive, so that a binary store gets data.
        let isPartial = kind == "binary" && ["/moody/", "/recipes/"].contains { sample.path.contains($0) }
        try #require(first.status == (isPartial ? 3 : 0), "\(first.errors)")
        if isPartial {
            let words = ["migrate", sample.path, "--to", new, "--type", kind, "--skip-unreadable"]
            let some = try Program.run("ticds-store", words + model)
            try #require(some.status == 5 && some.errors.contains("gets the data"), "\(some.errors)")
        }
        let second = try Program.run("ticds-store", ["migrate", new, "--to", back] + model)
        try #require(second.status == 0, "\(second.errors)")
        var dumps: [String] = []
        for (name, store) in [("0", sample.path), ("1", new), ("2", back)] {
            let dump = try Program.run("ticds-store", ["dump", store, "--json"] + model)
            #expect(dump.status == 0, "\(dump.errors)")
            dumps.append(try scratch.write(name, Array(dump.output.utf8)))
        }
        let roots = try scratch.write("roots", Array("{}".utf8))
        for other in dumps.dropFirst() {
            #expect(Python.run(Self.sameObjects, [dumps[0], other, roots]) != nil, "\(other)")
        }
        let output = try #require(Python.run(Self.readers[kind] ?? "", [new]))
        let lines = try String(contentsOfFile: dumps[0], encoding: .utf8).split(separator: "\n").count
        #expect(String(decoding: output, as: UTF8.self) == "\(lines)")
        func findings(_ store: String) throws -> Set<String> {
            let check = try Program.run("ticds-store", ["check", store, "--json"] + model)
            let codes = check.output.matches(of: /"code": "([^"]*)"/).map { String($0.output.1) }
            return Set(codes)
        }
        let known = try findings(sample.path)
        #expect(try findings(new).isSubset(of: known) && findings(back).isSubset(of: known))
        if !isPartial, first.output.contains("\"renumbered\": 0") {
            let compare = try Program.run("ticds-store", ["compare", sample.path, new] + model)
            #expect(compare.status == 0, "\(compare.output)\(compare.errors)")
        }
        let compare = try Program.run("ticds-store", ["compare", new, back] + model)
        #expect(compare.status == 0, "\(compare.output)\(compare.errors)")
    }

    private func run(_ words: [String], _ demo: DemoRemote) throws -> Program.Result {
        try Program.run(
            "ticds-store", ["migrate"] + words,
            environment: ["HOME": demo.scratch.path.string, "XDG_STATE_HOME": "\(demo.scratch.path)/state"])
    }

    private func model(_ demo: DemoRemote) -> [String] {
        ["--model", demo.root.removingLastComponent().appending("Cookbook.xcdatamodel").string]
    }

    @Test func wholeStoreOfARemoteBecomesXML() throws {
        for kind in [DemoRemote.Kind.plain, .encrypted] {
            let demo = try DemoRemote(kind)
            let before = try TreeImage(of: demo.root)
            let target = demo.scratch.path.appending("out.xml").string
            let store = try #require(try demo.wholeStores.first { $0.contains("/cookbook/") })
            let client = try #require(FilePath(store).removingLastComponent().lastComponent?.string)
            let words = [demo.path, "--document", "cookbook", "--client", client, "--to", target]
            let result = try run(words + demo.passwordOptions + model(demo), demo)
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output.contains("XML store"), "\(result.output)")
            #expect(try String(contentsOfFile: target, encoding: .utf8).contains("<object type=\"RECIPE\""))
            #expect(try TreeImage(of: demo.root).differences(from: before) == [])
        }
    }

    @Test func nameDecidesTheKind() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("/cookbook/") })
        for (name, options, start) in [
            ("a.xml", [], "<?xml"), ("a.sqlite", [], "SQLite format 3"), ("a.binary", [], "CoreData"),
            ("a.storedata", [], "SQLite format 3"), ("a", ["--type", "xml"], "<?xml"),
            ("b.xml", ["--type", "binary"], "CoreData"), ("a.db", ["--type", "sqlite"], "SQLite format 3"),
        ] as [(String, [String], String)] {
            let target = demo.scratch.path.appending(name)
            let result = try run([store, "--to", target.string] + options + model(demo), demo)
            #expect(result.status == 0, "\(result.errors)")
            #expect(try FileBytes.read(target).array.starts(with: start.utf8), "\(name)")
        }
        for name in ["a.csv", "a.json", "a.db"] {
            let target = demo.scratch.path.appending("c").appending(name).string
            #expect(try run([store, "--to", target] + model(demo), demo).status == 64)
        }
        #expect(try run([store] + model(demo), demo).status == 64)
    }

    @Test(
        "The files beside a database are no targets, whether they exist or not",
        arguments: ["wal", "journal"])
    func logsAreNoTargets(_ suffix: String) throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("/cookbook/") })
        try demo.scratch.shell("cp '\(store)' mine.sqlite")
        let target = demo.scratch.path.appending("mine.sqlite-\(suffix)").string
        for more in [[], ["--force"]] {
            let result = try run([store, "--to", target] + more + model(demo), demo)
            #expect(result.status == 3 && result.errors.contains("belongs to a database"), "\(result.errors)")
            #expect(!FileManager.default.fileExists(atPath: target))
        }
    }

    @Test func nothingIsReplacedWithoutForce() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("/cookbook/") })
        let target = try demo.scratch.write("out", Array("mine".utf8))
        let refused = try run([store, "--to", target] + model(demo), demo)
        #expect(refused.status == 3 && refused.errors.contains("--force"), "\(refused.errors)")
        #expect(try FileBytes.read(FilePath(target)).array == Array("mine".utf8))
        #expect(
            try run([store, "--to", target, "--force"] + model(demo), demo).errors.contains("is not a store"))
        #expect(try FileBytes.read(FilePath(target)).array == Array("mine".utf8))
        try demo.scratch.shell("cp '\(store)' out")
        #expect(try run([store, "--to", target, "--force"] + model(demo), demo).status == 0)
        #expect(try FileBytes.read(FilePath(target)).array.starts(with: "SQLite format 3".utf8))
        // The log of a different store with that name would be applied to the new one.
        _ = try demo.scratch.write("new-wal", [1, 2, 3])
        let beside = demo.scratch.path.appending("new").string
        #expect(try run([store, "--to", beside, "--force"] + model(demo), demo).status == 3)
        #expect(!FileManager.default.fileExists(atPath: beside))
        let own = try demo.scratch.write("own", try FileBytes.read(FilePath(store)).array)
        try demo.scratch.shell("ln own linked")
        for name in [own, demo.scratch.path.appending("linked").string] {
            let same = try run([own, "--to", name, "--force"] + model(demo), demo)
            #expect(same.status == 3 && same.errors.contains("is the source"), "\(same.errors)")
        }
        #expect(try FileBytes.read(FilePath(own)).array == (try FileBytes.read(FilePath(store)).array))
        let inside = try run([store, "--to", demo.root.appending("x").string] + model(demo), demo)
        #expect(inside.status == 3 && inside.errors.contains("remote"))
        #expect(try demo.scratch.shell("find . -name '.ticds*'") == "")
    }

    @Test func storeWithoutAModelIsRefusedWithAdvice() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("/cookbook/") })
        let target = demo.scratch.path.appending("out.xml").string
        let result = try run([store, "--to", target], demo)
        #expect(result.status == 3, "\(result.errors)")
        #expect(result.errors.contains("--model") && result.errors.contains("ticds-model find"))
        #expect(!FileManager.default.fileExists(atPath: target))
    }

    @Test func dryRunWritesNothing() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("/cookbook/") })
        let before = try demo.scratch.shell("find . -type f | sort")
        let target = demo.scratch.path.appending("out.xml").string
        let plan = try run([store, "--to", target, "--dry-run", "--json"] + model(demo), demo)
        #expect(plan.status == 0 && plan.output.contains("\"dryRun\": true"), "\(plan.errors)")
        #expect(try demo.scratch.shell("find . -type f | sort") == before)
        let result = try run([store, "--to", target, "--json"] + model(demo), demo)
        #expect(
            result.output == plan.output.replacing("\"dryRun\": true", with: "\"dryRun\": false"),
            "\(result.output)")
    }

    /// Whatever is missing in the new store is named, and refused without --skip-unreadable.
    @Test(arguments: [
        ("UPDATE ZRECIPE SET ZCREATED = 'soon' WHERE Z_PK = (SELECT min(Z_PK) FROM ZRECIPE)", "ZCREATED"),
        ("UPDATE ZINGREDIENT SET ZRECIPE = 4711", "Ingredient.recipe"),
        ("ALTER TABLE ZRECIPE ADD COLUMN ZMORE VARCHAR; UPDATE ZRECIPE SET ZMORE = 'x'", "ZMORE"),
        (
            "UPDATE ZRECIPE SET ZISFAVORITE = 7 WHERE Z_PK = (SELECT min(Z_PK) FROM ZRECIPE)",
            "Recipe.isFavorite"
        ),
        ("UPDATE ZTAG SET Z_ENT = 99 WHERE Z_PK = (SELECT min(Z_PK) FROM ZTAG)", "ZTAG"),
    ])
    func lossIsNamedAndRefused(_ damage: String, _ name: String) throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("/cookbook/") })
        try demo.scratch.shell("cp '\(store)' own; sqlite3 own \"\(damage)\"")
        let own = demo.scratch.path.appending("own").string
        for kind in Self.kinds {
            let target = demo.scratch.path.appending("out-\(kind)").string
            let words = [own, "--to", target, "--type", kind] + model(demo)
            let refused = try run(words, demo)
            #expect(refused.status == 3 && refused.errors.contains(name), "\(refused.errors)")
            #expect(!FileManager.default.fileExists(atPath: target))
            let plan = try run(words + ["--dry-run"], demo)
            #expect(plan.status == 5 && plan.output.contains("not complete"), "\(plan.output)")
            let result = try run(words + ["--skip-unreadable", "--json"], demo)
            #expect(result.status == 5 && result.errors.contains(name), "\(result.errors)")
            #expect(result.output.contains("\"complete\": false"), "\(result.output)")
            #expect(FileManager.default.fileExists(atPath: target))
        }
    }

    @Test func identifierIsKeptUnlessANewOneIsWanted() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("/cookbook/") })
        let uuid = try demo.scratch.shell("sqlite3 '\(store)' 'SELECT Z_UUID FROM Z_METADATA'").dropLast()
        for kind in Self.kinds {
            let target = demo.scratch.path.appending(kind).string
            let kept = try run([store, "--to", target, "--type", kind, "--json"] + model(demo), demo)
            #expect(kept.output.contains("\"identifier\": \"\(uuid)\""), "\(kept.output)\(kept.errors)")
            let words = [store, "--to", target + "2", "--type", kind, "--json", "--new-identifier"]
            let new = try run(words + model(demo), demo)
            #expect(new.status == 0 && !new.output.contains(uuid), "\(new.output)")
            #expect(try Program.run("ticds-store", ["info", target] + model(demo)).output.contains(uuid))
        }
    }

    /// Text that XML and programs take for something else, in a store that the sqlite3 shell wrote.
    @Test(.enabled(if: Python.available), arguments: kinds) func hostileTextsReadTheSame(_ kind: String)
        throws
    {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("/cookbook/") })
        let script = """
            import sqlite3, sys
            texts = ['', '\\\\', '\\\\u3c00', '<>&"\\'', ']]>', '\\x00\\x01\\x1f', '\\t\\n\\r', '\\x7f\\x85\\u2028', '\\ufeff\\ufffe\\uffff',
                '\\U0001f600\\U0010ffff', 'e\\u0301\\xe9', 'x<' * 20000, '&#0;&lt;', '\\u202e']
            db = sqlite3.connect(sys.argv[1])
            keys = [k for k, in db.execute('SELECT Z_PK FROM ZINGREDIENT ORDER BY 1')]
            for number, key in enumerate(keys):
                db.execute('UPDATE ZINGREDIENT SET ZNAME = ? WHERE Z_PK = ?', (texts[number % len(texts)], key))
            assert len(keys) >= len(texts), len(keys)
            db.commit()
            """
        try demo.scratch.shell("cp '\(store)' own")
        let own = demo.scratch.path.appending("own").string
        _ = try #require(Python.run(script, [own]))
        let new = demo.scratch.path.appending("new").string
        let result = try run([own, "--to", new, "--type", kind] + model(demo), demo)
        #expect(result.status == 0, "\(result.errors)")
        _ = try #require(Python.run(Self.readers[kind] ?? "", [new]))
        let back = demo.scratch.path.appending("back").string
        #expect(try run([new, "--to", back] + model(demo), demo).status == 0)
        let compare = try Program.run("ticds-store", ["compare", own, back] + model(demo))
        #expect(compare.status == 0, "\(compare.output.prefix(1000))\(compare.errors)")
    }

    /// A process that is killed at any call leaves no file with the name of the target, or a whole one.
    @Test(.enabled(if: FaultyProgram.library != nil, "needs a C compiler"), arguments: kinds)
    func killedMigrationLeavesAllOrNothing(_ kind: String) throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("/cookbook/") })
        let whole = demo.scratch.path.appending("whole").string
        let words = ["migrate", store, "--type", kind, "--to"]
        #expect(try Program.run("ticds-store", words + [whole] + model(demo)).status == 0)
        let expected = try FileBytes.read(FilePath(whole)).array
        let program = FaultyProgram(name: "ticds-store", home: demo.scratch.path)
        let call = demo.scratch.path.appending("call")
        let probe = demo.scratch.path.appending("probe").string
        #expect(try program.run(words + [probe] + model(demo), fault: .count(call)) == 0)
        let calls = try FaultyProgram.number(in: call)
        #expect(calls > 3)
        let before = try FileBytes.read(FilePath(store)).array
        for number in stride(from: 1, through: calls, by: max(1, calls / 25)) {
            for fault in [FaultyProgram.Fault.kill(number), .failFrom(number, .noSpace)] {
                let target = demo.scratch.path.appending("t\(number)").string
                let status = try program.run(words + [target] + model(demo), fault: fault)
                if FileManager.default.fileExists(atPath: target) {
                    #expect(try FileBytes.read(FilePath(target)).array == expected, "\(fault)")
                    try demo.scratch.shell("rm '\(target)'")
                } else {
                    #expect(status != 0, "\(fault)")
                }
            }
        }
        #expect(try FileBytes.read(FilePath(store)).array == before)
    }
}
