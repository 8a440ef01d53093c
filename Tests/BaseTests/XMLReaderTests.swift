import Base
import Testing

@Suite struct XMLReaderTests {
    private func events(_ text: String) throws(XMLProblem) -> [XMLReader.Event] {
        var reader = try XMLReader(Array(text.utf8), depthLimit: 3)
        var events: [XMLReader.Event] = []
        while let event = try reader.next() { events.append(event) }
        return events
    }

    @Test func entitiesAreResolved() throws {
        let text = "<?xml version=\"1.0\"?><!-- x --><a b='&lt;&#x41;&#66;'>&amp;<c/><![CDATA[<d>]]></a>"
        let expected: [XMLReader.Event] = [
            .start("a", attributes: ["b": "<AB"]), .text("&"), .start("c", attributes: [:]), .end("c"),
            .text("<d>"),
            .end("a"),
        ]
        #expect(try events(text) == expected)
    }

    @Test(arguments: [
        "", "<a>", "<a></b>", "<a/><b/>", "<a b='1' b='2'/>", "<a>&unknown;</a>", "<a>&#0;</a>", "x<a/>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]><a/>", "<a><b><c><d/></c></b></a>", "<a><!-- </a>",
    ])
    func damagedTextIsRefused(text: String) { #expect(throws: XMLProblem.self) { try events(text) } }

    @Test func problemsHaveTheirLine() {
        let problem = #expect(throws: XMLProblem.self) { try events("<a>\n<b>\n</c>") }
        #expect(problem?.line == 3)
    }
}
