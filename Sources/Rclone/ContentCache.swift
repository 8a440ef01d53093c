import Base
import Cryptography
import Glibc
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCore

/// Private copies of files of storages, so that no file is fetched twice: `$XDG_CACHE_HOME/ticds/mirror`. A file is
/// found by a digest of the storage, and of the path, size, time and digest in its listing. The SHA-256 of the fetched
/// bytes follows them, and is compared before the copy is used. When the cache grows too large, the least recently used
/// copies are removed first: the modification time of a copy is the time of its last use.
final class ContentCache: Sendable {
    /// The bytes that the cache keeps beyond the end of a command: `TICDS_MIRROR_SIZE`, by default 10 GiB.
    let bound: Int64
    private let folder: FilePath
    private let hasGrown = Atomic<Bool>(false)
    private let compared = Mutex<Set<FilePath>>([])

    private static let prefix = ".new-"

    init() throws(FileProblem) {
        folder = try CacheFolder.place("mirror")
        bound =
            getenv("TICDS_MIRROR_SIZE").flatMap { Int64(String(cString: $0)) }.map { max($0, 0) } ?? 10 << 30
        try CacheFolder.make(folder)
    }

    deinit { if hasGrown.load(ordering: .relaxed) { trim() } }

    /// The path of the copy of a file, whether it exists or not.
    /// - Parameter version: further data that distinguishes the file from another one with the same path, size and
    ///   time.
    func place(_ file: RemoteFile, version: String, of address: RcloneAddress) -> FilePath {
        let time = "\(file.modified.seconds).\(file.modified.nanoseconds)"
        var key = Array("\(address.remote)\0\(file.size)\0\(time)\0\(version)\0".utf8)
        key += file.path.bytes
        let name = hexadecimalDigits(of: SHA256.hash(key))
        return folder.appending(String(name.prefix(2))).appending(name)
    }

    /// Opens a copy, and records its use; nil if there is no intact copy of this size.
    func open(_ place: FilePath, size: Int64) throws(FileProblem) -> MirrorCopy? {
        if compared.withLock({ $0.contains(place) }) {
            return try unlessMissing { () throws(FileProblem) in
                MirrorCopy(try OwnedDescriptor.file(place), size: Int(size))
            }
        }
        return try unlessMissing { () throws(FileProblem) -> MirrorCopy? in
            let file = try OwnedDescriptor.file(place)
            guard file.statusAtOpening?.size == size + Int64(MirrorCopy.trailer) else { return nil }
            file.touch()
            let copy = MirrorCopy(file, size: Int(size))
            guard try copy.isIntact() else { return nil }
            compared.withLock { _ = $0.insert(place) }
            return copy
        } ?? nil
    }

    /// Whether there is a copy of this size. Its bytes are not compared.
    func has(_ place: FilePath, size: Int64) throws(FileProblem) -> Bool {
        try FileStatus.ifPresent(place)?.size == size + Int64(MirrorCopy.trailer)
    }

    /// Makes a copy of these bytes.
    func add(_ place: FilePath, _ bytes: [UInt8]) throws(FileProblem) -> MirrorCopy {
        try add(place, size: bytes.count) { (new) throws(FileProblem) in
            try PrivateFile.write(new) { (file) throws(FileProblem) in
                for bytes in [bytes, SHA256.hash(bytes)] {
                    try SharedBytes(bytes).withUnsafeBytes { (bytes) throws(FileProblem) in
                        try file.write(bytes)
                    }
                }
            }
        }
    }

    /// Makes a copy of a file that `fetch` writes at the path passed to it.
    func add(
        _ place: FilePath, size: Int64, fetch: (FilePath) throws(FileProblem) -> Void
    ) throws(FileProblem) -> MirrorCopy {
        try add(place, size: Int(size)) { (new) throws(FileProblem) in
            try fetch(new)
            let copy = MirrorCopy(try OwnedDescriptor.file(new), size: Int(size))
            let digest = try copy.digest()
            do {
                let file = try FileDescriptor.open(
                    new, .writeOnly, options: [.append, .noFollow, .closeOnExec])
                try file.closeAfter { _ = try file.writeAll(digest) }
            } catch {
                throw FileProblem.writing(error, path: new)
            }
        }
    }

    /// Moves a new file to its place. Another process may have been faster, or may remove the copy at once, but it is
    /// already open.
    private func add(
        _ place: FilePath, size: Int, _ write: (FilePath) throws(FileProblem) -> Void
    ) throws(FileProblem) -> MirrorCopy {
        let parent = place.removingLastComponent()
        try CacheFolder.make(parent)
        let new = parent.appending(Self.prefix + RandomName.make())
        hasGrown.store(true, ordering: .relaxed)
        do throws(FileProblem) {
            try write(new)
            let copy = MirrorCopy(try OwnedDescriptor.file(new), size: size)
            try NewFile.rename(new, to: place)
            compared.withLock { _ = $0.insert(place) }
            return copy
        } catch {
            _ = new.withPlatformString { unlink($0) }
            throw error
        }
    }

    /// Removes the least recently used copies until the rest is below the bound, and the remains of killed processes.
    private func trim() {
        var files: [(path: FilePath, size: Int64, used: timespec)] = []
        guard let top = try? OwnedDescriptor.folder(folder) else { return }  // try?: leftovers may stay
        var folders: [FilePath] = []
        try? DirectoryReader.forEachEntry(of: top) { name, _ in  // try?: as above
            folders.append(folder.pushing(FilePath(nameBytes: name)))
        }
        let now = FileTime.now.seconds
        for folder in folders {
            guard let open = try? OwnedDescriptor.folder(folder) else { continue }  // try?: as above
            try? DirectoryReader.forEachEntry(of: open) { name, _ in  // try?: as above
                let path = folder.pushing(FilePath(nameBytes: name))
                var status = stat()
                guard path.withPlatformString({ lstat($0, &status) }) == 0 else { return }
                let (used, changed) = (status.st_mtim, status.st_ctim)
                if name.starts(with: Self.prefix.utf8) {
                    // The modification time is not used: rclone gives a copy the time of the original.
                    if now -| Int64(changed.tv_sec) > 86_400 { _ = path.withPlatformString { unlink($0) } }
                } else {
                    files.append((path, Int64(status.st_size), used))
                }
            }
        }
        var total = files.reduce(Int64(0)) { $0 +| $1.size }
        guard total > bound else { return }
        files.sort { ($0.used.tv_sec, $0.used.tv_nsec) < ($1.used.tv_sec, $1.used.tv_nsec) }
        for file in files {
            guard total > bound else { return }
            if file.path.withPlatformString({ unlink($0) }) == 0 { total = total -| file.size }
        }
    }
}

/// An open copy in the cache: the bytes of the file, followed by their SHA-256.
final class MirrorCopy: Sendable {
    /// The number of bytes of the digest.
    static let trailer = 32
    private let file: OwnedDescriptor
    private let size: Int

    /// - Parameter size: the size without the digest.
    init(_ file: consuming OwnedDescriptor, size: Int) {
        self.file = file
        self.size = size
    }

    /// Fills `buffer` with the bytes from `offset` on; returns their number, which is less if the file ends before.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileProblem) -> Int {
        let count = min(buffer.count, max(0, size -| offset))
        return try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset)
    }

    /// The bytes of `range`; fewer if the file ends before.
    func bytes(in range: Range<Int>) throws(FileProblem) -> SharedBytes {
        try file.bytes(in: range.clamped(to: 0..<size))
    }

    /// All bytes, in memory that may be changed.
    func privateBytes() throws(FileProblem) -> PrivateBytes {
        let bytes = try PrivateBytes(count: size, path: file.path)
        guard try read(into: bytes.memory, at: 0) == size else { throw RangeReader.changed(file.path) }
        return bytes
    }

    /// The SHA-256 of the bytes.
    fileprivate func digest() throws(FileProblem) -> [UInt8] {
        var hash = try SHA256(for: file.path)
        let piece = 256 << 10
        for offset in stride(from: 0, to: size, by: piece) {
            try bytes(in: offset..<min(offset + piece, size)).withUnsafeBytes { hash.update($0) }
        }
        return hash.finalize()
    }

    fileprivate func isIntact() throws(FileProblem) -> Bool {
        let written = try file.bytes(in: size..<size + Self.trailer).array
        return try digest() == written
    }
}
