package import Base
package import KeyedArchive
import SystemCalls
import TICDSCore

/// Writes values of a keyed archive as JSON directly from its bytes, with the same text as `JSONWriter` for the
/// `ArchivedValue`.
package struct ArchiveTranscriber: ~Copyable {
    private static let depth = 32
    /// The largest number of visits, which is below the limit of a `KeyedArchiveDecoder` for one value after it has
    /// spent a third of its budget.
    private static let visitLimit = 250_000
    private static let byteLimit = 16 << 20
    /// The largest number of key lists; the keys of further dictionaries are converted again each time.
    private static let mostKeyLists = 16

    private var cursor: KeyedArchiveCursor
    private var level = 0
    private var keyLists: [KeyList] = []

    /// The spent budget: at least the objects that a `KeyedArchiveDecoder` would have visited for the same values, and
    /// the bytes that it would have copied.
    package private(set) var spent = (visits: 0, bytes: 0)

    /// Writes values of the keyed archive of `cursor` until it has visited 250,000 objects, or written 16 MiB of text
    /// and data more than the size of the archive.
    package init(_ cursor: KeyedArchiveCursor) { self.cursor = cursor }

    /// Appends any value.
    package mutating func value(
        _ reference: ArchivedReference, to text: inout OutputBuffer
    ) throws(UnlocatedObject) {
        let start = text.count
        level = 0
        do throws(UnlocatedObject) {
            try write(reference, to: &text)
        } catch {
            text.cut(to: start)
            try decode(reference, to: &text)
        }
    }

    /// Appends a dictionary, or `null` for nil. Nothing else is allowed.
    package mutating func dictionary(
        _ reference: ArchivedReference, to text: inout OutputBuffer
    ) throws(UnlocatedObject) {
        if reference.uid != 0 {
            let object = try cursor.object(reference)
            guard object.kind == .dictionary,
                [.dictionary, .null].contains(try cursor.foundationClass(of: object, at: reference))
            else { throw UnlocatedObject() }
        }
        try value(reference, to: &text)
    }

    /// Appends a string, or `null` for an NSNull. Nothing else is allowed.
    package mutating func string(
        _ reference: ArchivedReference, orNull null: StaticString = "null", to text: inout OutputBuffer
    ) throws(UnlocatedObject) {
        let object = try cursor.object(reference)
        var string = object
        if object.kind == .dictionary {
            let kind = try cursor.foundationClass(of: object, at: reference)
            if kind == .null, object.count == 1 { return text.append(literal: null) }
            guard kind == .string else { throw UnlocatedObject() }
            string = try inner(.string, of: object)
        }
        guard string.kind == .ascii || string.kind == .utf16 else { throw UnlocatedObject() }
        try append(string, to: &text)
    }

    /// Appends a string, or `null` for UID 0 or NSNull. Nothing else is allowed.
    package mutating func optionalString(
        _ reference: ArchivedReference, to text: inout OutputBuffer
    ) throws(UnlocatedObject) {
        if reference.uid == 0 { return text.append(literal: "null") }
        try string(reference, to: &text)
    }

    // MARK: Values

    private mutating func write(
        _ reference: ArchivedReference, to text: inout OutputBuffer
    ) throws(UnlocatedObject) {
        try spend(0)
        if reference.uid == 0 { return text.append(literal: "null") }
        let object = try cursor.object(reference)
        switch object.kind {
        case .null: text.append(literal: "null")
        case .boolean: text.append(literal: object.value == 1 ? "true" : "false")
        case .ascii, .utf16: try append(object, to: &text)
        case .integer where isExact(object.value): text.append(decimal: Int64(object.value))
        case .real where object.double.isFinite: text.append(raw: object.double.description)
        case .data: try append(data: object, to: &text)
        case .date: try append(date: object.double, to: &text)
        case .array: try members(object.run, to: &text)
        case .dictionary: try write(object, reference, to: &text)
        case .integer, .real, .set, .orderedSet: throw UnlocatedObject()
        }
    }

    private mutating func write(
        _ object: LocatedObject, _ reference: ArchivedReference, to text: inout OutputBuffer
    ) throws(UnlocatedObject) {
        switch try cursor.foundationClass(of: object, at: reference) {
        case .null: text.append(literal: "null")
        case .date: try append(date: try cursor.date(reference), to: &text)
        case .dictionary: try pairs(try cursor.pairs(of: object), to: &text)
        case .array: try members(try cursor.array(.objects, of: object), to: &text)
        case .set:
            text.append(literal: "{\"$set\":")
            try members(try cursor.array(.objects, of: object), to: &text)
            text.append(byte: UInt8(ascii: "}"))
        case .string:
            let string = try inner(.string, of: object)
            guard string.kind == .ascii || string.kind == .utf16 else { throw UnlocatedObject() }
            try append(string, to: &text)
        case .data:
            let data = try inner(.data, of: object)
            guard data.kind == .data else { throw UnlocatedObject() }
            try append(data: data, to: &text)
        default: throw UnlocatedObject()
        }
    }

    private func inner(_ field: FoundationField, of object: LocatedObject) throws(UnlocatedObject)
        -> LocatedObject
    {
        guard let found = try cursor.field(field, of: object), found.uid != 0 else {
            throw UnlocatedObject()
        }
        return try cursor.object(found)
    }

    private mutating func members(
        _ run: PropertyListReferences, to text: inout OutputBuffer
    ) throws(UnlocatedObject) {
        try enter()
        text.append(byte: UInt8(ascii: "["))
        for position in 0..<run.count {
            if position > 0 { text.append(byte: UInt8(ascii: ",")) }
            try write(try cursor.member(position, of: run), to: &text)
        }
        text.append(byte: UInt8(ascii: "]"))
        level -= 1
    }

    private mutating func pairs(
        _ pairs: (keys: PropertyListReferences, values: PropertyListReferences), to text: inout OutputBuffer
    ) throws(UnlocatedObject) {
        try enter()
        try spend(0, visits: pairs.keys.count)
        let list = try keyList(pairs.keys)
        try spend(list.text.count)
        text.append(byte: UInt8(ascii: "{"))
        var start = 0
        for position in 0..<list.ends.count {
            let end = list.ends[position]
            list.text.withUnsafeBytes { text.append(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
            start = end
            try write(try cursor.member(position, of: pairs.values), to: &text)
        }
        text.append(byte: UInt8(ascii: "}"))
        level -= 1
    }

    /// Decodes values that are not written from their bytes, and writes them with `JSONWriter`.
    private mutating func decode(
        _ reference: ArchivedReference, to text: inout OutputBuffer
    ) throws(UnlocatedObject) {
        let limits = KeyedArchiveLimits(visits: Self.visitLimit, bytes: Self.byteLimit)
        var decoder = KeyedArchiveDecoder(cursor.reader, limits: limits)
        // try?: the reader of the whole set reports the error
        guard let value = try? decoder.value(of: reference) else { throw UnlocatedObject() }
        try spend(decoder.spent.bytes, visits: decoder.spent.visits)
        var json = JSONWriter(nil)
        json.value(value)
        text.append(json.output)
    }

    // MARK: Keys

    /// The texts of the keys of a dictionary, made once: `"title":`, with a comma before all except the first.
    private struct KeyList {
        var run: [UInt8]
        var text: [UInt8]
        var ends: [Int]
    }

    private mutating func keyList(_ run: PropertyListReferences) throws(UnlocatedObject) -> KeyList {
        let bytes = cursor.bytes(run)
        for list in keyLists where list.run.count == bytes.count && bytes.elementsEqual(list.run) {
            return list
        }
        let list = try makeKeyList(run)
        if keyLists.count < Self.mostKeyLists { keyLists.append(list) }
        return list
    }

    /// - Throws: an error if a key is not a string, or is invalid as a key in JSON: see `JSONWriter.value`.
    private mutating func makeKeyList(_ run: PropertyListReferences) throws(UnlocatedObject) -> KeyList {
        guard run.count <= 256 else { throw UnlocatedObject() }
        var list = KeyList(run: Array(cursor.bytes(run)), text: [], ends: [])
        var known: Set<[UInt8]> = []
        var text = OutputBuffer(nil)
        for position in 0..<run.count {
            let reference = try cursor.member(position, of: run)
            guard reference.uid != 0 else { throw UnlocatedObject() }
            let key = try cursor.object(reference)
            guard key.kind == .ascii || key.kind == .utf16 else { throw UnlocatedObject() }
            text.cut(to: 0)
            try append(key, to: &text)
            let quoted = text.collected
            guard quoted[1] != UInt8(ascii: "$"), known.insert(quoted).inserted else {
                throw UnlocatedObject()
            }
            if position > 0 { list.text.append(UInt8(ascii: ",")) }
            list.text += quoted
            list.text.append(UInt8(ascii: ":"))
            list.ends.append(list.text.count)
        }
        return list
    }

    // MARK: Scalars

    private mutating func append(
        _ string: LocatedObject, to text: inout OutputBuffer
    ) throws(UnlocatedObject) {
        // A code unit of two bytes becomes up to three bytes of UTF-8.
        try spend(2 * string.count)
        let bytes = cursor.bytes(string)
        text.append(byte: UInt8(ascii: "\""))
        let isSound =
            string.kind == .ascii ? text.appendEscaped(ascii: bytes) : text.appendEscaped(utf16: bytes)
        guard isSound else { throw UnlocatedObject() }
        text.append(byte: UInt8(ascii: "\""))
    }

    private mutating func append(
        data: LocatedObject, to text: inout OutputBuffer
    ) throws(UnlocatedObject) {
        try spend(data.count)
        text.append(literal: "{\"$data\":")
        text.appendQuotedBase64(cursor.bytes(data).bindMemory(to: UInt8.self))
        text.append(byte: UInt8(ascii: "}"))
    }

    /// Appends a date that ISO 8601 represents exactly.
    package mutating func append(
        date seconds: Double, to text: inout OutputBuffer
    ) throws(UnlocatedObject) {
        guard let time = FileTime(exactSecondsSince2001: seconds) else { throw UnlocatedObject() }
        text.append(literal: "{\"$date\":")
        text.appendQuoted(iso: time)
        text.append(byte: UInt8(ascii: "}"))
    }

    /// Whether JSON represents an integer exactly.
    private func isExact(_ number: Int) -> Bool { number.magnitude <= 9_007_199_254_740_991 }

    private mutating func enter() throws(UnlocatedObject) {
        level += 1
        guard level <= Self.depth else { throw UnlocatedObject() }
    }

    private mutating func spend(_ bytes: Int, visits: Int = 4) throws(UnlocatedObject) {
        spent.visits += visits
        spent.bytes += bytes
        guard spent.visits <= Self.visitLimit, spent.bytes <= Self.byteLimit + cursor.reader.byteCount else {
            throw UnlocatedObject()
        }
    }
}
