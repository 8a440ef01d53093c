internal import KeyedArchive

extension AttributeType {
    /// Converts a default value of a model to this type.
    ///
    /// Models contain numbers as text, and Booleans as YES and NO (core-data-sqlite-store(5), 7.2). A text that cannot
    /// be converted, such as a date in words, stays as it is.
    func defaultValue(from value: ArchivedValue) -> ArchivedValue? {
        if value.isNil { return nil }
        guard case .string(let text) = value else { return number(from: value) ?? value }
        switch self {
        case .integer16, .integer32, .integer64:
            return (Int128(text) ?? Double(text).flatMap { Int128(exactly: $0) }).map(ArchivedValue.integer)
                ?? value
        case .boolean:
            return .boolean(["YES", "yes", "true", "1"].contains(text))
        case .double, .float:
            return Double(text).map(ArchivedValue.real) ?? value
        case .decimal:
            return ArchivedDecimal(text: text).map(ArchivedValue.decimal) ?? value
        case .uuid:
            return ArchivedUUID(text: text).map(ArchivedValue.uuid) ?? value
        case .uri:
            return .url(text)
        default:
            return value
        }
    }

    /// Converts a value of an archive, which has Booleans as 0 or 1, and reals without fraction as integers.
    private func number(from value: ArchivedValue) -> ArchivedValue? {
        switch self {
        case .boolean: value.booleanValue.map(ArchivedValue.boolean)
        case .integer16, .integer32, .integer64: value.integerValue.map { .integer(Int128($0)) }
        case .double, .float: value.doubleValue.map(ArchivedValue.real)
        default: nil
        }
    }
}
