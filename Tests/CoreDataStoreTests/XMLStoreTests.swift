import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore
@testable import CoreDataTools

/// Stores of the XML type (core-data-xml-store(5)).
@Suite struct XMLStoreTests {
    static let samples = [
        "corestore-mapping.xml", "daymap-mapping.xml", "moody-mapping.xml", "template.mslice",
    ]

    static func text(_ objects: String, info: String = "", hashes: [String] = ["Person", "Pet"]) -> String {
        let hash = Base64.text([UInt8](repeating: 7, count: 32))
        let entries = hashes.map { "<key>\($0)</key><data>\(hash)</data>" }.joined()
        return """
            <?xml version="1.0" standalone="no"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo>
                    <version>134481920</version>
                    <UUID>D1E2667A-3268-45DB-8AA0-DF69A046A0F1</UUID>
                    <nextObjectID>110</nextObjectID>\(info)
                    <metadata><plist version="1.0"><dict><key>NSPersistenceFrameworkVersion</key><integer>419</integer>
                    <key>NSStoreModelVersionHashes</key><dict>\(entries)</dict></dict></plist></metadata>
                </databaseInfo>
                \(objects)
            </database>
            """
    }

    static func store(_ text: String, model: ManagedObjectModel? = nil) throws -> XMLStore {
        try XMLStore(SharedBytes(Array(text.utf8)), path: "store.xml", model: model, mismatch: .accept)
    }

    private func objects(_ store: XMLStore) throws -> [StoredObject] {
        var objects: [StoredObject] = []
        try store.forEachObject(entity: nil, onDamage: { _ in }) { objects.append($0) }
        return objects
    }

    static let ann = """
        <object type="PERSON" id="z102">
        <attribute name="firstname" type="string">Ann</attribute>
        <attribute name="age" type="int16"> 7 </attribute>
        <attribute name="born" type="date">336046917.00164198875427246094</attribute>
        <attribute name="tall" type="float">19.6</attribute>
        <attribute name="isnew" type="bool">1</attribute>
        <attribute name="worth" type="decimal">12345678901234567890.50</attribute>
        <attribute name="photo" type="binary">aGVs
        bG8=
        </attribute>
        <relationship name="pets" type="0/0" destination="PET" idrefs="z103 z104"></relationship>
        <relationship name="boss" type="1/1" destination="PERSON"></relationship>
        </object>
        <object type="PET" id="z103"><relationship name="owner" type="1/1" destination="PERSON" idrefs="z102"/></object>
        <object type="PET" id="z104"><relationship name="owner" type="1/1" destination="PERSON" idrefs="z102"/></object>
        """

    @Test func valuesAndNames() throws {
        let store = try Self.store(Self.text(Self.ann))
        #expect(store.problems == [] && store.damage == nil && store.notes.map(\.code) == ["namesLowered"])
        #expect(store.metadata.uuid == "D1E2667A-3268-45DB-8AA0-DF69A046A0F1")
        #expect(store.metadata.frameworkVersion == 419 && store.lastNumber == 110)
        let ann = try #require(try objects(store).first)
        #expect(ann.entity == "Person" && ann.primaryKey == 102)
        #expect(ann.value("firstname") == .string("Ann") && ann.value("age") == .integer(7))
        #expect(ann.value("born") == .date(336046917.00164199) && ann.value("isnew") == .boolean(true))
        #expect(ann.value("tall") == .real(19.6) && ann.value("photo") == .data(Array("hello".utf8)))
        #expect(
            ann.value("worth") == .decimal(try #require(ArchivedDecimal(text: "12345678901234567890.50"))))
        #expect(ann.target("pets") == .toMany([103, 104]) && ann.target("boss") == .toOne(nil))
        #expect(try store.objectCounts().map(\.count) == [1, 2])
    }

    /// Every mutation that expat refuses is also reported as damaged here: no store silently lacks objects.
    @Test(.enabled(if: Samples.available && Python.available))
    func mutationRefusedByExpatIsDamage() throws {
        let folder = try TemporaryFolder()
        var texts = try Self.samples.map {
            [UInt8](try Data(contentsOf: URL(filePath: Samples.path("xml-stores/\($0)").string)))
        }
        texts.append(Array(Self.text(Self.ann).utf8))
        var state: UInt64 = 20_261_129
        func random(_ bound: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state >> 11) % bound
        }
        var mutations: [[UInt8]] = []
        for _ in 0..<100 {
            for text in texts {
                var bytes = text
                let place = random(bytes.count)
                let end = min(bytes.count, place + 1 + random(600))
                switch random(5) {
                case 0: bytes.replaceSubrange(place..<end, with: [UInt8](repeating: 0, count: end - place))
                case 1: bytes[place] ^= 1 << UInt8(random(8))
                case 2: bytes.removeSubrange(place..<end)
                case 3: bytes[place] = Array("<>&\"'=/!?] \0\u{1}".utf8)[random(13)]
                default: bytes.insert(contentsOf: Array("]]>&#1;<a b=''>--".utf8)[random(15)...], at: place)
                }
                try Data(bytes).write(to: URL(filePath: "\(folder.path)/\(mutations.count)"))
                mutations.append(bytes)
            }
        }
        let script = """
            import sys, xml.parsers.expat
            for number in range(int(sys.argv[2])):
                try: xml.parsers.expat.ParserCreate().Parse(open(f"{sys.argv[1]}/{number}", "rb").read(), True)
                except xml.parsers.expat.ExpatError: print(number)
            """
        let output = try #require(Python.run(script, [folder.path.string, "\(mutations.count)"]))
        let refused = String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { Int($0) }
        #expect(refused.count > 200)
        for number in refused {
            let store = try? XMLStore(
                SharedBytes(mutations[number]), path: "store.xml", model: nil, mismatch: .accept)
            #expect(store == nil || store?.damage != nil, "mutation \(number)")
        }
    }

    /// A hole of zeros, as from a lost block, hides no objects; names in notes are short.
    @Test func holeOfZerosIsDamage() throws {
        let text = Self.text(Self.ann)
        let whole = try Self.store(text)
        var bytes = Array(text.utf8)
        let start = try #require(text.utf8.count > 900 ? bytes.count - 700 : nil)
        bytes.replaceSubrange(start..<start + 300, with: [UInt8](repeating: 0, count: 300))
        let store = try XMLStore(SharedBytes(bytes), path: "store.xml", model: nil, mismatch: .accept)
        #expect(whole.damage == nil && store.damage?.offset == start, "\(store.damage as Any)")
        let long = String(repeating: "n", count: 50_000)
        let odd = try Self.store(
            Self.text(
                "<object type=\"PET\" id=\"z1\"><attribute name=\"\(long)\" type=\"\(long)\">1</attribute></object>"
            ))
        #expect(odd.notes.contains { $0.code == "xml-unknownType" })
        #expect(
            odd.notes.allSatisfy { $0.text.count < 700 } && odd.problems.allSatisfy { $0.problem.count < 500 }
        )
    }

    /// A model gives the case of the names, absent attributes, and the types.
    @Test func withAModel() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                name: "Person",
                attributes: [
                    AttributeDescription(name: "firstName", type: .string),
                    AttributeDescription(name: "age", type: .integer16),
                    AttributeDescription(name: "lastName", type: .string),
                    AttributeDescription(name: "born", type: .date),
                    AttributeDescription(name: "isNew", type: .boolean),
                    AttributeDescription(name: "tall", type: .float),
                ],
                relationships: [
                    RelationshipDescription(name: "pets", destination: "Pet", inverse: "owner", maxCount: 0),
                    RelationshipDescription(name: "boss", destination: "Person"),
                ]),
            EntityDescription(
                name: "Pet",
                relationships: [
                    RelationshipDescription(name: "owner", destination: "Person", inverse: "pets")
                ]),
        ])
        let store = try Self.store(Self.text(Self.ann), model: model)
        let ann = try #require(try objects(store).first)
        #expect(
            ann.attributes.map(\.name) == [
                "age", "born", "firstName", "isNew", "lastName", "tall", "photo", "worth",
            ]
                || Set(ann.attributes.map(\.name)).isSuperset(of: ["photo", "worth", "firstName"]))
        #expect(ann.value("firstName") == .string("Ann") && ann.value("lastName") == .none)
        // Properties that the model lacks are still shown, but an export cannot have them.
        #expect(ann.value("photo") == .data(Array("hello".utf8)))
        #expect(store.gaps.count == 1 && store.gaps.first?.entities == ["Person"])
        #expect(store.gaps.first?.problem.found?.contains("photo") == true, "\(store.gaps)")
        #expect(try StoreChecker.check(store).findings.map(\.kind) == [.unknownColumn])
        let mismatched = #expect(throws: FileProblem.self) {
            try XMLStore(SharedBytes(Array(Self.text(Self.ann).utf8)), path: "store.xml", model: model)
        }
        #expect(mismatched?.kind == .refused)
    }

    /// Core Data escapes some characters before XML; other text stays, including a carriage return.
    @Test(arguments: [
        (#"a\\b"#, #"a\b"#, true), (#"\u3c00b\u3e00\u2600"#, "<b>&", true), (#"\\u3c00"#, #"\u3c00"#, true),
        (#"\u08ff\ufffe\u1c00"#, "\u{FF08}\u{FEFF}\u{1C}", true), (#"\u3dd8\u00de"#, "\u{1F600}", true),
        ("&amp;&#65;&lt;", "&A<", true), ("a\rb\r\n c", "a\rb\r\n c", true), (#"\u003c"#, "<", false),
        (#"a\b \"#, #"a\b \"#, false), (#"\u3dd8"#, #"\u3dd8"#, false), (#"\u12"#, #"\u12"#, false),
        (#"\u0000"#, "\0", true), ("<![CDATA[<x>]]>", "<x>", true),
    ]) func strings(_ written: String, _ meant: String, _ isPlain: Bool) throws {
        let store = try Self.store(
            Self.text(
                "<object type=\"PET\" id=\"z1\"><attribute name=\"n\" type=\"string\">\(written)</attribute></object>"
            ))
        #expect(try objects(store).first?.value("n") == .string(meant))
        #expect(store.notes.contains { $0.code == "xml-escape" } == !isPlain, "\(store.notes)")
    }

    /// Damage concerns a value, a reference or an object, which the output names.
    @Test(arguments: [
        ("<attribute name=\"a\" type=\"int16\">99999</attribute>", "int16"),
        ("<attribute name=\"a\" type=\"int32\">1e3</attribute>", "int32"),
        ("<attribute name=\"a\" type=\"bool\">yes</attribute>", "bool"),
        ("<attribute name=\"a\" type=\"float\">nan</attribute>", "float"),
        ("<attribute name=\"a\" type=\"date\">0x10</attribute>", "date"),
        ("<attribute name=\"a\" type=\"binary\">!!!</attribute>", "binary"),
        ("<attribute name=\"a\" type=\"uuid\">no</attribute>", "uuid"),
        (
            "<attribute name=\"a\" type=\"string\">b</attribute><attribute name=\"a\" type=\"string\">c</attribute>",
            "twice"
        ),
        ("<relationship name=\"r\" type=\"1/1\" destination=\"PET\" idrefs=\"z1 z2\"/>", "several objects"),
        ("<relationship name=\"r\" type=\"0/0\" destination=\"PET\" idrefs=\"atom9\"/>", "no object"),
        ("<relationship name=\"r\" destination=\"PET\" idrefs=\"z1\"/>", "no type"),
        ("<attribute name=\"a\" type=\"string\">x<b/></attribute>", "contains an element"),
        ("<strange/>", "an element that a store does not have"),
        (
            "<attribute name=\"a\" type=\"string\" more=\"1\">x</attribute>",
            "an attribute of the element attribute"
        ),
        (
            "<relationship name=\"r\" type=\"0/1\" destination=\"PET\" order=\"2\"/>",
            "an attribute of the element relationship"
        ),
        ("text", "text between elements"), ("<object type=\"PET\" id=\"z9\"/>", "inside another"),
    ]) func damageIsNamed(_ content: String, _ words: String) throws {
        let store = try Self.store(
            Self.text(
                "<object type=\"PET\" id=\"z1\">\(content)</object><object type=\"PET\" id=\"z2\"><attribute name=\"a\" type=\"bool\">0</attribute></object>"
            ))
        var problems: [FileProblem] = []
        var count = 0
        try store.forEachObject(entity: nil, onDamage: { problems.append($0) }) { _ in count += 1 }
        #expect(
            count == 2 && problems.contains { $0.problem.contains(words) && $0.offset != nil }, "\(problems)")
        var again: [FileProblem] = []
        try store.reportStrayRows { again.append($0) }
        #expect(again == problems)
    }

    @Test func identifiers() throws {
        let store = try Self.store(
            Self.text(
                """
                <object type="PET" id="atom0"><relationship name="r" type="1/1" destination="PET" idrefs="z500"/></object>
                <object type="PET" id="z500"/><object type="PET" id="z500"/><object type="DOG" id="z1"/><object type="PET"/>
                """))
        let keys = try objects(store).map { "\($0.entity) \($0.primaryKey)" }
        #expect(keys == ["DOG 1", "Pet 500", "Pet 500", "Pet 501", "Pet 502"])
        #expect(store.problems.map(\.problem) == ["an object has no id", "two objects have the id z500"])
        #expect(
            store.notes.map(\.code).contains("keysMade") && store.notes.map(\.code).contains("entityNames"))
        let kinds = try StoreChecker.check(store).findings.map(\.kind)
        #expect(kinds.contains(.primaryKey) && kinds.contains(.highestKey), "\(kinds)")
        let dangling = try Self.store(
            Self.text(
                "<object type=\"PET\" id=\"z1\"><relationship name=\"r\" type=\"1/1\" destination=\"PET\" idrefs=\"z77\"/></object>"
            ))
        #expect(try objects(dangling).first?.target("r") == .toOne(77))
        #expect(try StoreChecker.check(dangling).findings.map(\.kind) == [.danglingKey])
    }

    /// Entities and other document types are refused, not skipped; the document type is never opened.
    @Test(arguments: [
        "<!DOCTYPE database [<!ENTITY x \"y\">]><database>&x;</database>",
        "<!DOCTYPE database SYSTEM \"file:///etc/passwd\"><database><databaseInfo/><object type=\"A\" id=\"z1\"><attribute name=\"a\" type=\"string\">&x;</attribute></object></database>",
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?><database><databaseInfo/></database>",
        "<database>" + String(repeating: "<a>", count: 100), "<databases></databases>", "<database>", "",
    ]) func hostileDocuments(_ text: String) throws {
        let (store, problem) = outcome(Array(text.utf8))
        if let store {
            #expect(store.damage?.problem.contains("“&x;”") == true, "\(text)")
        } else {
            #expect(problem?.kind == .damaged || problem?.kind == .unsupported)
        }
    }

    private func outcome(_ bytes: [UInt8]) -> (XMLStore?, FileProblem?) {
        do throws(FileProblem) {
            return (try XMLStore(SharedBytes(bytes), path: "store.xml"), nil)
        } catch { return (nil, error) }
    }

    /// A file that is truncated anywhere gives the objects before the cut, and is reported as incomplete.
    @Test func cutAtEachByte() throws {
        let bytes = Array(Self.text(Self.ann).utf8)
        var most = 0
        for count in 0..<bytes.count {
            let (store, problem) = outcome(Array(bytes[..<count]))
            #expect(store == nil ? problem?.kind == .damaged : store?.damage != nil, "\(count)")
            most = max(most, try store?.objectCounts().reduce(0) { $0 + $1.count } ?? 0)
        }
        #expect(most == 3)
    }

    /// Python's xml.etree reads the samples separately; every object, value and reference is the same.
    @Test(
        .enabled(if: Samples.available, "needs the samples"), .enabled(if: Python.available),
        arguments: samples)
    func equalToAnotherReader(_ name: String) throws {
        let path = Samples.path("xml-stores/\(name)")
        let store = try #require(try PersistentStores.open(path) as? XMLStore)
        #expect(store.problems == [], "\(store.problems)")
        var lines: [String] = []
        try store.forEachObject { object in
            lines.append(
                "\(object.entity.uppercased())\t\(name.hasSuffix("mslice") ? 0 : object.primaryKey)\tobject")
            for attribute in object.attributes {
                let value: String =
                    switch attribute.value {
                    case .string(let text): Base64.text(Array(text.utf8))
                    case .data(let bytes): Base64.text(bytes)
                    case .boolean(let flag): flag ? "1" : "0"
                    case .integer(let number): "\(number)"
                    case .real(let number), .date(let number): "\(number)"
                    default: "?"
                    }
                lines.append("\(attribute.name)\t\(value)")
            }
            for relationship in object.relationships {
                let isOne = if case .toOne = relationship.target { true } else { false }
                lines.append("\(relationship.name)\t\(isOne)\t\(relationship.target.keys.count)")
            }
        }
        let script = """
            import sys, base64, re, xml.etree.ElementTree as tree
            def unescape(text):
                return re.sub(r'\\\\\\\\(\\\\\\\\|u([0-9a-f]{2})([0-9a-f]{2}))', lambda m: '\\\\' if m[1] == '\\\\' else chr(int(m[3] + m[2], 16)), text)
            lines = []
            for o in tree.parse(sys.argv[1]).getroot().iter('object'):
                lines.append(f"{o.get('type')}\\t{0 if sys.argv[1].endswith('mslice') else int(o.get('id')[1:])}\\tobject")
                for a in o.iter('attribute'):
                    t, v = a.get('type'), a.text or ''
                    if t == 'string': v = base64.b64encode(unescape(v).encode()).decode()
                    elif t == 'binary': v = base64.b64encode(base64.b64decode(v)).decode()
                    elif t in ('float', 'date', 'double'): v = repr(float(v))
                    else: v = v.strip()
                    lines.append(f"{a.get('name')}\\t{v}")
                for r in o.iter('relationship'):
                    lines.append(f"{r.get('name')}\\t{str(r.get('type').endswith('/1')).lower()}\\t{len((r.get('idrefs') or '').split())}")
            print('\\n'.join(sorted(lines)))
            """
        let scratch = try ScratchFolder()
        let program = try scratch.file("read.py", Array(script.utf8))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", program.string, path.string]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let wanted = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        let found = lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(found.count == wanted.count && found.count > 10)
        #expect(Set(found) == Set(wanted), "\(Set(found).symmetricDifference(wanted).prefix(5))")
    }
}
