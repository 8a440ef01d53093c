/// A field that the classes of Foundation write.
package enum FoundationField: Int, CaseIterable {
    case classReference, className, keys, objects, time, string, data

    var text: StaticString {
        switch self {
        case .classReference: "$class"
        case .className: "$classname"
        case .keys: "NS.keys"
        case .objects: "NS.objects"
        case .time: "NS.time"
        case .string: "NS.string"
        case .data: "NS.data"
        }
    }
}

/// The name of a field in one keyed archive: the index of its text in the property list. Writers store equal texts
/// once, so that equal names nearly always have equal indices. A copy at a different index is found by its text.
public struct ArchivedFieldName: Hashable, Sendable {
    let index: Int
}

/// The indices of the field names of Foundation in one archive.
struct FoundationFieldNames: Sendable {
    /// The number of objects at the start of an archive to search.
    private static let sampleSize = 64
    private static let seenLimit = 1024

    /// The indices by the raw value of the field; -1 if the name was not found.
    private var indices = [Int](repeating: -1, count: FoundationField.allCases.count)

    /// A value without names, so that each field is found by its text.
    init() {}

    /// Searches the fields of the first objects.
    init(of objects: PropertyListReferences, in list: BinaryPropertyList) throws(PropertyListError) {
        // Avoids comparing a name twice.
        var isSeen = [Bool](repeating: false, count: min(list.objectCount, Self.seenLimit))
        for position in 0..<min(objects.count, Self.sampleSize) {
            guard case .dictionary(let keys, _) = try list.node(try list.reference(objects, position)) else {
                continue
            }
            for place in 0..<min(keys.count, 16) {
                let index = try list.reference(keys, place)
                if index < isSeen.count {
                    if isSeen[index] { continue }
                    isSeen[index] = true
                }
                for field in FoundationField.allCases where try list.isString(index, field.text) {
                    indices[field.rawValue] = index
                }
            }
        }
    }

    @inline(__always)
    subscript(field: FoundationField) -> Int { indices[field.rawValue] }

    /// Whether `index` is the index of one of the names.
    @inline(__always)
    func contains(_ index: Int) -> Bool { indices.contains(index) }
}

extension KeyedArchiveReader {
    /// A field of a class of Foundation; nil if the object lacks it or is a bare value.
    func field(_ field: FoundationField, of reference: ArchivedReference) throws(PropertyListError)
        -> ArchivedReference?
    {
        guard case .dictionary(let keys, let values) = try node(of: reference) else { return nil }
        return try self.field(field, keys, values)
    }

    /// The value of a field, from the keys and values of an object.
    @inline(__always)
    func field(
        _ field: FoundationField, _ keys: PropertyListReferences, _ values: PropertyListReferences
    ) throws(PropertyListError) -> ArchivedReference? {
        let known = names[field]
        for position in 0..<keys.count {
            let index = try list.reference(keys, position)
            if index == known { return try self.reference(at: values, position) }
            if names.contains(index) { continue }
            if try list.isString(index, field.text) { return try self.reference(at: values, position) }
        }
        return nil
    }

    /// Calls `body` with each field of an object, in the order of the file.
    public func forEachField(
        of reference: ArchivedReference,
        _ body: (ArchivedFieldName, ArchivedReference) throws(PropertyListError) -> Void
    ) throws(PropertyListError) {
        guard case .dictionary(let keys, let values) = try node(of: reference) else { return }
        for position in 0..<keys.count {
            let name = ArchivedFieldName(index: try list.reference(keys, position))
            try body(name, try self.reference(at: values, position))
        }
    }

    /// Whether `name` has the characters `text`.
    public func matches(_ name: ArchivedFieldName, _ text: StaticString) throws(PropertyListError) -> Bool {
        try list.isString(name.index, text)
    }
}
