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

    /// Text that XML 1.0 forbids, each beside text that it allows.
    @Test(arguments: [
        ("<a>\u{0}</a>", "<a>\t</a>"), ("<a>\u{1F}</a>", "<a>\u{7F}</a>"),
        ("<a>\u{FFFE}</a>", "<a>\u{FFFD}</a>"),
        ("<a>&#x1;</a>", "<a>&#x9;</a>"), ("<a>&#xFFFF;</a>", "<a>&#xFFFD;</a>"),
        ("<a>&#+65;</a>", "<a>&#65;</a>"),
        ("<a>&#xD800;</a>", "<a>&#xE000;</a>"), ("<a b='\u{1}'/>", "<a b='\u{A0}'/>"),
        ("<a b\u{0}='1'/>", "<a b ='1'/>"), ("<a b='1' \u{0}/>", "<a b='1' />"), ("<a b='<'/>", "<a b='>'/>"),
        ("<a b/>", "<a b=''/>"), ("<a b=1/>", "<a b='1'/>"), ("<a b='1'c='2'/>", "<a b='1' c='2'/>"),
        ("<1a/>", "<a1/>"), ("<-a/>", "<_-a/>"), ("<a!/>", "<é/>"), ("<a 1='1'/>", "<a :b='1'/>"),
        ("<a>]]></a>", "<a>]]&gt;</a>"), ("<!-- -- --><a/>", "<!-- - --><a/>"),
        ("<!-- \u{2} --><a/>", "<!----><a/>"),
        ("&#32;<a/>", " <a/>"), ("<a/>&#32;", "<a/>\n"), ("<a/>b", "<a/><!-- b -->"), ("<a/>\u{0}", "<a/> "),
        ("<a><?xml version='1.0'?></a>", "<a><?b version='1.0'?></a>"), ("<??><a/>", "<?b?><a/>"),
        (" <?xml version='1.0'?><a/>", "<?xml version='1.0'?><a/>"),
        ("<?xml ?><a/>", "<?xml version='1.0' ?><a/>"),
        ("<?xml encoding='UTF-8' version='1.0'?><a/>", "<?xml version='1.0' encoding='UTF-8'?><a/>"),
        ("<?xml version='1.0' encoding='UTF-7'?><a/>", "<?xml version='1.0' standalone='no'?><a/>"),
        ("<a/><!DOCTYPE a>", "<!DOCTYPE a><a/>"), ("<!DOCTYPE a><!DOCTYPE a><a/>", "<!DOCTYPE a ><a/>"),
        ("<!DOCTYPE a PUBLIC 'b'><a/>", "<!DOCTYPE a PUBLIC 'b' \"c\"><a/>"),
        ("<!DOCTYPE a PUBLIC '{' 'c'><a/>", "<!DOCTYPE a SYSTEM '{'><a/>"),
    ])
    func illFormedTextIsRefused(illFormed: String, wellFormed: String) {
        #expect(throws: XMLProblem.self) { try events(illFormed) }
        #expect(throws: Never.self) { try events(wellFormed) }
    }

    @Test func forbiddenCharacterHasItsOffset() {
        let problem = #expect(throws: XMLProblem.self) { try events("<a>\n<b c='é\u{0}'/></a>") }
        #expect(problem?.offset == 12 && problem?.line == 2)
    }

    @Test func longNameIsShortened() {
        let name = String(repeating: "b", count: 100_000)
        let problem = #expect(throws: XMLProblem.self) { try events("<\(name) c/>") }
        #expect(problem.map { $0.problem.count < 250 } == true)
    }

    @Test func problemsHaveTheirLine() {
        let problem = #expect(throws: XMLProblem.self) { try events("<a>\n<b>\n</c>") }
        #expect(problem?.line == 3)
    }
}
