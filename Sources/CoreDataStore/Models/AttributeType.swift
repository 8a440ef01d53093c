/// The type of an attribute (NSAttributeType), with the numbers in models and version hashes
/// (core-data-sqlite-store(5), 2.3).
public enum AttributeType: Int, Sendable, Hashable, CaseIterable {
    /// No type; for transient attributes only.
    case undefined = 0
    /// A 16-bit integer.
    case integer16 = 100
    /// A 32-bit integer.
    case integer32 = 200
    /// A 64-bit integer.
    case integer64 = 300
    /// An NSDecimalNumber.
    case decimal = 400
    /// A 64-bit floating-point number.
    case double = 500
    /// A 32-bit floating-point number.
    case float = 600
    /// A string.
    case string = 700
    /// A Boolean, stored as 1 or 0.
    case boolean = 800
    /// A date, stored as seconds since 2001-01-01 00:00:00 UTC.
    case date = 900
    /// Data, which an SQLite store may write to a separate file.
    case binary = 1000
    /// An NSUUID: sixteen bytes.
    case uuid = 1100
    /// An NSURL, stored as text.
    case uri = 1200
    /// Any object. An SQLite store contains the data of the value transformer, a binary store the object itself.
    case transformable = 1800
    /// A reference to an object, which is not stored.
    case objectID = 2000
    /// A composite attribute, of systems from 2023 on; never seen in a store.
    case composite = 2100
}
