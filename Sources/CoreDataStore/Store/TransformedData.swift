public import KeyedArchive

extension ArchivedValue {
    /// A class name that no class of an app has.
    private static let transformedClass = "$transformedData"

    /// The value of a transformable attribute in the form in which an SQLite or XML store contains it: the data that the
    /// value transformer made, usually a keyed archive.
    public static func transformed(_ data: [UInt8]) -> ArchivedValue {
        .object(
            ArchivedObject(
                className: transformedClass, ancestors: [],
                fields: [ArchivedField("data", .data(data), isInline: true)]))
    }

    /// The data that a value transformer made; nil for any other value.
    public var transformedData: [UInt8]? {
        guard case .object(let object) = self, object.className == Self.transformedClass else { return nil }
        return object["data"]?.dataValue
    }
}
