import KeyedArchive
import Testing

/// The result of checking and of decoding an archive: the error, or the kind of the value.
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

private let limits = ArchiveLimits(depth: 16, visits: 2000, bytes: 1 << 16)

private func checked(_ archive: KeyedArchiveReader) -> Answer {
    do throws(PropertyListError) {
        var decoder = ArchiveDecoder(archive, limits: limits)
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
    var errors = 0
    for place in sound.indices {
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
    #expect(errors > 0)
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

/// All classes except those that contain other objects and unknown ones.
@Test func validatorsKnowWhatIsUsual() throws {
    let familiar = try graphs.map { validated(try KeyedArchiveWriter.bytes(root: $0)) }
    let known = zip(graphs, familiar).filter { $1 != nil }
    #expect(known.count == graphs.count - 5)
    for (graph, answer) in known { #expect(answer == .kind(of: graph)) }
}

/// More levels and more bytes than a validator accepts.
@Test func validatorsStopWhereDecodingGoesOn() throws {
    var graph = ArchivedValue.array([])
    for _ in 0..<40 { graph = .array([graph]) }
    #expect(validated(try KeyedArchiveWriter.bytes(root: graph)) == nil)
    graph = .string(String(repeating: "x", count: 1 << 20))
    #expect(validated(try KeyedArchiveWriter.bytes(root: graph)) == nil)
}
