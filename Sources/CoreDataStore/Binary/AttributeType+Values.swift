import KeyedArchive

extension AttributeType {
    /// Converts a value to this type. An archive stores a Boolean as 0 or 1, and a real without a fraction as an
    /// integer (core-data-binary-store(5), 2 and 6).
    func coerced(_ value: ArchivedValue) -> ArchivedValue {
        switch (self, value) {
        case (.boolean, .integer(0)): .boolean(false)
        case (.boolean, .integer(1)): .boolean(true)
        case (.integer16, .boolean(let flag)), (.integer32, .boolean(let flag)),
            (.integer64, .boolean(let flag)):
            .integer(flag ? 1 : 0)
        case (.double, .integer(let number)), (.float, .integer(let number)): .real(Double(number))
        case (.decimal, .integer(let number)):
            .decimal(
                ArchivedDecimal(
                    mantissa: number.magnitude, exponent: 0, isNegative: number < 0))
        case (_, .none): .null
        default: value
        }
    }

    /// Whether an attribute of this type can have the value. Nil is always possible here; the model decides whether it
    /// is valid.
    func admits(_ value: ArchivedValue) -> Bool {
        switch (self, value) {
        case (_, .null), (.transformable, _), (.undefined, _), (.objectID, _), (.composite, _): true
        case (.integer16, .integer(let number)): Int16(exactly: number) != nil
        case (.integer32, .integer(let number)): Int32(exactly: number) != nil
        case (.integer64, .integer(let number)): Int64(exactly: number) != nil
        case (.boolean, .boolean), (.string, .string), (.date, .date), (.binary, .data): true
        case (.double, .real), (.float, .real), (.decimal, .decimal), (.decimal, .real): true
        case (.uuid, .uuid), (.uri, .url): true
        default: false
        }
    }
}
