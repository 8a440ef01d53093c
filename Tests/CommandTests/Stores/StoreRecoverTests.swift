import Foundation
import SystemPackage
import TestSupport
import Testing

/// `ticds-store recover` on stores that Python makes, deletes from and damages; compared with the original rows, and
/// with the result of `.recover` of the sqlite3 shell.
@Suite(.enabled(if: Python.available)) struct StoreRecoverTests {
    /// Makes a store, and `truth.json` with every version of a row that was ever in it.
    private static let maker = """
        import sqlite3, json, sys, os, random, shutil
        random.seed(7)
        truth = []
        def connect(path, page=4096, journal='delete'):
            db = sqlite3.connect(path, isolation_level=None)
            db.execute(f'PRAGMA page_size = {page}'); db.execute('PRAGMA auto_vacuum = 2')
            db.execute('PRAGMA secure_delete = OFF'); db.execute(f'PRAGMA journal_mode = {journal}')
            return db
        def fill(db, count=400):
            for sql in [
                'CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSTARS INTEGER, ZBOOK INTEGER, '
                'ZWEIGHT FLOAT, ZTITLE VARCHAR, ZBODY VARCHAR, ZPHOTO BLOB )',
                'CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )',
                'CREATE TABLE Z_1TAGS ( Z_1NOTES INTEGER, Z_3TAGS INTEGER, PRIMARY KEY (Z_1NOTES, Z_3TAGS) )',
                'CREATE INDEX ZNOTE_ZBOOK_INDEX ON ZNOTE (ZBOOK)',
                'CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)',
                'CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)']: db.execute(sql)
            db.execute("INSERT INTO Z_PRIMARYKEY VALUES (1, 'Note', 0, 500), (2, 'Diary', 1, 0), (3, 'Tag', 0, 9)")
            db.execute("INSERT INTO Z_METADATA VALUES (1, 'E621E1F8-C36C-495A-93FC-0C247A3E6E5F', NULL)")
            db.execute('BEGIN')
            for n in range(1, count + 1):
                # One in fifty is longer than a page.
                body = ' '.join(f'word{n}-{i}' for i in range(random.choice([3, 20, 40]) if n % 50 else 2000))
                db.execute('INSERT INTO ZNOTE VALUES (?,?,?,?,?,?,?,?,?)',
                    (n, 2 if n % 5 == 0 else 1, 1, n * 7, None if n % 3 else n % 40, n / 8, f'Title {n} ü', body, bytes([n % 251] * (n % 30)) if n % 2 else None))
            for n in range(1, 10): db.execute('INSERT INTO ZTAG VALUES (?, 3, 1, ?)', (n, f'tag {n}'))
            for n in range(1, count, 3): db.execute('INSERT INTO Z_1TAGS VALUES (?, ?)', (n, n % 9 + 1))
            db.execute('COMMIT')
            keep(db)
        def keep(db):
            for r in db.execute('SELECT Z_PK, ZTITLE, ZBODY, ZSTARS, ZWEIGHT, ZBOOK FROM ZNOTE'): truth.append(list(r))
        def done(folder, db=None):
            present = [r for (r,) in db.execute('SELECT Z_PK FROM ZNOTE')] if db else []
            seen = []
            [seen.append(t) for t in map(tuple, truth) if t not in set(seen[-0:])]
            json.dump({'truth': sorted(set(map(tuple, truth)), key=repr), 'present': present}, open(folder + '/truth.json', 'w'))

        """

    /// Reads the salvaged rows. No row may be invented: every complete row equals an original one.
    private static let reader = """
        found = lines(sys.argv[1]); data = json.load(open(sys.argv[2] + '/truth.json'))
        truth = {tuple(t) for t in data['truth']}; present = set(data['present'])
        notes = [r for r in found if r['entity'] in ('Note', 'Diary')]
        def row(r):
            a = r['attributes']
            return (r['primaryKey'], a['TITLE'], a['BODY'], a['STARS'], a['WEIGHT'], r['relationships']['BOOK'])
        withoutKey = {t[1:] for t in truth}
        for r in notes:
            if not r['complete']: continue
            t = row(r)
            assert t in truth if t[0] is not None else t[1:] in withoutKey, (t, r)
            assert (r['entity'] == 'Diary') == (int(r['attributes']['TITLE'].split()[1]) % 5 == 0)
            assert r['state'] != 'deleted' or t[0] not in present, r
            assert r['state'] != 'older' or t[0] in present, r
        live = {row(r)[0] for r in notes if r['state'] == 'live'}
        gone = {t[0] for t in truth} - present
        titles = {t[1]: t[0] for t in truth}
        # A row whose key is lost is known by its title here.
        back = {titles[r['attributes']['TITLE']] for r in notes if r['complete'] and r['state'] in ('deleted', 'unknown')} & gone
        whole = {row(r)[0] for r in notes if r['certain']}

        """

    /// A row of a join table with only a changed order is an old version, as its pair is present.
    @Test(.enabled(if: Samples.available, "needs the samples")) func orderOfAJoinRow() throws {
        let store = Samples.path("field/join-order-changed/store.sqlite").string
        let result = try Program.run("ticds-store", ["recover", store, "--json"])
        let check = """
            rows = [r for r in lines(sys.argv[1]) if r['schema'] == 'ticds.recoveredRow/1' and r['table'] == 'Z_1BS']
            assert [r['state'] for r in rows].count('live') == 3, rows
            assert [r['state'] for r in rows if r['attributes']['Z_FOK_2BS'] == 2048] == ['older'], rows
            assert not [r for r in rows if r['state'] == 'deleted'], rows
            """
        #expect(try PythonCheck.complaint(check, on: [result.bytes]) == "")
    }

    /// Rows that are older than a column have its DEFAULT, as SQLite shows them.
    @Test func columnsThatWereAdded() throws {
        let scratch = try Scratch()
        try make(
            scratch,
            """
            db = connect('store.sqlite'); fill(db, 30)
            db.execute("ALTER TABLE ZTAG ADD COLUMN ZKIND INTEGER DEFAULT 7")
            db.execute("ALTER TABLE ZTAG ADD COLUMN ZWORD VARCHAR DEFAULT 'it''s'")
            db.execute("ALTER TABLE ZTAG ADD COLUMN ZSIZE FLOAT NOT NULL DEFAULT -1.5")
            db.execute("ALTER TABLE ZTAG ADD COLUMN ZDIGITS VARCHAR DEFAULT 5")
            db.execute("INSERT INTO ZTAG VALUES (20, 3, 1, 'new', 1, 'x', 2, 'y')")
            db.close()
            """)
        let store = scratch.path.appending("store.sqlite").string
        let result = try Program.run("ticds-store", ["recover", store, "--json"])
        let check = """
            tags = {r['primaryKey']: r['attributes'] for r in lines(sys.argv[1]) if r.get('entity') == 'Tag'}
            assert len(tags) == 10, tags
            wanted = {'KIND': 7, 'WORD': "it's", 'SIZE': -1.5, 'DIGITS': '5'}
            for key, tag in tags.items():
                found = {name: tag[name] for name in wanted}
                assert found == (wanted if key < 20 else {'KIND': 1, 'WORD': 'x', 'SIZE': 2, 'DIGITS': 'y'}), (key, tag)
            """
        #expect(try PythonCheck.complaint(check, on: [result.bytes]) == "")
    }

    private func make(_ scratch: Scratch, _ script: String) throws {
        let program = try scratch.write(
            "make.py", Array((Self.maker + "os.chdir(sys.argv[1])\n" + script).utf8))
        try scratch.shell("python3 '\(program)' '\(scratch.path)'")
    }

    /// Recovers `store.sqlite`, and passes the lines to Python.
    private func check(_ scratch: Scratch, status: Int32, _ script: String) throws -> [String] {
        let path = scratch.path.appending("store.sqlite").string
        let result = try Program.run("ticds-store", ["recover", path, "--json"])
        #expect(result.status == status, "\(result.errors)")
        let complaint = try PythonCheck.complaint(
            Self.reader + script, on: [result.bytes], [scratch.path.string])
        #expect(complaint == "")
        return result.errors.split(separator: "\n").map(String.init)
    }

    /// Rows of freed pages, for each page size.
    @Test(arguments: [512, 1024, 4096, 65_536]) func rowsOfFreePages(page: Int) throws {
        let scratch = try Scratch()
        try make(
            scratch,
            """
            db = connect('store.sqlite', \(page)); fill(db)
            db.execute('DELETE FROM ZNOTE WHERE Z_PK BETWEEN 100 AND 300')
            done('.', db)
            """)
        // Pages of 64 KiB are never freed.
        let share = page == 65_536 ? 0.6 : 0.8
        let problems = try check(
            scratch, status: 0,
            """
            assert live == present
            assert len(back) > \(share) * len(gone), (len(back), len(gone))
            assert \(page) == 65536 or any(r['source'] == 'freelist' for r in notes)
            assert {r['attributes']['NAME'] for r in found if r['entity'] == 'Tag'} == {f'tag {n}' for n in range(1, 10)}
            """)
        #expect(problems.allSatisfy { $0.contains("no model: names are in capitals") }, "\(problems)")
    }

    /// Rows that were deleted one by one, so that parts of their cells are overwritten.
    @Test func rowsInFreeBlocks() throws {
        let scratch = try Scratch()
        try make(
            scratch,
            """
            db = connect('store.sqlite'); fill(db)
            for n in range(3, 400, 7): db.execute('DELETE FROM ZNOTE WHERE Z_PK = ?', (n,))
            done('.', db)
            """)
        _ = try check(
            scratch, status: 0,
            """
            assert live == present and len(gone) == 57
            assert len(back) >= 50, len(back)
            assert all(not r['certain'] for r in notes if r['source'] == 'freeblock')
            """)
    }

    /// Old versions in the log, and rows that were deleted there; no checkpoint is needed.
    @Test func oldVersionsInTheLog() throws {
        let scratch = try Scratch()
        try make(
            scratch,
            """
            db = connect('made.sqlite', journal='wal'); db.execute('PRAGMA wal_autocheckpoint = 0'); fill(db, 60)
            for step in range(4):
                db.execute(f"UPDATE ZNOTE SET ZTITLE = 'Title ' || Z_PK || ' step {step}', Z_OPT = Z_OPT + 1 WHERE Z_PK BETWEEN 10 AND 20")
                keep(db)
            db.execute('DELETE FROM ZNOTE WHERE Z_PK = 15')
            for end in ('', '-wal'): shutil.copy('made.sqlite' + end, 'store.sqlite' + end)
            done('.', db)
            """)
        _ = try check(
            scratch, status: 0,
            """
            assert live == present and 15 not in live
            wanted = {t for t in truth if 10 <= t[0] <= 20}
            assert {row(r) for r in notes if r['certain']} >= wanted
            assert all(r['frame'] and r['file'] == 'log' for r in notes if r['source'] == 'log')
            assert {r['state'] for r in notes if r['primaryKey'] == 15} == {'deleted'}
            assert sum(r['state'] == 'older' for r in notes if r['primaryKey'] == 12) == 4
            """)
    }

    /// A log from before its last reset, of which SQLite reads nothing, and a damaged frame.
    @Test func framesThatSQLiteDoesNotRead() throws {
        let scratch = try Scratch()
        try make(
            scratch,
            """
            db = connect('made.sqlite', journal='wal'); db.execute('PRAGMA wal_autocheckpoint = 0'); fill(db, 60)
            db.execute("UPDATE ZNOTE SET ZTITLE = 'Title ' || Z_PK || ' two' WHERE Z_PK < 30"); keep(db)
            db.execute('DELETE FROM ZNOTE WHERE Z_PK = 15')
            db.execute('PRAGMA wal_checkpoint(RESTART)')
            db.execute("UPDATE ZTAG SET ZNAME = 'tag new' WHERE Z_PK = 1")
            for end in ('', '-wal'): shutil.copy('made.sqlite' + end, 'store.sqlite' + end)
            done('.', db)
            """)
        _ = try check(
            scratch, status: 0,
            """
            assert live == present
            assert {row(r)[1] for r in notes if r['primaryKey'] == 15} == {'Title 15 ü', 'Title 15 two'}
            """)
        try scratch.shell(
            "python3 -c \"b=bytearray(open('store.sqlite-wal','rb').read()); b[32+24+9]^=1; open('store.sqlite-wal','wb').write(b)\""
        )
        let problems = try check(scratch, status: 5, "assert present == live")
        #expect(problems.contains { $0.contains("wrong checksums") })
    }

    /// Truncated stores: exactly the rows on the surviving pages.
    @Test(arguments: [97, 80, 50, 20]) func cutStores(percent: Int) throws {
        let scratch = try Scratch()
        try make(
            scratch,
            """
            db = connect('store.sqlite', 1024); fill(db); done('.', db); db.close()
            size = os.path.getsize('store.sqlite')
            with open('store.sqlite', 'r+b') as f: f.truncate(size * \(percent) // 100 + 3)
            """)
        let problems = try check(
            scratch, status: 5,
            """
            # Every page holds a few notes.
            assert len(live | back) > len(truth) * \(percent) / 100 * 0.7, (len(live), len(back))
            assert not gone and not any(r['state'] == 'deleted' for r in notes)
            """)
        #expect(problems.contains { $0.contains("truncated") }, "\(problems)")
        #expect(
            try Program.run("ticds-store", ["dump", scratch.path.appending("store.sqlite").string]).status
                != 0)
    }

    /// An overwritten header, first page, and page in the middle.
    @Test(arguments: ["0:100", "0:1024", "20480:21504"]) func overwrittenPages(range: String) throws {
        let scratch = try Scratch()
        try make(
            scratch,
            """
            db = connect('store.sqlite', 1024); fill(db); done('.', db); db.close()
            first, last = map(int, '\(range)'.split(':'))
            with open('store.sqlite', 'r+b') as f: f.seek(first); f.write(b'\\0' * (last - first))
            """)
        let script =
            range == "0:1024"
            // Without the schema the columns are unknown.
            ? """
            rows = [list(r['attributes'].values()) for r in found if r['table'] is None and not r['indexEntry']]
            titles = {v for r in rows for v in r if isinstance(v, str)}
            assert {t[1] for t in truth} <= titles, {t[1] for t in truth} - titles
            """
            : "assert len(live | back) >= len(truth) - (40 if '\(range)' != '0:100' else 0), len(live | back)"
        _ = try check(scratch, status: 5, script)
    }

    /// The model gives the tables if the schema is lost.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
    func schemaFromAModel() throws {
        let demo = try DemoRemote()
        let model = try CookbookModel.write(demo.scratch)
        let store = demo.scratch.path.appending("replayed.sqlite").string
        let replayed = try Program.run(
            "ticds-store", ["replay", demo.path, "--document", "cookbook", "--to", store, "--model", model])
        try #require(replayed.status == 0, "\(replayed.errors)")
        let before = try Program.run("ticds-store", ["dump", store, "--model", model, "--json"])
        try demo.scratch.shell("dd if=/dev/zero of='\(store)' bs=4096 count=1 conv=notrunc status=none")
        let result = try Program.run("ticds-store", ["recover", store, "--model", model, "--json"])
        #expect(result.status == 5, "\(result.errors)")
        let complaint = try PythonCheck.complaint(
            """
            key = lambda o: json.dumps([o['entity'], o['primaryKey'], o['attributes']], sort_keys=True)
            found, wanted = lines(sys.argv[1]), lines(sys.argv[2])
            missing = {key(o) for o in wanted} - {key(r) for r in found}
            assert wanted and not missing, list(missing)[:3]
            assert not any(r['certain'] for r in found)
            """, on: [result.bytes, before.bytes])
        #expect(complaint == "")
    }

    /// The database and the folder have the same rows as the lines; an existing target is refused, and the store stays
    /// unchanged.
    @Test func targets() throws {
        let scratch = try Scratch()
        try make(
            scratch,
            """
            db = connect('store.sqlite', 1024); fill(db)
            db.execute('DELETE FROM ZNOTE WHERE Z_PK BETWEEN 100 AND 300'); db.execute('DELETE FROM Z_1TAGS WHERE Z_1NOTES > 200')
            done('.', db)
            """)
        let path = scratch.path.appending("store.sqlite").string
        let before = try scratch.shell("sha256sum store.sqlite; ls -l --time-style=full-iso")
        let lines = try Program.run("ticds-store", ["recover", path, "--json"])
        #expect(try scratch.shell("sha256sum store.sqlite; ls -l --time-style=full-iso") == before)
        for name in ["out.db", "out.jsonl", "out"] {
            let target = scratch.path.appending(name).string
            let words = ["recover", path, "--to", target]
            let result = try Program.run("ticds-store", words + ["--json"])
            #expect(result.status == 0, "\(result.errors)")
            let again = try Program.run("ticds-store", words)
            #expect(again.status != 0 && again.errors.contains("exists"), "\(again.errors)")
            // The command has no such option.
            #expect(!again.errors.contains("--force"), "\(again.errors)")
        }
        let script = """
            import sqlite3
            wanted = lines(sys.argv[1]); folder = sys.argv[2]
            assert lines(folder + '/out.jsonl') == lines(folder + '/out/rows.jsonl') == wanted
            for path in ('/out.db', '/out/rows.sqlite'):
                db = sqlite3.connect(folder + path)
                assert db.execute('PRAGMA integrity_check').fetchone() == ('ok',)
                for table, entities in (('Note', ('Note', 'Diary')), ('Tag', ('Tag',))):
                    rows = sorted(db.execute(f'SELECT entity, primaryKey, recovered_state, recovered_source, recovered_page, recovered_offset, recovered_certain FROM "{table}"').fetchall(), key=repr)
                    expected = sorted([(r['entity'], r['primaryKey'], r['state'], r['source'], r['page'], r['offset'], int(r['certain'])) for r in wanted if r['entity'] in entities], key=repr)
                    assert rows == expected, (rows[:3], expected[:3])
                assert [r for r in db.execute("SELECT TITLE FROM Note WHERE recovered_state = 'deleted' AND primaryKey = 150")] == [('Title 150 ü',)]
                joins = [t for (t,) in db.execute("SELECT name FROM sqlite_master WHERE name LIKE 'Note_%'")]
                assert len(joins) == 1, joins
                count = db.execute(f'SELECT count(*) FROM "{joins[0]}" WHERE recovered_state = \\'live\\'').fetchone()[0]
                assert count == sum(r['table'] == 'Z_1TAGS' and r['state'] == 'live' for r in wanted) == 67, count
                others = db.execute('SELECT count(*) FROM recovered_rows').fetchone()[0]
                assert others == sum(r['entity'] is None and r['table'] != 'Z_1TAGS' for r in wanted)
            """
        #expect(try PythonCheck.complaint(script, on: [lines.bytes], [scratch.path.string]) == "")
        let filtered = try Program.run(
            "ticds-store", ["recover", path, "--json", "--deleted", "--certain", "--entity", "Note"])
        let check =
            "assert all(r['state'] != 'live' and r['certain'] and r['entity'] == 'Note' for r in lines(sys.argv[1]))"
        #expect(try PythonCheck.complaint(check, on: [filtered.bytes]) == "")
        let text = try Program.run("ticds-store", ["recover", path, "--deleted"])
        #expect(
            text.status == 0 && text.output.contains("TITLE = “Title 150 ü”")
                || text.output.contains("Title 150"))
    }

    /// Other files, and stores that keep no deleted rows.
    @Test func whatIsNoSQLiteStore() throws {
        let scratch = try Scratch()
        for (name, bytes) in [
            ("empty", []), ("noise", [UInt8](repeating: 7, count: 5000)), ("binary", Array("CoreData".utf8)),
        ] {
            let result = try Program.run("ticds-store", ["recover", try scratch.write(name, bytes)])
            #expect(result.status != 0 && result.status > 0 && !result.errors.isEmpty, "\(name) \(result)")
        }
        try scratch.shell("ln -s nowhere link")
        let link = try Program.run("ticds-store", ["recover", scratch.path.appending("link").string])
        #expect(link.status == 2 && link.errors.contains("link: is a symbolic link that leads nowhere"))
    }

    // MARK: The sqlite3 shell

    /// A sqlite3 shell with `.recover`: `TICDS_SQLITE3`, otherwise the installed one if it supports it. Debian's does
    /// not.
    private static let shell: String? = {
        let named = ProcessInfo.processInfo.environment["TICDS_SQLITE3"]
        for path in [named, "/usr/bin/sqlite3", "/usr/local/bin/sqlite3"].compactMap(\.self) {
            let probe = try? Program.launch(
                "/bin/sh", ["-c", "'\(path)' :memory: 'CREATE TABLE t (a)' '.recover'"],
                environment: ["PATH": "/usr/bin:/bin"], seconds: 20)
            if let probe, probe.status == 0, probe.output.contains("COMMIT"), probe.errors.isEmpty {
                return path
            }
        }
        return nil
    }()

    private static let samples = [
        "free-pages/CLSLocationCache.sqlite", "moody/Moody.moody", "history/knowledgec-10.13.db",
        "history/NoteStore.sqlite", "recipes/Recipes.sqlite", "docset-db16521/docSet.dsidx",
        "surfjournal/SurfJournalModel.sqlite", "bookmarks/Bookmarks_V4.sqlite",
    ]

    /// Every row that `.recover` finds is found, by its key and its texts, in intact and in truncated stores.
    @Test(
        .enabled(if: Samples.available, "needs the samples"),
        .enabled(if: shell != nil, "needs a sqlite3 shell with .recover; name it in TICDS_SQLITE3"),
        arguments: samples, [100, 97, 60, 25])
    func asMuchAsTheShell(sample: String, percent: Int) throws {
        let scratch = try Scratch()
        let source = Samples.path("sqlite-stores/\(sample)").string
        try scratch.shell(
            "cp '\(source)' store; chmod u+w store; cp '\(source)-wal' store-wal 2>/dev/null || true")
        if percent < 100 {
            try scratch.shell(
                "rm -f store-wal; truncate -s $(($(stat -c %s store) * \(percent) / 100)) store")
        }
        let ours = try Program.run(
            "ticds-store", ["recover", scratch.path.appending("store").string, "--json"])
        #expect(ours.status == 0 || ours.status == 5, "\(ours.errors)")
        let shell = try #require(Self.shell)
        try scratch.shell(
            "mkdir copy; cp store* copy; ('\(shell)' copy/store .recover || true) > sql; '\(shell)' recovered.db < sql"
        )
        let script = """
            import sqlite3
            ours = set()
            for r in lines(sys.argv[1]):
                texts = frozenset(v for v in r['attributes'].values() if isinstance(v, str))
                ours |= {(r['primaryKey'], texts), (None, texts)}
            db = sqlite3.connect(sys.argv[2] + '/recovered.db')
            db.text_factory = lambda b: b.decode('utf-8', 'replace')
            total = 0
            for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                columns = [c[1] for c in db.execute(f'PRAGMA table_info("{table}")')]
                for values in db.execute(f'SELECT * FROM "{table}"'):
                    row = dict(zip(columns, values))
                    texts = frozenset(v for v in values if isinstance(v, str))
                    key = row.get('Z_PK', row.get('id'))
                    assert (key, texts) in ours or (None, texts) in ours, (table, str(row)[:400])
                    total += 1
            print(total)
            """
        #expect(try PythonCheck.complaint(script, on: [ours.bytes], [scratch.path.string]) == "")
    }
}
