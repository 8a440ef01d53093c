import Glibc

/// The objects of a binary property list under construction. Equal scalars are stored once.
///
/// The table is small, since a change set of a million changes has ten million objects: eight bytes for each object,
/// four for each reference, and four to eight for each scalar in the table by which equal ones are found. The UIDs of an
/// archive have no object before the list is written, and a large scalar is shared with its value.
struct PropertyListTable {
    /// An object of the table, or a UID.
    typealias Reference = UInt32

    /// Set in the reference to a UID below it.
    private static let uidMark: Reference = 1 << 31
    /// The size in bytes from which a scalar is not copied.
    private static let largeSize = 64 << 10

    /// The place of an object.
    private enum Entry {
        /// The start of the encoded bytes.
        case scalar(Int)
        /// The position in `large`.
        case large(Int)
        /// The marker, and the position in `references`, where the number of references comes first.
        case container(UInt8, Int)
    }

    /// An entry in eight bytes: a container's marker, 1 for a large scalar or 0 for others, then the position.
    private var packed: [UInt64] = []
    private var encoded: [UInt8] = []
    private var references: [UInt32] = []
    private var large: [ArchivedValue] = []
    private var largeBytes = 0
    /// Objects by the hash of their scalar, plus one; 0 is a free place.
    private var places: [UInt32] = []
    private var scalarCount = 0

    private subscript(entry: Int) -> Entry {
        let place = Int(packed[entry] & 0xFF_FFFF_FFFF_FFFF)
        switch packed[entry] >> 56 {
        case 0: return .scalar(place)
        case 1: return .large(place)
        case let marker: return .container(UInt8(truncatingIfNeeded: marker), place)
        }
    }

    private mutating func add(_ kind: UInt8, _ place: Int) -> Reference {
        packed.append(UInt64(kind) << 56 | UInt64(place))
        return Reference(clamping: packed.count - 1)
    }

    /// A number of bytes that the list has at least, if its top object leads to all others. A large text of three bytes
    /// a character takes two.
    var leastSize: Int {
        encoded.count + largeBytes / 3 * 2 + references.count * byteWidth(UInt64(packed.count))
            + packed.count * byteWidth(UInt64(encoded.count))
    }

    /// Adds an array (marker 0xA0), ordered set (0xB0), set (0xC0) or dictionary (0xD0, keys before values).
    mutating func append(collection marker: UInt8, _ members: [Reference]) -> Reference {
        let start = references.count
        references.append(UInt32(clamping: members.count))
        references += members
        return add(marker, start)
    }

    /// Adds a dictionary.
    mutating func append(dictionaryKeys keys: [Reference], values: [Reference]) -> Reference {
        let start = references.count
        references.append(UInt32(clamping: keys.count + values.count))
        references += keys
        references += values
        return add(0xD0, start)
    }

    /// The reference of a UID of an archive, whose UIDs count from 0.
    func reference(uid number: UInt64) -> Reference {
        Self.uidMark | Reference(clamping: min(number, UInt64(Self.uidMark) - 1))
    }

    /// Adds a scalar, or returns the reference of an equal one. Nil if the value is not a property-list scalar.
    ///
    /// Scalars are equal if their encoded bytes are equal, since `==` would treat 0.0 and -0.0, or canonically equivalent
    /// strings, as equal.
    mutating func append(scalar value: ArchivedValue) -> Reference? {
        if let size = Self.contentSize(value), size >= Self.largeSize { return append(large: value) }
        let start = encoded.count
        guard encoded.append(scalar: value) else { return nil }
        makeRoom()
        var place = firstPlace(hash(from: start, to: encoded.count))
        while places[place] != 0 {
            let entry = places[place] - 1
            if isSame(Int(entry), asBytesFrom: start) {
                encoded.removeLast(encoded.count - start)
                return entry
            }
            place = nextPlace(place)
        }
        return keep(add(0, start), at: place)
    }

    private mutating func append(large value: ArchivedValue) -> Reference {
        makeRoom()
        var place = firstPlace(Self.hash(value))
        while places[place] != 0 {
            let entry = places[place] - 1
            if case .large(let position) = self[Int(entry)], Self.isSame(large[position], value) {
                return entry
            }
            place = nextPlace(place)
        }
        large.append(value)
        largeBytes += Self.contentSize(value) ?? 0  // bounded: bytes in memory
        return keep(add(1, large.count - 1), at: place)
    }

    /// The number of bytes of a text or data.
    private static func contentSize(_ value: ArchivedValue) -> Int? {
        switch value {
        case .data(let bytes): bytes.count
        case .string(let text): text.utf8.count
        default: nil
        }
    }

    /// Whether the encoded bytes of a scalar begin with those from `start` to the end. No encoded scalar is the beginning
    /// of another, so they are then equal.
    private func isSame(_ entry: Int, asBytesFrom start: Int) -> Bool {
        guard case .scalar(let other) = self[entry] else { return false }
        return encoded.withUnsafeBytes { bytes in
            let count = bytes.count - start
            guard other + count <= start, let first = bytes.baseAddress else { return false }
            return memcmp(first + other, first + start, count) == 0
        }
    }

    private static func isSame(_ one: ArchivedValue, _ other: ArchivedValue) -> Bool {
        switch (one, other) {
        case (.data(let one), .data(let other)): one == other
        case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
        default: false
        }
    }

    private func hash(from start: Int, to end: Int) -> Int {
        encoded.withUnsafeBytes { Self.hash(UnsafeRawBufferPointer(rebasing: $0[start..<end])) }
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: bytes)
        return hasher.finalize()
    }

    /// The hash of a large scalar.
    private static func hash(_ value: ArchivedValue) -> Int {
        switch value {
        case .data(let bytes): return bytes.withUnsafeBytes(hash)
        case .string(var text): return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
        default: return 0
        }
    }

    private func firstPlace(_ hash: Int) -> Int { hash & (places.count - 1) }

    private func nextPlace(_ place: Int) -> Int { (place + 1) & (places.count - 1) }

    private mutating func keep(_ entry: Reference, at place: Int) -> Reference {
        places[place] = entry + 1
        scalarCount += 1
        return entry
    }

    /// Keeps a quarter of the places free.
    private mutating func makeRoom() {
        guard (scalarCount + 1) * 4 > places.count * 3 else { return }
        places = [UInt32](repeating: 0, count: max(64, places.count * 2))
        for entry in packed.indices {
            let hash: Int
            switch self[entry] {
            case .container: continue
            case .large(let position): hash = Self.hash(large[position])
            case .scalar(let start):
                hash = self.hash(from: start, to: start + size(at: start))
            }
            var place = firstPlace(hash)
            while places[place] != 0 { place = nextPlace(place) }
            places[place] = UInt32(truncatingIfNeeded: entry) + 1
        }
    }

    private func size(at start: Int) -> Int { encoded.withUnsafeBytes { encodedSize($0, at: start) } }

    /// The bytes of the list.
    func bytes(top: Reference) throws(PropertyListError) -> [UInt8] { try output(top: top).bytes }

    /// The list, ready to be written. As in Apple's files, each object comes when it is first referenced, so that the
    /// content before a truncation can be read (`RebuiltPropertyList`).
    func output(top: Reference) throws(PropertyListError) -> PropertyListOutput {
        guard packed.count < Self.uidMark else {
            throw PropertyListError(offset: 0, expected: "less than 2^31 objects", found: "more")
        }
        return PropertyListOutput(self, top: top)
    }
}

extension PropertyListTable {
    /// Objects and UIDs in the order in which they are written.
    struct Order {
        /// The references, in order.
        fileprivate(set) var references: [Reference] = []
        private var numbers: [UInt32]
        private var uidNumbers: [UInt32] = []

        /// The objects in the order in which a walk from `top` meets them.
        init(of table: PropertyListTable, from top: Reference) {
            numbers = [UInt32](repeating: .max, count: table.packed.count)
            var open: [Range<Int>] = []
            take(top, table, &open)
            while let range = open.popLast() {
                guard let first = range.first else { continue }
                if range.count > 1 { open.append(first + 1..<range.upperBound) }
                let next = table.references[first]
                if number(of: next) == .max { take(next, table, &open) }
            }
        }

        private mutating func take(
            _ reference: Reference, _ table: PropertyListTable, _ open: inout [Range<Int>]
        ) {
            let number = UInt32(clamping: references.count)
            references.append(reference)
            guard reference < uidMark else {
                let uid = Int(reference - uidMark)
                if uid >= uidNumbers.count {
                    let missing = max(uid + 1, uidNumbers.count * 2) - uidNumbers.count
                    uidNumbers += repeatElement(.max, count: missing)
                }
                uidNumbers[uid] = number
                return
            }
            numbers[Int(reference)] = number
            if case .container(_, let start) = table[Int(reference)] {
                open.append(start + 1..<start + 1 + Int(table.references[start]))
            }
        }

        /// The position of an object or UID in the order.
        func number(of reference: Reference) -> UInt32 {
            if reference < uidMark { return numbers[Int(reference)] }
            let uid = Int(reference - uidMark)
            return uid < uidNumbers.count ? uidNumbers[uid] : .max
        }
    }

    /// The number of bytes of an object.
    func size(of reference: Reference, referenceWidth: Int) -> Int {
        guard reference < Self.uidMark else {
            return 1 + byteWidth(UInt64(reference - Self.uidMark))
        }
        switch self[Int(reference)] {
        case .scalar(let start): return size(at: start)
        case .large(let position): return large[position].largeEncoding.size
        case .container(let marker, let start):
            let count = Int(references[start])
            return markerSize(marker == 0xD0 ? count / 2 : count) + count * referenceWidth
        }
    }

    /// Writes an object.
    func write<Failure>(
        _ reference: Reference, _ order: Order, referenceWidth: Int, to file: inout ByteBlock,
        _ sink: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        guard reference < Self.uidMark else {
            file.bytes.append(uid: UInt64(reference - Self.uidMark))
            return try file.pass(to: sink)
        }
        switch self[Int(reference)] {
        case .scalar(let start):
            file.bytes += encoded[start..<start + size(at: start)]
        case .large(let position): try large[position].writeLarge(to: &file, sink)
        case .container(let marker, let start):
            let count = Int(references[start])
            file.bytes.appendMarker(marker, count: marker == 0xD0 ? count / 2 : count)
            for member in references[start + 1..<start + 1 + count] {
                file.bytes.appendBigEndian(UInt64(order.number(of: member)), width: referenceWidth)
                try file.pass(to: sink)
            }
        }
        try file.pass(to: sink)
    }
}

/// Writes binary property lists that are not keyed archives.
public enum BinaryPropertyListWriter {
    /// The bytes of a list with `value` as top object. Throws for a value that a property list cannot contain.
    public static func bytes(of value: ArchivedValue) throws(PropertyListError) -> [UInt8] {
        var table = PropertyListTable()
        let top = try append(value, to: &table, depth: 0)
        return try table.bytes(top: top)
    }

    static let depthLimit = 512

    private static func append(
        _ value: ArchivedValue, to table: inout PropertyListTable, depth: Int
    ) throws(PropertyListError) -> PropertyListTable.Reference {
        guard depth <= depthLimit else {
            throw PropertyListError(offset: 0, expected: "at most \(depthLimit) levels", found: "more")
        }
        if let scalar = table.append(scalar: value) { return scalar }
        func members(_ values: [ArchivedValue], _ table: inout PropertyListTable) throws(PropertyListError)
            -> [PropertyListTable.Reference]
        {
            var members: [PropertyListTable.Reference] = []
            for value in values { members.append(try append(value, to: &table, depth: depth + 1)) }
            return members
        }
        switch value {
        case .array(let values): return table.append(collection: 0xA0, try members(values, &table))
        case .orderedSet(let values): return table.append(collection: 0xB0, try members(values, &table))
        case .set(let values): return table.append(collection: 0xC0, try members(values, &table))
        case .dictionary(let pairs):
            let keys = try members(pairs.map(\.key), &table)
            return table.append(dictionaryKeys: keys, values: try members(pairs.map(\.value), &table))
        default:
            throw PropertyListError(offset: 0, expected: "a property-list value", found: value.kindName)
        }
    }
}
