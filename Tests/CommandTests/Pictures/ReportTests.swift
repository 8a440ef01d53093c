import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@Suite struct ReportTests {
    private func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    /// The page contains the output of the other commands, as XML and as HTML, and its policy permits its own styles.
    @Test(.enabled(if: Python.available), arguments: [DemoRemote.Kind.plain, .damaged])
    func tellsWhatIsThere(kind: DemoRemote.Kind) throws {
        let demo = try DemoRemote(kind, changeSets: 12)
        let html = demo.scratch.path.appending("report.html").string
        let result = try Program.run("ticds-inspect", ["report", demo.path, "--html", html, "--json"])
        #expect(result.status == (kind == .damaged ? 5 : 0))
        let status = try Program.run("ticds-inspect", ["status", demo.path, "--json"])
        let statistics = try Program.run("ticds-changes", ["stats", demo.path, "--json"])
        let verified = try Program.run("ticds-verify", [demo.path, "--json"])
        let check = """
            import hashlib
            told, status, stats = (document(path) for path in sys.argv[1:4])
            findings = lines(sys.argv[4])
            path = sys.argv[-1]
            root = page(path)
            body = words(root.find(XHTML + 'body'))
            text = open(path, encoding='utf-8').read()
            assert sorted(set(Reader(text).tags)) == sorted({element.tag.split('}')[1] for element in root.iter()})
            for thing in status['documents'] + status['clients']:
                assert thing['identifier'] in body and thing['description'] in body, thing
            for entity, count in stats['byEntity'].items():
                assert '%s %s' % (entity, format(count, ',')) in body, entity
            assert told['changes'] == stats['changes'] or stats['changes'] is None and not stats['complete']
            for finding in findings[:-1]: assert finding['code'] in body and finding['path'] in body, finding['code']
            summary = findings[-1]
            for key in ('errors', 'warnings', 'notes'): assert told['verification'][key] == summary[key]
            assert len(root.findall('.//' + SVG + 'svg[@class="timeline"]')) == 1
            for table in root.iter(XHTML + 'table'):
                assert table.find(XHTML + 'caption').text
                assert all(cell.get('scope') for cell in table.iter(XHTML + 'th'))
            heads = [head.tag.split('}')[1] for head in root.iter() if re.fullmatch('.*}h[1-6]', head.tag)]
            assert heads[0] == 'h1' and heads.count('h1') == 1, heads
            names = [element.get('id') for element in root.iter() if element.get('id')]
            assert len(names) == len(set(names))
            policy = next(meta.get('content') for meta in root.iter(XHTML + 'meta') if meta.get('http-equiv'))
            assert "default-src 'none'" in policy and 'unsafe' not in policy
            styles = [style.text for style in root.iter() if style.tag.endswith('}style')]
            assert len(styles) == 2
            for style in styles:
                digest = base64.b64encode(hashlib.sha256(style.encode('utf-8')).digest()).decode()
                assert "'sha256-%s'" % digest in policy
            """
        let documents = [result.bytes, status.bytes, statistics.bytes, verified.bytes]
        let checked = try MarkupCheck.complaint(check, on: documents, [html])
        #expect(checked == "")
    }

    @Test(.enabled(if: Python.available)) func hostileNamesStayText() throws {
        let builder = try PicturedRemote.hostile()
        defer { withExtendedLifetime(builder) {} }
        let html = builder.folder.path.appending("report.html").string
        let result = try Program.run("ticds-inspect", ["report", builder.root.string, "--html", html])
        #expect(result.status == 5)
        let check = """
            root = page(sys.argv[1])
            body = words(root.find(XHTML + 'body'))
            text = open(sys.argv[1], encoding='utf-8').read()
            reader = Reader(text)
            assert not {'script', 'img', 'image', 'b'} & set(reader.tags), reader.tags
            for name in sys.argv[2:-1]: assert name in body and name in ''.join(reader.texts), name
            assert '<svg onload=alert(2)>' in body and '\\\\u{202E}txt.exe' in body and '\\u202e' not in text
            """
        let checked = try MarkupCheck.complaint(check, on: [try bytes(html)], PicturedRemote.descriptions)
        #expect(checked == "")
    }

    /// Without the password the page lists the missing parts; with it nothing is missing.
    @Test func encryptedRemotes() throws {
        let demo = try DemoRemote(.encrypted, changeSets: 4)
        let html = demo.scratch.path.appending("report.html").string
        let words = ["report", demo.path, "--html", html]
        let locked = try Program.run("ticds-inspect", words)
        #expect(locked.status == 4 && locked.errors.contains("no password given"))
        let page = String(decoding: try bytes(html), as: UTF8.self)
        #expect(page.contains("contents not read (no password)"))
        #expect(page.contains("Encrypted, and no password given") && !page.contains("Børge"))
        let open = try Program.run("ticds-inspect", words + demo.passwordOptions)
        #expect(open.status == 0 && open.errors == "", "\(open.errors)")
        let whole = String(decoding: try bytes(html), as: UTF8.self)
        #expect(whole.contains("Børge’s iPad") && whole.contains(">Recipe<"))
        #expect(!whole.contains("no password given"))
        let wrong = try demo.scratch.write("wrong", Array("wrong".utf8))
        #expect(try Program.run("ticds-inspect", words + ["--password-file", wrong]).status == 4)
        #expect(try bytes(html) == Array(whole.utf8))
    }

    /// A page or a picture replaces an earlier one, but never a different file.
    @Test(arguments: [
        ["ticds-inspect", "report", "REMOTE", "--html"], ["ticds-inspect", "timeline", "REMOTE", "--svg"],
        ["ticds-model", "diagram", "MODEL", "--to"],
        ["ticds-model", "diagram", "MODEL", "--format", "dot", "--to"],
    ])
    func otherFilesAreNotReplaced(words: [String]) throws {
        let demo = try DemoRemote(changeSets: 2)
        let model = demo.root.removingLastComponent().appending("Cookbook.xcdatamodel").string
        let target = demo.scratch.path.appending("target").string
        let arguments = words.dropFirst().map { ["REMOTE": demo.path, "MODEL": model][$0] ?? $0 } + [target]
        for _ in 1...2 {
            let result = try Program.run(words[0], arguments)
            #expect(result.status == 0, "\(result.errors)")
        }
        let page = try bytes(target)
        for other in [Array("<!DOCTYPE html>\n<p>Notes".utf8), Array("bplist00".utf8), [0]] {
            _ = try demo.scratch.write("target", other)
            let result = try Program.run(words[0], arguments)
            #expect(result.status == 3 && result.errors.contains("was not replaced"), "\(result.errors)")
            #expect(try bytes(target) == other)
        }
        _ = try demo.scratch.write("target", [])
        #expect(try Program.run(words[0], arguments).status == 0)
        #expect(try bytes(target).prefix(44) == page.prefix(44))
    }

    /// The command needs no other program, and does not verify unless requested.
    @Test func verifiesByItself() throws {
        let demo = try DemoRemote(changeSets: 4)
        let html = demo.scratch.path.appending("report.html").string
        let alone = demo.scratch.path.appending("ticds-inspect").string
        try demo.scratch.shell("cp -L '\(Program.path("ticds-inspect"))' ticds-inspect")
        let words = ["report", demo.path, "--html", html]
        let result = try Program.launch(alone, words, environment: ["PATH": "/nowhere"], seconds: 60)
        #expect(result.status == 0 && result.errors == "", "\(result.errors)")
        let page = String(decoding: try bytes(html), as: UTF8.self)
        #expect(page.contains("<p>Level <code>contents</code>: "))
        let unwanted = try Program.run("ticds-inspect", words + ["--level", "none", "--json"])
        #expect(unwanted.status == 0 && unwanted.output.contains("\"verification\": null"))
        #expect(String(decoding: try bytes(html), as: UTF8.self).contains("--level none"))
    }

    @Test func oneDocument() throws {
        let demo = try DemoRemote(changeSets: 4)
        let html = demo.scratch.path.appending("report.html").string
        let words = ["report", demo.path, "--html", html, "--document", "pantry", "--quiet"]
        let result = try Program.run("ticds-inspect", words)
        #expect(result.status == 0 && result.output == "" && result.errors == "")
        let page = String(decoding: try bytes(html), as: UTF8.self)
        #expect(page.contains("Pantry") && !page.contains("Family cookbook"))
    }

    /// An earlier page is replaced completely; a folder of that name is not.
    @Test func replacesFilesOnly() throws {
        let demo = try DemoRemote(changeSets: 4)
        let old = "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\">old"
        let html = try demo.scratch.write("report.html", Array(old.utf8))
        let words = ["report", demo.path, "--level", "none", "--html"]
        #expect(try Program.run("ticds-inspect", words + [html]).status == 0)
        #expect(try bytes(html).starts(with: Array("<!DOCTYPE html>".utf8)))
        #expect(try bytes(html).count > 10_000)
        #expect(try Program.run("ticds-inspect", words + [demo.scratch.path.string]).status == 3)
        let names = try FileManager.default.contentsOfDirectory(atPath: demo.scratch.path.string)
        #expect(names.filter { $0.hasPrefix(".") } == [])
    }
}
