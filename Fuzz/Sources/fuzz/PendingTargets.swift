import Base
import CoreDataStore
import KeyedArchive
import SystemCalls
import SystemPackage
import TICDSCore

/// A rollback journal or a write-ahead log beside a store: whatever it asks for, the store grows by no more than what the
/// file holds. The checksums of the log are set right, so that what lies behind them is reached.
@Sendable func readPending(_ bytes: SharedBytes) throws {
    try save("-journal", bytes.array)
    try save("-wal", bytes.array)
    try save("-wal", Log.repaired(bytes.array))
}

private func save(_ suffix: String, _ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    let store = folder.path.appending("store")
    try NewFile.write(try emptyStore.get(), to: store)
    try NewFile.write(bytes, to: FilePath(store.string + suffix))
    let copy = folder.path.appending("copy")
    try StoreCopy.copy(store, to: copy)
    defer {
        let most = Int64(bytes.count) + Int64((try? emptyStore.get().count) ?? 0) + 1 << 17
        if let size = try? FileStatus.of(copy).size, size > most { finding("a store of \(size) bytes") }
    }
    _ = try PendingWrites(saving: copy)
}

private let emptyStore = Result {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    let path = folder.path.appending("register")
    try ChangeSetRegisterWriter.write([RegisteredChangeSet(identifier: "a", clientIdentifier: "b")], to: path)
    return try FileBytes.read(path, limit: .register).array
}

@Sendable func pendingSeeds() throws -> [[UInt8]] {
    let page = Array(try emptyStore.get().prefix(4096))
    let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    let journal = magic + [1, 7, 2, 512, 4096].flatMap(Log.number) + [UInt8](repeating: 0, count: 484)
    let sum = stride(from: 4096 - 200, to: 0, by: -200).reduce(UInt32(7)) { $0 &+ UInt32(page[$1]) }
    let log = [0x377F_0683, 3_007_000, 4096, 0, 1, 2, 0, 0].flatMap(Log.number)
    let frame = [1, 2, 1, 2, 0, 0].flatMap(Log.number) + page
    return [
        journal + Log.number(1) + page + Log.number(sum), Log.repaired(log + frame),
        Log.repaired(log + frame + frame),
    ]
}

/// Write-ahead logs.
private enum Log {
    static func number(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }

    /// The log with right checksums in its header and in all frames.
    static func repaired(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 32 else { return bytes }
        var bytes = bytes
        var sums: (UInt32, UInt32) = (0, 0)
        func add(_ range: Range<Int>) {
            for offset in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
                sums.0 &+= word(offset) &+ sums.1
                sums.1 &+= word(offset + 4) &+ sums.0
            }
        }
        func word(_ offset: Int) -> UInt32 {
            let word = bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
            return bytes[3] & 1 == 1 ? word : word.byteSwapped
        }
        add(0..<24)
        bytes.replaceSubrange(24..<32, with: number(sums.0) + number(sums.1))
        let page = 4096
        for frame in stride(from: 32, through: bytes.count - page - 24, by: page + 24) {
            add(frame..<frame + 8)
            add(frame + 24..<frame + 24 + page)
            bytes.replaceSubrange(frame + 8..<frame + 16, with: bytes[16..<24])
            bytes.replaceSubrange(frame + 16..<frame + 24, with: number(sums.0) + number(sums.1))
        }
        return bytes
    }
}
