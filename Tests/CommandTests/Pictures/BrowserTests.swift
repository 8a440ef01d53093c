import Base
import Foundation
import SystemCalls
import SystemPackage
import TestSupport
import Testing

/// Pages and pictures as a browser shows them.
@Suite(
    .enabled(if: Browser.available, "chromium is not installed"),
    .enabled(if: LongTests.areWanted, "long: make check runs it"), .serialized)
struct BrowserTests {
    /// `pixels(path)`: width, height and rows of red, green, blue of a PNG of 8 bits.
    private static let script = """
        import collections, struct, zlib
        def pixels(path):
            data, at, parts = open(path, 'rb').read(), 8, b''
            while at < len(data):
                size, kind = struct.unpack('>I4s', data[at:at + 8])
                if kind == b'IHDR': width, height, depth, colour = struct.unpack('>IIBB', data[at + 8:at + 18])
                if kind == b'IDAT': parts += data[at + 8:at + 8 + size]
                at += 12 + size
            assert depth == 8 and colour in (2, 6)
            step, rows, raw, above = (3 if colour == 2 else 4), [], zlib.decompress(parts), None
            stride = width * step
            above = bytearray(stride)
            for row in range(height):
                kind, line = raw[row * (stride + 1)], bytearray(raw[row * (stride + 1) + 1:(row + 1) * (stride + 1)])
                for i in range(stride):
                    left, up = line[i - step] if i >= step else 0, above[i]
                    corner = above[i - step] if i >= step else 0
                    if kind == 1: line[i] = (line[i] + left) & 255
                    elif kind == 2: line[i] = (line[i] + up) & 255
                    elif kind == 3: line[i] = (line[i] + (left + up) // 2) & 255
                    elif kind == 4:
                        guess = left + up - corner
                        near = min((left, up, corner), key=lambda value: abs(guess - value))
                        line[i] = (line[i] + near) & 255
                rows.append([tuple(line[i:i + 3]) for i in range(0, stride, step)])
                above = line
            return width, height, rows

        """

    /// On paper the page has the tables of a wide screen: the demonstration remote fits on three sheets.
    @Test func fitsOnPaper() throws {
        let page = try Page()
        let paper = page.demo.scratch.path.appending("report.pdf").string
        try page.demo.scratch.shell(
            "'\(try #require(Browser.path))' --headless --no-sandbox --disable-gpu --no-pdf-header-footer "
                + "--print-to-pdf='\(paper)' 'file://\(page.path)' 2>/dev/null >&2")
        let text = String(decoding: try Data(contentsOf: URL(filePath: paper)), as: UTF8.self)
        let pages = text.matches(of: /\/Type\s*\/Page\b/).count
        #expect((1...3).contains(pages), "\(pages) pages")
    }

    private struct Page {
        let demo: DemoRemote
        let path: String

        init() throws {
            demo = try DemoRemote(.damaged, changeSets: 20)
            path = demo.scratch.path.appending("report.html").string
            _ = try Program.run("ticds-inspect", ["report", demo.path, "--html", path])
        }
    }

    /// The page is light or dark as the reader prefers, and has text with strong contrast.
    @Test(arguments: Browser.Scheme.allCases, [400, 1_100])
    func followsTheReader(scheme: Browser.Scheme, width: Int) throws {
        let page = try Page()
        let picture = page.demo.scratch.path.appending("page.png").string
        let shown = try Browser.show(
            page.path, page.demo.scratch, width: width, scheme: scheme, ["--screenshot=\(picture)"])
        #expect(shown.status == 0, "\(shown.errors)")
        #expect(!shown.errors.contains("CONSOLE"), "\(shown.errors)")
        let check = """
            width, height, rows = pixels(sys.argv[1])
            assert width == int(sys.argv[2]) and height > 500, (width, height)
            counts = collections.Counter(pixel for row in rows for pixel in row)
            def bright(pixel): return (299 * pixel[0] + 587 * pixel[1] + 114 * pixel[2]) / 1000
            ground, shades = bright(rows[2][2]), [bright(pixel) for pixel in counts]
            if sys.argv[3] == 'light': assert ground > 235 and min(shades) < 60, (ground, min(shades))
            else: assert ground < 30 and max(shades) > 220, (ground, max(shades))
            assert len(counts) > 50 and counts.most_common(1)[0][1] < width * height
            """
        let checked = try PythonCheck.complaint(
            Self.script + check, on: [[UInt8](try Data(contentsOf: URL(filePath: picture)))],
            ["\(width)", "\(scheme)"])
        #expect(checked == "")
    }

    /// Measurements of the browser: nothing is wider than the window, or than a telephone, every text has the contrast
    /// of WCAG AA, and the styles were permitted.
    @Test(arguments: Browser.Scheme.allCases, [500, 820, 1_400])
    func fitsAndCanBeRead(scheme: Browser.Scheme, width: Int) throws {
        let page = try Page()
        var html = try String(contentsOfFile: page.path, encoding: .utf8)
        let policy = try #require(html.firstMatch(of: /<meta http-equiv="Content-Security-Policy"[^>]*>/))
        html.replaceSubrange(policy.range, with: "")
        html = html.replacing("</body>", with: "<script>\(Self.measure)</script></body>")
        let path = try page.demo.scratch.write("measured.html", Array(html.utf8))
        let shown = try Browser.show(path, page.demo.scratch, width: width, scheme: scheme, ["--dump-dom"])
        let found = try #require(shown.output.firstMatch(of: /data-measured="([^"]*)"/), "\(shown.errors)")
        let parts = found.1.split(separator: " ", maxSplits: 4).map(String.init)
        #expect(parts.count >= 4 && parts[0] == "\(width)" && parts[1] == parts[0], "\(found.1)")
        let texts = try #require(Int(parts[2]))
        #expect(texts > 100)
        #expect(parts[3] == "0", "\(found.1)")
    }

    /// The widths of the window and of its content (or the content that a telephone would cut off), the number of
    /// texts, and the number of faint ones.
    private static let measure = """
        function light(colour) {
            const [red, green, blue] = colour.map(v => { v /= 255;
                return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4) });
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue }
        function parse(text) { return text.match(/[0-9.]+/g).map(Number) }
        function ground(element) {
            for (let e = element; e; e = e.parentElement) {
                const picture = e.matches('svg.timeline') ? e.querySelector('.ground') : null;
                const style = getComputedStyle(picture || e);
                const colour = parse(picture ? style.fill : style.backgroundColor);
                if (colour.length < 4 || colour[3] > 0) return colour.slice(0, 3) }
            return [255, 255, 255] }
        let texts = 0, faint = [];
        for (const element of document.querySelectorAll('body *')) {
            if (element.closest('script, style, title, desc')) continue;
            if (![...element.childNodes].some(n => n.nodeType == 3 && n.textContent.trim())) continue;
            const style = getComputedStyle(element);
            const inPicture = element instanceof SVGElement;
            const first = light(parse(inPicture ? style.fill : style.color)), second = light(ground(element));
            const ratio = (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
            texts += 1;
            if (ratio < 4.5) faint.push(element.tagName + ' ' + ratio.toFixed(2)) }
        const wide = document.documentElement.scrollWidth;
        document.body.style.width = Math.min(innerWidth, 340) + 'px';
        const isTight = innerWidth > 800 || document.body.scrollWidth <= 340;
        document.documentElement.dataset.measured =
            [innerWidth, isTight ? wide : document.body.scrollWidth, texts, faint.length, faint.join(';')].join(' ');
        """

    /// The picture by itself, in a browser, also follows the reader.
    @Test(arguments: Browser.Scheme.allCases) func pictures(scheme: Browser.Scheme) throws {
        let demo = try DemoRemote(changeSets: 20)
        let svg = demo.scratch.path.appending("timeline.svg").string
        _ = try Program.run("ticds-inspect", ["timeline", demo.path, "--svg", svg])
        let picture = demo.scratch.path.appending("page.png").string
        let shown = try Browser.show(
            svg, demo.scratch, width: 1_000, scheme: scheme, ["--screenshot=\(picture)"])
        #expect(shown.status == 0 && !shown.errors.contains("CONSOLE"), "\(shown.errors)")
        let check = """
            width, height, rows = pixels(sys.argv[1])
            ground, counts = rows[60][10], collections.Counter(pixel for row in rows for pixel in row)
            light, dark = ((255, 255, 255), (0x2F, 0x6F, 0xB3)), ((0x1B, 0x1E, 0x24), (0x76, 0xAE, 0xF0))
            wanted = light if sys.argv[2] == 'light' else dark
            assert ground == wanted[0], ground
            assert counts[wanted[1]] > 1000, counts.most_common(5)
            """
        let checked = try PythonCheck.complaint(
            Self.script + check, on: [[UInt8](try Data(contentsOf: URL(filePath: picture)))], ["\(scheme)"])
        #expect(checked == "")
    }

    /// A diagram of a model also follows the reader: boxes, lines and text on the background.
    @Test(arguments: Browser.Scheme.allCases) func models(scheme: Browser.Scheme) throws {
        let demo = try DemoRemote(changeSets: 4)
        let svg = demo.scratch.path.appending("model.svg").string
        let model = demo.root.removingLastComponent().appending("Cookbook.xcdatamodel").string
        _ = try Program.run("ticds-model", ["diagram", model, "--to", svg])
        let picture = demo.scratch.path.appending("page.png").string
        let shown = try Browser.show(
            svg, demo.scratch, width: 1_000, scheme: scheme, ["--screenshot=\(picture)"])
        #expect(shown.status == 0 && !shown.errors.contains("CONSOLE"), "\(shown.errors)")
        let check = """
            width, height, rows = pixels(sys.argv[1])
            ground, counts = rows[60][10], collections.Counter(pixel for row in rows for pixel in row)
            light = ((255, 255, 255), (0xF7, 0xF8, 0xFA), (0x2F, 0x6F, 0xB3), (0x1B, 0x1F, 0x24))
            dark = ((0x1B, 0x1E, 0x24), (0x24, 0x29, 0x32), (0x76, 0xAE, 0xF0), (0xE9, 0xEB, 0xEE))
            wanted = light if sys.argv[2] == 'light' else dark
            assert ground == wanted[0], ground
            assert counts[wanted[1]] > 20000, counts.most_common(5)
            assert counts[wanted[2]] > 100 and counts[wanted[3]] > 100, counts.most_common(9)
            """
        let checked = try PythonCheck.complaint(
            Self.script + check, on: [[UInt8](try Data(contentsOf: URL(filePath: picture)))], ["\(scheme)"])
        #expect(checked == "")
    }
}
