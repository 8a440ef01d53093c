/// Finds objects by their identifier: a hash table with about 20 to 40 bytes for each object. It stores no identifier,
/// only a 64-bit hash with the random seed of the process.
struct ObjectFinder {
    private var keys: [UInt64] = []
    private var primaryKeys: [Int64] = []
    private var entities: [Int32] = []
    private var count = 0

    private static let free: UInt64 = 0
    private static let removed: UInt64 = 1

    /// The hash of an identifier in the table of a root entity.
    static func key(_ text: String, root: Int) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(root)
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        return max(2, UInt64(bitPattern: Int64(hasher.finalize())))
    }

    /// The object of one of the entities in `wanted`; if several have the hash, the one with the highest primary key.
    func object(_ key: UInt64, of wanted: Set<Int>) -> StoreObjectID? {
        guard !keys.isEmpty else { return nil }
        var best: StoreObjectID?
        var place = start(of: key)
        while keys[place] != Self.free {
            if keys[place] == key, wanted.contains(Int(entities[place])),
                primaryKeys[place] > best?.primaryKey ?? .min
            {
                best = StoreObjectID(entity: Int(entities[place]), primaryKey: primaryKeys[place])
            }
            place = place + 1 == keys.count ? 0 : place + 1
        }
        return best
    }

    mutating func add(_ key: UInt64, _ object: StoreObjectID) {
        if (count + 1) * 5 >= keys.count * 4 { grow() }
        var place = start(of: key)
        while keys[place] > Self.removed { place = place + 1 == keys.count ? 0 : place + 1 }
        if keys[place] == Self.free { count += 1 }
        keys[place] = key
        primaryKeys[place] = object.primaryKey
        entities[place] = Int32(clamping: object.entity)
    }

    mutating func remove(_ key: UInt64, _ object: StoreObjectID) {
        guard !keys.isEmpty else { return }
        var place = start(of: key)
        while keys[place] != Self.free {
            if keys[place] == key, primaryKeys[place] == object.primaryKey {
                keys[place] = Self.removed
                return
            }
            place = place + 1 == keys.count ? 0 : place + 1
        }
    }

    private func start(of key: UInt64) -> Int {
        Int(key.multipliedFullWidth(by: UInt64(keys.count)).high)
    }

    /// Enlarges the table and drops removed entries.
    private mutating func grow() {
        let old = self
        let size = max(1024, old.keys.count / 2 * 3)
        keys = [UInt64](repeating: Self.free, count: size)
        primaryKeys = [Int64](repeating: 0, count: size)
        entities = [Int32](repeating: 0, count: size)
        count = 0
        for place in old.keys.indices where old.keys[place] > Self.removed {
            add(
                old.keys[place],
                StoreObjectID(entity: Int(old.entities[place]), primaryKey: old.primaryKeys[place]))
        }
    }
}

/// An identifier of an object in a writable store.
public struct StoreObjectID: Sendable, Hashable {
    /// The number of its entity.
    public var entity: Int
    /// The primary key, unique in the root entity.
    public var primaryKey: Int64

    /// The object with this key, of the entity with the number `entity`.
    public init(entity: Int, primaryKey: Int64) {
        self.entity = entity
        self.primaryKey = primaryKey
    }
}
