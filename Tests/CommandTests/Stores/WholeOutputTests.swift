import CoreDataStore
import Foundation
import KeyedArchive
import SystemPackage
import TestSupport
import Testing

/// The content of a store is in the output of every command, or the command reports what is missing.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"))) struct WholeOutputTests
{
    private static let uuid = "0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55"

    /// A family with two subentities that declare a relationship of the same name, and a second table.
    private static let source = """
        <?xml version="1.0"?><model>
        <entity name="Car"><attribute name="plate" optional="YES" attributeType="String"/>
        <attribute name="built" optional="YES" attributeType="Date"/>
        <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="wheels" attributeType="Integer 16" defaultValueString="4"/>
        <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person"/></entity>
        <entity name="Fast" parentEntity="Car" elementID="Sport">
        <relationship name="fans" optional="YES" toMany="YES" destinationEntity="Person" inverseName="fast"/></entity>
        <entity name="Slow" parentEntity="Car">
        <relationship name="fans" optional="YES" toMany="YES" destinationEntity="Person" inverseName="slow"/></entity>
        <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
        <relationship name="fast" optional="YES" toMany="YES" destinationEntity="Fast" inverseName="fans"/>
        <relationship name="slow" optional="YES" toMany="YES" destinationEntity="Slow" inverseName="fans"/></entity>
        </model>
        """

    private struct Cars {
        let scratch: Scratch
        let path: String
        let model: String

        init(_ objects: [StoredObject] = Self.objects) throws {
            scratch = try Scratch()
            model = try scratch.write("contents", Array(WholeOutputTests.source.utf8))
            let store = scratch.path.appending("cars.sqlite")
            var writer = try SQLiteStoreWriter(creating: store, model: try ModelFile.load(FilePath(model)))
            for object in objects { try writer.insert(object) }
            try writer.finish()
            path = store.string
        }

        static let objects = [
            object("Person", 1, ["name": .string("Ann")]), object("Person", 2, ["name": .string("Ben")]),
            object("Car", 1, ["plate": .string("A")], owner: 1),
            object("Fast", 2, ["plate": .string("B")], fans: [1, 2]),
            object("Slow", 3, ["plate": .string("C")], fans: [2]),
        ]

        static func object(
            _ entity: String, _ key: Int64, _ values: [String: ArchivedValue], owner: Int64? = nil,
            fans: [Int64]? = nil
        ) -> StoredObject {
            StoredObject(
                entity: entity, primaryKey: key,
                attributes: values.map { StoredAttribute(name: $0.key, value: $0.value) },
                relationships: [owner.map { StoredRelationship(name: "owner", target: .toOne($0)) }]
                    .compactMap(\.self)
                    + [fans.map { StoredRelationship(name: "fans", target: .toMany($0)) }].compactMap(\.self))
        }

        func sql(_ statement: String) throws { try scratch.shell("sqlite3 cars.sqlite \"\(statement)\"") }

        func run(_ command: String, _ options: [String] = []) throws -> Program.Result {
            try Program.run("ticds-store", [command, path, "--model", model] + options)
        }

        /// The objects of `dump` by entity.
        func counts(_ result: Program.Result) throws -> [String: Int] {
            try result.output.split(separator: "\n").reduce(into: [:]) { counts, line in
                let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                counts[object?["entity"] as? String ?? "?", default: 0] += 1
            }
        }
    }

    /// The former name of an entity: the renaming identifier explains it.
    @Test func aRenamedEntity() throws {
        let cars = try Cars()
        try cars.sql("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Sport' WHERE Z_NAME = 'Fast'")
        let dump = try cars.run("dump", ["--json"])
        #expect(dump.status == 0 && dump.errors.contains("former name “Sport”"), "\(dump.errors)")
        #expect(try cars.counts(dump) == ["Car": 1, "Fast": 1, "Slow": 1, "Person": 2])
        let export = try cars.run("export", ["--to", cars.scratch.path.appending("out.db").string])
        #expect(export.status == 0 && export.output.contains("5 objects"), "\(export.output)\(export.errors)")
    }

    /// Unexplained names, rows of no entity, and tables of no entity.
    @Test func unexplainedRows() throws {
        let cars = try Cars()
        try cars.sql(
            "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Old' || Z_NAME WHERE Z_NAME IN ('Fast', 'Slow'); "
                + "UPDATE ZPERSON SET Z_ENT = 99 WHERE Z_PK = 2; "
                + "CREATE TABLE ZLEFT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER); INSERT INTO ZLEFT VALUES (1, 1)"
        )
        let dump = try cars.run("dump", ["--json"])
        #expect(try cars.counts(dump) == ["Car": 1, "OldFast": 1, "OldSlow": 1, "Person": 1])
        let words = ["OldFast", "OldSlow", "ZPERSON", "ZLEFT"]
        #expect(dump.status == 5 && words.allSatisfy { dump.errors.contains($0) }, "\(dump.errors)")
        for name in ["out.db", "out.json", "out"] {
            let export = try cars.run("export", ["--to", cars.scratch.path.appending(name).string])
            #expect(
                export.status == 5 && words.allSatisfy { export.errors.contains($0) }, "\(export.errors)")
            #expect(export.output.contains("4 objects"), "\(export.output)")
        }
        let other = try Cars()
        let compared = try Program.run(
            "ticds-store", ["compare", cars.path, other.path, "--model", cars.model])
        #expect(compared.status == 1 && compared.errors.contains("ZLEFT"), "\(compared.errors)")
    }

    /// A missing table affects only its own objects.
    @Test func aMissingTable() throws {
        let cars = try Cars()
        try cars.sql("DROP TABLE ZPERSON")
        let dump = try cars.run("dump", ["--json"])
        #expect(dump.status == 5 && dump.errors.contains("ZPERSON"), "\(dump.errors)")
        #expect(try cars.counts(dump) == ["Car": 1, "Fast": 1, "Slow": 1])
        let blind = try Program.run("ticds-store", ["dump", cars.path, "--json"])
        #expect(try cars.counts(blind) == ["Car": 1, "Fast": 1, "Slow": 1])
        #expect(blind.status == 5 && blind.errors.contains("ZPERSON"), "\(blind.errors)")
        for name in ["out.db", "out.jsonl", "out"] {
            let export = try cars.run("export", ["--to", cars.scratch.path.appending(name).string])
            #expect(export.status == 5 && export.errors.contains("ZPERSON"), "\(export.errors)")
            #expect(export.output.contains("3 objects"), "\(export.output)")
        }
        #expect(try cars.run("check").status == 1)
        let copy = cars.scratch.path.appending("copy.sqlite").string
        let extracted = try Program.run("ticds-store", ["extract", cars.path, copy])
        #expect(extracted.status == 0 && extracted.output.contains("3 objects"), "\(extracted.errors)")
        let compared = try Program.run(
            "ticds-store", ["compare", cars.path, copy, "--model", cars.model, "--by", "primary-key"])
        #expect(compared.status == 5 && compared.errors.contains("ZPERSON"), "\(compared.errors)")
    }

    /// Files of external data that do not exist are counted; tables have NULL.
    @Test func missingExternalData() throws {
        let cars = try Cars()
        try cars.sql("UPDATE ZCAR SET ZPHOTO = CAST(x'02' || '\(Self.uuid)' || x'00' AS BLOB) WHERE Z_PK < 3")
        let dump = try cars.run("dump", ["--json"])
        #expect(dump.status == 5 && dump.errors.contains("2 values are missing"), "\(dump.errors)")
        #expect(dump.output.contains("\"photo\":{\"$externalData\":\"\(Self.uuid)\"}"), "\(dump.output)")
        #expect(try cars.run("dump").output.contains("photo = (no file \(Self.uuid))"))
        let database = cars.scratch.path.appending("out.db").string
        let export = try cars.run("export", ["--to", database, "--json"])
        #expect(export.status == 5 && export.errors.contains("2 values are missing"), "\(export.errors)")
        #expect(export.output.contains("\"missingValues\": 2"), "\(export.output)")
        let rows = try cars.scratch.shell("sqlite3 out.db 'SELECT count(*), count(photo) FROM Car'")
        #expect(rows == "3|0\n", "\(rows)")
        let csv = try cars.run("export", ["--to", cars.scratch.path.appending("out").string])
        #expect(csv.status == 5 && csv.errors.contains("2 values are missing"), "\(csv.errors)")
        #expect(!(try cars.scratch.shell("cat out/*.csv").contains(Self.uuid)))
        let copy = cars.scratch.path.appending("copy.sqlite").string
        let extracted = try Program.run("ticds-store", ["extract", cars.path, copy, "--json"])
        #expect(extracted.errors.contains("1 value is missing"), "\(extracted.errors)")
        #expect(extracted.output.contains("\"missingExternalFiles\": 1"), "\(extracted.output)")
    }

    /// Dates without a form in ISO 8601 that every reader knows. Python reads the tables.
    @Test(.enabled(if: Python.available)) func extremeDates() throws {
        let cars = try Cars()
        try cars.sql(
            "UPDATE ZCAR SET ZBUILT = -63114076800.0 WHERE Z_PK = 1; UPDATE ZCAR SET ZBUILT = 3e11 WHERE Z_PK = 2; "
                + "UPDATE ZCAR SET ZBUILT = 63113904000.0 WHERE Z_PK = 3")
        let dump = try cars.run("dump", ["--utc"])
        #expect(
            dump.output.contains("(distantPast)") && dump.output.contains("(distantFuture)"), "\(dump.output)"
        )
        let json = try cars.run("dump", ["--json"]).output
        #expect(json.contains(#""built":{"$date":{"$real":"300000000000.0"}}"#), "\(json)")
        #expect(json.contains(#""built":{"$date":{"$real":"-63114076800.0"}}"#), "\(json)")
        for name in ["out.db", "out"] {
            #expect(try cars.run("export", ["--to", cars.scratch.path.appending(name).string]).status == 0)
        }
        let complaint = try PythonCheck.complaint(
            """
            import csv, datetime, sqlite3
            folder = '\(cars.scratch.path)'
            wanted = ['distantPast', 'seconds since 2001: 300000000000.0', '4001-01-01T00:00:00.000Z']
            found = [v for (v,) in sqlite3.connect(folder + '/out.db').execute('select built from Car order by primaryKey')]
            tables = [row['built'] for name in ('Car', 'Fast', 'Slow') for row in csv.DictReader(open(f'{folder}/out/{name}.csv', newline=''))]
            for values in (found, tables):
                for value, text in zip(values, wanted, strict=True):
                    if text[0] == '4': assert datetime.datetime.fromisoformat(value) == datetime.datetime.fromisoformat(text)
                    elif text == 'distantPast': assert value == text, value
                    else: assert value.startswith('seconds since 2001: ') and float(value.split(': ')[1]) == 3e11, value
                    try: datetime.datetime.fromisoformat(value); read = True
                    except ValueError: read = False
                    assert read == (text[0] == '4'), value
            """, on: [])
        #expect(complaint == "")
    }

    /// NULL is not a dangling key, even if the target table is empty.
    @Test func nullsAreNoDanglingKeys() throws {
        let cars = try Cars([Cars.object("Car", 1, [:]), Cars.object("Car", 2, [:])])
        let target = cars.scratch.path.appending("out.db").string
        let export = try cars.run("export", ["--to", target, "--json"])
        #expect(export.status == 0 && export.errors == "", "\(export.errors)")
        #expect(export.output.contains("\"clearedKeys\": 0"), "\(export.output)")
    }

    /// Relationships with the same name in sibling entities have separate tables.
    @Test func relationshipsOfSiblings() throws {
        let cars = try Cars()
        #expect(try cars.run("export", ["--to", cars.scratch.path.appending("out.db").string]).status == 0)
        let rows = try cars.scratch.shell(
            """
            sqlite3 out.db "SELECT name FROM sqlite_master WHERE name LIKE '%fans' ORDER BY name; \
            SELECT * FROM Car_fans ORDER BY 1, 2; SELECT * FROM Slow_fans"
            """)
        #expect(rows == "Car_fans\nSlow_fans\n2|1\n2|2\n3|2\n", "\(rows)")
    }

    /// A deviation that Core Data itself leaves is a note and not a finding.
    @Test func tolerated() throws {
        let cars = try Cars()
        try cars.sql("UPDATE ZCAR SET ZWHEELS = NULL WHERE Z_PK = 1")
        let check = try cars.run("check")
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        #expect(
            check.output.contains("note: missingValue Car.wheels") && check.output.contains("nothing found"))
        let json = try cars.run("check", ["--json"])
        #expect(
            json.output.contains("\"findings\": []") && json.output.contains("\"kind\": \"missingValue\""))
        try cars.sql("UPDATE ZCAR SET ZOWNER = 77")
        #expect(try cars.run("check").status == 1)
    }

    /// The exit status for a model that does not match is the same for a file and a folder, and the best one is named.
    @Test func mismatches() throws {
        let cars = try Cars()
        let source = Self.source
        let near = source.replacingOccurrences(of: "name=\"plate\"", with: "name=\"number\"")
        let far = "<?xml version=\"1.0\"?><model><entity name=\"Dog\"/></model>"
        try cars.scratch.shell("mkdir models one")
        _ = try cars.scratch.write("models/a.xcdatamodel-contents", Array(far.utf8))
        let nearest = try cars.scratch.write("models/b.xcdatamodel-contents", Array(near.utf8))
        _ = try cars.scratch.write("one/contents", Array(near.utf8))
        for model in ["models", "one", "models/b.xcdatamodel-contents"] {
            let path = cars.scratch.path.string + "/" + model
            let refused = try Program.run("ticds-store", ["dump", cars.path, "--model", path])
            #expect(refused.status == 3, "\(model) \(refused.errors)")
            #expect(refused.errors.contains("1 equal; Car (differs), Fast (differs), Slow (differs)"))
            if model == "models" { #expect(refused.errors.contains(nearest), "\(refused.errors)") }
            let accepted = try Program.run(
                "ticds-store", ["dump", cars.path, "--model", path, "--accept-mismatch", "--json"])
            #expect(accepted.status == 5 && accepted.errors.contains("number"), "\(accepted.errors)")
            #expect(accepted.errors.contains("ZPLATE: 3 values"), "\(accepted.errors)")
            #expect(try cars.counts(accepted) == ["Car": 1, "Fast": 1, "Slow": 1, "Person": 2])
        }
    }

    /// The columns of a composite attribute have the names of its elements, which this form of the model does not
    /// contain: their values are omitted and named.
    @Test func compositeAndDerivedAttributes() throws {
        let cars = try Cars()
        let source = Self.source.replacingOccurrences(
            of: "<attribute name=\"built\"",
            with: "<attribute name=\"engine\" optional=\"YES\" attributeType=\"Composite\"/>"
                + "<attribute name=\"length\" derived=\"YES\" optional=\"YES\" attributeType=\"Integer 64\"/><attribute name=\"built\""
        )
        let model = try cars.scratch.write("newer", Array(source.utf8))
        try cars.sql(
            "ALTER TABLE ZCAR ADD ZPOWER FLOAT; ALTER TABLE ZCAR ADD ZCYLINDERS VARCHAR; "
                + "ALTER TABLE ZCAR ADD ZLENGTH INTEGER; UPDATE ZCAR SET ZPOWER = 1.5, ZCYLINDERS = 'V', ZLENGTH = 9"
        )
        let dump = try Program.run(
            "ticds-store",
            ["dump", cars.path, "--model", model, "--accept-mismatch", "--json", "--entity", "Car"])
        #expect(dump.status == 5, "\(dump.errors)")
        #expect(dump.errors.contains("ZPOWER, ZCYLINDERS: 6 values"), "\(dump.errors)")
        #expect(dump.output.contains(#""length":9"#), "\(dump.output)")
    }
}
