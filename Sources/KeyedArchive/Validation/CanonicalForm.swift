public import Base

/// Checks the form that every archiver writes, but that readers do not require: the objects of a property list are
/// contiguous, each except a UID is referenced, and those of a keyed archive have the fields of their class.
///
/// A readable archive without this form was changed after it was written, at a place that readers skip. Keyed archives
/// of all known versions of Core Data have this form (core-data-binary-store(5), 2).
public struct CanonicalForm: Sendable {
    /// The first deviation; nil if there is none.
    public private(set) var problem: PropertyListError?
    /// The first few names of unknown classes: classes of an app, or damaged names.
    public private(set) var unknownClasses: [String] = []

    /// Checks all objects of a keyed archive, including unreferenced ones. The time is proportional to the size; the
    /// memory is 28 bytes for each object.
    /// - Parameter baseOffset: the offset of the archive in the file, which only errors use.
    public init(ofArchive bytes: SharedBytes, baseOffset: Int = 0) {
        do throws(PropertyListError) {
            let list = try BinaryPropertyList(bytes, baseOffset: baseOffset)
            unknownClasses = try CanonicalList(try ObjectTable(list)).checkArchive()
        } catch {
            problem = error
        }
    }

    /// Checks objects that are already decoded.
    init(of table: ObjectTable) {
        do throws(PropertyListError) {
            unknownClasses = try CanonicalList(table).checkArchive()
        } catch {
            problem = error
        }
    }

    /// Whether there is neither a deviation nor an unknown class.
    public var isUsual: Bool { problem == nil && unknownClasses.isEmpty }
}

/// A property list whose objects are contiguous and, except UIDs, referenced.
private struct CanonicalList {
    private static let mostFields = 64
    private static let mostClasses = 32
    private static let mostUnknownClasses = 4
    private static let longestNumberedName = 32
    private static let longestName = 1024

    private let table: ObjectTable
    private var list: BinaryPropertyList { table.list }
    private var memory: UnsafeRawPointer { table.memory }

    init(_ table: ObjectTable) throws(PropertyListError) {
        self.table = table
        try checkEnvelope()
        try checkObjects()
    }

    /// Checks header, offset table and trailer.
    private func checkEnvelope() throws(PropertyListError) {
        guard list.bytes.byte(at: 7) == UInt8(ascii: "0") else {
            throw list.failure(at: 7, "version \"00\" of binary property lists", "another")
        }
        let trailer = list.bytes.count - BinaryPropertyList.trailerSize
        let tableEnd = list.offsetTable + list.objectCount * list.offsetWidth
        guard tableEnd == trailer else {
            throw list.failure(at: tableEnd, "the trailer, where the offset table ends", "more bytes")
        }
        for offset in trailer..<trailer + 6 where list.bytes.byte(at: offset) != 0 {
            throw list.failure(at: offset, "0, as in all property lists", "another number")
        }
    }

    private func checkObjects() throws(PropertyListError) {
        let (end, count) = table.contiguous
        guard count == table.count else {
            throw list.failure(
                at: list.offsetTable + count * list.offsetWidth,
                "object \(count) at \(end), where the one before it ends", "\(start(of: count))")
        }
        guard end == list.offsetTable else {
            throw list.failure(at: end, "the offset table, where the objects end", "more bytes")
        }
        for index in 0..<count {
            let object = table[index]
            guard Self.isArchived(object.kind) else { throw failure(index, "an object of a keyed archive") }
            // Archivers of Core Data write a UID object for each reference, but reference the first one with an equal
            // number.
            guard table.marks[index].contains(.used) || object.kind == .uid || index == list.top else {
                throw failure(index, "an object that is used")
            }
        }
    }

    /// Whether a keyed archive contains objects of this kind. Archivers encode dates, sets and nil as keyed objects.
    private static func isArchived(_ kind: ScannedObject.Kind) -> Bool {
        switch kind {
        case .null, .date, .set, .orderedSet: false
        case .boolean, .integer, .real, .data, .ascii, .utf16, .uid, .array, .dictionary: true
        }
    }

    /// The offset of an object in the offset table.
    private func start(of index: Int) -> Int {
        Int(
            clamping: memory.bigEndian(
                at: list.offsetTable + index * list.offsetWidth, width: list.offsetWidth))
    }

    private func failure(_ index: Int, _ expected: String) -> PropertyListError {
        list.failure(at: start(of: index), expected, "something else")
    }

    // MARK: Keyed archives

    /// A set of field names, as bits.
    private struct Fields {
        var bits: UInt64

        init(_ names: ScannedName...) { bits = names.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }

        @inline(__always)
        func contains(_ name: ScannedName) -> Bool { bits & 1 << UInt64(name.rawValue) != 0 }

        @inline(__always)
        mutating func insert(_ name: ScannedName) { bits |= 1 << UInt64(name.rawValue) }

        @inline(__always)
        func hasAll(of other: Fields) -> Bool { other.bits & ~bits == 0 }

        /// All fields, for a class with unknown fields.
        static let any = Fields(bits: .max)

        init(bits: UInt64) { self.bits = bits }

        /// The fields that objects of a class have.
        static func of(_ kind: FoundationClass) -> Fields {
            switch kind {
            case .date: Fields(.classReference, .time)
            case .null: Fields(.classReference)
            case .string: Fields(.classReference, .string, .bytes)
            case .data: Fields(.classReference, .data, .bytes)
            case .array, .set, .orderedSet: Fields(.classReference, .members)
            case .dictionary: Fields(.classReference, .keys, .members)
            case .number, .decimal, .uuid, .url, .attributedString, .unknown: .any
            }
        }

        static let node = Fields(
            .classReference, .entityName, .primaryKey, .attributeValues, .relatedNodes, .nodeKey,
            .nodeAttributes)
    }

    /// The class of an object of a binary store, and classes that appear only as superclasses.
    private static let node: StaticString = "NSDictionaryMapNode"
    private static let superclasses: [StaticString] = [
        "NSStoreMapNode", "NSValue", "NSKnownKeysDictionary",
    ]
    /// The classes that have no superclass.
    private static let roots: [StaticString] = ["NSObject", "NSProxy"]
    /// A class that Foundation treats as a dictionary, but that has other fields.
    private static let knownKeysDictionary: StaticString = "NSKnownKeysDictionary1"

    /// Returns the names of unknown classes.
    func checkArchive() throws(PropertyListError) -> [String] {
        let root = try dictionary(list.top)
        guard root.count == 4, let version = value(.version, of: root),
            let archiver = value(.archiver, of: root),
            let archived = value(.objects, of: root), value(.top, of: root) != nil
        else { throw failure(list.top, "a dictionary of $version, $archiver, $objects and $top") }
        guard table[version].kind == .integer, table[version].value == 100_000 else {
            throw failure(version, "$version 100000")
        }
        guard try list.isString(archiver, "NSKeyedArchiver") else {
            throw failure(archiver, "$archiver NSKeyedArchiver")
        }
        let objects = table[archived]
        guard objects.kind == .array, objects.count > 0,
            table[table.index(at: 0, of: objects.run)].name == .null
        else { throw failure(archived, "an array $objects that begins with \"$null\"") }
        try checkUIDs(objects.run.count)
        return try checkClasses(of: objects.run)
    }

    /// Checks that every object of the archive except the first, `$null`, has a UID.
    private func checkUIDs(_ count: Int) throws(PropertyListError) {
        let unmatched = (1..<max(table.count, 1)).first {
            table.marks[$0].contains(.numbered) != ($0 < count)
        }
        guard let wrong = unmatched ?? (table.largestUID < count ? nil : table.largestUID) else { return }
        throw list.failure(
            at: list.offsetTable, "a UID for each of \(count) objects, and no other",
            wrong < count ? "none for object \(wrong)" : "UID \(wrong)")
    }

    /// Checks that every dictionary is an object with the fields of its class, or a class description.
    private func checkClasses(of objects: PropertyListReferences) throws(PropertyListError) -> [String] {
        // The fields of each class by the index of its description; no bits if it has not been read yet.
        var classes = [Fields](repeating: Fields(bits: 0), count: table.count)
        var unknown: [String] = []
        // Writers of property lists store equal strings and numbers once, but every dictionary separately.
        var isSeen = [Bool](repeating: false, count: table.count)
        for position in 0..<objects.count {
            let index = table.index(at: position, of: objects)
            let object = table[index]
            guard object.kind == .dictionary else { continue }
            guard !isSeen[index] else { throw failure(index, "an object that has one UID") }
            isSeen[index] = true
            let named = self.fields(of: object)
            var described = index
            if let reference = named.classReference {
                guard table[reference].kind == .uid else { throw failure(reference, "a UID as $class") }
                described = table.index(at: table[reference].value, of: objects)
            }
            if classes[described].bits == 0 { classes[described] = try fields(ofClass: described, &unknown) }
            let fields = classes[described]
            if named.mayRepeat { try checkNamesDiffer(object, at: index) }
            if described == index || fields.hasAll(of: named.fields) { continue }
            for field in 0..<Int(object.count) {
                let name = table.index(at: field, of: object.run)
                if fields.contains(table[name].name) { continue }
                guard try isNumbered(name) else { throw failure(name, "a field of the object's class") }
            }
        }
        return unknown
    }

    /// Checks that no field is there twice: then another one is missing, and a reader takes a collection for empty.
    private func checkNamesDiffer(_ object: ScannedObject, at index: Int) throws(PropertyListError) {
        // Known names by their text, since two strings can have the same.
        var names = (0..<Int(object.count)).map { position in
            let name = table.index(at: position, of: object.run)
            let known = table[name].name
            return known == .unknown ? name : -1 - Int(known.rawValue)
        }
        names.sort()
        for position in names.indices.dropFirst() where names[position] == names[position - 1] {
            throw failure(index, "an object with each of its fields once")
        }
    }

    /// The fields of a dictionary, the index of the value of `$class`, and whether two names are the same or both unknown.
    @inline(__always)
    private func fields(
        of object: ScannedObject
    ) -> (fields: Fields, classReference: Int?, mayRepeat: Bool) {
        var fields = Fields(bits: 0)
        var mayRepeat = false
        var classReference: Int?
        let count = Int(object.count)
        for position in 0..<count {
            let name = table[table.index(at: position, of: object.run)].name
            mayRepeat = mayRepeat || fields.contains(name)
            fields.insert(name)
            if name == .classReference, classReference == nil {
                classReference = value(at: position, of: object)
            }
        }
        return (fields, classReference, mayRepeat)
    }

    /// Whether a name is that of a numbered member, which older archives use for collections.
    private func isNumbered(_ name: Int) throws(PropertyListError) -> Bool {
        guard let named = text(name), named.count <= Self.longestNumberedName,
            let text = try list.string(name)
        else { return false }
        return text.hasPrefix("NS.object.") || text.hasPrefix("NS.key.")
    }

    /// The fields of a class by its description: its name and its superclasses, the last of which is NSObject.
    private func fields(
        ofClass index: Int, _ unknown: inout [String]
    ) throws(PropertyListError) -> Fields {
        let described = try dictionary(index)
        guard let nameIndex = value(.className, of: described), let name = text(nameIndex) else {
            throw failure(index, "an object with a $class, or the description of a class")
        }
        for position in 0..<Int(described.count) {
            let field = table.index(at: position, of: described.run)
            if table[field].name == .className || table[field].name == .classNames { continue }
            guard try list.isString(field, "$classhints") else {
                throw failure(field, "a field of the description of a class")
            }
        }
        // The description of a class with an archive name of its own may lack $classes.
        guard let listed = value(.classNames, of: described) else { return .any }
        let classes = table[listed]
        guard classes.kind == .array, (1...Self.mostClasses).contains(classes.run.count),
            let first = text(table.index(at: 0, of: classes.run)), areEqual(first, name),
            let last = text(table.index(at: classes.run.count - 1, of: classes.run)),
            isOne(last, of: Self.roots)
        else { throw failure(listed, "the classes from that of the object to NSObject") }
        let kind = foundationClass(name)
        guard kind != .unknown || isOne(name, of: [Self.node]) else {
            if unknown.count < Self.mostUnknownClasses, let name = try list.string(nameIndex) {
                unknown.append(name)
            }
            return .any
        }
        for position in 1..<max(classes.run.count - 1, 1) {
            let superclass = table.index(at: position, of: classes.run)
            guard let text = text(superclass),
                foundationClass(text) != .unknown || isOne(text, of: Self.superclasses)
            else { throw failure(superclass, "a superclass of \(try list.string(nameIndex) ?? "it")") }
        }
        if kind == .unknown { return .node }
        return isOne(name, of: [Self.knownKeysDictionary]) ? .any : .of(kind)
    }

    private func foundationClass(_ name: ScannedObject) -> FoundationClass {
        name.kind == .ascii ? FoundationClass(memory, name.range) : .unknown
    }

    private func isOne(_ text: ScannedObject, of names: [StaticString]) -> Bool {
        text.kind == .ascii && names.contains { memory.holds($0, at: text.range) }
    }

    private func areEqual(_ one: ScannedObject, _ other: ScannedObject) -> Bool {
        one.kind == other.kind && one.range.count == other.range.count
            && (one.value == other.value
                || UnsafeRawBufferPointer(start: memory + one.value, count: one.range.count).elementsEqual(
                    UnsafeRawBufferPointer(start: memory + other.value, count: other.range.count)))
    }

    private func dictionary(_ index: Int) throws(PropertyListError) -> ScannedObject {
        let object = table[index]
        guard object.kind == .dictionary, object.count <= Self.mostFields else {
            throw failure(index, "a dictionary of at most \(Self.mostFields) fields")
        }
        return object
    }

    /// The index of the value of a field; nil if there is none.
    private func value(_ name: ScannedName, of object: ScannedObject) -> Int? {
        (0..<Int(object.count)).first { table[table.index(at: $0, of: object.run)].name == name }
            .map { value(at: $0, of: object) }
    }

    /// The index of the value of the field at `position`. The references of a dictionary are its keys, then its values.
    private func value(at position: Int, of object: ScannedObject) -> Int {
        let count = Int(object.count)
        return table.index(
            at: count + position, of: PropertyListReferences(offset: object.value, count: 2 * count))
    }

    /// A string of at most the length of a name; nil for any other object.
    private func text(_ index: Int) -> ScannedObject? {
        let object = table[index]
        guard object.kind == .ascii || object.kind == .utf16, object.count <= Self.longestName else {
            return nil
        }
        return object
    }
}
