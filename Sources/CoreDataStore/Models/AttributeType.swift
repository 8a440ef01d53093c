/// The type of an attribute, with the numbers Core Data writes into models and version hashes
/// (core-data-sqlite-store(5), 2.3).
public enum AttributeType: Int, Sendable, Hashable, CaseIterable {
    /// No type; only transient attributes have it.
    case undefined = 0
    /// A whole number of 16 bits.
    case integer16 = 100
    /// A whole number of 32 bits.
    case integer32 = 200
    /// A whole number of 64 bits.
    case integer64 = 300
    /// An NSDecimalNumber.
    case decimal = 400
    /// A floating-point number of 64 bits.
    case double = 500
    /// A floating-point number of 32 bits.
    case float = 600
    /// A text.
    case string = 700
    /// True or false, stored as 1 or 0.
    case boolean = 800
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date = 900
    /// Bytes, which an SQLite store may keep in a file of their own.
    case binary = 1000
    /// An NSUUID: sixteen bytes.
    case uuid = 1100
    /// An NSURL, stored as text.
    case uri = 1200
    /// Any object; an SQLite store holds what the value transformer makes of it, a binary store the object
    /// itself.
    case transformable = 1800
    /// A reference to an object, which no store keeps.
    case objectID = 2000
    /// Several attributes under one name, of systems from 2023 on; never seen in a store.
    case composite = 2100
}
