import Base
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore
import TICDSOperations

/// A time: as text in ISO 8601, as seconds since 2001, and as what a file system tells. Each is written and read back
/// as the same, and can be compared, shifted and drawn.
@Sendable func readTime(_ bytes: SharedBytes) throws {
    let text = String(decoding: bytes.array, as: UTF8.self)
    if let time = FileTime(iso: text) { check(time) }
    let numbers = wholeNumbers(bytes)
    for number in numbers {
        if let time = FileTime(secondsSince2001: Double(bitPattern: UInt64(bitPattern: number))) {
            check(time)
        }
        _ = Int32(saturating: Double(bitPattern: UInt64(bitPattern: number)))
    }
    guard numbers.count >= 3 else { return }
    let time = FileTime(seconds: numbers[0], nanoseconds: Int32(truncatingIfNeeded: numbers[2]))
    let other = FileTime(seconds: numbers[1])
    check(time)
    let distance = time.seconds(since: other)
    guard (distance >= 0) == (time.seconds >= other.seconds) else { finding("\(time) and \(other)") }
    _ = time.adding(seconds: numbers[1])
    _ = CivilDate(daysSince1970: numbers[0]).daysSince1970
    let scale = TimelineScale(from: time, through: other, columns: Int(truncatingIfNeeded: numbers[2] & 63))
    _ = scale.column(of: other)
    _ = scale.ticks
}

private func check(_ time: FileTime) {
    guard FileTime(iso: time.iso) == time else { finding("\(time.seconds) is written as \(time.iso)") }
    _ = time.secondsSince2001
}

/// The input as numbers of 64 bits; few of them.
private func wholeNumbers(_ bytes: SharedBytes) -> [Int64] {
    stride(from: 0, through: min(bytes.count, 256) - 8, by: 8).compactMap { offset in
        bytes.number(at: offset, width: 8).map { Int64(bitPattern: $0) }
    }
}

@Sendable func timeSeeds() -> [[UInt8]] {
    let texts = [
        "2013-05-01T10:00:00.123456789Z", "-292277022657-01-27T08:29:52.000Z", "1000000-01-01T00:00:00Z",
        "292277026596-12-04T15:30:07.999999999Z", "999999-12-31T23:59:59.9Z", "-0001-02-29T00:00:00Z",
    ].map { Array($0.utf8) }
    return texts + [[Int64.min, .max, 7], [0, -1, 999_999_999], [.max, .min, 40]].map(bigEndian)
}

private func bigEndian(_ numbers: [Int64]) -> [UInt8] {
    numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}

/// Sizes, as a listing tells them: they are added up, cut into pieces, and written into manifests and headers.
@Sendable func readSize(_ bytes: SharedBytes) throws {
    var totals = FileTotals()
    for number in wholeNumbers(bytes) {
        totals.add(number)
        _ = EncryptedFile.canHaveSize(Int(number))
        totals.add(FileTotals(count: Int(number), bytes: totals.bytes))
    }
    try readSizeText(bytes.array)
}

@Sendable func sizeSeeds() -> [[UInt8]] {
    ["9223372036854775807", "-1", "9223372036854775296", "512"].map { Array($0.utf8) }
        + [bigEndian([.max, .max, .min]), bigEndian([112, -1, 1 << 62])]
}

/// A decimal number as text. What was read is written as a text that reads as the same number.
@Sendable func readDecimal(_ bytes: SharedBytes) throws {
    let text = String(decoding: bytes.array, as: UTF8.self)
    guard let number = ArchivedDecimal(text: text) else { return }
    let written = number.description
    guard written.utf8.count < 64 << 10 else {
        finding("\(text) is written with \(written.utf8.count) digits")
    }
    guard let back = ArchivedDecimal(text: written) else {
        // Zeros behind the last digit may be too many for 128 bits.
        guard number.exponent > 0 || number.isNaN else { finding("\(text) is written as \(written)") }
        return
    }
    guard back.description == written else { finding("\(written) is written as \(back)") }
}

@Sendable func decimalSeeds() -> [[UInt8]] {
    [
        "1e-9223372036854775808", "1e9223372036854775807", "-12.50", "NaN", "0.001e-9999", "1E9999",
        "340282366920938463463374607431768211455", "-0", ".5", "5.",
    ].map { Array($0.utf8) }
}

/// A journal: a database in which anything may stand.
@Sendable func readJournal(_ bytes: SharedBytes) throws {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    let state = RemoteState(root: folder.path.appending("app"), stateHome: folder.path)
    try NewFile.makeFolder(state.folder)
    try NewFile.write(bytes.array, to: state.folder.appending("journal.sqlite"))
    guard let journal = try Journal.read(state) else { return }
    for operation in try journal.operations() {
        _ = operation.started.seconds(since: operation.finished ?? .now)
        _ = try? journal.plan(of: operation.number)
    }
    _ = try Pruning.prune(state, olderThan: 1, largerThan: 1, isDryRun: true)
}

/// Journals of operations on files whose times lie at the ends of what can be told.
@Sendable func journalSeeds() throws -> [[UInt8]] {
    try [FileTime.first, .last, FileTime(seconds: 1_300_000_000)].map { time in
        let folder = try TemporaryFolder(prefix: "ticds-fuzz")
        let root = folder.path.appending("app")
        try NewFile.makeFolder(root)
        try NewFile.write([1, 2, 3], to: root.appending("a"))
        let storage = LocalStorage(root: root)
        var plan = Plan(root: root, command: "ticds-fuzz", summary: "Everything")
        plan.note(.warning, "Everything changes")
        plan.add(.writeFile(path: ["new"], content: .bytes(PlannedBytes([0, 255])), modified: time))
        plan.add(.moveToTrash(path: ["a"], seen: try storage.state(of: ["a"])), because: "nobody needs it")
        let state = RemoteState(root: root, stateHome: folder.path.appending("state"))
        _ = try Executor(state).run(plan)
        return try FileBytes.read(state.folder.appending("journal.sqlite"), limit: .register).array
    }
}
