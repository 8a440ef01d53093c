/// A field that Foundation's classes have in an archive.
enum FoundationField: Int, CaseIterable {
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

/// The name of a field as one archive has it: the index of its text in the property list. Writers store equal texts
/// once, so that the same name mostly has the same index; a name elsewhere is still found by its text.
public struct ArchivedFieldName: Hashable, Sendable {
    let index: Int
}

/// Where the names of Foundation's fields lie in one archive.
struct FoundationFieldNames: Sendable {
    /// Objects at the start of an archive that are looked at.
    private static let sampleSize = 64
    private static let namesMet = 1024

    /// By raw value of the field; -1 where the name was not met.
    private var indices = [Int](repeating: -1, count: FoundationField.allCases.count)

    /// Looks at the fields of the first objects.
    init(of objects: PropertyListReferences, in list: BinaryPropertyList) throws(PropertyListError) {
        // Each name is compared once.
        var isMet = [Bool](repeating: false, count: min(list.objectCount, Self.namesMet))
        for position in 0..<min(objects.count, Self.sampleSize) {
            guard case .dictionary(let keys, _) = try list.node(try list.reference(objects, position)) else {
                continue
            }
            for place in 0..<min(keys.count, 16) {
                let index = try list.reference(keys, place)
                if index < isMet.count {
                    if isMet[index] { continue }
                    isMet[index] = true
                }
                for field in FoundationField.allCases where try list.isString(index, field.text) {
                    indices[field.rawValue] = index
                }
            }
        }
    }

    @inline(__always)
    subscript(field: FoundationField) -> Int { indices[field.rawValue] }

    /// Whether the index is that of any of the names.
    @inline(__always)
    func contains(_ index: Int) -> Bool { indices.contains(index) }
}

extension KeyedArchiveReader {
    /// A field of one of Foundation's classes; nil when the object has none, or is a bare value.
    func field(_ field: FoundationField, of reference: ArchivedReference) throws(PropertyListError)
        -> ArchivedReference?
    {
        guard case .dictionary(let keys, let values) = try node(of: reference) else { return nil }
        return try self.field(field, keys, values)
    }

    /// A field among the keys and values of an object.
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

    /// Hands out the fields of an object, in the order of the file.
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

    /// Whether `name` is the text `text`.
    public func matches(_ name: ArchivedFieldName, _ text: StaticString) throws(PropertyListError) -> Bool {
        try list.isString(name.index, text)
    }
}
