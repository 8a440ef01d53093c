/// The columns and tables of one entity's properties.
struct EntityLayout: Sendable {
    struct Attribute: Sendable {
        var name: String
        var column: String
        var type: AttributeType
        /// Whether the first byte shows where the data is (core-data-sqlite-store(5), 2.4).
        var allowsExternalStorage: Bool
    }

    struct Relationship: Sendable {
        enum Storage: Sendable {
            /// A foreign key in the row of the object.
            case column(String)
            /// Rows of another table, or of a join table, with the key of the object.
            case rows(JoinSide)
        }

        var name: String
        var storage: Storage
    }

    var entity: StoreEntity
    var table: String
    var attributes: [Attribute]
    var relationships: [Relationship]

    /// The columns of attributes, then of to-one relationships.
    var columns: [String] {
        attributes.map(\.column)
            + relationships.compactMap { if case .column(let name) = $0.storage { name } else { nil } }
    }
}
