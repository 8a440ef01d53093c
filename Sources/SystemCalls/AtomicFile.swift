import Base
import Glibc
public import SystemPackage

/// Replaces a file outside remotes by rename(2): a reader sees either all old bytes or all new ones.
public enum AtomicFile {
    /// Writes `bytes` to a temporary file beside `path`, forces it to disk and renames it to `path`. A replaced file
    /// keeps its mode; a new file follows the umask.
    public static func write(_ bytes: [UInt8], to path: FilePath) throws(FileProblem) {
        try write(to: path) { (sink) throws(FileProblem) in
            try bytes.span.withUnsafeBytes { (bytes) throws(FileProblem) in try sink(bytes) }
        }
    }

    /// Writes the pieces that `body` passes to its sink, as `write(_:to:)` writes bytes.
    package static func write(
        to path: FilePath, _ body: (NewFile.Sink) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        guard path.lastComponent != nil else {
            throw FileProblem(
                .writeFailed, path: path, "cannot be used as the name of a file", advice: "Give another name")
        }
        try path.requireParent()
        let former = try FileStatus.ifPresent(path)
        if let former, former.kind != .file {
            throw former.kind == .folder ? .isFolder(path) : .notRegular(former.kind, path: path)
        }
        removeDrafts(in: path.parent)
        let new = path.parent.appending(prefix + RandomName.make())
        do throws(FileProblem) {
            try NewFile.write(to: new, mode: former?.mode, body)
            try OwnedDescriptor.file(new).sync()
            try NewFile.rename(new, to: path)
        } catch {
            _ = new.withPlatformString { unlink($0) }
            guard error.path == new else { throw error }
            // The name of the draft would be meaningless to users.
            throw FileProblem(
                error.kind, path: path, error.problem, expected: error.expected, found: error.found,
                advice: error.advice == error.kind.usualAdvice
                    ? "Choose another place, or get permission to write here" : error.advice)
        }
        try OwnedDescriptor.folder(path.parent).sync()
    }

    private static let prefix = ".ticds-draft-"

    /// Removes temporary files that killed processes left. A process needs one for moments; these are older than a day.
    private static func removeDrafts(in parent: FilePath) {
        // try?: leftovers may stay
        guard let folder = try? OwnedDescriptor.folder(parent) else { return }
        var old: [FilePath] = []
        // try?: as above
        try? DirectoryReader.forEachEntry(of: folder, where: { $0.starts(with: Array(prefix.utf8)) }) {
            name, found in
            guard RandomName.matches(name.dropFirst(prefix.utf8.count)), case .success(let status) = found,
                status.kind == .file, FileTime.now.seconds(since: status.modified) > 86_400
            else { return }
            old.append(FilePath(nameBytes: name))
        }
        for draft in old { try? folder.remove(draft) }  // try?: as above
    }
}

/// Random file names, which no other process chooses.
package enum RandomName {
    package static func make() -> String { randomHexadecimalDigits(bytes: 16) }

    package static func matches(_ name: some Collection<UInt8>) -> Bool {
        name.count == 32 && name.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}

/// Creates files and folders. Nothing here replaces a file.
public enum NewFile {
    /// Creates the file `path`, which must not exist, with these bytes and time. Does not call fsync(2).
    /// - Parameter mode: the permissions, which the volume must be able to store; nil for those that the umask grants.
    public static func write(
        _ bytes: [UInt8], to path: FilePath, modified: FileTime? = nil, mode: UInt32? = nil
    ) throws(FileProblem) {
        try write(to: path, modified: modified, mode: mode) { (sink) throws(FileProblem) in
            try bytes.span.withUnsafeBytes { (bytes) throws(FileProblem) in try sink(bytes) }
        }
    }

    /// Takes a piece of a file.
    package typealias Sink = (UnsafeRawBufferPointer) throws(FileProblem) -> Void

    /// Creates a file of the pieces that `body` passes to its sink; see `write(_:to:modified:mode:)`.
    package static func write(
        to path: FilePath, modified: FileTime? = nil, mode: UInt32? = nil,
        _ body: (Sink) throws(FileProblem) -> Void
    ) throws(FileProblem) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = path.withPlatformString { open($0, flags, mode == nil ? 0o666 : 0o600) }
        guard file >= 0 else { throw failure(path) }
        defer { close(file) }
        if let mode { try setMode(file, mode & 0o777, path: path) }
        var written = 0
        try body { (piece) throws(FileProblem) in
            guard writeAll(piece, to: file, at: written) == nil else { throw failure(path) }
            written += piece.count
        }
        if let modified { try setTime(modified, of: file, path) }
    }

    /// Creates the folder `path`, which must not exist, in a folder that must exist.
    public static func makeFolder(_ path: FilePath) throws(FileProblem) {
        guard path.withPlatformString({ mkdir($0, 0o777) }) == 0 else { throw failure(path) }
    }

    /// Sets the modification time of a folder.
    public static func setTime(_ time: FileTime, ofFolder path: FilePath) throws(FileProblem) {
        let folder = path.withPlatformString { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW) }
        guard folder >= 0 else { throw failure(path) }
        defer { close(folder) }
        try setTime(time, of: folder, path)
    }

    /// Gives a file the permissions of another file.
    public static func copyMode(of old: FilePath, to new: FilePath) throws(FileProblem) {
        let file = try OwnedDescriptor.file(new)
        try setMode(file.descriptor, FileStatus.of(old).mode & 0o777, path: new)
        _ = consume file
    }

    /// Takes away the permissions of a file, or of a folder and everything in it, for those who may not read a file with
    /// this mode: it is then not more readable than that file.
    public static func restrict(_ path: FilePath, to mode: UInt32) throws(FileProblem) {
        let status = try FileStatus.of(path)
        // Who may read the one may write and look into the other, if the umask grants it.
        let readers = mode & 0o444
        let granted = 0o700 | readers | readers >> 1 | readers >> 2
        switch status.kind {
        case .file:
            let file = try OwnedDescriptor.file(path)
            try setMode(file.descriptor, status.mode & 0o777 & granted, path: path)
            _ = consume file
        case .folder:
            let folder = try OwnedDescriptor.folder(path)
            for name in try DirectoryReader.names(in: folder) { try restrict(path.pushing(name), to: mode) }
            try setMode(folder.descriptor, status.mode & 0o777 & granted, path: path)
            _ = consume folder
        case .symbolicLink, .special: break
        }
    }

    /// Renames `old` to `new`, which must not exist or be an empty folder.
    public static func rename(_ old: FilePath, to new: FilePath) throws(FileProblem) {
        let result = old.withPlatformString { from in
            new.withPlatformString { to in
                Glibc.rename(from, to)
            }
        }
        guard result == 0 else { throw failure(new) }
    }

    private static func setTime(_ time: FileTime, of file: CInt, _ path: FilePath) throws(FileProblem) {
        let stamp = timespec(tv_sec: time_t(time.seconds), tv_nsec: Int(time.nanoseconds))
        guard futimens(file, [stamp, stamp]) == 0 else { throw failure(path) }
    }

    private static func failure(_ path: FilePath) -> FileProblem {
        let number = Errno(rawValue: errno)
        if [.noSpace, .diskQuotaExceeded, .fileTooLarge].contains(number) {
            return .writing(number, path: path)
        }
        return FileProblem(.writeFailed, path: path, "cannot be written", found: "\(number)")
    }
}

/// Writes all bytes to a file at `offset`, by pwrite(2). Returns the error; nil for success.
func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt, at offset: Int) -> Errno? {
    var done = 0
    while let start = bytes.baseAddress, done < bytes.count {
        let count = uninterrupted {
            pwrite(descriptor, start + done, bytes.count - done, off_t(offset + done))
        }
        guard count > 0 else { return Errno(rawValue: errno) }
        done += count
    }
    return nil
}

/// A file or folder outside of any remote that appears under its name only when it is complete. It is made in a private
/// folder beside its target, forced to disk, and then renamed. If an error occurs before the rename, nothing is left.
/// It gets the permissions of the entry that it replaces.
public struct AtomicOutput: Sendable {
    /// The final path.
    public let target: FilePath
    /// The path under which the caller makes the file or folder; nothing exists there yet.
    public let path: FilePath
    private let folder: TemporaryFolder
    private let isReplacing: Bool
    private let offersForce: Bool

    /// - Parameters:
    ///   - isReplacing: whether an entry with the name of `target` may be replaced.
    ///   - offersForce: whether the command has an option `--force`, which replaces the target.
    /// - Throws: `.refused` if `target` exists and may not be replaced; `.missing` without a folder to contain it.
    public init(
        _ target: FilePath, isReplacing: Bool, offersForce: Bool = true
    ) throws(FileProblem) {
        guard let name = target.lastComponent, name.kind == .regular else {
            throw FileProblem(
                .refused, path: target, "not the name of a new file or folder", advice: "Name a new file")
        }
        self.target = target
        self.isReplacing = isReplacing
        self.offersForce = offersForce
        try target.requireParent()
        let open = try OwnedDescriptor.folder(target.parent)
        let entry = FilePath(nameBytes: name.bytes)
        if try open.exists(entry) {
            if !isReplacing, try !Self.isEmptyFolder(entry, of: open) {
                throw Self.exists(target, offersForce)
            }
            switch try open.status(of: entry).kind {
            case .file, .folder: break
            case .symbolicLink:
                throw FileProblem(
                    .refused, path: target, "this is a symbolic link",
                    advice: "Name the file or folder itself")
            case .special:
                throw FileProblem(
                    .refused, path: target, "this is a device, a pipe or a socket, and no file",
                    advice: "Name a new file; - is standard output where the command can write there")
            }
        }
        folder = try TemporaryFolder(in: target.parent, prefix: ".ticds")
        path = folder.path.appending(name)
        folder.represent(target, as: name)
    }

    /// The path of a further file in the private folder.
    public func aside(_ name: String) -> FilePath { folder.path.appending(name) }

    /// Takes away the permissions that a file with this mode does not give; see ``NewFile/restrict(_:to:)``.
    public func restrict(to mode: UInt32) throws(FileProblem) { try NewFile.restrict(path, to: mode) }

    /// Forces the file or folder to disk and renames it to its target.
    public func finish() throws(FileProblem) {
        try Self.synchronise(path)
        let open = try OwnedDescriptor.folder(target.parent)
        let inside = try OwnedDescriptor.folder(folder.path)
        let name = FilePath(nameBytes: target.lastComponent?.bytes ?? [])
        if try open.exists(name) {
            let former = try Self.names(in: name, of: open)
            let new = try Self.names(in: name, of: inside)
            guard isReplacing || (former?.isEmpty == true && new != nil) else {
                throw Self.exists(target, offersForce)
            }
            if let former { try refuseForeign(former.subtracting(new ?? [])) }
            if former == nil, new != nil { throw Self.exists(target, false) }
            let old = try open.status(of: name)
            if old.kind == .file, try inside.status(of: name).kind == .file {
                try inside.replaceKeepingMode(name, in: open, by: name)
                return try open.sync()
            }
            if former != nil, new != nil { try inside.folder(name).takeModes(of: open.folder(name)) }
            try open.move(name, to: inside, as: "replaced")
            do throws(FileProblem) {
                try inside.move(name, to: open, as: name)
            } catch {
                try? inside.move("replaced", to: open, as: name)  // try?: the caller gets the first error
                throw error
            }
        } else {
            try inside.move(name, to: open, as: name)
        }
        try open.sync()
    }

    /// Whether a new file or folder can get the name `target` without a replacement: nothing is there, or an empty folder.
    public static func isFree(_ target: FilePath) throws(FileProblem) -> Bool {
        guard try FileStatus.ifPresent(target) != nil else { return true }
        let name = FilePath(nameBytes: target.lastComponent?.bytes ?? [])
        return try isEmptyFolder(name, of: OwnedDescriptor.folder(target.parent))
    }

    private static func isEmptyFolder(
        _ entry: FilePath, of parent: borrowing OwnedDescriptor
    ) throws(FileProblem) -> Bool {
        try names(in: entry, of: parent)?.isEmpty == true
    }

    /// The names in an entry of a folder; nil if the entry is not a folder.
    private static func names(
        in entry: FilePath, of parent: borrowing OwnedDescriptor
    ) throws(FileProblem) -> Set<FilePath>? {
        guard try parent.status(of: entry).kind == .folder else { return nil }
        return Set(try DirectoryReader.names(in: parent.folder(entry)))
    }

    /// Refuses to replace a folder with files that a different command made.
    private func refuseForeign(_ names: Set<FilePath>) throws(FileProblem) {
        if names.isEmpty { return }
        let shown = names.map(\.escaped).sorted()
        throw FileProblem(
            .refused, path: target, "the folder contains files that this command would not write again",
            found: shown.listed(), advice: "Choose another folder, or move these files away")
    }

    private static func synchronise(_ path: FilePath) throws(FileProblem) {
        guard try FileStatus.of(path).kind == .folder else { return try OwnedDescriptor.file(path).sync() }
        let open = try OwnedDescriptor.folder(path)
        for name in try DirectoryReader.names(in: open) { try synchronise(path.pushing(name)) }
        try open.sync()
    }

    private static func exists(_ target: FilePath, _ offersForce: Bool) -> FileProblem {
        FileProblem(
            .refused, path: target, "something with that name already exists",
            advice: offersForce ? "Choose another name, or replace it with --force" : "Choose another name")
    }
}
