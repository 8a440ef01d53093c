import Base

extension XMLPropertyList {
    /// An element without child elements.
    struct Leaf {
        let name: String
        let offset: Int
        var text = ""

        init(name: String, offset: Int) {
            self.name = name
            self.offset = offset
        }

        func scalar() throws(XMLProblem) -> ArchivedValue {
            switch name {
            case "string": return .string(text)
            case "true", "false":
                guard text.utf8.allSatisfy(isXMLSpace) else { throw unreadable("no text in <\(name)>") }
                return .boolean(name == "true")
            case "integer":
                guard let number = Self.integer(trimmed) else { throw unreadable("a whole number") }
                return .integer(number)
            case "real":
                guard let number = Double(trimmed) else { throw unreadable("a number") }
                return .real(number)
            case "date":
                guard let seconds = Self.date(trimmed) else {
                    throw unreadable("a date such as 2013-05-01T12:00:00Z")
                }
                return .date(seconds)
            case "data":
                guard let data = Base64.bytes(text.utf8.filter { !isXMLSpace($0) }) else {
                    throw unreadable("Base64")
                }
                return .data(data)
            default:
                throw XMLProblem(
                    line: 0, offset: offset, problem: "<\(name)>", expected: "an element of a property list")
            }
        }

        private func unreadable(_ expected: String) -> XMLProblem {
            XMLProblem(line: 0, offset: offset, problem: "\"\(text.prefix(40))\"", expected: expected)
        }

        private var trimmed: Substring {
            let utf8 = text.utf8
            guard let first = utf8.firstIndex(where: { !isXMLSpace($0) }),
                let last = utf8.lastIndex(where: { !isXMLSpace($0) })
            else { return "" }
            return text[first...last]
        }

        /// Parses a decimal number, or a hexadecimal one after `0x`, as Core Foundation does.
        private static func integer(_ text: Substring) -> Int128? {
            let digits = text.drop { $0 == "-" || $0 == "+" }
            guard text.utf8.count - digits.utf8.count <= 1, digits.utf8.count <= 48 else { return nil }
            guard digits.hasPrefix("0x") || digits.hasPrefix("0X") else { return Int128(text) }
            return Int128((text.hasPrefix("-") ? "-" : "") + digits.dropFirst(2), radix: 16)
        }

        /// Parses `YYYY-MM-DDThh:mm:ssZ`; the result counts seconds since 2001-01-01 00:00:00 UTC.
        private static func date(_ text: Substring) -> Double? {
            let isNegative = text.hasPrefix("-")
            let parts = text.dropFirst(isNegative ? 1 : 0)
                .split(omittingEmptySubsequences: false) { "-T:Z".contains($0) }
            let numbers = parts.prefix(6).map {
                $0.utf8.allSatisfy { (48...57).contains($0) } ? Int($0) ?? -1 : -1
            }
            guard parts.count == 7, parts[6].isEmpty, text.hasSuffix("Z"), numbers.allSatisfy({ $0 >= 0 }),
                numbers[3] < 24, numbers[4] < 60, numbers[5] <= 60
            else { return nil }
            let year = isNegative ? -numbers[0] : numbers[0]
            guard let day = CivilDate(year: year, month: numbers[1], day: numbers[2]) else { return nil }
            let seconds = Int64(numbers[3] * 3600 + numbers[4] * 60 + numbers[5])
            return Double((day.daysSince1970 - CivilDate.daysFrom1970To2001) *| 86_400 +| seconds)
        }
    }
}
