import Foundation
import SystemPackage
import TestSupport
import Testing

/// Stores of other apps: those in the folder that TICDS_STORES names, otherwise those of the samples. Each is read
/// completely or with a warning, and the result equals what the sqlite3 shell, or Python for XML, finds in the file.
@Suite(
    .enabled(if: OtherStores.folder != nil, "needs TICDS_STORES or the samples"),
    .enabled(if: Python.available && FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")))
struct EveryStoreTests {
    /// The rows of a store in the sqlite3 shell, compared with the lines of `ticds-store dump --json`.
    private static let check = """
        import collections, decimal, datetime, subprocess
        def shell(path, sql):
            text = subprocess.run(['/usr/bin/sqlite3', '-readonly', '-json', path, sql], capture_output=True, check=True).stdout
            return json.loads(text.decode('utf-8', 'replace')) if text.strip() else []
        def quoted(name): return '"' + name.replace('"', '""') + '"'
        REFERENCE = datetime.datetime(2001, 1, 1)
        def seconds(value):
            if isinstance(value, dict): return float(value['$real'])
            text = value.rstrip('Z')
            whole, fraction = text.split('.')
            return (datetime.datetime.fromisoformat(whole) - REFERENCE).total_seconds() + float('0.' + fraction)
        def near(one, other): return abs(one - other) <= max(1e-6, 1e-9 * abs(other))
        def same(value, raw):
            'Whether a value is that of a column; None if only the model would tell.'
            if value is None: return raw is None
            if raw is None: return False
            blob = isinstance(raw, str) and raw.startswith('x:')
            if isinstance(value, bool): return value == (raw != 0)
            if isinstance(value, (int, float)): return not isinstance(raw, str) and near(value, raw)
            if isinstance(value, str): return value == raw if not blob else None
            if not isinstance(value, dict) or len(value) != 1: return None
            [(tag, inner)] = value.items()
            if tag == '$int': return int(inner) == raw
            if tag == '$date': return near(seconds(inner), raw)
            if tag == '$decimal': return near(float(decimal.Decimal(inner)), float(raw))
            if tag == '$uuid': return inner.replace('-', '') == raw[2:] if blob else None
            if tag == '$url': return inner == raw
            if tag == '$data' and blob:
                plain = base64.b64decode(inner).hex().upper()
                return plain in (raw[2:], raw[4:]) or None
            return None
        def rows(path):
            'Every row of an object by entity and key.'
            entities = {e['Z_ENT']: e for e in shell(path, 'SELECT * FROM Z_PRIMARYKEY')}
            def root(e):
                for _ in range(100):
                    if not e['Z_SUPER']: return e
                    e = entities[e['Z_SUPER']]
            tables = {t['name'] for t in shell(path, "SELECT name FROM sqlite_master WHERE type = 'table'")}
            found = {}
            for table in sorted({'Z' + root(e)['Z_NAME'].upper() for n, e in entities.items() if n < 16000} & tables):
                columns = [c['name'] for c in shell(path, f'PRAGMA table_info({quoted(table)})')]
                if 'Z_ENT' not in columns: continue
                parts = [f"CASE typeof({quoted(c)}) WHEN 'blob' THEN 'x:' || hex({quoted(c)}) ELSE {quoted(c)} END AS {quoted(c)}"
                    for c in columns]
                for row in shell(path, f"SELECT {', '.join(parts)} FROM {quoted(table)}"):
                    entity = entities.get(row['Z_ENT'])
                    found[entity and entity['Z_NAME'], table, row['Z_PK']] = row
            return found

        objects, store, status, complaints = lines(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
        wanted = rows(store)
        byKey = collections.defaultdict(list)
        for (entity, table, key), row in wanted.items(): byKey[key].append((entity, row))
        compared, lost = 0, len(wanted) - len(objects)
        assert lost >= 0, 'more objects than rows'
        assert lost == 0 or status == 5 and complaints.strip(), f'{lost} rows are lost, and nobody says so'
        for thing in objects:
            candidates = byKey[thing['primaryKey']]
            named = [row for entity, row in candidates if entity == thing['entity']]
            row = named[0] if named else candidates[0][1] if len(candidates) == 1 else None
            assert candidates, thing
            if row is None: continue
            def columns(name):
                'The column of a property; with a number if another entity of the table has one of that name.'
                form = re.compile(re.escape('Z' + name.upper()) + r'\\d*')
                return [row[column] for column in row if form.fullmatch(column)]
            for name, value in thing['attributes'].items():
                verdicts = [same(value, raw) for raw in columns(name)]
                assert not verdicts or set(verdicts) != {False}, (thing['entity'], thing['primaryKey'], name, value)
                compared += True in verdicts
            for name, target in thing['relationships'].items():
                if isinstance(target, list) or not columns(name): continue
                assert target in columns(name), (thing['entity'], thing['primaryKey'], name, target)
                compared += 1
        assert compared > 0 or not objects or status == 5, 'nothing could be compared'
        """

    /// The objects of an XML store according to Python.
    private static let xml = """
        import xml.etree.ElementTree as tree
        objects, store, status = lines(sys.argv[1]), sys.argv[2], int(sys.argv[3])
        found = tree.parse(store).getroot().findall('object')
        assert len(found) == len(objects) or status == 5, (len(found), len(objects))
        kinds = sorted(e.get('type').upper() for e in found)
        assert kinds == sorted(o['entity'].upper() for o in objects) or status == 5
        """

    @Test(arguments: OtherStores.stores) func isReadWhole(_ store: OtherStore) throws {
        let scratch = try Scratch()
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
            try FileManager.default.copyItem(
                atPath: store.path + suffix, toPath: scratch.path.appending("copy").string + suffix)
        }
        let dump = try Program.run("ticds-store", ["dump", store.path, "--json"], seconds: 120)
        if store.kind == .sqlite, try !isCoreData(scratch) {
            #expect(dump.status == 2 && dump.errors.contains("not a Core Data store"), "\(dump.errors)")
            return
        }
        #expect(
            dump.status == 0 || (dump.status == 5 && !dump.errors.isEmpty), "\(dump.status) \(dump.errors)")
        let info = try Program.run("ticds-store", ["info", store.path], seconds: 120)
        let isTold = info.status == 5 && !info.errors.isEmpty
        #expect(info.status == 0 || isTold, "\(info.status) \(info.errors)")
        guard store.kind != .binary else { return try expectCounts(dump, store) }
        let complaint = try PythonCheck.complaint(
            store.kind == .xml ? Self.xml : Self.check, on: [dump.bytes],
            [scratch.path.appending("copy").string, "\(dump.status)", String(dump.errors.prefix(500))])
        #expect(complaint == "")
    }

    private func isCoreData(_ scratch: Scratch) throws -> Bool {
        let sql = "SELECT count(*) FROM sqlite_master WHERE name IN ('Z_METADATA', 'Z_PRIMARYKEY')"
        return try scratch.shell("sqlite3 copy \"\(sql)\"").trimmingCharacters(in: .newlines) == "2"
    }

    /// All commands give the same number of objects of a binary store.
    private func expectCounts(_ dump: Program.Result, _ store: OtherStore) throws {
        let info = try Program.run("ticds-store", ["info", store.path, "--json"], seconds: 120)
        let document = try JSONSerialization.jsonObject(with: Data(info.bytes)) as? [String: Any]
        let entities = document?["entities"] as? [[String: Any]] ?? []
        let count = entities.reduce(0) { $0 + ($1["objects"] as? Int ?? 0) }
        let lines = dump.output.split(separator: "\n").count
        #expect(count == lines || (dump.status == 5 && lines < count), "\(count) objects, \(lines) lines")
    }

    /// The folder has stores; the samples have 24.
    @Test func storesAreFound() {
        let isSamples = OtherStores.folder == Samples.folder.string
        #expect(OtherStores.stores.count >= (isSamples ? 24 : 1), "\(OtherStores.stores.map(\.path))")
    }
}

/// The stores of the folder.
enum OtherStores {
    static let folder: String? = {
        if let named = ProcessInfo.processInfo.environment["TICDS_STORES"], !named.isEmpty { return named }
        return Samples.available ? Samples.folder.string : nil
    }()

    /// The stores, by path. Other tests cover the remotes in the samples.
    static let stores: [OtherStore] = {
        guard let folder else { return [] }
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let isSamples = folder == Samples.folder.string
        return names.filter { !isSamples || !["remotes/", "oracle/", "zip/"].contains(where: $0.hasPrefix) }
            .sorted().compactMap { OtherStore("\(folder)/\($0)") }
    }()
}

/// A file whose first bytes are those of a store.
struct OtherStore: CustomTestStringConvertible {
    enum Kind: String {
        case sqlite, binary, xml
    }

    let path: String
    let kind: Kind
    var testDescription: String { path }

    init?(_ path: String) {
        guard let file = FileHandle(forReadingAtPath: path),
            let head = try? file.read(upToCount: 1024), !path.hasSuffix("-wal")
        else { return nil }
        let text = String(decoding: head, as: UTF8.self)
        if text.hasPrefix("SQLite format 3\u{0}") {
            kind = .sqlite
        } else if text.hasPrefix("CoreData") {
            kind = .binary
        } else if text.hasPrefix("<?xml"), text.contains("<database>") {
            kind = .xml
        } else {
            return nil
        }
        self.path = path
    }
}
