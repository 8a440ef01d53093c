import Foundation
import KeyedArchive
import SystemPackage
import TestSupport
import Testing
import TICDSCore

/// `ticds-changes dump --timesketch`: events that Python reads as Timesketch does, compared with the lines of `--json`.
@Suite(.enabled(if: Python.available)) struct TimesketchTests {
    private static let check = """
        import datetime
        def events(path):
            found = lines(path)
            for event in found:
                for key in ('message', 'datetime', 'timestamp_desc'): assert event[key], event
                time = datetime.datetime.fromisoformat(event['datetime'])
                assert time.utcoffset() == datetime.timedelta(0), event
                assert len(event['datetime']) == 32, event['datetime']
                assert all(isinstance(v, (str, int, type(None))) for v in event.values()), event
            return found

        """

    @Test(arguments: DemoRemote.Kind.allCases) func everyChangeIsAnEvent(kind: DemoRemote.Kind) throws {
        let demo = try DemoRemote(kind)
        let words = ["dump", demo.path] + demo.passwordOptions
        let result = try Program.run("ticds-changes", words + ["--timesketch"])
        let lines = try Program.run("ticds-changes", words + ["--json"])
        #expect(result.status == lines.status, "\(result.errors)")
        let check = """
            found, wanted = events(sys.argv[1]), lines(sys.argv[2])
            assert len(found) == len(wanted) > 100
            for event, change in zip(found, wanted):
                names = {'document': 'document', 'client': 'client', 'change_set': 'changeSet', 'sequence': 'sequence',
                    'change_type': 'type', 'entity': 'entity', 'object': 'objectSyncID'}
                for key, other in names.items(): assert event[key] == change[other], (event, change)
                assert event['attribute'] == change.get('key')
                assert event['related_object'] == change.get('relatedSyncID')
                assert (event['value'] is not None) == (change['type'] == 'attribute')
                assert event['device'] and event['device'] != event['client']
                assert event['datetime'][:23] == change['timestamp']['$date'][:23]
                assert event['entity'] in event['message'] and event['object'] in event['message']
            assert {e['timestamp_desc'] for e in found} == {'Change Made'}
            """
        let complaint = try PythonCheck.complaint(Self.check + check, on: [result.bytes, lines.bytes])
        #expect(complaint == "")
    }

    /// Odd times, hostile text and changes without a time.
    @Test func oddChanges() throws {
        let scratch = try Scratch()
        func change(_ time: Double?, _ text: String = "x") -> SyncChange {
            SyncChange(
                type: .attribute, entity: "Note", objectSyncID: "n1", key: "text",
                changedAttributes: .string(text), timestamp: time)
        }
        let changes = [
            change(-63_113_904_000), change(-1.000001), change(0.25, "a\u{1B}[31m\n\u{202E}\"\\"),
            change(252_423_993_599.5), change(3e11), change(-9e10),
            SyncChange(type: .unknown(7), entity: "", objectSyncID: nil, timestamp: 389_111_222.1234567),
        ]
        let bytes = try ChangeSetWriter.bytes(of: changes)
        let named = try scratch.write("0405432101.123456-E621E1F8-C36C-495A-93FC-0C247A3E6E5F.syncchg", bytes)
        let result = try Program.run("ticds-changes", ["dump", named, "--timesketch"])
        #expect(result.status == 0, "\(result.errors)")
        let check = """
            found = events(sys.argv[1])
            assert len(found) == 7, len(found)
            sent = [e for e in found if e['timestamp_desc'] == 'Change Set Sent']
            assert len(sent) == 2 and {e['datetime'] for e in sent} == {'2013-11-06T12:01:41.123456+00:00'}, sent
            times = sorted(e['datetime'] for e in found if e not in sent)
            assert times == ['0001-01-01T00:00:00.000000+00:00', '2000-12-31T23:59:58.999999+00:00',
                '2001-01-01T00:00:00.250000+00:00', '2013-05-01T14:27:02.123456+00:00',
                '9999-12-31T23:59:59.500000+00:00'], times
            assert all(e['device'] is None and e['client'] is None for e in found)
            """
        let complaint = try PythonCheck.complaint(Self.check + check, on: [result.bytes])
        #expect(complaint == "")
        let unnamed = try scratch.write("one.syncchg", bytes)
        let less = try Program.run("ticds-changes", ["dump", unnamed, "--timesketch"])
        #expect(less.status == 5 && less.errors.contains("2 changes without a time"), "\(less.errors)")
        #expect(less.output.split(separator: "\n").count == 5)
    }
}
