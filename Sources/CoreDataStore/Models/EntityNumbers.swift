/// An entity's row in the table of primary keys of an SQLite store (core-data-sqlite-store(5), 1.2).
public struct NumberedEntity: Sendable, Hashable {
    /// 1 for the first entity.
    public var number: Int
    /// Name of the entity, in its real case.
    public var name: String
    /// Number of the superentity; 0 for a root entity.
    public var superentityNumber: Int

    /// An entity and its numbers; `superentityNumber` is 0 for a root entity.
    public init(number: Int, name: String, superentityNumber: Int) {
        self.number = number
        self.name = name
        self.superentityNumber = superentityNumber
    }
}

extension ManagedObjectModel {
    /// The numbers that a new SQLite store gives to the entities: depth first, by name without regard to case.
    ///
    /// An existing store has its numbers in its table, which may differ
    /// (core-data-sqlite-store(5), 1.2).
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
