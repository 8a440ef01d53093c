package import Base
import CoreDataStore
package import KeyedArchive
import SystemCalls
import TICDSCore

/// Values from stores and change sets, by the rules of ticds-json(5).
extension JSONWriter {
    /// Writes any value: in JSON's own form if that is exact, otherwise as an object whose only key begins with `$`.
    package mutating func value(_ archived: ArchivedValue) {
        switch archived {
        case .none, .null: null()
        case .boolean(let truth): value(truth)
        case .integer(let number): value(number)
        case .real(let number): value(number)
        case .string(let text): value(text)
        case .data(let bytes): tagged("$data") { $0.appendQuotedBase64(bytes) }
        case .date(let seconds): value(date: seconds)
        case .decimal(let decimal): tagged("$decimal", text: decimal.description)
        case .uuid(let uuid): tagged("$uuid", text: uuid.description)
        case .url(let text): tagged("$url", text: text)
        case .array(let members): value(members)
        case .set(let members): tagged("$set", members)
        case .orderedSet(let members): tagged("$orderedSet", members)
        case .dictionary(let pairs): value(pairs)
        case .attributedString(let text): value(text)
        case .object(let object): value(object)
        case .cycle: tagged("$cycle") { $0.append(raw: "true") }
        case .uid(let number): value(uid: number)
        }
    }

    /// A value as one line of JSON.
    package static func text(of archived: ArchivedValue) -> String {
        var json = JSONWriter(nil)
        json.value(archived)
        return json.text
    }

    /// Writes `{"$date": text}`; outside the years 1 to 9999, and for a fraction below a nanosecond, the seconds since
    /// 2001 as `{"$date": {"$real": text}}`.
    private mutating func value(date seconds: Double) {
        if let time = FileTime(exactSecondsSince2001: seconds) {
            return tagged("$date") { $0.appendQuoted(iso: time) }
        }
        beginObject()
        key("$date")
        tagged("$real", text: seconds.isFinite ? seconds.description : Self.name(ofNonFinite: seconds))
        endObject()
    }

    private mutating func value(uid number: UInt64) {
        beginObject()
        key("$uid")
        value(number)
        endObject()
    }

    private mutating func value(_ members: [ArchivedValue]) {
        beginArray()
        for member in members { value(member) }
        endArray()
    }

    private mutating func tagged(_ tag: String, _ members: [ArchivedValue]) {
        beginObject()
        key(tag)
        value(members)
        endObject()
    }

    private mutating func tagged(_ tag: String, _ body: (inout OutputBuffer) -> Void) {
        beginObject()
        key(tag)
        appendValue(body)
        endObject()
    }

    /// Writes an object if the keys are different texts that do not begin with `$`, otherwise `{"$dictionary": [[key,
    /// value], ...]}`.
    private mutating func value(_ pairs: [ArchivedPair]) {
        let names = pairs.compactMap(\.key.stringValue)
        beginObject()
        if names.count == pairs.count, areOrdinary(names) {
            for (name, pair) in zip(names, pairs) { field(name, pair.value) }
        } else {
            array("$dictionary", pairs) { $0.value([$1.key, $1.value]) }
        }
        endObject()
    }

    /// Writes `{"$class": name, ...fields}`, or with the fields as pairs under `$fields` if their names cannot be keys.
    private mutating func value(_ object: ArchivedObject) {
        if let file = ArchivedValue.object(object).missingExternalFile {
            return tagged("$externalData", text: file)
        }
        beginObject()
        field("$class", object.className)
        if areOrdinary(object.fields.map(\.name)) {
            for entry in object.fields { field(entry.name, entry.value) }
        } else {
            array("$fields", object.fields) { $0.value([.string($1.name), $1.value]) }
        }
        endObject()
    }

    /// Writes a text with attributes. The runs contain their attributes, or if that would be too large, the index in an
    /// array of attributes.
    private mutating func value(_ text: ArchivedAttributedString) {
        beginObject()
        field("$attributedString", text.string)
        let isRepeating = text.canRepeatAttributes
        objects("runs", text.runs) { json, run in
            json.field("length", run.length)
            if isRepeating {
                let known = text.attributes.indices.contains(run.attributes)
                json.field("attributes", known ? text.attributes[run.attributes] : ArchivedValue.none)
            } else {
                json.field("attributes", run.attributes)
            }
        }
        if !isRepeating { field("attributes", .array(text.attributes)) }
        endObject()
    }

    /// Whether no name begins with `$` and no two are the same, byte for byte.
    private func areOrdinary(_ names: [String]) -> Bool {
        if names.contains(where: { $0.utf8.first == 0x24 }) { return false }
        return Set(names.map { Array($0.utf8) }).count == names.count
    }
}

extension ArchivedValue: JSONWritable {
    package static var json: JSONType { .value }
    package func write(to json: inout JSONWriter) { json.value(self) }
}

extension JSONWriter {
    /// Writes any value under `name`.
    package mutating func field(_ name: String, _ archived: ArchivedValue) {
        key(name)
        value(archived)
    }
}
