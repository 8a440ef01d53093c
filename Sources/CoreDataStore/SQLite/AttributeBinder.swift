import KeyedArchive
import SystemCalls
import SystemPackage

/// Binds attribute values to the columns of a new row (core-data-sqlite-store(5), 2.3 and 2.4).
struct AttributeBinder {
    let path: FilePath

    /// The size in bytes from which bytes are written in pieces after the row, instead of being copied into it.
    static let largeSize = 1 << 20

    /// Bytes that are written after the row, which has as many zeros.
    struct LargeBytes {
        /// The first byte of external data; empty for other attributes.
        var head: [UInt8]
        var bytes: [UInt8]

        var count: Int { head.count + bytes.count }
    }

    /// Large bytes, which `bind` would copy; nil for all other values.
    static func large(_ value: ArchivedValue, of attribute: AttributeDescription) -> LargeBytes? {
        guard case .data(let bytes) = value, bytes.count >= largeSize else { return nil }
        return switch attribute.type {
        case .binary: LargeBytes(head: attribute.allowsExternalStorage ? [1] : [], bytes: bytes)
        case .transformable where !attribute.isArchived: LargeBytes(head: [], bytes: bytes)
        default: nil
        }
    }

    /// Binds the value of `attribute`. Throws `.refused` for a value that the attribute cannot have.
    func bind(
        _ value: ArchivedValue, of attribute: AttributeDescription, entity: String,
        to statement: inout SQLiteStatement, at parameter: Int
    ) throws(FileProblem) {
        guard !value.isNil else { return statement.bind(nil as Int64?, at: parameter) }
        do throws(SQLiteError) {
            if let number = integer(value, attribute.type) {
                statement.bind(number, at: parameter)
            } else if let number = real(value, attribute.type) {
                statement.bind(number, at: parameter)
            } else if let text = text(value, attribute.type) {
                try statement.bind(text, at: parameter)
            } else if let bytes = bytes(value, attribute) {
                try statement.bind(bytes, at: parameter)
            } else {
                throw SQLiteError(code: 20, message: "")
            }
        } catch {
            guard error.code == 20 else { throw error.problem(with: path) }
            throw FileProblem(
                .refused, path: path, "\(entity).\(attribute.name) cannot have this value",
                expected: "\(attribute.type)", found: "\(value)",
                advice: "Compare the value with the model: ticds-model show")
        }
    }

    private func integer(_ value: ArchivedValue, _ type: AttributeType) -> Int64? {
        if type == .decimal, case .decimal(let number) = value, !number.isNaN {
            let reduced = number.reduced
            return reduced.exponent > 18 ? nil : Int64(reduced.description)
        }
        guard let number = value.integerValue else { return nil }
        return switch type {
        case .boolean: number == 0 || number == 1 ? Int64(number) : nil
        case .integer16: Int16(exactly: number).map { Int64($0) }
        case .integer32: Int32(exactly: number).map { Int64($0) }
        case .integer64: Int64(number)
        default: nil
        }
    }

    /// The real to store; nil for NaN, which SQLite would store as NULL.
    private func real(_ value: ArchivedValue, _ type: AttributeType) -> Double? {
        let number: Double? =
            switch type {
            case .date: value.dateValue
            case .decimal: decimal(value)
            case .double: value.doubleValue
            case .float: value.doubleValue.map { Double(Float($0)) }
            default: nil
            }
        return number?.isNaN == true ? nil : number
    }

    /// The double that is nearest to a decimal number: columns keep no more digits, except for whole numbers.
    private func decimal(_ value: ArchivedValue) -> Double? {
        guard case .decimal(let number) = value, !number.isNaN, number.exponent <= 400 else { return nil }
        return Double(number.description).flatMap { $0.isFinite ? $0 : nil }
    }

    private func text(_ value: ArchivedValue, _ type: AttributeType) -> String? {
        switch (type, value) {
        case (.string, .string(let text)), (.uri, .url(let text)), (.uri, .string(let text)): text
        case (.decimal, .integer(let number)): String(number)
        case (.decimal, .real(let number)): number.isFinite ? "\(number)" : nil
        default: nil
        }
    }

    private func bytes(_ value: ArchivedValue, _ attribute: AttributeDescription) -> [UInt8]? {
        switch (attribute.type, value) {
        case (.uuid, .uuid(let uuid)): uuid.bytes
        case (.binary, .data(let bytes)): attribute.allowsExternalStorage ? [1] + bytes : bytes
        case (.transformable, _) where value.transformedData != nil: value.transformedData
        case (.transformable, .data(let bytes)) where !attribute.isArchived: bytes
        // try?: the caller refuses nil as a value of the wrong type
        case (.transformable, _) where attribute.isArchived: try? KeyedArchiveWriter.bytes(root: value)
        default: nil
        }
    }
}

extension AttributeDescription {
    /// Whether a transformable value is stored as a keyed archive, rather than by a transformer of the app.
    package var isArchived: Bool {
        [
            nil, "", "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName",
            "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer",
        ].contains(valueTransformerName)
    }
}
