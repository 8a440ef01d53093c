package import Base
package import SystemCalls
package import SystemPackage

/// A time as ISO 8601 text in UTC.
extension FileTime: JSONWritable {
    package static var json: JSONType { .shared("time") }
    package func write(to json: inout JSONWriter) { json.appendValue { $0.appendQuoted(iso: self) } }
}

extension JSONWriter {
    /// A path or name; if it is not UTF-8, it is escaped.
    fileprivate mutating func value(name bytes: [UInt8]) {
        value(String(validating: bytes, as: UTF8.self) ?? escapedIllFormed(bytes))
    }

    /// A path or name as a field; if it is not UTF-8, its unchanged bytes follow in base64 under the key with the
    /// suffix `Base64`.
    fileprivate mutating func field(_ name: String, name bytes: [UInt8]) {
        key(name)
        if let text = String(validating: bytes, as: UTF8.self) { return value(text) }
        value(escapedIllFormed(bytes))
        key(name + "Base64")
        appendValue { $0.appendQuotedBase64(bytes) }
    }
}

extension FilePath: JSONWritable {
    package static var json: JSONType { .shared("path") }
    package func write(to json: inout JSONWriter) { json.value(name: Array(bytes)) }
    package func write(to json: inout JSONWriter, under key: String) { json.field(key, name: Array(bytes)) }
}

extension RemotePath: JSONWritable {
    package static var json: JSONType { .shared("remotePath") }
    package func write(to json: inout JSONWriter) { json.value(name: bytes) }
    package func write(to json: inout JSONWriter, under key: String) { json.field(key, name: bytes) }
}

extension RemoteName: JSONWritable {
    package static var json: JSONType { .shared("name") }
    package func write(to json: inout JSONWriter) { json.value(isUTF8 ? text : description) }
    package func write(to json: inout JSONWriter, under key: String) { json.field(key, name: Array(bytes)) }
}

extension FileTotals: JSONObject {
    package static let fields = JSONFields<FileTotals> {
        $0("count", "", \.count)
        $0("bytes", "", \.bytes)
    }
    package static var json: JSONType { .shared("totals") }
}

extension FileProblem: JSONObject {
    package static let fields = JSONFields<FileProblem>(home: "ticds.error/1") {
        $0("path", "", \.path)
        $0("kind", "", \.kind)
        $0("offset", "", \.offset)
        $0("problem", "", \.problem)
        $0("expected", "", \.expected)
        $0("found", "", \.found)
        $0("advice", "", \.advice)
        $0("finding", "", as: .orNull(.code), \.finding)
    }
}

extension OutputBuffer {
    /// Appends a time as ISO 8601 text between quotation marks.
    package mutating func appendQuoted(iso time: FileTime) {
        append(byte: UInt8(ascii: "\""))
        fill(CalendarText.longest) { bytes in
            var text = CalendarText(at: bytes)
            text.append(iso: time)
            return text.count
        }
        append(byte: UInt8(ascii: "\""))
    }
}
