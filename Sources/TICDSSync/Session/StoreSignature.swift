import KeyedArchive
import SystemCalls
import SystemPackage

/// What tells that nobody has written to an SQLite file since it was looked at.
struct StoreSignature {
    /// Size, time, number and change counter of the file; nil where a journal or a log lies beside it, so that only
    /// SQLite knows what is in it.
    static func of(_ store: FilePath) throws(FileProblem) -> [UInt8]? {
        for suffix in ["-wal", "-journal"] {
            let beside = FilePath(pathBytes: store.bytes + Array(suffix.utf8))
            if let status = try FileStatus.ifPresent(beside), status.size > 0 { return nil }
        }
        let status = try FileStatus.of(store)
        let head = try FileBytes.head(store, count: 100)
        let counter = head.array(24..<28)
        let text =
            "\(status.size) \(status.modified.seconds).\(status.modified.nanoseconds) \(status.inode) \(counter)"
        return Array(text.utf8)
    }
}
