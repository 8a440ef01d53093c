/// What every archiver keeps to and no reader needs: the objects of a property list lie one behind the other, each but
/// a UID is used, and those of a keyed archive have the fields of their class.
///
/// An archive that can be read and is not in this form was changed after it was written, at a place that the reader
/// does not look at. Archives of Core Data of all known versions are in this form (core-data-binary-store(5), 2).
public struct WrittenForm: Sendable {
    /// The first place that is not as an archiver writes it; nil where there is none.
    public private(set) var problem: PropertyListError?
    /// The names of classes that are not known, the first few: an application's own, or damaged.
    public private(set) var unknownClasses: [String] = []

    /// Looks at all objects of a keyed archive, also at those that nothing leads to. Time is in proportion to the size,
    /// memory to the number of objects: twelve bytes each.
    /// - Parameter baseOffset: where the bytes of the archive begin in the file; it only enters errors.
    public init(ofArchive bytes: SharedBytes, baseOffset: Int = 0) {
        do throws(PropertyListError) {
            let list = try WrittenList(try BinaryPropertyList(bytes, baseOffset: baseOffset), nil)
            unknownClasses = try list.checkArchive()
        } catch {
            problem = error
        }
    }

    /// The same of an archive whose objects have been decoded.
    init(of table: SurveyTable) {
        do throws(PropertyListError) {
            unknownClasses = try WrittenList(table.list, table).checkArchive()
        } catch {
            problem = error
        }
    }

    /// True where there is nothing to report.
    public var isUsual: Bool { problem == nil && unknownClasses.isEmpty }
}

/// A property list whose objects lie one behind the other, each but a UID used.
private struct WrittenList {
    private static let mostFields = 64
    private static let mostClasses = 32
    private static let mostUnknownClasses = 4
    private static let longestNumberedName = 32
    private static let longestName = 1024

    private let list: BinaryPropertyList
    private let memory: UnsafeRawPointer
    /// The objects, where they have been decoded.
    private let table: SurveyTable?
    /// By the index of an object, which field it may be the name of; empty where the table tells.
    private var names: [SurveyedName] = []
    /// By number, whether a UID has it.
    private var isNamed: [Bool]

    init(_ list: BinaryPropertyList, _ table: SurveyTable?) throws(PropertyListError) {
        guard let memory = list.bytes.withUnsafeBytes({ $0.baseAddress }) else {
            throw list.failure(at: 0, "a property list", "no bytes")
        }
        self.list = list
        self.memory = memory
        self.table = table
        isNamed = [Bool](repeating: false, count: list.objectCount)
        try checkEnvelope()
        try checkObjects()
    }

    /// What lies around the objects.
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

    private mutating func checkObjects() throws(PropertyListError) {
        var surveyor = ObjectSurveyor(list, memory)
        var isUsed = [Bool](repeating: false, count: list.objectCount)
        isUsed[list.top] = true
        if table == nil { names.reserveCapacity(list.objectCount) }
        var place = 8
        for index in 0..<list.objectCount {
            let start = start(of: index)
            guard start == place else {
                throw list.failure(
                    at: list.offsetTable + index * list.offsetWidth,
                    "object \(index) at \(place), where the one before it ends", "\(start)")
            }
            let object: SurveyedObject
            if let table {
                object = table[index]
            } else {
                guard let decoded = surveyor.object(at: UInt64(place)),
                    decoded.kind != .utf16 || list.isUTF16(decoded.range)
                else { throw list.failure(at: place, "an object of a property list", "other bytes") }
                object = decoded
                names.append(object.name)
            }
            guard Self.isArchived(object.kind) else {
                throw list.failure(at: place, "an object of a keyed archive", "something else")
            }
            let references = references(of: object)
            for position in 0..<references.count { isUsed[reference(position, of: references)] = true }
            if object.kind == .uid {
                guard object.value < list.objectCount else { throw failure(index, "a UID of an object") }
                isNamed[object.value] = true
            }
            place = end(of: object, from: place)
        }
        guard place == list.offsetTable else {
            throw list.failure(at: place, "the offset table, where the objects end", "more bytes")
        }
        // Archivers of Core Data write a UID each time, and use the first one that is equal.
        for index in isUsed.indices where !isUsed[index] && list.marker(at: start(of: index)) >> 4 != 0x8 {
            throw failure(index, "an object that is used")
        }
    }

    /// Archivers make objects of dates, sets and missing values.
    private static func isArchived(_ kind: SurveyedObject.Kind) -> Bool {
        switch kind {
        case .null, .date, .set, .orderedSet: false
        case .boolean, .integer, .real, .data, .ascii, .utf16, .uid, .array, .dictionary: true
        }
    }

    /// Where an object begins, as the offset table has it.
    private func start(of index: Int) -> Int {
        Int(
            clamping: memory.bigEndian(
                at: list.offsetTable + index * list.offsetWidth, width: list.offsetWidth))
    }

    private func end(of object: SurveyedObject, from start: Int) -> Int {
        let marker = memory.load(fromByteOffset: start, as: UInt8.self)
        return switch object.kind {
        case .null, .boolean: start + 1
        case .integer: start + 1 + 1 << Int(marker & 0x0F)
        case .real, .date: start + (marker == 0x22 ? 5 : 9)
        case .uid: start + 2 + Int(marker & 0x0F)
        case .data, .ascii, .utf16: object.range.upperBound
        case .array, .set, .orderedSet, .dictionary:
            object.value + references(of: object).count * list.referenceWidth
        }
    }

    /// What an object refers to: a dictionary to its keys, and then to the values.
    private func references(of object: SurveyedObject) -> PropertyListReferences {
        switch object.kind {
        case .array, .set, .orderedSet: object.run
        case .dictionary: PropertyListReferences(offset: object.value, count: 2 * Int(object.count))
        default: PropertyListReferences(offset: object.value, count: 0)
        }
    }

    /// The index at a position of references that were checked.
    private func reference(_ position: Int, of references: PropertyListReferences) -> Int {
        let place = references.offset + position * list.referenceWidth
        return Int(truncatingIfNeeded: memory.bigEndian(at: place, width: list.referenceWidth))
    }

    private func failure(_ index: Int, _ expected: String) -> PropertyListError {
        list.failure(at: start(of: index), expected, "something else")
    }
}

// MARK: Keyed archives

extension WrittenList {
    /// Names of fields, a bit each.
    private struct Fields {
        var bits: UInt64

        init(_ names: SurveyedName...) { bits = names.reduce(0) { $0 | 1 << UInt64($1.rawValue) } }

        @inline(__always)
        func contains(_ name: SurveyedName) -> Bool { bits & 1 << UInt64(name.rawValue) != 0 }

        /// Of a class whose fields are not known: any.
        static let any = Fields(bits: .max)

        init(bits: UInt64) { self.bits = bits }

        /// Fields that the objects of a class have.
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

    /// The class of an object of a binary store, and the classes that are only inherited from.
    private static let node: StaticString = "NSDictionaryMapNode"
    private static let superclasses: [StaticString] = [
        "NSStoreMapNode", "NSValue", "NSKnownKeysDictionary",
    ]
    /// The classes that have no superclass.
    private static let roots: [StaticString] = ["NSObject", "NSProxy"]
    /// A class of the same kind as another, whose objects have other fields.
    private static let otherForm: StaticString = "NSKnownKeysDictionary1"

    /// Returns the names of classes that are not known.
    func checkArchive() throws(PropertyListError) -> [String] {
        let root = try dictionary(list.top)
        guard root.count == 4, let version = value(.version, of: root),
            let archiver = value(.archiver, of: root),
            let archived = value(.objects, of: root), value(.top, of: root) != nil
        else { throw failure(list.top, "a dictionary of $version, $archiver, $objects and $top") }
        guard let number = object(version), number.kind == .integer, number.value == 100_000 else {
            throw failure(version, "$version 100000")
        }
        guard try list.isString(archiver, "NSKeyedArchiver") else {
            throw failure(archiver, "$archiver NSKeyedArchiver")
        }
        guard let objects = object(archived), objects.kind == .array, objects.count > 0,
            name(reference(0, of: objects.run)) == .null
        else { throw failure(archived, "an array $objects that begins with \"$null\"") }
        try checkUIDs(objects.run.count)
        return try checkClasses(of: objects.run)
    }

    /// Every object of the archive has a UID, but for the first, which stands for nothing.
    private func checkUIDs(_ count: Int) throws(PropertyListError) {
        for number in 1..<max(isNamed.count, 1) where isNamed[number] != (number < count) {
            throw list.failure(
                at: list.offsetTable, "a UID for each of \(count) objects, and no other",
                number < count ? "none for object \(number)" : "UID \(number)")
        }
    }

    /// Every dictionary is an object of a class, with its fields, or describes a class.
    private func checkClasses(of objects: PropertyListReferences) throws(PropertyListError) -> [String] {
        // By the index of what describes a class; 0 where that was not looked at.
        var classes = [UInt64](repeating: 0, count: list.objectCount)
        var unknown: [String] = []
        // Writers of property lists store equal texts and numbers once, and each dictionary for itself.
        var isMet = [Bool](repeating: false, count: list.objectCount)
        for position in 0..<objects.count {
            let index = reference(position, of: objects)
            // By its marker: decoding a text goes through all of it, and many positions may have the same one.
            guard list.marker(at: start(of: index)) >> 4 == 0xD, let object = object(index) else { continue }
            guard !isMet[index] else { throw failure(index, "an object that has one UID") }
            isMet[index] = true
            let described: Int
            if let named = value(.classReference, of: object) {
                guard let uid = self.object(named), uid.kind == .uid else {
                    throw failure(named, "a UID as $class")
                }
                described = reference(uid.value, of: objects)
            } else {
                described = index
            }
            if classes[described] == 0 { classes[described] = try fields(ofClass: described, &unknown).bits }
            if described == index { continue }
            let fields = Fields(bits: classes[described])
            for field in 0..<Int(object.count) {
                let name = reference(field, of: object.run)
                if fields.contains(self.name(name)) { continue }
                guard try isNumbered(name) else { throw failure(name, "a field of the object's class") }
            }
        }
        return unknown
    }

    /// Older archives number the members of collections.
    private func isNumbered(_ name: Int) throws(PropertyListError) -> Bool {
        guard let named = text(name), named.count <= Self.longestNumberedName,
            let text = try list.string(name)
        else { return false }
        return text.hasPrefix("NS.object.") || text.hasPrefix("NS.key.")
    }

    /// The fields of a class by its description: its name, and those of its superclasses, of which NSObject is the last.
    private func fields(
        ofClass index: Int, _ unknown: inout [String]
    ) throws(PropertyListError) -> Fields {
        let described = try dictionary(index)
        guard let nameIndex = value(.className, of: described), let name = text(nameIndex) else {
            throw failure(index, "an object with a $class, or the description of a class")
        }
        for position in 0..<Int(described.count) {
            let field = reference(position, of: described.run)
            if self.name(field) == .className || self.name(field) == .classNames { continue }
            guard try list.isString(field, "$classhints") else {
                throw failure(field, "a field of the description of a class")
            }
        }
        // A class that the application renamed for its archives may stand alone.
        guard let listed = value(.classNames, of: described) else { return .any }
        guard let classes = object(listed), classes.kind == .array,
            (1...Self.mostClasses).contains(classes.run.count),
            let first = text(reference(0, of: classes.run)), areEqual(first, name),
            let last = text(reference(classes.run.count - 1, of: classes.run)), isOne(last, of: Self.roots)
        else { throw failure(listed, "the classes from that of the object to NSObject") }
        let kind = foundationClass(name)
        guard kind != .unknown || isOne(name, of: [Self.node]) else {
            if unknown.count < Self.mostUnknownClasses, let name = try list.string(nameIndex) {
                unknown.append(name)
            }
            return .any
        }
        for position in 1..<max(classes.run.count - 1, 1) {
            let superclass = reference(position, of: classes.run)
            guard let text = text(superclass),
                foundationClass(text) != .unknown || isOne(text, of: Self.superclasses)
            else { throw failure(superclass, "a superclass of \(try list.string(nameIndex) ?? "it")") }
        }
        if kind == .unknown { return .node }
        return isOne(name, of: [Self.otherForm]) ? .any : .of(kind)
    }

    private func foundationClass(_ name: SurveyedObject) -> FoundationClass {
        name.kind == .ascii ? FoundationClass(memory, name.range) : .unknown
    }

    private func isOne(_ text: SurveyedObject, of names: [StaticString]) -> Bool {
        text.kind == .ascii && names.contains { memory.holds($0, at: text.range) }
    }

    private func areEqual(_ one: SurveyedObject, _ other: SurveyedObject) -> Bool {
        one.kind == other.kind && one.range.count == other.range.count
            && (one.value == other.value
                || UnsafeRawBufferPointer(start: memory + one.value, count: one.range.count).elementsEqual(
                    UnsafeRawBufferPointer(start: memory + other.value, count: other.range.count)))
    }

    /// Which field a checked object may be the name of.
    @inline(__always)
    private func name(_ index: Int) -> SurveyedName { table?[index].name ?? names[index] }

    /// An object that was checked.
    private func object(_ index: Int) -> SurveyedObject? {
        if let table { return table[index] }
        var surveyor = ObjectSurveyor(list, memory)
        return surveyor.object(at: UInt64(start(of: index)))
    }

    private func dictionary(_ index: Int) throws(PropertyListError) -> SurveyedObject {
        guard let object = object(index), object.kind == .dictionary, object.count <= Self.mostFields else {
            throw failure(index, "a dictionary of at most \(Self.mostFields) fields")
        }
        return object
    }

    /// The index of the value of a field; nil where there is none.
    private func value(_ name: SurveyedName, of object: SurveyedObject) -> Int? {
        let count = Int(object.count)
        for position in 0..<count where self.name(reference(position, of: object.run)) == name {
            return reference(position + count, of: references(of: object))
        }
        return nil
    }

    /// A text that is short enough for a name; nil for what is none.
    private func text(_ index: Int) -> SurveyedObject? {
        guard let object = object(index), object.kind == .ascii || object.kind == .utf16,
            object.count <= Self.longestName
        else { return nil }
        return object
    }
}
