@testable import CoreDataStore
import Base
import CoreDataTools
import KeyedArchive
import SystemCalls
import SystemPackage

/// A damaged database alone, and as the log and the journal of a sound one. Whatever is found has its place in a file.
@Sendable func recoverPages(_ bytes: SharedBytes) throws {
    try? recover([("", bytes.array)])
    guard let sound = try deletedStore.get().first else { return }
    try? recover([("", sound), ("-wal", bytes.array)])
    try? recover([("", sound), ("-journal", bytes.array)])
}

/// The check of the pages of tables and indexes, from each of the first pages as a root.
@Sendable func checkPages(_ bytes: SharedBytes) throws {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    let store = folder.path.appending("store")
    try NewFile.write(bytes.array, to: store)
    for root in 0...8 {
        var check = try TreeCheck(store)
        try check.markFreePages()
        _ = try check.isTable(root)
        _ = try check.table(root, [[3, nil, 2], [1]])
        for count in 0...TreeCheck.orderLimit + 1 {
            var check = try TreeCheck(store)
            _ = try check.index(root, count)
        }
    }
}

private func recover(_ files: [(suffix: String, bytes: [UInt8])]) throws {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    let store = folder.path.appending("store")
    for file in files { try NewFile.write(file.bytes, to: FilePath(store.string + file.suffix)) }
    let recovery = try StoreRecovery(store)
    try recovery.forEachRow(onDamage: { _ in }) { row in
        guard let size = try? FileStatus.of(row.file).size, row.offset < size else {
            finding("a row behind the end of its file")
        }
        if row.state == .live && row.source != .live { finding("a present row outside of its tree") }
    }
}

/// A store with deleted rows and its log, as lines of statements make them.
private let deletedStore = Result {
    let folder = try TemporaryFolder(prefix: "ticds-fuzz")
    let path = folder.path.appending("store")
    let connection = try SQLiteConnection(uri: "file:\(path)", mode: .create)
    for sql in recoveryStatements { try connection.execute(sql) }
    return try ["", "-wal"].map { suffix in
        try FileBytes.read(FilePath(path.string + suffix), limit: .register).array
    }
}

private let recoveryStatements = [
    "PRAGMA page_size = 512", "PRAGMA secure_delete = OFF", "PRAGMA journal_mode = WAL",
    "CREATE TABLE ZA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZN INTEGER, ZT VARCHAR, ZB BLOB )",
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    "CREATE INDEX ZA_ZN_INDEX ON ZA (ZN)", "INSERT INTO Z_PRIMARYKEY VALUES (1, 'A', 0, 9)",
    "INSERT INTO ZA VALUES (1, 1, 1, 5, 'one', NULL), (2, 1, 1, 6, 'two', zeroblob(900)), (3, 1, 1, 7, 'three', x'01')",
    "PRAGMA wal_checkpoint(RESTART)", "DELETE FROM ZA WHERE Z_PK = 2",
    "UPDATE ZA SET ZT = 'four' WHERE Z_PK = 3",
]

@Sendable func recoverySeeds() throws -> [[UInt8]] { try deletedStore.get() }
