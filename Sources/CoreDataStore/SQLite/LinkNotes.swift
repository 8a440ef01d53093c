/// Notes on the keys and links of a new store until all objects are there.
///
/// Memory is limited: links for which there is no room go to the temporary table `pending`.
struct LinkNotes: ~Copyable {
    /// The owner and the position that a row gets.
    struct Link {
        var owner: Int64 = 0
        var place: Int64 = 0
    }

    /// The temporary table of links that rows do not have yet; `link` is the index in `NewStoreSchema.links`.
    static let pendingTable =
        "CREATE TEMP TABLE pending (link INTEGER, owner INTEGER, target INTEGER, place INTEGER)"

    /// The keys of the objects, by the number of the root entity.
    private var present: [KeySet]
    /// The keys to which to-one relationships and join tables lead, by the number of the root entity.
    private var referenced: [KeySet]
    /// The entities of the objects by their keys, by the number of the root entity: of those beside whose keys columns
    /// have the number of the entity.
    private var entities: [[UInt16]?]
    /// The links to objects that may follow: by the index of the relationship, then by the key of the object.
    private var waiting: [[Link]]
    /// Whether rows of each relationship may have an owner, but no position.
    private(set) var lacksPlaces: [Bool]
    private var pending: SQLiteStatement
    /// The number of rows in `pending`.
    private var pendingCount = 0
    private var keyRoom = 32 << 20
    private var linkRoom = 64 << 20

    init(_ schema: NewStoreSchema, _ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        let count = (schema.names.entities.all.map(\.number).max() ?? 0) + 1  // bounded: numbers of entities
        present = Array(repeating: KeySet(), count: count)
        referenced = present
        entities = Array(repeating: nil, count: count)
        for one in schema.toOnes where schema.names.entityColumns[one.key] != nil {
            if let root = schema.names.entities[one.relationship.destination]?.root { entities[root] = [] }
        }
        waiting = Array(repeating: [], count: schema.links.count)
        lacksPlaces = Array(repeating: false, count: schema.links.count)
        try connection.execute(Self.pendingTable)
        pending = try connection.prepare(
            "INSERT INTO temp.pending (link, owner, target, place) VALUES (?1, ?2, ?3, ?4)")
    }

    /// Whether links are in the temporary table.
    var hasPending: Bool { pendingCount > 0 }

    /// Notes an object.
    mutating func add(_ key: Int64, of entity: StoreEntity) {
        present[entity.root].add(key, &keyRoom)
        if entities[entity.root] != nil { add(key, number: entity.number, root: entity.root) }
    }

    private mutating func add(_ key: Int64, number: Int, root: Int) {
        let count = entities[root]?.count ?? 0
        guard key > 0, let number = UInt16(exactly: number) else { return }
        if key >= count {
            guard key - Int64(count) < keyRoom / 2 else { return }
            // bounded: the room is a size in memory
            let more = max(Int(key) - count + 1, min(count, keyRoom / 2))
            entities[root]?.append(contentsOf: repeatElement(0, count: more))
            keyRoom -= more * 2  // bounded: at most the room
        }
        entities[root]?[Int(key)] = number
    }

    /// The number of the entity of an object; nil if it is not known.
    func entity(of key: Int64, root: Int) -> Int64? {
        guard let numbers = entities[root], key > 0, key < numbers.count, numbers[Int(key)] > 0 else {
            return nil
        }
        return Int64(numbers[Int(key)])
    }

    /// Notes a key to which a link leads.
    mutating func refer(to key: Int64, root: Int) { referenced[root].add(key, &keyRoom) }

    /// Whether links that were noted may lead to objects that are not there.
    func mayDangle(root: Int) -> Bool { !referenced[root].isKnown(in: present[root]) }

    /// Notes that a row has an owner, but no position among the objects of the owner.
    mutating func lackPlace(_ link: Int) { lacksPlaces[link] = true }

    /// The link that waits for an object.
    func waiting(_ link: Int, for target: Int64) -> Link? {
        guard target > 0, target < waiting[link].count else { return nil }
        let found = waiting[link][Int(target)]
        return found.owner == 0 ? nil : found
    }

    /// Forgets the link that waited for an object.
    mutating func settle(_ link: Int, _ target: Int64) { waiting[link][Int(target)] = Link() }

    /// Notes a link of a to-many relationship to an object of a root entity.
    mutating func add(
        _ link: Int, from owner: Int64, to target: Int64, place: Int64, root: Int
    ) throws(SQLiteError) {
        if present[root].isWhole, !present[root].contains(target), hasRoom(link, target),
            waiting[link][Int(target)].owner == 0
        {
            waiting[link][Int(target)] = Link(owner: owner, place: place)
        } else {
            try insert(link, Link(owner: owner, place: place), target)
        }
    }

    private mutating func hasRoom(_ link: Int, _ target: Int64) -> Bool {
        let (size, count) = (MemoryLayout<Link>.stride, waiting[link].count)
        guard target > 0 else { return false }
        if target < count { return true }
        guard target - Int64(count) < linkRoom / size else { return false }
        // bounded: the room is a size in memory
        let more = max(Int(target) - count + 1, min(count, linkRoom / size))
        waiting[link].append(contentsOf: repeatElement(Link(), count: more))
        linkRoom -= more * size  // bounded: at most the room
        return true
    }

    private mutating func insert(_ number: Int, _ link: Link, _ target: Int64) throws(SQLiteError) {
        defer { pending.rewind() }
        pendingCount += 1
        pending.bind(Int64(number), at: 1)
        pending.bind(link.owner, at: 2)
        pending.bind(target, at: 3)
        pending.bind(link.place, at: 4)
        _ = try pending.step()
    }

    /// Moves the links that wait to the temporary table, before those that are there.
    mutating func flush(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        var row = try connection.prepare(
            "INSERT INTO temp.pending (rowid, link, owner, target, place) VALUES (?1, ?2, ?3, ?4, ?5)")
        var number: Int64 = 0
        for link in waiting.indices {
            for (target, found) in waiting[link].enumerated() where found.owner != 0 {
                number -= 1
                pendingCount += 1
                try row.run(number, Int64(link), found.owner, Int64(target), found.place)
            }
            waiting[link] = []
        }
    }

    /// Empties the temporary table.
    mutating func clear(_ connection: borrowing SQLiteConnection) throws(SQLiteError) {
        try connection.execute("DELETE FROM temp.pending")
        pendingCount = 0
    }
}
