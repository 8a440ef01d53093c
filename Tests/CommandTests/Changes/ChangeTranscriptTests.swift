import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TestSupport
import Testing
import TICDSCommandLine

@testable import TICDSCore
@testable import TICDSDataCommands
@testable import TICDSCommands

/// Lines from the bytes of any set equal those of its values.
@Suite struct ChangeTranscriptTests {
    private static let place = ChangePlace(document: "a\"b", client: nil, changeSet: "set")

    /// The result for a set: its lines, and the parts that could not be read.
    private struct Given: Equatable {
        var lines: String
        var problems: [String] = []
    }

    /// The lines of the values, appended to `json`.
    private static func decoded(_ bytes: SharedBytes, after done: Int, _ json: consuming JSONWriter) -> Given
    {
        var problems: [String] = []
        do throws(FileProblem) {
            try ChangeSetReader(bytes, path: "set").forEachRecord(
                at: place, after: done, onDamage: { problems.append("\($0)") },
                { ChangeLines.write($0, to: &json) })
        } catch {
            problems.append("\(error)")
        }
        return Given(lines: json.text, problems: problems)
    }

    /// The lines as `dump` prints them, and the number of them that come from the bytes; nil for all.
    private static func printed(_ bytes: SharedBytes) -> (given: Given, count: Int?) {
        var json = JSONWriter(nil)
        let transcript = ChangeTranscript(bytes, place, workers: 2)
        guard let done = transcript.map({ $0.write(to: &json) }) ?? 0 else {
            return (Given(lines: json.text), nil)
        }
        return (decoded(bytes, after: done, json), done)
    }

    private static func expectSame(_ bytes: [UInt8], _ comment: Comment) -> Int? {
        let bytes = SharedBytes(bytes)
        let (given, count) = printed(bytes)
        #expect(given == decoded(bytes, after: 0, JSONWriter(nil)), comment)
        return count
    }

    /// Values of every kind; those of an unusual kind are decoded.
    private static let values: [ArchivedValue] = [
        .string("plain"), .string("a \"word\" \\ of\ttext\u{7F} that is long enough for words"),
        .string("Größe"),
        .string("\u{85}\u{61C}\u{200E}\u{2028}\u{2066}é🍮"), .string(""),
        .string(String(repeating: "abcdefg", count: 20_000)),
        .null, .none, .boolean(true), .boolean(false), .integer(0), .integer(-1),
        .integer(9_007_199_254_740_991),
        .integer(9_007_199_254_740_992), .integer(.max), .real(0.1), .real(-0.0), .real(.infinity),
        .real(.nan),
        .date(0.25), .date(-1e11), .date(1e300), .data([]), .data([1]), .data(Array(0...255)),
        .array([.string("a"), .array([]), .dictionary(["$k": .integer(1)])]),
        .set([.string("a"), .integer(2)]),
        .orderedSet([.string("a")]), .dictionary(["a": .integer(1), "ü\n": .null]), .dictionary([:]),
        .dictionary([ArchivedPair(key: .integer(1), value: .null)]), .uuid(.random()),
        .url("http://example.com"),
        .decimal(ArchivedDecimal(mantissa: 250, exponent: -2, isNegative: false)),
        .attributedString(
            ArchivedAttributedString(
                string: "runs", attributes: [.dictionary(["a": .integer(1)])],
                runs: [.init(length: 4, attributes: 0)])),
        .object(ArchivedObject(className: "C", fields: [ArchivedField("f", .data([1, 2, 3]))])),
    ]

    private static func change(_ number: Int) -> SyncChange {
        let value = values[number % values.count]
        let time = Double(number * 7919 % 1000) / 8
        switch number % 6 {
        case 0:
            let pairs: ArchivedValue = .dictionary([
                "title": .string("n \(number)"), "ü": value, "ticdsSyncID": .string("x"),
            ])
            return SyncChange(
                type: .insert, entity: "Note", objectSyncID: "\(number)", changedAttributes: pairs,
                timestamp: time)
        case 1:
            return SyncChange(
                type: .toOne, entity: "Note", objectSyncID: nil, key: "book", relatedEntity: "Book",
                changedRelationships: number % 4 == 1 ? .null : .string("b"), timestamp: time)
        case 2:
            return SyncChange(
                type: .addToMany, entity: "Note", objectSyncID: "Größe", key: "tags", relatedEntity: "Tag",
                changedRelationships: .string("🍮"), timestamp: time)
        case 3: return SyncChange(type: .delete, entity: "", objectSyncID: "d", timestamp: time)
        default:
            return SyncChange(
                type: .attribute, entity: "Note", objectSyncID: "\(number)", key: "k",
                changedAttributes: value,
                timestamp: time)
        }
    }

    @Test func linesFromBytesAreThoseOfTheValues() throws {
        for count in 0..<3 * Self.values.count {
            let bytes = try ChangeSetWriter.bytes(of: [Self.change(count), Self.change(count + 1)])
            #expect(Self.expectSame(bytes, "change \(count)") == nil)
        }
    }

    @Test func linesOfManyChangesComeInOrder() throws {
        let changes = (0..<LocatedChanges.parallelCount + 1000).lazy.map(Self.change)
        #expect(Self.expectSame(try ChangeSetWriter.bytes(of: changes), "many") == nil)
        // The last changes in the order of application have a type that only the decoder supports.
        let unknown = (0..<300).map {
            SyncChange(type: .unknown(77), entity: "Note", objectSyncID: "\($0)", timestamp: Double($0))
        }
        let count = try #require(
            Self.expectSame(try ChangeSetWriter.bytes(of: Array(changes) + unknown), "unknown"))
        #expect(count > 0 && count <= LocatedChanges.parallelCount + 1000)
    }

    @Test func aFewLargeValuesTakeTurns() throws {
        let data = [UInt8](repeating: 7, count: 3 << 20)
        let changes = (0..<9).map {
            SyncChange(
                type: .attribute, entity: "Note", objectSyncID: "\($0)", key: "k",
                changedAttributes: .data(data),
                timestamp: 1)
        }
        #expect(Self.expectSame(try ChangeSetWriter.bytes(of: changes), "large") == nil)
    }

    @Test func damagedSetsGiveTheSameLinesAndProblems() throws {
        let sound = try ChangeSetWriter.bytes(of: (6..<46).map(Self.change))
        var numbers = RandomNumbers()
        var outcomes: [Bool: Int] = [:]
        for turn in 0..<1500 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                let place = Int.random(in: 64..<bytes.count, using: &numbers)
                bytes[place] =
                    Bool.random(using: &numbers)
                    ? sound[Int.random(in: 0..<bytes.count, using: &numbers)]
                    : UInt8.random(in: .min ... .max, using: &numbers)
            }
            outcomes[Self.expectSame(bytes, "turn \(turn)") == nil, default: 0] += 1
        }
        #expect(outcomes[true, default: 0] > 100 && outcomes[false, default: 0] > 100)
    }

    @Test func setsOfTheFrameworkAreWrittenFromTheirBytes() throws {
        var count = 0
        for (path, entry) in try TreeImage(of: Fixtures.remotes.appending("live")).entries
        where path.suffix(8) == Array(".syncchg".utf8)[...] && !entry.content.isEmpty {
            #expect(Self.expectSame(entry.content, "\(FilePath(nameBytes: path))") == nil)
            count += 1
        }
        #expect(count > 20)
    }
}
