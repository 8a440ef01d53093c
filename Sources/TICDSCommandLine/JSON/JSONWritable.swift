import Base
package import KeyedArchive
package import SystemCalls
package import SystemPackage
package import TICDSCore

/// A type that has one form in JSON.
package protocol JSONWritable: SendableMetatype {
    /// What schema and manual say of it.
    static var json: JSONType { get }
    /// Writes it as an element of an array.
    func write(to json: inout JSONWriter)
    /// Writes it with its key.
    func write(to json: inout JSONWriter, under key: String)
}

extension JSONWritable {
    package func write(to json: inout JSONWriter, under key: String) {
        json.key(key)
        write(to: &json)
    }
}

/// A type that is always the same object in JSON.
package protocol JSONObject: JSONWritable {
    static var fields: JSONFields<Self> { get }
}

extension JSONObject {
    package static var json: JSONType { fields.type }
    package func write(to json: inout JSONWriter) { json.value(self, Self.fields) }
}

extension String: JSONWritable {
    package static var json: JSONType { .text }
    package func write(to json: inout JSONWriter) { json.value(self) }
}

extension Bool: JSONWritable {
    package static var json: JSONType { .boolean }
    package func write(to json: inout JSONWriter) { json.value(self) }
}

extension Int: JSONWritable {
    package static var json: JSONType { .count }
    package func write(to json: inout JSONWriter) { json.value(self) }
}

extension Int64: JSONWritable {
    package static var json: JSONType { .count }
    package func write(to json: inout JSONWriter) { json.value(self) }
}

extension Double: JSONWritable {
    package static var json: JSONType { .real }
    package func write(to json: inout JSONWriter) { json.value(self) }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    package static var json: JSONType { .orNull(Wrapped.json) }

    package func write(to json: inout JSONWriter) {
        if let self { self.write(to: &json) } else { json.null() }
    }

    package func write(to json: inout JSONWriter, under key: String) {
        if let self { return self.write(to: &json, under: key) }
        json.key(key)
        json.null()
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    package static var json: JSONType { .array(Element.json) }

    package func write(to json: inout JSONWriter) {
        json.beginArray()
        for element in self { element.write(to: &json) }
        json.endArray()
    }
}

/// Numbers by name, in the order of the names.
extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
    package static var json: JSONType { .map(Value.json) }

    package func write(to json: inout JSONWriter) {
        json.beginObject()
        for (key, value) in sorted(by: { $0.key < $1.key }) { value.write(to: &json, under: key) }
        json.endObject()
    }
}

/// ISO 8601 text in UTC.
extension FileTime: JSONWritable {
    package static var json: JSONType { .shared("time") }
    package func write(to json: inout JSONWriter) { json.appendValue { $0.appendQuoted(iso: self) } }
}

/// A path that is not UTF-8 is escaped, and as a field stands unchanged in base 64 under the key with `Base64` behind it.
extension FilePath: JSONWritable {
    package static var json: JSONType { .shared("path") }

    package func write(to json: inout JSONWriter) {
        json.value(String(validating: bytes, as: UTF8.self) ?? escapedIllFormed(bytes))
    }

    package func write(to json: inout JSONWriter, under key: String) {
        json.key(key)
        write(to: &json)
        if String(validating: bytes, as: UTF8.self) != nil { return }
        json.key(key + "Base64")
        json.appendValue { $0.appendQuotedBase64(bytes) }
    }
}

/// By the rules of a path.
extension RemotePath: JSONWritable {
    package static var json: JSONType { .shared("remotePath") }
    package func write(to json: inout JSONWriter) { FilePath(nameBytes: bytes).write(to: &json) }

    package func write(to json: inout JSONWriter, under key: String) {
        FilePath(nameBytes: bytes).write(to: &json, under: key)
    }
}

/// By the rules of a path.
extension RemoteName: JSONWritable {
    package static var json: JSONType { .shared("name") }
    package func write(to json: inout JSONWriter) { json.value(isUTF8 ? text : description) }

    package func write(to json: inout JSONWriter, under key: String) {
        FilePath(nameBytes: bytes).write(to: &json, under: key)
    }
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

extension ArchivedValue: JSONWritable {
    package static var json: JSONType { .value }
    package func write(to json: inout JSONWriter) { json.value(self) }
}

/// Text that is JSON already.
package struct JSONText: JSONWritable, Sendable {
    let text: String
    package static var json: JSONType { .value }
    /// One value as text.
    package init(_ text: String) { self.text = text }
    package func write(to json: inout JSONWriter) { json.raw(text) }
}

/// A key and its value in one call. Lines of which there may be millions use the overloads for a type, which need no
/// lookup of its conformance.
extension JSONWriter {
    /// A value under `name`.
    package mutating func field<Value: JSONWritable>(_ name: String, _ value: Value) {
        value.write(to: &self, under: name)
    }

    /// Text under `name`, or null.
    package mutating func field(_ name: String, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    /// Text under `name`.
    package mutating func field(_ name: String, _ text: String) {
        key(name)
        value(text)
    }

    /// An integer under `name`.
    package mutating func field(_ name: String, _ number: Int64) {
        key(name)
        value(number)
    }

    /// Any value under `name`.
    package mutating func field(_ name: String, _ archived: ArchivedValue) {
        key(name)
        value(archived)
    }
}
