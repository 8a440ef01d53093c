/// The changes of to-many relationships by their owner, in 32 bytes each: there may be millions.
struct EditedLinks {
    /// A target that a relationship gained or lost.
    struct Link {
        /// The name of the relationship.
        var name: String
        /// The primary key of the target.
        var target: Int64
        /// The number of the root entity of the target.
        var targetRoot: Int
        var isAdded: Bool
    }

    private struct Packed {
        var owner: Int64
        var target: Int64
        var entity: Int32
        /// The position in `kinds`.
        var kind: Int32
        /// The order in which the links were added.
        var number: UInt32

        var object: StoreObjectID { StoreObjectID(entity: Int(entity), primaryKey: owner) }
    }

    private struct Kind: Hashable {
        var name: String
        var targetRoot: Int
        var isAdded: Bool
    }

    private var links: [Packed] = []
    private var kinds: [Kind] = []
    private var kindPositions: [Kind: Int32] = [:]

    mutating func add(_ link: Link, of owner: StoreObjectID) {
        let kind = Kind(name: link.name, targetRoot: link.targetRoot, isAdded: link.isAdded)
        var position = kindPositions[kind]
        if position == nil {
            position = Int32(clamping: kinds.count)
            kindPositions[kind] = position
            kinds.append(kind)
        }
        links.append(
            Packed(
                owner: owner.primaryKey, target: link.target, entity: Int32(clamping: owner.entity),
                kind: position ?? 0, number: UInt32(clamping: links.count)))
    }

    /// Sorts the links by owner; those of one owner keep their order.
    mutating func sort() {
        links.sort { ($0.entity, $0.owner, $0.number) < ($1.entity, $1.owner, $1.number) }
    }

    subscript(position: Int) -> Link {
        let packed = links[position]
        let kind = kinds[Int(packed.kind)]
        return Link(
            name: kind.name, target: packed.target, targetRoot: kind.targetRoot, isAdded: kind.isAdded)
    }

    /// The positions of the links of an object, after `sort()`.
    func range(of owner: StoreObjectID) -> Range<Int> {
        let start = links.firstPosition { !($0.object < owner) }
        var end = start
        while end < links.count, links[end].object == owner { end += 1 }
        return start..<end
    }

    /// Calls `body` with each owner once, in order, after `sort()`.
    func forEachOwner(_ body: (StoreObjectID) -> Void) {
        var last: StoreObjectID?
        for link in links where link.object != last {
            last = link.object
            body(link.object)
        }
    }
}

/// The edited rows of each kind, by entity and primary key.
struct EditedRows {
    struct Row {
        var key: Int64
        var entity: Int32
        /// The position of the table in the scan; after all others for an object of which only links differ.
        var table: Int32

        init(_ object: StoreObjectID, table: Int) {
            key = object.primaryKey
            entity = Int32(clamping: object.entity)
            self.table = Int32(clamping: table)
        }

        var object: StoreObjectID { StoreObjectID(entity: Int(entity), primaryKey: key) }
        /// Whether a column of the row differs.
        var differs: Bool { table != .max }
    }

    private var inserted: [Row] = []
    private var updated: [Row] = []
    private var deleted: [Row] = []

    subscript(kind: EditedObject.Kind) -> [Row] {
        switch kind {
        case .inserted: inserted
        case .updated: updated
        case .deleted: deleted
        }
    }

    mutating func add(_ row: Row, _ kind: EditedObject.Kind) {
        switch kind {
        case .inserted: inserted.append(row)
        case .updated: updated.append(row)
        case .deleted: deleted.append(row)
        }
    }

    /// Sorts the rows, and adds the owners of links that have no row among them.
    mutating func addOwners(of links: EditedLinks) {
        for path in [\Self.inserted, \Self.updated, \Self.deleted] {
            self[keyPath: path].sort { $0.object < $1.object }
        }
        var others: [Row] = []
        links.forEachOwner { owner in
            let isKnown = [inserted, updated, deleted].contains { rows in
                let place = rows.firstPosition { !($0.object < owner) }
                return place < rows.count && rows[place].object == owner
            }
            if !isKnown { others.append(Row(owner, table: .max)) }
        }
        guard !others.isEmpty else { return }
        updated += others
        updated.sort { $0.object < $1.object }
    }
}

extension StoreObjectID {
    /// The order of edits: by entity, then by primary key.
    fileprivate static func < (one: Self, other: Self) -> Bool {
        (one.entity, one.primaryKey) < (other.entity, other.primaryKey)
    }
}

extension Array {
    /// The first position from which `isBeyond` is true, in an array where it is true for all after that.
    fileprivate func firstPosition(where isBeyond: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
