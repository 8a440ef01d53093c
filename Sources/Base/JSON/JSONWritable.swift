/// A type that has one form in JSON.
package protocol JSONWritable: SendableMetatype {
    /// The type in the schema and the manual.
    static var json: JSONType { get }
    /// Writes the value as an element of an array.
    func write(to json: inout JSONWriter)
    /// Writes the value with its key.
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

/// Text that is already JSON.
package struct JSONText: JSONWritable, Sendable {
    let text: String
    package static var json: JSONType { .value }
    /// Text that is one value.
    package init(_ text: String) { self.text = text }
    package func write(to json: inout JSONWriter) { json.raw(text) }
}

/// A key and its value in one call. Output with possibly millions of lines uses the overloads for a type, which need no
/// lookup of its conformance.
extension JSONWriter {
    /// Writes a value under `name`.
    package mutating func field<Value: JSONWritable>(_ name: String, _ value: Value) {
        value.write(to: &self, under: name)
    }

    /// Writes text under `name`, or null.
    package mutating func field(_ name: String, _ text: String?) {
        key(name)
        if let text { value(text) } else { null() }
    }

    /// Writes text under `name`.
    package mutating func field(_ name: String, _ text: String) {
        key(name)
        value(text)
    }

    /// Writes an integer under `name`.
    package mutating func field(_ name: String, _ number: Int64) {
        key(name)
        value(number)
    }
}
