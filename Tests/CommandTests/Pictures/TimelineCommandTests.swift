import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@Suite struct TimelineCommandTests {
    /// A small remote whose picture is known to the character.
    private func small() throws -> RemoteBuilder {
        let builder = try RemoteBuilder().skeleton().document("Notebook").document("Diary")
        for (client, name) in [("CLIENT-A", "Anna’s iPhone"), ("CLIENT-B", "Bob")] {
            try builder.client(client, description: name).join(client, "Notebook")
        }
        for (number, day) in [0, 0, 0, 0, 0, 0, 0, 0, 1, 6].enumerated() {
            try builder.changeSet(
                "0\(384_048_000 + day * 86_400).000000-\(number)", of: "CLIENT-A", in: "Notebook",
                time: Int64(1_362_355_200 + day * 86_400))
        }
        return try builder.recentSync(of: "CLIENT-A", in: "Notebook", time: 1_362_355_200 + 6 * 86_400)
            .wholeStore(of: "CLIENT-B", in: "Notebook", time: 1_362_355_200 + 2 * 86_400)
            .wholeStore(of: "CLIENT-B", in: "Diary", time: 1_362_355_200 + 4 * 86_400)
            .recentSync(of: "CLIENT-B", in: "Diary", time: 1_362_355_200 + 4 * 86_400)
    }

    @Test func drawsBlocksInUTF8() throws {
        let builder = try small()
        defer { withExtendedLifetime(builder) {} }
        let path = builder.root.string
        let result = try Program.run(
            "ticds-inspect", ["timeline", path], environment: ["LC_ALL": "C.UTF-8"])
        #expect(result.status == 0 && result.errors == "")
        #expect(
            result.output == """
                2013-03-04 to 2013-03-10 (UTC), a day in each column

                                    Mar
                Anna’s iPhone       █▁····▁
                10 change sets            ▲
                Bob
                0 change sets         ◆ ✱

                ▁ to █: 1 to 8 change sets   ▲ last sync   ◆ whole store   × removed
                ✱ several of these

                A client records only the time of its latest sync. Change sets that a vacuum removed do not appear.

                """)
    }

    /// Without UTF-8, and on a dumb terminal, the picture itself is ASCII.
    @Test(arguments: [["LC_ALL": "C"], ["LC_ALL": "C.UTF-8", "TERM": "dumb"]])
    func drawsDigitsElsewhere(environment: [String: String]) throws {
        let builder = try small()
        defer { withExtendedLifetime(builder) {} }
        let path = builder.root.string
        let result = try Program.run("ticds-inspect", ["timeline", path], environment: environment)
        #expect(result.output.contains("Anna’s iPhone       81....1\n10 change sets            ^\n"))
        #expect(result.output.contains("0 change sets         o *\n"))
        #expect(result.output.contains("1 to 8: 1 to 8 change sets   ^ last sync"))
        #expect(result.output.replacing("’", with: "").utf8.allSatisfy { $0 < 0x80 })
    }

    /// The sets in the columns of JSON equal those of the listing, and the bars of the picture those of JSON.
    @Test(.enabled(if: Python.available)) func everySetIsCounted() throws {
        let demo = try DemoRemote(changeSets: 60)
        let svg = demo.scratch.path.appending("timeline.svg").string
        let json = try Program.run("ticds-inspect", ["timeline", demo.path, "--json", "--svg", svg])
        #expect(json.status == 0 && json.errors == "")
        let check = """
            shown = document(sys.argv[1])
            assert shown['svg'] == sys.argv[-1] and shown['scale']['unit'] in ('day', 'week', 'month')
            for row in shown['rows']:
                files = [name for at, _, names in os.walk(sys.argv[-2]) if os.path.basename(at) == row['client']
                    for name in names if name.endswith('.syncchg')]
                counts = [column['count'] for column in row['columns']]
                assert sum(counts) == len(files) == row['changeSets'] > 0, (row['client'], len(files))
                assert row['lastSync'] in [mark['time'] for mark in row['marks'] if mark['kind'] == 'lastSync']
            picture = page(sys.argv[-1])
            bars = [bar.find(SVG + 'title') for bar in picture.iter(SVG + 'rect') if bar.get('class') == 'bar']
            drawn = sum(int(title.text.split()[0]) for title in bars if title is not None)
            assert drawn == sum(row['changeSets'] for row in shown['rows']), drawn
            marks = [path for path in picture.iter(SVG + 'path') if path.find(SVG + 'title') is not None]
            assert len(marks) == sum(len(row['marks']) for row in shown['rows'])
            assert picture.get('role') == 'img' and picture.find(SVG + 'title').text and picture.find(SVG + 'desc').text
            """
        let checked = try MarkupCheck.complaint(check, on: [json.bytes], [demo.path, svg])
        #expect(checked == "")
    }

    /// For a removal at an unknown time, the bounds are drawn and printed.
    @Test func removalBetweenBounds() throws {
        let builder = try small()
        let start: Int64 = 1_362_355_200
        try builder.write("Documents/Diary/DeletedClients/CLIENT-A.plist", "x", time: start + 86_400)
        try TestFiles.setTime(
            builder.root.pushing(FilePath("ClientDevices/CLIENT-A/deviceInfo.plist")),
            FileTime(seconds: start + 86_400))
        for name in ["DeletedClients", "SyncChanges", "SyncCommands"] {
            try TestFiles.setTime(
                builder.root.pushing(FilePath("Documents/Diary/\(name)")),
                FileTime(seconds: start + 3 * 86_400))
        }
        let path = builder.root.string
        let utf8 = ["LC_ALL": "C.UTF-8"]
        let drawn = try Program.run("ticds-inspect", ["timeline", path], environment: utf8)
        #expect(drawn.output.contains("10 change sets       ‹ ›  ▲\n"), "\(drawn.output)")
        #expect(drawn.output.contains("‹ › removed in between"))
        #expect(
            drawn.output.contains(
                "Anna’s iPhone was removed from Diary, not before 2013-03-05 00:00 and not after 2013-03-07 00:00 UTC; the tombstone"
            ), "\(drawn.output)")
        let json = try Program.run("ticds-inspect", ["timeline", path, "--json"])
        #expect(
            json.output.contains(#""time": null"#) && json.output.contains(#""evidence": "bounds""#),
            "\(json.output)")
        let svg = builder.folder.path.appending("timeline.svg").string
        #expect(try Program.run("ticds-inspect", ["timeline", path, "--svg", svg]).status == 0)
        let picture = try String(contentsOfFile: svg, encoding: .utf8)
        #expect(
            picture.contains("class=\"deleted span\"") && picture.contains("not after 2013-03-07 00:00 UTC"))
    }

    /// The local journal contains the time at which ticds removed a client; an undone removal does not count.
    @Test func removalInTheJournal() throws {
        let demo = try DemoRemote(changeSets: 4)
        let state = ["XDG_STATE_HOME": demo.scratch.path.appending("state").string]
        let words = ["delete", demo.path, "Børge’s iPad", "--document", "cookbook", "--yes"]
        func evidence() throws -> (removals: Int, journal: Int) {
            let json = try Program.run(
                "ticds-inspect", ["timeline", demo.path, "--json"], environment: state)
            #expect(json.status == 0, "\(json.errors)")
            let count = { (text: String) in json.output.components(separatedBy: text).count - 1 }
            return (count(#""evidence": "#), count(#""evidence": "journal""#))
        }
        let before = try evidence()
        #expect(try Program.run("ticds-client", words, environment: state).status == 0)
        let after = try evidence()
        #expect(after == (before.removals + 1, before.journal + 1))
        let shown = try Program.run("ticds-inspect", ["timeline", demo.path], environment: state)
        #expect(!shown.output.contains("was removed from cookbook, not before"), "\(shown.output)")
        let elsewhere = try Program.run("ticds-inspect", ["timeline", demo.path])
        #expect(elsewhere.output.contains("was removed from cookbook, not before"), "\(elsewhere.output)")
    }

    @Test(.enabled(if: Python.available)) func hostileNamesStayText() throws {
        let builder = try PicturedRemote.hostile()
        defer { withExtendedLifetime(builder) {} }
        let svg = builder.folder.path.appending("timeline.svg").string
        let result = try Program.run("ticds-inspect", ["timeline", builder.root.string, "--svg", svg])
        #expect(result.status == 0 && result.output == "")
        let check = """
            picture = page(sys.argv[1])
            titles = [title.text for title in picture.iter(SVG + 'title')]
            for name in sys.argv[2:-1]: assert any(title.startswith(name) for title in titles), (name, titles)
            assert any('\\\\u{202E}txt.exe' in title for title in titles)
            assert not any(c in open(sys.argv[1], encoding='utf-8').read() for c in '\\u202e\\x1b\\x00')
            """
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: svg)))
        let checked = try MarkupCheck.complaint(check, on: [bytes], PicturedRemote.descriptions)
        #expect(checked == "")
    }

    @Test func neverWritesIntoARemote() throws {
        let demo = try DemoRemote(changeSets: 4)
        let before = try TreeImage(of: demo.root)
        for words in [["timeline", "--svg"], ["report", "--html"]] {
            for place in ["/x", "/Documents/x", "/Documents/../x"] {
                let target = demo.path + place
                let result = try Program.run("ticds-inspect", [words[0], demo.path, words[1], target])
                #expect(result.status == 3, "\(target): \(result.errors)")
            }
        }
        #expect(try TreeImage(of: demo.root).differences(from: before) == [])
    }

    @Test func wrongUsage() throws {
        let demo = try DemoRemote(changeSets: 4)
        let times = ["--since", "2013-05-01", "--until", "2013-04-01"]
        #expect(try Program.run("ticds-inspect", ["timeline", demo.path] + times).status == 64)
        #expect(try Program.run("ticds-inspect", ["report", demo.path]).status == 64)
    }
}
