import CSystemCalls
public import KeyedArchive
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A private file in `TMPDIR` without a directory entry (O_TMPFILE), so that nothing is left however the process ends.
/// The file exists as long as this value or another open descriptor. On a system without `/proc` it has a name in a
/// private folder.
public final class UnnamedFile: Sendable {
    /// The path by which other code of this process opens the file.
    public let path: FilePath
    private let descriptor: CInt
    private let folder: TemporaryFolder?

    /// Makes an empty file.
    public init() throws(FileProblem) {
        let parent = TemporaryFolder.standardParent
        let opened = parent.withPlatformString { ticds_open_unnamed($0) }
        guard opened >= 0 else {
            throw FileProblem(
                .writeFailed, path: parent, "cannot make a temporary file",
                found: "\(Errno(rawValue: errno))",
                advice: "Set TMPDIR to a folder that can be written")
        }
        descriptor = opened
        let path = FilePath(Self.folder + "\(opened)")
        if path.withPlatformString({ access($0, R_OK | W_OK) }) == 0 {
            self.path = path
            folder = nil
        } else {
            let named = try TemporaryFolder()
            self.path = named.path.appending("file")
            folder = named
            try NewFile.write([], to: self.path)
        }
    }

    /// Replaces the content of the file.
    public func write(_ bytes: SharedBytes) throws(FileProblem) {
        let target = path.withPlatformString { open($0, O_WRONLY | O_TRUNC | O_CLOEXEC) }
        guard target >= 0 else { throw .writing(Errno(rawValue: errno), call: "open", path: path) }
        defer { close(target) }
        if let failure = bytes.withUnsafeBytes({ writeAll($0, to: target, at: 0) }) {
            throw .writing(failure, call: "pwrite", path: path)
        }
    }

    deinit { _ = close(descriptor) }

    private static let folder = "/proc/self/fd/"

    /// Whether a path is a link below `/proc/self/fd`, which leads to an open file of this process and nowhere else.
    public static func isPath(_ path: FilePath) -> Bool { path.bytes.starts(with: folder.utf8) }
}
