import Base
public import SystemCalls
public import SystemPackage

/// A new or unnamed file, open for writing, readable by its owner only. Used in private folders.
public struct PrivateFile {
    private let descriptor: FileDescriptor
    private let path: FilePath

    /// Makes the file, lets `body` write it, and closes it; only then are all errors known. On an error the file
    /// stays, incomplete.
    /// - Parameter permissions: the mode of the file, limited by the mode mask of the process; by default the owner
    ///   alone has access.
    public static func write(
        _ path: FilePath, permissions: FilePermissions = .ownerReadWrite,
        _ body: (PrivateFile) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let file = try PrivateFile(path, permissions)
        do throws(FileProblem) {
            try body(file)
        } catch {
            try? file.descriptor.close()  // try?: the first error counts
            throw error
        }
        do {
            try file.descriptor.close()
        } catch {
            throw failure(path, "cannot be written", error)
        }
    }

    private init(_ path: FilePath, _ permissions: FilePermissions) throws(FileProblem) {
        self.path = path
        do {
            if UnnamedFile.isPath(path) {
                descriptor = try FileDescriptor.open(path, .writeOnly, options: [.truncate, .closeOnExec])
            } else {
                descriptor = try FileDescriptor.open(
                    path, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                    permissions: permissions)
            }
        } catch {
            throw Self.failure(path, "cannot be created", error)
        }
    }

    /// Appends all bytes to the file.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) {
        do {
            _ = try descriptor.writeAll(bytes)
        } catch {
            throw Self.failure(path, "cannot be written", error)
        }
    }

    /// Writes all bytes over the first bytes of the file.
    func overwriteBeginning(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) {
        do {
            _ = try descriptor.writeAll(toAbsoluteOffset: 0, bytes)
        } catch {
            throw Self.failure(path, "cannot be written", error)
        }
    }

    private static func failure(_ path: FilePath, _ problem: String, _ error: any Error) -> FileProblem {
        .noPrivateCopy(path, problem, error)
    }
}

/// Copies of files in private folders.
enum FileCopy {
    private static let pieceSize = 1 << 20

    /// Copies a regular file; refuses a file that changes during the copy. `target` must not exist. The copy has the
    /// permissions of the source, limited by the mode mask of the process.
    /// - Parameter mode: the mode of the file of which `source` is a private copy; nil for the mode of `source`.
    static func copy(_ source: FilePath, to target: FilePath, mode: UInt32? = nil) throws(FileProblem) {
        let file = try OwnedDescriptor.file(source)
        let before = try file.status()
        try ReadLimit.anyFile.check(before.size, source)
        let readers = (mode ?? before.mode) & 0o444
        let permissions = FilePermissions(rawValue: CInterop.Mode(readers | readers >> 1 | 0o600))
        try PrivateFile.write(target, permissions: permissions) { (output) throws(FileProblem) in
            var offset = 0
            while offset < Int(before.size) {
                let piece = try file.bytes(in: offset..<min(offset + pieceSize, Int(before.size)))
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
