/// An archive that the fast validator cannot check: not in the form that Foundation writes, or too large. It can still
/// be valid.
public struct UnfamiliarArchive: Error {
    /// The error has no details; `ArchiveDecoder` finds them.
    public init() {}
}

/// Validates a keyed archive of the usual form in one pass.
///
/// The results equal those of `KeyedArchiveReader` and `ArchiveDecoder`, in a fraction of the time. It cannot describe
/// a fault: for anything unusual it throws `UnfamiliarArchive`, and the caller uses these two.
public struct FastArchiveValidator: ~Copyable {
    /// The maximum size of an archive in bytes.
    private static let largest = 1 << 20
    /// Below the limits of a decoder for any archive.
    private static let limits = ArchiveLimits(depth: 32, visits: 250_000, bytes: 16 << 20)

    var table: ObjectTable
    /// `$objects`: the position of an object is its UID.
    private let objects: PropertyListReferences
    private let topFields: ScannedObject
    var budget: ArchiveBudget

    /// Scans a whole archive of at most 1 MiB.
    public init(_ bytes: SharedBytes) throws(UnfamiliarArchive) {
        guard bytes.count <= Self.largest,
            // try?: `KeyedArchiveReader` reports the error
            let table = try? ObjectTable(try BinaryPropertyList(bytes))
        else { throw UnfamiliarArchive() }
        let root = table[table.list.top]
        guard let archiver = try table.place(of: .archiver, in: root),
            table.isText(archiver, "NSKeyedArchiver"),
            let objects = try table.place(of: .objects, in: root).map({ table[$0] }), objects.kind == .array,
            let top = try table.place(of: .top, in: root).map({ table[$0] }), top.kind == .dictionary,
            // Some readers treat UID 0 as nil; others read the string stored there.
            objects.count > 0, table[table.index(at: 0, of: objects.run)].name == .null,
            table.largestUID < Int(objects.count)
        else { throw UnfamiliarArchive() }
        self.table = table
        self.objects = objects.run
        topFields = top
        budget = ArchiveBudget(Self.limits, objectCount: table.count, byteCount: bytes.count)
    }

    /// Checks the canonical form of the archive.
    public var canonicalForm: CanonicalForm { CanonicalForm(of: table) }

    /// The object under `key` in `$top`, which must contain no other.
    public func top(_ key: ScannedName) throws(UnfamiliarArchive) -> ArchivedReference {
        guard topFields.count == 1, let found = try field(key, of: topFields) else {
            throw UnfamiliarArchive()
        }
        return found
    }

    /// The field `name` of an object, which must exist.
    public func field(
        _ name: ScannedName, of reference: ArchivedReference
    ) throws(UnfamiliarArchive) -> ArchivedReference {
        let object = object(reference)
        guard let found = try field(name, of: object) else { throw UnfamiliarArchive() }
        return found
    }

    /// The value of a bare integer of at most 64 bits.
    public func integer(_ reference: ArchivedReference) throws(UnfamiliarArchive) -> Int {
        let object = object(reference)
        guard object.kind == .integer, object.count == 1 else { throw UnfamiliarArchive() }
        return object.value
    }

    /// The date as seconds since 2001-01-01 00:00:00 UTC.
    public func date(_ reference: ArchivedReference) throws(UnfamiliarArchive) -> Double {
        let object = object(reference)
        if object.kind == .date { return object.double }
        guard let time = try field(.time, of: object) else { throw UnfamiliarArchive() }
        let real = self.object(time)
        guard real.kind == .real else { throw UnfamiliarArchive() }
        return real.double
    }

    /// Whether a bare ASCII string is `text`. Throws for any other object.
    public func isText(_ reference: ArchivedReference, _ text: String) throws(UnfamiliarArchive) -> Bool {
        let object = object(reference)
        guard object.kind == .ascii else { throw UnfamiliarArchive() }
        guard Int(object.count) == text.utf8.count else { return false }
        let bytes = UnsafeRawBufferPointer(start: table.memory + object.value, count: Int(object.count))
        return bytes.elementsEqual(text.utf8)
    }

    /// The bytes of bare data.
    public func data(_ reference: ArchivedReference) throws(UnfamiliarArchive) -> SharedBytes {
        let object = object(reference)
        guard object.kind == .data, let bytes = table.list.bytes.slice(object.range) else {
            throw UnfamiliarArchive()
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
        guard keys.count == values.count else { throw UnfamiliarArchive() }
        return (keys, values)
    }

    /// The array in a field of an object.
    func array(
        _ name: ScannedName, of object: ScannedObject
    ) throws(UnfamiliarArchive) -> PropertyListReferences {
        guard let found = try field(name, of: object) else { throw UnfamiliarArchive() }
        let array = self.object(found)
        guard array.kind == .array else { throw UnfamiliarArchive() }
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
    private func reference(toIndex index: Int) -> ArchivedReference {
        let object = table[index]
        return object.kind == .uid ? ArchivedReference(uid: object.value) : ArchivedReference(inline: index)
    }
}
