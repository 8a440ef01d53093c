import Base
import CoreDataStore
import KeyedArchive
import TestSupport
import Testing

@testable import CoreDataTools

@Suite struct ImportValueTests {
    private func value(_ cell: ImportCell, _ type: AttributeType) -> ArchivedValue? {
        try? ImportValue.value(cell, AttributeDescription(name: "a", type: type))
    }

    private func problem(_ cell: ImportCell, _ type: AttributeType) -> CellProblem? {
        do throws(CellProblem) {
            _ = try ImportValue.value(cell, AttributeDescription(name: "a", type: type))
            return nil
        } catch {
            return error
        }
    }

    @Test func textOfEachTypeIsRead() throws {
        let uuid = ArchivedUUID.random()
        let cases: [(String, AttributeType, ArchivedValue)] = [
            ("-32768", .integer16, .integer(-32768)), ("2147483647", .integer32, .integer(2_147_483_647)),
            ("9223372036854775807", .integer64, .integer(9_223_372_036_854_775_807)),
            ("true", .boolean, .boolean(true)), ("FALSE", .boolean, .boolean(false)),
            ("1e-7", .double, .real(1e-7)), ("-inf", .double, .real(-.infinity)),
            ("0.5", .float, .real(0.5)), ("", .string, .string("")), (" x ", .string, .string(" x ")),
            ("http://a/", .uri, .url("http://a/")), (uuid.description, .uuid, .uuid(uuid)),
            ("2001-01-01T00:00:00.250Z", .date, .date(0.25)),
            ("seconds since 2001: 300000000000.0", .date, .date(3e11)),
            ("distantPast", .date, .date(ArchivedValue.distantPast)),
            ("AQI=", .binary, .data([1, 2])),
            ("[1,\"x\"]", .transformable, .array([.integer(1), .string("x")])),
            ("AQI=", .transformable, .data([1, 2])), ("5", .transformable, .integer(5)),
        ]
        for (text, type, expected) in cases { #expect(value(.text(text), type) == expected, "\(text)") }
        #expect(value(.text("12.50"), .decimal) == ArchivedDecimal(text: "12.50").map { .decimal($0) })
    }

    @Test(arguments: [
        ("1,5", AttributeType.double), ("1,5", .decimal), ("1.5", .integer16), ("40000", .integer16),
        ("1e3", .integer64), ("+5", .integer32), ("yes", .boolean), ("2", .boolean), ("0x10", .double),
        ("Infinity", .double), ("nan", .double), ("NaN", .decimal), ("1e999", .double), ("1e200", .decimal),
        ("2013-05-01", .date), ("01.05.2013 12:00", .date), ("2013-02-30T00:00:00Z", .date),
        ("2013-05-01T12:00:00+02:00", .date), ("nothing", .date), ("AQI", .binary), ("{", .transformable),
        ("hello you", .transformable), ("12345", .uuid), ("5 ", .integer16), ("", .integer16),
    ])
    func textOfAnotherFormIsRefused(_ text: String, _ type: AttributeType) {
        #expect(value(.text(text), type) == nil)
    }

    @Test func exportedDatesReadBackToTheSameBits() {
        var numbers = RandomNumbers(20)
        var dates: [Double] = [0, -0.0, 1e-20, -1e-20, 0.1 + 0.2, 8_388_607.123456789, 1e300, -1e300]
        for size in [1, 1e3, 1e6, 8e6, 1e7, 1e9, 7e10, 1e15] {
            dates += (0..<2_000).map { _ in Double.random(in: -size...size, using: &numbers) }
        }
        for date in dates {
            let text = ExportValue.text(date: date)
            #expect(ImportDate.seconds(text)?.bitPattern == date.bitPattern, "\(text)")
        }
        #expect(ExportValue.text(date: 389_102_400.123456) == "2013-05-01T12:00:00.123456Z")
    }

    @Test func refusalsSayWhatIsExpected() {
        #expect(problem(.text("1,5"), .double)?.expected == "a number with a decimal point, not a comma")
        #expect(problem(.text("1.5.2013"), .date)?.expected == ImportDate.form)
        #expect(problem(.text("1.5.2013"), .date)?.found == "“1.5.2013”")
        #expect(problem(.real(.nan), .double)?.found == "NaN")
    }

    @Test func cellsOfDatabasesAreRead() {
        #expect(value(.integer(1), .boolean) == .boolean(true) && value(.integer(2), .boolean) == nil)
        #expect(value(.integer(5), .double) == .real(5) && value(.real(5.5), .integer64) == nil)
        #expect(value(.data([1]), .binary) == .data([1]) && value(.data([1]), .string) == nil)
        #expect(value(.integer(40_000), .integer16) == nil && value(.null, .date) == ArchivedValue.none)
        #expect(value(.integer(5), .string) == nil)
    }

    @Test func valuesOfJSONAreRead() {
        func json(_ text: String, _ type: AttributeType) -> ArchivedValue? {
            value(.json(Array(text.utf8)), type)
        }
        #expect(json("{\"$date\": \"2001-01-01T00:00:01.000Z\"}", .date) == .date(1))
        #expect(json("{\"$date\": {\"$real\": \"3e+11\"}}", .date) == .date(3e11))
        #expect(json("\"2001-01-01T00:00:01.000Z\"", .date) == .date(1))
        #expect(
            json("{\"$int\": \"9223372036854775807\"}", .integer64) == .integer(9_223_372_036_854_775_807))
        #expect(json("{\"$data\": \"AQI=\"}", .binary) == .data([1, 2]) && json("\"AQI=\"", .binary) == nil)
        #expect(json("12.50", .decimal) == ArchivedDecimal(text: "12.50").map { .decimal($0) })
        #expect(json("null", .string) == ArchivedValue.none && json("5", .string) == nil)
        #expect(json("\"5\"", .integer16) == .integer(5))
        for text in [
            "{\"$class\": \"NSColor\"}", "{\"$cycle\": true}", "{\"$uid\": 3}", "{\"$externalData\": \"A\"}",
            "{\"$decoded\": 1, \"form\": \"data\"}", "{\"$odd\": 1}", "{\"a\": 1, \"a\": 2}", "[1,", "1 2",
            "-",
            "{\"$date\": \"2001-01-01T00:00:01.000Z\", \"b\": 1}",
        ] {
            #expect(json(text, .transformable) == nil, "\(text)")
        }
    }

    /// A value comes back from the form of ticds-json(5).
    @Test func nestedValuesOfJSONComeBack() throws {
        let text = """
            {"a":[1,-2.5,true,null,{"$set":[1]},{"$orderedSet":["x"]}],"b":{"$dictionary":[[1,{"$uuid":\
            "0A5C1F0E-6D3B-4C39-8B1B-3A6E0A8F6F55"}]]},"c":{"$attributedString":"text","runs":[{"length":4,\
            "attributes":{"bold":true}}]},"d":{"$url":"http://a/"},"e":{"$real":"NaN"},"f":{"$decimal":"1.50"}}
            """
        let value = try JSONValueReader.value(Array(text.utf8))
        #expect(
            value["c"]
                == .attributedString(
                    ArchivedAttributedString(
                        string: "text", attributes: [.dictionary(["bold": .boolean(true)])],
                        runs: [.init(length: 4, attributes: 0)])))
        #expect(value["a"]?.elements?.count == 6 && value["b"]?.pairs?.first?.key == .integer(1))
    }

    @Test func deepValuesAreRefused() {
        let deep = String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000)
        #expect(throws: JSONScanner.Problem.self) { try JSONValueReader.value(Array(deep.utf8)) }
        #expect(problem(.text(deep), .transformable) != nil)
    }

    @Test func cellsComeBackFromBytes() {
        let cells: [ImportCell] = [
            .absent, .null, .text("ä"), .text(""), .integer(.min), .real(-0.5), .data([0, 255]), .data([]),
            .json(Array("{}".utf8)),
        ]
        let bytes = ImportCells.bytes(cells)
        #expect(bytes.withUnsafeBytes { ImportCells.cells($0) } == cells)
        for end in 0..<bytes.count {
            let part = bytes[..<end].withUnsafeBytes { ImportCells.cells($0) }
            #expect(part == nil || part == Array(cells.prefix(part?.count ?? 0)))
        }
    }

    /// An export writes a Transformable value so that an import reads it again.
    @Test func transformableTextComesBack() throws {
        let values: [ArchivedValue] = [
            .data([]), .data([1, 2]), .data([0xD7, 0x6D, 0xF8]), .data([0xB6, 0xBB, 0x9E]), .string("abcd"),
            .string("5"), .integer(5), .real(0.5), .boolean(true),
        ]
        func json(_ value: ArchivedValue) -> String {
            switch value {
            case .string(let text): "\"\(text)\""
            case .boolean(let truth): "\(truth)"
            case .data(let bytes): "{\"$data\":\"\(Base64.text(bytes))\"}"
            default: "\(value)"
            }
        }
        for value in values {
            let exported = ExportValue(value, of: .transformable, asText: true, json: json)
            let cell: ImportCell =
                switch exported {
                case .text(let text): .text(text)
                case .integer(let number): .text("\(number)")
                case .real(let number): .text("\(number)")
                case .data(let bytes): .text(Base64.text(bytes))
                case .boolean, .null: .absent
                }
            #expect(self.value(cell, .transformable) == value, "\(value)")
        }
    }

    private func nearest(
        _ cell: ImportCell, _ type: AttributeType, _ kind: NewStore.Kind = .sqlite
    ) throws -> String? {
        let value = try ImportValue.value(cell, AttributeDescription(name: "a", type: type))
        return ImportDigits.nearest(of: cell, value, type, kind)
    }

    /// The first number of each pair survives in the store, and the second one does not.
    @Test(arguments: [
        (AttributeType.float, "0.1", "0.123456789"), (.float, "0.10000000149011612", "3.14159265358979"),
        (.float, "16777216", "16777217"), (.float, "1.0000000", "1.00000001"),
        (.float, "3.40282347e38", "1e-60"),
        (.double, "0.1", "0.1234567890123456789"), (.double, "0.10000000000000001", "0.100000000000000001"),
        (.double, "9007199254740992", "9007199254740993"), (.double, "-1.50e-3", "1.0000000000000000001"),
        (.double, "0.000", "1e-400"), (.decimal, "12.50", "0.12345678901234567890"),
        (.decimal, "9223372036854775807", "92233720368547758071"),
    ])
    func numbersWithMoreDigitsThanTheStoreAreFound(_ type: AttributeType, _ kept: String, _ lost: String)
        throws
    {
        for form in [ImportCell.text, { .json(Array($0.utf8)) }] {
            #expect(try nearest(form(kept), type) == nil, "\(kept)")
            #expect(try nearest(form(lost), type) != nil, "\(lost)")
        }
        if type == .decimal { #expect(try nearest(.text(lost), type, .xml) == nil) }
    }

    @Test func numbersOfDatabasesAreCheckedByTheirShortestForm() throws {
        #expect(try nearest(.real(0.1), .float) == nil && nearest(.real(0.123456789), .float) != nil)
        #expect(try nearest(.integer(16_777_217), .float) == "16777216.0")
        #expect(try nearest(.real(-.infinity), .float) == nil)
        #expect(value(.real(1e300), .float) == nil)
    }
}
