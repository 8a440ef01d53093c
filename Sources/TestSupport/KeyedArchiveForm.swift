import Base
import KeyedArchive

/// One of the forms in which archivers write the same objects (core-data-binary-store(5), 2): the order of fields, mutable
/// classes, objects in place of bare strings and data, and the width of references.
package struct KeyedArchiveForm: Sendable, Hashable {
    /// Whether the fields of an object, and those of the archive, are in the opposite order.
    package var isReversed = false
    /// Whether collections have mutable classes.
    package var isMutable = false
    /// Whether strings are NSMutableString objects, except keys and the names of entities.
    package var wrapsStrings = false
    /// Whether data are NSMutableData objects.
    package var wrapsData = false
    /// Whether strings and data objects become bare.
    package var isBare = false
    /// The smallest width of references and offsets in bytes.
    package var width = 1

    /// The form that `KeyedArchiveWriter` writes.
    package init() {}

    /// Each difference alone, and all together.
    package static let all: [KeyedArchiveForm] = {
        var forms = [KeyedArchiveForm()]
        func add(_ change: (inout KeyedArchiveForm) -> Void) {
            var form = KeyedArchiveForm()
            change(&form)
            forms.append(form)
        }
        add { $0.isReversed = true }
        add { $0.isMutable = true }
        add { $0.wrapsStrings = true }
        add { $0.wrapsData = true }
        add { $0.isBare = true }
        for width in [2, 4, 8] { add { $0.width = width } }
        for width in [1, 2, 4, 8] {
            add {
                $0.isReversed = true
                $0.isMutable = true
                $0.wrapsStrings = true
                $0.wrapsData = true
                $0.width = width
            }
        }
        return forms
    }()

    /// The two archives of a binary store in this form.
    package func rewritten(store bytes: [UInt8]) throws -> [UInt8] {
        func number(_ place: Int) -> Int { bytes[place..<place + 8].reduce(0) { $0 << 8 | Int($1) } }
        let metadata = try rewritten(archive: Array(bytes[number(16)..<number(16) + number(24)]))
        let map = try rewritten(archive: Array(bytes[number(32)..<number(32) + number(40)]))
        var header = Array(bytes[..<64])
        for (place, value) in [(16, 64 + map.count), (24, metadata.count), (32, 64), (40, map.count)] {
            header.replaceSubrange(place..<place + 8, with: bigEndian(value, width: 8))
        }
        return header + map + metadata
    }

    /// A keyed archive in this form.
    package func rewritten(archive bytes: [UInt8]) throws -> [UInt8] {
        var rewriting = Rewriting(form: self, archive: try BinaryPropertyList(SharedBytes(bytes)).value())
        return try rewriting.bytes()
    }
}

/// Writes the objects of an archive again: each object that `$top` leads to, once.
private struct Rewriting {
    private struct Place: Hashable {
        var uid: UInt64
        var isWrapped: Bool
    }

    private let form: KeyedArchiveForm
    private let old: [ArchivedValue]
    private let top: [ArchivedPair]
    private var table = Table()
    private var objects: [Int] = []
    private var places: [Place: UInt64] = [:]
    private var classes: [String: UInt64] = [:]

    init(form: KeyedArchiveForm, archive: ArchivedValue) {
        self.form = form
        old = archive["$objects"]?.elements ?? []
        top = archive["$top"]?.pairs ?? []
    }

    mutating func bytes() throws -> [UInt8] {
        objects.append(try table.add(.string("$null")))
        let fields = try top.map { pair in
            (try table.add(pair.key), try table.add(.uid(try uid(pair.value, isWrapped: false))))
        }
        let topIndex = table.add(0xD0, fields.map(\.0) + fields.map(\.1))
        let list = table.add(0xA0, objects)
        let root: [(String, Int)] = [
            ("$version", try table.add(.integer(100_000))), ("$objects", list),
            ("$archiver", try table.add(.string("NSKeyedArchiver"))), ("$top", topIndex),
        ]
        let rootIndex = try add(root)
        return table.bytes(top: rootIndex, width: form.width)
    }

    /// Adds a dictionary with text keys, in the order of the form.
    private mutating func add(_ fields: [(String, Int)]) throws -> Int {
        let fields = form.isReversed ? fields.reversed() : fields
        let keys = try fields.map { try table.add(.string($0.0)) }
        return table.add(0xD0, keys + fields.map(\.1))
    }

    /// The new UID of the object with an old one.
    private mutating func uid(_ reference: ArchivedValue, isWrapped: Bool) throws -> UInt64 {
        guard case .uid(let number) = reference, number > 0 else { return 0 }
        let object = old[Int(number)]
        var place = Place(uid: number, isWrapped: false)
        switch object {
        case .string: place.isWrapped = isWrapped && form.wrapsStrings
        case .data: place.isWrapped = isWrapped && form.wrapsData
        default: break
        }
        if let known = places[place] { return known }
        if let name = object["$classname"]?.stringValue {
            return try classUID(name, object["$classes"]?.elements?.compactMap(\.stringValue) ?? [])
        }
        let new = UInt64(objects.count)
        places[place] = new
        objects.append(0)
        if form.isBare, let inside = object["NS.string"] ?? object["NS.data"] {
            objects[Int(new)] = try table.add(inside)
            return new
        }
        objects[Int(new)] = try index(of: object, isWrapped: place.isWrapped)
        return new
    }

    private mutating func index(of object: ArchivedValue, isWrapped: Bool) throws -> Int {
        if isWrapped {
            let (field, name) =
                object.stringValue == nil
                ? ("NS.data", "NSMutableData") : ("NS.string", "NSMutableString")
            let description = try classUID(name, [name, "NS" + name.dropFirst(9), "NSObject"])
            return try add([
                (field, try table.add(object)), ("$class", try table.add(.uid(description))),
            ])
        }
        guard let pairs = object.pairs else { return try table.add(object) }
        var fields: [(String, Int)] = []
        for pair in pairs {
            let name = pair.key.stringValue ?? ""
            let isMember = name.hasPrefix("NS.object")
            if let members = pair.value.elements {
                let uids = try members.map { try table.add(.uid(try uid($0, isWrapped: isMember))) }
                fields.append((name, table.add(0xA0, uids)))
            } else if case .uid = pair.value {
                fields.append((name, try table.add(.uid(try uid(pair.value, isWrapped: isMember)))))
            } else {
                fields.append((name, try table.add(pair.value)))
            }
        }
        return try add(fields)
    }

    private mutating func classUID(_ name: String, _ names: [String]) throws -> UInt64 {
        var (name, names) = (name, names)
        if form.isMutable, ["NSArray", "NSDictionary", "NSSet", "NSOrderedSet"].contains(name) {
            name = "NSMutable" + name.dropFirst(2)
            names.insert(name, at: 0)
        }
        if let known = classes[name] { return known }
        let new = UInt64(objects.count)
        objects.append(0)
        let list = table.add(0xA0, try names.map { try table.add(.string($0)) })
        objects[Int(new)] = try add([("$classname", try table.add(.string(name))), ("$classes", list)])
        classes[name] = new
        return new
    }
}

/// The objects of a property list with references of any width. Equal scalars are stored once.
private struct Table {
    private enum Entry {
        case scalar([UInt8])
        case collection(UInt8, [Int])
    }

    private var entries: [Entry] = []
    private var known: [[UInt8]: Int] = [:]

    mutating func add(_ scalar: ArchivedValue) throws -> Int {
        let list = try BinaryPropertyListWriter.bytes(of: scalar)
        let end = list.suffix(8).reduce(0) { $0 << 8 | Int($1) }
        let object = Array(list[8..<end])
        if let index = known[object] { return index }
        known[object] = entries.count
        entries.append(.scalar(object))
        return entries.count - 1
    }

    mutating func add(_ marker: UInt8, _ members: [Int]) -> Int {
        entries.append(.collection(marker, members))
        return entries.count - 1
    }

    func bytes(top: Int, width: Int) -> [UInt8] {
        let references = max(width, Table.width(entries.count))
        var file = Array("bplist00".utf8)
        var offsets: [Int] = []
        for entry in entries {
            offsets.append(file.count)
            switch entry {
            case .scalar(let bytes): file += bytes
            case .collection(let marker, let members):
                let count = marker == 0xD0 ? members.count / 2 : members.count
                if count < 15 {
                    file.append(marker | UInt8(count))
                } else {
                    file += [marker | 0x0F, 0x13] + bigEndian(count, width: 8)
                }
                for member in members { file += bigEndian(member, width: references) }
            }
        }
        let table = file.count
        let offset = max(width, Table.width(table))
        for place in offsets { file += bigEndian(place, width: offset) }
        file += [0, 0, 0, 0, 0, 0, UInt8(offset), UInt8(references)]
        for number in [entries.count, top, table] { file += bigEndian(number, width: 8) }
        return file
    }

    private static func width(_ number: Int) -> Int {
        number <= 0xFF ? 1 : number <= 0xFFFF ? 2 : number <= 0xFFFF_FFFF ? 4 : 8
    }
}

private func bigEndian(_ number: Int, width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
}
