import Foundation
import TestSupport
import Testing

/// Validation of the output by Python's jsonschema.
@Suite(.enabled(if: Python.hasJSONSchema, "Python's module jsonschema is not installed"))
struct SchemaValidationTests {
    /// `check(document)`: the errors of a document by the schema that it names.
    private static let script = """
        import glob, itertools, warnings
        from jsonschema import Draft202012Validator as Validator
        warnings.simplefilter('ignore')
        schemas = {os.path.basename(path): json.load(open(path)) for path in glob.glob(sys.argv[-1] + '/*.json')}
        for schema in schemas.values(): Validator.check_schema(schema)
        try:
            from referencing import Registry, Resource
            contents = [(name, Resource.from_contents(schema)) for name, schema in schemas.items()]
            options = {name: {'registry': Registry().with_resources(contents)} for name in schemas}
        except ImportError:
            from jsonschema import RefResolver
            options = {name: {'resolver': RefResolver(name, schemas[name], schemas)} for name in schemas}
        validators = {schema['title']: Validator(schema, **options[name]) for name, schema in schemas.items()}
        def check(document):
            errors = validators[document['schema']].iter_errors(document)
            return ['%s: %s: %s' % (document['schema'], '/'.join(map(str, error.absolute_path)), error.message[:300])
                for error in itertools.islice(errors, 3)]
        def documents(path):
            text, at = open(path, encoding='utf-8').read(), 0
            while text[at:].strip():
                found, at = json.JSONDecoder().raw_decode(text, len(text) - len(text[at:].lstrip()))
                yield found

        """
    private static let folder = ManualPage.package.appending(path: "share").appending(path: "schemas").path

    @Test func everyDocumentIsValid() throws {
        let check = """
            errors = [error for path in sys.argv[1:-1] for document in documents(path) for error in check(document)]
            assert not errors, '\\n'.join(errors[:10])
            """
        let printed = try PrintedDocuments.all.map { Array($0.utf8) }
        #expect(try PythonCheck.complaint(Self.script + check, on: printed, [Self.folder]) == "")
    }

    @Test(arguments: LongTests.areWanted ? DemoRemote.Kind.allCases : [.damaged])
    func everyReadingCommandPrintsValidDocuments(kind: DemoRemote.Kind) throws {
        let demo = try DemoRemote(kind, changeSets: 8)
        let commands =
            ReadingCommand.all(on: demo.path)
            + ReadingCommand.all(onSets: try demo.changeSets, stores: try demo.wholeStores)
        let outputs = try commands.map { try $0.run(["--json"], password: demo.passwordOptions) }
        let errors = outputs.flatMap { $0.errors.split(separator: "\n") }.filter { $0.hasPrefix("{") }
        let check = """
            read = [document for path in sys.argv[1:-1] for document in documents(path)]
            assert len(read) > 30, len(read)
            errors = [error for document in read for error in check(document)]
            assert not errors, '\\n'.join(errors[:10])
            """
        let all = outputs.map(\.bytes) + errors.map { Array($0.utf8) }
        #expect(try PythonCheck.complaint(Self.script + check, on: all, [Self.folder]) == "")
    }

    /// A schema refuses a document without a key or with a value of a wrong type.
    @Test(.enabled(if: LongTests.areWanted, "takes long")) func damagedDocumentsAreRefused() throws {
        let check = """
            absent = {('ticds.replica/1', 'encrypted'), ('ticds.namedObject/1', 'syncID')}
            optional = {'relatedSyncID', 'attributes', 'key', 'value', 'relatedEntity', 'changeType'}
            values = {'attributes', 'value', 'localValue', 'remoteValue', 'first', 'second'}
            first = {}
            for path in sys.argv[1:-1]:
                for document in documents(path): first.setdefault(document['schema'], document)
            assert len(first) == len(schemas) - 2, sorted(set(validators) - set(first))
            for name, document in first.items():
                for key in document:
                    if key == 'schema': continue
                    lacking = {one: value for one, value in document.items() if one != key}
                    isOptional = name == 'ticds.change/1' and key in optional
                    isOptional = isOptional or (name, key) in absent
                    assert check(lacking) or isOptional, (name, key)
                    wrong = dict(document, **{key: 5.5 if isinstance(document[key], dict) else {'odd': 1}})
                    assert check(wrong) or key in values, (name, key)
            """
        let printed = try PrintedDocuments.all.map { Array($0.utf8) }
        let complaint = try PythonCheck.complaint(Self.script + check, on: printed, [Self.folder])
        #expect(complaint == "")
    }
}

extension Python {
    /// Whether the module jsonschema is installed.
    static let hasJSONSchema: Bool = {
        let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        let words = ["python3", "-c", "from jsonschema import Draft202012Validator"]
        let result = try? Program.launch("/usr/bin/env", words, environment: environment, seconds: 30)
        return result?.status == 0
    }()
}
