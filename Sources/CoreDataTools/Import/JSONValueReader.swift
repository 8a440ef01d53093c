import Base
import KeyedArchive
import SystemCalls

/// Reads values in the form of ticds-json(5), "Values".
enum JSONValueReader {
    typealias Problem = JSONScanner.Problem

    /// The largest number of nested objects and arrays of a value.
    static let deepest = 200

    /// The value of a whole text.
    static func value(_ json: [UInt8]) throws(Problem) -> ArchivedValue {
        var scanner = JSONScanner(json, deepest: deepest)
        let value = try value(&scanner)
        try scanner.end()
        return value
    }

    static func value(_ scanner: inout JSONScanner) throws(Problem) -> ArchivedValue {
        switch scanner.peek() {
        case UInt8(ascii: "{"): return try object(&scanner)
        case UInt8(ascii: "["): return .array(try members(&scanner))
        case UInt8(ascii: "\""): return .string(try scanner.text())
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean(try scanner.boolean())
        case UInt8(ascii: "n"):
            guard scanner.null() else { throw scanner.problem("null") }
            return .none
        default: return try number(scanner.numberText(), &scanner)
        }
    }

    private static func number(_ text: String, _ scanner: inout JSONScanner) throws(Problem) -> ArchivedValue
    {
        if let whole = Int128(text) { return .integer(whole) }
        guard text.contains(where: { ".eE".contains($0) }), let number = Double(text) else {
            throw scanner.problem("a number of at most 128 bits")
        }
        return .real(number)
    }

    private static func members(_ scanner: inout JSONScanner) throws(Problem) -> [ArchivedValue] {
        var members: [ArchivedValue] = []
        try scanner.array { (scanner) throws(Problem) in members.append(try value(&scanner)) }
        return members
    }

    /// A dictionary, or a value with a name that begins with a dollar sign.
    private static func object(_ scanner: inout JSONScanner) throws(Problem) -> ArchivedValue {
        var tagged: (tag: String, value: ArchivedValue)?
        var attributed = AttributedParts()
        var pairs: [ArchivedPair] = []
        var names: Set<[UInt8]> = []
        try scanner.object { (scanner, key) throws(Problem) in
            guard names.insert(Array(key.utf8)).inserted else {
                throw scanner.problem("the key “\(key.shortened(to: 40))” once")
            }
            if tagged?.tag == "$attributedString", ["runs", "attributes"].contains(key) {
                try attributed.read(key, &scanner)
            } else if tagged != nil {
                throw scanner.problem("no further key")
            } else if key.utf8.first == UInt8(ascii: "$") {
                guard pairs.isEmpty else { throw scanner.problem("a key without a dollar sign") }
                tagged = (key, try value(tag: key, &scanner))
            } else {
                pairs.append(ArchivedPair(key: .string(key), value: try value(&scanner)))
            }
        }
        guard let tagged else { return .dictionary(pairs) }
        guard tagged.tag == "$attributedString", case .string(let text) = tagged.value else {
            return tagged.value
        }
        return try attributed.value(text, scanner)
    }

    private static func value(
        tag: String, _ scanner: inout JSONScanner
    ) throws(Problem) -> ArchivedValue {
        func known(_ value: ArchivedValue?, _ expected: String) throws(Problem) -> ArchivedValue {
            guard let value else { throw scanner.problem(expected) }
            return value
        }
        switch tag {
        case "$int": return try known(Int128(try scanner.text()).map { .integer($0) }, "digits of an integer")
        case "$real": return try known(real(try scanner.text()).map { .real($0) }, "a number in text")
        case "$decimal":
            return try known(
                ArchivedDecimal(text: try scanner.text()).map { .decimal($0) }, "a decimal number in text")
        case "$date":
            guard try scanner.isAtObject() else {
                return try known(ImportDate.seconds(try scanner.text()).map { .date($0) }, ImportDate.form)
            }
            guard case .real(let seconds) = try object(&scanner) else {
                throw scanner.problem("{\"$real\": seconds since 2001}")
            }
            return .date(seconds)
        case "$data": return try known(Base64.bytes(try scanner.string()).map { .data($0) }, "base64")
        case "$uuid": return try known(ArchivedUUID(text: try scanner.text()).map { .uuid($0) }, "a UUID")
        case "$url": return .url(try scanner.text())
        case "$set": return .set(try members(&scanner))
        case "$orderedSet": return .orderedSet(try members(&scanner))
        case "$attributedString": return .string(try scanner.text())
        case "$dictionary": return .dictionary(try pairs(&scanner))
        case "$externalData": throw scanner.problem("a value; this one was missing already in the export")
        case "$decoded": throw scanner.problem("bytes; export without --decode-data")
        case "$class":
            throw scanner.problem(
                "a value without objects of an app's classes, whose form JSON does not show")
        default: throw scanner.problem("a known key in place of “\(tag.shortened(to: 40))”")
        }
    }

    private static func pairs(_ scanner: inout JSONScanner) throws(Problem) -> [ArchivedPair] {
        var pairs: [ArchivedPair] = []
        try scanner.array { (scanner) throws(Problem) in
            let pair = try members(&scanner)
            guard pair.count == 2 else { throw scanner.problem("a key and a value") }
            pairs.append(ArchivedPair(key: pair[0], value: pair[1]))
        }
        return pairs
    }

    /// A real number in text, also one that is not finite.
    static func real(_ text: String) -> Double? {
        switch text {
        case "NaN": .nan
        case "Infinity": .infinity
        case "-Infinity": -.infinity
        default: ImportNumber.real(text)
        }
    }
}

/// The parts of an attributed string beside its text.
private struct AttributedParts {
    private var runs: [(length: Int, attributes: ArchivedValue)] = []
    private var shared: [ArchivedValue]?

    mutating func read(_ key: String, _ scanner: inout JSONScanner) throws(JSONScanner.Problem) {
        guard key == "runs" else {
            guard case .array(let members) = try JSONValueReader.value(&scanner) else {
                throw scanner.problem("an array of attributes")
            }
            shared = members
            return
        }
        var runs: [(length: Int, attributes: ArchivedValue)] = []
        try scanner.array { (scanner) throws(JSONScanner.Problem) in
            var length: Int64?
            var attributes: ArchivedValue = .none
            try scanner.object { (scanner, key) throws(JSONScanner.Problem) in
                switch key {
                case "length": length = try scanner.integer()
                case "attributes": attributes = try JSONValueReader.value(&scanner)
                default: throw scanner.problem("length or attributes")
                }
            }
            guard let length, length >= 0 else { throw scanner.problem("the length of a run") }
            runs.append((Int(length), attributes))
        }
        self.runs = runs
    }

    func value(_ text: String, _ scanner: JSONScanner) throws(JSONScanner.Problem) -> ArchivedValue {
        var attributes = shared ?? []
        var numbers: [ArchivedValue: Int] = [:]
        var found: [ArchivedAttributedString.Run] = []
        for run in runs {
            let number: Int
            if let shared {
                guard let index = run.attributes.integerValue, shared.indices.contains(index) else {
                    throw scanner.problem("the number of attributes beside the runs")
                }
                number = index
            } else if let known = numbers[run.attributes] {
                number = known
            } else {
                number = attributes.count
                numbers[run.attributes] = number
                attributes.append(run.attributes)
            }
            found.append(.init(length: run.length, attributes: number))
        }
        guard found.reduce(0, { $0 +| $1.length }) == text.utf16.count || found.isEmpty else {
            throw scanner.problem("runs as long as the text")
        }
        return .attributedString(ArchivedAttributedString(string: text, attributes: attributes, runs: found))
    }
}

/// Numbers in text, in the form that an export writes.
enum ImportNumber {
    /// A real number with a point and perhaps an exponent, or `nan`, `inf` or `-inf`.
    static func real(_ text: String) -> Double? {
        switch text {
        case "nan": return .nan
        case "inf": return .infinity
        case "-inf": return -.infinity
        default: break
        }
        guard text.utf8.contains(where: { (48...57).contains($0) }),
            text.utf8.allSatisfy({ (48...57).contains($0) || "+-.eE".utf8.contains($0) }),
            let number = Double(text), number.isFinite
        else { return nil }
        return number
    }
}

/// Dates in text, in the form that an export writes.
enum ImportDate {
    static let form = "a date such as 2013-05-01T12:00:00.250Z"

    /// Seconds since 2001-01-01 00:00:00 UTC.
    static func seconds(_ text: String) -> Double? {
        if let time = FileTime(iso: text) { return time.secondsSince2001 }
        if text == "distantPast" { return ArchivedValue.distantPast }
        let beginning = "seconds since 2001: "
        guard text.hasPrefix(beginning) else { return nil }
        return ImportNumber.real(String(text.dropFirst(beginning.count)))
    }
}
