/// One object of a property list, decoded and checked: `PropertyListNode` in a form that takes little room.
struct ScannedObject {
    enum Kind: UInt8 {
        case null, boolean, integer, real, date, data, ascii, utf16, uid, array, set, orderedSet, dictionary
    }

    let kind: Kind
    /// Of an ASCII string, what it may be the name of.
    var name = ScannedName.unknown
    /// What the object is the description of, once that has been looked at.
    var describes: FoundationClass?
    /// Bytes of text or data; members of a collection; pairs of a dictionary. 1 where an integer has its number in
    /// `value`, 0 where that does not fit.
    let count: UInt32
    /// Where text, data or references begin; the number of an integer or UID; the bits of a real or date.
    let value: Int

    @inline(__always)
    init(_ kind: Kind, count: Int = 0, value: Int = 0) {
        self.kind = kind
        self.count = UInt32(truncatingIfNeeded: count)
        self.value = value
    }

    /// The members of a collection, or the keys of a dictionary.
    @inline(__always)
    var run: PropertyListReferences { PropertyListReferences(offset: value, count: Int(count)) }

    /// The bytes of text or data.
    @inline(__always)
    var range: Range<Int> { value..<value + Int(count) }

    /// The number of a real or date.
    @inline(__always)
    var double: Double { Double(bitPattern: UInt64(bitPattern: Int64(value))) }
}

/// A text that names a field of an archive, as far as validators look for it: those of archives, of Foundation's
/// classes, and of binary stores (core-data-binary-store(5), 2 and 3).
public enum ScannedName: UInt8, Sendable {
    /// Any other text.
    case unknown
    /// `$version`, `$archiver`, `$objects`, `$top`, `$null`.
    case version, archiver, objects, top, null
    /// `$class`, `$classname`, `$classes`; `NS.keys`, `NS.objects`, `NS.time`, `NS.string`, `NS.data`, `NS.bytes`.
    case classReference, className, classNames, keys, members, time, string, data, bytes
    /// Of binary stores, where they begin and what an object of one has; `NSKey` and `NSAttributes` in older ones.
    case root, mapData, metadata, entityName, primaryKey, attributeValues, relatedNodes, nodeKey,
        nodeAttributes

    /// The name that the bytes of `range` are.
    init(_ memory: UnsafeRawPointer, _ range: Range<Int>) {
        func known(_ text: StaticString, _ name: ScannedName) -> ScannedName? {
            memory.holds(text, at: range) ? name : nil
        }
        let found: ScannedName? =
            switch range.count {
            case 4: known("$top", .top) ?? known("root", .root)
            case 5: known("$null", .null) ?? known("NSKey", .nodeKey)
            case 6: known("$class", .classReference)
            case 7:
                known("NS.keys", .keys) ?? known("NS.time", .time) ?? known("mapData", .mapData)
                    ?? known("NS.data", .data)
            case 8:
                known("$objects", .objects) ?? known("$classes", .classNames) ?? known("metadata", .metadata)
                    ?? known("$version", .version) ?? known("NS.bytes", .bytes)
            case 9: known("$archiver", .archiver) ?? known("NS.string", .string)
            case 10: known("NS.objects", .members) ?? known("$classname", .className)
            case 12: known("NSEntityName", .entityName) ?? known("NSAttributes", .nodeAttributes)
            case 14: known("NSPrimaryKey64", .primaryKey) ?? known("NSRelatedNodes", .relatedNodes)
            case 17: known("NSAttributeValues", .attributeValues)
            default: nil
            }
        self = found ?? .unknown
    }
}
