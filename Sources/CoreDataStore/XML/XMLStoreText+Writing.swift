import Base
import KeyedArchive

extension XMLStoreText {
    /// Appends a text with the escapes of Core Data (core-data-xml-store(5), 5).
    ///
    /// A carriage return also gets an escape. Core Data writes it as it is, and every XML parser then reads a line feed.
    static func append(escaped text: String, to bytes: inout [UInt8]) {
        let utf8 = Array(text.utf8)
        var place = 0
        while place < utf8.count {
            let end = utf8[place...].firstIndex(where: mayNeedEscape) ?? utf8.count
            bytes += utf8[place..<end]
            guard end < utf8.count else { return }
            if utf8[end] < 0x80 {
                append(ascii: utf8[end], to: &bytes)
                place = end + 1
            } else {
                // The scalar has three or four bytes.
                place = min(end + (utf8[end] < 0xF0 ? 3 : 4), utf8.count)  // bounded: an offset in memory
                for unit in String(decoding: utf8[end..<place], as: UTF8.self).utf16 {
                    append(unit, to: &bytes)
                }
            }
        }
    }

    /// Whether a byte begins a scalar that may need an escape: those from U+F000 on, and some of ASCII.
    private static func mayNeedEscape(_ byte: UInt8) -> Bool {
        byte >= 0xEF || byte < 0x20 && byte != 0x09 && byte != 0x0A
            || [0x26, 0x3C, 0x3E, 0x5C].contains(byte)
    }

    private static func append(ascii byte: UInt8, to bytes: inout [UInt8]) {
        if byte == 0x5C {
            bytes += [0x5C, 0x5C]
        } else {
            append(escape: UInt16(truncatingIfNeeded: byte), to: &bytes)
        }
    }

    private static func append(_ unit: UInt16, to bytes: inout [UInt8]) {
        if isEscaped(unit) {
            append(escape: unit, to: &bytes)
        } else {
            bytes += String(decoding: [unit], as: UTF16.self).utf8
        }
    }

    /// Appends `\uXXXX` with the two bytes of the unit swapped.
    private static func append(escape unit: UInt16, to bytes: inout [UInt8]) {
        bytes.append(0x5C)
        bytes.append(UInt8(ascii: "u"))
        var rest = unit.byteSwapped
        for _ in 0..<4 {
            let digit = UInt8(truncatingIfNeeded: rest >> 12)
            bytes.append(digit < 10 ? 0x30 | digit : 0x57 &+ digit)
            rest <<= 4
        }
    }
}

extension XMLStoreValue {
    /// Appends the text of a value of an attribute with this type in the file. Returns false for a value that the file
    /// cannot contain, such as a number that is not finite.
    static func append(_ value: ArchivedValue, type: String, to bytes: inout [UInt8]) -> Bool {
        switch (type, value) {
        case ("binary", .data(let data)), ("bin", .data(let data)), ("transformable", .data(let data)),
            ("undefined", .data(let data)):
            append(base64: data, to: &bytes)
        case ("string", .string(let text)), ("uri", .url(let text)), ("uri", .string(let text)):
            XMLStoreText.append(escaped: text, to: &bytes)
        default:
            guard let text = text(value, type: type) else { return false }
            bytes += text.utf8
        }
        return true
    }

    /// The text of a number, date or UUID; nil if the file cannot contain it.
    private static func text(_ value: ArchivedValue, type: String) -> String? {
        switch (type, value) {
        case ("int16", .integer(let number)): Int16(exactly: number).map { "\($0)" }
        case ("int32", .integer(let number)): Int32(exactly: number).map { "\($0)" }
        case ("int64", .integer(let number)): Int64(exactly: number).map { "\($0)" }
        case ("bool", .boolean(let flag)): flag ? "1" : "0"
        case ("float", .real(let number)):
            number.isFinite ? withoutEmptyFraction(float(number)) : nil
        case ("double", .real(let number)):
            number.isFinite ? withoutEmptyFraction("\(number)") : nil
        case ("date", .date(let seconds)): date(seconds)
        case ("decimal", .decimal(let number)): decimal(number)
        case ("uuid", .uuid(let uuid)): uuid.description
        default: nil
        }
    }

    /// The shortest text of a number that is exact as a Float; the text of other numbers.
    private static func float(_ number: Double) -> String {
        Double(Float(number)) == number ? "\(Float(number))" : "\(number)"
    }

    /// Core Data writes 5, not 5.0.
    private static func withoutEmptyFraction(_ text: String) -> String {
        text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func decimal(_ number: ArchivedDecimal) -> String? {
        guard !number.isNaN, (-1_000...1_000).contains(number.exponent) else { return nil }
        if number.exponent <= 0 || number.mantissa == 0 { return number.description }
        return (number.isNegative ? "-" : "") + "\(number.mantissa)E\(number.exponent)"
    }

    /// The seconds with exactly 20 decimals, unless that loses a part of a very small or large number; nil if they are
    /// not finite.
    static func date(_ seconds: Double) -> String? {
        guard seconds.isFinite else { return nil }
        let size = seconds.magnitude
        guard size < 0x1p100 else { return "\(seconds)" }
        let whole = size.rounded(.down)
        let fraction = size - whole
        var number = UInt128(whole)  // bounded: below 2 to the power 100
        // The fraction is a multiple of 2 to the power -shift, and has 53 bits.
        let shift = 52 - (fraction == 0 ? 52 : Int(fraction.exponent))
        var decimals: UInt128 = 0
        if fraction > 0, shift < 120 {
            // bounded: 53 bits and 67 bits are at most 120 bits
            let product = UInt128(fraction.significandBitPattern | 1 << 52) * tenToTheTwenty
            let rest = product & ((1 << UInt128(shift)) - 1)
            let half: UInt128 = 1 << UInt128(shift - 1)
            decimals = product >> UInt128(shift)
            if rest > half || rest == half && decimals & 1 == 1 { decimals += 1 }  // bounded: below 2 to 68
            if decimals == tenToTheTwenty { (number, decimals) = (number + 1, 0) }  // bounded: below 2 to 101
        }
        let digits = String(decimals)
        let text =
            (seconds.sign == .minus ? "-" : "")
            + "\(number)." + String(repeating: "0", count: max(0, 20 - digits.utf8.count)) + digits
        return Double(text) == seconds ? text : "\(seconds)"
    }

    private static let tenToTheTwenty: UInt128 = 100_000_000_000_000_000_000

    /// Base64 in the lines of Core Data: the first has at most 76 characters, the second all the rest.
    private static func append(base64 data: [UInt8], to bytes: inout [UInt8]) {
        let digits = Array(Base64.text(data).utf8)
        bytes += digits.prefix(76)
        guard !digits.isEmpty, digits.count != 76 else { return }
        bytes.append(0x0A)
        guard digits.count > 76 else { return }
        bytes += digits.dropFirst(76)
        bytes.append(0x0A)
    }
}

extension AttributeType {
    /// The name in an XML store (core-data-xml-store(5), 4); nil for types that are not stored.
    var nameInXMLStore: String? {
        switch self {
        case .integer16: "int16"
        case .integer32: "int32"
        case .integer64: "int64"
        case .decimal: "decimal"
        case .double: "double"
        case .float: "float"
        case .string: "string"
        case .boolean: "bool"
        case .date: "date"
        case .binary: "binary"
        case .uuid: "uuid"
        case .uri: "uri"
        case .transformable: "transformable"
        case .undefined, .objectID, .composite: nil
        }
    }
}
