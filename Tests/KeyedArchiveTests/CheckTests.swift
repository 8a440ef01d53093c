import Base
import KeyedArchive
import TestSupport
import Testing

/// The result of checking and of decoding a keyed archive: the error, or the kind of the value.
private enum Answer: Equatable {
    case kind(ArchivedKind)
    case error(PropertyListError)

    static func kind(of value: ArchivedValue) -> Answer {
        switch value {
        case .none: .kind(.none)
        case .null: .kind(.null)
        case .string: .kind(.string)
        case .dictionary: .kind(.dictionary)
        default: .kind(.other)
        }
    }
}

private let limits = KeyedArchiveLimits(depth: 16, visits: 2000, bytes: 1 << 16)

private func checked(_ archive: KeyedArchiveReader) -> Answer {
    do throws(PropertyListError) {
        var decoder = KeyedArchiveDecoder(archive, limits: limits)
        return .kind(try decoder.check(try archive.root()))
    } catch {
        return .error(error)
    }
}

private func decoded(_ archive: KeyedArchiveReader) -> Answer {
    do throws(PropertyListError) {
        return .kind(of: try archive.value(of: try archive.root(), limits: limits))
    } catch {
        return .error(error)
    }
}

/// The result of a validator; nil if the archive is unfamiliar.
private func validated(_ bytes: [UInt8]) -> Answer? {
    do throws(UnfamiliarArchive) {
        var validator = try FastArchiveValidator(SharedBytes(bytes))
        return .kind(try validator.check(try validator.top(.root)))
    } catch {
        return nil
    }
}

private let values: [ArchivedValue] = [
    .none, .null, .boolean(true), .integer(-1), .real(0.5), .date(1), .string("text"), .string("Grüße"),
    .data([1, 2, 3]), .uuid(ArchivedUUID(bytes: [UInt8](repeating: 7, count: 16)) ?? .random()), .url("x"),
    .decimal(ArchivedDecimal(mantissa: 15, exponent: -1, isNegative: false)),
    .object(ArchivedObject(className: "C", fields: [ArchivedField("f", .data([1, 2, 3]))])),
]

/// Each value by itself, and all of them in collections.
private let graphs: [ArchivedValue] =
    values + [
        .array(values), .orderedSet(values), .array([.set([.real(2)]), .array([.array([])])]),
        .dictionary(values.enumerated().map { ArchivedPair(key: .string("key \($0)"), value: $1) }),
    ]

@Test(arguments: graphs.indices)
func checkingTellsWhatDecodingMakes(_ number: Int) throws {
    let bytes = try KeyedArchiveWriter.bytes(root: graphs[number])
    let archive = try KeyedArchiveReader(SharedBytes(bytes))
    #expect(checked(archive) == .kind(of: graphs[number]))
}

@Test(arguments: graphs.indices)
func checkingFindsTheErrorsOfDecoding(_ number: Int) throws {
    let sound = try KeyedArchiveWriter.bytes(root: graphs[number])
    #expect(compareDamaged(sound) > 0)
}

/// Checking finds the errors also for objects in place of strings and data, and for other orders and references.
@Test(arguments: KeyedArchiveForm.all)
func checkingFindsTheErrorsInEveryForm(_ form: KeyedArchiveForm) throws {
    let all = try KeyedArchiveWriter.bytes(
        root: .array([.array(values), .orderedSet(values), graphs.last ?? .none]))
    #expect(compareDamaged(try form.rewritten(archive: all)) > 0)
}

/// Compares checking, validating and decoding of a keyed archive with each byte changed. Returns the number of errors.
private func compareDamaged(_ sound: [UInt8]) -> Int {
    var errors = 0
    // Without optimisation, and under a sanitizer, each takes many times as long.
    #if DEBUG
        let step = max(1, sound.count / 128)
    #else
        let step = 1
    #endif
    for place in stride(from: 0, to: sound.count, by: step) {
        for mask: UInt8 in [0x01, 0x02, 0x80, 0xFF] {
            var damaged = sound
            damaged[place] ^= mask
            guard let archive = try? KeyedArchiveReader(SharedBytes(damaged)) else {
                #expect(validated(damaged) == nil, "byte \(place) with \(mask)")
                continue
            }
            let answer = decoded(archive)
            if let known = validated(damaged) { #expect(known == answer, "byte \(place) with \(mask)") }
            if case .error = answer { errors += 1 }
            #expect(checked(archive) == answer, "byte \(place) with \(mask)")
        }
    }
    return errors
}

/// Lists of ten references to the next list: both ways reach the limits at the same object.
@Test func checkingKeepsTheLimitsOfDecoding() throws {
    var graph = ArchivedValue.string(String(repeating: "x", count: 100))
    for _ in 0..<6 { graph = .array([ArchivedValue](repeating: graph, count: 10)) }
    let archive = try KeyedArchiveReader(SharedBytes(try KeyedArchiveWriter.bytes(root: graph)))
    guard case .error = decoded(archive) else {
        Issue.record("the limits were kept")
        return
    }
    #expect(checked(archive) == decoded(archive))
}

/// All classes except unknown ones, in every form.
@Test(arguments: KeyedArchiveForm.all)
func validatorsKnowWhatIsUsual(_ form: KeyedArchiveForm) throws {
    for graph in graphs where !holdsObject(graph) {
        let bytes = try form.rewritten(archive: KeyedArchiveWriter.bytes(root: graph))
        #expect(validated(bytes) == .kind(of: graph), "\(graph)")
        #expect(CanonicalForm(ofArchive: SharedBytes(bytes)).isUsual, "\(graph)")
    }
}

@Test func aFieldTwiceIsNotTheFormOfAnArchiver() throws {
    let dictionary = ArchivedObject(
        className: "NSDictionary",
        fields: [ArchivedField("NS.objects", .array([])), ArchivedField("NS.objects", .array([]))])
    let own = ArchivedObject(
        className: "Drawing",
        fields: [ArchivedField("shape", .integer(1)), ArchivedField("shape", .integer(2))])
    for object in [dictionary, own] {
        let bytes = try KeyedArchiveWriter.bytes(root: .object(object))
        let form = CanonicalForm(ofArchive: SharedBytes(bytes))
        #expect(form.problem?.expected.contains("once") == true, "\(form)")
    }
}

private func holdsObject(_ value: ArchivedValue) -> Bool {
    switch value {
    case .object: true
    case .array(let members), .set(let members), .orderedSet(let members):
        members.contains(where: holdsObject)
    case .dictionary(let pairs): pairs.contains { holdsObject($0.value) }
    default: false
    }
}

/// More levels and more visits than a validator accepts.
@Test func validatorsStopWhereDecodingGoesOn() throws {
    var graph = ArchivedValue.array([])
    for _ in 0..<122 { graph = .array([graph]) }
    let deep = try KeyedArchiveWriter.bytes(root: graph)
    #expect(validated(deep) == nil)
    #expect(try KeyedArchiveReader(SharedBytes(deep)).root().uid != nil)
    graph = .string(String(repeating: "x", count: 1 << 20))
    #expect(validated(try KeyedArchiveWriter.bytes(root: graph)) == .kind(.string))
    // A list of 2,000 references to each list before it: two levels take few visits, three too many.
    #expect(validated(try wide(levels: 1)) == .kind(.other))
    #expect(validated(try wide(levels: 2)) == nil)
}

/// A keyed archive of an array whose members are all one array, and so on.
private func wide(levels: Int) throws -> [UInt8] {
    var writer = KeyedArchiveWriter()
    var inside = try writer.add(class: ["NSArray", "NSObject"], fields: [("NS.objects", .references([]))])
    for _ in 0..<levels {
        let members = [KeyedArchiveWriter.UID](repeating: inside, count: 2000)
        inside = try writer.add(
            class: ["NSArray", "NSObject"], fields: [("NS.objects", .references(members))])
    }
    return try writer.finish(top: [("root", inside)])
}
