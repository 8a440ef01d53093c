public import Base
public import KeyedArchive
public import SystemCalls
public import SystemPackage

/// The surviving content of a truncated or damaged binary store.
///
/// `BinaryStoreArchive` refuses such a file as a whole. This type finds every object for which the file still has a
/// node; reading a lost value is an error.
public struct DamagedBinaryStore: Sendable {
    /// The path of the file, for messages.
    public let path: FilePath
    /// The size of the file, and the size according to its header; nil if the header is damaged.
    public let size: (found: Int, expected: Int?)
    /// The keyed archive of the objects.
    public let objects: RecoveredArchive
    /// The surviving nodes, in the order of the keyed archive.
    public let nodes: [DamagedNode]
    /// The primary keys of objects whose node is lost. Nil if the list of all objects is lost, so that their number is
    /// unknown.
    public let lostKeys: [Int64?]?
    /// The surviving metadata; nil if none survives.
    public let metadata: StoreMetadata?
    /// The problems of the file as a whole.
    public let problems: [FileProblem]

    /// Finds the surviving content of a store.
    /// - Throws: an error if no object can be read.
    public init(_ bytes: SharedBytes, path: FilePath) throws(FileProblem) {
        self.path = path
        let places = StorePlaces(bytes, path: path)
        var problems = places.problems
        do throws(PropertyListError) {
            guard let slice = bytes.slice(places.map) else {
                throw PropertyListError(
                    offset: places.map.lowerBound, expected: "the archive of the objects",
                    found: "\(bytes.count) bytes in all")
            }
            objects = try RecoveredArchive(
                slice, baseOffset: places.map.lowerBound, isCutOff: places.isMapCutOff)
        } catch {
            throw FileProblem(
                .damaged, path: path, offset: error.offset, "nothing of the objects can be recovered",
                expected: error.expected, found: error.found,
                advice: "Restore the file from a back-up, or from another copy")
        }
        if let offset = objects.contradiction {
            problems.append(
                FileProblem(
                    .damaged, path: path, offset: offset,
                    "the objects contradict each other here, so that one before it is damaged as well",
                    expected: "an object that fits those before it", found: "other bytes",
                    advice: "Compare what was recovered with other copies"))
        }
        let map = DamagedMap(objects.reader)
        nodes = map.nodes
        lostKeys = map.lostKeys
        (metadata, self.problems) = Self.metadata(bytes, places, objects.end, path: path, problems)
        size = (bytes.count, places.expectedSize)
    }

    private static func metadata(
        _ bytes: SharedBytes, _ places: StorePlaces, _ end: Int, path: FilePath, _ problems: [FileProblem]
    ) -> (StoreMetadata?, [FileProblem]) {
        func lost(_ text: String, _ offset: Int) -> FileProblem {
            FileProblem(
                .damaged, path: path, offset: offset, text,
                advice:
                    "Nothing shows whether a model is the right one; compare the values with what you know")
        }
        guard let place = places.metadata ?? bytes.archive(from: end) else {
            return (nil, problems + [lost("the metadata are lost", min(end, bytes.count))])
        }
        let range = place.clamped(to: 0..<bytes.count)
        // try?: here and below, what cannot be read is reported as lost
        if range == place, let (reader, dictionary) = (try? BinaryStoreArchive.metadata(bytes, range)) ?? nil,
            let all = try? reader.value(of: dictionary)  // try?: as above
        {
            return (StoreMetadata(all), problems)
        }
        guard let slice = bytes.slice(range),
            let archive = try? RecoveredArchive(  // try?: as above
                slice, baseOffset: range.lowerBound, isCutOff: range != place),
            // Apple's archiver puts the top object first.
            let top = ((try? archive.reader.top("metadata")) ?? nil)  // try?: as above
                ?? archive.reader.everyObject.dropFirst().first
        else {
            return (nil, problems + [lost("the metadata are lost", range.lowerBound)])
        }
        var decoder = KeyedArchiveDecoder(archive.reader)
        guard let pairs = try? decoder.pairsLeft(of: top) else {  // try?: as above
            return (nil, problems + [lost("the metadata are lost", range.lowerBound)])
        }
        var left: [ArchivedPair] = []
        for (key, value) in pairs {
            // try?: as above
            guard let key, let value, let name = try? decoder.value(of: key), name.stringValue != nil,
                let content = try? decoder.value(of: value)  // try?: as above
            else { continue }
            left.append(ArchivedPair(key: name, value: content))
        }
        let metadata = StoreMetadata(.dictionary(left))
        guard left.count < pairs.count else { return (metadata, problems) }
        return (
            left.isEmpty ? nil : metadata,
            problems + [
                lost("\(pairs.count - left.count) of \(pairs.count) metadata are lost", range.lowerBound)
            ]
        )
    }
}

/// A node of a damaged store: the references to its surviving fields.
public struct DamagedNode: Sendable {
    /// The node itself.
    public let reference: ArchivedReference
    /// The primary key; nil if it is lost.
    public let primaryKey: Int64?
    /// The name of the entity; nil if it is lost.
    public let entity: String?
    /// The list of values; nil if it is lost.
    public let slots: ArchivedReference?
    /// Primary keys by relationship; nil if there are none or they are lost.
    public let related: ArchivedReference?
    /// Whether the relationships are lost, if there were any.
    public let isRelatedLost: Bool
}

extension DamagedNode {
    /// The relationships of the node, with their primary keys. Nil if even their names are lost.
    package func relationships(
        _ decoder: inout KeyedArchiveDecoder
    ) -> [(name: String?, related: BinaryStoreWriter.Related?)]? {
        if isRelatedLost { return nil }
        guard let related else { return [] }
        // try?: here and below, counts as lost
        guard let pairs = try? decoder.pairsLeft(of: related) else { return nil }
        return pairs.map { pair in
            let name = pair.key.flatMap { (try? decoder.reader.name($0)) ?? nil }  // try?: counts as lost
            guard let name, let list = pair.value, let keys = Self.keys(list, &decoder),
                // try?: counts as lost
                let className = (try? decoder.reader.className(of: list)) ?? nil
            else { return (name, nil) }
            return (
                name,
                BinaryStoreWriter.Related(name: name, keys: keys, isToMany: className != "NSArray")
            )
        }
    }

    private static func keys(_ list: ArchivedReference, _ decoder: inout KeyedArchiveDecoder) -> [Int64]? {
        guard let members = try? decoder.membersLeft(of: list) else { return nil }  // try?: counts as lost
        var keys: [Int64] = []
        for member in members {
            // try?: counts as lost
            guard let member, let number = (try? decoder.reader.integer(member)) ?? nil,
                let key = Int64(exactly: number)
            else { return nil }
            keys.append(key)
        }
        return keys
    }
}

/// The ranges of the two keyed archives, from the header or from the bytes.
private struct StorePlaces {
    var map: Range<Int>
    var isMapCutOff: Bool
    /// The range of the metadata, which exceeds the file if that is truncated; nil if it is unknown.
    var metadata: Range<Int>?
    var expectedSize: Int?
    var problems: [FileProblem] = []

    init(_ bytes: SharedBytes, path: FilePath) {
        let start = BinaryStoreHeader.size
        map = start..<max(start, bytes.count)
        isMapCutOff = true
        func number(_ offset: Int) -> Int? {
            bytes.number(at: offset, width: 8).flatMap { Int(exactly: $0) }
        }
        guard bytes.starts(with: BinaryStoreHeader.magic), let first = number(32), let length = number(40),
            let other = number(16), let otherLength = number(24), first == start, other == start +| length,
            bytes.count <= other +| otherLength
        else {
            problems.append(
                FileProblem(
                    .damaged, path: path, offset: 0, "the header is damaged",
                    expected: "\"CoreData\" and the places of two archives, one behind the other",
                    found: bytes.array(0..<8).hexadecimalText))
            return
        }
        map = start..<min(start +| length, max(start, bytes.count))
        isMapCutOff = map.count < length
        metadata = other..<other +| otherLength
        expectedSize = other +| otherLength
        if let expectedSize, expectedSize > bytes.count {
            problems.append(
                FileProblem(
                    .damaged, path: path, offset: bytes.count, "the file is truncated",
                    expected: "\(expectedSize) bytes", found: "\(bytes.count)"))
        }
    }
}

extension SharedBytes {
    /// The bytes from the next property list after `start` to the end; nil if there is none within the size of an
    /// offset table.
    fileprivate func archive(from start: Int) -> Range<Int>? {
        let mark = Array("bplist0".utf8)
        return withUnsafeBytes { memory in
            guard start >= 0, start < memory.count else { return nil }
            var place = start
            while place <= memory.count - mark.count {
                if memory[place] == mark[0], memory[place..<place + mark.count].elementsEqual(mark) {
                    return place..<memory.count
                }
                place += 1
            }
            return nil
        }
    }
}

/// The nodes of a keyed archive, by their form, and the nodes that the map names.
private struct DamagedMap {
    var nodes: [DamagedNode] = []
    var lostKeys: [Int64?]?

    init(_ reader: KeyedArchiveReader) {
        var objects = 0
        var second: ArchivedReference?
        var nodes: [DamagedNode] = []
        reader.forEachObject { object in
            objects += 1
            if objects == 2 { second = object }
            if let node = DamagedNode(object, in: reader) { nodes.append(node) }
        }
        self.nodes = nodes
        let found = Set(nodes.map(\.reference))
        // try?: counts as lost
        let named = (try? reader.top("mapData")) ?? nil
        // Apple's archiver puts the top object first. A map that names all nodes is the right one.
        for map in [named, found.isEmpty ? nil : second].compactMap({ $0 }) {
            var decoder = KeyedArchiveDecoder(reader)
            // try?: counts as lost
            guard let pairs = try? decoder.pairsLeft(of: map),
                found.isSubset(of: pairs.compactMap(\.value))
            else { continue }
            lostKeys = pairs.filter { pair in pair.value.map { !found.contains($0) } ?? true }.map { pair in
                // try?: counts as lost
                pair.key.flatMap { (try? reader.integer($0)) ?? nil }.flatMap { Int64(exactly: $0) }
            }
            return
        }
    }
}

extension DamagedNode {
    /// Parses a node by its fields: the class of the first node comes after it.
    fileprivate init?(_ reference: ArchivedReference, in reader: KeyedArchiveReader) {
        guard let fields = reader.fieldsLeft(of: reference) else { return nil }
        func has(_ name: String?) -> Bool { fields.contains { $0.name == name } }
        func field(_ name: String) -> ArchivedReference? {
            fields.first { $0.name == name }.flatMap(\.value)
        }
        guard has("NSEntityName"), has("NSAttributeValues") else { return nil }
        self.reference = reference
        // try?: here and below, counts as lost
        entity = field("NSEntityName").flatMap { (try? reader.name($0)) ?? nil }
        // try?: counts as lost
        primaryKey = field("NSPrimaryKey64").flatMap { (try? reader.integer($0)) ?? nil }
            .flatMap { Int64(exactly: $0) }
        slots = field("NSAttributeValues")
        related = field("NSRelatedNodes")
        // A lost name can be the name of this field.
        isRelatedLost = related == nil && (has("NSRelatedNodes") || has(nil))
    }
}
