/// Collects findings, and groups those of one kind and property.
struct FindingGroups {
    private struct Key: Hashable {
        var kind: StoreFinding.Kind
        var entity: String?
        var property: String?
    }

    private(set) var findings: [StoreFinding] = []
    private var positions: [Key: Int] = [:]

    static let exampleLimit = 5

    /// Adds a row or object. Only the first of a group evaluates `detail`.
    mutating func add(
        _ kind: StoreFinding.Kind, entity: String?, property: String? = nil, key: Int64? = nil,
        _ detail: @autoclosure () -> String
    ) {
        let place = Key(kind: kind, entity: entity, property: property)
        guard let position = positions[place] else {
            positions[place] = findings.count
            findings.append(
                StoreFinding(
                    kind: kind, entity: entity, property: property, count: 1,
                    examples: key.map { [$0] } ?? [],
                    detail: String(detail().prefix(500))))
            return
        }
        findings[position].count += 1
        if let key, findings[position].examples.count < Self.exampleLimit {
            findings[position].examples.append(key)
        }
    }
}
