import Base
import Foundation
import KeyedArchive
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// The lines of schema "ticds.change/1" (ticds-json(5)).
@Suite struct ChangeLineTests {
    /// One change of each type, in order of application, and the line that belongs to it.
    private static let changes: [(change: SyncChange, line: String)] = [
        (
            SyncChange(
                type: .insert, entity: "Note", objectSyncID: "n1",
                changedAttributes: .dictionary(["text": .string("a\u{1B}[31m\nü\u{202E}")]), timestamp: 0.25),
            #""type":"insert","objectSyncID":"n1","attributes":{"text":"a\u001b[31m\nü\u202e"}"#
                + #","timestamp":{"$date":"2001-01-01T00:00:00.250Z"}"#
        ),
        (
            SyncChange(
                type: .attribute, entity: "Note", objectSyncID: "n1", key: "stars",
                changedAttributes: .integer(5), timestamp: 1),
            #""type":"attribute","objectSyncID":"n1","key":"stars","value":5"#
                + #","timestamp":{"$date":"2001-01-01T00:00:01.000Z"}"#
        ),
        (
            SyncChange(
                type: .attribute, entity: "Note", objectSyncID: nil, key: "stars", changedAttributes: .null,
                timestamp: 2),
            #""type":"attribute","objectSyncID":null,"key":"stars","value":null"#
                + #","timestamp":{"$date":"2001-01-01T00:00:02.000Z"}"#
        ),
        (
            SyncChange(
                type: .toOne, entity: "Note", objectSyncID: "n1", key: "folder", relatedEntity: "Folder",
                changedRelationships: .null, timestamp: 3.000001),
            #""type":"toOne","objectSyncID":"n1","key":"folder","relatedEntity":"Folder","relatedSyncID":null"#
                + #","timestamp":{"$date":"2001-01-01T00:00:03.000001Z"}"#
        ),
        (
            SyncChange(
                type: .addToMany, entity: "Note", objectSyncID: "n1", key: "tags", relatedEntity: "Tag",
                changedRelationships: .string("t1"), timestamp: 4),
            #""type":"addToMany","objectSyncID":"n1","key":"tags","relatedEntity":"Tag","relatedSyncID":"t1""#
                + #","timestamp":{"$date":"2001-01-01T00:00:04.000Z"}"#
        ),
        (
            SyncChange(
                type: .removeFromMany, entity: "Note", objectSyncID: "n1", key: "tags", relatedEntity: "Tag",
                changedRelationships: .string("t2"), timestamp: -1),
            #""type":"removeFromMany","objectSyncID":"n1","key":"tags","relatedEntity":"Tag","relatedSyncID":"t2""#
                + #","timestamp":{"$date":"2000-12-31T23:59:59.000Z"}"#
        ),
        (
            SyncChange(
                type: .unknown(7), entity: "Note", objectSyncID: "n1", key: "k", relatedEntity: "Tag",
                changedAttributes: .string("v"), changedRelationships: .string("t3"), timestamp: 5),
            #""type":"unknown","changeType":7,"objectSyncID":"n1","key":"k","relatedEntity":"Tag","#
                + #""attributes":"v","relatedSyncID":"t3","timestamp":{"$date":"2001-01-01T00:00:05.000Z"}"#
        ),
        (
            SyncChange(type: .delete, entity: "Note", objectSyncID: "n1", timestamp: 6),
            #""type":"delete","objectSyncID":"n1","timestamp":{"$date":"2001-01-01T00:00:06.000Z"}"#
        ),
    ]

    /// Every form of a value, by name of the attribute.
    private static let values: [(name: String, value: ArchivedValue, json: String)] = [
        ("true", .boolean(true), "true"), ("integer", .integer(-3), "-3"),
        ("edge", .integer(9_007_199_254_740_991), "9007199254740991"),
        ("large", .integer(9_007_199_254_740_992), #"{"$int":"9007199254740992"}"#),
        ("negative", .integer(Int128(Int64.min)), #"{"$int":"-9223372036854775808"}"#),
        ("real", .real(0.1), "0.1"), ("whole", .real(2), "2.0"),
        ("notANumber", .real(.nan), #"{"$real":"NaN"}"#),
        ("infinite", .real(-.infinity), #"{"$real":"-Infinity"}"#), ("text", .string("Ü😀"), #""Ü😀""#),
        ("data", .data([0, 255]), #"{"$data":"AP8="}"#), ("nothing", .null, "null"),
        ("date", .date(389_111_222.123456), #"{"$date":"2013-05-01T14:27:02.123456Z"}"#),
        ("far", .date(3e11), #"{"$date":{"$real":"300000000000.0"}}"#),
        (
            "decimal", .decimal(ArchivedDecimal(mantissa: 1250, exponent: -2, isNegative: false)),
            #"{"$decimal":"12.50"}"#
        ),
        (
            "uuid", ArchivedUUID(bytes: Array(0..<16)).map { .uuid($0) } ?? .none,
            #"{"$uuid":"00010203-0405-0607-0809-0A0B0C0D0E0F"}"#
        ),
        ("url", .url("http://example.com/"), #"{"$url":"http://example.com/"}"#),
        ("array", .array([.integer(1), .string("b")]), #"[1,"b"]"#),
        ("set", .set([.integer(1)]), #"{"$set":[1]}"#),
        ("ordered", .orderedSet([.integer(2)]), #"{"$orderedSet":[2]}"#),
        ("dictionary", .dictionary(["k": .integer(1)]), #"{"k":1}"#),
        ("dollar", .dictionary(["$k": .integer(1)]), #"{"$dictionary":[["$k",1]]}"#),
        (
            "object",
            .object(
                ArchivedObject(className: "Odd", fields: [ArchivedField("f", .integer(1), isInline: true)])),
            #"{"$class":"Odd","f":1}"#
        ),
    ]

    @Test(.enabled(if: Python.available)) func everyType() throws {
        let scratch = try Scratch()
        let file = try scratch.write(
            "one.syncchg", try ChangeSetWriter.bytes(of: Self.changes.reversed().map(\.change)))
        let expected = Self.changes.enumerated().map { number, change in
            #"{"schema":"ticds.change/1","document":null,"client":null,"changeSet":"one","entity":"Note","#
                + "\"sequence\":\(number + 1),\(change.line)}"
        }
        let result = try Program.run("ticds-changes", ["dump", file, "--json"])
        #expect(result.status == 0)
        #expect(result.errors.isEmpty)
        let script = """
            found = lines(sys.argv[1])
            wanted = [json.loads(line) for line in open(sys.argv[2], encoding='utf-8')]
            assert len(found) == len(wanted)
            for one, other in zip(found, wanted):
                assert one == other, (one, other)
                assert list(one)[0] == 'schema'
            """
        let wanted = Array(expected.map { $0 + "\n" }.joined().utf8)
        let complaint = try PythonCheck.complaint(script, on: [result.bytes, wanted])
        #expect(complaint == "")
    }

    @Test(.enabled(if: Python.available)) func everyValue() throws {
        let scratch = try Scratch()
        let pairs = Self.values.map { ArchivedPair(key: .string($0.name), value: $0.value) }
        let change = SyncChange(
            type: .insert, entity: "Note", objectSyncID: "n1", changedAttributes: .dictionary(pairs),
            timestamp: 0)
        let file = try scratch.write("values.syncchg", try ChangeSetWriter.bytes(of: [change]))
        let result = try Program.run("ticds-changes", ["dump", file, "--json"])
        #expect(result.status == 0, "\(result.errors)")
        let script = """
            [found] = lines(sys.argv[1])
            for line in open(sys.argv[2], encoding='utf-8'):
                name, text = line.rstrip('\\n').split(' ', 1)
                value, wanted = found['attributes'].pop(name), json.loads(text)
                assert value == wanted and type(value) == type(wanted), (name, value, wanted)
            assert not found['attributes']
            """
        let wanted = Array(Self.values.map { "\($0.name) \($0.json)\n" }.joined().utf8)
        let complaint = try PythonCheck.complaint(script, on: [result.bytes, wanted])
        #expect(complaint == "")
    }

    /// Lines of a whole remote contain the places, and come in order of application.
    @Test(.enabled(if: Python.available)) func ofARemote() throws {
        let demo = try DemoRemote()
        let script = """
            COMMON = ['schema', 'document', 'client', 'changeSet', 'sequence', 'type', 'entity', 'objectSyncID', 'timestamp']
            MORE = {'insert': ['attributes'], 'attribute': ['key', 'value'], 'delete': []}
            root, places, seen = sys.argv[2], [], set()
            for line in lines(sys.argv[1]):
                kind = line['type']
                assert sorted(line) == sorted(COMMON + MORE.get(kind, ['key', 'relatedEntity', 'relatedSyncID'])), line
                assert line['schema'] == 'ticds.change/1'
                assert TIME.fullmatch(line['timestamp']['$date']), line
                path = os.path.join(root, 'Documents', line['document'], 'SyncChanges', line['client'], line['changeSet'] + '.syncchg')
                place = (line['document'], os.stat(path).st_mtime_ns, line['changeSet'])
                assert line['sequence'] == (places[-1][1] + 1 if places and places[-1][0] == place else 1)
                places.append((place, line['sequence']))
                seen.add(kind)
            assert places == sorted(places)
            assert len({place for place, _ in places}) == 48, len({place for place, _ in places})
            assert {'insert', 'attribute', 'toOne'} <= seen, seen
            """
        let many = try DemoRemote(changeSets: 36)
        let result = try Program.run("ticds-changes", ["dump", many.path, "--json"])
        #expect(result.status == 0)
        let complaint = try PythonCheck.complaint(script, on: [result.bytes], [many.path])
        #expect(complaint == "")
        // A file of a remote gives its place like the whole remote.
        let file = try #require(try demo.changeSets.first)
        let single = try Program.run("ticds-changes", ["dump", file, "--json"])
        let whole = try Program.run("ticds-changes", ["dump", demo.path, "--document", "cookbook", "--json"])
        #expect(!single.output.isEmpty)
        #expect(whole.output.hasPrefix(single.output))
    }

    @Test func filtersAndHistories() throws {
        let demo = try DemoRemote(changeSets: 20)
        func dump(_ options: String...) throws -> [Substring] {
            let result = try Program.run("ticds-changes", ["dump", demo.path, "--json"] + options)
            #expect(result.status == 0)
            return result.output.split(separator: "\n")
        }
        let all = try dump()
        let tags = try dump("--entity", "Tag", "--type", "insert")
        #expect(tags == all.filter { $0.contains(#""type":"insert","entity":"Tag""#) })
        #expect(tags.count == 10, "five in each document")
        let early = try dump("--until", "2013-06-01")
        let late = try dump("--since", "2013-06-01")
        #expect(early.count + late.count == all.count)
        #expect(!early.isEmpty && !late.isEmpty)
        let first = try #require(tags.first)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(first.utf8)) as? [String: Any])
        let identifier = try #require(json["objectSyncID"] as? String)
        let object = try dump("--object", identifier)
        let log = try Program.run(
            "ticds-changes", ["log", demo.path, String(identifier.prefix(12)), "--json"])
        #expect(log.status == 0)
        #expect(log.output.split(separator: "\n") == object)
        let search = try Program.run(
            "ticds-changes", ["search", demo.path, identifier.lowercased(), "--json"])
        #expect(search.output.split(separator: "\n") == object)
    }
    @Test func aLimitEndsTheOutputWhereItsBeginningIsTheSame() throws {
        let demo = try DemoRemote(changeSets: 20)
        for words in [
            ["dump"], ["dump", "--json"], ["dump", "--timesketch"], ["dump", "--entity", "Tag", "--json"],
        ] {
            let whole = try Program.run("ticds-changes", words + [demo.path])
            let cut = try Program.run("ticds-changes", words + [demo.path, "--limit", "3"])
            #expect(cut.status == 0 && whole.status == 0, "\(cut.errors)")
            let shown = cut.output.replacing("and more, which --limit leaves out", with: "")
            #expect(whole.output.hasPrefix(shown.trimmingCharacters(in: .newlines)), "\(words)")
            if words.count > 1 { #expect(cut.output.split(separator: "\n").count == 3, "\(words)") }
        }
        let one = try Program.run("ticds-changes", ["search", demo.path, "soup", "--limit", "1", "--json"])
        #expect(one.status == 0 && one.output.split(separator: "\n").count == 1)
    }

    @Test func anObjectIsNamedByAWordInIt() throws {
        let demo = try DemoRemote(changeSets: 60)
        let found = try Program.run(
            "ticds-changes", ["search", demo.path, "soup", "--json", "--entity", "Recipe"])
        let line = try #require(found.output.split(separator: "\n").first)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        let identifier = try #require(json["objectSyncID"] as? String)
        let attributes = try #require(json["attributes"] as? [String: Any])
        let title = try #require(attributes["title"] as? String)
        let ambiguous = try Program.run("ticds-changes", ["log", demo.path, "e"])
        #expect(
            ambiguous.status == 0 && ambiguous.errors.contains("the text occurs in"), "\(ambiguous.errors)")
        // Changes without the text are also shown, such as a deletion.
        let lines = ambiguous.output.split(separator: "\n")
        #expect(
            lines.allSatisfy {
                $0.firstMatch(
                    of:
                        /^(\S+ \S+ in \S+|Document \S+| *[0-9-]{10} [0-9:]{8}  \S.*  (insert|set|relate|add|remove|delete).*)$/
                ) != nil
            }, "\(ambiguous.output)")
        #expect(lines.contains { $0.contains("  insert") } && lines.contains { $0.contains("  delete") })
        // A few objects are each shown with their changes below.
        let whole = try DemoRemote(changeSets: 240)
        let few = try Program.run("ticds-changes", ["log", whole.path, "Bread soup"])
        let headings = few.output.split(separator: "\n").filter { $0.hasPrefix("Recipe ") }
        #expect(headings.count > 1 && Set(headings).count == headings.count, "\(few.output)")
        let byWord = try Program.run("ticds-changes", ["log", demo.path, title.uppercased(), "--json"])
        if byWord.errors.isEmpty {
            let byID = try Program.run("ticds-changes", ["log", demo.path, identifier, "--json"])
            #expect(byWord.output == byID.output)
        } else {
            #expect(byWord.errors.contains("the text occurs in"), "\(byWord.errors)")
        }
        let none = try Program.run("ticds-changes", ["search", demo.path, "no such words"])
        #expect(none.status == 1 && none.output.isEmpty && none.errors.contains("vacuum"), "\(none.errors)")
        for command in ["search", "log"] {
            #expect(try Program.run("ticds-changes", [command, demo.path, ""]).status == 64)
        }
        let quiet = try Program.run("ticds-changes", ["search", demo.path, "no such words", "--quiet"])
        #expect(quiet.status == 1 && quiet.errors.isEmpty, "\(quiet.errors)")
    }
}
