import KeyedArchive
import SystemCalls

/// Binds the attributes of an entity to the INSERT statement of its rows.
struct RowBinder {
    private struct Column {
        var name: String
        var type: AttributeType
        /// Whether the bytes of a value are the content of the column.
        var isPlain: Bool
    }

    private let entity: String
    private let binder: AttributeBinder
    private let attributes: [AttributeDescription]
    private let columns: [Column]
    /// Whether a large value was bound, which the statement should not keep until the next row.
    var hasLargeValue = false
    private static let largeSize = 1 << 16

    /// - Parameter attributes: in the order of the parameters.
    init(_ entity: String, _ attributes: [AttributeDescription], _ binder: AttributeBinder) {
        self.entity = entity
        self.binder = binder
        self.attributes = attributes
        columns = attributes.map {
            Column(name: $0.name, type: $0.type, isPlain: !$0.allowsExternalStorage)
        }
    }

    /// Binds all attributes; those that `given` lacks get the default of the model.
    /// - Parameter files: writes large values to files; nil to bind them all.
    /// - Throws: `.refused` for an attribute that the entity does not have, and a value that it cannot have.
    mutating func bind(
        _ given: [StoredAttribute], to statement: inout SQLiteStatement, from first: Int,
        _ files: inout ExternalDataWriter?
    ) throws(FileProblem) {
        if hasOrder(given) {
            for position in columns.indices {
                // bounded: columns
                try bind(given[position].value, position, &statement, first + position, &files)
            }
            return
        }
        var values = Dictionary(given.map { ($0.name, $0.value) }) { _, last in last }
        for (position, attribute) in attributes.enumerated() {
            let value = values.removeValue(forKey: attribute.name) ?? attribute.defaultValue ?? .none
            try bind(value, position, &statement, first + position, &files)  // bounded: columns
        }
        if let name = values.keys.min() { throw unknown(name) }
    }

    private func hasOrder(_ given: [StoredAttribute]) -> Bool {
        guard given.count == columns.count else { return false }
        for position in columns.indices where given[position].name != columns[position].name { return false }
        return true
    }

    private mutating func bind(
        _ value: ArchivedValue, _ position: Int, _ statement: inout SQLiteStatement, _ parameter: Int,
        _ files: inout ExternalDataWriter?
    ) throws(FileProblem) {
        if bindsPlainly(value, columns[position], &statement, parameter) { return }
        hasLargeValue = true
        if case .data(let bytes) = value, columns[position].type == .binary, !columns[position].isPlain,
            let reference = try files?.reference(to: bytes)
        {
            if statement.binds(reference, at: parameter) { return }
        }
        try binder.bind(value, of: attributes[position], entity: entity, to: &statement, at: parameter)
    }

    /// Binds a value of a frequent kind that needs no conversion. Returns false for any other value.
    private mutating func bindsPlainly(
        _ value: ArchivedValue, _ column: Column, _ statement: inout SQLiteStatement, _ parameter: Int
    ) -> Bool {
        switch value {
        case .none: statement.bind(nil as Int64?, at: parameter)
        case .integer(let number):
            guard let whole = whole(number, column.type) else { return false }
            statement.bind(whole, at: parameter)
        case .boolean(let flag):
            guard column.type == .boolean else { return false }
            statement.bind(flag ? 1 : 0, at: parameter)
        case .date(let seconds):
            guard column.type == .date, !seconds.isNaN else { return false }
            statement.bind(seconds, at: parameter)
        case .real(let number):
            guard column.type == .double, !number.isNaN else { return false }
            statement.bind(number, at: parameter)
        case .string(let text):
            if text.utf8.count > Self.largeSize { hasLargeValue = true }
            return column.type == .string && statement.binds(text, at: parameter)
        case .data(let bytes):
            if bytes.count > Self.largeSize { hasLargeValue = true }
            return column.type == .binary && column.isPlain && statement.binds(bytes, at: parameter)
        case .uuid(let uuid): return column.type == .uuid && statement.binds(uuid.bytes, at: parameter)
        default: return false
        }
        return true
    }

    private func whole(_ number: Int128, _ type: AttributeType) -> Int64? {
        switch type {
        case .integer64: Int64(exactly: number)
        case .integer32: Int32(exactly: number).map { Int64($0) }
        case .integer16: Int16(exactly: number).map { Int64($0) }
        default: nil
        }
    }

    /// The error for a property that is not stored.
    func unknown(_ property: String) -> FileProblem {
        FileProblem(
            .refused, path: binder.path,
            "\(entity).\(property) is not a property that is stored, or of another kind",
            advice: "Compare the model with the one of the app: ticds-model show")
    }
}
