/// How the objects of one entity are read from their table.
struct EntityLayout: Sendable {
    struct Attribute: Sendable {
        var name: String
        var column: String
        var type: AttributeType
        /// Whether the first byte tells where the data are (core-data-sqlite-store(5), 2.4).
        var allowsExternalStorage: Bool
    }

    struct Relationship: Sendable {
        enum Storage: Sendable {
            /// A key in the object's own row.
            case column(String)
            /// Rows of another table, or of a join table, that name the object as owner.
            case rows(JoinSide)
        }

        var name: String
        var storage: Storage
    }

    var entity: StoreEntity
    var table: String
    var attributes: [Attribute]
    var relationships: [Relationship]

    /// The columns of the row, in the order of attributes, then of to-one relationships.
    var columns: [String] {
        attributes.map(\.column)
            + relationships.compactMap { if case .column(let name) = $0.storage { name } else { nil } }
    }
}
