import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataStore

/// Stores of the XML type that are written (core-data-xml-store(5), 10).
@Suite struct XMLStoreWriterTests {
    /// An object that is written again has the same type, id, values, types of values, counts and references.
    @Test(.enabled(if: Samples.available, "needs the samples"), arguments: XMLStoreTests.samples)
    func rewrittenSampleHasTheSameElements(_ name: String) throws {
        let path = Samples.path("xml-stores/\(name)")
        let bytes = try FileBytes.read(path).array
        let first = try XMLStoreReader(bytes, path: path)
        var writer = XMLStoreWriter(metadata: StoreMetadata(first.metadata, uuid: first.uuid))
        for object in first.objects { try writer.append(object) }
        let written = try writer.finish(lastNumber: try #require(first.lastNumber))
        let second = try XMLStoreReader(written, path: "new.xml")
        #expect(second.problemCount == 0 && second.damage == nil && second.remarks.isEmpty)
        #expect(second.metadata == first.metadata && second.uuid == first.uuid)
        #expect(second.lastNumber == first.lastNumber)
        #expect(first.objects.count > 2 && second.objects.map(\.tree) == first.objects.map(\.tree))
        // Files that nobody edited are the same text from the root element on.
        guard !name.hasSuffix("mslice") else { return }
        func text(_ bytes: [UInt8]) -> Substring {
            let text = String(decoding: bytes, as: UTF8.self)
            return text[(text.firstRange(of: "<!DOCTYPE")?.lowerBound ?? text.startIndex)...]
        }
        #expect(text(written) == text(bytes))
    }

    static let strings = [
        "", " ", "\\", "\\\\", "\\u3c00", "\\\\u3c00", "a\\", "<>&\"'", "]]>", "<![CDATA[x]]>", "&amp;",
        "\u{0}", "\u{1}\u{8}\u{B}\u{1F}", "\t\n\r\r\n", "\u{7F}\u{80}\u{85}\u{9F}\u{2028}",
        "\u{FE0F}\u{FE10}",
        "\u{FEFF}\u{FFFD}\u{FFFE}\u{FFFF}", "（，：；？）", "😀\u{10FFFF}\u{1FFFE}\u{E000}", "e\u{301}\u{E9}",
        "  spaces  ", "\n", String(repeating: "x<", count: 300_000),
    ]

    @Test(arguments: strings.indices)
    func stringsReadAsWritten(_ index: Int) throws {
        let text = Self.strings[index]
        var bytes: [UInt8] = []
        #expect(XMLStoreValue.append(.string(text), type: "string", to: &bytes))
        let file = Array("<a>".utf8) + bytes + Array("</a>".utf8)
        var reader = try XMLReader(file, depthLimit: 4)
        var content = ""
        while let event = try reader.next() { if case .text(let more) = event { content += more } }
        let (value, isDoubtful) = XMLStoreText.unescaped(content)
        #expect(Array(value.utf8) == Array(text.utf8) && !isDoubtful)
        #expect(!bytes.contains { $0 == 0x0D || $0 == 0 || $0 == UInt8(ascii: "<") })
    }

    @Test func escapesAreThoseOfCoreData() {
        func escaped(_ text: String) -> String {
            var bytes: [UInt8] = []
            XMLStoreText.append(escaped: text, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(escaped("echo \\\"<&>") == "echo \\\\\"\\u3c00\\u2600\\u3e00")
        #expect(escaped("\u{8}\u{1C}\u{FEFF}（，⭐️µ") == "\\u0800\\u1c00\\ufffe\\u08ff\\u0cff⭐️µ")
        #expect(escaped("😀") == "\\u3dd8\\u00de")
    }

    @Test func datesHaveTwentyDecimals() throws {
        #expect(XMLStoreValue.date(336046917.00164199) == "336046917.00164198875427246094")
        #expect(XMLStoreValue.date(259455601) == "259455601.00000000000000000000")
        #expect(XMLStoreValue.date(-0.5) == "-0.50000000000000000000")
        #expect(XMLStoreValue.date(0.1) == "0.10000000000000000555")
        var random = RandomNumbers(41)
        var numbers: [Double] = [
            0, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
            .leastNormalMagnitude, .ulpOfOne, 0.99999999999999988898, 0x1p99, 0x1p100, 0x1p127,
            ArchivedValue.distantPast, ArchivedValue.distantFuture,
        ]
        for _ in 0..<20_000 {
            let number = Double(bitPattern: random.next())
            if number.isFinite { numbers.append(number) }
            numbers.append(Double.random(in: -1e9...1e9, using: &random))
        }
        for number in numbers {
            let text = try #require(XMLStoreValue.date(number))
            #expect(Double(text)?.bitPattern == number.bitPattern, "\(number)")
        }
        #expect(XMLStoreValue.date(.nan) == nil && XMLStoreValue.date(.infinity) == nil)
    }

    @Test(.enabled(if: Python.available))
    func decimalsOfDatesAreThoseOfPython() throws {
        var random = RandomNumbers(42)
        let numbers = (0..<2_000).map { _ in
            Double.random(in: -1e9...1e9, using: &random) * Double.random(in: 0...1, using: &random)
        }
        let script = "import sys\nfor a in sys.argv[1:]: print('%.20f' % float(a))"
        let output = try #require(Python.run(script, numbers.map { "\($0)" }))
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines == numbers.map { XMLStoreValue.date($0) })
    }

    @Test func base64HasTheLinesOfCoreData() throws {
        func text(_ count: Int) -> String {
            var bytes: [UInt8] = []
            _ = XMLStoreValue.append(.data([UInt8](repeating: 0, count: count)), type: "binary", to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(text(0) == "" && text(3) == "AAAA\n" && text(57) == String(repeating: "A", count: 76))
        #expect(text(54) == String(repeating: "A", count: 72) + "\n")
        #expect(
            text(120) == String(repeating: "A", count: 76) + "\n" + String(repeating: "A", count: 84) + "\n")
    }

    @Test func numbersThatXMLCannotContainAreRefused() {
        var bytes: [UInt8] = []
        for (value, type): (ArchivedValue, String) in [
            (.real(.nan), "double"), (.real(.infinity), "float"), (.date(.nan), "date"),
            (.decimal(.notANumber), "decimal"), (.integer(40_000), "int16"), (.string("x"), "int32"),
            (.null, "string"), (.data([1]), "string"), (.string(""), "binary"),
        ] {
            #expect(!XMLStoreValue.append(value, type: type, to: &bytes), "\(value) \(type)")
        }
    }
}

extension XMLStoreObject {
    /// The content without the place in the file.
    fileprivate var tree: [String] {
        ["\(type) \(id ?? "")"] + attributes.map { "\($0.name) \($0.type) \($0.value)" }
            + relationships.map { "\($0.name) \($0.counts) \($0.destination) \($0.targets)" }
    }
}
