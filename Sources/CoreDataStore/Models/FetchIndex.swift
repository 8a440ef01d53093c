/// An index that a model asks of an SQLite store (core-data-sqlite-store(5), 3.6).
public struct FetchIndex: Sendable, Hashable {
    /// Name of the index in the model.
    public var name: String
    /// Names of the indexed properties, in order.
    public var properties: [String]

    /// An index over these properties, in that order.
    public init(name: String, properties: [String]) {
        self.name = name
        self.properties = properties
    }
}
