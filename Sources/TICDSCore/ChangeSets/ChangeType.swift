/// What a sync change does to its object (ticds-remote-format(5), 3.2).
public enum ChangeType: Hashable, Sendable {
    /// The six that the framework applies; on the wire 1 to 5, and 10 for a deletion.
    case insert, attribute, toOne, addToMany, removeFromMany, delete
    /// A number that the framework does not define.
    case unknown(Int)

    /// The type that the framework stores as `number`.
    public init(number: Int) {
        switch number {
        case 1: self = .insert
        case 2: self = .attribute
        case 3: self = .toOne
        case 4: self = .addToMany
        case 5: self = .removeFromMany
        case 10: self = .delete
        default: self = .unknown(number)
        }
    }

    /// The number that the framework stores; it is also the order of application within a set.
    public var number: Int {
        switch self {
        case .insert: 1
        case .attribute: 2
        case .toOne: 3
        case .addToMany: 4
        case .removeFromMany: 5
        case .delete: 10
        case .unknown(let number): number
        }
    }

    /// The name in text and JSON.
    public var name: String {
        switch self {
        case .insert: "insert"
        case .attribute: "attribute"
        case .toOne: "toOne"
        case .addToMany: "addToMany"
        case .removeFromMany: "removeFromMany"
        case .delete: "delete"
        case .unknown: "unknown"
        }
    }
}
