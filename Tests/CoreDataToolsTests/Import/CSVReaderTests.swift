import SystemCalls
import SystemPackage
import TestSupport
import Testing

@testable import CoreDataTools

@Suite struct CSVReaderTests {
    /// A record in a form that tests can compare.
    private struct Record: Equatable {
        var fields: [String?]
        var line = 1
        var problem: String?
    }

    /// - Parameter bufferSize: small, so that every field crosses the end of a buffer.
    private func records(
        _ text: String, separator: Character = ",", bufferSize: Int = 64
    ) throws -> [Record] {
        let folder = try TemporaryFolder()
        let path = folder.path.appending("a.csv")
        try TestFiles.write(path, Array(text.utf8))
        let source = try ImportBytes(path, bufferSize: bufferSize)
        var reader = CSVReader(source, separator: try #require(separator.asciiValue))
        var records: [Record] = []
        while try reader.next() {
            var fields: [String?] = []
            for field in reader.fields {
                let text = reader.text(field)
                fields.append(field.isQuoted ? text.map { "<\($0)>" } : text)
            }
            records.append(Record(fields: fields, line: reader.line, problem: reader.fault?.problem))
        }
        return records
    }

    @Test(arguments: ["\r\n", "\n", "\r"]) func endsOfLinesAreRead(_ end: String) throws {
        let text = ["a,b", "1,\"x\(end)y\"", ",\"\"", "3,\"say \"\"hi\"\"\""].joined(separator: end)
        let expected = [
            Record(fields: ["a", "b"]), Record(fields: ["1", "<x\(end)y>"], line: 2),
            Record(fields: ["", "<>"], line: 4), Record(fields: ["3", "<say \"hi\">"], line: 5),
        ]
        #expect(try records(text) == expected)
        #expect(try records(text + end) == expected)
        #expect(try records("\u{FEFF}" + text) == expected)
    }

    @Test func longFieldsCrossBuffers() throws {
        let long = String(repeating: "ä\"", count: 1_000)
        let field = "\"" + long.replacing("\"", with: "\"\"") + "\""
        #expect(try records("a;b\r\n\(field);2\r\n", separator: ";").last?.fields == ["<\(long)>", "2"])
    }

    @Test func emptyFileHasNoRecord() throws {
        #expect(try records("") == [])
        #expect(try records("\u{FEFF}") == [])
        #expect(try records("\n") == [Record(fields: [""])])
    }

    @Test func faultsOfARecordLeaveTheNextOneIntact() throws {
        let faults = try records("a,b\n1,\"x\"y\nz,q\"r\n4,5\n6,\"open\n7,8\n")
        #expect(
            faults.map(\.problem) == [
                nil, "has text after the quotation mark that ends a field",
                "contains a quotation mark in a field that does not begin with one", nil,
                "begins a field that does not end",
            ])
        #expect(faults.map(\.line) == [1, 2, 3, 4, 5])
        #expect(faults[3].fields == ["4", "5"])
    }

    @Test func tooManyFieldsAreAFault() throws {
        let found = try records(String(repeating: ",", count: CSVReader.mostFields) + "\n1,2\n")
        #expect(found.first?.problem == "has too many fields")
        #expect(found.first?.fields.count == CSVReader.mostFields && found.last?.fields == ["1", "2"])
    }

    @Test func textThatIsNotUTF8IsNoText() throws {
        let folder = try TemporaryFolder()
        let path = folder.path.appending("a.csv")
        try TestFiles.write(path, Array("a,".utf8) + [0xE4, 0x0A])
        var reader = CSVReader(try ImportBytes(path), separator: UInt8(ascii: ","))
        #expect(try reader.next())
        let fields = reader.fields
        #expect(reader.text(fields[0]) == "a" && reader.text(fields[1]) == nil)
    }

    @Test func firstLineCanNameTheSeparator() {
        func named(_ text: String) -> UInt8? { CSVReader.namedSeparator(Array(text.utf8)[...]) }
        #expect(named("sep=;\r\na;b") == UInt8(ascii: ";") && named("sep=,") == UInt8(ascii: ","))
        #expect(named("sep=;;") == nil && named("sep=") == nil && named("primaryKey") == nil)
    }

    /// Whatever the bytes are, reading ends, and gives all of them or a fault.
    @Test func randomBytesEnd() throws {
        var numbers = RandomNumbers(71)
        let alphabet = Array("a,;\"\r\n'".utf8) + [0xC3, 0xA4, 0x00]
        let folder = try TemporaryFolder()
        for round in 0..<300 {
            let path = folder.path.appending("\(round)")
            let bytes = (0..<Int.random(in: 0...90, using: &numbers)).map { _ in
                alphabet.randomElement(using: &numbers) ?? 0
            }
            try TestFiles.write(path, bytes)
            var reader = CSVReader(try ImportBytes(path, bufferSize: 64), separator: UInt8(ascii: ","))
            var records = 0
            while try reader.next() { records += 1 }
            #expect(records <= bytes.count)
        }
    }

    /// Every text comes back from a cell that spreadsheets take for text.
    @Test func apostrophesBeforeFormulasComeOff() {
        var numbers = RandomNumbers(72)
        let parts = ["'", "''", "=", "+", "-", "@", "5", "1e3", ".", "a", " ", "\t", "\u{FF1D}", "ä"]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...5, using: &numbers)).map { _ in
                parts.randomElement(using: &numbers) ?? ""
            }.joined()
            #expect(CSVCell.withFormula(CSVCell.withoutFormula(text)) == text)
        }
    }
}
