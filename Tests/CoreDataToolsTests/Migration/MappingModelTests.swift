import Base
import CoreDataStore
import CoreDataTools
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Mapping models of Xcode and of apps.
@Suite("Mapping models") struct MappingModelTests {
    private static let samples = ["corestore", "daymap", "moody"]

    private static func sample(_ name: String) throws -> MappingModel {
        try MappingModel.load(Samples.path("xml-stores/\(name)-mapping.xml"))
    }

    /// The mappings as another reader sees them: a line for each entity, attribute and relationship.
    private static let script = """
        import base64, plistlib, sys
        import xml.etree.ElementTree as tree
        root = tree.parse(sys.argv[1]).getroot()
        objects = {o.get('id'): o for o in root.findall('object')}
        def value(o, name):
            return next((a.text or '' for a in o.findall('attribute') if a.get('name') == name), '')
        def targets(o, name):
            return next((r.get('idrefs', '').split() for r in o.findall('relationship') if r.get('name') == name), [])
        def expression(o):
            data = value(o, 'valueexpressiondata')
            if not data: return '-'
            archive = plistlib.loads(base64.b64decode(data))
            def at(x): return archive['$objects'][x.data] if isinstance(x, plistlib.UID) else x
            def text(x):
                x = at(x)
                kind = at(x['$class'])['$classname']
                if kind == 'NSVariableExpression': return '$' + at(x['NSVariable'])
                if kind == 'NSKeyPathSpecifierExpression': return at(x['NSKeyPath'])
                if kind == 'NSConstantValueExpression': return '"' + at(x['NSConstantValue']) + '"'
                parts = [text(a) for a in at(x['NSArguments'])['NS.objects']]
                selector, receiver = at(x['NSSelectorName']), text(x['NSOperand'])
                if selector == 'valueForKeyPath:': return receiver + '.' + parts[0]
                return 'FUNCTION(' + ', '.join([receiver, '"' + selector + '"'] + parts) + ')'
            return text(archive['$top']['root'])
        for o in sorted(objects.values(), key=lambda o: int(value(o, 'mappingnumber') or 0)):
            if o.get('type') != 'XDDEVENTITYMAPPING': continue
            print('E', value(o, 'sourcename'), value(o, 'destinationname'), value(o, 'migrationpolicyclassname'), sep='|')
            for kind, name in (('A', 'attributemappings'), ('R', 'relationshipmappings')):
                for p in sorted((objects[i] for i in targets(o, name)), key=lambda p: value(p, 'name').encode()):
                    print(kind, value(p, 'name'), expression(p), value(p, 'sourcemappingname'), sep='|')
        """

    @Test(
        .enabled(if: Samples.available && Python.available, "needs the samples and python3"),
        arguments: samples)
    func sourcesAreReadAsPythonReadsThem(_ name: String) throws {
        let model = try Self.sample(name)
        #expect(model.problems.isEmpty && model.form == .source)
        var lines: [String] = []
        for entity in model.entities {
            lines.append(
                ["E", entity.source ?? "", entity.destination ?? "", entity.policy ?? ""].joined(
                    separator: "|"))
            for (kind, properties) in [("A", entity.attributes), ("R", entity.relationships)] {
                for property in properties {
                    lines.append(
                        [kind, property.name, property.expression?.text ?? "-", property.mapping ?? ""]
                            .joined(separator: "|"))
                }
            }
        }
        let path = Samples.path("xml-stores/\(name)-mapping.xml").string
        let output = try #require(Python.run(Self.script, [path]))
        let expected = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines == expected)
        #expect(lines.count == ["corestore": 3, "daymap": 101, "moody": 29][name])
    }

    @Test(.enabled(if: Samples.available, "needs the samples"))
    func generatedExpressionsTakeTheSameNames() throws {
        let model = try Self.sample("moody")
        let (old, new) = (try #require(model.sourceModel), try #require(model.destinationModel))
        let mapping = try model.mapping(from: old, to: new)
        #expect(mapping.entities.map(\.name) == ["ContinentToContinent", "CountryToCountry", "MoodToMood"])
        for entity in mapping.entities {
            let source = try #require(entity.source)
            let names = Set(old.attributes(of: source).filter { !$0.isTransient }.map(\.name))
            for property in entity.attributes {
                #expect(names.contains(property.name))
                #expect(property.expression == .source(path: [property.name]))
            }
            let wanted = new.attributes(of: try #require(entity.destination))
                .filter { !$0.isTransient && names.contains($0.name) }.map(\.name)
            #expect(Set(wanted) == Set(entity.attributes.map(\.name)))
        }
        let mood = try #require(mapping.entities.last)
        #expect(
            mood.relationships.first { $0.name == "country" }?.expression
                == .destinations(mappings: ["CountryToCountry"], sources: .source(path: ["country"])))
    }

    @Test(.enabled(if: Samples.available, "needs the samples"))
    func codeOfAnAppIsRefusedUntilItIsReplaced() throws {
        let model = try Self.sample("daymap")
        let (old, new) = (try #require(model.sourceModel), try #require(model.destinationModel))
        func problem(_ settings: [String]) throws -> String {
            let overrides = MigrationOverrides(
                settings: try settings.map { try MigrationOverrides.Setting(parsing: $0) })
            do throws(FileProblem) {
                _ = try model.mapping(from: old, to: new, overrides: overrides)
                return ""
            } catch {
                #expect(error.kind == .refused && error.advice?.contains("--set") == true)
                return error.problem
            }
        }
        #expect(
            try problem([])
                == "the class Model_2_11_to_3_0_DayMapToDayMapPolicy carries out the mapping DayMapToDayMap, and it is code of the app"
        )
        let other = try #require(
            new.attributes(of: "DayMap").first { $0.name != "modifiedDate" && !$0.isTransient })
        #expect(
            try problem(["DayMap.\(other.name) = nil"])
                == "the value of modifiedDate in the mapping DayMapToDayMap: the function modifiedDate of the migration policy is code of the app"
        )
        #expect(try problem(["DayMap.modifiedDate = CAST('2013-05-01', 'NSDate')"]).isEmpty)
    }

    @Test(.enabled(if: Samples.available, "needs the samples"))
    func mappingsForOtherVersionsAreRefused() throws {
        let model = try Self.sample("moody")
        let (old, new) = (try #require(model.sourceModel), try #require(model.destinationModel))
        let other = try Self.sample("daymap")
        #expect {
            try model.mapping(from: try #require(other.sourceModel), to: new)
        } throws: {
            ($0 as? FileProblem)?.problem
                == "the mapping model is for other versions: the old model has no entity Continent"
        }
        #expect {
            try model.mapping(from: new, to: new)
        } throws: {
            ($0 as? FileProblem)?.problem.hasPrefix("the mapping model is for other versions: the entity ")
                == true
        }
        #expect(throws: FileProblem.self) { try model.mapping(from: old, to: old) }
    }

    @Test(.enabled(if: Samples.available, "needs the samples"))
    func formsAreRecognisedByContent() throws {
        let scratch = try ScratchFolder()
        let source = try FileBytes.read(Samples.path("xml-stores/corestore-mapping.xml"), limit: .model).array
        let folder = scratch.path.appending("V1.xcmappingmodel")
        try NewFile.makeFolder(folder)
        try NewFile.write(source, to: folder.appending("xcmapping.xml"))
        let plain = scratch.path.appending("renamed")
        try NewFile.write(source, to: plain)
        let compiled = scratch.path.appending("V1.cdm")
        try NewFile.write(try CompiledMapping.bytes([]), to: compiled)
        for path in [folder, plain, compiled] {
            #expect(try MappingModel.isMappingModel(path))
            #expect(try MappingModel.load(path).entities.count == (path == compiled ? 0 : 1))
        }
        for (name, bytes) in [
            ("plist", try KeyedArchiveWriter.bytes(root: .string("x"))), ("text", Array("hello".utf8)),
            ("empty", []),
            ("store", Array("<database><databaseInfo/></database>".utf8)),
        ] as [(String, [UInt8])] {
            let path = scratch.path.appending(name)
            try NewFile.write(bytes, to: path)
            #expect(try !MappingModel.isMappingModel(path))
            #expect { try MappingModel.load(path) } throws: { ($0 as? FileProblem)?.kind == .unsupported }
        }
        #expect(try !MappingModel.isMappingModel(Samples.path("xml-stores/template.mslice")))
        #expect { try MappingModel.isMappingModel(scratch.path.appending("absent")) } throws: {
            ($0 as? FileProblem)?.kind == .missing
        }
    }

    @Test(.enabled(if: Samples.available, "needs the samples"), arguments: samples)
    func sourcesWithoutOneOfTheirObjectsAreNotCarriedOut(_ name: String) throws {
        let bytes = try FileBytes.read(Samples.path("xml-stores/\(name)-mapping.xml"), limit: .model).array
        let text = String(decoding: bytes, as: UTF8.self)
        var rest = text[...]
        var count = 0
        while let start = rest.firstRange(of: "<object "), let end = rest.firstRange(of: "</object>") {
            let less = text[..<start.lowerBound] + text[end.upperBound...]
            let model = try MappingModel.model(SharedBytes(Array(less.utf8)), path: "less.xml")
            #expect(!model.problems.isEmpty, "\(text[start.lowerBound...].prefix(80))")
            rest = rest[end.upperBound...]
            count += 1
        }
        #expect(count > 3)
    }

    @Test(.enabled(if: Samples.available, "needs the samples"))
    func mappingThatLostTheNameOfAnEntityIsRefused() throws {
        let bytes = try FileBytes.read(Samples.path("xml-stores/moody-mapping.xml"), limit: .model).array
        let text = String(decoding: bytes, as: UTF8.self)
        for (side, version) in [("source", "old"), ("destination", "new")] {
            let name = "<attribute name=\"\(side)name\" type=\"string\">Continent</attribute>"
            let less = text.replacing(name, with: "")
            #expect(less != text)
            let model = try MappingModel.model(SharedBytes(Array(less.utf8)), path: "less.xml")
            let (old, new) = (try #require(model.sourceModel), try #require(model.destinationModel))
            let error = try #require(throws: FileProblem.self) { try model.mapping(from: old, to: new) }
            #expect(
                error.kind == .refused && error.problem.contains("names no entity of the \(version) model"))
        }
    }

    @Test(.enabled(if: Samples.available, "needs the samples"))
    func truncatedSourcesAreShownButNotCarriedOut() throws {
        let bytes = try FileBytes.read(Samples.path("xml-stores/moody-mapping.xml"), limit: .model).array
        for part in [20, 40, 60, 80, 99] {
            let cut = SharedBytes(Array(bytes[..<(bytes.count * part / 100)]))
            let model = try MappingModel.model(cut, path: "cut")
            #expect(!model.problems.isEmpty)
            #expect(throws: FileProblem.self) {
                try model.mapping(
                    from: ManagedObjectModel(entities: []), to: ManagedObjectModel(entities: []))
            }
        }
    }
}
