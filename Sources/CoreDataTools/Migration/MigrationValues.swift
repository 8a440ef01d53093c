import CoreDataStore
import KeyedArchive
import SystemCalls

/// A value of an expression.
enum MigratedValue {
    case value(ArchivedValue)
    /// Objects of the old store, of this hierarchy.
    case sources([Int64], root: String)
    /// Objects of the new store.
    case made([Int64])
}

/// The reason why an expression is not evaluated.
enum ExpressionFailure: Error {
    /// The value of this object.
    case object(String)
    /// A problem that ends the migration.
    case file(FileProblem)
}

extension ArchivedValue {
    /// Whether an attribute of this type can have the value.
    func fits(_ type: AttributeType) -> Bool {
        if isNil { return true }
        switch type {
        case .integer16: return integerValue.flatMap { Int16(exactly: $0) } != nil
        case .integer32: return integerValue.flatMap { Int32(exactly: $0) } != nil
        case .integer64: return integerValue != nil
        case .boolean: return booleanValue != nil || integerValue == 0 || integerValue == 1
        case .double, .float: return doubleValue != nil
        case .date: return dateValue != nil
        case .decimal:
            switch self {
            case .decimal, .integer, .real: return true
            default: return false
            }
        case .string: return stringValue != nil
        case .uri:
            if case .url = self { return true }
            return stringValue != nil
        case .uuid:
            if case .uuid = self { return true }
            return false
        case .binary: return dataValue != nil
        case .undefined, .transformable, .objectID, .composite: return true
        }
    }
}
