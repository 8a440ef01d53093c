import KeyedArchive

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension XMLScanner {
    /// The value of an element that holds no others.
    mutating func scalar(of tag: Tag) throws(PropertyListError) -> ArchivedValue {
        let text = try text(of: tag)
        switch tag.name {
        case "string": return .string(text)
        case "true", "false":
            guard text.utf8.allSatisfy(isXMLSpace) else { throw tag.failure("no text in <\(tag.name)>") }
            return .boolean(tag.name == "true")
        case "integer":
            guard let number = Self.integer(trimmed(text)) else {
                throw unreadable(tag, text, "a whole number")
            }
            return .integer(number)
        case "real":
            guard let number = Double(trimmed(text)) else { throw unreadable(tag, text, "a number") }
            return .real(number)
        case "date":
            guard let seconds = Self.date(trimmed(text)) else {
                throw unreadable(tag, text, "a date such as 2013-05-01T12:00:00Z")
            }
            return .date(seconds)
        case "data":
            let digits = text.utf8.filter { !isXMLSpace($0) }
            guard let data = Data(base64Encoded: Data(digits)) else { throw unreadable(tag, text, "Base64") }
            return .data([UInt8](data))
        default: throw tag.failure("an element of a property list")
        }
    }

    private func unreadable(_ tag: Tag, _ text: String, _ expected: String) -> PropertyListError {
        failure(expected, at: tag.offset, found: "\"\(text.prefix(40))\"")
    }

    private func trimmed(_ text: String) -> Substring {
        let utf8 = text.utf8
        guard let first = utf8.firstIndex(where: { !isXMLSpace($0) }),
            let last = utf8.lastIndex(where: { !isXMLSpace($0) })
        else { return "" }
        return text[first...last]
    }

    /// Decimal, or hexadecimal after `0x`, as Core Foundation reads it.
    private static func integer(_ text: Substring) -> Int128? {
        let digits = text.drop { $0 == "-" || $0 == "+" }
        guard text.utf8.count - digits.utf8.count <= 1, digits.utf8.count <= 48 else { return nil }
        guard digits.hasPrefix("0x") || digits.hasPrefix("0X") else { return Int128(text) }
        return Int128((text.hasPrefix("-") ? "-" : "") + digits.dropFirst(2), radix: 16)
    }

    /// `YYYY-MM-DDThh:mm:ssZ` in seconds since 2001-01-01 00:00:00 UTC.
    private static func date(_ text: Substring) -> Double? {
        let isNegative = text.hasPrefix("-")
        let parts = text.dropFirst(isNegative ? 1 : 0)
            .split(omittingEmptySubsequences: false) { "-T:Z".contains($0) }
        let numbers = parts.prefix(6).map {
            $0.utf8.allSatisfy { (48...57).contains($0) } ? Int($0) ?? -1 : -1
        }
        guard parts.count == 7, parts[6].isEmpty, text.hasSuffix("Z"), numbers.allSatisfy({ $0 >= 0 }),
            numbers[0] <= 999_999, (1...12).contains(numbers[1]), numbers[3] < 24, numbers[4] < 60,
            numbers[5] <= 60
        else { return nil }
        let year = isNegative ? -numbers[0] : numbers[0]
        guard (1...daysOfMonth(numbers[1], year)).contains(numbers[2]) else { return nil }
        let days = daysSince2001(year: year, month: numbers[1]) + numbers[2] - 1
        return Double(days * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func daysOfMonth(_ month: Int, _ year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 2001-01-01 to the first of a month in the Gregorian calendar.
    private static func daysSince2001(year: Int, month: Int) -> Int {
        // The years are counted from the year 1 of a cycle of 400 that begins before any year.
        let cycles = (year - 2001 - (year < 2001 ? 399 : 0)) / 400
        let yearOfCycle = year - 2001 - cycles * 400
        let days = yearOfCycle * 365 + yearOfCycle / 4 - yearOfCycle / 100
        return (1..<month).reduce(cycles * 146_097 + days) { $0 + daysOfMonth($1, year) }
    }
}
