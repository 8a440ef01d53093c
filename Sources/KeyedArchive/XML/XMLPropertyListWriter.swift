import Base

/// Writes XML property lists in the layout of Core Foundation: tabs, one element per line, keys in the given order.
public enum XMLPropertyListWriter {
    /// The bytes of a list with `value`. Throws for a value that an XML property list cannot contain.
    public static func bytes(of value: ArchivedValue) throws(PropertyListError) -> [UInt8] {
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        try append(value, to: &text, depth: 0, Layout())
        text += "</plist>\n"
        return Array(text.utf8)
    }

    /// The bytes of the element of `value` in the layout of XML stores of Core Data: spaces, both tags also for an empty
    /// collection, data on lines of their own between tabs.
    /// - Parameter indentation: the number of levels around the element.
    package static func element(
        of value: ArchivedValue, indentation: Int
    ) throws(PropertyListError) -> [UInt8] {
        var text = ""
        try append(value, to: &text, depth: 0, Layout(levels: indentation))
        return Array(text.utf8)
    }

    private struct Layout {
        /// The number of levels around the list in an XML store; nil for a list in a file of its own.
        var levels: Int?

        func indent(_ depth: Int) -> String {
            guard let levels else { return String(repeating: "\t", count: depth) }
            return String(repeating: "    ", count: levels + depth)  // bounded: the limit of depth
        }

        func empty(_ name: String) -> String { levels == nil ? "<\(name)/>\n" : "<\(name)></\(name)>\n" }

        func data(_ bytes: [UInt8], _ depth: Int) -> String {
            guard levels != nil else { return "<data>\(Base64.text(bytes))</data>\n" }
            let tabs = String(repeating: "\t", count: depth)
            let lines = bytes.isEmpty ? "" : "\(tabs)\(Base64.text(bytes))\n"
            return "<data>\n\(lines)\(tabs)</data>\n"
        }
    }

    private static func append(
        _ value: ArchivedValue, to text: inout String, depth: Int, _ layout: Layout
    ) throws(PropertyListError) {
        guard depth < XMLPropertyList.depthLimit else {
            throw unwritable("more levels than can be read")
        }
        let indent = layout.indent(depth)
        text += indent
        switch value {
        case .boolean(let flag): text += layout.empty(flag ? "true" : "false")
        case .integer(let number): text += "<integer>\(number)</integer>\n"
        case .real(let number): text += "<real>\(number)</real>\n"
        case .string(let string): text += "<string>\(try escaped(string))</string>\n"
        case .data(let bytes): text += layout.data(bytes, depth)
        case .date(let seconds): text += "<date>\(try date(seconds))</date>\n"
        case .array(let elements):
            guard !elements.isEmpty else { return text += layout.empty("array") }
            text += "<array>\n"
            for element in elements { try append(element, to: &text, depth: depth + 1, layout) }
            text += indent + "</array>\n"
        case .dictionary(let pairs):
            guard !pairs.isEmpty else { return text += layout.empty("dict") }
            text += "<dict>\n"
            for pair in pairs {
                guard let key = pair.key.stringValue else { throw unwritable("a key that is no string") }
                text += layout.indent(depth + 1) + "<key>\(try escaped(key))</key>\n"
                try append(pair.value, to: &text, depth: depth + 1, layout)
            }
            text += indent + "</dict>\n"
        default: throw unwritable("\(value)")
        }
    }

    private static func unwritable(_ found: String) -> PropertyListError {
        PropertyListError(offset: 0, expected: "what an XML property list can hold", found: found)
    }

    /// Escapes markup. Throws for characters that XML cannot represent.
    private static func escaped(_ string: String) throws(PropertyListError) -> String {
        var escaped = ""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20: throw unwritable("the control character U+\(scalar.value)")
            case "\u{FFFE}", "\u{FFFF}": throw unwritable("U+FFFE or U+FFFF")
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Formats a date in whole seconds, as Core Foundation does.
    private static func date(_ seconds: Double) throws(PropertyListError) -> String {
        // bounded: a Double has no minimum whose magnitude overflows
        guard seconds.isFinite, abs(seconds) < 1e11 else { throw unwritable("the date \(seconds)") }
        let whole = Int64(seconds.rounded(.down))  // bounded: below 1e11
        let days = whole.floorDivided(by: 86_400)
        let date = CivilDate(daysSince1970: days + CivilDate.daysFrom1970To2001)
        let second = whole - days * 86_400
        let day =
            (date.year < 0 ? "-" : "")
            + [padded(date.year, 4), padded(date.month), padded(date.day)]
            .joined(separator: "-")
        return day + "T"
            + [second / 3600, second / 60 % 60, second % 60].map { padded($0) }
            .joined(separator: ":") + "Z"
    }

    private static func padded(_ number: Int64, _ width: Int = 2) -> String {
        let digits = String(number.magnitude)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
