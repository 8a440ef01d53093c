import SystemPackage
import TestSupport
import Testing

/// Imports of exports that people and other programs have edited.
@Suite(.enabled(if: Python.available)) struct StoreImportTests {
    /// A small store: an author with two notes in order, tags, a special note, a cover, a shelf.
    private struct Sample {
        let scratch: Scratch
        let model: String
        var folder: String { scratch.path.string }

        init() throws {
            scratch = try Scratch()
            model = try ImportedModel.write(scratch)
            _ = try scratch.write("start.json", Array(Self.json.utf8))
            try importing("start.json", to: "start.sqlite")
        }

        @discardableResult
        func importing(
            _ source: String, to target: String, _ options: [String] = [], status: Int32 = 0
        ) throws -> Program.Result {
            let words = ["import", "\(folder)/\(source)", "--model", model, "--to", "\(folder)/\(target)"]
            let result = try Program.run("ticds-store", words + options)
            #expect(result.status == status, "\(result.errors)\(result.output)")
            return result
        }

        func export(_ target: String, _ options: [String] = []) throws {
            let words = ["export", "\(folder)/start.sqlite", "--model", model, "--to", "\(folder)/\(target)"]
            let result = try Program.run("ticds-store", words + options)
            try #require(result.status == 0, "\(result.errors)")
        }

        /// Runs Python in the folder, with functions that read and write an exported entity.
        func python(_ script: String) throws {
            let start = """
                import csv, json, os, sqlite3
                os.chdir(\(Self.quoted(folder)))
                def read(name):
                    with open(f'csv/{name}.csv', newline='', encoding='utf-8-sig') as file: return list(csv.DictReader(file))
                def write(name, rows, **options):
                    with open(f'csv/{name}.csv', 'w', newline='', encoding='utf-8') as file:
                        writer = csv.DictWriter(file, list(rows[0]), **options)
                        writer.writeheader()
                        writer.writerows(rows)
                def text(name): return open(f'csv/{name}.csv', newline='', encoding='utf-8').read()
                def put(name, text): open(f'csv/{name}.csv', 'w', newline='', encoding='utf-8').write(text)

                """
            #expect(try PythonCheck.complaint(start + script, on: []) == "")
        }

        private static func quoted(_ text: String) -> String { "'\(text)'" }

        /// The objects of a store in JSON, as Python sees them; each is found by entity and key.
        func check(_ store: String, _ script: String) throws {
            let words = ["export", "\(folder)/\(store)", "--model", model, "--to", "-", "--format", "jsonl"]
            let result = try Program.run("ticds-store", words + ["--keys", "primary-keys"])
            #expect(result.status == 0, "\(result.errors)")
            let start = """
                objects = {(o['entity'], o['primaryKey']): {**o['attributes'], **o['relationships']} for o in lines(sys.argv[1])}

                """
            let complaint = try PythonCheck.complaint(start + script, on: [result.bytes])
            #expect(complaint == "")
        }

        private static let json = """
            {"schema": "ticds.export/1", "storeUUID": "0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55", "keys": "primaryKeys", "entities": {
            "Author": [
             {"primaryKey": 1, "attributes": {"name": "Anna"}, "relationships": {"notes": [2, 1], "friends": [2]}},
             {"primaryKey": 2, "attributes": {"name": "Berta"}, "relationships": {"notes": [], "friends": [1]}}],
            "Note": [
             {"primaryKey": 1, "attributes": {"title": "Soup", "count": 5, "ratio": 1.5, "flag": true,
              "made": {"$date": "2013-05-01T12:00:00.250Z"}}, "relationships": {"author": 1, "cover": 1, "tags": [1, 2]}},
             {"primaryKey": 2, "attributes": {"title": "Bread", "text": "", "small": null}, "relationships": {"author": 1, "cover": null, "tags": []}}],
            "Special": [{"primaryKey": 3, "attributes": {"title": "Cake", "extra": "x"}, "relationships": {"tags": [1]}}],
            "Cover": [{"primaryKey": 1, "attributes": {"colour": "red"}, "relationships": {"note": 1}}],
            "Tag": [{"primaryKey": 1, "attributes": {"name": "hot"}, "relationships": {"notes": [3, 1]}},
             {"primaryKey": 2, "attributes": {"name": "cold"}, "relationships": {"notes": [1]}}],
            "Shelf": [{"primaryKey": 1, "attributes": {"name": "top"}, "relationships": {"tags": [2]}}]}}
            """
    }

    @Test func storeHasWhatTheFileSays() throws {
        let sample = try Sample()
        try sample.check(
            "start.sqlite",
            """
            note = objects['Note', 1]
            assert note['title'] == 'Soup' and note['count'] == 5 and note['made'] == {'$date': '2013-05-01T12:00:00.250Z'}
            assert note['small'] == 7, 'no field: the default of the model'
            assert objects['Note', 2]['small'] is None and objects['Note', 2]['text'] == ''
            assert objects['Author', 1]['notes'] == [2, 1] and objects['Tag', 1]['notes'] == [3, 1]
            assert note['cover'] == 1 and note['tags'] == [1, 2] and objects['Shelf', 1]['tags'] == [2]
            assert objects['Author', 2]['friends'] == [1]
            """)
        let info = try Program.run("ticds-store", ["info", "\(sample.folder)/start.sqlite", "--json"])
        #expect(info.output.contains("0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55"))
        let result = try sample.importing("start.json", to: "other.sqlite", ["--json"])
        #expect(result.output.contains("Note.small is in no column or field: the default 7"))
        #expect(result.output.contains("\"complete\": true"))
        #expect(try sample.importing("start.json", to: "other.sqlite", status: 3).errors.contains("exists"))
        try sample.importing("start.json", to: "other.sqlite", ["--force"])
    }

    // MARK: - CSV

    @Test func editsOfCSVByPythonAreInTheStore() throws {
        let sample = try Sample()
        try sample.export("csv")
        try sample.python(
            """
            notes = read('Note')
            notes[0]['title'] = 'Soup, "hot"\\nand long'
            notes[0]['price'] = '12.50'
            new = {name: '' for name in notes[0]}
            new.update(title='New', author='2', tags='[2]')
            write('Note', notes + [new])
            """)
        let result = try sample.importing("csv", to: "new.sqlite", ["--json"])
        #expect(result.output.contains("\"newObjects\": 1"), "\(result.output)")
        try sample.check(
            "new.sqlite",
            """
            assert objects['Note', 1]['title'] == 'Soup, "hot"\\nand long'
            assert objects['Note', 1]['price'] == {'$decimal': '12.5'}, objects['Note', 1]['price']
            assert objects['Note', 4]['title'] == 'New' and objects['Note', 4]['author'] == 2
            assert objects['Note', 4]['small'] is None, 'an empty field is nil'
            assert objects['Author', 2]['notes'] == [4] and objects['Author', 1]['notes'] == [2, 1]
            assert objects['Tag', 2]['notes'] == [1, 4]
            """)
    }

    /// Semicolons, a byte order mark, TRUE and FALSE, other columns first, and a row that is empty.
    @Test func csvOfSpreadsheetsIsRead() throws {
        let sample = try Sample()
        try sample.export("csv", ["--spreadsheet"])
        try sample.python(
            """
            for name in os.listdir('csv'):
                name = name[:-4]
                rows = [{k: {'true': 'TRUE', 'false': 'FALSE'}.get(v, v) for k, v in row.items()} for row in read(name)]
                rows = [dict(reversed(row.items())) for row in rows]
                write(name, rows, delimiter=';', lineterminator='\\r\\n')
                put(name, '\\ufeff' + text(name) + ';' * (len(rows[0]) - 1) + '\\r\\n')
            put('Tag', 'sep=;\\r\\n' + text('Tag').lstrip('\\ufeff'))
            open('csv/.~lock.Note.csv#', 'w').write('me')
            """)
        let result = try sample.importing("csv", to: "new.sqlite", ["--spreadsheet"])
        #expect(result.output.contains("Note.csv separates fields by “;”"), "\(result.output)")
        let words = ["\(sample.folder)/start.sqlite", "\(sample.folder)/new.sqlite", "--model", sample.model]
        let compared = try Program.run("ticds-store", ["compare"] + words)
        // Spreadsheets lose the difference between nil and empty text: of the note Bread.
        #expect(compared.status == 1 && compared.output.contains("text"), "\(compared.output)")
        #expect(!compared.output.contains("title"), "\(compared.output)")
    }

    @Test func emptyMandatoryTextsAreAllowedOnRequest() throws {
        let sample = try Sample()
        try sample.export("csv")
        try sample.python("rows = read('Note'); rows[1]['title'] = ''; write('Note', rows)")
        let refused = try sample.importing("csv", to: "new.sqlite", status: 3)
        #expect(
            refused.errors.contains("line 3, Note 2, title: has no value, is mandatory"), "\(refused.errors)")
        try sample.importing("csv", to: "new.sqlite", ["--empty-text"])
        try sample.check("new.sqlite", "assert objects['Note', 2]['title'] == ''")
    }

    /// Each kind of line that does not fit, and what the error says.
    @Test(arguments: [
        (
            "a column", "put('Tag', text('Tag').replace('name', 'nom'))",
            "line 1: names a column that Tag does not have"
        ),
        ("a column twice", "put('Tag', text('Tag').replace('name', 'notes'))", "names a column twice"),
        (
            "digits", "rows = read('Note'); rows[0]['price'] = '0.12345678901234567890'; write('Note', rows)",
            "line 2, Note 1, price: has more digits than the store can contain"
        ),
        (
            "an order",
            "write('Author', [{k: v for k, v in row.items() if k != 'notes'} for row in read('Author')])",
            "line 2, Author 1, notes: is ordered, and its order is in no column"
        ),
        ("no header", "put('Tag', text('Tag').split('\\r\\n', 1)[1])", "names no column of Tag"),
        ("a number", "put('Note', text('Note').replace(',5,', ',5x,'))", "line 2, Note 1, count: no value"),
        ("a comma", "rows = read('Note'); rows[0]['ratio'] = '1,5'; write('Note', rows)", "not a comma"),
        (
            "a date", "rows = read('Note'); rows[0]['made'] = '1.5.2013'; write('Note', rows)",
            "2013-05-01T12:00:00.250Z"
        ),
        (
            "a key twice", "rows = read('Tag'); write('Tag', rows + rows[:1])",
            "line 4, Tag 1: the primary key occurs twice"
        ),
        (
            "no target", "rows = read('Cover'); rows[0]['note'] = '77'; write('Cover', rows)",
            "line 2, Cover 1, note: names an object that does not exist"
        ),
        (
            "a target twice", "rows = read('Tag'); rows[1]['notes'] = '[1,1]'; write('Tag', rows)",
            "names the same object twice"
        ),
        (
            "a wrong list", "rows = read('Tag'); rows[1]['notes'] = '1'; write('Tag', rows)",
            "no list of objects"
        ),
        (
            "one side", "rows = read('Note'); rows[0]['author'] = '2'; write('Note', rows)",
            "does not lead back"
        ),
        (
            "mandatory", "rows = read('Note'); rows[0]['title'] = ''; write('Note', rows)",
            "title: has no value, is mandatory"
        ),
        (
            "fewer fields", "put('Tag', text('Tag') + '9\\r\\n')",
            "line 4: has fewer fields than the first line"
        ),
        (
            "more fields", "put('Tag', text('Tag') + '9,a,,[],x\\r\\n')",
            "line 4: has more fields than the first line"
        ),
        (
            "an open mark", "put('Tag', text('Tag') + '9,\\\"open')",
            "line 4: begins a field that does not end"
        ),
        ("a key", "put('Tag', text('Tag') + 'x,a,,[]\\r\\n')", "line 4, primaryKey: no primary key"),
        ("a low key", "put('Tag', text('Tag') + '0,a,,[]\\r\\n')", "line 4, Tag 0: not a primary key"),
        ("another file", "os.rename('csv/Tag.csv', 'csv/Tags.csv')", "belongs to no entity of the model"),
        ("UTF-16", "open('csv/Tag.csv', 'w', encoding='utf-16').write('primaryKey,name')", "is UTF-16"),
        (
            "Latin 1", "open('csv/Tag.csv', 'wb').write('primaryKey,name\\n1,ä\\n'.encode('latin1'))",
            "line 2, name: is not UTF-8"
        ),
        ("nothing", "put('Tag', '')", "is empty"),
    ])
    func linesThatDoNotFitAreNamed(_ what: String, _ edit: String, _ message: String) throws {
        let sample = try Sample()
        try sample.export("csv")
        try sample.python(edit)
        let result = try sample.importing("csv", to: "new.sqlite", status: 3)
        #expect(result.errors.contains(message), "\(what): \(result.errors)")
        #expect(try sample.scratch.shell("ls -A | grep -c new || true") == "0\n")
    }

    @Test func nearestNumberIsTakenOnRequest() throws {
        let sample = try Sample()
        try sample.export("csv")
        try sample.python(
            """
            rows = read('Note')
            rows[0].update(share='0.123456789', ratio='0.12345678901234567890', price='0.12345678901234567890')
            write('Note', rows)
            """)
        let result = try sample.importing("csv", to: "new.sqlite", ["--round"])
        #expect(result.output.contains("Note.ratio: a number is rounded"), "\(result.output)")
        try sample.check(
            "new.sqlite", "assert objects['Note', 1]['ratio'] == 0.12345678901234568, objects['Note', 1]")
        let exact = try sample.importing("csv", to: "new.xml", status: 3)
        #expect(!exact.errors.contains("price") && exact.errors.contains("share"), "\(exact.errors)")
    }

    @Test func orderOfKeysIsTakenOnRequest() throws {
        let sample = try Sample()
        try sample.export("out.db")
        try sample.python(
            "db = sqlite3.connect('out.db'); db.execute('ALTER TABLE Tag_notes RENAME COLUMN position TO place'); db.commit()"
        )
        try sample.importing("out.db", to: "new.sqlite", ["--skip-unreadable"], status: 5)
        try sample.check("new.sqlite", "assert objects['Tag', 1]['notes'] == [1, 3]")
    }

    @Test func allLinesAreNamedUpToALimit() throws {
        let sample = try Sample()
        try sample.export("csv")
        try sample.python("put('Tag', text('Tag') + ''.join(f'{n},a,,[77]\\r\\n' for n in range(10, 2010)))")
        let result = try sample.importing("csv", to: "new.sqlite", ["--verbose"], status: 3)
        #expect(
            result.errors.contains("2,000 problems, and nothing was written"), "\(result.errors.suffix(300))")
        #expect(result.errors.contains("line 4, Tag 10, notes: names an object"))
        let short = try sample.importing("csv", to: "new.sqlite", status: 3)
        #expect(short.errors.contains("more errors; --verbose prints all"), "\(short.errors)")
    }

    @Test func whatDoesNotFitIsLeftOutOnRequest() throws {
        let sample = try Sample()
        try sample.export("csv")
        try sample.python(
            """
            rows = read('Note')
            rows[0]['count'] = 'many'
            rows[1]['tags'] = '[77]'
            write('Note', [{**row, 'mine': '1'} for row in rows])
            """)
        let result = try sample.importing(
            "csv", to: "new.sqlite", ["--skip-unreadable", "--json"], status: 5)
        #expect(result.output.contains("\"leftOut\": 1") && result.output.contains("\"complete\": false"))
        #expect(result.output.contains("Author.notes names an object that is left out"), "\(result.output)")
        try sample.check(
            "new.sqlite",
            """
            assert ('Note', 1) not in objects and objects['Author', 1]['notes'] == [2]
            assert objects['Note', 2]['tags'] == [] and objects['Cover', 1]['note'] is None
            """)
    }

    // MARK: - Two sides

    @Test func chosenSideCounts() throws {
        let sample = try Sample()
        try sample.export("csv")
        try sample.python("rows = read('Note'); rows[0]['author'] = '2'; write('Note', rows)")
        let refused = try sample.importing("csv", to: "new.sqlite", status: 3)
        #expect(refused.errors.contains("--prefer Note.author or --prefer Author.notes"), "\(refused.errors)")
        #expect(refused.errors.contains("(line 3 of Author.csv)"), "\(refused.errors)")
        try sample.importing("csv", to: "one.sqlite", ["--prefer", "to-one"])
        try sample.check(
            "one.sqlite",
            "assert objects['Author', 2]['notes'] == [1] and objects['Author', 1]['notes'] == [2]")
        try sample.importing("csv", to: "many.sqlite", ["--prefer", "Author.notes"])
        try sample.check("many.sqlite", "assert objects['Note', 1]['author'] == 1")
        for side in ["Note.title", "Author.friends", "Shelf.tags", "author"] {
            let unknown = try sample.importing("csv", to: "no.sqlite", ["--prefer", side], status: 2)
            #expect(unknown.errors.contains("no relationship"), "\(unknown.errors)")
        }
        let both = ["--prefer", "Author.notes", "--prefer", "to-one"]
        #expect(try sample.importing("csv", to: "no.sqlite", both, status: 3).errors.contains("both sides"))
    }

    /// A deleted line stays in the lists of others, which do not count where the to-one side does.
    @Test func deletedLineNeedsNoEditOfListsThatDoNotCount() throws {
        let sample = try Sample()
        try sample.export("csv")
        try sample.python("rows = read('Note'); write('Note', rows[:1])")
        let refused = try sample.importing("csv", to: "new.sqlite", status: 3)
        #expect(refused.errors.contains("line 2, Author 1, notes: names an object that does not exist"))
        try sample.importing("csv", to: "new.sqlite", ["--prefer", "to-one"])
        try sample.check("new.sqlite", "assert objects['Author', 1]['notes'] == [1]")
    }

    @Test func sideWithoutAColumnFollowsTheOther() throws {
        let sample = try Sample()
        try sample.export("csv")
        try sample.python(
            """
            write('Author', [{k: v for k, v in row.items() if k != 'notes'} for row in read('Author')])
            rows = read('Note')
            rows[1]['author'] = '2'
            write('Note', rows)
            """)
        let result = try sample.importing("csv", to: "new.sqlite")
        #expect(
            result.output.contains("Author.notes is in no column or field: it follows Note.author"),
            "\(result.output)")
        try sample.check(
            "new.sqlite",
            "assert objects['Author', 2]['notes'] == [2] and objects['Author', 1]['notes'] == [1]")
    }

    // MARK: - Sync IDs

    @Test func syncIDsAreKeptAndSetOnRequest() throws {
        let sample = try Sample()
        try sample.export("csv")
        try sample.python(
            """
            rows = read('Author')
            rows[0]['ticdsSyncID'] = 'A-1'
            rows[0]['friends'] = '["#2"]'
            rows[1]['friends'] = '["A-1"]'
            rows[0]['notes'] = '["#2", "#1"]'
            write('Author', rows)
            rows = read('Note')
            for row in rows: row['author'], row['tags'], row['cover'] = 'A-1', '[]', ''
            write('Note', rows)
            for name in ('Special', 'Cover', 'Tag', 'Shelf'): os.remove(f'csv/{name}.csv')
            """)
        let result = try sample.importing("csv", to: "new.sqlite", ["--json"])
        #expect(result.output.contains("\"withoutSyncID\": 3"), "\(result.output)")
        #expect(result.output.contains("there is no file Tag.csv: no object of Tag"))
        try sample.check(
            "new.sqlite",
            "assert objects['Author', 1]['notes'] == [2, 1] and objects['Note', 1]['ticdsSyncID'] is None")
        let set = try sample.importing("csv", to: "set.sqlite", ["--set-sync-ids", "--json"])
        #expect(set.output.contains("\"newSyncIDs\": 3"), "\(set.output)")
        try sample.check(
            "set.sqlite",
            """
            ids = [o['ticdsSyncID'] for o in objects.values()]
            assert objects['Author', 1]['ticdsSyncID'] == 'A-1' and len(set(ids)) == 4 and None not in ids
            """)
        try sample.python("rows = read('Note'); rows[0]['author'] = '1'; write('Note', rows)")
        let key = try sample.importing("csv", to: "no.sqlite", status: 3)
        #expect(key.errors.contains("needs --keys primary-keys"), "\(key.errors)")
        try sample.python("rows = read('Author'); rows[1]['ticdsSyncID'] = 'A-1'; write('Author', rows)")
        let twice = try sample.importing("csv", to: "no.sqlite", status: 3)
        #expect(twice.errors.contains("the sync ID “A-1” occurs twice"), "\(twice.errors)")
    }

    // MARK: - Databases

    @Test func editsOfADatabaseAreInTheStore() throws {
        let sample = try Sample()
        try sample.export("out.db")
        try sample.python(
            """
            db = sqlite3.connect('out.db')
            db.execute("UPDATE Note SET title = 'Hot soup', author = 2 WHERE primaryKey = 1")
            db.execute("INSERT INTO Note (entity, title, author, blob, flag) VALUES ('Note', 'New', 1, x'0102', 0)")
            db.execute('DELETE FROM Cover')
            db.execute('UPDATE Note SET cover = NULL')
            db.execute('DELETE FROM Tag_notes WHERE Note = 3')
            db.execute('UPDATE Note SET author_position = 9 WHERE primaryKey = 2')
            db.commit()
            """)
        let result = try sample.importing("out.db", to: "new.sqlite")
        #expect(result.errors == "", "\(result.errors)")
        try sample.check(
            "new.sqlite",
            """
            assert objects['Note', 1]['title'] == 'Hot soup' and objects['Author', 2]['notes'] == [1]
            assert objects['Note', 4]['blob'] == {'$data': 'AQI='} and objects['Note', 4]['flag'] is False
            assert objects['Author', 1]['notes'] == [2, 4]
            assert objects['Special', 3]['tags'] == [] and objects['Tag', 1]['notes'] == [1]
            assert ('Cover', 1) not in objects
            """)
    }

    @Test(arguments: [
        ("UPDATE Note SET count = 'x' WHERE primaryKey = 1", "Note 1, count: no value of this attribute"),
        (
            "UPDATE Note SET author = 77 WHERE primaryKey = 1",
            "Note 1, author: names an object that does not exist"
        ),
        (
            "UPDATE Note SET extra = 'y' WHERE primaryKey = 1",
            "Note 1, extra: has a value, but Note has no such property"
        ),
        ("UPDATE Note SET entity = 'Tag' WHERE primaryKey = 1", "Note, row 1: names no entity of this table"),
        ("UPDATE Note SET cover = NULL", "Cover 1, note: leads to Note 1, whose “cover” does not lead back"),
        ("INSERT INTO Tag_notes VALUES (1, 88, 9)", "Tag 1, notes: names an object that does not exist"),
        ("INSERT INTO Tag_notes VALUES (88, 1, 9)", "Tag_notes, row 4: names an object that does not exist"),
        ("INSERT INTO Tag_notes VALUES (1, 1, 9)", "Tag 1, notes: names the same object twice"),
        ("CREATE TABLE mine (a)", "table mine: is no table of the model"),
        ("ALTER TABLE Tag ADD COLUMN mine", "table Tag: has a column that the model does not have"),
        (
            "ALTER TABLE Tag_notes ADD COLUMN mine",
            "table Tag_notes: has a column that the model does not have"
        ),
        ("ALTER TABLE Tag_notes RENAME COLUMN position TO place", "table Tag_notes: has no column position"),
        (
            "ALTER TABLE Note RENAME COLUMN author_position TO place",
            "Author 1, notes: is ordered, and its order is in no column"
        ),
        (
            "UPDATE Note SET share = 0.123456789 WHERE primaryKey = 1",
            "Note 1, share: has more digits than the store can contain"
        ),
        ("UPDATE Note SET title = x'ff' WHERE primaryKey = 1", "Note 1, title: no value of this attribute"),
        ("UPDATE Note SET title = CAST(x'ff' AS TEXT)", "Note 1, title: is text that is not UTF-8"),
        ("INSERT INTO Author_friends VALUES (2, 2)", ""),
    ])
    func rowsThatDoNotFitAreNamed(_ statement: String, _ message: String) throws {
        let sample = try Sample()
        try sample.export("out.db")
        try sample.python(
            "db = sqlite3.connect('out.db'); db.execute(\"\"\"\(statement)\"\"\"); db.commit()")
        let result = try sample.importing("out.db", to: "new.sqlite", status: message == "" ? 0 : 3)
        #expect(result.errors.contains(message) || message == "", "\(result.errors)")
    }

    @Test(
        "A view in the place of a table, a position that is no number, and nothing at all are refused",
        arguments: [
            "ALTER TABLE Tag_notes RENAME TO x; CREATE VIEW Tag_notes AS SELECT * FROM x",
            "UPDATE Tag_notes SET position = 1.5 WHERE rowid = 1",
        ])
    func lostOrdersAndTables(_ statement: String) throws {
        let sample = try Sample()
        try sample.export("out.db")
        try sample.scratch.shell(
            "for v in $(sqlite3 out.db \"SELECT name FROM sqlite_master WHERE type = 'view'\"); do "
                + "sqlite3 out.db \"DROP VIEW $v\"; done; sqlite3 out.db '\(statement)'")
        try sample.importing("out.db", to: "new.sqlite", status: 3)
        try sample.scratch.shell("mkdir empty")
        try sample.importing("empty", to: "new.sqlite", status: 3)
    }

    @Test func tablesOfTheHistoryAreNotRead() throws {
        let demo = try DemoRemote()
        let model = try CookbookModel.write(demo.scratch)
        let store = try #require(try demo.wholeStores.first { $0.contains("cookbook/WholeStore") })
        let folder = demo.scratch.path.string
        for words in [
            ["export", store, "--history", "--to", "\(folder)/out.db", "--model", model],
            ["import", "\(folder)/out.db", "--to", "\(folder)/new.sqlite", "--model", model],
            ["compare", store, "\(folder)/new.sqlite", "--model", model],
        ] {
            let result = try Program.run("ticds-store", words)
            #expect(result.status == 0, "\(words): \(result.errors)\(result.output)")
        }
        let own = try Program.run(
            "ticds-store",
            ["import", "\(folder)/new.sqlite", "--to", "\(folder)/no.sqlite", "--model", model])
        #expect(own.status == 3 && own.errors.contains("this is a Core Data store"), "\(own.errors)")
    }

    // MARK: - JSON

    @Test(arguments: [
        ("\"title\": \"Soup\"", "\"titel\": \"Soup\"", "Note 1: Note has no attribute of this name"),
        ("\"title\": \"Soup\"", "\"title\": 5", "Note 1, title: no value of this attribute"),
        ("\"author\": 1", "\"author\": [1]", "Note 1, author: no object"),
        ("\"Shelf\"", "\"Board\"", "names no concrete entity of the model"),
        ("\"primaryKey\": 3", "\"primaryKey\": \"3\"", "damaged JSON"),
        ("\"colour\"", "\"colour\": 1, \"colour\"", "expected “colour” once"),
        ("\"count\": 5", "\"count\": 5, \"thing\": {\"$class\": \"A\"}", "objects of an app's classes"),
        ("\"extra\": \"x\"", "\"extra\": \"x", "damaged JSON"),
        ("\"friends\": [2]", "\"friends\": []", "does not lead back"),
        ("ticds.export/1", "ticds.export/9", "the schema ticds.export/1"),
        ("\"keys\": \"primaryKeys\"", "\"key\": \"primaryKeys\"", "a field that an export does not have"),
        ("\"tags\": [2]", "\"tags\": [2, 99]", "Shelf 1, tags: names an object that does not exist"),
        ("\"cover\": 1", "\"cover\": null", "Cover 1, note: leads to Note 1"),
        ("\"notes\": [1]", "\"notes\": [1], \"x\": 1", "Tag 2: Tag has no relationship of this name"),
    ])
    func documentsThatDoNotFitAreRefused(_ old: String, _ new: String, _ message: String) throws {
        let sample = try Sample()
        try sample.python(
            """
            text = open('start.json').read()
            assert \(Self.literal(old)) in text
            open('edited.json', 'w').write(text.replace(\(Self.literal(old)), \(Self.literal(new)), 1))
            """)
        let result = try Program.run(
            "ticds-store",
            [
                "import", "\(sample.folder)/edited.json", "--model", sample.model, "--to",
                "\(sample.folder)/new.sqlite",
            ])
        #expect([2, 3].contains(result.status) && result.errors.contains(message), "\(result.errors)")
        #expect(try sample.scratch.shell("ls -A | grep -c new || true") == "0\n")
    }

    private static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "\\'"))'" }

    @Test func formatOfTheSourceIsFound() throws {
        let sample = try Sample()
        try sample.export("lines.jsonl")
        try sample.importing("lines.jsonl", to: "a.sqlite")
        try sample.export("csv")
        let file = try sample.importing("csv/Note.csv", to: "b.sqlite", status: 2)
        #expect(file.errors.contains("a folder of CSV files"), "\(file.errors)")
        #expect(
            try sample.importing("csv", to: "b.sqlite", ["--format", "json"], status: 2).errors.contains(
                "folder"))
        try sample.importing("lines.jsonl", to: "b.sqlite", ["--spreadsheet"], status: 64)
        #expect(try sample.importing("missing", to: "b.sqlite", status: 2).errors.contains("no such file"))
    }
}
