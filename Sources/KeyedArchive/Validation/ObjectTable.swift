import Base

/// All objects of a property list, referenced or not, each decoded and checked.
struct ObjectTable {
    let list: BinaryPropertyList
    /// The bytes of `list`, which keeps them alive.
    let memory: UnsafeRawPointer
    private var objects: [ScannedObject]
    /// The largest UID; 0 if there is none.
    let largestUID: Int
    /// The marks by the index of an object; `.numbered` by the number of a UID.
    let marks: [ObjectMarks]
    /// The end and the count of the objects that are contiguous from the start.
    let contiguous: (end: Int, count: Int)

    init(_ list: BinaryPropertyList) throws(PropertyListError) {
        guard let memory = list.bytes.withUnsafeBytes({ $0.baseAddress }) else {
            throw list.failure(at: 0, "a property list", "no bytes")
        }
        self.list = list
        self.memory = memory
        let (count, first, width) = (list.objectCount, list.offsetTable, list.offsetWidth)
        var largestUID = 0
        var contiguous = (end: BinaryPropertyList.headerSize, count: 0)
        var marks = [ObjectMarks](repeating: [], count: count)
        objects = marks.withUnsafeMutableBufferPointer { marks in
            var scanner = ObjectScanner(list, memory, marks)
            return Array(unsafeUninitializedCapacity: count) { buffer, filled in
                for index in 0..<count {
                    let start = memory.bigEndian(at: first &+ index &* width, width: width)
                    guard let object = scanner.object(at: start) else { return }
                    if start == UInt64(truncatingIfNeeded: contiguous.end), contiguous.count == index {
                        contiguous = (scanner.objectEnd, index + 1)
                    }
                    if object.kind == .uid {
                        largestUID = max(largestUID, object.value)
                        if object.value < count { marks[object.value].insert(.numbered) }
                    }
                    if object.kind == .utf16, !list.isUTF16(object.range) { return }
                    buffer.initializeElement(at: index, to: object)
                    filled = index + 1
                }
            }
        }
        self.largestUID = largestUID
        self.marks = marks
        self.contiguous = contiguous
        guard objects.count == count else {
            throw list.failure(
                at: list.offsetTable + objects.count * width, "an object of a property list", "other bytes")
        }
    }

    var count: Int { objects.count }

    @inline(__always)
    subscript(index: Int) -> ScannedObject { objects[index] }

    /// Records the class that the object `index` describes.
    mutating func note(_ index: Int, describes known: FoundationClass) {
        objects[index].describedClass = known
    }

    /// The object index at a position of a run of checked references.
    @inline(__always)
    func index(at position: Int, of run: PropertyListReferences) -> Int {
        precondition(position >= 0 && position < run.count)
        let place = run.offset + position * list.referenceWidth
        return Int(truncatingIfNeeded: memory.bigEndian(at: place, width: list.referenceWidth))
    }

    /// Whether the object `index` is the ASCII string `text`.
    @inline(__always)
    func isText(_ index: Int, _ text: StaticString) -> Bool {
        let object = objects[index]
        return object.kind == .ascii && memory.holds(text, at: object.range)
    }

    /// The index of the value of the field `name`; nil if there is none. Throws for a duplicate field, and for any
    /// object except a dictionary of at most 16 fields: the names are compared one by one.
    @inline(__always)
    func place(of name: ScannedName, in object: ScannedObject) throws(UnfamiliarArchive) -> Int? {
        guard object.kind == .dictionary else { throw UnfamiliarArchive(.type) }
        guard object.count <= 16 else { throw UnfamiliarArchive(.limits) }
        return try placeOfAny(name, in: object)
    }

    /// The index of the value of the field `name` in a dictionary of any size; nil if there is none.
    @inline(__always)
    func placeOfAny(_ name: ScannedName, in object: ScannedObject) throws(UnfamiliarArchive) -> Int? {
        let count = Int(object.count)
        let fields = PropertyListReferences(offset: object.value, count: 2 * count)
        var found: Int?
        for position in 0..<count where objects[index(at: position, of: fields)].name == name {
            guard found == nil else { throw UnfamiliarArchive(.structure) }
            found = index(at: position + count, of: fields)
        }
        return found
    }
}

/// The facts that a list shows about one of its objects.
struct ObjectMarks: OptionSet {
    var rawValue: UInt8

    /// A collection references the object.
    static let used = ObjectMarks(rawValue: 1)
    /// A UID has this number.
    static let numbered = ObjectMarks(rawValue: 2)
}
