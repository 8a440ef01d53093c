import Base
import Foundation
import KeyedArchive
import TestSupport
import Testing

/// Makes random property lists with Python's plistlib. A line after each list shows its value in the notation of
/// `notation(of:)` below.
private let generator = """
    import plistlib, random, sys, datetime, struct
    seed = int(sys.argv[1]); random.seed(seed)
    epoch = datetime.datetime(2001, 1, 1)
    def text():
        alphabet = random.choice(["abcXYZ 09", "äöüßéñ", "日本語テキスト", "🔑😀a", "\\n\\t\\"'<>&"])
        return "".join(random.choice(alphabet) for _ in range(random.choice([0, 1, 5, 14, 15, 16, 300])))
    def value(depth):
        kind = random.randrange(11 if depth < 5 else 8)
        if kind == 0: return random.choice([True, False])
        if kind == 1: return random.choice([0, 1, 127, 128, 255, 256, 65535, 65536, 2**31, 2**32, 2**63 - 1, 2**63, 2**64 - 1, -1, -128, -2**63, random.getrandbits(40)])
        if kind == 2: return random.choice([0.0, -0.0, 1.5, 1e300, -1e-300, float("inf"), random.random()])
        if kind == 3: return text()
        if kind == 4: return bytes(random.randrange(256) for _ in range(random.choice([0, 1, 14, 15, 16, 40, 300])))
        if kind == 5: return epoch + datetime.timedelta(seconds=random.randrange(-10**9, 10**9), microseconds=random.randrange(10**6))
        if kind == 6: return plistlib.UID(random.choice([0, 1, 255, 256, 65536, 2**32 - 1]))
        if kind == 7: return text()
        if kind == 8: return {text(): value(depth + 1) for _ in range(random.randrange(20))}
        return [value(depth + 1) for _ in range(random.randrange(20))]
    def show(v):
        if v is True: return "T"
        if v is False: return "F"
        if isinstance(v, int): return "i%d" % v
        if isinstance(v, float): return "r" + struct.pack(">d", v).hex()
        if isinstance(v, str): return "s" + v.encode("utf-8").hex()
        if isinstance(v, bytes): return "d" + v.hex()
        if isinstance(v, datetime.datetime): return "t" + struct.pack(">d", (v - epoch).total_seconds()).hex()
        if isinstance(v, plistlib.UID): return "u%d" % v.data
        if isinstance(v, dict): return "{" + ",".join(show(k) + ":" + show(x) for k, x in v.items()) + "}"
        return "[" + ",".join(show(x) for x in v) + "]"
    out = sys.stdout.buffer
    for _ in range(int(sys.argv[2])):
        v = value(0)
        b = plistlib.dumps(v, fmt=plistlib.FMT_BINARY, sort_keys=False)
        out.write(b.hex().encode() + b" " + show(plistlib.loads(b)).encode() + b"\\n")
    """

/// Reads lists in hexadecimal digits, one on each line, and prints their values in the same notation.
private let check =
    generator.components(separatedBy: "out = sys.stdout.buffer")[0] + """
        for line in open(sys.argv[3]):
            print(show(plistlib.loads(bytes.fromhex(line.strip()))))
        """

private func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

private func bits(_ number: Double) -> String {
    hexadecimal((0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> (56 - 8 * $0)) })
}

private func notation(of value: ArchivedValue) -> String {
    switch value {
    case .boolean(let flag): flag ? "T" : "F"
    case .integer(let number): "i\(number)"
    case .real(let number): "r" + bits(number)
    case .string(let text): "s" + hexadecimal(text.utf8)
    case .data(let bytes): "d" + hexadecimal(bytes)
    case .date(let seconds): "t" + bits(seconds)
    case .uid(let number): "u\(number)"
    case .dictionary(let pairs):
        "{" + pairs.map { notation(of: $0.key) + ":" + notation(of: $0.value) }.joined(separator: ",") + "}"
    case .array(let members): "[" + members.map(notation).joined(separator: ",") + "]"
    default: "?\(value)"
    }
}

private func bytes(hexadecimal text: Substring) -> [UInt8] {
    let digits = text.utf8.map { UInt8($0 < 58 ? $0 - 48 : $0 - 87) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

@Suite("Against Python's plistlib", .enabled(if: Python.available))
struct PlistlibTests {
    private static let count = LongTests.areWanted ? 150 : 50

    @Test(arguments: [1, 2, Int(RandomNumbers.seed % 1_000_000) + 3])
    func readsAndWritesAsPlistlibDoes(seed: Int) throws {
        let output = try #require(Python.run(generator, ["\(seed)", "\(Self.count)"]))
        var rewritten = ""
        var expected: [String] = []
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ")
            let value = try BinaryPropertyList(SharedBytes(bytes(hexadecimal: parts[0]))).value()
            #expect(notation(of: value) == parts[1], "seed \(seed)")
            if notation(of: value) != parts[1] { break }
            rewritten += hexadecimal(try BinaryPropertyListWriter.bytes(of: value)) + "\n"
            expected.append(String(parts[1]))
        }
        #expect(expected.count == Self.count)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "ticds-plists-\(UUID().uuidString)")
        try Data(rewritten.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let back = try #require(Python.run(check, ["\(seed)", "0", file.path]))
        let checked = String(decoding: back, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(checked.count == expected.count)
        for (found, wanted) in zip(checked, expected) where found != wanted {
            let same = zip(wanted, found).prefix { $0 == $1 }.count
            let place = max(0, same - 40)
            Issue.record(
                "seed \(seed): \(wanted.dropFirst(place).prefix(120)), \(found.dropFirst(place).prefix(120))")
            break
        }
    }

    /// plistlib makes the archive, with the classes of Foundation.
    @Test func readsArchivesMadeByPlistlib() throws {
        let script = """
            import plistlib, sys
            U = plistlib.UID
            o = ["$null", {"$class": U(2), "NS.objects": [U(3), U(5), U(6), U(7), U(0), U(8), U(10)]},
              {"$classname": "NSMutableArray", "$classes": ["NSMutableArray", "NSArray", "NSObject"]},
              {"$class": U(4), "NS.string": "wrapped"},
              {"$classname": "NSMutableString", "$classes": ["NSMutableString", "NSString", "NSObject"]},
              "bare", {"NS.time": 1.5, "$class": U(9)}, U(5), {"$class": U(11), "a": 1, "b": U(5)},
              {"$classname": "NSDate", "$classes": ["NSDate", "NSObject"]}, {"$class": U(2), "NS.objects": [U(1)]},
              {"$classname": "Money", "$classes": ["Money", "NSObject"]}]
            del o[7]; o.insert(7, b"data")
            sys.stdout.buffer.write(plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver",
              "$top": {"root": U(1)}, "$objects": o}, fmt=plistlib.FMT_BINARY))
            """
        let archive = try KeyedArchiveReader(SharedBytes(try #require(Python.run(script))))
        let money = ArchivedObject(
            className: "Money",
            fields: [ArchivedField("a", .integer(1), isInline: true), ArchivedField("b", .string("bare"))])
        #expect(
            try archive.value(of: archive.root())
                == .array([
                    .string("wrapped"), .string("bare"), .date(1.5), .data(Array("data".utf8)), .none,
                    .object(money),
                    .array([.cycle]),
                ]))
    }
}
