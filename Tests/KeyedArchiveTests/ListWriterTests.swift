import KeyedArchive
import TestSupport
import Testing

/// The writer of property lists, compared with a writer that keeps everything in dictionaries.
@Suite struct ListWriterTests {
    @Test func listsEqualThoseOfThePlainWriter() throws {
        var numbers = RandomNumbers(11)
        for _ in 0..<400 {
            let value = ArchivedValue.array((0..<6).map { _ in Self.value(&numbers, 0) })
            #expect(try BinaryPropertyListWriter.bytes(of: value) == PlainListWriter.bytes(of: value))
        }
    }

    /// Scalars on both sides of the size from which they are not copied; equal ones are stored once.
    @Test(arguments: [65_535, 65_536, 65_537, 200_000])
    func largeScalarsEqualThoseOfThePlainWriter(_ size: Int) throws {
        let values: [ArchivedValue] = [
            .data([UInt8](repeating: 7, count: size)), .string(String(repeating: "x", count: size)),
            .string(String(repeating: "é", count: size / 2)), .string(String(repeating: "é", count: size)),
        ]
        let all = ArchivedValue.array(values + [.string("between")] + values.reversed())
        let bytes = try BinaryPropertyListWriter.bytes(of: all)
        #expect(bytes == PlainListWriter.bytes(of: all))
        #expect(bytes.count < 6 * size + 1_000)
    }

    /// Any number is a UID in a list; a large one needs no memory.
    @Test func anyUIDCanBeWritten() throws {
        let value = ArchivedValue.array([.uid(0), .uid(1 << 31), .uid(.max), .uid((1 << 31) - 2), .uid(0)])
        #expect(try BinaryPropertyListWriter.bytes(of: value) == PlainListWriter.bytes(of: value))
    }

    private static func value(_ numbers: inout RandomNumbers, _ depth: Int) -> ArchivedValue {
        func members(_ numbers: inout RandomNumbers) -> [ArchivedValue] {
            (0..<Int.random(in: 0..<20, using: &numbers)).map { _ in value(&numbers, depth + 1) }
        }
        let integers: [Int128] = [0, -1, 255, 256, 65_536, 1 << 32, .max, .min, Int128(Int64.max) + 1]
        let texts = ["", "a", "é", "e\u{301}", "🔑", String(repeating: "x", count: 15)]
        switch Int.random(in: 0..<(depth > 3 ? 7 : 11), using: &numbers) {
        case 0: return .boolean(Bool.random(using: &numbers))
        case 1: return .integer(integers.randomElement(using: &numbers) ?? 0)
        case 2: return .real([0.0, -0.0, .nan, 1.5].randomElement(using: &numbers) ?? 0)
        case 3: return .string(texts.randomElement(using: &numbers) ?? "")
        case 4: return .string("\(Int.random(in: 0..<200, using: &numbers))")
        case 5: return .data([UInt8](repeating: 1, count: Int.random(in: 0..<300, using: &numbers)))
        case 6: return .date(Double(Int.random(in: 0..<9, using: &numbers)))
        case 7: return .array(members(&numbers))
        case 8: return .set(members(&numbers))
        case 9: return .orderedSet(members(&numbers))
        default:
            return .dictionary(
                (0..<Int.random(in: 0..<20, using: &numbers)).map { number in
                    ArchivedPair(key: .string("key \(number)"), value: value(&numbers, depth + 1))
                })
        }
    }
}

/// Writes lists without regard to memory: every object in an array, equal scalars by their encoded bytes.
private struct PlainListWriter {
    private var objects: [(bytes: [UInt8], marker: UInt8, members: [Int])] = []
    private var known: [[UInt8]: Int] = [:]

    static func bytes(of value: ArchivedValue) -> [UInt8] {
        var writer = PlainListWriter()
        let top = writer.add(value)
        return writer.bytes(top: top)
    }

    private mutating func add(_ value: ArchivedValue) -> Int {
        switch value {
        case .array(let members): return add(0xA0, members)
        case .orderedSet(let members): return add(0xB0, members)
        case .set(let members): return add(0xC0, members)
        case .dictionary(let pairs): return add(0xD0, pairs.map(\.key) + pairs.map(\.value))
        default:
            let bytes = Self.encoded(value)
            if let number = known[bytes] { return number }
            objects.append((bytes, 0, []))
            known[bytes] = objects.count - 1
            return objects.count - 1
        }
    }

    private mutating func add(_ marker: UInt8, _ members: [ArchivedValue]) -> Int {
        let members = members.map { add($0) }
        objects.append(([], marker, members))
        return objects.count - 1
    }

    private static func encoded(_ value: ArchivedValue) -> [UInt8] {
        switch value {
        case .boolean(let flag): return [flag ? 9 : 8]
        case .integer(let number):
            if Int64(exactly: number) == nil { return [0x14] + bigEndian(UInt128(bitPattern: number), 16) }
            let width = number < 0 ? 8 : Self.width(UInt128(number))
            return [0x10 | UInt8(width.trailingZeroBitCount)] + bigEndian(UInt128(bitPattern: number), width)
        case .real(let number): return [0x23] + bigEndian(UInt128(number.bitPattern), 8)
        case .date(let number): return [0x33] + bigEndian(UInt128(number.bitPattern), 8)
        case .uid(let number):
            let width = Self.width(UInt128(number))
            return [0x80 | UInt8(width - 1)] + bigEndian(UInt128(number), width)
        case .data(let bytes): return head(0x40, bytes.count) + bytes
        case .string(let text) where text.utf8.contains { $0 > 127 }:
            return head(0x60, text.utf16.count) + text.utf16.flatMap { bigEndian(UInt128($0), 2) }
        case .string(let text): return head(0x50, text.utf8.count) + Array(text.utf8)
        default: return [0]
        }
    }

    private static func width(_ number: UInt128) -> Int {
        [1, 2, 4].first { number < 1 << (8 * UInt128($0)) } ?? 8
    }

    private static func bigEndian(_ number: UInt128, _ width: Int) -> [UInt8] {
        (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> UInt128(8 * $0)) }
    }

    private static func head(_ marker: UInt8, _ count: Int) -> [UInt8] {
        count < 15
            ? [marker | UInt8(count)] : [marker | 15] + encoded(.integer(Int128(count)))
    }

    private func bytes(top: Int) -> [UInt8] {
        var order: [Int] = []
        var numbers: [Int: Int] = [:]
        func visit(_ object: Int) {
            guard numbers[object] == nil else { return }
            numbers[object] = order.count
            order.append(object)
            for member in objects[object].members { visit(member) }
        }
        visit(top)
        let width = Self.width(UInt128(order.count - 1))
        var file = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in order.map({ objects[$0] }) {
            offsets.append(file.count)
            file += object.bytes
            guard object.marker != 0 else { continue }
            file += Self.head(object.marker, object.members.count / (object.marker == 0xD0 ? 2 : 1))
            file += object.members.flatMap { Self.bigEndian(UInt128(numbers[$0] ?? 0), width) }
        }
        let table = file.count
        let offsetWidth = Self.width(UInt128(table))
        file += offsets.flatMap { Self.bigEndian(UInt128($0), offsetWidth) }
        file += [0, 0, 0, 0, 0, 0, UInt8(offsetWidth), UInt8(width)]
        return file + [order.count, 0, table].flatMap { Self.bigEndian(UInt128($0), 8) }
    }
}
