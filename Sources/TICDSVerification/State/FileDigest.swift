import Cryptography
import KeyedArchive
import SystemCalls
import TICDSCore

/// SHA-256 of a file's bytes as they lie in the remote.
enum FileDigest {
    private static let chunk = 256 << 10

    /// Reads the file piece by piece.
    static func of(_ path: RemotePath, in storage: LocalStorage) throws(FileProblem) -> [UInt8] {
        let file = try OpenFile.file(path.filePath(under: storage.root))
        var hasher = SHA256()
        var offset = 0
        while true {
            let piece = try file.bytes(in: offset..<offset + chunk)
            piece.withUnsafeBytes { hasher.update($0) }
            offset += piece.count
            if piece.count < chunk { return hasher.finalize() }
        }
    }
}
