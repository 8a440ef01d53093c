public import Base

/// The reason why the fast validator leaves a keyed archive to `KeyedArchiveDecoder`. The archive can still be valid.
public struct UnfamiliarArchive: Error, Hashable {
    /// The first unknown characteristic.
    public enum Reason: String, Sendable, CaseIterable {
        /// The property list or the archive is damaged, or a field is missing or repeated.
        case structure
        /// A value has an unusual type.
        case type
        /// An object has a class that Core Data does not write, or fields that its class does not have.
        case objectClass = "class"
        /// The graph is deeper or larger than a part of a decoder's limits.
        case limits
    }

    /// The reason; `KeyedArchiveDecoder` finds the place.
    public let reason: Reason

    /// The error for this reason.
    public init(_ reason: Reason) { self.reason = reason }
}

/// Validates a keyed archive of the usual form in one pass.
///
/// The results equal those of `KeyedArchiveReader` and `KeyedArchiveDecoder`, in a fraction of the time. It cannot
/// describe a fault: for any unusual content it throws `UnfamiliarArchive`, and the caller uses the reader and the
/// decoder.
public struct FastArchiveValidator: ~Copyable {
    var table: ObjectTable
    /// `$objects`: the position of an object is its UID.
    private let objects: PropertyListReferences
    private let topFields: ScannedObject
    var budget: KeyedArchiveBudget
    /// The last text that was made, since many objects refer to the same.
    var latestText: (reference: ArchivedReference, text: String)?

    /// Scans a whole archive.
    public init(_ bytes: SharedBytes) throws(UnfamiliarArchive) {
        // try?: `KeyedArchiveReader` reports the error
        guard let table = try? ObjectTable(try BinaryPropertyList(bytes)) else {
            throw UnfamiliarArchive(.structure)
        }
        let root = table[table.list.top]
        guard let archiver = try table.place(of: .archiver, in: root),
            table.isText(archiver, "NSKeyedArchiver"),
            let objects = try table.place(of: .objects, in: root).map({ table[$0] }), objects.kind == .array,
            let top = try table.place(of: .top, in: root).map({ table[$0] }), top.kind == .dictionary,
            // Some readers treat UID 0 as nil; others read the string stored there.
            objects.count > 0, table[table.index(at: 0, of: objects.run)].name == .null,
            table.largestUID < Int(objects.count)
        else { throw UnfamiliarArchive(.structure) }
        self.table = table
        self.objects = objects.run
        topFields = top
        budget = KeyedArchiveBudget(
            .ofValidator(objectCount: table.count, byteCount: bytes.count), objectCount: table.count,
            byteCount: bytes.count)
    }

    /// Checks the canonical form of the archive.
    public var canonicalForm: CanonicalForm { CanonicalForm(of: table) }

    /// Whether every string is ASCII, and the bytes of every data object are ASCII or are not UTF-8. Then the text of
    /// all values, except numbers, decimals, UUIDs and URLs, is in the bytes of the archive as it is.
    public var hasOnlyASCIIText: Bool {
        (0..<table.count).allSatisfy { index in
            let object = table[index]
            guard object.kind == .data else { return object.kind != .utf16 }
            let bytes = UnsafeRawBufferPointer(start: table.memory + object.value, count: Int(object.count))
            return bytes.allSatisfy { $0 < 0x80 } || String(validating: bytes, as: UTF8.self) == nil
        }
    }

    /// The object under `key` in `$top`, which must contain no other.
    public func top(_ key: ScannedName) throws(UnfamiliarArchive) -> ArchivedReference {
        guard topFields.count == 1, let found = try field(key, of: topFields) else {
            throw UnfamiliarArchive(.structure)
        }
        return found
    }

    /// The field `name` of an object, which must exist.
    public func field(
        _ name: ScannedName, of reference: ArchivedReference
    ) throws(UnfamiliarArchive) -> ArchivedReference {
        let object = object(reference)
        guard let found = try field(name, of: object) else { throw UnfamiliarArchive(.structure) }
        return found
    }

    /// The value of a bare integer of at most 64 bits.
    public func integer(_ reference: ArchivedReference) throws(UnfamiliarArchive) -> Int {
        let object = object(reference)
        guard object.kind == .integer, object.count == 1 else { throw UnfamiliarArchive(.type) }
        return object.value
    }

    /// The date as seconds since 2001-01-01 00:00:00 UTC.
    public func date(_ reference: ArchivedReference) throws(UnfamiliarArchive) -> Double {
        let object = object(reference)
        if object.kind == .date { return object.double }
        guard object.kind == .dictionary, let time = try field(.time, of: object) else {
            throw UnfamiliarArchive(.type)
        }
        let real = self.object(time)
        guard real.kind == .real else { throw UnfamiliarArchive(.type) }
        return real.double
    }

    /// The text of a bare string, or the bare string in an NSString.
    func text(of object: ScannedObject) throws(UnfamiliarArchive) -> ScannedObject? {
        switch object.kind {
        case .ascii, .utf16: return object
        case .dictionary:
            guard let inside = try field(.string, of: object) else { return nil }
            let text = self.object(inside)
            return text.kind == .ascii || text.kind == .utf16 ? text : nil
        default: return nil
        }
    }

    /// Whether a string is `text`, which is ASCII. Throws for any other object, and for a string that may be the same
    /// text in UTF-16.
    public func isText(_ reference: ArchivedReference, _ text: String) throws(UnfamiliarArchive) -> Bool {
        guard let found = try self.text(of: object(reference)),
            found.kind == .ascii || Int(found.count) != 2 * text.utf8.count
        else { throw UnfamiliarArchive(.type) }
        guard found.kind == .ascii, Int(found.count) == text.utf8.count else { return false }
        return UnsafeRawBufferPointer(start: table.memory + found.value, count: Int(found.count))
            .elementsEqual(text.utf8)
    }

    /// The range of the text of an ASCII string in the archive; nil for any other object.
    public func asciiRange(of reference: ArchivedReference) throws(UnfamiliarArchive) -> Range<Int>? {
        guard let text = try text(of: object(reference)), text.kind == .ascii else { return nil }
        return text.range
    }

    /// The value under `key`, which is ASCII, in a dictionary with strings as keys; nil if there is none.
    public func value(
        _ key: String, of dictionary: ArchivedReference
    ) throws(UnfamiliarArchive) -> ArchivedReference? {
        let (keys, values) = try pairs(of: dictionary)
        var found: ArchivedReference?
        for position in 0..<keys.count where try isText(member(position, of: keys), key) {
            guard found == nil else { throw UnfamiliarArchive(.structure) }
            found = member(position, of: values)
        }
        return found
    }

    /// The bytes of bare data, or of an NSData.
    public mutating func data(_ reference: ArchivedReference) throws(UnfamiliarArchive) -> SharedBytes {
        var object = object(reference)
        if object.kind == .dictionary, try foundationClass(of: object) == .data {
            guard let inside = try field(.data, of: object) else { throw UnfamiliarArchive(.objectClass) }
            object = self.object(inside)
        }
        guard object.kind == .data, let bytes = table.list.bytes.slice(object.range) else {
            throw UnfamiliarArchive(.type)
        }
        return bytes
    }

    /// The members of a bare array or set, or of a collection object.
    public func members(of reference: ArchivedReference) throws(UnfamiliarArchive) -> PropertyListReferences {
        let object = object(reference)
        switch object.kind {
        case .array, .set, .orderedSet: return object.run
        default: return try array(.members, of: object)
        }
    }

    /// The keys and values of a dictionary, of equal count.
    public func pairs(
        of reference: ArchivedReference
    ) throws(UnfamiliarArchive) -> (keys: PropertyListReferences, values: PropertyListReferences) {
        try pairs(of: object(reference))
    }

    func pairs(
        of object: ScannedObject
    ) throws(UnfamiliarArchive) -> (keys: PropertyListReferences, values: PropertyListReferences) {
        let keys = try array(.keys, of: object)
        let values = try array(.members, of: object)
        guard keys.count == values.count else { throw UnfamiliarArchive(.structure) }
        return (keys, values)
    }

    /// The array in a field of an object.
    func array(
        _ name: ScannedName, of object: ScannedObject
    ) throws(UnfamiliarArchive) -> PropertyListReferences {
        guard let found = try field(name, of: object) else { throw UnfamiliarArchive(.objectClass) }
        let array = self.object(found)
        guard array.kind == .array else { throw UnfamiliarArchive(.type) }
        return array.run
    }

    /// The member at `position` of a run from this validator.
    @inline(__always)
    public func member(_ position: Int, of run: PropertyListReferences) -> ArchivedReference {
        reference(toIndex: table.index(at: position, of: run))
    }

    /// The field `name` of an object; nil if there is none.
    @inline(__always)
    func field(
        _ name: ScannedName, of object: ScannedObject
    ) throws(UnfamiliarArchive) -> ArchivedReference? {
        guard let index = try table.place(of: name, in: object) else { return nil }
        return reference(toIndex: index)
    }

    /// The object of a UID, or the inline value.
    @inline(__always)
    func object(_ reference: ArchivedReference) -> ScannedObject { table[index(of: reference)] }

    @inline(__always)
    func index(of reference: ArchivedReference) -> Int {
        reference.inlineIndex ?? table.index(at: reference.uid ?? 0, of: objects)
    }

    @inline(__always)
    func reference(toIndex index: Int) -> ArchivedReference {
        let object = table[index]
        return object.kind == .uid ? ArchivedReference(uid: object.value) : ArchivedReference(inline: index)
    }
}
