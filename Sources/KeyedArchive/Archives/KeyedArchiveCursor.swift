import Base

/// An object that `KeyedArchiveCursor` does not find: the keyed archive is damaged there, or unusual. It can still be
/// valid.
package struct UnlocatedObject: Error {
    /// The error has no details; `KeyedArchiveDecoder` finds them.
    package init() {}
}

/// Finds the objects of a keyed archive in its bytes, without making values of them.
///
/// It reads the same data as `KeyedArchiveReader`, in a fraction of the time, but cannot describe a fault: for damaged
/// or unusual data it throws `UnlocatedObject`, and the caller uses the reader or `KeyedArchiveDecoder`.
package struct KeyedArchiveCursor: @unchecked Sendable {
    /// The reader of the same archive, which keeps the bytes alive.
    package let reader: KeyedArchiveReader
    /// The bytes of the archive. Its trailer has 32 bytes, so that an eight-byte load is valid at any offset before it.
    ///
    /// Safe to send: `reader` keeps the `SharedBytes`, whose memory never changes or moves while it exists.
    private let memory: UnsafeRawPointer
    /// The end of the objects, where the offset table begins.
    private let end: Int
    private let objectCount: Int
    private let offsetWidth: Int
    private let referenceWidth: Int
    private let objects: PropertyListReferences
    /// The names of fields by the raw value of `FoundationField`: indices of their texts, -1 if there is none.
    private let names: [Int]
    /// The classes whose descriptions were already looked up.
    private var classes: [(uid: Int, kind: FoundationClass)] = []
    /// The largest number of classes that are kept; further ones are looked up each time.
    private static let mostClasses = 32

    /// Reads the archive of `reader`.
    package init(_ reader: KeyedArchiveReader) throws(UnlocatedObject) {
        guard let memory = reader.list.bytes.withUnsafeBytes({ $0.baseAddress }) else {
            throw UnlocatedObject()
        }
        self.reader = reader
        self.memory = memory
        end = reader.list.offsetTable
        objectCount = reader.list.objectCount
        offsetWidth = reader.list.offsetWidth
        referenceWidth = reader.list.referenceWidth
        objects = reader.objects
        names = FoundationField.allCases.map { reader.names[$0] }
    }

    /// The member at `position` of a run: a UID, or an inline value.
    @inline(__always)
    package func member(
        _ position: Int, of run: PropertyListReferences
    ) throws(UnlocatedObject) -> ArchivedReference {
        let index = try index(at: position, of: run)
        let start = try offset(of: index)
        let marker = memory.load(fromByteOffset: start, as: UInt8.self)
        guard marker & 0xF8 == 0x80 else { return ArchivedReference(inline: index) }
        let number = try number(at: start &+ 1, width: Int(marker & 0x07) &+ 1)
        guard number < UInt64(objects.count) else { throw UnlocatedObject() }
        return ArchivedReference(uid: Int(truncatingIfNeeded: number))
    }

    /// The object of a UID, or the inline value.
    package func object(_ reference: ArchivedReference) throws(UnlocatedObject) -> LocatedObject {
        try object(at: try index(of: reference))
    }

    /// The value of a field; nil if the object has none.
    package func field(
        _ field: FoundationField, of object: LocatedObject
    ) throws(UnlocatedObject) -> ArchivedReference? {
        guard object.kind == .dictionary else { return nil }
        let known = names[field.rawValue]
        for position in 0..<object.count {
            let index = try index(at: position, of: object.run)
            if index != known {
                if names.contains(index) { continue }
                guard isText(try self.object(at: index), field.text) else { continue }
            }
            return try member(position, of: values(of: object))
        }
        return nil
    }

    /// Calls `body` with the name and the value of each field of an object of at most 16 fields.
    package func fields(
        of object: LocatedObject, _ body: (LocatedObject, ArchivedReference) throws(UnlocatedObject) -> Void
    ) throws(UnlocatedObject) {
        guard object.kind == .dictionary, object.count <= 16 else { throw UnlocatedObject() }
        for position in 0..<object.count {
            try body(
                try self.object(at: try index(at: position, of: object.run)),
                try member(position, of: values(of: object)))
        }
    }

    /// Whether an object is the ASCII string `text`.
    package func isText(_ object: LocatedObject, _ text: StaticString) -> Bool {
        object.kind == .ascii && memory.holds(text, at: object.value..<object.value &+ object.count)
    }

    /// The class of an object; nil for a bare dictionary.
    package mutating func foundationClass(
        of object: LocatedObject, at reference: ArchivedReference
    ) throws(UnlocatedObject) -> FoundationClass? {
        guard let described = try field(.classReference, of: object) else { return nil }
        guard let uid = described.uid else { throw UnlocatedObject() }
        for known in classes where known.uid == uid { return known.kind }
        // try?: `KeyedArchiveDecoder` reports the error
        guard let name = try? reader.className(of: reference) else { throw UnlocatedObject() }
        let kind = FoundationClass(name: name)
        if classes.count < Self.mostClasses { classes.append((uid, kind)) }
        return kind
    }

    /// The references of a bare array or of the array in a field of an object.
    package func array(
        _ field: FoundationField, of object: LocatedObject
    ) throws(UnlocatedObject) -> PropertyListReferences {
        guard let found = try self.field(field, of: object) else { throw UnlocatedObject() }
        let array = try self.object(found)
        guard array.kind == .array else { throw UnlocatedObject() }
        return array.run
    }

    /// Keys and values of an NSDictionary, of equal count.
    package func pairs(
        of object: LocatedObject
    ) throws(UnlocatedObject) -> (keys: PropertyListReferences, values: PropertyListReferences) {
        let (keys, values) = (try array(.keys, of: object), try array(.objects, of: object))
        guard keys.count == values.count else { throw UnlocatedObject() }
        return (keys, values)
    }

    /// The date as seconds since 2001-01-01 00:00:00 UTC.
    package func date(_ reference: ArchivedReference) throws(UnlocatedObject) -> Double {
        let object = try object(reference)
        return object.kind == .date ? object.double : try time(of: object).seconds
    }

    /// The time of an NSDate, and its field.
    func time(
        of object: LocatedObject
    ) throws(UnlocatedObject) -> (field: ArchivedReference, seconds: Double) {
        guard let field = try field(.time, of: object) else { throw UnlocatedObject() }
        let real = try self.object(field)
        guard real.kind == .real else { throw UnlocatedObject() }
        return (field, real.double)
    }

    /// The bytes of text, of data or of references in the archive; valid while the cursor or its reader exists.
    @inline(__always)
    package func bytes(_ object: LocatedObject) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + object.value, count: object.count)
    }

    /// The bytes of a run of references; valid while the cursor or its reader exists. Equal runs of one archive have
    /// equal members.
    @inline(__always)
    package func bytes(_ run: PropertyListReferences) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: memory + run.offset, count: run.count &* referenceWidth)
    }

    // MARK: Objects of the property list

    @inline(__always)
    private func values(of object: LocatedObject) -> PropertyListReferences {
        PropertyListReferences(offset: object.value &+ object.count &* referenceWidth, count: object.count)
    }

    @inline(__always)
    private func index(
        at position: Int, of run: PropertyListReferences
    ) throws(UnlocatedObject) -> Int {
        guard position >= 0, position < run.count else { throw UnlocatedObject() }
        let index = memory.bigEndian(at: run.offset &+ position &* referenceWidth, width: referenceWidth)
        guard index < UInt64(objectCount) else { throw UnlocatedObject() }
        return Int(truncatingIfNeeded: index)
    }

    @inline(__always)
    private func index(of reference: ArchivedReference) throws(UnlocatedObject) -> Int {
        guard let uid = reference.uid else { return reference.inlineIndex ?? 0 }
        return try index(at: uid, of: objects)
    }

    /// The offset of the object `index`, which is below `objectCount`.
    @inline(__always)
    private func offset(of index: Int) throws(UnlocatedObject) -> Int {
        let offset = memory.bigEndian(at: end &+ index &* offsetWidth, width: offsetWidth)
        guard offset >= 8, offset < UInt64(end) else { throw UnlocatedObject() }
        return Int(truncatingIfNeeded: offset)
    }

    @inline(__always)
    private func number(at offset: Int, width: Int) throws(UnlocatedObject) -> UInt64 {
        guard offset &+ width <= end else { throw UnlocatedObject() }
        return memory.bigEndian(at: offset, width: width)
    }

    /// Decodes an object with the rules of `BinaryPropertyList.node`.
    private func object(at index: Int) throws(UnlocatedObject) -> LocatedObject {
        let start = try offset(of: index)
        let marker = memory.load(fromByteOffset: start, as: UInt8.self)
        func scalar(_ kind: LocatedObject.Kind, _ width: Int) throws(UnlocatedObject) -> LocatedObject {
            LocatedObject(kind, value: Int(truncatingIfNeeded: try number(at: start &+ 1, width: width)))
        }
        switch marker {
        case 0x00: return LocatedObject(.null)
        case 0x08, 0x09: return LocatedObject(.boolean, value: Int(marker & 1))
        case 0x10...0x13: return try scalar(.integer, 1 << Int(marker & 0x0F))
        case 0x22:
            let bits = try number(at: start &+ 1, width: 4)
            let real = Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
            return LocatedObject(.real, value: Int(truncatingIfNeeded: real.bitPattern))
        case 0x23: return try scalar(.real, 8)
        case 0x33: return try scalar(.date, 8)
        default: return try contents(at: start, marker)
        }
    }

    /// Decodes an object with a count.
    private func contents(at start: Int, _ marker: UInt8) throws(UnlocatedObject) -> LocatedObject {
        let kind: LocatedObject.Kind
        var unit = 1
        switch marker >> 4 {
        case 0x4: kind = .data
        case 0x5: kind = .ascii
        case 0x6: (kind, unit) = (.utf16, 2)
        case 0xA: (kind, unit) = (.array, referenceWidth)
        case 0xB: (kind, unit) = (.orderedSet, referenceWidth)
        case 0xC: (kind, unit) = (.set, referenceWidth)
        case 0xD: (kind, unit) = (.dictionary, 2 &* referenceWidth)
        default: throw UnlocatedObject()
        }
        var first = start &+ 1
        var count = UInt64(marker & 0x0F)
        if count == 15 {
            let marker = try number(at: first, width: 1)
            guard (0x10...0x13).contains(marker) else { throw UnlocatedObject() }
            let width = 1 << Int(marker & 0x0F)
            count = try number(at: first &+ 1, width: width)
            first &+= 1 &+ width
        }
        guard first <= end, count <= UInt64((end &- first) / unit) else { throw UnlocatedObject() }
        let length = Int(truncatingIfNeeded: count)
        return LocatedObject(kind, count: kind == .utf16 ? 2 &* length : length, value: first)
    }
}

/// An object of an archive, as `KeyedArchiveCursor` finds it.
package struct LocatedObject {
    package enum Kind: UInt8 {
        case null, boolean, integer, real, date, data, ascii, utf16, array, set, orderedSet, dictionary
    }

    package let kind: Kind
    /// The bytes of text or data, the members of a collection, or the pairs of a dictionary.
    package let count: Int
    /// The offset of text, data or references; an integer or boolean; the bits of a real or date.
    package let value: Int

    @inline(__always)
    init(_ kind: Kind, count: Int = 0, value: Int = 0) {
        self.kind = kind
        self.count = count
        self.value = value
    }

    /// The members of a collection or the keys of a dictionary.
    @inline(__always)
    package var run: PropertyListReferences { PropertyListReferences(offset: value, count: count) }

    /// The range of text or data.
    @inline(__always)
    var range: Range<Int> { value..<value + count }

    /// The value of a real or date.
    @inline(__always)
    package var double: Double { Double(bitPattern: UInt64(bitPattern: Int64(value))) }
}
