import Foundation
import SystemPackage
import TestSupport
import Testing

/// `ticds-model`: its output and its files, checked by Python.
@Suite struct ModelCommandTests {
    private func object(_ result: Program.Result) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(result.bytes)) as? [String: Any])
    }

    private func write(_ scratch: Scratch, _ name: String, _ entities: String) throws -> String {
        try scratch.write(name, Array("<?xml version=\"1.0\"?><model>\(entities)</model>".utf8))
    }

    @Test(
        "A folder of versions whose current one is damaged is refused, and no other version takes its place")
    func currentVersionThatIsDamaged() throws {
        let scratch = try Scratch()
        let entity = "<entity name=\"Note\"><attribute name=\"text\" attributeType=\"String\"/></entity>"
        try scratch.shell("mkdir -p N.xcdatamodeld/First.xcdatamodel N.xcdatamodeld/Second.xcdatamodel")
        let first = try write(scratch, "N.xcdatamodeld/First.xcdatamodel/contents", entity)
        _ = try write(scratch, "N.xcdatamodeld/Second.xcdatamodel/contents", entity + entity)
        let mark = Data(
            "<plist><dict><key>_XCCurrentVersionName</key><string>Second.xcdatamodel</string></dict></plist>"
                .utf8)
        _ = try scratch.write("N.xcdatamodeld/.xccurrentversion", Array(mark))
        let folder = scratch.path.appending("N.xcdatamodeld").string
        for arguments in [
            ["diff", first, folder], ["diagram", folder],
            ["decompile", folder, "--to", scratch.path.appending("out.xcdatamodeld").string],
        ] {
            let result = try Program.run("ticds-model", arguments)
            #expect(result.status != 0, "\(arguments)")
            #expect(result.errors.contains("two entities are named"), "\(arguments): \(result.errors)")
        }
    }

    /// The version hashes of a source, computed in a different language from its text alone (core-data-sqlite-store(5),
    /// 7.5).
    private static let hashes = """
        import hashlib, struct
        import xml.etree.ElementTree as tree
        def sha(*parts): return hashlib.sha256(b''.join(parts)).digest()
        def text(value): return (value or '').encode()
        def on(element, name): return element.get(name) == 'YES'
        TYPES = {None: 0, 'Integer 16': 100, 'Integer 32': 200, 'Integer 64': 300, 'Decimal': 400, 'Double': 500,
            'Float': 600, 'String': 700, 'Boolean': 800, 'Date': 900, 'Binary': 1000, 'UUID': 1100, 'URI': 1200,
            'Transformable': 1800}
        def common(e):
            flags = on(e, 'optional') | on(e, 'transient') << 1 | on(e, 'readOnly') << 2
            return sha(text(e.get('name')), struct.pack('<H', flags), text(e.get('versionHashModifier')))
        def attribute(e):
            return sha(common(e), struct.pack('<I', TYPES[e.get('attributeType')]),
                b'\\1' if on(e, 'allowsExternalBinaryDataStorage') else b'', b'\\1' if on(e, 'preserveAfterDeletion') else b'')
        def relationship(e, owner):
            most = int(e.get('maxCount', 0 if on(e, 'toMany') else 1)) & 0xFFFFFFFF
            back = e.get('inverseName')
            own = back == e.get('name') and e.get('destinationEntity') == owner
            return sha(common(e), text(e.get('destinationEntity')), b'' if own else text(back),
                struct.pack('<II', most, int(e.get('minCount', 0))), b'\\1\\0' if on(e, 'ordered') else b'')
        def entities(path):
            found = {e.get('name'): e for e in tree.parse(path).getroot().findall('entity')}
            def properties(name):
                e = found[name]
                above = properties(e.get('parentEntity')) if e.get('parentEntity') else {}
                own = {p.get('name'): attribute(p) for p in e.findall('attribute') if not on(p, 'transient')}
                own.update({p.get('name'): relationship(p, name) for p in e.findall('relationship') if not on(p, 'transient')})
                return {**own, **above}
            def entity(name):
                e = found[name]
                parts = [text(name), b'\\1' if on(e, 'isAbstract') else b'\\0']
                if e.get('parentEntity'): parts.append(entity(e.get('parentEntity')))
                parts += [value for _, value in sorted(properties(name).items(), key=lambda pair: pair[0].encode())]
                parts.append(text(e.get('versionHashModifier')))
                lists = ['.'.join(c.get('value') for c in u) for u in e.findall('uniquenessConstraints/uniquenessConstraint')]
                parts += [one.encode() for one in sorted(lists)]
                return sha(*parts)
            return {name: entity(name).hex() for name in found}

        """

    /// The written sources have the hashes in the metadata of the store, as Python computes them.
    @Test(
        .enabled(if: Samples.available && Python.available, "needs the samples and python3"),
        arguments: [
            "history/NoteStore.sqlite", "history/knowledgec-10.13.db", "free-pages/CLSLocationCache.sqlite",
            "moody/Moody.moody", "moody/Moody-5.moody", "bookmarks/Bookmarks_V1.sqlite",
        ])
    func extractedModelsHaveTheHashesOfTheStore(_ sample: String) throws {
        let scratch = try Scratch()
        let store = Samples.path("sqlite-stores/\(sample)").string
        let target = scratch.path.appending("Model.xcdatamodel").string
        let extracted = try Program.run("ticds-model", ["extract", store, "--to", target, "--json"])
        #expect(extracted.status == 0 && extracted.errors == "", "\(extracted.errors)")
        let info = try Program.run("ticds-store", ["info", store, "--json"])
        let check = """
            computed = entities(sys.argv[2] + '/contents')
            stored = {e['name']: e['versionHash'] for e in document(sys.argv[1])['entities']}
            assert computed == stored and stored, (computed, stored)
            """
        #expect(try PythonCheck.complaint(Self.hashes + check, on: [info.bytes], [target]) == "")
        let again = try Program.run("ticds-model", ["extract", store, "--to", target])
        #expect(again.status == 3 && again.errors.contains("exists"), "\(again.errors)")
        let found = try Program.run("ticds-model", ["find", store, target, "--json"])
        #expect(found.status == 0)
        #expect(try object(found)["fitting"] as? Int == 1)
        let difference = try Program.run("ticds-model", ["diff", store, target])
        #expect(
            difference.status == 0 && difference.output.contains("without a migration"),
            "\(difference.output)")
    }

    @Test(.enabled(if: Samples.available, "needs the samples"))
    func decompilesAllVersions() throws {
        let scratch = try Scratch()
        for (sample, name) in [("docset-7606f51", "D.mom"), ("docset-db16521", "D 2.mom")] {
            try scratch.shell(
                "mkdir -p D.momd; cp '\(Samples.path("sqlite-stores/\(sample)/docSet.mom"))' 'D.momd/\(name)'"
            )
        }
        _ = try scratch.write(
            "D.momd/VersionInfo.plist",
            Array(
                """
                <plist version="1.0"><dict><key>NSManagedObjectModel_CurrentVersionName</key><string>D</string></dict></plist>
                """.utf8))
        let source = scratch.path.appending("D.momd").string
        let target = scratch.path.appending("D.xcdatamodeld").string
        let written = try Program.run("ticds-model", ["decompile", source, "--to", target, "--json"])
        #expect(written.status == 0, "\(written.errors)")
        #expect(try object(written)["versions"] as? [String] == ["D 2", "D"])
        let shown = try object(try Program.run("ticds-model", ["show", target, "--json"]))
        let original = try object(try Program.run("ticds-model", ["show", source, "--json"]))
        func models(_ document: [String: Any]) -> [String: [String]] {
            let models = document["models"] as? [[String: Any]] ?? []
            return models.reduce(into: [:]) { all, model in
                let entities = model["entities"] as? [[String: Any]] ?? []
                let current = model["isCurrent"] as? Bool == true ? ["current"] : []
                all[model["version"] as? String ?? ""] =
                    entities.map { $0["versionHash"] as? String ?? "" } + current
            }
        }
        #expect(models(shown) == models(original) && models(shown).count == 2)
        #expect(models(shown)["D"]?.last == "current")
        let store = Samples.path("sqlite-stores/docset-db16521/docSet.dsidx").string
        let found = try Program.run("ticds-model", ["find", store, scratch.path.string, "--json"])
        #expect(try object(found)["fitting"] as? Int == (try object(found)["candidates"] as? [Any])?.count)
        #expect(found.status == 0)
        let one = try Program.run(
            "ticds-model",
            [
                "decompile", source, "--model-version", "D 2", "--to",
                scratch.path.appending("One.xcdatamodel").string,
            ])
        #expect(one.status == 0 && one.output.contains("15 entities"), "\(one.output)\(one.errors)")
    }

    /// The nearest model comes first if none matches.
    @Test(.enabled(if: Samples.available, "needs the samples")) func findsTheNearest() throws {
        let store = Samples.path("binary-stores/daymap-1.6.0.b_storedata").string
        let models = Samples.path("binary-stores/models").string
        let fits = try Program.run("ticds-model", ["find", store, models])
        #expect(fits.status == 0 && fits.output.contains("yes") && fits.output.contains("DayMap-5.elements"))
        let near = try Program.run(
            "ticds-model",
            ["find", store, models + "/DayMap-7.elements", models + "/DayMap.elements", "--json"])
        #expect(near.status == 1, "\(near.errors)")
        let candidates = try object(near)["candidates"] as? [[String: Any]] ?? []
        #expect(candidates.count == 2)
        #expect((candidates.first?["equal"] as? Int ?? 0) > (candidates.last?["equal"] as? Int ?? 9))
    }

    @Test func whatIsNoModelIsSaid() throws {
        let demo = try DemoRemote()
        let store = try #require(try demo.wholeStores.first)
        let none = try Program.run("ticds-model", ["show", store])
        #expect(none.status == 2 && none.errors.contains("ticds-model find"), "\(none.errors)")
        let optimized = try demo.scratch.write("A.omo", Array("momv2$aaaaaaaa".utf8))
        let refused = try Program.run("ticds-model", ["show", optimized])
        #expect(refused.status == 2 && refused.errors.contains("optimized model"), "\(refused.errors)")
        #expect(refused.errors.contains("the .mom file of the app"))
        let other = try Scratch()
        let twin = try other.write("B.omo", Array("momv2$aaaaaaaa".utf8))
        _ = try other.write("B.mom", Array("bplist00".utf8))
        for word in ["show", "find"] {
            let words = word == "show" ? [word, twin] : [word, store, twin]
            let result = try Program.run("ticds-model", words)
            #expect(result.status != 0 && result.errors.contains("B.mom, the same model"), "\(result.errors)")
        }
        let absent = try Program.run("ticds-model", ["show", "/nowhere/at.all"])
        #expect(absent.status == 2 && absent.errors.contains("/nowhere/at.all"))
        let good = try write(demo.scratch, "good.contents", "<entity name=\"E\"/>")
        let bad = try write(demo.scratch, "bad.contents", "<entity name=\"E\"/><entity name=\"E\"/>")
        let both = try Program.run("ticds-model", ["show", demo.scratch.path.string])
        #expect(
            both.status == 5 && both.output.contains("good.contents") && both.errors.contains("bad.contents"))
        let several = try Program.run("ticds-model", ["diff", demo.scratch.path.string, good])
        #expect(several.status == 2, "\(several.errors)")
        #expect(try Program.run("ticds-model", ["diagram", bad]).status == 2)
    }

    @Test func differencesDecideTheStatus() throws {
        let scratch = try Scratch()
        let old = try write(
            scratch, "old",
            "<entity name=\"E\"><attribute name=\"a\" attributeType=\"String\" optional=\"YES\"/></entity>")
        let more = try write(
            scratch, "more",
            "<entity name=\"F\" elementID=\"E\"><attribute name=\"a\" attributeType=\"String\" optional=\"YES\"/></entity>"
        )
        let other = try write(
            scratch, "other",
            "<entity name=\"E\"><attribute name=\"a\" attributeType=\"Date\" optional=\"YES\"/></entity>")
        let fine = try Program.run("ticds-model", ["diff", old, more])
        #expect(fine.status == 0 && fine.output.contains("renamed from “E”"), "\(fine.output)")
        let bad = try Program.run("ticds-model", ["diff", old, other, "--json"])
        #expect(bad.status == 1)
        #expect(try object(bad)["effect"] as? String == "impossible")
    }

    private static let hostile = """
        <entity name="&lt;script&gt;alert(1)&lt;/script&gt;&quot;];x[" isAbstract="YES">\
        <attribute name="]]&gt;&lt;/text&gt;&amp;&apos;\\N" attributeType="String"/>\
        <relationship name="a&#10;b&#x202E;c" destinationEntity="&lt;/TABLE&gt;" toMany="YES"/></entity>\
        <entity name="&lt;/TABLE&gt;" parentEntity="&lt;script&gt;alert(1)&lt;/script&gt;&quot;];x["/>\
        <entity name="\(String(repeating: "very long ", count: 200))"/>
        """

    /// Any names from a model stay text in a picture, and the same model gives the same bytes.
    @Test(.enabled(if: Python.available)) func hostileNamesStayText() throws {
        let scratch = try Scratch()
        let model = try write(scratch, "hostile.contents", Self.hostile)
        let svg = try Program.run("ticds-model", ["diagram", model])
        #expect(svg.status == 0, "\(svg.errors)")
        #expect(try Program.run("ticds-model", ["diagram", model]).bytes == svg.bytes)
        let check = """
            import xml.etree.ElementTree as tree
            root = tree.parse(sys.argv[1]).getroot()
            names = {element.tag.split('}')[1] for element in root.iter()}
            assert names <= {'svg', 'title', 'desc', 'style', 'rect', 'text', 'g', 'path'}, names
            words = ''.join(root.itertext())
            assert '<script>alert(1)' in words and '\\u202e' not in words and 'very long' in words
            assert max(len(e.text) for e in root.iter() if e.tag.endswith('text')) < 100
            for element in root.iter():
                assert set(element.attrib) <= {'xmlns', 'class', 'role', 'aria-labelledby', 'viewBox', 'width', 'height',
                    'id', 'x', 'y', 'rx', 'd'}, element.attrib
            width, height = map(int, root.get('viewBox').split()[2:])
            for box in root.iter('{http://www.w3.org/2000/svg}rect'):
                if box.get('class') == 'box':
                    assert 0 <= int(box.get('x')) and int(box.get('x')) + int(box.get('width')) <= width
                    assert 0 <= int(box.get('y')) and int(box.get('y')) + int(box.get('height')) <= height
            """
        #expect(try PythonCheck.complaint(check, on: [svg.bytes]) == "")
        let dot = try Program.run("ticds-model", ["diagram", model, "--format", "dot"])
        let graph = """
            text = open(sys.argv[1]).read()
            lines = text.split('\\n')
            assert lines[0] == 'digraph model {' and lines[-2] == '}', lines
            for line in lines[4:-2]:
                node = re.fullmatch(r'    e\\d+ \\[label=<(.*)>\\];', line)
                edge = re.fullmatch(r'    e\\d+:(name|r\\d+) -> e\\d+:(name|r\\d+) \\[[a-z=, ]+\\];', line)
                assert node or edge, line
                if node:
                    import xml.etree.ElementTree as tree
                    tags = {e.tag for e in tree.fromstring(node[1]).iter()}
                    assert tags <= {'TABLE', 'TR', 'TD', 'B', 'I'}, tags
            assert sum('->' in line for line in lines) == 2
            """
        #expect(try PythonCheck.complaint(graph, on: [dot.bytes]) == "")
        for command in [
            ["show", model], ["diff", model, model], ["diagram", model, "--entity", "no\u{1B}such"],
        ] {
            let result = try Program.run("ticds-model", command)
            #expect(
                !(result.output + result.errors).unicodeScalars.contains {
                    $0 == "\u{1B}" || $0 == "\u{202E}"
                })
        }
    }

    @Test func largeModelsNeedAChoice() throws {
        let scratch = try Scratch()
        let entities = (0..<600).map { number in
            "<entity name=\"E\(number)\">"
                + (number == 7
                    ? "<relationship name=\"r\" destinationEntity=\"E9\" maxCount=\"1\"/>" : "") + "</entity>"
        }
        let model = try write(scratch, "large.contents", entities.joined())
        let refused = try Program.run("ticds-model", ["diagram", model])
        #expect(refused.status == 2 && refused.errors.contains("--entity"), "\(refused.errors)")
        let file = scratch.path.appending("large.svg").string
        let some = try Program.run(
            "ticds-model", ["diagram", model, "--entity", "E9", "--to", file, "--json"])
        #expect(try object(some)["entityNames"] as? [String] == ["E7", "E9"], "\(some.errors)")
    }
}

/// A document of each schema of `ticds-model`.
enum ModelDocuments {
    static func printed() throws -> [String] {
        let demo = try DemoRemote()
        let model = demo.root.removingLastComponent().appending("Cookbook.xcdatamodel").string
        let store = try #require(try demo.wholeStores.first { $0.contains("cookbook") })
        let source = demo.scratch.path.appending("Copy.xcdatamodeld").string
        let picture = demo.scratch.path.appending("model.svg").string
        let other = try demo.scratch.write(
            "other.contents",
            Array(
                "<model><entity name=\"Tag\"/><configuration name=\"c\"><memberEntity name=\"Tag\"/></configuration><fetchRequest name=\"f\" entity=\"Tag\"/></model>"
                    .utf8))
        let mapping = try demo.scratch.write("V1.cdm", try MappingCommandTests.compiled())
        return try [
            ["show", model], ["show", other], ["show", mapping], ["decompile", model, "--to", source],
            ["diff", model, other],
            ["find", store, model, other, "--all"], ["diagram", model, "--to", picture],
        ].map { try Program.run("ticds-model", $0 + ["--json"]).output }
    }
}
