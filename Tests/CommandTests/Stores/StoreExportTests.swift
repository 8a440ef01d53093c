import Base
import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Other programs read the exports, which are compared with the store's own rows.
@Suite struct StoreExportTests {
    /// Python reads the store by SQL, or through `dump`, and all forms of the export.
    private static let comparison = """
        import csv, sqlite3, itertools
        folder, store = sys.argv[1], sys.argv[2]
        csv.field_size_limit(1 << 30)
        whole = document(folder + '/out.json')
        rows = lines(folder + '/out.jsonl')
        dumped = lines(folder + '/dump')
        assert whole['schema'] == 'ticds.export/1' and whole['keys'] == 'primaryKeys'
        flat = [(e, o['primaryKey'], o['attributes'], o['relationships']) for e, l in whole['entities'].items() for o in l]
        assert flat == [(o['entity'], o['primaryKey'], o['attributes'], o['relationships']) for o in rows]
        filled = lambda r: {k: v for k, v in r.items() if v != []}
        flatten = lambda *parts: json.dumps(parts, sort_keys=True)
        assert sorted(flatten(e, k, a, filled(r)) for e, k, a, r in flat) == sorted(flatten(o['entity'], o['primaryKey'], o['attributes'], filled(o['relationships'])) for o in dumped)
        total = 0
        tables = {}
        for entity, objects in whole['entities'].items():
            raw = open(f'{folder}/out/{entity}.csv', 'rb').read().decode('utf-8')
            assert raw.endswith('\\r\\n')
            with open(f'{folder}/out/{entity}.csv', newline='', encoding='utf-8') as file:
                found = list(csv.DictReader(file, strict=True))
            assert len(found) == len(objects), entity
            total += len(found)
            for row, object in zip(found, objects):
                assert int(row['primaryKey']) == object['primaryKey'] and None not in row
                for name, value in object['attributes'].items():
                    cell = row[name]
                    if value is None: assert cell == '', (name, cell)
                    elif isinstance(value, bool): assert cell == str(value).lower()
                    elif isinstance(value, str): assert cell == value, (name, cell, value)
                    elif isinstance(value, (int, float)): assert float(cell) == value, (name, cell, value)
                    elif list(value) == ['$data']: assert base64.b64decode(cell) == base64.b64decode(value['$data'])
                    elif len(value) == 1 and list(value)[0] in ('$date', '$decimal', '$uuid', '$url', '$int'): assert cell == list(value.values())[0], (cell, value)
                    else: assert json.loads(cell) == value
                for name, value in object['relationships'].items():
                    if isinstance(value, list): assert json.loads(row[name]) == value
                    else: assert row[name] == ('' if value is None else str(value))
        if store:
            db = sqlite3.connect(store)
            expected = dict(db.execute('select p.Z_NAME, p.Z_ENT from Z_PRIMARYKEY p where Z_ENT < 16000'))
            roots = {n: t for n, t in db.execute("select Z_NAME, 'Z' || upper(Z_NAME) from Z_PRIMARYKEY where Z_ENT < 16000")}
            names = {t for (t,) in db.execute("select name from sqlite_master where type = 'table'")}
            counted = sum(db.execute(f'select count(*) from "{t}"').fetchone()[0] for t in roots.values() if t in names)
            assert counted == total, (counted, total)
            for entity, objects in whole['entities'].items():
                table = roots[entity]
                if table not in names: continue
                columns = [c[1] for c in db.execute(f'pragma table_info("{table}")') if c[2] == 'VARCHAR']
                stored = sorted(str(v) for c in columns for (v,) in db.execute(f'select "{c}" from "{table}" where Z_ENT = ?', (expected[entity],)) if v is not None)
                shown = sorted(v if isinstance(v, str) else v['$url'] for o in objects for v in o['attributes'].values() if isinstance(v, str) or isinstance(v, dict) and '$url' in v)
                assert stored == shown or set(stored) >= set(shown), entity
        plain = sqlite3.connect(folder + '/out.db')
        assert plain.execute('pragma foreign_key_check').fetchall() == []
        assert plain.execute('pragma integrity_check').fetchone() == ('ok',)
        tables = [t for (t,) in plain.execute("select name from sqlite_master where type = 'table'")]
        entities = [t for t in tables if 'primaryKey' in [c[1] for c in plain.execute(f'pragma table_info("{t}")')]]
        assert sum(plain.execute(f'select count(*) from "{t}"').fetchone()[0] for t in entities) == total
        texts = sorted(v for t in entities for c in plain.execute(f'pragma table_info("{t}")') if c[1] not in ('primaryKey', 'entity')
            for (v,) in plain.execute(f'select "{c[1]}" from "{t}"') if isinstance(v, str))
        wanted = sorted(v for _, _, a, _ in flat for v in a.values() if isinstance(v, str))
        import collections
        assert not collections.Counter(wanted) - collections.Counter(texts)
        toOne = sum(1 for _, _, _, r in flat for v in r.values() if isinstance(v, int))
        kept = sum(plain.execute(f'select count("{k[3]}") from "{t}"').fetchone()[0] for t in entities for k in plain.execute(f'pragma foreign_key_list("{t}")'))
        assert toOne == kept or sys.argv[3] == 'blind', (toOne, kept)
        # Each view has the rows of its table or entity, and names what relationships lead to.
        objects = {(e, k): r for e, k, _, r in flat}
        for (view,) in plain.execute("select name from sqlite_master where type = 'view'").fetchall():
            assert '_labelled' in view, view
            cursor = plain.execute(f'select * from "{view}"')
            columns = [c[0] for c in cursor.description]
            assert len(set(map(str.lower, columns))) == len(columns), columns
            seen = [dict(zip(columns, row)) for row in cursor]
            named = {r['entity'] for r in seen}
            whose = view.rsplit('_labelled', 1)[0]
            if whose in tables: assert len(seen) == plain.execute(f'select count(*) from "{whose}"').fetchone()[0]
            else: assert named <= {whose} and len(seen) == len(whole['entities'][whose])
            for r in seen:
                for name, keys in objects[r['entity'], r['primaryKey']].items():
                    if name + '_labels' in columns and keys == []: assert r[name + '_labels'] is None, (view, name)
                    if name + '_label' in columns and keys is None: assert r[name + '_label'] is None, (view, name)
        """

    @Test(
        .enabled(if: Samples.available, "needs the samples"), .enabled(if: Python.available),
        arguments: StoreSample.all)
    func everySample(_ sample: StoreSample) throws { try check(sample, withModel: true) }

    @Test(
        .enabled(if: Samples.available, "needs the samples"), .enabled(if: Python.available),
        arguments: ["restkit", "docset-db", "daymap-demo"])
    func withoutAModel(_ name: String) throws {
        try check(try #require(StoreSample.all.first { $0.path.contains(name) }), withModel: false)
    }

    private func check(_ sample: StoreSample, withModel: Bool) throws {
        let scratch = try Scratch()
        let folder = scratch.path.string
        let model = withModel ? ["--model", sample.models] : []
        for name in ["out", "out.json", "out.jsonl", "out.db"] {
            let options = ["--to", "\(folder)/\(name)", "--keys", "primary-keys", "--quiet"]
            let result = try Program.run("ticds-store", ["export", sample.path] + options + model)
            #expect(result.status == 0 && result.errors == "" && result.bytes.isEmpty, "\(result.errors)")
        }
        let dump = try Program.run("ticds-store", ["dump", sample.path, "--json"] + model)
        _ = try scratch.write("dump", dump.bytes)
        var store = ""
        if sample.isSQLite {
            store = scratch.path.appending("store.sqlite").string
            for suffix in ["", "-wal"] {
                try scratch.shell("cp '\(sample.path)\(suffix)' '\(store)\(suffix)' 2>/dev/null || true")
            }
        }
        let isBlind = !withModel && dump.errors.contains("warning")
        let script =
            "sys.argv = ['', '\(folder)', '\(store)', '\(isBlind ? "blind" : "")']\n" + Self.comparison
        let complaint = try PythonCheck.complaint(script, on: [])
        #expect(complaint == "")
    }

    /// Relationships name objects by sync ID if there are any. The views of the demonstration's store contain the names
    /// of recipes, ingredients and tags, from either side.
    @Test(.enabled(if: Python.available)) func viewsNameWhatRelationshipsLeadTo() throws {
        let demo = try DemoRemote(.plain, changeSets: 60)
        let model = try CookbookModel.write(demo.scratch)
        let folder = demo.scratch.path.string
        for words in [
            [
                "replay", demo.path, "--document", "cookbook", "--to", "\(folder)/newest.sqlite", "--model",
                model,
            ],
            ["export", "\(folder)/newest.sqlite", "--to", "\(folder)/out.db", "--model", model],
            [
                "export", "\(folder)/newest.sqlite", "--to", "\(folder)/out.json", "--model", model, "--keys",
                "primary-keys",
            ],
        ] {
            let result = try Program.run("ticds-store", words)
            try #require(result.status == 0, "\(result.errors)")
        }
        let script = """
            import sqlite3
            db = sqlite3.connect(sys.argv[1] + '/out.db')
            whole = document(sys.argv[1] + '/out.json')['entities']
            label = {'Recipe': 'title', 'Ingredient': 'name', 'Tag': 'name'}
            names = {e: {o['primaryKey']: o['attributes'][label[e]] for o in l} for e, l in whole.items()}
            targets = {('Recipe', 'ingredients'): 'Ingredient', ('Recipe', 'tags'): 'Tag', ('Tag', 'recipes'): 'Recipe', ('Ingredient', 'recipe'): 'Recipe'}
            checked = 0
            for (entity, relationship), target in targets.items():
                many = relationship.endswith('s')
                column = relationship + ('_labels' if many else '_label')
                shown = dict(db.execute(f'SELECT primaryKey, "{column}" FROM {entity}_labelled'))
                assert len(shown) == len(whole[entity])
                for o in whole[entity]:
                    keys = o['relationships'][relationship]
                    keys = keys if many else [keys] if keys is not None else []
                    wanted = [names[target][k] for k in sorted(keys) if names[target][k] is not None]
                    found = shown[o['primaryKey']]
                    assert found == (', '.join(wanted) if wanted else None), (entity, relationship, found, wanted)
                    checked += len(wanted)
            assert checked > 50, checked
            plan = ' '.join(r[3] for r in db.execute('EXPLAIN QUERY PLAN SELECT * FROM Recipe_labelled'))
            assert plan.count('USING INDEX') + plan.count('USING COVERING INDEX') >= 2, plan
            assert 'changes' not in {n for (n,) in db.execute('SELECT name FROM sqlite_master')}
            """
        #expect(try PythonCheck.complaint(script, on: [], [folder]) == "")
    }

    /// Property lists, keyed archives and gzip streams in Binary attributes, decoded only on request.
    @Test(.enabled(if: Python.available)) func decodedData() throws {
        let scratch = try Scratch()
        let maker = """
            import plistlib, gzip
            head = '<?xml version="1.0"?><database><databaseInfo><version>134481920</version><UUID>D1E2667A-3268-45DB-8AA0-DF69A046A0F1</UUID>' \\
                '<nextObjectID>110</nextObjectID><metadata><plist version="1.0"><dict/></plist></metadata></databaseInfo>'
            archive = plistlib.dumps({'$archiver': 'NSKeyedArchiver', '$version': 100000, '$top': {'root': plistlib.UID(1)}, '$objects': ['$null', 'hello']}, fmt=plistlib.FMT_BINARY)
            values = [plistlib.dumps({'a': [1, 2]}, fmt=plistlib.FMT_BINARY), archive, gzip.compress(plistlib.dumps({'b': 1})), b'other']
            objects = ''.join('<object type="NOTE" id="z%d"><attribute name="blob" type="binary">%s</attribute></object>' % (100 + n, base64.b64encode(v).decode()) for n, v in enumerate(values))
            open(sys.argv[1], 'w').write(head + objects + '</database>')
            """
        let store = scratch.path.appending("store.xml").string
        try #require(try PythonCheck.complaint(maker, on: [], [store]) == "")
        func run(_ words: [String]) throws -> [UInt8] {
            let result = try Program.run("ticds-store", words)
            #expect(result.status == 0, "\(result.errors)")
            return result.bytes
        }
        let outputs = [
            try run(["dump", store, "--json", "--decode-data"]), try run(["dump", store, "--json"]),
            try run(["export", store, "--to", "-", "--format", "jsonl", "--decode-data"]),
        ]
        let script = """
            decoded, raw, exported = [[o['attributes']['blob'] for o in lines(a)] for a in sys.argv[1:4]]
            assert [list(v) for v in raw] == [['$data']] * 4
            assert exported == decoded
            assert [v.get('$decoded') for v in decoded] == [{'a': [1, 2]}, 'hello', {'b': 1}, None]
            assert [v.get('form') for v in decoded] == ['propertyList', 'keyedArchive', 'propertyList', None]
            assert [v.get('compressed') for v in decoded] == [False, False, True, None] and decoded[3] == raw[3]
            assert decoded[0]['size'] == len(base64.b64decode(raw[0]['$data']))
            """
        #expect(try PythonCheck.complaint(script, on: outputs) == "")
        let target = scratch.path.appending("out.db").string
        for words in [["dump", store, "--decode-data"], ["export", store, "--to", target, "--decode-data"]] {
            #expect(try Program.run("ticds-store", words).status == 64)
        }
    }

    @Test func syncIDs() throws {
        let demo = try DemoRemote()
        let model = try CookbookModel.write(demo.scratch)
        let store = try #require(try demo.wholeStores.first { $0.contains("cookbook/WholeStore") })
        let result = try Program.run(
            "ticds-store", ["export", store, "--to", "-", "--format", "json", "--model", model])
        #expect(result.status == 0, "\(result.errors)")
        let complaint = try PythonCheck.complaint(
            """
            whole = document(sys.argv[1])
            assert whole['keys'] == 'syncIDs'
            ids = {o['attributes']['ticdsSyncID']: e for e, l in whole['entities'].items() for o in l}
            targets = [t for l in whole['entities'].values() for o in l for r in o['relationships'].values() for t in (r if isinstance(r, list) else [r]) if t is not None]
            assert targets and all(t in ids for t in targets), targets[:5]
            """, on: [result.bytes])
        #expect(complaint == "")
        let csv = try Program.run(
            "ticds-store",
            ["export", store, "--to", demo.scratch.path.appending("csv").string, "--model", model])
        #expect(csv.status == 0)
        let missing = try Program.run(
            "ticds-store",
            ["export", store, "--to", "-", "--format", "json", "--keys", "sync-ids", "--sync-id", "other"])
        #expect(missing.status == 2 && missing.errors.contains("no object has a sync ID"))
    }

    /// The name of a file is not a folder.
    @Test func allEntitiesAreNoSingleCSVFile() throws {
        let demo = try DemoRemote(changeSets: 4)
        let model = try CookbookModel.write(demo.scratch)
        let store = try #require(try demo.wholeStores.first { $0.contains("cookbook/WholeStore") })
        let target = demo.scratch.path.appending("out.CSV")
        let words = ["export", store, "--to", target.string, "--model", model]
        let refused = try Program.run("ticds-store", words)
        #expect(refused.status == 64 && refused.errors.contains("--entity"), "\(refused.errors)")
        #expect(try FileStatus.ifPresent(target) == nil)
        let written = try Program.run("ticds-store", words + ["--entity", "Recipe"])
        #expect(written.status == 0, "\(written.errors)")
        #expect(try FileStatus.of(target).kind == .file)
    }

    /// Text of the store is not a formula in a spreadsheet, and numbers are numbers.
    @Test func spreadsheetsFindNoFormulas() throws {
        let demo = try DemoRemote()
        let model = try CookbookModel.write(demo.scratch)
        let store = try #require(try demo.wholeStores.first { $0.contains("cookbook/WholeStore") })
        let script = try demo.scratch.write("check.py", Array(Self.spreadsheetCheck.utf8))
        let printed = try demo.scratch.shell(
            """
            python3 '\(script)' fill '\(store)'
            ticds-store export '\(store)' --to plain --model '\(model)' --quiet
            ticds-store export '\(store)' --to safe --model '\(model)' --quiet --spreadsheet
            python3 '\(script)' check
            """)
        #expect(printed == "")
        let refused = try Program.run("ticds-store", ["export", store, "--to", "x.json", "--spreadsheet"])
        #expect(refused.status == 64 && refused.errors.contains("--format csv"), "\(refused.errors)")
    }

    private static let spreadsheetCheck = """
        import csv, os, sqlite3, sys
        texts = ['=1+1', '+1+1', '-1+1', '@SUM(1)', '\\t=1', '\\r=1', '\\n=1', ' =1', '\\uff1d1', '=HYPERLINK("http://x","y")',
            '-5', '+5', '-5.25', '-1e-7', '5-1', "'=1", 'a=1', '']
        if sys.argv[1] == 'fill':
            database = sqlite3.connect(sys.argv[2])
            keys = [k for [k] in database.execute('SELECT Z_PK FROM ZRECIPE')]
            assert keys
            columns = [c[1] for c in database.execute('PRAGMA table_info(ZRECIPE)') if c[2] == 'VARCHAR' and c[1] != 'ZTICDSSYNCID']
            for number, key in enumerate(keys * len(texts)):
                database.execute(f'UPDATE ZRECIPE SET "{columns[0]}" = ? WHERE Z_PK = ?', [texts[number % len(texts)], key])
            top = max(keys)
            rest = [c[1] for c in database.execute('PRAGMA table_info(ZRECIPE)') if c[1] not in (columns[0], 'Z_PK', 'ZTICDSSYNCID')]
            names = ', '.join(f'"{c}"' for c in rest)
            for number, text in enumerate(texts):
                database.execute(f'INSERT INTO ZRECIPE ("{columns[0]}", Z_PK, {names}) SELECT ?, ?, {names} FROM ZRECIPE WHERE Z_PK = ?', [text, top + 1 + number, top])
            database.commit()
        else:
            seen = set()
            for name in os.listdir('plain'):
                rows = [list(csv.reader(open(f'{folder}/{name}', newline='', encoding='utf-8'))) for folder in ('plain', 'safe')]
                assert len(rows[0]) == len(rows[1])
                for plain, safe in zip(*rows):
                    for one, other in zip(plain, safe, strict=True):
                        seen.add(one)
                        try: number = float(one) is not None and one == one.strip()
                        except ValueError: number = False
                        risky = one.lstrip("'")[:1] in tuple('=+-@\\t\\r\\n \\uff1d') and one.strip("'") != '' and not number
                        assert other == ("'" + one if risky else one), (one, other)
            assert seen >= set(texts), set(texts) - seen
        """

    /// Dangling keys are not foreign keys.
    @Test func danglingKeysAreLeftOut() throws {
        let demo = try DemoRemote()
        let model = try CookbookModel.write(demo.scratch)
        let store = try #require(try demo.wholeStores.first { $0.contains("cookbook/WholeStore") })
        try demo.scratch.shell(
            "sqlite3 '\(store)' 'DELETE FROM ZRECIPE WHERE Z_PK IN (SELECT ZRECIPE FROM ZINGREDIENT LIMIT 1)'"
        )
        let target = demo.scratch.path.appending("out.db")
        let result = try Program.run(
            "ticds-store", ["export", store, "--to", target.string, "--model", model, "--json"])
        #expect(result.status == 0 && !result.output.contains("\"clearedKeys\": 0"), "\(result.output)")
        #expect(result.errors.contains("left out"))
        #expect(try demo.scratch.shell("sqlite3 out.db 'PRAGMA foreign_key_check'") == "")
        let again = ["export", store, "--to", target.string, "--model", model]
        #expect(try Program.run("ticds-store", again).status == 3)
        #expect(try Program.run("ticds-store", again + ["--force"]).status == 0)
    }

    @Test func usage() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first)
        #expect(try Program.run("ticds-store", ["export", store, "--to", "-"]).status == 64)
        let inside = demo.root.appending("csv").string
        #expect(try Program.run("ticds-store", ["export", store, "--to", inside]).status == 3)
        #expect(!FileManager.default.fileExists(atPath: inside))
    }
}
