extension AttributeType {
    /// The name of the type in a source; nil for no type, and for a type that sources do not have.
    public var sourceName: String? { Self.sourceNames[self] }

    /// The type for people: its name in a source, or the word for it if sources do not have it.
    public var title: String { sourceName ?? "\(self)" }

    init?(sourceName: String) {
        if sourceName == "Undefined" {
            self = .undefined
            return
        }
        guard let found = Self.sourceNames.first(where: { $0.value == sourceName }) else { return nil }
        self = found.key
    }

    private static let sourceNames: [AttributeType: String] = [
        .integer16: "Integer 16", .integer32: "Integer 32", .integer64: "Integer 64", .decimal: "Decimal",
        .double: "Double", .float: "Float", .string: "String", .boolean: "Boolean", .date: "Date",
        .binary: "Binary", .uuid: "UUID", .uri: "URI", .transformable: "Transformable",
        .composite: "Composite",
    ]
}

extension DeleteRule {
    /// The name of the rule in a source.
    public var sourceName: String {
        switch self {
        case .noAction: "No Action"
        case .nullify: "Nullify"
        case .cascade: "Cascade"
        case .deny: "Deny"
        }
    }

    init?(sourceName: String) {
        guard let rule = Self.allCases.first(where: { $0.sourceName == sourceName }) else { return nil }
        self = rule
    }
}
