/// An object of a property list, decoded and checked: a compact `PropertyListNode`.
struct ScannedObject {
    enum Kind: UInt8 {
        case null, boolean, integer, real, date, data, ascii, utf16, uid, array, set, orderedSet, dictionary
    }

    let kind: Kind
    /// The field name, if an ASCII string is one.
    var name = ScannedName.unknown
    /// The class that the object describes, if it was looked up.
    var describedClass: FoundationClass?
    /// The bytes of text or data, the members of a collection, or the pairs of a dictionary. For an integer, 1 if
    /// `value` has its number, 0 if it does not fit.
    let count: UInt32
    /// The offset of text, data or references; the number of an integer or UID; the bits of a real or date.
    let value: Int

    @inline(__always)
    init(_ kind: Kind, count: Int = 0, value: Int = 0) {
        self.kind = kind
        self.count = UInt32(truncatingIfNeeded: count)
        self.value = value
    }

    /// The references to the members of a collection or the keys of a dictionary.
    @inline(__always)
    var run: PropertyListReferences { PropertyListReferences(offset: value, count: Int(count)) }

    /// The range of text or data.
    @inline(__always)
    var range: Range<Int> { value..<value + Int(count) }

    /// The value of a real or date.
    @inline(__always)
    var double: Double { Double(bitPattern: UInt64(bitPattern: Int64(value))) }
}

/// A field name that validators look up: of keyed archives, of the classes of Foundation, and of binary stores
/// (core-data-binary-store(5), 2 and 3).
public enum ScannedName: UInt8, Sendable {
    /// Any other string.
    case unknown
    /// `$version`, `$archiver`, `$objects`, `$top`, `$null`.
    case version, archiver, objects, top, null
    /// `$class`, `$classname`, `$classes`; `NS.keys`, `NS.objects`, `NS.time`, `NS.string`, `NS.data`, `NS.bytes`,
    /// `NS.base`, `NS.relative`.
    case classReference, className, classNames, keys, members, time, string, data, bytes, base, relative
    /// Fields of binary stores: of the root, and of an object; `NSKey` and `NSAttributes` in older ones.
    case root, mapData, metadata, entityName, primaryKey, attributeValues, relatedNodes, nodeKey,
        nodeAttributes

    /// The name in the bytes of `range`.
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
                    ?? known("NS.data", .data) ?? known("NS.base", .base)
            case 8:
                known("$objects", .objects) ?? known("$classes", .classNames) ?? known("metadata", .metadata)
                    ?? known("$version", .version) ?? known("NS.bytes", .bytes)
            case 9: known("$archiver", .archiver) ?? known("NS.string", .string)
            case 10: known("NS.objects", .members) ?? known("$classname", .className)
            case 11: known("NS.relative", .relative)
            case 12: known("NSEntityName", .entityName) ?? known("NSAttributes", .nodeAttributes)
            case 14: known("NSPrimaryKey64", .primaryKey) ?? known("NSRelatedNodes", .relatedNodes)
            case 17: known("NSAttributeValues", .attributeValues)
            default: nil
            }
        self = found ?? .unknown
    }
}
