import CoreDataStore
import KeyedArchive
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// The lines of schema "ticds.object/1" (ticds-json(5)).
@Suite(.enabled(if: Python.available)) struct ObjectLineTests {
    private static let script = """
        FORMS = {'$date', '$data', '$decimal', '$uuid', '$url', '$int', '$real', '$class', '$set', '$orderedSet', '$dictionary', '$attributedString'}
        def check(value):
            if isinstance(value, list): [check(member) for member in value]
            if not isinstance(value, dict): return
            tags = [key for key in value if key.startswith('$')]
            assert all(tag in FORMS for tag in tags) and (not tags or list(value)[0] == tags[0]), value
            if '$date' in value: assert TIME.fullmatch(value['$date']), value
            elif '$data' in value: base64.b64decode(value['$data'], validate=True)
            elif not tags or '$class' in value: [check(member) for member in value.values()]
        keys, targets, kinds = {}, [], set()
        for line in lines(sys.argv[1]):
            assert list(line) == ['schema', 'entity', 'primaryKey', 'attributes', 'relationships'], line
            assert line['schema'] == 'ticds.object/1' and type(line['primaryKey']) is int
            place = (line['entity'], line['primaryKey'])
            assert place not in keys, place
            keys[place] = line
            check(line['attributes'])
            for name, target in line['relationships'].items():
                kinds.add('toMany' if isinstance(target, list) else 'toOne')
                members = target if isinstance(target, list) else [] if target is None else [target]
                assert all(type(key) is int for key in members), line
                targets += members
        numbers = {number for _, number in keys}
        assert keys and set(targets) <= numbers
        assert len(keys) >= int(sys.argv[2]) and kinds >= set(sys.argv[3].split()), (len(keys), kinds)

        """

    /// Both kinds of whole stores of the demonstration, with their relationships.
    @Test func ofTheDemonstration() throws {
        let demo = try DemoRemote(changeSets: 20)
        for store in try demo.wholeStores {
            let result = try Program.run("ticds-store", ["dump", store, "--json"])
            #expect(result.status == 0, "\(result.errors)")
            let complaint = try PythonCheck.complaint(Self.script, on: [result.bytes], ["5", ""])
            #expect(complaint == "")
        }
    }

    @Test(
        .enabled(if: Samples.available, "needs the samples"),
        arguments: [
            ("sqlite-stores/docset-7606f51/docSet.dsidx", "sqlite-stores/docset-7606f51/docSet.mom", 400),
            ("sqlite-stores/moody/Moody.moody", "sqlite-stores/moody/models", 5),
            ("sqlite-stores/recipes/Recipes.sqlite", "sqlite-stores/recipes", 10),
            ("binary-stores/daymap-1.5.1.b_storedata", "binary-stores/models", 5),
        ])
    func ofSamples(store: String, model: String, objects: Int) throws {
        let result = try Program.run(
            "ticds-store",
            ["dump", Samples.path(store).string, "--model", Samples.path(model).string, "--json"])
        #expect(result.status == 0, "\(result.errors)")
        let complaint = try PythonCheck.complaint(Self.script, on: [result.bytes], ["\(objects)", "toOne"])
        #expect(complaint == "")
    }

    /// Values and relationships of a known store.
    @Test func exactly() throws {
        let scratch = try Scratch()
        let file = scratch.path.appending("set.sqlite")
        var writer = try SQLiteStoreWriter(creating: file, model: FrameworkModels.syncChange)
        try writer.insert(
            StoredObject(
                entity: "TICDSSyncChange", primaryKey: 1,
                attributes: [
                    StoredAttribute(name: "changeType", value: .integer(2)),
                    StoredAttribute(name: "localTimeStamp", value: .date(1.5)),
                    StoredAttribute(name: "objectEntityName", value: .string("Note")),
                ], relationships: []))
        try writer.finish()
        let result = try Program.run("ticds-store", ["dump", file.string, "--json"])
        let script = """
            [line] = lines(sys.argv[1])
            assert line['entity'] == 'TICDSSyncChange' and line['primaryKey'] == 1 and line['relationships'] == {}
            values = {name: value for name, value in line['attributes'].items() if value is not None}
            assert values == {'changeType': 2, 'localTimeStamp': {'$date': '2001-01-01T00:00:01.500Z'}, 'objectEntityName': 'Note'}, values
            """
        let complaint = try PythonCheck.complaint(script, on: [result.bytes])
        #expect(complaint == "")
    }
}
