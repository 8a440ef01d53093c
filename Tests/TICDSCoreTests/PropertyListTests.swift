import Base
import Foundation
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
@testable import TICDSCore

@Suite struct PropertyListTests {
    private static let path = FilePath("/remote/documentInfo.plist")

    private func read(_ text: String) throws(FileProblem) -> ArchivedValue {
        try PropertyListFile.value(of: SharedBytes(Array(text.utf8)), path: Self.path)
    }

    /// A list with one element.
    private func element(_ text: String) throws(FileProblem) -> ArchivedValue {
        try read("<?xml version=\"1.0\"?><plist version='1.0'>\(text)</plist>")
    }

    @Test(
        arguments: [
            ("<true/>", .boolean(true)), ("<false></false>", .boolean(false)),
            ("<integer>1</integer>", .integer(1)),
            ("<integer> -0 </integer>", .integer(0)), ("<integer>0x1F</integer>", .integer(31)),
            ("<integer>9007199254740993</integer>", .integer(9_007_199_254_740_993)),
            ("<integer>-9223372036854775808</integer>", .integer(-9_223_372_036_854_775_808)),
            ("<integer>18446744073709551615</integer>", .integer(18_446_744_073_709_551_615)),
            ("<real>1</real>", .real(1)), ("<real>-1.5e-3</real>", .real(-0.0015)),
            ("<string/>", .string("")),
            ("<string> a\n&lt;&#65;&#x1F600;&amp;<![CDATA[<&]]><!-- no --></string>", .string(" a\n<A😀&<&")),
            ("<data>AAEC\n\t Aw==</data>", .data([0, 1, 2, 3])), ("<data/>", .data([])),
            ("<array/>", .array([])),
            ("<dict></dict>", .dictionary([:])), ("<date>2001-01-01T00:00:00Z</date>", .date(0)),
            ("<date>2000-02-29T23:59:59Z</date>", .date(-26_438_401)),
            ("<date>0001-01-01T00:00:00Z</date>", .date(-63_113_904_000)),
            ("<date>4001-01-01T00:00:00Z</date>", .date(63_113_904_000)),
            (
                "<array><true/><array><string>x</string></array></array>",
                .array([.boolean(true), .array([.string("x")])])
            ),
        ] as [(String, ArchivedValue)])
    func readsExactly(_ text: String, _ expected: ArchivedValue) throws {
        #expect(try element(text) == expected)
    }

    @Test func keepsOrderAndDoubles() throws {
        let value = try element("<dict><key>b</key><true/><key>a</key><true/><key>b</key><false/></dict>")
        #expect(value.pairs?.map(\.key) == [.string("b"), .string("a"), .string("b")])
    }

    @Test(arguments: [
        "", "<true/><true/>", "<dict><true/></dict>", "<dict><key>a</key></dict>",
        "<array><key>a</key></array>",
        "<dict><key>a</key><key>b</key><true/></dict>", "<array></dict>", "<string>a",
        "<string>&lol;</string>",
        "<string>&#xD800;</string>", "<integer></integer>", "<integer>1.5</integer>",
        "<integer>--1</integer>",
        "<integer>999999999999999999999999999999999999999999999999</integer>", "<real>x</real>",
        "<integer>\(String(repeating: "9", count: 100_000))</integer>",
        "<date>2013-13-01T00:00:00Z</date>", "<date>2013-02-29T00:00:00Z</date>", "<date>2013-02-28</date>",
        "<date>2013-02-28T24:00:00Z</date>", "<data>A</data>", "<data>A*==</data>", "<true>x</true>",
        "<foo/>",
        "<array", "<!-- ", "text", "<dict><key>a</key>",
    ])
    func refusesWhatIsNoList(_ text: String) {
        let problem = #expect(throws: FileProblem.self) { try element(text) }
        #expect(problem?.kind == .damaged)
        #expect(problem?.offset != nil)
    }

    @Test func refusesDeclarationsOfEntities() {
        let laughs = """
            <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <plist version="1.0"><string>&b;</string></plist>
            """
        let problem = #expect(throws: FileProblem.self) { try read(laughs) }
        #expect(problem?.found?.contains("document type") == true)
        #expect(problem?.offset != nil)
    }

    @Test(arguments: ["array", "dict"])
    func refusesDeepNestingAtOnce(_ name: String) throws {
        let key = name == "dict" ? "<key>k</key>" : ""
        func nested(_ depth: Int) -> String {
            String(repeating: "<\(name)>\(key)", count: depth) + "<true/>"
                + String(repeating: "</\(name)>", count: depth)
        }
        #expect(throws: Never.self) { try element(nested(128)) }
        #expect(throws: FileProblem.self) { try element(nested(129)) }
        #expect(throws: FileProblem.self) { try element(nested(100_000)) }
        #expect(throws: FileProblem.self) {
            try element(String(repeating: "<\(name)>\(key)", count: 100_000))
        }
    }

    @Test func aListCutAnywhereIsRefused() throws {
        let info = DeviceInfo(
            description: "Bärbel’s <Mac>", identifier: "client", userInfo: .array([.real(1)]))
        let bytes = try info.bytes(path: Self.path)
        for length in 0..<(bytes.count - 1) {
            let cut = SharedBytes(Array(bytes.prefix(length)))
            #expect(throws: FileProblem.self) { try PropertyListFile.value(of: cut, path: Self.path) }
        }
    }

    @Test func readsABinaryListToo() throws {
        let value = ArchivedValue.dictionary(["a": .integer(1), "b": .real(1), "c": .boolean(true)])
        let bytes = SharedBytes(try BinaryPropertyListWriter.bytes(of: value))
        #expect(try PropertyListFile.value(of: bytes, path: Self.path) == value)
    }

    @Test func infoFilesComeBackWithTheirOtherKeys() throws {
        var device = DeviceInfo(
            description: "A & B", identifier: "c", userInfo: .dictionary(["n": .integer(7)]))
        device.others = [ArchivedPair(key: .string("later"), value: .date(1))]
        #expect(try DeviceInfo(SharedBytes(device.bytes(path: Self.path)), path: Self.path) == device)
        let document = DocumentInfo(
            identifier: "d", description: nil, originalDeviceIdentifier: "c", originalDeviceDescription: "e")
        #expect(try DocumentInfo(SharedBytes(document.bytes(path: Self.path)), path: Self.path) == document)
    }

    @Test func controlCharactersCannotBeWritten() {
        let info = DeviceInfo(description: "a\u{1}", identifier: nil)
        let problem = #expect(throws: FileProblem.self) { try info.bytes(path: Self.path) }
        #expect(problem?.kind == .writeFailed)
    }

    @Test(arguments: [0, -1, 31_622_400, -26_438_401, -63_113_904_000, 63_113_904_000, -62_000_000.0])
    func datesAreWrittenAsFoundationReadsThem(_ seconds: Double) throws {
        let bytes = try XMLPropertyListWriter.bytes(of: .date(seconds))
        let read = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? Date
        #expect(read == Date(timeIntervalSinceReferenceDate: seconds))
        #expect(try PropertyListFile.value(of: SharedBytes(bytes), path: Self.path) == .date(seconds))
    }

    @Test func dataOfEveryLengthIsWrittenAsFoundationDoes() throws {
        for length in 0..<70 {
            let data = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 37 + length) }
            let bytes = try XMLPropertyListWriter.bytes(of: .data(data))
            let text = Data(data).base64EncodedString()
            #expect(String(decoding: bytes, as: UTF8.self).contains("<data>\(text)</data>"))
            #expect(try PropertyListFile.value(of: SharedBytes(bytes), path: Self.path) == .data(data))
        }
    }

    /// Foundation's own reader checks the written lists.
    @Test func foundationReadsWhatIsWritten() throws {
        let value = ArchivedValue.dictionary([
            "text": .string("é < & > \" 😀\n"), "int": .integer(-5), "big": .integer(9_007_199_254_740_993),
            "real": .real(0.1), "one": .real(1), "yes": .boolean(true), "data": .data([0, 255]),
            "date": .date(379_000_000),
            "list": .array([.dictionary([:]), .array([])]),
        ])
        let data = Data(try XMLPropertyListWriter.bytes(of: value))
        let read = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        #expect(read?["text"] as? String == "é < & > \" 😀\n")
        #expect(read?["big"] as? Int == 9_007_199_254_740_993)
        #expect(read?["real"] as? Double == 0.1)
        #expect(read?["data"] as? Data == Data([0, 255]))
        #expect(read?["date"] as? Date == Date(timeIntervalSinceReferenceDate: 379_000_000))
        #expect(read?.count == 9)
        #expect(try PropertyListFile.value(of: SharedBytes([UInt8](data)), path: Self.path) == value)
    }
}
