import KeyedArchive
import SystemCalls
import SystemPackage

/// Copies of files in folders that nobody else uses.
enum FileCopy {
    private static let pieceSize = 1 << 20

    /// Copies a plain file; one that changes meanwhile is refused. There must be nothing at `target`. The copy is readable
    /// by those who may read the source, as far as the mode mask of the process admits them: what was decrypted or
    /// unzipped before, by its owner alone.
    static func copy(_ source: FilePath, to target: FilePath) throws(FileProblem) {
        let file = try OwnedDescriptor.file(source)
        let before = try file.status()
        try ReadLimit.anyFile.check(before.size, source)
        let permissions = FilePermissions(rawValue: CInterop.Mode(before.mode & 0o666 | 0o600))
        try PrivateFile.write(target, permissions: permissions) { (output) throws(FileProblem) in
            var offset = 0
            while true {
                let piece = try file.bytes(in: offset..<offset + pieceSize)
                guard piece.count > 0 else { return }
                offset += piece.count
                try piece.withUnsafeBytes { (bytes) throws(FileProblem) in try output.write(bytes) }
            }
        }
        guard try file.status() == before, try FileStatus.of(source) == before else {
            throw .changing(source)
        }
    }

    /// Gives a finished copy its time, and forces it to disk.
    static func finish(_ path: FilePath, modified: FileTime) throws(FileProblem) {
        let folder = try OwnedDescriptor.folder(path.parent)
        let name = FilePath(nameBytes: path.lastComponent?.bytes ?? [])
        try folder.file(name).sync()
        try folder.setTime(modified, of: name)
    }
}
