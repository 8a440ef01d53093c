import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// `ticds-changes recover` and `ticds-store recover` on truncated change sets and binary stores.
struct BinaryRecoverTests {
    /// The largest change set of the demonstration remote, truncated in the middle of its objects.
    private struct CutSet {
        let demo: DemoRemote
        let whole: String
        let cut: String

        init(_ kind: DemoRemote.Kind = .plain, bytesOf map: Double = 0.7) throws {
            demo = try DemoRemote(kind, changeSets: 30)
            let found = try demo.scratch.shell(
                "find demo -name '*.syncchg' -printf '%s %p\\n' | sort -n | tail -n 1 | cut -d ' ' -f 2-")
            whole = demo.scratch.path.appending(found.trimmingCharacters(in: .newlines)).string
            let bytes = Array(try Data(contentsOf: URL(filePath: whole)))
            // The header contains the length of the keyed archive of the objects.
            let length = bytes[40..<48].reduce(0) { $0 << 8 | Int($1) }
            let size = kind == .encrypted ? bytes.count * 2 / 3 : 64 + Int(Double(length) * map)
            cut = try demo.scratch.write("cut.syncchg", Array(bytes.prefix(size)))
        }
    }

    /// Complete changes equal those of the intact set, and the new set contains them; the damaged file stays unchanged.
    @Test func changesBeforeTheCut() throws {
        let set = try CutSet()
        let before = try Data(contentsOf: URL(filePath: set.cut))
        let dump = try Program.run("ticds-changes", ["dump", set.whole, "--json"])
        let recovered = try Program.run("ticds-changes", ["recover", set.cut, "--json"])
        #expect(recovered.status == 5)
        #expect(
            recovered.errors.contains("the file is truncated")
                && recovered.errors.contains("the metadata are lost"))
        let target = set.demo.scratch.path.appending("new.syncchg").string
        let written = try Program.run("ticds-changes", ["recover", set.cut, "--to", target, "--json"])
        #expect(written.status == 5, "\(written.errors)")
        let again = try Program.run("ticds-changes", ["dump", target, "--json"])
        #expect(again.status == 0, "\(again.errors)")
        let script = """
            def key(c): return json.dumps([c[k] for k in ('type', 'entity', 'objectSyncID', 'timestamp')] + [c.get(k) for k in ('key', 'relatedEntity', 'relatedSyncID')])
            def value(c): return c.get('value', c.get('attributes'))
            whole = {}
            for c in lines(sys.argv[1]): whole.setdefault(key(c), []).append(value(c))
            found, made = lines(sys.argv[2]), lines(sys.argv[3])
            complete = [c for c in found if c['whole']]
            assert 3 < len(complete) < len(whole), (len(complete), len(whole))
            assert len(made) == len(complete)
            for c in complete + made: assert value(c) in whole[key(c)], c
            for c in found: assert c['whole'] == (c['missing'] == [])
            summary = json.loads(open(sys.argv[4]).read())
            assert summary['whole'] == len(complete) and summary['partial'] == len(found) - len(complete), summary
            """
        let outputs = [dump, recovered, again, written].map { Array($0.output.utf8) }
        #expect(try PythonCheck.complaint(script, on: outputs) == "")
        #expect(try Data(contentsOf: URL(filePath: set.cut)) == before)
    }

    /// An intact set gives everything, and status 0.
    @Test func aWholeSetIsWhole() throws {
        let set = try CutSet()
        for program in ["ticds-changes", "ticds-store"] {
            let result = try Program.run(program, ["recover", set.whole])
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.errors == "" && result.output.contains("0 "))
        }
    }

    /// A change set is a binary store: its objects are shown with their slots or with the names of the model.
    @Test func aChangeSetIsAStore() throws {
        let set = try CutSet()
        let plain = try Program.run("ticds-store", ["recover", set.cut, "--json"])
        #expect(plain.status == 5)
        let target = set.demo.scratch.path.appending("new").string
        let written = try Program.run("ticds-store", ["recover", set.cut, "--to", target, "--certain"])
        #expect(
            written.status == 5 && written.output.contains("written: "), "\(written.errors)\(written.output)")
        let dump = try Program.run("ticds-store", ["dump", target, "--json"])
        let lines = try Program.run(
            "ticds-store",
            ["recover", set.cut, "--to", set.demo.scratch.path.appending("all.jsonl").string, "--json"])
        #expect(lines.status == 5, "\(lines.errors)")
        let script = """
            found, made, summary = lines(sys.argv[1]), lines(sys.argv[2]), document(sys.argv[3])
            whole = [o for o in found if o['whole']]
            assert len(whole) > 3
            names = {o['primaryKey']: o['attributes'] for o in whole}
            assert len(made) == len(whole)
            for o in made: assert o['attributes'] == names[o['primaryKey']], o
            kind, = summary['objects']
            assert kind['whole'] == len(whole) and kind['partial'] == len(found) - len(whole)
            assert summary['offsetsFrom'] == 'objects' and not summary['metadata'] and summary['written'] is None
            assert [json.loads(l) for l in open(sys.argv[4])] == found
            """
        let outputs = [plain, dump, lines].map { Array($0.output.utf8) }
        #expect(
            try PythonCheck.complaint(
                script, on: outputs, [set.demo.scratch.path.appending("all.jsonl").string]) == "")
    }

    /// Nothing is replaced, nothing is written into a remote, and an impossible request is refused with the possible
    /// ones.
    @Test func refusals() throws {
        let set = try CutSet()
        let scratch = set.demo.scratch
        let there = try scratch.write("there", [1])
        let inside = set.demo.root.appending("new.syncchg").string
        let none = try scratch.write(
            "none.syncchg", Array(try Data(contentsOf: URL(filePath: set.whole)).prefix(70)))
        let few = try scratch.write(
            "few.syncchg", Array(try Data(contentsOf: URL(filePath: set.whole)).prefix(500)))
        let new = scratch.path.appending("new.syncchg").string
        let sqlite = try scratch.write(
            "old.syncchg", Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 200))
        let xml = try scratch.write("store.xml", Array("<?xml version=\"1.0\"?><database/>".utf8))
        let calls: [(words: [String], text: String)] = [
            (["ticds-changes", "recover", set.cut, "--to", there], "already exists"),
            (["ticds-changes", "recover", set.cut, "--to", inside], "lies in a remote"),
            (["ticds-changes", "recover", few, "--to", new], "nothing was written. Restore it"),
            (["ticds-changes", "recover", none], "nothing of the objects can be recovered"),
            (["ticds-changes", "recover", sqlite], "ticds-store recover"),
            (["ticds-store", "recover", set.cut, "--to", there], "already exists"),
            (["ticds-store", "recover", set.cut, "--to", there + ".db"], "ends in .jsonl"),
            (["ticds-store", "recover", set.cut, "--deleted"], "Leave out --deleted"),
            (["ticds-store", "recover", set.cut, "--entity", "Nothing"], "there is no entity Nothing"),
            (["ticds-store", "recover", none], "nothing of the objects can be recovered"),
            (["ticds-store", "recover", xml], "XML store"),
        ]
        for (words, text) in calls {
            let result = try Program.run(words[0], Array(words.dropFirst()))
            #expect(
                (result.status == 2 || result.status == 3) && result.errors.contains(text),
                "\(words): \(result.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: inside))
    }

    /// A truncated encrypted set cannot be opened, and the error names the reason.
    @Test func anEncryptedSetCannotBeOpened() throws {
        let set = try CutSet(.encrypted)
        let bytes = Array(try Data(contentsOf: URL(filePath: set.cut)))
        try Data(bytes).write(to: URL(filePath: set.whole))
        let result = try Program.run("ticds-changes", ["recover", set.whole] + set.demo.passwordOptions)
        #expect(result.status == 2 || result.status == 4, "\(result.status) \(result.errors)")
    }

    /// Without a header, either program still finds the objects.
    @Test func withoutAHeader() throws {
        let set = try CutSet()
        var bytes = Array(try Data(contentsOf: URL(filePath: set.whole)))
        bytes.replaceSubrange(0..<64, with: [UInt8](repeating: 0, count: 64))
        let damaged = try set.demo.scratch.write("headless.syncchg", bytes)
        let dump = try Program.run("ticds-changes", ["dump", set.whole, "--json"])
        let changes = try Program.run("ticds-changes", ["recover", damaged, "--json"])
        #expect(changes.status == 5 && changes.errors.contains("the header is damaged"), "\(changes.errors)")
        #expect(!changes.errors.contains("metadata"))
        #expect(
            changes.output.split(separator: "\n").count == dump.output.split(separator: "\n").count)
        let objects = try Program.run("ticds-store", ["recover", damaged, "--json"])
        #expect(objects.status == 5, "\(objects.errors)")
        #expect(
            objects.output.split(separator: "\n").count == dump.output.split(separator: "\n").count)
    }

    /// The documents for other tests of JSON: one of each schema.
    static func printedDocuments() throws -> [String] {
        let set = try CutSet()
        var printed: [String] = []
        for words in [["ticds-changes", "recover"], ["ticds-store", "recover"]] {
            let lines = try Program.run(words[0], ["recover", set.cut, "--json"])
            printed += lines.output.split(separator: "\n").map(String.init)
            let target = set.demo.scratch.path.appending("new-\(words[0])").string
            printed.append(
                try Program.run(words[0], ["recover", set.cut, "--to", target, "--json"]).output)
        }
        return printed
    }
}
