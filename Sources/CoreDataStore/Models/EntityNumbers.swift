/// An entity with its number in Z_PRIMARYKEY of an SQLite store (core-data-sqlite-store(5), 1.2).
public struct NumberedEntity: Sendable, Hashable {
    /// The number, from 1.
    public var number: Int
    /// The name of the entity.
    public var name: String
    /// The number of the superentity; 0 for a root entity.
    public var superentityNumber: Int
}

extension ManagedObjectModel {
    /// The entities with the numbers of a new SQLite store: depth first, by name, ignoring case. An existing store may
    /// have other numbers (core-data-sqlite-store(5), 1.2).
    public var numberedEntities: [NumberedEntity] {
        var below = Dictionary(grouping: entities, by: \.superentity)
        for key in below.keys { below[key]?.sort { $0.name.precedesIgnoringCase($1.name) } }
        var numbered: [NumberedEntity] = []
        var waiting = (below[nil] ?? []).reversed().map { (name: $0.name, above: 0) }
        while let next = waiting.popLast() {
            let number = numbered.count + 1
            numbered.append(NumberedEntity(number: number, name: next.name, superentityNumber: next.above))
            waiting += (below[next.name] ?? []).reversed().map { (name: $0.name, above: number) }
        }
        return numbered
    }
}

extension String {
    fileprivate func precedesIgnoringCase(_ other: String) -> Bool {
        let (mine, theirs) = (lowercased(), other.lowercased())
        return mine == theirs ? precedesInCodePoints(other) : mine.precedesInCodePoints(theirs)
    }
}
