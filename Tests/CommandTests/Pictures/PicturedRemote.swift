import Foundation
import SystemCalls
import SystemPackage
import TestSupport

/// A remote with names and descriptions that look like markup.
enum PicturedRemote {
    /// Descriptions of clients, which must appear as text.
    static let descriptions = [
        "</title><script>alert(1)</script>", "\"/><image href=\"http://example.com/x\"/>", "]]>&amp;<!--",
        "\u{5D0}\u{5D1}\u{202E}txt.exe",
    ]
    static let document = "<svg onload=alert(2)>"

    static func hostile() throws -> RemoteBuilder {
        let builder = try RemoteBuilder().skeleton().document(document)
        for (number, description) in descriptions.enumerated() {
            let client = "\"'><img src=x onerror=alert(\(number))>"
            try builder.client(client).join(client, document)
            try builder.write(
                "ClientDevices/\(client)/deviceInfo.plist",
                list("kTICDSClientDeviceDescription", description))
            try builder.changeSet(
                "0384120874.790540-\(number)", of: client, in: document, time: 1_362_428_074)
            try builder.recentSync(of: client, in: document, time: 1_362_528_074)
        }
        return try builder.write(
            "Documents/\(document)/documentInfo.plist", list("kTICDSDocumentDescription", "'\"><b>&"))
    }

    private static func list(_ key: String, _ value: String) -> String {
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>"
            + "<key>\(key)</key><string>\(escaped(value))</string></dict></plist>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: ">", with: "&gt;")
    }
}

/// Checks of pictures and pages by Python's parsers.
enum MarkupCheck {
    /// `page(path)`: the parsed file, which must be XML, need no other file and contain no script.
    static let script = """
        import html.parser, xml.etree.ElementTree as tree
        SVG, XHTML = '{http://www.w3.org/2000/svg}', '{http://www.w3.org/1999/xhtml}'
        def page(path):
            root = tree.parse(path).getroot()
            for element in root.iter():
                name = element.tag.split('}')[1]
                assert name not in ('script', 'image', 'img', 'link', 'iframe', 'object', 'foreignObject'), name
                # Links lead to sections of the page itself.
                target = element.attrib.pop('href', None) if name == 'a' else None
                assert name != 'a' or target[:1] == '#' and root.find(".//*[@id='%s']" % target[1:]) is not None, target
                for key, value in element.attrib.items():
                    assert not key.lower().startswith('on'), key
                    assert key not in ('href', 'src', 'style') and 'url(' not in value, (key, value)
            for style in root.iter():
                if style.tag.endswith('}style'):
                    assert 'url(' not in style.text and '@import' not in style.text
            return root
        class Reader(html.parser.HTMLParser):
            def __init__(self, text):
                super().__init__()
                self.tags, self.texts = [], []
                self.feed(text)
                self.close()
            def handle_starttag(self, tag, attributes): self.tags.append(tag)
            def handle_data(self, data): self.texts.append(data)
        def words(element): return ' '.join(' '.join(element.itertext()).split())

        """

    static func complaint(_ check: String, on files: [[UInt8]], _ arguments: [String] = []) throws -> String {
        try PythonCheck.complaint(script + check, on: files, arguments)
    }
}
