import CSystemCalls
public import KeyedArchive
public import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A private file in `TMPDIR` that has no name in any folder, so that nothing of it is left however the process ends. It
/// lives as long as this value; what is open on it by its path lives longer. Where a file cannot be reached without a
/// name, on a system without `/proc`, it lies in a private folder.
public final class UnnamedFile: Sendable {
    /// By which everything in this process opens the file.
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

    /// Writes all bytes, from the beginning.
    public func write(_ bytes: SharedBytes) throws(FileProblem) {
        let target = path.withPlatformString { open($0, O_WRONLY | O_TRUNC | O_CLOEXEC) }
        guard target >= 0 else { throw .writing(Errno(rawValue: errno), call: "open", path: path) }
        defer { close(target) }
        let failure: Errno? = bytes.withUnsafeBytes { bytes in
            var done = 0
            while let start = bytes.baseAddress, done < bytes.count {
                let count = pwrite(target, start + done, bytes.count - done, off_t(done))
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return Errno(rawValue: errno) }
                done += count
            }
            return nil
        }
        if let failure { throw .writing(failure, call: "pwrite", path: path) }
    }

    deinit { _ = close(descriptor) }

    private static let folder = "/proc/self/fd/"

    /// Whether a path names an open file of this process. It is a link that leads to that file and nowhere else.
    public static func isPath(_ path: FilePath) -> Bool { path.bytes.starts(with: folder.utf8) }
}
