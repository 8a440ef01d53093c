import Foundation
import SystemPackage
import TestSupport
import Testing

/// `ticds-store export --history`, compared with the lines of `ticds-changes dump`, and shown by a real Datasette.
@Suite(.enabled(if: Python.available)) struct StoreHistoryExportTests {
    /// The demonstration remote, its newest state as a store, and the database.
    struct Export {
        let demo: DemoRemote
        var folder: String { demo.scratch.path.string }
        let result: Program.Result

        init(_ kind: DemoRemote.Kind = .plain, _ options: [String] = []) throws {
            demo = try DemoRemote(kind, changeSets: 60)
            let model = try CookbookModel.write(demo.scratch)
            let store = demo.scratch.path.appending("newest.sqlite").string
            let secret = demo.passwordOptions
            let replayed = try Program.run(
                "ticds-store",
                ["replay", demo.path, "--document", "cookbook", "--to", store, "--model", model] + secret)
            try #require(replayed.status == 0, "\(replayed.errors)")
            result = try Program.run(
                "ticds-store",
                [
                    "export", store, "--model", model, "--to", "\(demo.scratch.path)/look.db", "--history",
                    "--json",
                ]
                    + [
                        "--remote", demo.path, "--document", "cookbook", "--metadata",
                        "\(demo.scratch.path)/look.json",
                    ]
                    + secret + options)
        }
    }

    /// Every change is there in its order, with the previous value according to an interpreter of the lines.
    @Test(arguments: [DemoRemote.Kind.plain, .encrypted]) func everyChange(kind: DemoRemote.Kind) throws {
        let export = try Export(kind)
        #expect(export.result.status == 0, "\(export.result.errors)")
        let dump = try Program.run(
            "ticds-changes",
            ["dump", export.demo.path, "--document", "cookbook", "--json"] + export.demo.passwordOptions)
        let script = """
            import sqlite3
            db = sqlite3.connect(sys.argv[2] + '/look.db')
            assert db.execute('PRAGMA integrity_check').fetchone() == ('ok',)
            assert db.execute('PRAGMA foreign_key_check').fetchall() == []
            def plain(v):
                if isinstance(v, bool): return int(v)
                if isinstance(v, dict):
                    if list(v) == ['$data']: return base64.b64decode(v['$data'])
                    if len(v) == 1 and list(v)[0] in ('$date', '$decimal', '$uuid', '$url'): return list(v.values())[0]
                    return json.dumps(v)
                return v
            wanted, values = [], {}
            for c in lines(sys.argv[1]):
                head = (c['document'], c['client'], c['changeSet'], c['sequence'], c['type'], c['entity'], c['objectSyncID'])
                time = c['timestamp']['$date'] if c['timestamp'] else None
                key = (c['objectSyncID'], c.get('key'))
                if c['type'] == 'insert':
                    wanted.append(head + (time, None, None, None, 0))
                    for name, value in c['attributes'].items():
                        values[(c['objectSyncID'], name)] = plain(value)
                        wanted.append(head + (time, name, None, plain(value), 0))
                elif c['type'] in ('attribute', 'toOne'):
                    value = plain(c['value']) if c['type'] == 'attribute' else c['relatedSyncID']
                    wanted.append(head + (time, c['key'], values.get(key), value, int(key in values)))
                    values[key] = value
                elif c['type'] == 'delete': wanted.append(head + (time, None, None, None, 0))
                else:
                    added = c['type'] == 'addToMany'
                    wanted.append(head + (time, c['key'], None if added else c['relatedSyncID'], c['relatedSyncID'] if added else None, int(not added)))
            found = db.execute('SELECT document, client, change_set, sequence, type, entity, object, time, attribute, old_value, new_value, has_old_value FROM changes ORDER BY id').fetchall()
            assert len(found) == len(wanted) > 200, (len(found), len(wanted))
            # Of an insert the attributes have no order.
            assert sorted(found, key=repr) == sorted(wanted, key=repr), [p for p in zip(sorted(found, key=repr), sorted(wanted, key=repr)) if p[0] != p[1]][:2]
            assert [r[:5] for r in found] == [r[:5] for r in wanted]
            assert any(r[-1] and r[4] == 'attribute' for r in found)
            assert db.execute('SELECT count(*) FROM changes WHERE device IS NULL').fetchone() == (0,)

            # Present objects have their keys, deleted ones only their labels.
            present = dict(db.execute('SELECT ticdsSyncID, title FROM Recipe'))
            for id, label, key in db.execute("SELECT object, label, primaryKey FROM objects WHERE entity = 'Recipe'"):
                assert (key is not None) == (id in present) and (id not in present or label == present[id])
            deleted = db.execute("SELECT count(*), count(label) FROM objects WHERE primaryKey IS NULL").fetchone()
            assert deleted[0] > 0 and deleted[1] > 0, deleted

            # One query: who changed this, when, from what.
            row = db.execute("SELECT id, object, attribute, old_value, new_value FROM changes WHERE type = 'attribute' AND has_old_value AND attribute = 'title' LIMIT 1").fetchone()
            shown = db.execute('SELECT device, time, old_value, new_value, label FROM history WHERE id = ?', row[:1]).fetchone()
            assert shown[2:4] == row[3:5] and shown[0] and shown[1], shown

            # The searches find what LIKE finds.
            word = 'soup'
            by = lambda sql: {r for (r,) in db.execute(sql)}
            assert by(f"SELECT rowid FROM Recipe_fts WHERE Recipe_fts MATCH 'title:{word}'") >= by(f"SELECT primaryKey FROM Recipe WHERE ' ' || title || ' ' LIKE '% {word} %'")
            assert len(by("SELECT rowid FROM changes_fts WHERE changes_fts MATCH 'title'")) > 0
            labelled = db.execute('SELECT count(*) FROM Ingredient_labelled i JOIN Recipe r ON r.primaryKey = i.recipe WHERE i.recipe_label = r.title').fetchone()[0]
            assert labelled == db.execute('SELECT count(recipe) FROM Ingredient').fetchone()[0] > 0
            """
        #expect(try PythonCheck.complaint(script, on: [dump.bytes], [export.folder]) == "")
    }

    /// A whole store inside a remote includes the changes of its document.
    @Test func storesInRemotes() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first { $0.contains("/pantry/") })
        let target = demo.scratch.path.appending("look.db").string
        let result = try Program.run("ticds-store", ["export", store, "--to", target, "--history"])
        #expect(result.status == 0, "\(result.errors)")
        let count = try demo.scratch.shell("sqlite3 look.db 'SELECT DISTINCT document FROM changes'")
        #expect(count == "pantry\n")
        let alone = try demo.scratch.shell("cp '\(store)' alone.sqlite; pwd")
        #expect(!alone.isEmpty)
        let outside = try Program.run(
            "ticds-store",
            [
                "export", demo.scratch.path.appending("alone.sqlite").string, "--to",
                "\(demo.scratch.path)/o.db", "--history",
            ])
        #expect(outside.status == 0 && outside.errors.contains("--remote"), "\(outside.errors)")
    }

    /// An unreadable change set is named, and the rest is there.
    @Test func damagedChanges() throws {
        let export = try Export(.damaged)
        #expect(
            export.result.status == 5 && export.result.errors.contains(".syncchg"), "\(export.result.errors)")
        let rows = try export.demo.scratch.shell("sqlite3 look.db 'SELECT count(*) > 100 FROM changes'")
        #expect(rows == "1\n")
    }

    @Test func usage() throws {
        let scratch = try Scratch()
        let store = try scratch.write("store", [])
        for words in [
            ["--to", "x", "--history"], ["--to", "x.db", "--metadata", "m"],
            ["--to", "x.db", "--remote", "r"],
        ] {
            let result = try Program.run("ticds-store", ["export", store] + words)
            #expect(result.status == 64, "\(words) \(result.errors)")
        }
    }

    /// Entities with the names of the tables, and attributes with names that FTS5 refuses.
    @Test func hostileNames() throws {
        let scratch = try Scratch()
        try scratch.shell(
            """
            sqlite3 store.sqlite "
            CREATE TABLE ZCHANGES ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZRANK VARCHAR, ZROWID VARCHAR, ZCHANGES_FTS VARCHAR, \\"Z'A\\" VARCHAR );
            CREATE TABLE ZHISTORY ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR, ZTICDSSYNCID VARCHAR );
            CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
            CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
            INSERT INTO Z_PRIMARYKEY VALUES (1, 'changes', 0, 1), (2, 'History', 0, 1);
            INSERT INTO ZCHANGES VALUES (1, 1, 1, 'high', 'r', 'text', 'q'); INSERT INTO ZHISTORY VALUES (1, 2, 1, 'T', 'id-1')"
            """)
        let store = scratch.path.appending("store.sqlite").string
        let result = try Program.run(
            "ticds-store", ["export", store, "--to", "\(scratch.path)/o.db", "--history"])
        #expect(result.status == 0, "\(result.errors)")
        let found = try scratch.shell(
            """
            sqlite3 o.db "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view')"
            sqlite3 o.db 'SELECT object, label FROM objects'
            """)
        for line in ["table|changes", "table|changes_2", "table|History", "view|history_2"] {
            #expect(found.contains("\(line)\n"), "\(found)")
        }
        #expect(found.contains("id-1|T"), "\(found)")
    }

    // MARK: Datasette

    static let datasette: Bool = {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let probe = try? Program.launch(
            "/usr/bin/env", ["python3", "-m", "datasette", "--version"], environment: ["PATH": path],
            seconds: 60)
        return probe?.status == 0
    }()

    /// Tables, facets, search, an object with its history, and the queries, as Datasette answers them.
    @Test(.enabled(if: datasette, "needs Datasette, of PyPI")) func datasetteShowsIt() throws {
        let export = try Export()
        let script = """
            import subprocess, urllib.parse
            folder = sys.argv[2]
            def get(path):
                out = subprocess.run([sys.executable, '-m', 'datasette', folder + '/look.db', '-m', folder + '/look.json', '--get', path], capture_output=True, text=True)
                assert out.returncode == 0, (path, out.stdout[:500], out.stderr[-500:])
                return json.loads(out.stdout) if '.json' in path else out.stdout
            tables = {t['name']: t for t in get('/look.json')['tables']}
            assert {'Recipe', 'Ingredient', 'Tag', 'changes', 'objects'} <= set(tables)
            assert tables['Recipe']['fts_table'] == 'Recipe_fts' and tables['changes']['fts_table'] == 'changes_fts'
            facets = get('/look/changes.json?_size=1')['facet_results']
            facets = facets.get('results', facets)
            assert set(facets) >= {'device', 'type', 'entity', 'attribute'}, set(facets)
            assert sum(r['count'] for r in facets['type']['results']) == tables['changes']['count']
            title = get('/look/Recipe.json?_shape=array&_size=1')[0]
            word = max(title['title'].split(), key=len)
            found = get('/look/Recipe.json?_shape=array&_search=' + urllib.parse.quote('"' + word + '"'))
            assert title['primaryKey'] in [r['primaryKey'] for r in found]
            history = get('/look/who_changed_this.json?_shape=array&object=' + urllib.parse.quote(title['ticdsSyncID']))
            assert history and history[0]['type'] in ('insert', 'attribute') and all(r['device'] for r in history)
            page = get('/look/objects/' + urllib.parse.quote(title['ticdsSyncID'], safe=''))
            assert 'rows from object in changes' in ' '.join(re.sub('<[^>]*>', ' ', page).split()), page[-2000:]
            assert get('/look/search_changes.json?_shape=array&word=title')
            """
        #expect(try PythonCheck.complaint(script, on: [[]], [export.folder]) == "")
    }
}
