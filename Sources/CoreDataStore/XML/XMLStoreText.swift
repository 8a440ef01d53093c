import Base
import KeyedArchive

/// The escapes of strings, which Core Data makes before XML (core-data-xml-store(5), 5).
enum XMLStoreText {
    /// The text with its escapes resolved, and whether one of them is not an escape of Core Data and therefore stays.
    static func unescaped(_ text: String) -> (text: String, isDoubtful: Bool) {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return (text, false) }
        var result = ""
        var isDoubtful = false
        var rest = text.unicodeScalars[...]
        while let mark = rest.firstIndex(of: "\\") {
            result.unicodeScalars.append(contentsOf: rest[..<mark])
            rest = rest[mark...]
            if rest.dropFirst().first == "\\" {
                result.unicodeScalars.append("\\")
                rest = rest.dropFirst(2)
            } else if let (scalar, length, isPlain) = scalar(rest) {
                result.unicodeScalars.append(scalar)
                rest = rest.dropFirst(length)
                if !isPlain { isDoubtful = true }
            } else {
                result.unicodeScalars.append("\\")
                rest = rest.dropFirst()
                isDoubtful = true
            }
        }
        result.unicodeScalars.append(contentsOf: rest)
        return (result, isDoubtful)
    }

    /// The scalar of one or two escapes at the start, their length, and whether their bytes are swapped as usual. Nil
    /// for anything else, such as half a surrogate pair.
    private static func scalar(
        _ text: Substring.UnicodeScalarView
    ) -> (scalar: Unicode.Scalar, length: Int, isPlain: Bool)? {
        guard let (unit, isPlain) = unit(text) else { return nil }
        if let scalar = Unicode.Scalar(unit) { return (scalar, 6, isPlain) }
        guard UTF16.isLeadSurrogate(unit), let (trail, _) = self.unit(text.dropFirst(6)),
            UTF16.isTrailSurrogate(trail)
        else { return nil }
        var decoder = UTF16()
        var units = [unit, trail].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&units) else { return nil }
        return (scalar, 12, isPlain)
    }

    /// The UTF-16 unit of an escape `\uXXXX`, whose bytes are swapped. If the swapped unit needs no escape, but the
    /// unswapped one does, the writer did not swap them.
    private static func unit(_ text: Substring.UnicodeScalarView) -> (unit: UInt16, isPlain: Bool)? {
        let digits = String(String.UnicodeScalarView(text.prefix(6).dropFirst(2)))
        guard text.prefix(2).elementsEqual("\\u".unicodeScalars), digits.utf8.count == 4,
            digits.utf8.allSatisfy({
                (48...57).contains($0) || (97...102).contains($0) || (65...70).contains($0)
            }),
            let unit = UInt16(digits, radix: 16)
        else { return nil }
        if !isEscaped(unit.byteSwapped), isEscaped(unit) { return (unit, false) }
        return (unit.byteSwapped, true)
    }

    /// Whether Core Data escapes a unit: markup, controls, surrogates, and units after the CJK compatibility forms.
    static func isEscaped(_ unit: UInt16) -> Bool {
        unit < 0x20 || unit == 0x3C || unit == 0x3E || unit == 0x26 || unit >= 0xFE10
            || (0xD800...0xDFFF).contains(unit)
    }
}

/// The values of attributes by the type that the file names (core-data-xml-store(5), 4).
enum XMLStoreValue {
    /// The value of a text; nil if the text does not have that type. `.none` for an empty text of a number or a date.
    static func value(_ text: String, type: String) -> (value: ArchivedValue, isDoubtful: Bool)? {
        switch type {
        case "string": return string(text)
        case "uri":
            let (url, isDoubtful) = XMLStoreText.unescaped(text)
            return (.url(url), isDoubtful)
        case "binary", "bin", "transformable", "undefined":
            return Base64.bytes(text.utf8.filter { !isSpace($0) }).map { (.data($0), false) }
        case "int16", "int32", "int64", "bool", "float", "double", "decimal", "date", "uuid":
            let trimmed = trimmed(text)
            if trimmed.isEmpty { return (.none, true) }
            return scalar(trimmed, type).map { ($0, false) }
        default: return (string(text).value, true)
        }
    }

    private static func string(_ text: String) -> (value: ArchivedValue, isDoubtful: Bool) {
        let (text, isDoubtful) = XMLStoreText.unescaped(text)
        return (.string(text), isDoubtful)
    }

    private static func scalar(_ text: String, _ type: String) -> ArchivedValue? {
        switch type {
        case "int16": integer(text).flatMap { Int16(exactly: $0) }.map { .integer(Int128($0)) }
        case "int32": integer(text).flatMap { Int32(exactly: $0) }.map { .integer(Int128($0)) }
        case "int64": integer(text).map { .integer(Int128($0)) }
        case "bool": text == "1" ? .boolean(true) : text == "0" ? .boolean(false) : nil
        case "float", "double": real(text).map { .real($0) }
        case "date": real(text).map { .date($0) }
        case "decimal": isNumber(text) ? ArchivedDecimal(text: text).map { .decimal($0) } : nil
        case "uuid": ArchivedUUID(text: text).map { .uuid($0) }
        default: nil
        }
    }

    static func integer(_ text: String) -> Int64? {
        guard text.utf8.count <= 20, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 45 }) else {
            return nil
        }
        return Int64(text)
    }

    private static func real(_ text: String) -> Double? { isNumber(text) ? Double(text) : nil }

    /// Whether a text has the characters of a decimal number; it may still not be one.
    private static func isNumber(_ text: String) -> Bool {
        text.utf8.count <= 512
            && text.utf8.allSatisfy { (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) }
    }

    static func trimmed(_ text: String) -> String {
        String(
            decoding: Array(text.utf8.drop(while: isSpace).reversed().drop(while: isSpace).reversed()),
            as: UTF8.self)
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
