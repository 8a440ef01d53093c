import Base
public import SystemCalls
public import SystemPackage

/// A file that SQLite keeps beside a store, named in place of the store.
public enum Sidecar {
    /// Throws `.unsupported` if the file is a write-ahead log, a rollback journal or shared memory of SQLite.
    public static func refuse(_ path: FilePath) throws(FileProblem) {
        let head = try FileBytes.head(path, count: 52).array
        guard head.count >= 8, let (name, suffix) = kind(head) else { return }
        let bytes = path.bytes
        let store =
            bytes.count > suffix.utf8.count && bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
            ? FilePath(pathBytes: Array(bytes.dropLast(suffix.utf8.count))).lastComponent : nil
        throw FileProblem(
            .unsupported, path: path, "is the \(name) of an SQLite store, not the store", expected: "a store",
            found: hexadecimalDigits(of: Array(head[..<4])),
            advice: store.map {
                "Name the store, \(FilePath(root: nil, [$0]).escaped), which must lie beside it"
            }
                ?? "Name the store, which must lie beside it")
    }

    /// Throws `.missing` if there is no store, but a log or journal of one with that name.
    public static func refuseOrphan(of store: FilePath) throws(FileProblem) {
        guard try FileStatus.ifPresent(store) == nil else { return }
        for (suffix, name) in [("-wal", "write-ahead log"), ("-journal", "rollback journal")] {
            guard let file = try SQLiteStoreFile.beside(store, suffix) else { continue }
            throw FileProblem(
                .missing, path: store, "there is only the \(name) of the store, not the store",
                found: file.lastComponent.map { FilePath(root: nil, [$0]).escaped },
                advice: "Put the store beside it under this name; its latest changes may be only in that file"
            )
        }
    }

    private static func kind(_ head: [UInt8]) -> (name: String, suffix: String)? {
        if head.starts(with: RollbackJournal.magic) { return ("rollback journal", "-journal") }
        let first = BigEndian.number(head, at: 0)
        if first & ~1 == 0x377F_0682, BigEndian.number(head, at: 4) == 3_007_000 {
            return ("write-ahead log", "-wal")
        }
        // The header of shared memory is stored twice, in the byte order of the machine.
        let version: [UInt8] = [0x18, 0xE2, 0x2D, 0x00]
        let isShared = [version, version.reversed()].contains { number in
            head.count >= 52 && head.starts(with: number) && head[48..<52].elementsEqual(number)
        }
        return isShared ? ("shared memory", "-shm") : nil
    }
}
