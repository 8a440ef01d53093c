import Foundation
import SystemPackage
import TestSupport
import Testing

/// Every command without JSON Lines prints exactly one document, with a schema and the keys that belong to it.
@Suite(.enabled(if: Python.available)) struct JSONDocumentTests {
    private static let script = """
        TOP = {
            'ticds.status/1': 'remote application encrypted files documents deletedDocuments clients documentClients duplicates stores strays unread',
            'ticds.tree/1': 'remote application encrypted entries unread',
            'ticds.documents/1': 'remote application encrypted documents deletedDocuments unread',
            'ticds.clients/1': 'remote application encrypted clients documentClients duplicates unread',
            'ticds.stores/1': 'remote application encrypted stores unread',
            'ticds.timeline/1': 'remote application encrypted scale rows untimedNames disagreeing svg',
            'ticds.wholeStores/1': 'remote application encrypted stores',
            'ticds.storeCheck/1': 'stores',
            'ticds.changeSets/1': 'changeSets',
            'ticds.changeStatistics/1': 'changes byEntity byType byClient byDay largestValues',
            'ticds.changeDifferences/1': 'differences',
            'ticds.demo/1': 'remote changeSets encrypted damaged modelVersions',
            'ticds.version/1': 'version libraries',
            'ticds.integrity/1': 'remote application documents',
            'ticds.password/1': 'remote application encrypted files',
        }
        INNER = {
            'documents': 'identifier description lastSync integrityKeys clients deletedClients changeSets wholeStores temporaryFiles missingFolders hasDocumentInfo',
            'clients': 'identifier description registered listed documents lastSync changeSets',
            'documentClients': 'document client member listed tombstone lastSync changeSets lag',
            'stores': 'document client path kind missing size modified registerSize',
            'entries': 'path role size modified stray',
            'differences': 'entity objectSyncID aspect key inFirst first inSecond second',
            'unread': 'path kind offset problem expected found advice',
        }
        def check(path, schema):
            found = document(path)
            assert list(found)[0] == 'schema' and found['schema'] == schema, found['schema']
            missing = set(TOP[schema].split()) - set(found)
            assert not missing, (schema, missing)
            for member in found.get('documents', []) if schema == 'ticds.integrity/1' else []:
                assert set(member) == {'document', 'description', 'entries', 'findings'}
                assert len(member['entries']) == 1 and member['entries'][0]['content'] == 'asWritten'
                assert TIME.fullmatch(member['entries'][0]['modified'])
            for name, keys in INNER.items() if schema not in ('ticds.integrity/1', 'ticds.wholeStores/1', 'ticds.storeCheck/1') else []:
                for member in found.get(name, []):
                    lacking = set(keys.split()) - set(member)
                    assert not lacking, (schema, name, lacking)
                    for key in ('modified', 'lastSync', 'oldest', 'newest'):
                        assert member.get(key) is None or TIME.fullmatch(member[key]), member
            for member in found.get('changeSets', []) if schema == 'ticds.changeSets/1' else []:
                assert set(member) >= {'document', 'client', 'changeSet', 'path', 'size', 'modified'}
                assert os.stat(member['path']).st_size == member['size']
            return found
        middle = sys.argv.index('--')
        found = [check(path, schema) for path, schema in zip(sys.argv[1:middle], sys.argv[middle + 1:])]

        """

    @Test(arguments: DemoRemote.Kind.allCases) func everyCommand(kind: DemoRemote.Kind) throws {
        let demo = try DemoRemote(kind, changeSets: 4)
        let commands =
            ReadingCommand.all(on: demo.path)
            + ReadingCommand.all(onSets: try demo.changeSets, stores: [])
        var outputs: [[UInt8]] = []
        var schemas: [String] = []
        for command in commands {
            guard let schema = command.schema else { continue }
            let result = try command.run(["--json"], password: demo.passwordOptions)
            if result.status == 2 { continue }
            #expect([0, 1, 5].contains(result.status), "\(command.text): \(result.errors)")
            outputs.append(result.bytes)
            schemas.append(schema)
        }
        #expect(outputs.count >= 8)
        let complaint = try PythonCheck.complaint(Self.script, on: outputs, ["--"] + schemas)
        #expect(complaint == "")
    }

    @Test func demoAndVersion() throws {
        let scratch = try Scratch()
        let folder = scratch.path.appending("demo").string
        let demo = try Program.run("ticds", ["demo", folder, "--change-sets", "1", "--json"])
        let version = try Program.run("ticds", ["version", "--json"])
        #expect(demo.errors.isEmpty && version.errors.isEmpty)
        let schemas = ["--", "ticds.demo/1", "ticds.version/1"]
        let complaint = try PythonCheck.complaint(Self.script, on: [demo.bytes, version.bytes], schemas)
        #expect(complaint == "")
    }

    /// The figures of the documents equal those of the tree.
    @Test func figuresAgree() throws {
        let demo = try DemoRemote(changeSets: 20)
        let outputs = try ["status", "tree"].map {
            try Program.run("ticds-inspect", [$0, demo.path, "--json"]).bytes
        }
        let more = """
            status, tree = found
            root = status['remote']
            assert root == tree['remote'] == sys.argv[-1]
            assert status['application'] == 'com.example.cookbook' and status['encrypted'] is False
            names = {entry['path'] for entry in tree['entries']}
            walked = {os.path.relpath(os.path.join(at, name), root) for at, folders, files in os.walk(root) for name in folders + files}
            assert names == walked, names ^ walked
            for entry in tree['entries']:
                info = os.lstat(os.path.join(root, entry['path']))
                assert entry['size'] == (None if os.path.isdir(os.path.join(root, entry['path'])) else info.st_size)
            files = [entry for entry in tree['entries'] if entry['size'] is not None]
            assert status['files'] == {'count': len(files), 'bytes': sum(entry['size'] for entry in files)}
            for one in status['documents']:
                sets = [e for e in files if e['path'].startswith('Documents/%s/SyncChanges/' % one['identifier'])]
                assert one['changeSets']['count'] == len(sets) == {'cookbook': 20, 'pantry': 12}[one['identifier']]
                assert one['changeSets']['bytes'] == sum(e['size'] for e in sets)
                assert one['changeSets']['newest'] == max(e['modified'] for e in sets)
                assert one['description'] == {'cookbook': 'Family cookbook', 'pantry': 'Pantry'}[one['identifier']]
            assert len(status['clients']) == 3 and len(status['documentClients']) == 6 and status['unread'] == []
            """
        let schemas = ["--", "ticds.status/1", "ticds.tree/1", demo.path]
        let complaint = try PythonCheck.complaint(Self.script + more, on: outputs, schemas)
        #expect(complaint == "")
    }

    /// An error is one line of JSON before the text, on standard error, with nothing on standard output.
    @Test(
        arguments: [
            (["ticds-inspect", "status", "/nowhere"], "missing", 2),
            (["ticds-changes", "dump", "/nowhere"], "missing", 2),
            (["ticds-store", "dump", "/nowhere"], "missing", 2),
            (["ticds-changes", "list", "/usr"], "notARemote", 2),
            (["ticds-changes", "dump", "--type", "odd", "/usr"], "usage", 64),
            (["ticds-store", "bogus"], "usage", 64),
            (["ticds", "bogus"], "usage", 64),
            (["ticds-verify", "--progress", "json", "--no-progress"], "usage", 64),
            (["ticds-inspect", "tree"], "usage", 64),
        ] as [([String], String, Int)])
    func errors(words: [String], kind: String, status: Int) throws {
        let result = try Program.run(words[0], words.dropFirst() + ["--json"])
        #expect(result.status == Int32(status))
        #expect(result.bytes.isEmpty)
        let script = """
            first = open(sys.argv[1], 'rb').read().decode('utf-8').split('\\n')[0]
            error = strict(first)
            assert list(error) == 'schema program kind path offset problem expected found advice finding exitStatus'.split(), error
            assert error['schema'] == 'ticds.error/1' and error['program'] == sys.argv[2]
            assert error['kind'] == sys.argv[3] and error['exitStatus'] == int(sys.argv[4]), error
            assert error['problem']
            """
        let complaint = try PythonCheck.complaint(
            script, on: [Array(result.errors.utf8)], [words[0], kind, "\(status)"])
        #expect(complaint == "")
    }
}
