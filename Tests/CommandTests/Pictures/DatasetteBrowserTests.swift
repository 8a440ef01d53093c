import Foundation
import SystemPackage
import TestSupport
import Testing

/// A database of `ticds-store export --history` in a real Datasette, as a user sees it in a browser.
@Suite(
    .enabled(if: Browser.available, "chromium is not installed"),
    .enabled(if: StoreHistoryExportTests.datasette, "needs Datasette, of PyPI"),
    .enabled(if: LongTests.areWanted, "long: make check runs it"))
struct DatasetteBrowserTests {
    /// Starts Datasette on a free port, and visits its pages: the list of tables, facets, a search, and from an object
    /// to its changes by the link on the page.
    private static let script = #"""
        import html, subprocess, threading, time, urllib.parse
        folder, chromium = sys.argv[1:3]
        server = subprocess.Popen(
            [sys.executable, '-m', 'datasette', folder + '/look.db', '-m', folder + '/look.json', '-h', '127.0.0.1', '-p', '0'],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            found = None
            for line in server.stderr:
                found = re.search(r'running on (http://127\.0\.0\.1:\d+)', line)
                if found: break
            assert found, 'Datasette did not start'
            base = found[1]
            threading.Thread(target=lambda: [None for _ in server.stderr], daemon=True).start()
            def page(path):
                out = subprocess.run(
                    [chromium, '--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-dev-shm-usage',
                     '--enable-logging=stderr', '--user-data-dir=' + folder + '/browser', '--dump-dom', base + path],
                    capture_output=True, text=True, timeout=120, env=dict(os.environ, HOME=folder))
                assert out.returncode == 0, (path, out.stderr[-500:])
                faults = [l for l in out.stderr.split('\n') if 'CONSOLE' in l and 'favicon' not in l]
                assert not faults, (path, faults)
                return out.stdout
            def words(dom): return ' '.join(html.unescape(re.sub('<[^>]*>', ' ', re.sub('(?s)<(script|style).*?</\\1>', '', dom))).split())
            def links(dom): return [html.unescape(l) for l in re.findall('href="([^"]*)"', dom)]
            def rows(dom):
                table = re.search('(?s)<table class="rows-and-columns">.*?</table>', dom)
                return re.findall('(?s)<tr>(.*?)</tr>', table[0].split('</thead>')[-1]) if table else []

            start = page('/look')
            for name in ['Recipe', 'Ingredient', 'Tag', 'changes', 'objects', 'history', 'Ingredient_labelled']:
                assert any(l.split('?')[0] == '/look/' + name for l in links(start)), (name, links(start))

            # Every table and view opens.
            places = sorted(set(l.split('?')[0] for l in links(start) if re.fullmatch(r'/look/[A-Za-z_]+', l.split('?')[0])))
            assert len(places) > 9, places
            for place in places:
                shown = page(place + '?_size=20') if place != '/look/history' else page(place)
                assert 'Error 500' not in shown and 'error' not in words(shown).lower()[:30], (place, words(shown)[:300])

            changes = page('/look/changes')
            for facet in ['device', 'type', 'entity', 'attribute']:
                assert 'facet-' + facet in changes or 'data-column="%s"' % facet in changes, facet
            facets = [l for l in links(changes) if '/look/changes' in l and 'type=insert' in l]
            assert facets, links(changes)
            path = urllib.parse.urlsplit(facets[0])
            chosen = page(path.path + '?' + path.query)
            assert rows(chosen) and all('insert' in words(r) for r in rows(chosen)), facets[0]

            recipes = page('/look/Recipe?_size=5')
            assert 'name="_search"' in recipes, 'no search'
            titles = re.findall('(?s)<td class="col-title[^"]*"[^>]*>(.*?)</td>', recipes)
            word = max(words(titles[0]).split(), key=len)
            hits = page('/look/Recipe?_search=' + urllib.parse.quote('"' + word + '"'))
            assert rows(hits) and word.lower() in words(hits).lower(), word

            objects = page('/look/objects?entity=Recipe&_size=1')
            own = [l for l in links(objects) if l.startswith('/look/objects/')]
            assert own, links(objects)
            one = page(own[0])
            assert 'rows from object in changes' in words(one) or 'row from object in changes' in words(one), words(one)
            follow = [l for l in links(one) if l.startswith('/look/changes?') and 'object=' in l]
            history = page(follow[0])
            assert rows(history) and all('Recipe' in words(r) for r in rows(history)), follow
            identifier = urllib.parse.unquote(own[0].split('/')[-1])
            who = page('/look/who_changed_this?object=' + urllib.parse.quote(identifier))
            assert 'Who changed this' in words(who) and rows(who) and 'insert' in words(who), words(who)[:500]
        finally:
            # It only reads; asked to end it would wait for connections of the browser.
            server.kill()
            server.wait(30)
        """#

    @Test func aPersonLooksAtIt() throws {
        let export = try StoreHistoryExportTests.Export()
        let check = try PythonCheck.complaint(
            Self.script, on: [], [export.folder, try #require(Browser.path)], seconds: 300)
        #expect(check == "")
    }
}
