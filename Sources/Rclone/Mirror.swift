import Cryptography
import KeyedArchive
import Synchronization
import SystemCalls
import SystemPackage
import TICDSCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Private copies of files of storages, so that none is fetched twice: `$XDG_CACHE_HOME/ticds/mirror`. A file is found by
/// a digest of the storage, and of the path, size, time and digest that its listing says. What was not used for longest
/// goes first when the mirror grows too large.
final class Mirror: Sendable {
    /// The bytes that the mirror keeps beyond the end of a command: `TICDS_MIRROR_SIZE`, by default 10 GiB.
    let bound: Int64
    private let folder: FilePath
    private let hasGrown = Atomic<Bool>(false)

    private static let prefix = ".new-"

    init() throws(FileProblem) {
        folder = try Self.place().pushing("ticds/mirror")
        bound =
            getenv("TICDS_MIRROR_SIZE").flatMap { Int64(String(cString: $0)) }.map { max($0, 0) } ?? 10 << 30
        try Self.makeFolder(folder)
    }

    deinit { if hasGrown.load(ordering: .relaxed) { trim() } }

    private static func place() throws(FileProblem) -> FilePath {
        if let named = getenv("XDG_CACHE_HOME"), named.pointee == UInt8(ascii: "/") {
            return FilePath(platformString: named)
        }
        guard let home = getenv("HOME"), home.pointee == UInt8(ascii: "/") else {
            throw FileProblem(
                .missing, path: "~", "there is no folder for copies of what is read: HOME is not set",
                advice: "Set XDG_CACHE_HOME to a folder that can be written")
        }
        return FilePath(platformString: home).appending(".cache")
    }

    /// Makes a folder, and those above it, readable by their owner only.
    private static func makeFolder(_ path: FilePath) throws(FileProblem) {
        if let status = try FileStatus.ifPresent(path) {
            guard status.kind == .folder, status.owner == geteuid(), status.mode & 0o022 == 0 else {
                throw FileProblem(
                    .refused, path: path,
                    "is not a folder that only you can write to, and was not used as a cache",
                    advice: "Set XDG_CACHE_HOME to another folder")
            }
            return
        }
        if try FileStatus.ifPresent(path.removingLastComponent()) == nil {
            try makeFolder(path.removingLastComponent())
        }
        let made = path.withPlatformString { mkdir($0, 0o700) }
        guard made == 0 || errno == EEXIST else {
            throw FileProblem.writing(Errno(rawValue: errno), call: "mkdir", path: path)
        }
    }

    /// Where the copy of a file belongs, whether it is there or not.
    func place(_ file: RemoteFile, digest: String?, of address: RcloneAddress) -> FilePath {
        let key = [
            address.remote, file.path.bytes.map { String($0, radix: 16) }.joined(), "\(file.size)",
            "\(file.modified.seconds).\(file.modified.nanoseconds)", digest ?? "",
        ].joined(separator: "\0")
        let name = SHA256.hash(Array(key.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return folder.appending(String(name.prefix(2))).appending(name)
    }

    /// Opens a copy, and notes that it was used; nil if there is none of this size.
    func open(_ place: FilePath, size: Int64) throws(FileProblem) -> OwnedDescriptor? {
        guard let status = try FileStatus.ifPresent(place), status.kind == .file, status.size == size else {
            return nil
        }
        let times = [FileTime.now, status.modified].map {
            timespec(tv_sec: time_t($0.seconds), tv_nsec: Int($0.nanoseconds))
        }
        _ = place.withPlatformString { utimensat(AT_FDCWD, $0, times, AT_SYMLINK_NOFOLLOW) }
        do throws(FileProblem) {
            return try OwnedDescriptor.file(place)
        } catch {
            if error.kind == .missing { return nil }
            throw error
        }
    }

    /// Makes a copy: `write` fills the file at the path that it gets. Another process may have been faster.
    func add(_ place: FilePath, _ write: (FilePath) throws(FileProblem) -> Void) throws(FileProblem) {
        let parent = place.removingLastComponent()
        try Self.makeFolder(parent)
        let new = parent.appending(Self.prefix + RandomName.make())
        hasGrown.store(true, ordering: .relaxed)
        do throws(FileProblem) {
            try write(new)
            try NewFile.rename(new, to: place)
        } catch {
            _ = new.withPlatformString { unlink($0) }
            throw error
        }
    }

    /// Removes what was not used for longest, until the rest is below the bound, and what killed processes left.
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
                #if canImport(Glibc)
                    let used = status.st_atim
                #else
                    let used = status.st_atimespec
                #endif
                if name.starts(with: Self.prefix.utf8) {
                    if now -| Int64(used.tv_sec) > 86_400 { _ = path.withPlatformString { unlink($0) } }
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
