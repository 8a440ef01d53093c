/// A fetch index of an entity (NSFetchIndexDescription; core-data-sqlite-store(5), 3.6).
public struct FetchIndex: Sendable, Hashable {
    /// The name of the index.
    public var name: String
    /// The names of the indexed properties, in order.
    public var properties: [String]

    /// An index of these properties.
    public init(name: String, properties: [String]) {
        self.name = name
        self.properties = properties
    }
}
